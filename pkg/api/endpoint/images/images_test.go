package images_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image/color"
	"image/jpeg"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/aws/s3store"
	"tokenlaunch.example/service/pkg/launch/image"
	"tokenlaunch.example/service/pkg/provider/ipfs"
)

func TestUpload(t *testing.T) {
	b := newBench(t)
	// A PNG that says it is something else: the content counts.
	got := b.send(form(t, part{"image", "token.txt", picture(t, color.White, 300, 200)}))
	if got.Status != http.StatusOK || !got.Success || got.Width != 512 || got.Height != 512 || got.URI != "ipfs://"+got.CID {
		t.Fatalf("upload = %+v, want 200 with 512 by 512 pixels", got)
	}
	content, err := b.bucket.Get(t.Context(), "images/"+got.CID+".jpg")
	if err != nil {
		t.Fatal(err)
	}
	if cid, err := ipfs.CID(content); err != nil || cid != got.CID || len(content) != got.Bytes {
		t.Errorf("stored are %d bytes of %s (%v)", len(content), cid, err)
	}
	if shown, err := jpeg.DecodeConfig(bytes.NewReader(content)); err != nil || shown.Width != 512 || shown.Height != 512 {
		t.Errorf("stored is %+v (%v)", shown, err)
	}
	record, err := b.records.Get(t.Context(), got.CID)
	want := image.Stored{
		CID: got.CID, Key: "images/" + got.CID + ".jpg", Bytes: got.Bytes, Width: 512, Height: 512,
		Uploader: wallet, CreatedAt: b.at,
	}
	if err != nil || record != want {
		t.Errorf("record %+v (%v), want %+v", record, err, want)
	}
	if again := b.upload(picture(t, color.White, 300, 200)); again.Status != http.StatusOK || again.CID != got.CID {
		t.Errorf("the same picture again: %+v", again)
	}
	if other := b.upload(picture(t, color.Black, 300, 200)); other.Status != http.StatusOK || other.CID == got.CID {
		t.Errorf("another picture: %+v", other)
	}
	if stored := b.stored(); stored != "2 objects, 2 records, 0 messages, 2 pins" {
		t.Errorf("stored %s, want 2 objects, 2 records, 0 messages, 2 pins", stored)
	}
}

// The gateway hands a form over as base64, and the caller in its context.
func TestUploadThroughTheGateway(t *testing.T) {
	b := newBench(t)
	contentType, body := form(t, part{"image", "token.png", picture(t, color.White, 9, 9)})
	raw, err := io.ReadAll(body)
	if err != nil {
		t.Fatal(err)
	}
	event := events.APIGatewayV2HTTPRequest{
		Version: "2.0", RouteKey: "POST /tokens/upload-image", RawPath: "/tokens/upload-image",
		Headers: map[string]string{"content-type": contentType},
		Body:    base64.StdEncoding.EncodeToString(raw), IsBase64Encoded: true,
	}
	event.RequestContext.HTTP.Method = http.MethodPost
	event.RequestContext.HTTP.Path = event.RawPath
	event.RequestContext.Authorizer = &events.APIGatewayV2HTTPRequestContextAuthorizerDescription{
		Lambda: map[string]any{apigw.AuthorizerWallet: wallet},
	}
	answer, err := apigw.Proxy(b.handler)(t.Context(), event)
	if err != nil {
		t.Fatal(err)
	}
	if got := decode(t, answer.StatusCode, []byte(answer.Body)); got.Status != http.StatusOK || !got.Success {
		t.Errorf("upload through the gateway = %s, want success", answer.Body)
	}
}

