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

// PutFile stores a file of any length under a key without an object. The file is read from the
// beginning. If the key has an object, PutFile leaves the object and returns nil. A caller that
// needs the stored content reads the object.
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

// Open opens an object of any length for reading, or returns ErrNotFound. The caller closes the
// reader.
func (b Bucket) Open(ctx context.Context, key string) (io.ReadCloser, error) {
	object, err := b.Client.GetObject(ctx, &s3.GetObjectInput{Bucket: &b.Name, Key: &key})
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", key, missing(err))
	}
	return object.Body, nil
}

// GetRange reads length bytes of an object from offset from. It returns fewer bytes if the object
// ends earlier, or ErrNotFound if the object does not exist.
func (b Bucket) GetRange(ctx context.Context, key string, from, length int64) ([]byte, error) {
	if from < 0 || length <= 0 {
		return nil, fmt.Errorf("get %d bytes of %s from %d: no such range", length, key, from)
	}
	object, err := b.Client.GetObject(ctx, &s3.GetObjectInput{
		Bucket: &b.Name, Key: &key, Range: aws.String(fmt.Sprintf("bytes=%d-%d", from, from+length-1)),
	})
	if statusOf(err) == http.StatusRequestedRangeNotSatisfiable {
		return nil, nil // the object ends before from
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

// missing returns ErrNotFound if S3 reports a missing object, and otherwise err.
func missing(err error) error {
	if _, ok := errors.AsType[*types.NoSuchKey](err); ok || statusOf(err) == http.StatusNotFound {
		return ErrNotFound
	}
	return err
}

// Object is one entry of a list.
type Object struct {
	Key   string
	Bytes int64
}

// List returns the objects whose keys begin with the prefix, in the order of keys. An error ends
// the list.
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
