package token_test

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gagliardetto/solana-go"
	"github.com/ipfs/go-cid"

	"tokenlaunch.example/service/pkg/token"
)

// FuzzDraft tests that normalizing twice equals normalizing once, and that a valid draft has short
// clean texts, web links and a well-formed content ID.
func FuzzDraft(f *testing.F) {
	f.Add("Tidal", "ipfs://bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy", "@tidal", "t.me/tidal", "tidal.example/x")
	f.Add("é\u202e", "ipfs://", "https://x.com/a b", "javascript:alert(1)", "http://user@host")
	f.Add("Tidal", "ipfs://bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zg", "", "", "")
	f.Add("\xff", "", "x.com/", "T.ME/x", "https://[::1]:1/?a#b")
	f.Fuzz(func(t *testing.T, name, image, twitter, telegram, website string) {
		d := token.DefaultDraft(solana.PublicKey{1})
		d.Name, d.ImageURI, d.Twitter, d.Telegram, d.Website = name, image, twitter, telegram, website
		d = d.Normalize()
		if again := d.Normalize(); again != d {
			t.Fatalf("normalised twice: %+v, once: %+v", again, d)
		}
		bad := map[string]bool{}
		for _, field := range d.Validate() {
			bad[field.Field] = true
		}
		if !bad["name"] {
			runes := utf8.RuneCountInString(name)
			encoded, err := json.Marshal(name)
			var back string
			if runes < 1 || runes > token.MaxNameLength || err != nil || json.Unmarshal(encoded, &back) != nil || back != name {
				t.Errorf("name %q", name)
			}
		}
		for site, link := range d.EachLink() {
			if *link == "" || bad[site.Name] {
				continue
			}
			u, err := url.Parse(*link)
			if err != nil || !slices.Contains([]string{"http", "https"}, u.Scheme) || u.Hostname() == "" || u.User != nil || strings.ContainsAny(*link, " \t\r\n\x00") {
				t.Errorf("link of %s = %q, want an http or https URL with a host", site.Name, *link)
			}
		}
		id, ok := d.ImageCID()
		if ok == bad["imageUri"] {
			t.Errorf("image %q: ImageCID and Validate disagree", image)
		}
		if parsed, err := cid.Decode(id); ok && err == nil && parsed.String() != id {
			t.Errorf("image %q is another spelling of %s", image, parsed)
		}
	})
}
