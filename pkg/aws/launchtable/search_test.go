package launchtable_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token"
)

// named is a listed token with a name and a symbol.
func named(n int, name, symbol string) token.Record {
	r := listed(solana.PublicKey{1}, n)
	r.Name, r.Symbol, r.CreatedAt = name, symbol, time.UnixMilli(int64(n))
	return r
}

// symbols searches, and returns the symbols of the found tokens.
func symbols(t *testing.T, store launchtable.Tokens, beginning string, page, limit int64) (found []string, total int64) {
	t.Helper()
	records, total, err := store.Search(t.Context(), beginning, page, limit)
	must.Do(t, err)
	for _, r := range records {
		found = append(found, r.Symbol)
	}
	return found, total
}

// TestTokensAreFoundByHowTheirNamesBegin ignores case, width and spaces.
func TestTokensAreFoundByHowTheirNamesBegin(t *testing.T) {
	store := lists(t)
	for n, name := range []string{"Tidal wave/TIDE", "tide/T2", "Ｔｉｄｅ pool/T3", "🌊 Surf/SURF", "Éclair/E5", "e\u0301tude/E6", "Another/tida"} {
		name, symbol, _ := strings.Cut(name, "/")
		_, err := store.Append(t.Context(), named(n, name, symbol))
		must.Do(t, err)
	}
	for beginning, want := range map[string]string{
		"tid":        "tida TIDE T2 T3",
		"TIDE":       "TIDE T2 T3", // the symbol and the name stand before those that they begin
		"tidal w":    "TIDE",
		"TIDALWAVE":  "TIDE",
		"tide  POOL": "T3",
		"🌊":          "SURF",
		"\u200b🌊 s":  "SURF",
		"é":          "E5 E6",
		"wave":       "",
		"t":          "T2 T3 tida TIDE",
		"x":          "",
	} {
		found, total := symbols(t, store, beginning, 1, 100)
		if strings.Join(found, " ") != want || total != int64(len(found)) {
			t.Errorf("%q: %q of %d, want %q", beginning, found, total, want)
		}
	}
	if found, total := symbols(t, store, "tid", 2, 3); !slices.Equal(found, []string{"T3"}) || total != 4 {
		t.Errorf("the second page: %q of %d", found, total)
	}
	if found, total := symbols(t, store, "tid", 1<<53-1, 100); len(found) != 0 || total != 4 {
		t.Errorf("far behind: %q of %d", found, total)
	}
}

// TestCopiesOfANameComeAfterIt tests that neither many copies nor long names hide a token.
func TestCopiesOfANameComeAfterIt(t *testing.T) {
	store := lists(t)
	_, err := store.Append(t.Context(), named(1, "Wave", "REAL"))
	must.Do(t, err)
	for n := range 250 {
		_, err := store.Append(t.Context(), named(n+2, "wave", fmt.Sprintf("WAVE%d", n)))
		must.Do(t, err)
	}
	found, total := symbols(t, store, "wave", 1, 10)
	if total != 100 || len(found) != 10 || found[0] != "REAL" {
		t.Errorf("%q of %d", found, total)
	}
	// NFKC writes U+FDFA out in 18 characters.
	long := strings.Repeat("\ufdfa", 32)
	_, err = store.Append(t.Context(), named(400, long, "LONG"))
	must.Do(t, err)
	for _, beginning := range []string{long, "\ufdfa"} {
		if found, _ := symbols(t, store, beginning, 1, 10); !slices.Equal(found, []string{"LONG"}) {
			t.Errorf("%d times the long character: %q", len(beginning)/3, found)
		}
	}
}

// TestOnlyVisibleTokensAreFound tests that a token is found from its confirmation on, and not while
// it is hidden.
func TestOnlyVisibleTokensAreFound(t *testing.T) {
	b := openBooks(t)
	search := func(want ...string) {
		t.Helper()
		for _, beginning := range []string{"nä", "sym"} {
			if found, total := symbols(t, b.tokens, beginning, 1, 10); !slices.Equal(found, want) || total != int64(len(want)) {
				t.Errorf("%q: %q of %d, want %q", beginning, found, total, want)
			}
		}
	}
	l := signedOff(b.issue(t, key()))
	must.Do(t, b.launches.Submit(t.Context(), l, b.now))
	search()
	must.Do(t, b.launches.Settle(t.Context(), settled(l, "confirmed", ""), b.now))
	search("SYM")
	must.Do(t, b.tokens.Hide(t.Context(), l.Mint))
	search()
	must.Do(t, b.tokens.Show(t.Context(), l.Mint))
	search("SYM")
	refused := signedOff(b.issue(t, key()))
	must.Do(t, b.launches.Submit(t.Context(), refused, b.now))
	must.Do(t, b.launches.Settle(t.Context(), settled(refused, "failed", "why"), b.now))
	search("SYM")
}
