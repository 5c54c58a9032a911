package strangers_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path"
	"strings"
	"sync"
	"testing"

	"github.com/mr-tron/base58"

	"tokenlaunch.example/service/pkg/testkit/must"
)

// The ways in which a neighbour responds. Its errors repeat the request, as a careless server does.
const (
	serves  = ""
	refuses = "refuses"  // with 500
	forbids = "forbids"  // with 403
	babbles = "babbles"  // 200, and no answer
	hangsUp = "hangs up" // no answer at all
)

// neighbour is a proxy in front of AWS, or of the providers.
type neighbour struct {
	*httptest.Server

	forward *httputil.ReverseProxy
	// lambda responds when a function is invoked, and ipfs the address of a node.
	lambda func(function string, payload []byte) ([]byte, error)
	ipfs   string
	// repeatsHeaders adds the request's headers to the error. AWS does not do this, and the headers
	// contain its own keys.
	repeatsHeaders bool

	mu     sync.Mutex
	mode   string
	spares string // what is served all the same: a part of the target's name
	asked  strings.Builder
	macs   []string // what KMS has given, in each form that could be printed
}

func newNeighbour(t *testing.T, target string) *neighbour {
	t.Helper()
	at, err := url.Parse(target)
	must.Do(t, err)
	n := &neighbour{forward: httputil.NewSingleHostReverseProxy(at)}
	n.forward.ModifyResponse = n.learn
	n.Server = httptest.NewServer(n)
	t.Cleanup(n.Close)
	return n
}

// set has it answer so from now on, except for what it spares.
func (n *neighbour) set(mode, spares string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.mode, n.spares = mode, spares
}

// ServeHTTP answers, or does not.
func (n *neighbour) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n.mu.Lock()
	mode, spares := n.mode, n.spares
	question, _ := httputil.DumpRequest(r, true)
	n.asked.Write(question)
	n.mu.Unlock()
	if spares != "" && strings.Contains(r.Header.Get("X-Amz-Target"), spares) {
		mode = serves
	}
	if mode == serves {
		n.serve(w, r)
		return
	}
	said := r.Method + " " + r.URL.String() + " "
	if head, body, _ := strings.Cut(string(question), "\r\n\r\n"); n.repeatsHeaders {
		said += head + body
	} else {
		said += body
	}
	text, _ := json.Marshal(map[string]any{
		"__type": "AccessDeniedException", "message": said, "Message": said, "error": map[string]any{"code": -32000, "message": said},
		"jsonrpc": "2.0", "id": 1, "ok": false, "description": said,
	})
	switch mode {
	case hangsUp:
		panic(http.ErrAbortHandler)
	case refuses:
		w.WriteHeader(http.StatusInternalServerError)
	case forbids:
		w.WriteHeader(http.StatusForbidden)
	}
	_, _ = w.Write(text)
}

func (n *neighbour) serve(w http.ResponseWriter, r *http.Request) {
	switch {
	case n.lambda != nil && strings.HasSuffix(r.URL.Path, "/invocations"):
		payload, err := io.ReadAll(r.Body)
		if err == nil {
			payload, err = n.lambda(path.Base(path.Dir(r.URL.Path)), payload)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		_, _ = w.Write(payload)
	case n.ipfs != "" && strings.HasPrefix(r.URL.Path, "/api/v0/"):
		at, _ := url.Parse(n.ipfs)
		httputil.NewSingleHostReverseProxy(at).ServeHTTP(w, r)
	default:
		n.forward.ServeHTTP(w, r)
	}
}

// learn keeps the MACs of KMS: wallets' and mints' keys are made of them.
func (n *neighbour) learn(r *http.Response) error {
	if !strings.HasSuffix(r.Request.Header.Get("X-Amz-Target"), ".GenerateMac") {
		return nil
	}
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	r.Body = io.NopCloser(bytes.NewReader(text))
	var answer struct{ Mac []byte }
	if err := json.Unmarshal(text, &answer); err != nil || len(answer.Mac) == 0 {
		return nil //nolint:nilerr // a refusal
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	seed := answer.Mac[:ed25519.SeedSize]
	for _, part := range [][]byte{answer.Mac, seed, ed25519.NewKeyFromSeed(seed)} {
		n.macs = append(n.macs, base64.RawStdEncoding.EncodeToString(part), base64.RawURLEncoding.EncodeToString(part), hex.EncodeToString(part), base58.Encode(part))
	}
	return nil
}

// received reports whether it was ever sent a text.
func (n *neighbour) received(text string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return strings.Contains(n.asked.String(), text)
}

// learnt returns what it has seen that is secret.
func (n *neighbour) learnt() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return append([]string(nil), n.macs...)
}
