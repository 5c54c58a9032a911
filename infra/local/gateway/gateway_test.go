package gateway_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"tokenlaunch.example/service/infra/local/gateway"
)

func listen(t *testing.T, port int) *gateway.Proxy {
	t.Helper()
	p, err := gateway.Listen(t.Context(), port)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

func portOf(t *testing.T, p *gateway.Proxy) string {
	t.Helper()
	u, err := url.Parse(p.URL)
	if err != nil {
		t.Fatal(err)
	}
	return u.Port()
}

func do(t *testing.T, method, address string, body io.Reader) (int, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, address, body)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("X-Mine", "yes")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

// echo returns the request, as MiniStack would see it.
func echo(t *testing.T) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		_, _ = fmt.Fprintf(w, "%s %s host=%s mine=%s body=%d", r.Method, r.RequestURI, r.Host, r.Header.Get("X-Mine"), len(body))
	}))
	t.Cleanup(s.Close)
	return s
}

func TestRequestsReachTheStageAsTheyAre(t *testing.T) {
	behind := echo(t)
	p := listen(t, 0)
	p.Serve(behind.URL, "abc")
	at := strings.TrimPrefix(behind.URL, "http://")
	for path, want := range map[string]string{
		"/":                        "/$default/",
		"/tokens?page=2&limit=1":   "/$default/tokens?page=2&limit=1",
		"/tokens/a%2Fb":            "/$default/tokens/a%2Fb",
		"/tokens/%E2%82%AC":        "/$default/tokens/%E2%82%AC",
		"/x;y?semicolon=a;b&c=%3B": "/$default/x;y?semicolon=a;b&c=%3B",
		"/..%2f..%2f":              "/$default/..%2f..%2f",
		"/a//b":                    "/$default/a//b",
	} {
		status, got := do(t, http.MethodPut, p.URL+path, strings.NewReader("12345"))
		if want := "PUT " + want + " host=abc.execute-api." + at + " mine=yes body=5"; status != http.StatusOK || got != want {
			t.Errorf("%s responds\n%d %s, want\n200 %s", path, status, got, want)
		}
	}
}

func TestBothLoopbackAddressesAnswerAndNoOther(t *testing.T) {
	p := listen(t, 0)
	p.Serve(echo(t).URL, "abc")
	hosts := []string{"127.0.0.1"}
	if conn, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp6", "[::1]:0"); err == nil {
		_ = conn.Close()
		hosts = append(hosts, "::1")
	}
	for _, host := range hosts {
		if status, _ := do(t, http.MethodGet, "http://"+net.JoinHostPort(host, portOf(t, p)), nil); status != http.StatusOK {
			t.Errorf("%s answers %d", host, status)
		}
	}
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, address := range addresses {
		ip, ok := address.(*net.IPNet)
		if !ok || ip.IP.IsLoopback() || ip.IP.To4() == nil {
			continue
		}
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", net.JoinHostPort(ip.IP.String(), portOf(t, p)))
		if err == nil {
			_ = conn.Close()
			t.Errorf("%s answers too", ip.IP)
		}
	}
}

func TestTakenPortIsReportedInOneSentence(t *testing.T) {
	first := listen(t, 0)
	port, err := strconv.Atoi(portOf(t, first))
	if err != nil {
		t.Fatal(err)
	}
	second, err := gateway.Listen(context.Background(), port)
	if err == nil {
		second.Close()
		t.Fatal("the port was given twice")
	}
	want := fmt.Sprintf("port %d is taken: choose another, for example `make run PORT=%d`", port, port+1)
	if err.Error() != want {
		t.Errorf("error is %q, want %q", err, want)
	}
}

func TestBodyIsLimitedToTenMegabytes(t *testing.T) {
	const most = 10 << 20
	p := listen(t, 0)
	p.Serve(echo(t).URL, "abc")
	for name, body := range map[string]io.Reader{
		"announced": bytes.NewReader(make([]byte, most+1)),
		"streamed":  io.MultiReader(bytes.NewReader(make([]byte, most)), strings.NewReader("x")),
	} {
		status, text := do(t, http.MethodPost, p.URL, body)
		if status != http.StatusRequestEntityTooLarge || text != `{"message":"Request Entity Too Large"}` {
			t.Errorf("%s: answer is %d %s", name, status, text)
		}
	}
	if status, text := do(t, http.MethodPost, p.URL, bytes.NewReader(make([]byte, most))); status != http.StatusOK {
		t.Errorf("ten megabytes are answered %d %s", status, text)
	}
}

func TestNothingBehindIsAnAnswerToo(t *testing.T) {
	behind := echo(t)
	p := listen(t, 0)
	p.Serve(behind.URL, "abc")
	behind.Close()
	if status, text := do(t, http.MethodGet, p.URL, nil); status != http.StatusServiceUnavailable || text != `{"message":"Service Unavailable"}` {
		t.Errorf("answer is %d %s", status, text)
	}
}
