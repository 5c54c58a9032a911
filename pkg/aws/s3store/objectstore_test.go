package s3store_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"tokenlaunch.example/service/pkg/aws/s3store"
	"tokenlaunch.example/service/pkg/testkit/localnet"
)

func newBucket(t *testing.T, name string) s3store.Bucket {
	t.Helper()
	client := s3.NewFromConfig(localnet.AWS(t).Config(t.Context()))
	if _, err := client.CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: &name}); err != nil {
		t.Fatal(err)
	}
	return s3store.Bucket{Client: client, Name: name}
}

func TestBucket(t *testing.T) {
	bucket := newBucket(t, "files")
	const key = "images/cid.jpg"
	if _, err := bucket.Get(t.Context(), key); !errors.Is(err, s3store.ErrNotFound) {
		t.Errorf("get before: %v", err)
	}
	if there, err := bucket.Exists(t.Context(), key); there || err != nil {
		t.Errorf("before: %v, %v", there, err)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if err := bucket.Put(t.Context(), key, "image/jpeg", []byte("content")); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	// A key names its content, so another content never comes; if it did, what is
	// there would stay.
	if err := bucket.Put(t.Context(), key, "text/plain", []byte("other")); err != nil {
		t.Error(err)
	}
	if got, err := bucket.Get(t.Context(), key); err != nil || string(got) != "content" {
		t.Errorf("get: %q, %v", got, err)
	}
	if there, err := bucket.Exists(t.Context(), key); !there || err != nil {
		t.Errorf("after: %v, %v", there, err)
	}
	head, err := bucket.Client.HeadObject(t.Context(), &s3.HeadObjectInput{Bucket: &bucket.Name, Key: aws.String(key)})
	if err != nil || aws.ToString(head.ContentType) != "image/jpeg" {
		t.Errorf("content type %q, %v", aws.ToString(head.ContentType), err)
	}
}

func TestDelete(t *testing.T) {
	bucket := newBucket(t, "deleted")
	if err := bucket.Put(t.Context(), "key", "text/plain", []byte("content")); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := bucket.Delete(t.Context(), "key"); err != nil {
			t.Error(err)
		}
		if there, err := bucket.Exists(t.Context(), "key"); there || err != nil {
			t.Errorf("afterwards: %v, %v", there, err)
		}
	}
	if err := (s3store.Bucket{Client: bucket.Client, Name: "nowhere"}).Delete(t.Context(), "key"); err == nil {
		t.Error("delete from nowhere succeeds")
	}
}

func TestGetIsBounded(t *testing.T) {
	bucket := newBucket(t, "large")
	for length, ok := range map[int]bool{s3store.MaxBytes: true, s3store.MaxBytes + 1: false} {
		if _, err := bucket.Client.PutObject(t.Context(), &s3.PutObjectInput{
			Bucket: &bucket.Name, Key: aws.String("key"), Body: bytes.NewReader(make([]byte, length)),
		}); err != nil {
			t.Fatal(err)
		}
		if got, err := bucket.Get(t.Context(), "key"); (err == nil) != ok || ok && len(got) != length {
			t.Errorf("%d bytes: got %d, %v", length, len(got), err)
		}
	}
}

func TestNoBucket(t *testing.T) {
	bucket := s3store.Bucket{Client: s3.NewFromConfig(localnet.AWS(t).Config(t.Context())), Name: "nowhere"}
	if err := bucket.Put(t.Context(), "key", "text/plain", nil); err == nil {
		t.Error("put succeeds")
	}
}

// S3 answers 409 while another write of the key is under way, which MiniStack
// never does.
func TestConflictingWrites(t *testing.T) {
	for conflicts, ok := range map[int64]bool{1: true, 2: true, 3: false} {
		var left atomic.Int64
		left.Store(conflicts)
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			if left.Add(-1) >= 0 {
				w.WriteHeader(http.StatusConflict)
				_, _ = io.WriteString(w, `<Error><Code>ConditionalRequestConflict</Code></Error>`)
			}
		}))
		client := s3.New(s3.Options{
			Region: "us-east-1", BaseEndpoint: &server.URL, UsePathStyle: true,
			Credentials: credentials.NewStaticCredentialsProvider("test", "test", ""),
			Retryer:     aws.NopRetryer{},
		})
		err := s3store.Bucket{Client: client, Name: "files"}.Put(t.Context(), "key", "text/plain", []byte("content"))
		if (err == nil) != ok {
			t.Errorf("%d conflicts: %v", conflicts, err)
		}
		server.Close()
	}
}