func TestRefusals(t *testing.T) {
	b := newBench(t)
	good := part{"image", "token.png", picture(t, color.White, 9, 9)}
	long := part{"image", "token.png", append(bytes.Clone(good.body), make([]byte, image.MaxFileBytes)...)}
	type request struct {
		contentType string
		body        io.Reader
	}
	of := func(parts ...part) request {
		contentType, body := form(t, parts...)
		return request{contentType, body}
	}
	cut := func(parts ...part) request {
		contentType, body := form(t, parts...)
		whole, err := io.ReadAll(body)
		if err != nil {
			t.Fatal(err)
		}
		return request{contentType, bytes.NewReader(whole[:len(whole)-100])}
	}
	var crowd []part
	for i := range 1000 {
		crowd = append(crowd, part{fmt.Sprint("field", i), "", nil})
	}
	for name, c := range map[string]struct {
		request request
		code    string
		fields  []problemField
	}{
		"no body":                  {request{"", http.NoBody}, "validation_failed", []problemField{{"Content-Type", "invalid_format"}}},
		"JSON":                     {request{"application/json", strings.NewReader("{}")}, "validation_failed", []problemField{{"Content-Type", "invalid_format"}}},
		"a plain image":            {request{"image/png", bytes.NewReader(good.body)}, "validation_failed", []problemField{{"Content-Type", "invalid_format"}}},
		"no boundary":              {request{"multipart/form-data", strings.NewReader("--x")}, "validation_failed", []problemField{{"Content-Type", "invalid_format"}}},
		"another multipart":        {request{"multipart/mixed; boundary=x", strings.NewReader("--x--")}, "validation_failed", []problemField{{"Content-Type", "invalid_format"}}},
		"an empty form":            {of(), "validation_failed", []problemField{{"image", "required"}}},
		"an empty body":            {request{"multipart/form-data; boundary=x", http.NoBody}, "validation_failed", []problemField{{"image", "required"}}},
		"no file chosen":           {of(part{"image", "", nil}), "validation_failed", []problemField{{"image", "required"}}},
		"another field":            {of(part{"picture", "a.png", good.body}), "validation_failed", []problemField{{"picture", "unknown_field"}, {"image", "required"}}},
		"a field more":             {of(good, part{"name", "", []byte("x")}, part{"name", "", nil}), "validation_failed", []problemField{{"name", "unknown_field"}}},
		"twice":                    {of(good, good, good), "validation_failed", []problemField{{"image", "duplicate_field"}}},
		"no end":                   {cut(good), "validation_failed", []problemField{{"body", "invalid_format"}}},
		"not a form":               {request{"multipart/form-data; boundary=x", strings.NewReader("--x\r\nnonsense")}, "validation_failed", []problemField{{"body", "invalid_format"}}},
		"one byte above the limit": {of(long), "file_too_large", nil},
		"over the body limit":      {request{"multipart/form-data; boundary=x", io.MultiReader(strings.NewReader("--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n"), bytes.NewReader(make([]byte, 17<<20)))}, "file_too_large", nil},
		"text":                     {of(part{"image", "token.png", []byte("not an image")}), "invalid_file_type", nil},
		"a GIF named PNG":          {of(part{"image", "token.png", []byte("GIF89a\x01\x00\x01\x00\x00\x00\x00;")}), "invalid_file_type", nil},
		"a damaged PNG":            {of(part{"image", "token.png", good.body[:len(good.body)-9]}), "invalid_file_type", nil},
		"too many pixels":          {of(part{"image", "token.png", picture(t, color.White, image.MaxPixels+1, 1)}), "image_too_large", nil},
	} {
		t.Run(name, func(t *testing.T) {
			got := b.send(c.request.contentType, c.request.body)
			if got.Status != http.StatusBadRequest || got.Code != c.code || !slices.Equal(got.Errors, c.fields) {
				t.Errorf("%d %s %v, want 400 %s %v", got.Status, got.Code, got.Errors, c.code, c.fields)
			}
		})
	}
	if got := b.send(form(t, crowd...)); got.Code != "validation_failed" || len(got.Errors) != 20 {
		t.Errorf("%d %s, %d fields", got.Status, got.Code, len(got.Errors))
	}
	if stored := b.stored(); stored != "0 objects, 0 records, 0 messages, 0 pins" {
		t.Errorf("stored %s, want nothing", stored)
	}
}

