// Package s3store keeps files in an S3 bucket, under keys that name their
// content or what it was made for: what is under a key never changes, and putting it
// there again is no error.
package s3store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"tokenlaunch.example/service/pkg/token/content"
)

// MaxBytes is the longest object that Get reads: what is put here is one IPFS
// chunk at most, and this leaves room.
const MaxBytes = 1 << 20

// ErrNotFound says that there is no object under the key.
var ErrNotFound = content.ErrNoObject

// conflictTries is how often a write is tried that S3 refuses because another
// one of the same key is under way.
const conflictTries = 3

// Bucket is one S3 bucket.
type Bucket struct {
	Client *s3.Client
	Name   string
}

// Put stores content under a key that nothing is under. When something is, that
// is the same content, and a success.
func (b Bucket) Put(ctx context.Context, key, contentType string, body []byte) error {
	return b.PutFile(ctx, key, contentType, bytes.NewReader(body), int64(len(body)))
}

// Get reads an object of at most MaxBytes, or returns ErrNotFound.
func (b Bucket) Get(ctx context.Context, key string) ([]byte, error) {
	object, err := b.Client.GetObject(ctx, &s3.GetObjectInput{Bucket: &b.Name, Key: &key})
	if err != nil {
		return nil, fmt.Errorf("get %s: %w", key, missing(err))
	}
	body, err := io.ReadAll(io.LimitReader(object.Body, MaxBytes+1))
	if err = errors.Join(err, object.Body.Close()); err != nil {
		return nil, fmt.Errorf("get %s: %w", key, err)
	}
	if len(body) > MaxBytes {
		return nil, fmt.Errorf("get %s: longer than %d bytes", key, MaxBytes)
	}
	return body, nil
}

// Delete removes an object; that there is none is no error.
func (b Bucket) Delete(ctx context.Context, key string) error {
	if _, err := b.Client.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: &b.Name, Key: &key}); err != nil {
		return fmt.Errorf("delete %s: %w", key, err)
	}
	return nil
}

// Exists says whether there is an object under the key.
func (b Bucket) Exists(ctx context.Context, key string) (bool, error) {
	_, err := b.Client.HeadObject(ctx, &s3.HeadObjectInput{Bucket: &b.Name, Key: &key})
	switch {
	case err == nil:
		return true, nil
	case statusOf(err) == http.StatusNotFound:
		return false, nil
	default:
		return false, fmt.Errorf("look for %s: %w", key, err)
	}
}

// statusOf gives the HTTP status of a refusal, 0 when there is none.
func statusOf(err error) int {
	if response, ok := errors.AsType[*awshttp.ResponseError](err); ok {
		return response.HTTPStatusCode()
	}
	return 0
}
