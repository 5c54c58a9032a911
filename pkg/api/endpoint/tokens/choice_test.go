package tokens_test

import (
	"context"
	"fmt"
	"math/big"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/figures"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/testkit/docstest"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

func (s *service) Search(_ context.Context, beginning string, page, limit int64) ([]token.Record, int64, error) {
	s.asked, s.page = "q "+beginning, [2]int64{page, limit}
	return []token.Record{record()}, 41, nil
}

func (s *service) Ranked(_ context.Context, by figures.Rank, page, limit int64) ([]token.Record, int64, error) {
	s.asked, s.page = "sort "+string(by), [2]int64{page, limit}
	return nil, 0, nil
}

func (s *service) OfTokens(context.Context, ...solana.PublicKey) (map[solana.PublicKey]figures.Public, error) {
	return s.public, nil
}

func (s *service) Stats(context.Context) (figures.Stats, error) { return s.stats, nil }

// A list is filtered by a name's prefix, by a rank or by a creator; invalid combinations are
// reported by field.
func TestListAcceptsOneFilter(t *testing.T) {
	own := mint.String()
	for query, want := range map[string]struct {
		asked  string
		fields string
	}{
		"q=Tid":                        {"q Tid", ""},
		"q=" + url.QueryEscape("🌊 x"):  {"q 🌊 x", ""},
		"q=&sort=":                     {"", ""},
		"sort=volume":                  {"sort volume", ""},
		"sort=paid&limit=20&page=2":    {"sort paid", ""},
		"sort=Paid":                    {"", "sort invalid_format"},
		"sort=newest&page=0":           {"", "page out_of_range, sort invalid_format"},
		"q=%20%E2%80%8B":               {"", "q invalid_format"},
		"q=%ff":                        {"", "q invalid_format"},
		"q=" + strings.Repeat("a", 32): {"q " + strings.Repeat("a", 32), ""},
		"q=" + strings.Repeat("a", 33): {"", "q out_of_range"},
		"q=a&sort=paid":                {"", "sort invalid_format"},
		"q=a&creator=" + own:           {"", "creator invalid_format"},
		"sort=paid&creator=" + own:     {"", "creator invalid_format"},
		"q=a&sort=x&creator=" + own:    {"", "sort invalid_format, creator invalid_format"},
	} {
		s := &service{}
		status, answer := call(t, s, http.MethodGet, "/tokens?"+query, "")
		var fields []string
		if errs, bad := answer["errors"].([]any); bad {
			for _, e := range errs {
				fields = append(fields, fmt.Sprintf("%s %s", e.(map[string]any)["field"], e.(map[string]any)["code"]))
			}
		}
		if got := strings.Join(fields, ", "); got != want.fields || s.asked != want.asked || (status == http.StatusOK) != (want.fields == "") {
			t.Errorf("%s: %d %q, requested %q; want %q and %q", query, status, got, s.asked, want.fields, want.asked)
		}
	}
	s := &service{}
	if _, answer := call(t, s, http.MethodGet, "/tokens?q=t&limit=20&page=3", ""); s.page != [2]int64{3, 20} || answer["pagination"].(map[string]any)["hasNext"] != false {
		t.Errorf("requested %v, response %v", s.page, answer["pagination"])
	}
}

// Sums longer than 64 bits are complete; before the first refresh the list is empty.
func TestStats(t *testing.T) {
	s := &service{}
	status, answer := call(t, s, http.MethodGet, "/stats", "")
	if status != http.StatusOK || encode(t, answer["assets"]) != "[]" || answer["runs"] != 0.0 || answer["asOf"] == "0001-01-01T00:00:00.000Z" {
		t.Errorf("before the first refresh: %d %v", status, answer)
	}
	paid := new(big.Int).Lsh(big.NewInt(1), 70)
	s.stats = figures.Stats{At: noon, Tokens: 2, Runs: 4, Totals: []figures.Total{
		{
			Asset: terms.SOL, Decimals: 9, Paid: paid, Runs: 3, Hours: []figures.Hour{{At: noon.Truncate(time.Hour), Paid: paid, Runs: 2}},
			Proofs: []figures.Proof{{Run: "0b8d3f6e-2b61-5b7e-9d0c-5a7c1e9f4d22", Mint: mint, At: noon, Manifest: cid, Anchor: anchorCID, Paid: 7}},
		},
		{Asset: terms.Asset(mint), Decimals: 6, Paid: big.NewInt(5), Runs: 1},
	}}
	w := ask(t, s, http.MethodGet, "/stats", "")
	text := w.Body.String()
	if err := docstest.Check("getStats", w.Code, w.Header(), w.Body.Bytes()); err != nil || w.Header().Get("Cache-Control") != "public, max-age=60" {
		t.Errorf("GET stats: %v, header %v; want a minute's cache", err, w.Header())
	}
	for _, want := range []string{
		`"asOf":"2026-11-21T12:00:00.005Z","tokens":2,"runs":4`, `"asset":"SOL","decimals":9,"paid":"1180591620717411303424","runs":3`,
		`"lastDay":{"since":"2026-11-20T13:00:00.000Z","paid":"1180591620717411303424","runs":2}`, `"mintAddress":"` + mint.String() + `","paid":"7"`,
		`"proof":{"cid":"` + cid + `"`, `"url":"https://ipfs.example/ipfs/` + cid + `"`, `"anchor":{"transaction":{"cid":"` + anchorCID + `"`,
		`"url":"https://ipfs.example/ipfs/` + anchorCID + `"`, `"asset":"` + mint.String() + `"`, `"paid":"0","runs":0},"proofs":[]`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s has no %s", text, want)
		}
	}
}

// A token and a list have the token's figures, with zeros before the first run.
func TestTokensHaveFigures(t *testing.T) {
	for _, target := range []string{"/tokens/" + mint.String(), "/tokens?q=t"} {
		for text, public := range map[string]map[solana.PublicKey]figures.Public{
			`"figures":{"payouts":0,"lastPayoutAt":null,"paid":[],"holders":null,"tradedLamports":"0"}`: nil,
			`"figures":{"payouts":3,"lastPayoutAt":"2026-11-21T12:00:00.005Z",` +
				`"paid":[{"asset":"SOL","decimals":9,"paid":"1180591620717411303424","runs":3,"lastDay":{"since":`: {mint: figured},
			`"holders":{"asOf":"2026-11-21T12:00:00.005Z","chainSlot":9,"owners":412,"supply":"1000","topTen":"300","creator":"20","locked":"50"},"tradedLamports":"77"}`: {mint: figured},
		} {
			s := &service{public: public}
			w := ask(t, s, http.MethodGet, target, "")
			if !strings.Contains(w.Body.String(), text) {
				t.Errorf("%s: %s, want %s", target, w.Body, text)
			}
		}
	}
}

var figured = figures.Public{
	Token: figures.Token{
		Runs: 3, LastAt: noon, HoldersAt: noon,
		Paid:    []figures.Total{{Asset: terms.SOL, Decimals: 9, Paid: new(big.Int).Lsh(big.NewInt(1), 70), Runs: 3}},
		Holders: &run.HolderFigures{ChainSlot: 9, Supply: 1000, Owners: 412, TopTen: 300, Creator: 20, Locked: new(uint64(50))},
	},
	Volume: 77,
}

const (
	cid       = "bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku"
	anchorCID = "bafkreig3l4tyxu6yftxzjk6vyyzgmyhrxpaoqmslqzuhlqaqvzfxmg3lme"
)
