package ipfs_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/platform/secret"
	"tokenlaunch.example/service/pkg/provider/ipfs"
)

// The names were computed by boxo v0.39.0's importer: raw leaves, 256 KiB
// chunks, version 1.
func TestCID(t *testing.T) {
	for _, c := range []struct {
		content []byte
		want    string
	}{
		{nil, "bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku"},
		{[]byte("hello world"), "bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e"},
		{bytes.Repeat([]byte{0xa5}, 262143), "bafkreicxbl2i2hdonqxgyfcus2h5u2fkwud3psrd5qio4atal7nzajlbkm"},
		{bytes.Repeat([]byte{0xa5}, 262144), "bafkreifzxblbjegtceb2e6b53s7wp76lnkqcwgvhdkmabkwwcwxledemku"},
	} {
		got, err := ipfs.CID(c.content)
		if err != nil || got != c.want {
			t.Errorf("%d bytes: %s (%v), want %s", len(c.content), got, err, c.want)
		}
	}
	if got, err := ipfs.CID(make([]byte, 262145)); err == nil {
		t.Errorf("more than one chunk: %s", got)
	}
}

const (
	content = "hello world"
	name    = "bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e"
	token   = "eyJhbGciOiJIUzI1NiJ9.secret.signature"
)

// pinner is the type of both adapters.
type pinner = ipfs.Pinner

// adapters makes both, pointed at a server.
func adapters(t *testing.T, url string) map[string]pinner {
	t.Helper()
	kubo, err := ipfs.NewKubo(strings.Replace(url, "http://", "http://user:"+token+"@", 1) + "/base/")
	if err != nil {
		t.Fatal(err)
	}
	pinata, err := ipfs.NewPinata(url, secret.Fixed(token))
	if err != nil {
		t.Fatal(err)
	}
	return map[string]pinner{"kubo": kubo, "pinata": pinata}
}

// answers returns a service that responds to every call with handler.
func answers(t *testing.T, handler http.HandlerFunc) map[string]pinner {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return adapters(t, server.URL)
}

func TestPinRequests(t *testing.T) {
	var got string
	pinners := answers(t, func(w http.ResponseWriter, r *http.Request) {
		file, header, err := r.FormFile("file")
		if err != nil {
			t.Error(err)
			return
		}
		sent, err := io.ReadAll(file)
		if err != nil {
			t.Error(err)
		}
		got = fmt.Sprintf("%s %s file=%s:%s options=%s metadata=%s auth=%s", r.Method, r.RequestURI, header.Filename, sent,
			r.FormValue("pinataOptions"), r.FormValue("pinataMetadata"), strings.ReplaceAll(r.Header.Get("Authorization"), token, "TOKEN"))
		_, _ = io.WriteString(w, `{"Name":"x","Hash":"`+name+`","IpfsHash":"`+name+`","PinSize":11}`+"\n")
	})
	for service, want := range map[string]string{
		"kubo": "POST /base/api/v0/add?chunker=size-262144&cid-base=base32&cid-version=1&hash=sha2-256&pin=true&raw-leaves=true&wrap-with-directory=false" +
			" file=" + name + ":" + content + " options= metadata= auth=Basic dXNlcjpleUpoYkdjaU9pSklVekkxTmlKOS5zZWNyZXQuc2lnbmF0dXJl",
		"pinata": "POST /pinning/pinFileToIPFS file=" + name + ":" + content +
			` options={"cidVersion":1,"wrapWithDirectory":false} metadata={"name":"` + name + `"} auth=Bearer TOKEN`,
	} {
		if err := pinners[service].Pin(t.Context(), name, []byte(content)); err != nil {
			t.Errorf("Pin(), %s: %v", service, err)
		}
		if got != want {
			t.Errorf("%s was sent\n%s\nwant\n%s", service, got, want)
		}
	}
}

