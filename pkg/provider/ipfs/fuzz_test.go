package ipfs_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/ipfs/go-cid"

	"tokenlaunch.example/service/pkg/provider/ipfs"
)

// FuzzCID compares the CID with go-cid's.
func FuzzCID(f *testing.F) {
	f.Add([]byte(content))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, file []byte) {
		got, err := ipfs.CID(file)
		if len(file) > ipfs.MaxBytes {
			if err == nil {
				t.Errorf("%d bytes are named %s", len(file), got)
			}
			return
		}
		want, wantErr := cid.V1Builder{Codec: cid.Raw, MhType: 0x12}.Sum(file) // SHA-256
		if err != nil || wantErr != nil || got != want.String() {
			t.Errorf("%s, %v; want %s, %v", got, err, want, wantErr)
		}
	})
}

// FuzzPinAnswers returns arbitrary responses of a pinning service: the content counts as pinned
// only if the response has our CID, and no error shows our token.
func FuzzPinAnswers(f *testing.F) {
	f.Add([]byte(`{"Name":"x","Hash":"` + name + `","IpfsHash":"` + name + `"}`))
	f.Add([]byte(`{"Hash":"QmaozNR7DZHQK1ZcU9p7QdrshMvXqWK6gpu5rmrkPdT3L4"}` + "\n" + `{"IpfsHash":"f01551220b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9"}`))
	f.Add([]byte(`{"Hash":"bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku","IpfsHash":"bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku"}`))
	f.Add([]byte(`{"Message":"no space left","Code":0}`))
	f.Add([]byte(`{"Hash":"b"}`))
	f.Add([]byte(`<html>` + token))
	f.Fuzz(func(t *testing.T, answer []byte) {
		pinners := answers(t, func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			_, _ = w.Write(answer)
		})
		for service, p := range pinners {
			err := p.Pin(t.Context(), name, []byte(content))
			if err == nil && !names(answer) {
				t.Errorf("%s: pinned, reports %q", service, answer)
			}
			if mismatch, ok := errors.AsType[*ipfs.MismatchError](err); ok && mismatch.Got == name {
				t.Errorf("%s: %q is our name", service, mismatch.Got)
			}
			if _, ok := errors.AsType[*ipfs.MismatchError](err); err != nil && !ok && strings.Contains(fmt.Sprint(err), token) {
				t.Errorf("Pin(), %s: %v, want an error without the token", service, err)
			}
		}
	})
}

// names reports whether our name is in the response between two quotation marks; escapes may hide
// it.
func names(answer []byte) bool {
	for _, text := range bytes.Split(answer, []byte{'"'}) {
		if string(text) == name {
			return true
		}
	}
	return bytes.Contains(answer, []byte{'\\'})
}
