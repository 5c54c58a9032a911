package docs

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"tokenlaunch.example/service/pkg/api/apigw"
)

// file is a response body with a fixed content.
type file struct {
	contentType string
	cache       string            // Cache-Control
	header      map[string]string // further headers
	body        []byte
	tag         string // the ETag without quotation marks
	// zipped returns the compressed body, or nil if compression does not save bytes. zipped is nil
	// for formats that are already compressed.
	zipped func() []byte
}

func newFile(contentType, cache string, header map[string]string, body []byte) file {
	sum := sha256.Sum256(body)
	return file{
		contentType: contentType, cache: cache, header: header, body: body,
		tag:    base64.RawURLEncoding.EncodeToString(sum[:15]),
		zipped: sync.OnceValue(func() []byte { return compress(body) }),
	}
}

// worthZipping is the minimum length for compression. A shorter body fits one packet.
const worthZipping = 1400

// compress returns nil if compression does not save bytes.
func compress(body []byte) []byte {
	if len(body) < worthZipping {
		return nil
	}
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil // impossible: the level is valid
	}
	if _, err := w.Write(body); err != nil || w.Close() != nil || out.Len() >= len(body) {
		return nil
	}
	return out.Bytes()
}

// serve returns a handler that responds with a file, or with 304 if the caller has the file.
func serve(get func() (file, error)) apigw.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) error {
		f, err := get()
		if err != nil {
			return err
		}
		return f.serve(w, r, http.StatusOK)
	}
}

// serve responds with the file, compressed if the caller accepts gzip. The compressed form has a
// separate ETag, because the bytes differ.
func (f file) serve(w http.ResponseWriter, r *http.Request, status int) error {
	encoding := ""
	if f.zipped != nil {
		w.Header().Set("Vary", "Accept-Encoding")
		if takesGzip(r.Header) {
			if zipped := f.zipped(); zipped != nil {
				f.body, f.tag, encoding = zipped, f.tag+"-gzip", "gzip"
			}
		}
	}
	if status == http.StatusOK && f.isKnown(w, r) {
		return nil
	}
	f.describe(w.Header())
	if encoding != "" {
		w.Header().Set("Content-Encoding", encoding)
	}
	w.Header().Set("Content-Type", f.contentType)
	w.WriteHeader(status)
	if err := apigw.WriteWhole(w, f.body); err != nil {
		return fmt.Errorf("write the file: %w", err)
	}
	return nil
}

// describe sets the headers that do not depend on whether the body is sent.
func (f file) describe(header http.Header) {
	for name, value := range f.header {
		header.Set(name, value)
	}
	header.Set("Cache-Control", f.cache)
	header.Set("ETag", f.etag())
}

func (f file) etag() string { return `"` + f.tag + `"` }

// isKnown responds with 304 if the caller has the file, and reports whether it did.
func (f file) isKnown(w http.ResponseWriter, r *http.Request) bool {
	if !has(r.Header.Values("If-None-Match"), f.etag()) {
		return false
	}
	f.describe(w.Header())
	w.WriteHeader(http.StatusNotModified)
	return true
}

// takesGzip reports whether the caller accepts gzip, by name or by *, with a weight above zero.
func takesGzip(header http.Header) bool {
	takes := false
	for _, part := range strings.Split(strings.Join(header.Values("Accept-Encoding"), ","), ",") {
		name, weight, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(part, " ", "")), ";")
		refused := strings.Trim(strings.TrimPrefix(weight, "q="), "0.") == "" && weight != ""
		switch name {
		case "gzip":
			return !refused
		case "*":
			takes = !refused
		}
	}
	return takes
}

// has reports whether the values of If-None-Match contain the tag. The comparison is weak (RFC
// 9110, section 13.1.2), because a proxy that compresses may have marked the tag as weak.
func has(values []string, etag string) bool {
	for _, tag := range strings.Split(strings.Join(values, ","), ",") {
		tag = strings.TrimPrefix(strings.TrimSpace(tag), "W/")
		if tag == etag || tag == "*" {
			return true
		}
	}
	return false
}
