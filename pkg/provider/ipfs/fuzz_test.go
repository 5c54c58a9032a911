package ipfs_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/ipfs/go-cid"

	"tokenlaunch.example/service/pkg/provider/ipfs"
)

// FuzzCID: the name is that of the specification, written here without the
// library: "b" for base32, version 1, raw codec, SHA-256, 32 bytes, the hash.
func FuzzCID(f *testing.F) {
	f.Add([]byte(content))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, file []byte) {
		hash := sha256.Sum256(file)
		raw := append([]byte{0x01, 0x55, 0x12, 0x20}, hash[:]...)
		want := "b" + strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(raw))
		got, err := ipfs.CID(file)
		if len(file) > ipfs.MaxBytes {
			if err == nil {
				t.Errorf("%d bytes are named %s", len(file), got)
			}
			return
		}
		if err != nil || got != want {
			t.Errorf("%s, %v; want %s", got, err, want)
		}
	})
}

// FuzzPinAnswers: whatever a pinning service answers, the content counts as
// pinned only when it named it as we do, and no error shows our token.
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
				t.Errorf("%s: pinned, says %q", service, answer)
			}
			if mismatch, ok := errors.AsType[*ipfs.MismatchError](err); ok && sameName(mismatch.Got) {
				t.Errorf("%s: %q is our name", service, mismatch.Got)
			}
			if _, ok := errors.AsType[*ipfs.MismatchError](err); err != nil && !ok && strings.Contains(fmt.Sprint(err), token) {
				t.Errorf("%s: %v", service, err)
			}
		}
	})
}

// names says whether our name, in some base, stands in the answer between two
// quotation marks; escapes may hide it.
func names(answer []byte) bool {
	for _, text := range bytes.Split(answer, []byte{'"'}) {
		if sameName(string(text)) {
			return true
		}
	}
	return bytes.Contains(answer, []byte{'\\'})
}

func sameName(text string) bool {
	ours, err := cid.Decode(name)
	theirs, theirErr := cid.Decode(text)
	return err == nil && theirErr == nil && theirs.Equals(ours)
}
