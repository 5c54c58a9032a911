package docs_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/api/apigw/contract"
	"tokenlaunch.example/service/pkg/api/endpoint/docs"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/testkit/docstest"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
	"tokenlaunch.example/service/pkg/web/page"
)

// newSite is a small page, for the real one is there only once it is built.
func newSite(t *testing.T) *page.Site {
	t.Helper()
	s, err := page.Open(os.DirFS("../../../web/page/testdata/dist"), page.Config{
		Network: "localnet", APIURL: "https://launch.example", FilesURL: "https://files.example",
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// tokens are records by their mints; one of nil cannot be read.
type tokens map[string]*token.Record

func (t tokens) Token(_ context.Context, mint solana.PublicKey) (token.Record, error) {
	switch record, known := t[mint.String()]; {
	case !known:
		return token.Record{}, token.ErrNotFound
	case record == nil:
		return token.Record{}, errors.New("the table does not answer")
	default:
		return *record, nil
	}
}

// Mints of the tests' tokens.
const (
	shownMint  = "93mCveArZRPXZqVkPmHBnNrmP27tyed2H5geuJkskxsp"
	hiddenMint = "8sLhuH3TKG1tao2fvqFrd2agZMkELDAoawpjvF5LaEtx"
	failedMint = "GDexGJ8RDpv1V5dzkwAPffsif1DADaFmNUmJDFF4mpsj"
	brokenMint = "BtM3wbRDTBVn4GzLby4TgwNb4e1Kmr5zP9nEz89CtXKL"
	otherMint  = "So11111111111111111111111111111111111111112"
)

func shownToken(change func(*token.Record)) *token.Record {
	r := token.Record{
		Mint: solana.MustPublicKeyFromBase58(shownMint), Name: "Paper Crane", Symbol: "CRANE", ImageCID: "crane",
		Status: token.Confirmed, Visible: true, TransferFeeBps: 500,
		Settings: terms.Settings{RewardToken: "SOL", Enabled: true, Interval: terms.EveryHour},
	}
	if change != nil {
		change(&r)
	}
	return &r
}

func withTokens(c *docs.Config) {
	c.Figures = counted{}
	c.Tokens = tokens{
		shownMint:  shownToken(nil),
		hiddenMint: shownToken(func(r *token.Record) { r.Visible = false }),
		failedMint: shownToken(func(r *token.Record) { r.Status = token.Failed }),
		brokenMint: nil,
	}
}

func TestPagesOfTheSite(t *testing.T) {
	h := start(t, withTokens)
	for path, test := range map[string]struct {
		operation   string
		status      int
		title       string
		cache       string
		quotaIsLeft string
	}{
		"/":                {"getHomePage", 200, page.Home.Title, "no-cache", "100"},
		"/launch":          {"getLaunchPage", 200, page.Launch.Title, "no-cache", "100"},
		"/mine":            {"getCreatorPage", 200, page.Mine.Title, "no-cache", "100"},
		"/rewards":         {"getRewardsPage", 200, page.Rewards.Title, "no-cache", "100"},
		"/about":           {"getAboutPage", 200, page.About.Title, "no-cache", "100"},
		"/c/" + shownMint:  {"getWalletPage", 200, page.Creator.Title, "no-cache", "100"},
		"/t/" + shownMint:  {"getTokenPage", 200, "Paper Crane (CRANE)", "public, max-age=0, s-maxage=60", "600"},
		"/t/" + hiddenMint: {"getTokenPage", 404, page.NoToken.Title, "no-cache", ""},
		"/t/" + failedMint: {"getTokenPage", 404, page.NoToken.Title, "no-cache", ""},
		"/t/" + otherMint:  {"getTokenPage", 404, page.NoToken.Title, "no-cache", ""},
		"/t/nonsense":      {"getTokenPage", 404, page.NoToken.Title, "no-cache", ""},
		"/t/" + brokenMint: {"getTokenPage", 503, page.LaterToken.Title, "no-store", ""},
	} {
		w := get(t, h, path)
		if w.Code != test.status || !strings.Contains(w.Body.String(), "<title>"+test.title+"</title>") {
			t.Errorf("GET %s = %d %s, want %d and title %q", path, w.Code, w.Body, test.status, test.title)
		}
		if err := docstest.Check(test.operation, w.Code, w.Header(), w.Body.Bytes()); err != nil {
			t.Errorf("GET %s: response does not match the document: %v", path, err)
		}
		for name, want := range map[string]string{
			"Content-Type": "text/html; charset=utf-8", "Cache-Control": test.cache,
			"Content-Security-Policy": newSite(t).Policy(), "Referrer-Policy": "strict-origin-when-cross-origin",
			"Cross-Origin-Opener-Policy": "same-origin-allow-popups", "X-Content-Type-Options": "nosniff",
			"Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
		} {
			if got := w.Header().Get(name); got != want {
				t.Errorf("%s: %s is %q, want %q", path, name, got, want)
			}
		}
		if left := w.Header().Get("X-RateLimit-Remaining"); test.quotaIsLeft != "" && left != test.quotaIsLeft {
			t.Errorf("%s: %s requests are left", path, left)
		}
		if again := get(t, h, path, "If-None-Match", w.Header().Get("ETag")); test.status == 200 && (again.Code != 304 || again.Body.Len() > 0) {
			t.Errorf("%s again: %d", path, again.Code)
		}
	}
}

// TestTokenPageHasRecord tests that the HTML contains the response of GET /tokens/{mintAddress}, so
// the page's script needs no call. No cache stores a token that changes within seconds.
func TestTokenPageHasRecord(t *testing.T) {
	record := shownToken(func(r *token.Record) { r.Name, r.Description = "</script>", "a < b & c" })
	h := start(t, func(c *docs.Config) {
		withTokens(c)
		c.FilesURL = "https://files.example"
		c.Tokens = tokens{shownMint: record, otherMint: shownToken(func(r *token.Record) { r.Status = token.Submitted })}
	})
	block := regexp.MustCompile(`(?s)<script type="application/json" id="record">(.*?)</script>`)
	found := block.FindStringSubmatch(get(t, h, "/t/"+shownMint).Body.String())
	written := contract.NewToken(*record, "https://files.example")
	written.WithFigures(record.Mint, nil, time.Now())
	want, err := json.Marshal(written)
	if err != nil {
		t.Fatal(err)
	}
	if found == nil || found[1] != string(want) || strings.ContainsAny(found[1], "<>&") {
		t.Errorf("record %s, want %s", found, want)
	}
	if w := get(t, h, "/t/"+otherMint); w.Code != http.StatusOK || w.Header().Get("Cache-Control") != "no-cache" {
		t.Errorf("a token that is not confirmed: %d, Cache-Control %q", w.Code, w.Header().Get("Cache-Control"))
	}
	if w := get(t, h, "/t/"+hiddenMint); block.MatchString(w.Body.String()) {
		t.Errorf("the page of no token has a record: %s", w.Body)
	}
}

// TestSharedRoutesSayPublic tests that exactly the responses of routes marked as shared are public,
// so that the edge caches them.
func TestSharedRoutesSayPublic(t *testing.T) {
	h := start(t, func(c *docs.Config) {
		withTokens(c)
		c.Status, c.Pictures = record{}, pictures{}
	})
	for _, r := range route.OfFunction(route.FunctionDocs) {
		path := strings.NewReplacer("{mintAddress}", shownMint, "{file}", "main-AAAAAAAA.js").Replace(r.Path)
		w := get(t, h, path)
		_, want := r.Shared()
		if got := strings.HasPrefix(w.Header().Get("Cache-Control"), "public, "); got != want || w.Code != http.StatusOK {
			t.Errorf("GET %s: %d, Cache-Control %q; shared: %v", path, w.Code, w.Header().Get("Cache-Control"), want)
		}
	}
}

func TestFilesOfTheSite(t *testing.T) {
	h := start(t, nil)
	for name, cache := range map[string]string{
		"main-AAAAAAAA.js": "public, max-age=31536000, immutable", "main-CCCCCCCC.css": "public, max-age=31536000, immutable",
		"favicon.svg": "public, max-age=3600",
	} {
		w := get(t, h, "/assets/"+name)
		want, err := os.ReadFile("../../../web/page/testdata/dist/assets/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if w.Code != http.StatusOK || !bytes.Equal(w.Body.Bytes(), want) || w.Header().Get("Cache-Control") != cache || w.Header().Get("Vary") != "Accept-Encoding" {
			t.Errorf("GET /assets/%s = %d %v, want 200, the file and Cache-Control %s", name, w.Code, w.Header(), cache)
		}
		if err := docstest.Check("getAsset", w.Code, w.Header(), w.Body.Bytes()); err != nil {
			t.Error(err)
		}
		if left := w.Header().Get("X-RateLimit-Remaining"); left != "100" {
			t.Errorf("%s: %s requests are left", name, left)
		}
	}
	for _, name := range []string{"other.js", "..%2fmanifest.json", "manifest.json", "MAIN-AAAAAAAA.JS", "main-AAAAAAAA.js%00"} {
		w := get(t, h, "/assets/"+name)
		if w.Code != http.StatusNotFound || w.Header().Get("Content-Type") != "application/problem+json" || w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("GET /assets/%s = %d %v, want 404 problem+json with no-store", name, w.Code, w.Header())
		}
		if err := docstest.Check("getAsset", w.Code, w.Header(), w.Body.Bytes()); err != nil {
			t.Error(err)
		}
	}
}

func TestLongResponsesAreCompressed(t *testing.T) {
	h := start(t, nil)
	for _, path := range []string{"/assets/main-AAAAAAAA.js", "/openapi.json", "/docs", "/"} {
		plain := get(t, h, path)
		for accepts, zipped := range map[string]bool{
			"": false, "identity": false, "br": false, "gzip;q=0": false, "gzip; q=0.000": false, "*;q=0": false,
			"gzip": true, "GZIP": true, "br, gzip;q=0.8": true, "deflate, *": true, "gzip;q=0.01": true, "*, gzip;q=0": false,
		} {
			w := get(t, h, path, "Accept-Encoding", accepts)
			body := w.Body.Bytes()
			if (w.Header().Get("Content-Encoding") == "gzip") != zipped || w.Header().Get("Vary") != "Accept-Encoding" {
				t.Errorf("%s for %q: %v", path, accepts, w.Header())
				continue
			}
			if (w.Header().Get("ETag") != plain.Header().Get("ETag")) != zipped {
				t.Errorf("%s for %q has the tag %s, and is %s plain", path, accepts, w.Header().Get("ETag"), plain.Header().Get("ETag"))
			}
			if zipped {
				body = unzip(t, body)
			}
			if !bytes.Equal(body, plain.Body.Bytes()) {
				t.Errorf("%s for %q: %d bytes, want %d", path, accepts, len(body), plain.Body.Len())
			}
			if again := get(t, h, path, "Accept-Encoding", accepts, "If-None-Match", w.Header().Get("ETag")); again.Code != 304 || again.Header().Get("Content-Encoding") != "" {
				t.Errorf("%s for %q again: %d %v", path, accepts, again.Code, again.Header())
			}
		}
	}
	// Compressing makes short files longer.
	if w := get(t, h, "/assets/main-CCCCCCCC.css", "Accept-Encoding", "gzip"); w.Header().Get("Content-Encoding") != "" {
		t.Errorf("a short file is compressed: %v", w.Header())
	}
}

func unzip(t *testing.T, body []byte) []byte {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return plain
}

// pictures are those of the bucket by their keys.
type pictures map[string][]byte

func (p pictures) Get(_ context.Context, key string) ([]byte, error) {
	if content, ok := p[key]; ok {
		return content, nil
	}
	return nil, errors.New("the bucket does not answer")
}

func TestCards(t *testing.T) {
	files := pictures{}
	h := start(t, func(c *docs.Config) {
		withTokens(c)
		c.Pictures = files
	})
	path := "/t/" + shownMint + "/card.png"
	bare := get(t, h, path)
	if bare.Code != http.StatusOK || bare.Header().Get("Cache-Control") != "public, max-age=60" {
		t.Errorf("without its picture: %d %v", bare.Code, bare.Header())
	}
	square := image.NewGray(image.Rect(0, 0, 512, 512))
	var file bytes.Buffer
	if err := jpeg.Encode(&file, square, nil); err != nil {
		t.Fatal(err)
	}
	files["images/crane.jpg"] = file.Bytes()
	w := get(t, h, path, "If-None-Match", bare.Header().Get("ETag"))
	if err := docstest.Check("getTokenCard", w.Code, w.Header(), w.Body.Bytes()); err != nil {
		t.Error(err)
	}
	if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "image/png" || w.Header().Get("Cache-Control") != "public, max-age=3600" {
		t.Errorf("GET card.png = %d %v, want 200 image/png for an hour", w.Code, w.Header())
	}
	if shape, err := png.DecodeConfig(w.Body); err != nil || shape.Width != 1200 || shape.Height != 630 {
		t.Errorf("card.png is %+v, %v; want 1200 by 630", shape, err)
	}
	again := get(t, h, path, "If-None-Match", w.Header().Get("ETag"))
	if again.Code != http.StatusNotModified || again.Body.Len() != 0 || again.Header().Get("ETag") != w.Header().Get("ETag") {
		t.Errorf("again: %d %v", again.Code, again.Header())
	}
	for mint, status := range map[string]int{hiddenMint: 404, failedMint: 404, otherMint: 404, "nonsense": 404, brokenMint: 500} {
		w := get(t, h, "/t/"+mint+"/card.png")
		if w.Code != status || w.Header().Get("Content-Type") != "application/problem+json" {
			t.Errorf("GET card of %s = %d %v, want %d problem+json", mint, w.Code, w.Header(), status)
		}
		if err := docstest.Check("getTokenCard", w.Code, w.Header(), w.Body.Bytes()); err != nil {
			t.Error(err)
		}
	}
}

// TestHomeHasACard tests that a link to the home page has a preview image, as a token's link does.
func TestHomeHasACard(t *testing.T) {
	h := start(t, withTokens)
	home := get(t, h, "/").Body.String()
	if !strings.Contains(home, `property="og:image"`) || !strings.Contains(home, "/assets/"+page.HomeCard) {
		t.Error("the home page names no preview picture")
	}
	w := get(t, h, "/assets/"+page.HomeCard)
	if w.Code != 200 || w.Header().Get("Content-Type") != "image/png" || w.Header().Get("Content-Encoding") != "" {
		t.Errorf("GET home card = %d %v, want 200 image/png without encoding", w.Code, w.Header())
	}
	if err := docstest.Check("getAsset", w.Code, w.Header(), w.Body.Bytes()); err != nil {
		t.Error(err)
	}
}

// TestCardWithoutFigures tests that a preview without readable figures lacks the sum, and is cached
// for only a minute.
func TestCardWithoutFigures(t *testing.T) {
	h := start(t, func(c *docs.Config) {
		withTokens(c)
		c.Figures = counted{shownMint: {Runs: 13}}
		var file bytes.Buffer
		if err := jpeg.Encode(&file, image.NewGray(image.Rect(0, 0, 512, 512)), nil); err != nil {
			t.Fatal(err)
		}
		c.Pictures = pictures{"images/crane.jpg": file.Bytes()}
	})
	if w := get(t, h, "/t/"+shownMint); w.Code != http.StatusOK || w.Header().Get("Cache-Control") != "no-cache" || strings.Contains(w.Body.String(), `"figures"`) {
		t.Errorf("the page: %d %v", w.Code, w.Header())
	}
	if w := get(t, h, "/t/"+shownMint+"/card.png"); w.Code != http.StatusOK || w.Header().Get("Cache-Control") != "public, max-age=60" {
		t.Errorf("GET card.png without figures = %d %v, want 200 for a minute", w.Code, w.Header())
	}
}
