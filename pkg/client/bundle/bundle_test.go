package bundle_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/client/bundle"
	"tokenlaunch.example/service/pkg/platform/httpclient"
	"tokenlaunch.example/service/pkg/token/content"
)

const cid = "bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku"

// A public API cannot have its reader call an address of the reader's network: by an address, by a
// name that leads there, or in another spelling. A local API can: its files are next to it.
func TestPublicAPINamesNoPrivateAddress(t *testing.T) {
	var calls atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		_, _ = w.Write([]byte("file"))
	}))
	t.Cleanup(server.Close)
	local := server.URL + "/proofs/" + cid + ".tx"
	byName := strings.Replace(local, "127.0.0.1", "localhost", 1)
	for _, address := range []string{
		local, byName,
		strings.Replace(local, "127.0.0.1", "[::ffff:127.0.0.1]", 1), strings.Replace(local, "127.0.0.1", "2130706433", 1),
		strings.Replace(local, "127.0.0.1", "0x7f.1", 1), strings.Replace(local, "127.0.0.1", "0.0.0.0", 1),
		"http://169.254.169.254/latest/" + cid + ".tx", "http://[fd00:ec2::254]/" + cid + ".tx", "http://[fd12::1]/" + cid + ".tx",
		"http://10.0.0.1/" + cid + ".tx", "http://192.168.1.1/" + cid + ".tx", "http://kubo.internal/" + cid + ".tx",
	} {
		for _, api := range []string{"https://api.example", "https://93.184.215.14"} {
			if err := read(t, api, address); err == nil || errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("an API at %s had %s read", api, address)
			}
		}
	}
	if calls.Load() > 0 {
		t.Fatalf("%d requests reached the private address", calls.Load())
	}
	for _, api := range []string{server.URL, "http://localhost:8787", "http://api.internal"} {
		for _, address := range []string{local, byName} {
			if err := read(t, api, address); err != nil {
				t.Errorf("an API at %s: %v", api, err)
			}
		}
	}
	if err := read(t, "http://127.0.0.1", "http://169.254.169.254/"+cid+".tx"); !errors.Is(err, httpclient.ErrRefused) {
		t.Errorf("metadata of the cloud, named by a local API: %v", err)
	}
	if _, _, err := bundle.OpenNamed("", local); err == nil {
		t.Error("an API without an address named a file")
	}
}

func read(t *testing.T, api, address string) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	source, _, err := bundle.OpenNamed(api, address)
	if err == nil {
		_, err = source.File(ctx, content.ProofAnchor, cid)
	}
	return err
}

// The service has a directory for each kind of file, and an IPFS gateway has one for all.
func TestMetadataHasItsOwnDirectory(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write([]byte(r.URL.Path)) }))
	t.Cleanup(server.Close)
	for address, want := range map[string]string{
		"/proofs/" + cid + ".tx": "/metadata/" + cid + ".json",
		"/ipfs/" + cid:           "/ipfs/" + cid,
	} {
		source, _, err := bundle.OpenURL(server.URL + address)
		if err != nil {
			t.Fatal(err)
		}
		if body, err := source.File(t.Context(), content.Metadata, cid); err != nil || string(body) != want {
			t.Errorf("a file next to %s is read from %s, %v; want %s", address, body, err, want)
		}
	}
}
