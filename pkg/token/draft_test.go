package token_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/token"
)

var creator = solana.MustPublicKeyFromBase58("Vote111111111111111111111111111111111111111")

func draft() token.Draft {
	d := token.DefaultDraft(creator)
	d.Name, d.Symbol = "Tidal", "TIDE"
	d.ImageURI = "ipfs://bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy"
	d.WalletID = "4b8f7d8e-6f0e-4a7c-9a51-0c53a1f0c1de"
	d.TransferFeeBps, d.Decimals, d.Supply = 500, 6, 1
	return d
}

func TestDraftBounds(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*token.Draft)
		field  string // empty: the draft is right
		code   string
	}{
		"as it is":                    {func(*token.Draft) {}, "", ""},
		"name of 32 emoji":            {func(d *token.Draft) { d.Name = strings.Repeat("🌊", 32) }, "", ""},
		"name of 33":                  {func(d *token.Draft) { d.Name = strings.Repeat("n", 33) }, "name", "out_of_range"},
		"no name":                     {func(d *token.Draft) { d.Name = "" }, "name", "required"},
		"name with a space before":    {func(d *token.Draft) { d.Name = " n" }, "name", "invalid_format"},
		"name with a line break":      {func(d *token.Draft) { d.Name = "a\nb" }, "name", "invalid_format"},
		"name that reorders":          {func(d *token.Draft) { d.Name = "a\u202eb" }, "name", "invalid_format"},
		"name with a family emoji":    {func(d *token.Draft) { d.Name = "👨‍👩‍👧" }, "", ""},
		"name that cannot be seen":    {func(d *token.Draft) { d.Name = "Ti\u200bdal" }, "name", "invalid_format"},
		"symbol that cannot be seen":  {func(d *token.Draft) { d.Symbol = "\u3164" }, "symbol", "invalid_format"},
		"symbol of 10":                {func(d *token.Draft) { d.Symbol = strings.Repeat("ß", 10) }, "", ""},
		"symbol of 11":                {func(d *token.Draft) { d.Symbol = strings.Repeat("s", 11) }, "symbol", "out_of_range"},
		"description with lines":      {func(d *token.Draft) { d.Description = "a\n\tb" }, "", ""},
		"description too long":        {func(d *token.Draft) { d.Description = strings.Repeat("d", 5001) }, "description", "out_of_range"},
		"description with a bell":     {func(d *token.Draft) { d.Description = "\a" }, "description", "invalid_format"},
		"image by https":              {func(d *token.Draft) { d.ImageURI = "https://a.example/x.jpg" }, "imageUri", "invalid_format"},
		"wallet id no UUID":           {func(d *token.Draft) { d.WalletID = "x" }, "walletId", "invalid_format"},
		"wallet id in braces":         {func(d *token.Draft) { d.WalletID = "{" + d.WalletID + "}" }, "walletId", "invalid_format"},
		"wallet id in capitals":       {func(d *token.Draft) { d.WalletID = strings.ToUpper(d.WalletID) }, "", ""},
		"tax 100":                     {func(d *token.Draft) { d.TransferFeeBps = 10_000 }, "", ""},
		"tax above 100":               {func(d *token.Draft) { d.TransferFeeBps = 10_001 }, "transferFeePercent", "invalid_percentage"},
		"7 decimals":                  {func(d *token.Draft) { d.Decimals = 7 }, "decimals", "out_of_range"},
		"no supply":                   {func(d *token.Draft) { d.Supply = 0 }, "supply", "out_of_range"},
		"burn and fee 100":            {func(d *token.Draft) { d.Settings.BurnBps, d.Settings.DeveloperFeeBps = 4_000, 6_000 }, "", ""},
		"burn and fee above 100":      {func(d *token.Draft) { d.Settings.BurnBps, d.Settings.DeveloperFeeBps = 4_001, 6_000 }, "developerFeePercent", "invalid_percentage"},
		"an interval of 7m":           {func(d *token.Draft) { d.Settings.Interval = "7m" }, "distributionInterval", "invalid_interval"},
		"less than 1 percent to sell": {func(d *token.Draft) { d.Settings.SellBps = 99 }, "percentageToSellPerDistribution", "invalid_percentage"},
		"no minimum holding":          {func(d *token.Draft) { d.Settings.MinimumHolding = 0 }, "", ""},
		"reward no address":           {func(d *token.Draft) { d.Settings.RewardToken = "sol" }, "rewardToken", "invalid_format"},
		"no developer":                {func(d *token.Draft) { d.Settings.DeveloperWallet = solana.PublicKey{} }, "developerWallet", "invalid_wallet_address"},
	} {
		t.Run(name, func(t *testing.T) {
			d := draft()
			c.change(&d)
			bad := d.Normalize().Validate()
			switch {
			case c.field == "" && len(bad) > 0:
				t.Errorf("rejected with %v, want it accepted", bad)
			case c.field != "" && (len(bad) != 1 || bad[0].Field != c.field || bad[0].Code.String() != c.code || bad[0].Message == ""):
				t.Errorf("got %v, want %s %s", bad, c.field, c.code)
			}
		})
	}
}