// TestUnpin tests that unpinning a missing pin succeeds, only with the exact error text of each
// service. The token is never shown.
func TestUnpin(t *testing.T) {
	var got string
	status, body := 200, ""
	pinners := answers(t, func(w http.ResponseWriter, r *http.Request) {
		got = r.Method + " " + r.RequestURI
		if r.Header.Get("Authorization") == "" {
			got += " without a token"
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body+r.Header.Get("Authorization"))
	})
	const (
		kubo   = `{"Message":"not pinned or pinned indirectly","Code":0,"Type":"error"}`
		pinata = `{"error":{"reason":"CURRENT_USER_HAS_NOT_PINNED_CID"}}`
	)
	for service, sent := range map[string]string{
		"kubo": "POST /base/api/v0/pin/rm?arg=" + name, "pinata": "DELETE /pinning/unpin/" + name,
	} {
		for _, c := range []struct {
			status int
			body   string
			ok     bool
		}{
			{200, "OK", true},
			{500, kubo, service == "kubo"},
			{400, pinata, service == "pinata"},
			{500, "busy", false},
			{401, "", false},
			{429, "", false},
		} {
			status, body = c.status, c.body
			err := pinners[service].Unpin(t.Context(), name)
			if (err == nil) != c.ok || got != sent {
				t.Errorf("%s, %d %s: sent %s, %v", service, c.status, c.body, got, err)
			}
			if err != nil && (strings.Contains(err.Error(), token) || !strings.Contains(err.Error(), name)) {
				t.Errorf("Unpin(), %s: %v, want an error that names the CID, without the token", service, err)
			}
		}
	}
}

func TestAnswers(t *testing.T) {
	const other = "bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku"
	both := func(cid string) string { return `{"Hash":"` + cid + `","IpfsHash":"` + cid + `"}` }
	for title, c := range map[string]struct {
		status   int
		body     string
		ok       bool
		mismatch bool
		says     string
	}{
		"our name":                  {200, both(name), true, false, ""},
		"our name in another base":  {200, both("f01551220b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9"), false, true, name},
		"another name":              {200, both(other), false, true, other},
		"our hash as a CIDv0":       {200, both("QmaozNR7DZHQK1ZcU9p7QdrshMvXqWK6gpu5rmrkPdT3L4"), false, true, name},
		"no name":                   {200, `{}`, false, true, `""`},
		"not JSON":                  {200, `<html>`, false, false, "read the answer"},
		"empty":                     {200, ``, false, false, "read the answer"},
		"endless":                   {200, strings.Repeat(" ", 1<<20) + both(name), false, false, "read the answer"},
		"refused":                   {500, `{"Message":"no space left","Code":0}`, false, false, "no space left"},
		"rejected, with our secret": {401, "bad token " + token, false, false, "401"},
		"redirected":                {302, both(name), false, false, "302"},
		"created":                   {201, both(name), false, false, "201"},
	} {
		pinners := answers(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "/elsewhere")
			w.WriteHeader(c.status)
			_, _ = io.WriteString(w, c.body)
		})
		for service, p := range pinners {
			err := p.Pin(t.Context(), name, []byte(content))
			if (err == nil) != c.ok {
				t.Errorf("Pin(), %s, %s: %v, want success %t", title, service, err, c.ok)
				continue
			}
			if err == nil {
				continue
			}
			if mismatch, ok := errors.AsType[*ipfs.MismatchError](err); ok != c.mismatch || ok && mismatch.Want != name {
				t.Errorf("Pin(), %s, %s: %v, want a mismatch %t", title, service, err, c.mismatch)
			}
			if !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), token) {
				t.Errorf("Pin(), %s, %s: %v, want %q without the token", title, service, err, c.says)
			}
		}
	}
}

