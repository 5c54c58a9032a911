package runworld

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
)

// transport makes calls.
type transport func(*http.Request) (*http.Response, error)

// RoundTrip makes the call.
func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// instant is a network that finalizes what it confirms. The local chain has no
// forks, and its finalized state is only 31 slots behind; a test that waits for
// them at every step would do little else.
func instant(next http.RoundTripper) transport {
	return func(r *http.Request) (*http.Response, error) {
		asked, err := io.ReadAll(r.Body)
		_ = r.Body.Close()
		if err != nil {
			return nil, err
		}
		asked = bytes.ReplaceAll(asked, []byte(`"commitment":"finalized"`), []byte(`"commitment":"confirmed"`))
		r = r.Clone(r.Context())
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(asked)), int64(len(asked))
		response, err := next.RoundTrip(r)
		if err != nil {
			return nil, err
		}
		answer, err := io.ReadAll(response.Body)
		_ = response.Body.Close()
		if err != nil {
			return nil, err
		}
		answer = bytes.ReplaceAll(answer, []byte(`"confirmationStatus":"confirmed"`), []byte(`"confirmationStatus":"finalized"`))
		answer = bytes.ReplaceAll(answer, []byte(`"confirmationStatus":"processed"`), []byte(`"confirmationStatus":"finalized"`))
		response.Body, response.ContentLength = io.NopCloser(bytes.NewReader(answer)), int64(len(answer))
		response.Header.Set("Content-Length", strconv.Itoa(len(answer)))
		return response, nil
	}
}
