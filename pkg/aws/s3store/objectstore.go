// Package s3store stores files in an S3 bucket. A key names the content or the purpose of the
// content, so the content under a key never changes, and storing the content again is not an error.
// Only Swap replaces an object, and only Delete deletes an object.
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

// MaxBytes is the maximum size of an object that Get reads. Objects for Get are at most one IPFS
// chunk, which is smaller.
const MaxBytes = 1 << 20

// ErrNotFound is returned if the key has no object.
var ErrNotFound = content.ErrNoObject

// conflictTries is the maximum number of tries of a write that S3 rejects because of a concurrent
// write of the same key.
const conflictTries = 3

// Bucket is one S3 bucket.
type Bucket struct {
	Client *s3.Client
	Name   string
}

// Put stores content under a key without an object. If the key has an object, Put succeeds, because
// the object has the same content.
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

// Delete deletes an object. Deleting a missing object is not an error.
func (b Bucket) Delete(ctx context.Context, key string) error {
	if _, err := b.Client.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: &b.Name, Key: &key}); err != nil {
		return fmt.Errorf("delete %s: %w", key, err)
	}
	return nil
}

// Exists reports whether the key has an object.
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

// statusOf returns the HTTP status of an error response, or 0.
func statusOf(err error) int {
	if response, ok := errors.AsType[*awshttp.ResponseError](err); ok {
		return response.HTTPStatusCode()
	}
	return 0
}