// Kubo answers one line for each file and, above it, what it has done so far.
func TestLastLineCounts(t *testing.T) {
	pinners := answers(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"Name":"x","Bytes":11}`+"\n"+`{"Name":"x","Hash":"`+name+`"}`+"\n")
	})
	if err := pinners["kubo"].Pin(t.Context(), name, []byte(content)); err != nil {
		t.Error(err)
	}
}

func TestNoNodeAnswers(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	for service, p := range adapters(t, server.URL) {
		if err := p.Pin(t.Context(), name, []byte(content)); err == nil || strings.Contains(err.Error(), token) || strings.Contains(err.Error(), "user") {
			t.Errorf("Pin(), %s: %v, want an error without the credentials", service, err)
		}
	}
}

func TestPinEndsWithContext(t *testing.T) {
	stop := make(chan struct{})
	pinners := answers(t, func(http.ResponseWriter, *http.Request) { <-stop })
	t.Cleanup(func() { close(stop) }) // before the server's own, which waits for its calls
	for service, p := range pinners {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		if err := p.Pin(ctx, name, []byte(content)); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Pin(), %s: %v, want DeadlineExceeded", service, err)
		}
	}
}

func TestBadSettings(t *testing.T) {
	for _, address := range []string{"", "127.0.0.1:5001", "ftp://host", "http://", "http://user:" + token + "@ho st"} {
		if _, err := ipfs.NewKubo(address); err == nil || strings.Contains(err.Error(), token) {
			t.Errorf("Kubo at %q: %v", address, err)
		}
		if _, err := ipfs.NewPinata(address, secret.Fixed(token)); err == nil || strings.Contains(err.Error(), token) {
			t.Errorf("Pinata at %q: %v", address, err)
		}
	}
	for _, bad := range []string{"", " ", "two words", token + "\nX: y"} {
		if err := ipfs.CheckToken(bad); err == nil || strings.Contains(err.Error(), token) {
			t.Errorf("Pinata with %q: %v", bad, err)
		}
		pinata, err := ipfs.NewPinata("http://127.0.0.1:1", secret.Fixed(bad))
		if err != nil {
			t.Fatal(err)
		}
		if err := pinata.Pin(t.Context(), "cid", nil); err == nil || strings.Contains(err.Error(), token) || !strings.Contains(err.Error(), "token") {
			t.Errorf("Pinata with %q: %v", bad, err)
		}
	}
	pinata, err := ipfs.NewPinata(ipfs.PinataAPI, secret.Fixed(token))
	if shown := fmt.Sprintf("%v %+v %s", pinata, pinata, pinata); err != nil || strings.Contains(shown, token) {
		t.Errorf("Pinata prints as %s (%v), want no token", shown, err)
	}
}

func TestServicesNeedAnAddressOrAToken(t *testing.T) {
	for _, address := range []string{"", "nonsense"} {
		if _, err := ipfs.NewKubo(address); err == nil {
			t.Errorf("NewKubo(%q) returns no error", address)
		}
	}
	if _, err := ipfs.NewPinata(ipfs.PinataAPI, nil); err == nil {
		t.Error("NewPinata without a token returns no error")
	}
}

// TestPinUsesRotatedToken tests that a pin uses the source's present token, and that nothing is
// sent without a token.
func TestPinUsesRotatedToken(t *testing.T) {
	var sent []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent = append(sent, r.Header.Get("Authorization"))
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = w.Write([]byte("unknown " + r.Header.Get("Authorization")))
	}))
	t.Cleanup(server.Close)
	now, failure := "first-token", error(nil)
	pinata, err := ipfs.NewPinata(server.URL, func(context.Context) (string, error) { return now, failure })
	if err != nil {
		t.Fatal(err)
	}
	for _, now = range []string{"first-token", "second-token"} {
		if err := pinata.Pin(t.Context(), "cid", nil); err == nil || strings.Contains(err.Error(), now) {
			t.Errorf("Pin() = %v, want an error without the token", err)
		}
	}
	failure = errors.New("away")
	if err := pinata.Pin(t.Context(), "cid", nil); !errors.Is(err, failure) {
		t.Errorf("Pin() = %v, want the error of the source", err)
	}
	if want := []string{"Bearer first-token", "Bearer second-token"}; !slices.Equal(sent, want) {
		t.Errorf("sent %v, want %v", sent, want)
	}
}
