package page_test

import (
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
	"tokenlaunch.example/service/pkg/web/page"
)

var config = page.Config{
	Network: "devnet", Stage: "dev", APIURL: "https://launch.example", RPCURL: "https://rpc.example/v1",
	FilesURL: "https://files.example", ProofURL: "https://files.example/proofs/{cid}{extension}", GatewayURL: "https://ipfs.example",
	Explorer: page.NewExplorer("devnet", "https://rpc.example/v1"), Version: "0.1.0",
}

func open(t *testing.T, c page.Config) *page.Site {
	t.Helper()
	s, err := page.Open(os.DirFS("testdata/dist"), c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func shell(t *testing.T, s *page.Site, v page.View) string {
	t.Helper()
	html, err := s.Shell(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(html)
}

func record() token.Record {
	mint := solana.MustPublicKeyFromBase58("93mCveArZRPXZqVkPmHBnNrmP27tyed2H5geuJkskxsp")
	return token.Record{
		Mint: mint, Name: "Paper Crane", Symbol: "CRANE", TransferFeeBps: 250, Visible: true, Status: token.Confirmed,
		Settings: terms.Settings{RewardToken: "SOL", Enabled: true, Interval: terms.EveryHour},
	}
}

func TestShellNamesConfiguration(t *testing.T) {
	html := shell(t, open(t, config), page.Token(record()))
	for _, want := range []string{
		"<!doctype html>\n<html lang=\"en\">",
		`<title>Paper Crane (CRANE)</title>`,
		`<meta name="description" content="2.5% tax on every transfer. Paid out in SOL every hour. No more can be minted.">`,
		`<link rel="canonical" href="https://launch.example/t/93mCveArZRPXZqVkPmHBnNrmP27tyed2H5geuJkskxsp">`,
		`<meta property="og:image" content="https://launch.example/t/93mCveArZRPXZqVkPmHBnNrmP27tyed2H5geuJkskxsp/card.png">`,
		`<meta name="twitter:card" content="summary_large_image">`,
		`<link rel="icon" type="image/svg+xml" href="/assets/favicon.svg">`,
		`<link rel="preload" as="font" type="font/woff2" crossorigin="" href="/assets/font-GGGGGGGG.woff2">`,
		`<meta property="og:site_name" content="Shareout">`, `{"name":"Shareout",`,
		`<link rel="stylesheet" href="/assets/main-CCCCCCCC.css">` + "\n" + `<link rel="stylesheet" href="/assets/token-FFFFFFFF.css">`,
		`<link rel="modulepreload" href="/assets/shared-BBBBBBBB.js">` + "\n" + `<link rel="modulepreload" href="/assets/token-EEEEEEEE.js">`,
		`<script type="module" src="/assets/main-AAAAAAAA.js"></script>`,
		"<div id=\"app\">\n<main>\n<h1>Paper Crane (CRANE)</h1>", `<noscript>`, `href="/docs"`,
	} {
		if !strings.Contains(html, want) {
			t.Errorf("the page has no %s", want)
		}
	}
	if t.Failed() {
		t.Log(html)
	}
	if n := strings.Count(html, "main-AAAAAAAA.js"); n != 1 {
		t.Errorf("the script is named %d times", n)
	}
	if other := shell(t, open(t, config), page.NoToken); strings.Contains(other, "og:image") || strings.Contains(other, "canonical") || !strings.Contains(other, "noindex") {
		t.Errorf("the page of no token: %s", other)
	}
}

// A page contains nothing for which its policy would need an exception.
func TestPageHasNothingInline(t *testing.T) {
	s := open(t, config)
	for _, v := range []page.View{page.Home, page.Launch, page.Mine, page.NoToken, page.LaterToken, page.Token(record()), {Record: "one"}} {
		html := shell(t, s, v)
		if strings.Contains(html, "<style") || regexp.MustCompile(`\s(style|on[a-z]+)=`).MatchString(html) || strings.Contains(html, "javascript:") {
			t.Errorf("page %q has inline styles or scripts: %s", v.Title, html)
		}
		for _, tag := range regexp.MustCompile(`<script[^>]*>`).FindAllString(html, -1) {
			if tag != `<script type="application/json" id="config">` && tag != `<script type="application/json" id="record">` && !strings.Contains(tag, ` src="/assets/`) {
				t.Errorf("%s has %s", v.Title, tag)
			}
		}
	}
	policy := s.Policy()
	for _, never := range []string{"unsafe", "*", "http:", "strict-dynamic", "nonce-"} {
		if strings.Contains(policy, never) {
			t.Errorf("the policy has %s: %s", never, policy)
		}
	}
	want := "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; worker-src 'self'; " +
		"img-src 'self' blob: data: https://files.example; connect-src 'self' https://files.example https://ipfs.example https://rpc.example; " +
		"form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
	if policy != want {
		t.Errorf("policy\n%s, want\n%s", policy, want)
	}
}

// TestRecordCannotEndItsElement tests names and descriptions, which third parties write.
func TestRecordCannotEndItsElement(t *testing.T) {
	evil := map[string]string{"name": "</script><script>alert(1)</script><!-- &amp; {{config}} \u2028"}
	html := shell(t, open(t, config), page.View{Title: "A token", Record: evil})
	found := regexp.MustCompile(`(?s)<script type="application/json" id="record">(.*?)</script>`).FindStringSubmatch(html)
	if found == nil || strings.ContainsAny(found[1], "<>&\u2028") || strings.Count(html, "<script") != 3 {
		t.Fatalf("record %q in\n%s", found, html)
	}
	var got map[string]string
	if err := json.Unmarshal([]byte(found[1]), &got); err != nil || !reflect.DeepEqual(got, evil) {
		t.Errorf("got %v, %v; want %v", got, err, evil)
	}
	if html := shell(t, open(t, config), page.Home); strings.Contains(html, `id="record"`) {
		t.Errorf("a page without a record has one: %s", html)
	}
}

var configBlock = regexp.MustCompile(`(?s)<script type="application/json" id="config">(.*?)</script>`)

func TestConfigurationIsRead(t *testing.T) {
	evil := config
	evil.Stage = `</script><script>alert(1)</script><!-- "\` + "\u2028"
	found := configBlock.FindStringSubmatch(shell(t, open(t, evil), page.Home))
	if found == nil || strings.ContainsAny(found[1], "<>&") {
		t.Fatalf("configuration %q", found)
	}
	var got page.Config
	if err := json.Unmarshal([]byte(found[1]), &got); err != nil {
		t.Fatal(err)
	}
	want := evil
	want.GatewayURL = ""
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	for _, name := range []string{"network", "stage", "apiUrl", "rpcUrl", "filesUrl", "proofUrl", "explorer", "burner", "version"} {
		if !strings.Contains(found[1], `"`+name+`":`) {
			t.Errorf("the configuration has no %s", name)
		}
	}
}

// A creator chooses their token's name.
func TestNameDoesNotBreakOut(t *testing.T) {
	s := open(t, config)
	plain := shell(t, s, page.Token(record()))
	tags := func(html string) []string {
		return regexp.MustCompile(`<[/a-zA-Z!][^<]*?[\s>]`).FindAllString(html, -1)
	}
	for _, name := range []string{
		`</title><script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `' onload='x`, `</script><script>alert(1)//`,
		`<!--`, `]]>`, `{{.Config}}`, `javascript:alert(1)`, "a\u202egnp.exe", "\u200bCRANE", "&lt;b&gt;",
	} {
		r := record()
		r.Name, r.Symbol = name, name
		r.Settings.RewardToken = r.Mint.String() // so the symbol is in the description, too
		html := shell(t, s, page.Token(r))
		if !slices.Equal(tags(html), tags(plain)) {
			t.Errorf("%q changes the page: %s", name, html)
		}
		if strings.ContainsAny(html, "\u202e\u200b") || strings.Contains(html, "<script>") {
			t.Errorf("%q is there as it is: %s", name, html)
		}
	}
}

func TestFacts(t *testing.T) {
	usdc, other := "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", "So11111111111111111111111111111111111111112"
	for _, test := range []struct {
		change func(*token.Record)
		want   string
	}{
		{func(*token.Record) {}, "2.5% tax on every transfer. Paid out in SOL every hour. No more can be minted."},
		{func(r *token.Record) { r.TransferFeeBps = 0 }, "No tax on transfers. Paid out in SOL every hour. No more can be minted."},
		{func(r *token.Record) { r.TransferFeeBps, r.FeeAdjustable = 1000, true }, "10% tax on every transfer, which its creator may change. Paid out in SOL every hour. No more can be minted."},
		{func(r *token.Record) { r.Settings.Enabled = false }, "2.5% tax on every transfer. Payouts are paused. No more can be minted."},
		{func(r *token.Record) { r.Settings.RewardToken, r.Settings.Interval = usdc, terms.Every5Minutes }, "2.5% tax on every transfer. Paid out in USDC every 5 minutes. No more can be minted."},
		{func(r *token.Record) {
			r.Settings.RewardToken, r.Settings.Interval = r.Mint.String(), terms.Every24Hours
		}, "2.5% tax on every transfer. Paid out in CRANE every 24 hours. No more can be minted."},
		{func(r *token.Record) { r.Settings.RewardToken = other }, "2.5% tax on every transfer. Paid out in So11…1112 every hour. No more can be minted."},
		{func(r *token.Record) { r.TransferFeeBps = 5 }, "0.05% tax on every transfer. Paid out in SOL every hour. No more can be minted."},
	} {
		r := record()
		test.change(&r)
		if got := strings.Join(page.Facts(r), " "); got != test.want {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
	}
}

func TestAssets(t *testing.T) {
	assets := open(t, config).Assets()
	for name, want := range map[string]struct {
		kind      string
		immutable bool
	}{
		"main-AAAAAAAA.js":    {"text/javascript; charset=utf-8", true},
		"main-CCCCCCCC.css":   {"text/css; charset=utf-8", true},
		"favicon.svg":         {"image/svg+xml", false},
		"licences.txt":        {"text/plain; charset=utf-8", false},
		"font-GGGGGGGG.woff2": {"font/woff2", true},
	} {
		if a := assets[name]; a.ContentType != want.kind || a.Immutable != want.immutable || len(a.Content) == 0 {
			t.Errorf("%s: %s, immutable %v, %d bytes", name, a.ContentType, a.Immutable, len(a.Content))
		}
	}
	if len(assets) != 9 {
		t.Errorf("%d files", len(assets))
	}
}

func TestExplorer(t *testing.T) {
	for network, want := range map[string]string{
		"mainnet":  "https://explorer.solana.com/tx/{}",
		"devnet":   "https://explorer.solana.com/tx/{}?cluster=devnet",
		"localnet": "https://explorer.solana.com/tx/{}?cluster=custom&customUrl=http%3A%2F%2F127.0.0.1%3A8899",
	} {
		if got := page.NewExplorer(network, "http://127.0.0.1:8899").Transaction; got != want {
			t.Errorf("%s: %s, want %s", network, got, want)
		}
	}
}

// An invalid configuration is reported before anything is served, and without the address.
func TestPrivateConfigurationIsRejected(t *testing.T) {
	for name, change := range map[string]func(*page.Config){
		"a password":           func(c *page.Config) { c.RPCURL = "https://secret:pass@rpc.example" },
		"a query":              func(c *page.Config) { c.RPCURL = "https://rpc.example/?api-key=secret" },
		"no address":           func(c *page.Config) { c.FilesURL = "files.secret" },
		"another policy":       func(c *page.Config) { c.FilesURL = "https://files.secret;script-src" },
		"any host":             func(c *page.Config) { c.FilesURL = "https://*.secret.example" },
		"wallets on a network": func(c *page.Config) { c.Burner = true },
		"markets on a network": func(c *page.Config) { c.Markets = []string{"secret"} },
	} {
		c := config
		change(&c)
		if _, err := page.Open(os.DirFS("testdata/dist"), c); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("Open(), %s: %v, want an error without the secret", name, err)
		}
	}
	local := config
	local.Network, local.Burner, local.Markets, local.RPCURL = "localnet", true, []string{"market"}, ""
	s := open(t, local)
	if strings.Contains(s.Policy(), "rpc.example") {
		t.Errorf("policy %s", s.Policy())
	}
	if html := shell(t, s, page.Home); !strings.Contains(html, `"markets":["market"]`) {
		t.Errorf("the page has no markets: %s", html)
	}
}

func TestIncompletePageIsRefused(t *testing.T) {
	whole := fstest.MapFS{}
	err := fs.WalkDir(os.DirFS("testdata/dist"), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile("testdata/dist/" + name)
		whole[name] = &fstest.MapFile{Data: content}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(fstest.MapFS){
		"no manifest":        func(f fstest.MapFS) { delete(f, "manifest.json") },
		"a broken manifest":  func(f fstest.MapFS) { f["manifest.json"] = &fstest.MapFile{Data: []byte("{")} },
		"no entry":           func(f fstest.MapFS) { f["manifest.json"] = &fstest.MapFile{Data: []byte("{}")} },
		"a file is missing":  func(f fstest.MapFS) { delete(f, "assets/home-DDDDDDDD.js") },
		"a style is missing": func(f fstest.MapFS) { delete(f, "assets/token-FFFFFFFF.css") },
		"no icon":            func(f fstest.MapFS) { delete(f, "assets/favicon.svg") },
		"an unknown kind":    func(f fstest.MapFS) { f["assets/run.exe"] = &fstest.MapFile{} },
	} {
		files := maps.Clone(whole)
		change(files)
		if _, err := page.Open(files, config); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// TestPageIsBuilt is about the page itself, which make page builds.
func TestPageIsBuilt(t *testing.T) {
	if _, err := os.Stat("dist/manifest.json"); err != nil {
		t.Skip("the page is not built: make page")
	}
	s, err := page.New(config)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []page.View{page.Home, page.Launch, page.Mine, page.Token(record())} {
		if html := shell(t, s, v); !strings.Contains(html, `<link rel="modulepreload"`) {
			t.Errorf("%s does not say early which script is its own", v.Path)
		}
	}
	licences := string(s.Assets()["licences.txt"].Content)
	for _, part := range []string{"## preact ", "## uplot ", "## @noble/curves ", "## openapi-fetch ", "SIL OPEN FONT LICENSE"} {
		if !strings.Contains(licences, part) {
			t.Errorf("licences.txt has no %s", part)
		}
	}
}
