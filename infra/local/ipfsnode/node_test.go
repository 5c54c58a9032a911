package ipfsnode_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"mime/multipart"
	"net/http"
	"testing"

	"github.com/ipfs/go-cid"
	"github.com/multiformats/go-multihash"

	"tokenlaunch.example/service/infra/local/ipfsnode"
	"tokenlaunch.example/service/pkg/provider/ipfs"
)

const settings = "?chunker=size-262144&cid-base=base32&cid-version=1&hash=sha2-256&pin=true&raw-leaves=true&wrap-with-directory=false"

func start(t *testing.T) *ipfsnode.Node {
	t.Helper()
	n, err := ipfsnode.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Stop)
	return n
}

type added struct{ Name, Hash, Size, Message, Type string }

func post(t *testing.T, url string, content []byte) (int, added) {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", "a.bin")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := part.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := form.Close(); err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, &body)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", form.FormDataContentType())
	status, _, text := do(t, request)
	var a added
	if err := json.Unmarshal(text, &a); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return status, a
}

func get(ctx context.Context, t *testing.T, url string) (int, http.Header, []byte) {
	t.Helper()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	return do(t, request)
}

func do(t *testing.T, request *http.Request) (int, http.Header, []byte) {
	t.Helper()
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, response.Header, text
}

// content is the same bytes in every run.
func content(size int) []byte {
	source := rand.NewChaCha8([32]byte{byte(size), byte(size >> 8), byte(size >> 16)})
	b := make([]byte, size)
	_, _ = source.Read(b)
	return b
}

func TestWhatIsAddedIsServedUnderItsName(t *testing.T) {
	n := start(t)
	for _, size := range []int{0, 1, 1000, 262_143, 262_144} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			want := content(size)
			status, a := post(t, n.APIURL+"/api/v0/add"+settings, want)
			if status != http.StatusOK || a.Name != "a.bin" {
				t.Fatalf("add answers %d %+v", status, a)
			}
			checkName(t, a.Hash, want)
			if _, again := post(t, n.APIURL+"/api/v0/add"+settings, want); again != a {
				t.Errorf("the second add answers %+v, the first %+v", again, a)
			}
			status, header, got := get(t.Context(), t, n.GatewayURL+"/ipfs/"+a.Hash)
			if status != http.StatusOK || !bytes.Equal(got, want) {
				t.Errorf("the gateway answers %d and %d bytes, want %d bytes", status, len(got), size)
			}
			if origin := header.Get("Access-Control-Allow-Origin"); origin != "*" {
				t.Errorf("the gateway allows origin %q: a browser could not show the image", origin)
			}
		})
	}
}

// checkName compares the name of a content with the hash of the content.
func checkName(t *testing.T, name string, content []byte) {
	t.Helper()
	got, err := cid.Decode(name)
	if err != nil {
		t.Fatal(err)
	}
	sum, err := multihash.Sum(content, multihash.SHA2_256, -1)
	if err != nil {
		t.Fatal(err)
	}
	if want := cid.NewCidV1(cid.Raw, sum); !got.Equals(want) {
		t.Errorf("name is %s, want %s", got, want)
	}
}

func TestContentOfMoreThanOneBlockIsRefused(t *testing.T) {
	n := start(t)
	status, a := post(t, n.APIURL+"/api/v0/add"+settings, content(ipfs.MaxBytes+1))
	if status != http.StatusRequestEntityTooLarge || a.Type != "error" {
		t.Errorf("add answers %d %+v", status, a)
	}
}

// A name that can be looked up anywhere.
func TestKnownNameIsServed(t *testing.T) {
	n := start(t)
	_, a := post(t, n.APIURL+"/api/v0/add"+settings, []byte("hello world"))
	if want := "bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e"; a.Hash != want {
		t.Errorf("name is %s, want %s", a.Hash, want)
	}
}

// TestUnpinned: the service's own client takes off what it pinned, and may do it twice.
func TestUnpinned(t *testing.T) {
	n := start(t)
	kubo, err := ipfs.NewKubo(n.APIURL)
	if err != nil {
		t.Fatal(err)
	}
	body := []byte("hello world")
	name, err := ipfs.CID(body)
	if err != nil {
		t.Fatal(err)
	}
	if err := kubo.Pin(t.Context(), name, body); err != nil {
		t.Fatal(err)
	}
	if status, _, _ := get(t.Context(), t, n.GatewayURL+"/ipfs/"+name); status != http.StatusOK {
		t.Fatalf("pinned, the gateway answers %d", status)
	}
	for range 2 {
		if err := kubo.Unpin(t.Context(), name); err != nil {
			t.Fatal(err)
		}
		if status, _, _ := get(t.Context(), t, n.GatewayURL+"/ipfs/"+name); status != http.StatusNotFound {
			t.Errorf("unpinned, the gateway answers %d", status)
		}
	}
	if err := kubo.Unpin(t.Context(), "nonsense"); err == nil {
		t.Error("what is no content id is unpinned")
	}
}

func TestSettingsThatWouldGiveAnotherNameAreRefused(t *testing.T) {
	n := start(t)
	for _, query := range []string{"", "?cid-version=0", "?cid-version=1&raw-leaves=false", "?cid-version=1&inline=true"} {
		status, a := post(t, n.APIURL+"/api/v0/add"+query, []byte("x"))
		if status != http.StatusBadRequest || a.Type != "error" || a.Message == "" {
			t.Errorf("add%s answers %d %+v", query, status, a)
		}
	}
}

func TestWhatIsUnknownIsNotFound(t *testing.T) {
	n := start(t)
	status, _, _ := get(t.Context(), t, n.GatewayURL+"/ipfs/bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e")
	if status != http.StatusNotFound {
		t.Errorf("the gateway answers %d for content that it does not have, want 404", status)
	}
	if status, a := post(t, n.APIURL+"/api/v0/pin/ls", nil); status != http.StatusNotFound || a.Type != "error" {
		t.Errorf("an unknown call answers %d %+v", status, a)
	}
}
