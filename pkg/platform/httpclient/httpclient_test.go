package httpclient_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/platform/httpclient"
)

const limit = 1 << 10

func serve(t *testing.T, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server
}

// get returns the status, the body and the first error of the two.
func get(t *testing.T, client *http.Client, address string) (int, []byte, error) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := client.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	return response.StatusCode, content, err
}

// A redirect comes back as it is and is not followed.
func TestRedirectsAreNotFollowed(t *testing.T) {
	var calls atomic.Int32
	other := serve(t, func(http.ResponseWriter, *http.Request) { calls.Add(1) })
	for _, to := range []string{other.URL, "http://169.254.169.254/latest/meta-data/", "/again"} {
		server := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/again" {
				calls.Add(1)
			}
			http.Redirect(w, r, to, http.StatusTemporaryRedirect)
		})
		status, _, err := get(t, httpclient.New(httpclient.Limits{Answer: limit}), server.URL)
		if err != nil || status != http.StatusTemporaryRedirect {
			t.Errorf("redirect to %s: status %d, %v", to, status, err)
		}
	}
	if calls.Load() != 0 {
		t.Errorf("%d redirects were followed", calls.Load())
	}
}

// A following client follows only to the same host, unless the other host is public.
func TestFollowingStaysOutside(t *testing.T) {
	client := httpclient.NewFollowing(httpclient.Limits{Answer: limit, Timeout: 5 * time.Second})
	var calls atomic.Int32
	other := serve(t, func(http.ResponseWriter, *http.Request) { calls.Add(1) })
	to := ""
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/end":
			_, _ = io.WriteString(w, "end")
		default:
			http.Redirect(w, r, to, http.StatusFound)
		}
	})
	for _, bad := range []string{
		other.URL, strings.Replace(other.URL, "127.0.0.1", "localhost", 1), "http://169.254.169.254/", "https://[::ffff:169.254.169.254]/",
		"https://10.0.0.1/", "https://kubo.internal/", "file:///etc/passwd", "/round",
	} {
		to = bad
		if _, _, err := get(t, client, server.URL+"/start"); err == nil {
			t.Errorf("it followed to %s", bad)
		}
	}
	if calls.Load() != 0 {
		t.Error("the other server was called")
	}
	to = "/end"
	if _, content, err := get(t, client, server.URL+"/start"); err != nil || string(content) != "end" {
		t.Errorf("to the same host: %q, %v", content, err)
	}
	secure := &http.Request{URL: mustParse(t, "https://public.example/a")}
	plain := &http.Request{URL: mustParse(t, "http://public.example/a")}
	elsewhere := &http.Request{URL: mustParse(t, "https://cid.public.example/a")}
	if err := client.CheckRedirect(elsewhere, []*http.Request{secure}); err != nil {
		t.Errorf("to another public host: %v", err)
	}
	if err := client.CheckRedirect(plain, []*http.Request{secure}); err == nil {
		t.Error("it followed from https to http")
	}
}

