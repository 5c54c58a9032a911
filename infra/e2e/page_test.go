package e2e_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"image/png"
	"io"
	"net/http"
	"path"
	"regexp"
	"strings"
	"testing"

	"tokenlaunch.example/service/infra/local/walkthrough"
)

var (
	namedFiles  = regexp.MustCompile(`(?:src|href)="(/assets/[^"]+)"`)
	pageConfig  = regexp.MustCompile(`(?s)<script type="application/json" id="config">(.*?)</script>`)
	previewCard = regexp.MustCompile(`<meta property="og:image" content="([^"]+)">`)
)

// head is a response without its body.
type head struct {
	Status     string
	StatusCode int
	Header     http.Header
}

// fetch makes a call as a browser does, which sets Accept-Encoding itself. Go's client would
// request gzip and unpack the response silently.
func fetch(t *testing.T, method, address string, header map[string]string) (head, []byte) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range header {
		request.Header.Set(name, value)
	}
	client := &http.Client{Transport: &http.Transport{DisableCompression: true}}
	defer client.CloseIdleConnections()
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return head{response.Status, response.StatusCode, response.Header}, body
}

// TestPageFilesAreServed requests every file that a page's HTML names. The gateway serves the files
// as they are, and equal ones if compressed.
func TestPageFilesAreServed(t *testing.T) {
	s := deployed(t)
	_, html := fetch(t, http.MethodGet, s.APIURL+"/launch", nil)
	named := namedFiles.FindAllStringSubmatch(string(html), -1)
	if len(named) < 4 { // icon, style, its script and the page's own
		t.Fatalf("%d files are named: %s", len(named), html)
	}
	for _, name := range named {
		plain, want := fetch(t, http.MethodGet, s.APIURL+name[1], nil)
		zipped, got := fetch(t, http.MethodGet, s.APIURL+name[1], map[string]string{"Accept-Encoding": "gzip, br"})
		if plain.StatusCode != http.StatusOK || plain.Header.Get("Content-Encoding") != "" || len(want) == 0 {
			t.Errorf("GET %s = %s %v, want 200, uncompressed", name[1], plain.Status, plain.Header)
		}
		if zipped.Header.Get("Content-Encoding") == "gzip" {
			r, err := gzip.NewReader(bytes.NewReader(got))
			if err != nil {
				t.Fatal(err)
			}
			if got, err = io.ReadAll(r); err != nil {
				t.Fatal(err)
			}
		} else if len(want) > 2000 && path.Ext(name[1]) != ".woff2" { // a font is compressed in itself
			t.Errorf("%s of %d bytes is not compressed", name[1], len(want))
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes compressed, %d plain", name[1], len(got), len(want))
		}
	}
}

// TestPageMayReadImagesAndChain tests that a browser reads images and calls the chain only as the
// policy and the servers allow.
func TestPageMayReadImagesAndChain(t *testing.T) {
	s := deployed(t)
	l := newLaunch(t, s)
	if err := l.Run(t.Context()); err != nil {
		t.Fatalf("%v\n%s", err, logOf(err))
	}
	shell, html := fetch(t, http.MethodGet, s.APIURL+"/t/"+l.Submitted.MintAddress.String(), nil)
	var config struct {
		RPCURL, FilesURL, ProofURL string
		Burner                     bool
	}
	found := pageConfig.FindSubmatch(html)
	if found == nil || json.Unmarshal(found[1], &config) != nil {
		t.Fatalf("no configuration: %s", html)
	}
	token := readToken(t, s.APIURL, l)
	if !config.Burner || config.RPCURL != s.Chain.RPCURL || !strings.HasPrefix(token.ImageURL, config.FilesURL+"/ipfs/") {
		t.Errorf("configuration %+v, picture at %s", config, token.ImageURL)
	}
	policy := shell.Header.Get("Content-Security-Policy")
	for _, address := range []string{config.RPCURL, config.FilesURL} {
		if !strings.Contains(policy, address) {
			t.Errorf("the policy %q does not allow %s", policy, address)
		}
	}
	origin := map[string]string{"Origin": s.APIURL}
	for _, address := range []string{token.ImageURL, strings.NewReplacer("{cid}", strings.TrimPrefix(token.ImageURI, "ipfs://"), "{extension}", ".csv").Replace(config.ProofURL)} {
		r, _ := fetch(t, http.MethodGet, address, origin)
		if allowed := r.Header.Get("Access-Control-Allow-Origin"); r.StatusCode != http.StatusOK || allowed != "*" && allowed != s.APIURL {
			t.Errorf("%s: %s, allowed origin %q", address, r.Status, allowed)
		}
	}
	origin["Access-Control-Request-Method"], origin["Access-Control-Request-Headers"] = http.MethodPost, "content-type"
	r, _ := fetch(t, http.MethodOptions, config.RPCURL, origin)
	if allowed := r.Header.Get("Access-Control-Allow-Origin"); r.StatusCode != http.StatusOK || allowed != "*" && allowed != s.APIURL {
		t.Errorf("the chain: %s %v", r.Status, r.Header)
	}
	checkCard(t, html)
}

// checkCard requests the preview image. A long cache duration shows that the token's own image is
// in it.
func checkCard(t *testing.T, html []byte) {
	t.Helper()
	named := previewCard.FindSubmatch(html)
	if named == nil {
		t.Fatalf("no picture for previews: %s", html)
	}
	r, content := fetch(t, http.MethodGet, string(named[1]), nil)
	if r.StatusCode != http.StatusOK || r.Header.Get("Cache-Control") != "public, max-age=3600" {
		t.Errorf("the card: %s %v", r.Status, r.Header)
	}
	if shape, err := png.DecodeConfig(bytes.NewReader(content)); err != nil || shape.Width != 1200 || shape.Height != 630 {
		t.Errorf("the card: %+v, %v", shape, err)
	}
}

func readToken(t *testing.T, api string, l *walkthrough.Launch) (token struct{ ImageURL, ImageURI string }) {
	t.Helper()
	a := call(t, http.MethodGet, api+"/tokens/"+l.Submitted.MintAddress.String(), "", nil)
	if err := json.Unmarshal([]byte(a.body), &token); err != nil {
		t.Fatal(err)
	}
	return token
}