func TestEveryBadFieldIsNamed(t *testing.T) {
	bad := token.Draft{}.Normalize().Validate()
	if len(bad) < 9 {
		t.Errorf("an empty draft has %d bad fields: %v", len(bad), bad)
	}
}

func TestLinks(t *testing.T) {
	for _, c := range []struct {
		field, in, want string
		ok              bool
	}{
		{"twitter", "@name", "https://x.com/name", true},
		{"twitter", "x.com/name", "https://x.com/name", true},
		{"twitter", "twitter.com/name", "https://twitter.com/name", true},
		{"twitter", "http://x.com/name", "http://x.com/name", true},
		{"twitter", "name", "name", false},
		{"twitter", "x.com/", "https://x.com/", true},
		{"telegram", "t.me/+invite", "https://t.me/+invite", true},
		{"telegram", "@group", "https://t.me/group", true},
		{"telegram", "tg://resolve?domain=x", "tg://resolve?domain=x", false},
		{"website", "example.com/a?b=c", "https://example.com/a?b=c", true},
		{"website", "https://example.com", "https://example.com", true},
		{"website", "javascript:alert(1)", "javascript:alert(1)", false},
		{"website", "https://", "https://", false},
		{"website", "https://user:secret@example.com", "https://user:secret@example.com", false},
		{"website", "https://example.com/a b", "https://example.com/a b", false},
		{"website", "https://example.com/" + strings.Repeat("a", 512), "https://example.com/" + strings.Repeat("a", 512), false},
		{"website", "", "", true},
	} {
		t.Run(c.field+" "+c.in, func(t *testing.T) {
			d := draft()
			*link(&d, c.field) = c.in
			d = d.Normalize()
			got := *link(&d, c.field)
			if bad := d.Validate(); got != c.want || (len(bad) == 0) != c.ok {
				t.Errorf("became %q with %v, want %q, right: %v", got, bad, c.want, c.ok)
			}
		})
	}
}

// link returns the draft's link to the site with a name.
func link(d *token.Draft, name string) *string {
	for site, link := range d.EachLink() {
		if site.Name == name {
			return link
		}
	}
	panic("no site is called " + name)
}

func TestMetadataIsTheMetaplexFile(t *testing.T) {
	d := draft()
	d.Description, d.Website = `<b> & "quotes"`, "https://a.example"
	mint := solana.NewWallet().PublicKey()
	file, err := d.Metadata(mint)
	if err != nil {
		t.Fatal(err)
	}
	if other, err := d.Metadata(solana.NewWallet().PublicKey()); err != nil || bytes.Equal(other, file) {
		t.Errorf("two mints share a file, %v", err)
	}
	if again, err := d.Metadata(mint); err != nil || !bytes.Equal(again, file) {
		t.Errorf("the same mint gets another file, %v", err)
	}
	var got map[string]any
	if err := json.Unmarshal(file, &got); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{
		"name": d.Name, "symbol": d.Symbol, "description": d.Description, "image": "https://ipfs.io/ipfs/bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy",
		"external_url": d.Website, "website": d.Website,
	} {
		if got[key] != want {
			t.Errorf("%s is %v, want %q", key, got[key], want)
		}
	}
	// Wallets load the first file, and the content id of the second is the same at any gateway.
	files := got["properties"].(map[string]any)["files"].([]any)
	for n, want := range []any{got["image"], d.ImageURI} {
		if got := files[n].(map[string]any)["uri"]; got != want {
			t.Errorf("file %d is %v, want %v", n, got, want)
		}
	}
	if _, there := got["twitter"]; there {
		t.Error("an unset link is in the file")
	}
}