func mustParse(t *testing.T, address string) *url.URL {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// A client for URLs of others connects to no private address, whatever the host's form allows.
func TestPublicClientConnectsToNoPrivateAddress(t *testing.T) {
	var calls atomic.Int32
	server := serve(t, func(http.ResponseWriter, *http.Request) { calls.Add(1) })
	limits := httpclient.Limits{Answer: limit, Timeout: 5 * time.Second, Public: true}
	for _, client := range []*http.Client{httpclient.New(limits), httpclient.NewFollowing(limits)} {
		for _, host := range []string{"127.0.0.1", "localhost", "[::ffff:127.0.0.1]"} {
			address := strings.Replace(server.URL, "127.0.0.1", host, 1)
			if _, _, err := get(t, client, address); !errors.Is(err, httpclient.ErrRefused) {
				t.Errorf("%s: %v, want ErrRefused", address, err)
			}
		}
	}
	if calls.Load() > 0 {
		t.Errorf("%d requests reached the private address", calls.Load())
	}
}

// A public name that resolves to an internal address is not connected to, whatever the name server
// returned before: the check applies to the connection's own address.
func TestDialRejectsPrivateNames(t *testing.T) {
	var calls atomic.Int32
	server := serve(t, func(http.ResponseWriter, *http.Request) { calls.Add(1) })
	_, port, err := net.SplitHostPort(server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	for _, to := range []string{"127.0.0.1", "10.0.0.1", "169.254.169.254", "0.0.0.0"} {
		client := httpclient.NewResolving(httpclient.Limits{Answer: limit, Timeout: 5 * time.Second}, resolver(t, netip.MustParseAddr(to)))
		_, _, err := get(t, client, "http://rpc.example:"+port+"/")
		if !errors.Is(err, httpclient.ErrRefused) || !strings.Contains(err.Error(), to) {
			t.Errorf("rpc.example at %s: %v", to, err)
		}
	}
	if calls.Load() != 0 {
		t.Fatal("the server was called by a public name")
	}
	// The name server works: a name that may lead there does.
	client := httpclient.NewResolving(httpclient.Limits{Answer: limit, Timeout: 5 * time.Second}, resolver(t, netip.MustParseAddr("127.0.0.1")))
	if status, _, err := get(t, client, "http://node.localhost:"+port+"/"); err != nil || status != http.StatusOK || calls.Load() != 1 {
		t.Errorf("node.localhost: status %d, %v", status, err)
	}
}

// resolver asks a name server that answers each question with the address.
func resolver(t *testing.T, answer netip.Addr) *net.Resolver {
	t.Helper()
	conn, err := (&net.ListenConfig{}).ListenPacket(t.Context(), "udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	go func() {
		question := make([]byte, 512)
		for {
			n, from, err := conn.ReadFrom(question)
			if err != nil {
				return
			}
			_, _ = conn.WriteTo(respond(question[:n], answer), from)
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", conn.LocalAddr().String())
	}}
}

// respond responds to the one question of a message (RFC 1035), with a type of A.
func respond(question []byte, answer netip.Addr) []byte {
	const header = 12
	end := header
	for question[end] != 0 {
		end += 1 + int(question[end])
	}
	kind := binary.BigEndian.Uint16(question[end+1:])
	end += 5
	message := append([]byte{question[0], question[1], 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}, question[header:end]...)
	if kind == 1 {
		message[7] = 1
		message = append(message, 0xc0, header, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4)
		message = append(message, answer.AsSlice()...)
	}
	return message
}

// proxied counts the calls of the proxy that the environment names, which the standard
// library reads once.
var proxied atomic.Int32

func TestMain(m *testing.M) {
	proxy := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { proxied.Add(1) }))
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY"} {
		if err := os.Setenv(name, proxy.URL); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

// A proxy of the environment is not used.
func TestNoProxy(t *testing.T) {
	client := httpclient.NewResolving(httpclient.Limits{Answer: limit, Timeout: 5 * time.Second}, resolver(t, netip.MustParseAddr("10.0.0.1")))
	if _, _, err := get(t, client, "http://rpc.example/"); !errors.Is(err, httpclient.ErrRefused) || proxied.Load() != 0 {
		t.Errorf("%v, %d calls of the proxy", err, proxied.Load())
	}
}

func TestLongAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		body []byte
		gzip bool
		ok   bool
	}{
		"as long as allowed":           {body: bytes.Repeat([]byte("x"), limit), ok: true},
		"a byte longer":                {body: bytes.Repeat([]byte("x"), limit+1)},
		"compressed, as allowed":       {body: bytes.Repeat([]byte("x"), limit), gzip: true, ok: true},
		"compressed, a byte longer":    {body: bytes.Repeat([]byte("x"), limit+1), gzip: true},
		"a bomb: 64 MiB in 64 KiB":     {body: make([]byte, 64<<20), gzip: true},
		"nothing":                      {ok: true},
		"without saying how long":      {body: bytes.Repeat([]byte("x"), 1<<20)},
		"a little, in pieces, allowed": {body: []byte("abc"), ok: true},
	} {
		packed := c.body
		if c.gzip {
			var out bytes.Buffer
			w := gzip.NewWriter(&out)
			_, _ = w.Write(c.body)
			_ = w.Close()
			packed = out.Bytes()
		}
		server := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			if c.gzip {
				w.Header().Set("Content-Encoding", "gzip")
			}
			w.(http.Flusher).Flush() // so that no length is said
			_, _ = w.Write(packed)
		})
		_, got, err := get(t, httpclient.New(httpclient.Limits{Answer: limit, Timeout: 10 * time.Second}), server.URL)
		if c.ok && (err != nil || !bytes.Equal(got, c.body)) {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
		if !c.ok && (!errors.Is(err, httpclient.ErrTooLong) || len(got) > limit) {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
	}
}

// A response that announces too many bytes is not read at all.
func TestReadRejectsAnnouncedLength(t *testing.T) {
	server := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", fmt.Sprint(limit+1))
		_, _ = w.Write(make([]byte, limit+1))
	})
	_, got, err := get(t, httpclient.New(httpclient.Limits{Answer: limit}), server.URL)
	if !errors.Is(err, httpclient.ErrTooLong) || len(got) != 0 {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

func TestLongHeaders(t *testing.T) {
	server := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Long", strings.Repeat("x", 80<<10))
	})
	if _, _, err := get(t, httpclient.New(httpclient.Limits{Answer: limit}), server.URL); err == nil {
		t.Error("headers of 80 KiB were read")
	}
}

// A body that trickles ends with the client's time.
func TestSlowAnswers(t *testing.T) {
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte("a"))
		w.(http.Flusher).Flush()
		<-r.Context().Done() // when the client has gone
	})
	_, _, err := get(t, httpclient.New(httpclient.Limits{Answer: limit, Timeout: 50 * time.Millisecond}), server.URL)
	var timeout net.Error
	if !errors.As(err, &timeout) || !timeout.Timeout() {
		t.Errorf("Do() = %v, want a timeout", err)
	}
}

// TLS below 1.2 is rejected, as is a certificate that no known authority signed.
func TestTLS(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	server.TLS = &tls.Config{MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11}
	server.Config.ErrorLog = quiet()
	server.StartTLS()
	t.Cleanup(server.Close)
	if _, _, err := get(t, httpclient.New(httpclient.Limits{Answer: limit}), server.URL); err == nil || !strings.Contains(err.Error(), "protocol version") {
		t.Errorf("TLS 1.1: %v", err)
	}
	modern := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	modern.Config.ErrorLog = quiet()
	modern.StartTLS()
	t.Cleanup(modern.Close)
	var unknown *tls.CertificateVerificationError
	if _, _, err := get(t, httpclient.New(httpclient.Limits{Answer: limit}), modern.URL); !errors.As(err, &unknown) {
		t.Errorf("a self-signed certificate: %v", err)
	}
}

func quiet() *log.Logger { return log.New(io.Discard, "", 0) }
