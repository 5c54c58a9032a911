package idempotency_test

import (
	"bytes"
	"net/http"
	"slices"
	"testing"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/idempotency"
)

// FuzzCheckKey tests that an accepted key is returned unchanged and fits into a header; every other
// key is an Invalid error.
func FuzzCheckKey(f *testing.F) {
	f.Add("6f0f0d53-6e1e-4f3a-8a3f-5d3b8d0f7c21", 1)
	f.Add("", 1)
	f.Add("a b", 1)
	f.Add("a\x7f", 1)
	f.Add("a", 2)
	f.Fuzz(func(t *testing.T, value string, times int) {
		times = max(0, min(times, 3))
		key, err := idempotency.CheckKey(slices.Repeat([]string{value}, times))
		if err != nil {
			if apperr.KindOf(err) != apperr.Invalid || key != "" {
				t.Errorf("CheckKey() = %q, %v; want an error of kind Invalid", key, err)
			}
			return
		}
		visible := bytes.Trim([]byte(value), "!\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~")
		if key != value || times != 1 || value == "" || len(value) > 255 || len(visible) != 0 {
			t.Errorf("%q, %d times, is key %q", value, times, key)
		}
	})
}

// FuzzFingerprint tests that a form has the same fingerprint whatever its boundary, and different
// forms have different ones.
func FuzzFingerprint(f *testing.F) {
	f.Add("one", "another", []byte("file"), []byte("other"))
	f.Add("-", "--", []byte("\r\n--x\r\n"), []byte{})
	f.Fuzz(func(t *testing.T, boundary, other string, content, changed []byte) {
		fingerprint := func(boundary string, content []byte) [32]byte {
			body := slices.Concat([]byte("--"+boundary+"\r\n"), content, []byte("\r\n--"+boundary+"--\r\n"))
			return idempotency.Fingerprint(http.MethodPost, "/tokens/upload-image", "multipart/form-data; boundary="+boundary, body)
		}
		for _, name := range []string{boundary, other} {
			// Clients choose one that is not in the content.
			if !plain(name) || bytes.Contains(content, []byte("--"+name)) || bytes.Contains(changed, []byte("--"+name)) {
				return
			}
		}
		if fingerprint(boundary, content) != fingerprint(other, content) {
			t.Errorf("%q is another form with boundary %q than with %q", content, other, boundary)
		}
		if !bytes.Equal(content, changed) && fingerprint(boundary, content) == fingerprint(boundary, changed) {
			t.Errorf("%q and %q are one form", content, changed)
		}
	})
}

// plain reports whether a boundary needs no quotes.
func plain(boundary string) bool {
	for _, c := range []byte(boundary) {
		if (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return boundary != "" && len(boundary) <= 70
}
