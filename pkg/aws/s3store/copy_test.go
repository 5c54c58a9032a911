package s3store_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"tokenlaunch.example/service/pkg/aws/s3store"
)

func TestSwap(t *testing.T) {
	bucket := newBucket(t, "swapped")
	swap := func(key, content, tag string, want bool) {
		t.Helper()
		if swapped, err := bucket.Swap(t.Context(), key, "text/plain", []byte(content), tag); swapped != want || err != nil {
			t.Errorf("%s over %q: %v, %v", content, tag, swapped, err)
		}
	}
	if _, _, err := bucket.Tagged(t.Context(), "key"); !errors.Is(err, s3store.ErrNotFound) {
		t.Errorf("get before: %v", err)
	}
	swap("key", "first", "", true)
	swap("key", "other", "", false)
	content, first, err := bucket.Tagged(t.Context(), "key")
	if err != nil || string(content) != "first" || first == "" {
		t.Errorf("%q tagged %q, %v", content, first, err)
	}
	swap("key", "second", first, true)
	swap("key", "other", first, false)
	swap("nothing", "other", first, false)
	if content, tag, err := bucket.Tagged(t.Context(), "key"); err != nil || string(content) != "second" || tag == first {
		t.Errorf("%q tagged %q, %v", content, tag, err)
	}
	if _, err := (s3store.Bucket{Client: bucket.Client, Name: "nowhere"}).Swap(t.Context(), "key", "text/plain", nil, ""); err == nil {
		t.Error("swap in no bucket succeeds")
	}
}

func TestOneOfManySwaps(t *testing.T) {
	bucket := newBucket(t, "raced")
	for round, tag := 0, ""; round < 2; round++ {
		var won atomic.Int64
		var wg sync.WaitGroup
		for n := range 20 {
			wg.Go(func() {
				swapped, err := bucket.Swap(t.Context(), "key", "text/plain", fmt.Appendf(nil, "%d of round %d", n, round), tag)
				if err != nil {
					t.Error(err)
				}
				if swapped {
					won.Add(1)
				}
			})
		}
		wg.Wait()
		if won.Load() != 1 {
			t.Errorf("round %d: %d of 20 swapped", round, won.Load())
		}
		_, tag, _ = bucket.Tagged(t.Context(), "key")
	}
}

func TestKeysAfter(t *testing.T) {
	bucket := newBucket(t, "listed")
	const files = 1003 // more than a page
	var all []string
	var wg sync.WaitGroup
	limit := make(chan struct{}, 16)
	for n := range files {
		key := fmt.Sprintf("a/%04d", n)
		all = append(all, key)
		wg.Go(func() {
			limit <- struct{}{}
			defer func() { <-limit }()
			if err := bucket.Put(t.Context(), key, "text/plain", nil); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for _, other := range []string{"a", "b/0001"} {
		if err := bucket.Put(t.Context(), other, "text/plain", nil); err != nil {
			t.Fatal(err)
		}
	}
	for after, want := range map[string][]string{
		"": all, "a/": all, "a/0000": all[1:], "a/0999": all[1000:], "a/09995": all[1000:], "a/1002": nil,
	} {
		var got []string
		for key, err := range bucket.KeysAfter(t.Context(), "a/", after) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, key)
		}
		if !slices.Equal(got, want) {
			t.Errorf("after %q: %d keys, want %d", after, len(got), len(want))
		}
	}
	for _, err := range (s3store.Bucket{Client: bucket.Client, Name: "nowhere"}).KeysAfter(t.Context(), "a/", "") {
		if err == nil {
			t.Error("no bucket is listed")
		}
	}
}
