// Package images serves the upload of a token's image.
package images

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/launch/image"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/ratelimit"
	"tokenlaunch.example/service/pkg/token/content"
)

// Assets stores files; see content.Store.
type Assets interface {
	Name(file []byte) (cid string, err error)
	Save(ctx context.Context, kind content.Kind, body []byte) (content.File, error)
}

// Records stores the records of images; see launchtable.Images.
type Records interface {
	// Allowed returns content.ErrBlocked for a picture that operators have blocked, and a transient
	// error for a picture that is being removed.
	Allowed(ctx context.Context, cid string, now time.Time) error
	// Put records a picture. began is the time at which storing began. Put makes the final
	// decision, and returns the same errors as Allowed.
	Put(ctx context.Context, stored image.Stored, began time.Time) error
}

// Endpoint handles the route. Every field is required.
type Endpoint struct {
	Assets  Assets
	Records Records
	// Limiter enforces PerAddress, the maximum number of pictures from one address in an hour. The
	// route's own limit is not enough, because the limit counts by wallet, and wallets are free.
	Limiter    ratelimit.Limiter
	PerAddress int
	Now        func() time.Time
}

// Handlers returns the handlers by operation.
func (e Endpoint) Handlers() map[string]apigw.HandlerFunc {
	return map[string]apigw.HandlerFunc{"uploadImage": e.upload}
}

type uploadedBody struct {
	Success bool   `json:"success"`
	URI     string `json:"imageUri"`
	CID     string `json:"imageCid"`
	Width   int    `json:"width"`
	Height  int    `json:"height"`
	Bytes   int    `json:"bytes"`
}

func (e Endpoint) upload(w http.ResponseWriter, r *http.Request) error {
	ctx := r.Context()
	uploader, ok := apigw.CallerFrom(ctx)
	if !ok { // impossible: the guard rejects callers without a wallet
		return apperr.New(apperr.CodeInvalidToken, "The token names no wallet.")
	}
	file, err := readFile(r)
	if err != nil {
		return err
	}
	picture, err := image.Process(file)
	if err != nil {
		return err
	}
	kept, err := ratelimit.Within(ctx, e.Limiter, e.limit(), ratelimit.AddressKey(apigw.SourceIP(ctx)), e.tooMany(),
		func() (content.File, error) { return e.keep(ctx, picture, uploader) })
	if err != nil {
		return err
	}
	return apigw.WriteJSON(w, http.StatusOK, uploadedBody{
		Success: true, URI: kept.URI, CID: kept.CID,
		Width: picture.Width, Height: picture.Height, Bytes: kept.Bytes,
	})
}

// keep stores a picture and its record.
func (e Endpoint) keep(ctx context.Context, picture image.Processed, uploader string) (content.File, error) {
	began := e.Now()
	cid, err := e.Assets.Name(picture.JPEG)
	if err != nil {
		return content.File{}, err
	}
	if err := e.Records.Allowed(ctx, cid, began); err != nil {
		return content.File{}, told(err)
	}
	kept, err := e.Assets.Save(ctx, content.Image, picture.JPEG)
	if err != nil {
		return content.File{}, err
	}
	// Record only after storing, because a record promises that the file is stored.
	return kept, told(e.Records.Put(ctx, image.Stored{
		CID: kept.CID, Key: kept.Key, Bytes: kept.Bytes, Width: picture.Width, Height: picture.Height,
		Uploader: uploader, CreatedAt: e.Now(),
	}, began))
}

// told converts content.ErrBlocked to an error for the caller.
func told(err error) error {
	if errors.Is(err, content.ErrBlocked) {
		return apperr.New(apperr.CodeContentBlocked, content.WhyBlocked)
	}
	return err
}

func (e Endpoint) limit() ratelimit.Rule {
	return ratelimit.Rule{Name: "upload-address", Limit: e.PerAddress, Window: time.Hour}
}

// tooMany returns the error above the limit.
func (e Endpoint) tooMany() apperr.Error {
	return apperr.Error{
		Code:   apperr.CodeUploadLimitExceeded,
		Detail: fmt.Sprintf("At most %d images may be uploaded from one address within an hour.", e.PerAddress),
	}
}
