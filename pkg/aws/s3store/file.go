package s3store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
)

// PutFile stores a file of any length, which is read from its beginning, under a key
// that nothing is under. When something is, that stays, and it is no error: a caller that
// needs to know what is there reads it.
func (b Bucket) PutFile(ctx context.Context, key, contentType string, body io.ReadSeeker, size int64) error {
	var err error
	for range conflictTries {
		if _, err = body.Seek(0, io.SeekStart); err != nil {
			break
		}
		_, err = b.Client.PutObject(ctx, &s3.PutObjectInput{
			Bucket: &b.Name, Key: &key, ContentType: &contentType,
			Body: body, ContentLength: &size, IfNoneMatch: aws.String("*"),
		})
		switch statusOf(err) {
		case http.StatusPreconditionFailed:
			return nil
		case http.StatusConflict:
			continue
		}
		break
	}
	if err != nil {
		return fmt.Errorf("put %s: %w", key, err)
	}
	return nil
}

// Open begins to read an object of any length, or returns ErrNotFound. The caller
// closes it.
func (b Bucket) Open(ctx context.Context, key string) (io.ReadCloser, error) {
	object, err := b.Client.GetObject(ctx, &s3.GetObjectInput{Bucket: &b.Name, Key: &key})
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", key, missing(err))
	}
	return object.Body, nil
}

// GetRange reads length bytes of an object from the byte from on, fewer when it ends
// before, or returns ErrNotFound.
func (b Bucket) GetRange(ctx context.Context, key string, from, length int64) ([]byte, error) {
	if from < 0 || length <= 0 {
		return nil, fmt.Errorf("get %d bytes of %s from %d: no such range", length, key, from)
	}
	object, err := b.Client.GetObject(ctx, &s3.GetObjectInput{
		Bucket: &b.Name, Key: &key, Range: aws.String(fmt.Sprintf("bytes=%d-%d", from, from+length-1)),
	})
	if statusOf(err) == http.StatusRequestedRangeNotSatisfiable {
		return nil, nil // It ends before.
	}
	if err != nil {
		return nil, fmt.Errorf("get %d bytes of %s from %d: %w", length, key, from, missing(err))
	}
	content, err := io.ReadAll(io.LimitReader(object.Body, length))
	if err = errors.Join(err, object.Body.Close()); err != nil {
		return nil, fmt.Errorf("get %d bytes of %s from %d: %w", length, key, from, err)
	}
	return content, nil
}

// missing gives ErrNotFound for S3's word that there is no such object.
func missing(err error) error {
	if _, ok := errors.AsType[*types.NoSuchKey](err); ok || statusOf(err) == http.StatusNotFound {
		return ErrNotFound
	}
	return err
}

// Object is one of a list.
type Object struct {
	Key   string
	Bytes int64
}

// List gives the objects whose keys begin with the prefix, by their keys. An error
// is the last that it gives.
func (b Bucket) List(ctx context.Context, prefix string) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) {
		pages := s3.NewListObjectsV2Paginator(b.Client, &s3.ListObjectsV2Input{Bucket: &b.Name, Prefix: &prefix})
		for pages.HasMorePages() {
			page, err := pages.NextPage(ctx)
			if err != nil {
				yield(Object{}, fmt.Errorf("list %s: %w", prefix, err))
				return
			}
			for _, o := range page.Contents {
				if !yield(Object{aws.ToString(o.Key), aws.ToInt64(o.Size)}, nil) {
					return
				}
			}
		}
	}
}
