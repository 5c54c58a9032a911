package s3store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
)

// Tagged reads an object of at most MaxBytes, with the ETag of the content. It returns ErrNotFound
// if the object does not exist.
func (b Bucket) Tagged(ctx context.Context, key string) (content []byte, tag string, err error) {
	object, err := b.Client.GetObject(ctx, &s3.GetObjectInput{Bucket: &b.Name, Key: &key})
	if err != nil {
		return nil, "", fmt.Errorf("get %s: %w", key, missing(err))
	}
	content, err = io.ReadAll(io.LimitReader(object.Body, MaxBytes+1))
	if err = errors.Join(err, object.Body.Close()); err != nil {
		return nil, "", fmt.Errorf("get %s: %w", key, err)
	}
	if len(content) > MaxBytes {
		return nil, "", fmt.Errorf("get %s: longer than %d bytes", key, MaxBytes)
	}
	return content, aws.ToString(object.ETag), nil
}

// Swap replaces the object that has the given tag. If the tag is empty, Swap stores a new object.
// Swap returns false if the key has another object.
func (b Bucket) Swap(ctx context.Context, key, contentType string, content []byte, tag string) (swapped bool, err error) {
	put := &s3.PutObjectInput{
		Bucket: &b.Name, Key: &key, ContentType: &contentType,
		Body: bytes.NewReader(content), ContentLength: aws.Int64(int64(len(content))),
	}
	if tag == "" {
		put.IfNoneMatch = aws.String("*")
	} else {
		put.IfMatch = &tag
	}
	_, err = b.Client.PutObject(ctx, put)
	// S3 returns 404 if the object to replace no longer exists.
	var coded interface{ ErrorCode() string }
	gone := errors.As(err, &coded) && coded.ErrorCode() == "NoSuchKey"
	if status := statusOf(err); gone || status == http.StatusPreconditionFailed || status == http.StatusConflict {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("swap %s: %w", key, err)
	}
	return true, nil
}

// KeysAfter returns the keys with a prefix in the order of bytes, only keys after the given key
// unless after is empty.
func (b Bucket) KeysAfter(ctx context.Context, prefix, after string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		list := &s3.ListObjectsV2Input{Bucket: &b.Name, Prefix: &prefix}
		if after != "" {
			list.StartAfter = &after
		}
		pages := s3.NewListObjectsV2Paginator(b.Client, list)
		for pages.HasMorePages() {
			page, err := pages.NextPage(ctx)
			if err != nil {
				yield("", fmt.Errorf("list %s after %s: %w", prefix, after, err))
				return
			}
			for _, object := range page.Contents {
				if !yield(aws.ToString(object.Key), nil) {
					return
				}
			}
		}
	}
}
