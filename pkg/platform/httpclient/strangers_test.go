package httpclient_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/provider/ipfs"
	"tokenlaunch.example/service/pkg/provider/rest"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
)

// Third parties' strings, in the places that could become an address: in requests and in responses.
// Whatever they contain, the calls go to the configured server, below its path.
func TestStrangersWordsAreNoAddresses(t *testing.T) {
	var others atomic.Int32
	other := serve(t, func(http.ResponseWriter, *http.Request) { others.Add(1) })
	host := strings.TrimPrefix(other.URL, "http://")
	words := []string{
		other.URL, other.URL + "/x", "//" + host + "/x", "@" + host + "/x", "/../../@" + host, `\\` + host, "\r\nHost: " + host,
		"%2f%2f" + host, "?u=" + other.URL, "#" + other.URL, "file:///etc/passwd", "http://169.254.169.254/", "",
	}
	for _, word := range words {
		var calls, strayed atomic.Int32
		server := serve(t, func(w http.ResponseWriter, r *http.Request) {
			calls.Add(1)
			if !strings.HasPrefix(r.URL.Path, "/base/") || r.Host == host {
				strayed.Add(1)
			}
			header := w.Header()
			for _, name := range []string{"Location", "Link", "Refresh", "Alt-Svc", "Content-Location"} {
				header.Set(name, word)
			}
			header.Set("Retry-After", "0")
			switch r.Method {
			case http.MethodGet:
				w.WriteHeader(http.StatusPermanentRedirect)
			default:
				w.WriteHeader(http.StatusTooManyRequests)
			}
			_, _ = fmt.Fprintf(w, `{"Hash":%q,"IpfsHash":%q,"cursor":%q}`, word, word, word)
		})
		ask(t, server, word)
		if calls.Load() == 0 || strayed.Load() > 0 {
			t.Errorf("%q: %d calls, %d of them astray", word, calls.Load(), strayed.Load())
		}
	}
	if others.Load() > 0 {
		t.Errorf("the other server was called %d times", others.Load())
	}
}

// ask calls with each client. That all of them fail is the server's doing.
func ask(t *testing.T, server *httptest.Server, word string) {
	t.Helper()
	ctx, base := t.Context(), server.URL+"/base/"
	var answer any
	venue, err := rest.New("The venue", base, nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = venue.Get(ctx, "quote", url.Values{"mint": {word}, word: {word}}, &answer)
	_ = venue.Post(ctx, "order", map[string]string{"mint": word}, &answer)
	node, err := solanarpc.New(base)
	if err != nil {
		t.Fatal(err)
	}
	node.Pause = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	_, _ = node.Genesis(ctx)
	kubo, err := ipfs.NewKubo(base)
	if err != nil {
		t.Fatal(err)
	}
	_ = kubo.Pin(ctx, word, []byte(word))
}