// Whatever IPFS does, the image is stored, and unpinned files are queued.
func TestPinningFails(t *testing.T) {
	const other = "bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku"
	for name, c := range map[string]struct {
		fail func(b *bench)
		log  string
	}{
		"down":    {func(b *bench) { b.node.Close() }, "connection refused"},
		"refuses": {func(b *bench) { b.node.fail(http.StatusInternalServerError, "") }, "status 500"},
		"lies":    {func(b *bench) { b.node.fail(http.StatusOK, other) }, other},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			c.fail(b)
			got := b.upload(picture(t, color.White, 9, 9))
			if got.Status != http.StatusOK || !got.Success {
				t.Fatalf("upload = %+v, want 200", got)
			}
			key := "images/" + got.CID + ".jpg"
			if there, err := b.bucket.Exists(t.Context(), key); !there || err != nil {
				t.Errorf("in the store: %v, %v", there, err)
			}
			if _, err := b.records.Get(t.Context(), got.CID); err != nil {
				t.Error(err)
			}
			if want := []string{fmt.Sprintf(`{"cid":%q,"key":%q}`, got.CID, key)}; !slices.Equal(b.messages(), want) {
				t.Errorf("queued is not %s", want)
			}
			if log := b.log.String(); !strings.Contains(log, `"level":"ERROR"`) || !strings.Contains(log, c.log) || !strings.Contains(log, got.CID) {
				t.Errorf("log %s", log)
			}
		})
	}
}

// A failed store never returns 200 and leaves no record.
func TestStoresFail(t *testing.T) {
	t.Run("bucket", func(t *testing.T) {
		b := newBench(t)
		b.wire(s3store.Bucket{Client: b.bucket.Client, Name: "nowhere"}, b.queue)
		if got := b.upload(picture(t, color.White, 9, 9)); got.Status != http.StatusServiceUnavailable || got.Code != "upstream_unavailable" {
			t.Errorf("upload without the bucket = %+v, want 503 upstream_unavailable", got)
		}
		if stored := b.stored(); stored != "0 objects, 0 records, 0 messages, 0 pins" {
			t.Errorf("stored %s, want nothing", stored)
		}
	})
	t.Run("IPFS and queue", func(t *testing.T) {
		b := newBench(t)
		b.node.fail(http.StatusInternalServerError, "")
		b.wire(b.bucket, b.queue+"-nowhere")
		if got := b.upload(picture(t, color.White, 9, 9)); got.Status != http.StatusServiceUnavailable {
			t.Errorf("upload without the queue = %+v, want 503", got)
		}
		if stored := b.stored(); stored != "1 objects, 0 records, 0 messages, 0 pins" {
			t.Errorf("stored %s, want only one object", stored)
		}
		// The client tries again, and by then all is well.
		b.node.fail(http.StatusOK, "")
		if got := b.upload(picture(t, color.White, 9, 9)); got.Status != http.StatusOK {
			t.Errorf("upload after the outage = %+v, want 200", got)
		}
		if stored := b.stored(); stored != "1 objects, 1 records, 0 messages, 1 pins" {
			t.Errorf("stored %s, want one object, record and pin", stored)
		}
	})
	t.Run("object exists", func(t *testing.T) {
		b := newBench(t)
		first := b.upload(picture(t, color.White, 9, 9))
		if _, err := b.bucket.Client.DeleteObject(t.Context(), &s3.DeleteObjectInput{
			Bucket: &b.bucket.Name, Key: aws.String("images/" + first.CID + ".jpg"),
		}); err != nil {
			t.Fatal(err)
		}
		// A picture that was recorded but is gone from the store is put there again.
		if again := b.upload(picture(t, color.White, 9, 9)); again.CID != first.CID {
			t.Errorf("upload again = %+v, want CID %s", again, first.CID)
		}
		if stored := b.stored(); stored != "1 objects, 1 records, 0 messages, 1 pins" {
			t.Errorf("stored %s, want one object, record and pin", stored)
		}
	})
}
