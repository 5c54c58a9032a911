package s3store_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"tokenlaunch.example/service/pkg/aws/s3store"
	"tokenlaunch.example/service/pkg/proof/snapshot"
)

var _ snapshot.Store = s3store.Bucket{}

func TestFiles(t *testing.T) {
	bucket := newBucket(t, "large-files")
	const key = "snapshots/mint/run.holders"
	content := make([]byte, 5<<20+3) // longer than Get reads
	for i := range content {
		content[i] = byte(i * 7 >> 3)
	}
	if _, err := bucket.Open(t.Context(), key); !errors.Is(err, s3store.ErrNotFound) {
		t.Errorf("open before: %v", err)
	}
	if _, err := bucket.GetRange(t.Context(), key, 0, 1); !errors.Is(err, s3store.ErrNotFound) {
		t.Errorf("get a part before: %v", err)
	}
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			file, err := os.Open(path)
			if err != nil {
				t.Error(err)
				return
			}
			defer file.Close() //nolint:errcheck // It is only read.
			if _, err := file.Seek(99, io.SeekStart); err != nil {
				t.Error(err)
			}
			if err := bucket.PutFile(t.Context(), key, "application/octet-stream", file, int64(len(content))); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	// A later writer does not change what is there, and gets no error.
	if err := bucket.PutFile(t.Context(), key, "application/octet-stream", bytes.NewReader([]byte("other")), 5); err != nil {
		t.Error(err)
	}
	stream, err := bucket.Open(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(stream)
	if err = errors.Join(err, stream.Close()); err != nil || !bytes.Equal(got, content) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	end := int64(len(content))
	for _, c := range []struct{ from, length, gets int64 }{
		{0, 1, 1}, {41, 4100, 4100}, {end - 1, 1, 1}, {end - 10, 20, 10}, {end, 1, 0}, {end + 1000, 1, 0}, {0, end + 1, end},
	} {
		part, err := bucket.GetRange(t.Context(), key, c.from, c.length)
		if err != nil || !bytes.Equal(part, content[min(c.from, end):min(c.from, end)+c.gets]) {
			t.Errorf("%d bytes from %d: %d, %v", c.length, c.from, len(part), err)
		}
	}
	for _, c := range []struct{ from, length int64 }{{-1, 2}, {0, 0}, {0, -1}} {
		if _, err := bucket.GetRange(t.Context(), key, c.from, c.length); err == nil {
			t.Errorf("%d bytes from %d are read", c.length, c.from)
		}
	}
}

func TestList(t *testing.T) {
	bucket := newBucket(t, "listed")
	var want []s3store.Object
	const perPage = 1000 // of S3
	for i := range perPage + 2 {
		o := s3store.Object{Key: fmt.Sprintf("journal/mint/%05d", i), Bytes: int64(i % 3)}
		if err := bucket.Put(t.Context(), o.Key, "text/plain", make([]byte, o.Bytes)); err != nil {
			t.Fatal(err)
		}
		want = append(want, o)
	}
	if err := bucket.Put(t.Context(), "journal/mintx", "text/plain", nil); err != nil {
		t.Fatal(err)
	}
	var got []s3store.Object
	for o, err := range bucket.List(t.Context(), "journal/mint/") {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, o)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%d objects, want %d", len(got), len(want))
	}
	for first, err := range bucket.List(t.Context(), "journal/mint/") {
		if err != nil || first != want[0] {
			t.Errorf("List() first = %+v, %v; want %+v", first, err, want[0])
		}
		break
	}
	for o, err := range bucket.List(t.Context(), "nothing/") {
		t.Errorf("List() of an empty prefix = %+v, %v; want nothing", o, err)
	}
	failed := false
	for _, err := range (s3store.Bucket{Client: bucket.Client, Name: "nowhere"}).List(t.Context(), "") {
		failed = err != nil
	}
	if !failed {
		t.Error("nowhere is listed")
	}
}

// A write that conflicts is repeated with the whole file.
func TestConflictingFiles(t *testing.T) {
	content := []byte("content")
	for conflicts, ok := range map[int64]bool{1: true, 2: true, 3: false} {
		var left atomic.Int64
		left.Store(conflicts)
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if body, err := io.ReadAll(r.Body); err != nil || !bytes.Contains(body, content) {
				t.Errorf("the body is %q, %v", body, err)
			}
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
		err := s3store.Bucket{Client: client, Name: "files"}.PutFile(t.Context(), "key", "text/plain", bytes.NewReader(content), int64(len(content)))
		if (err == nil) != ok {
			t.Errorf("%d conflicts: %v", conflicts, err)
		}
		server.Close()
	}
}
