package images_test

import (
	"bytes"
	"context"
	stdimage "image"
	"image/png"
	"log/slog"
	"math"
	"mime"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/endpoint/images"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/launch/image"
	"tokenlaunch.example/service/pkg/provider/ipfs"
	"tokenlaunch.example/service/pkg/testkit/ratelimittest"
	"tokenlaunch.example/service/pkg/token/content"
)

// shelf keeps the last file and its record, and counts.
type shelf struct {
	files, records int
	body           []byte
}

func (s *shelf) Save(_ context.Context, _ content.Kind, body []byte) (content.File, error) {
	s.files++
	s.body = body
	cid, err := ipfs.CID(body)
	return content.File{CID: cid, URI: content.Scheme + cid, Bytes: len(body)}, err
}

func (s *shelf) Name(body []byte) (string, error) { return ipfs.CID(body) }

func (s *shelf) Allowed(context.Context, string, time.Time) error { return nil }

func (s *shelf) Put(context.Context, image.Stored, time.Time) error {
	s.records++
	return nil
}

// FuzzForm posts arbitrary forms: the response is a stored image or a rejection that stores
// nothing, never an internal error. An accepted form has exactly one file in the one field,
// according to the standard library, too.
func FuzzForm(f *testing.F) {
	file := smallPicture(f)
	for _, parts := range [][]part{
		{{"image", "token.png", file}},
		{{"image", "token.png", file}, {"image", "token.png", file}},
		{{"picture", "token.png", file}},
		{{"image", "token.png", nil}},
		{{"image", "token.png", file[:40]}},
		{},
	} {
		contentType, body := written(f, parts...)
		f.Add(contentType, body)
		f.Add(contentType, body[:len(body)-3])
		f.Add(`multipart/form-data; boundary="other"`, body)
	}
	f.Add("multipart/form-data", []byte("--"))
	f.Add("image/png", file)
	f.Fuzz(func(t *testing.T, contentType string, body []byte) {
		kept := &shelf{}
		status, answer := post(t, kept, contentType, body)
		switch status {
		case http.StatusOK:
			if !answer.Success || kept.files != 1 || kept.records != 1 || answer.Bytes != len(kept.body) {
				t.Errorf("%+v with %d files and %d records", answer, kept.files, kept.records)
			}
			agree(t, contentType, body)
		case http.StatusBadRequest:
			if answer.Code == "" || kept.files+kept.records != 0 {
				t.Errorf("%+v with %d files and %d records", answer, kept.files, kept.records)
			}
		default:
			t.Errorf("status %d: %+v", status, answer)
		}
	})
}

// agree reads an accepted form with the standard library.
func agree(t *testing.T, contentType string, body []byte) {
	t.Helper()
	_, parameters, err := mime.ParseMediaType(contentType)
	if err != nil {
		t.Fatal(err)
	}
	form, err := multipart.NewReader(bytes.NewReader(body), parameters["boundary"]).ReadForm(math.MaxInt32)
	if err != nil {
		t.Fatalf("accepted a form that mime/multipart rejects: %v", err)
	}
	if len(form.File["image"])+len(form.Value["image"]) != 1 || len(form.File)+len(form.Value) != 1 {
		t.Errorf("accepted a form with files %v and values %v", form.File, form.Value)
	}
}

func post(t *testing.T, kept *shelf, contentType string, body []byte) (int, uploaded) {
	t.Helper()
	api := apigw.API{Limiter: &ratelimittest.Memory{}, Log: slog.New(slog.DiscardHandler), Now: time.Now}
	handler, err := api.Handler(route.FunctionImages, images.Endpoint{Assets: kept, Records: kept, Limiter: &ratelimittest.Memory{}, PerAddress: 1, Now: time.Now}.Handlers())
	if err != nil {
		t.Fatal(err)
	}
	ctx := apigw.WithCaller(t.Context(), apigw.CallerContext{Wallet: wallet, SourceIP: "203.0.113.9", RequestID: "request"})
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/tokens/upload-image", bytes.NewReader(body))
	r.Header.Set("Content-Type", contentType)
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, r)
	return recorder.Code, decode(t, recorder.Code, recorder.Body.Bytes())
}

// written is a form of files, and its Content-Type.
func written(f *testing.F, parts ...part) (contentType string, body []byte) {
	f.Helper()
	var out bytes.Buffer
	w := multipart.NewWriter(&out)
	for _, p := range parts {
		file, err := w.CreateFormFile(p.field, p.name)
		if err != nil {
			f.Fatal(err)
		}
		if _, err := file.Write(p.body); err != nil {
			f.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		f.Fatal(err)
	}
	return w.FormDataContentType(), out.Bytes()
}

func smallPicture(f *testing.F) []byte {
	f.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, stdimage.NewGray(stdimage.Rect(0, 0, 4, 4))); err != nil {
		f.Fatal(err)
	}
	return out.Bytes()
}
