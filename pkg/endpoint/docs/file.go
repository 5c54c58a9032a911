package docs

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"

	"tokenlaunch.example/service/pkg/apigw"
)

// file is something that is served as it is.
type file struct {
	contentType string
	policy      string // Content-Security-Policy, none when empty
	body        []byte
	etag        string
}

func newFile(contentType, policy string, body []byte) file {
	sum := sha256.Sum256(body)
	return file{contentType, policy, body, `"` + base64.RawURLEncoding.EncodeToString(sum[:15]) + `"`}
}

// serve answers with a file, or with 304 to a caller who has it already.
func serve(get func() (file, error)) apigw.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) error {
		f, err := get()
		if err != nil {
			return err
		}
		header := w.Header()
		header.Set("ETag", f.etag)
		header.Set("Cache-Control", cacheFor)
		if f.policy != "" {
			header.Set("Content-Security-Policy", f.policy)
			header.Set("Referrer-Policy", "no-referrer")
		}
		if has(r.Header.Values("If-None-Match"), f.etag) {
			w.WriteHeader(http.StatusNotModified)
			return nil
		}
		header.Set("Content-Type", f.contentType)
		if _, err := w.Write(f.body); err != nil {
			return fmt.Errorf("write the file: %w", err)
		}
		return nil
	}
}

// has says whether the values of If-None-Match name the tag. The comparison is
// the weak one (RFC 9110, section 13.1.2): a proxy that compresses may have
// marked the tag as weak.
func has(values []string, etag string) bool {
	for _, tag := range strings.Split(strings.Join(values, ","), ",") {
		tag = strings.TrimPrefix(strings.TrimSpace(tag), "W/")
		if tag == etag || tag == "*" {
			return true
		}
	}
	return false
}
