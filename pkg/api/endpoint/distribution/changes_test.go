package distribution_test

import (
	"crypto/ed25519"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	rules "tokenlaunch.example/service/pkg/token/terms"
)

// TestHistoryShowsEveryChange plays a creator who removes the holders' share: everyone can read
// each change with its time and signature, except the Telegram group.
func TestHistoryShowsEveryChange(t *testing.T) {
	s := start(t)
	public, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	owner := solana.PublicKeyFromBytes(public)
	own := record()
	own.Creator, own.Settings = owner, rules.Default(owner)
	s.store.Put(own)
	history := func(query string) ([]any, any) {
		t.Helper()
		status, got := s.call(t, solana.PublicKey{}, http.MethodGet, "/distribution/"+mint.String()+"/changes"+query, "")
		if status != http.StatusOK {
			t.Fatalf("GET changes%s = %d %v, want 200", query, status, got)
		}
		list, _ := got["changes"].([]any)
		return list, got["nextCursor"]
	}
	if list, next := history(""); len(list) != 0 || next != nil {
		t.Errorf("without a change: %v, %v", list, next)
	}
	change := func(body string) {
		t.Helper()
		if status, got := s.call(t, owner, http.MethodPatch, "/distribution/"+id+"/settings", body); status != http.StatusOK {
			t.Fatalf("PATCH settings with %s = %d %v, want 200", body, status, got)
		}
	}
	order := func(version int64, settings rules.Settings) string {
		return fmt.Sprintf(`"order":{"version":%d,"signature":"%s"}`, version, solana.Signature(ed25519.Sign(key, []byte(rules.OrderText(mint, version, settings)))))
	}
	change(`{` + order(1, own.Settings) + `}`)
	s.now = noon.Add(time.Minute)
	change(`{"telegramGroupId":"@secret_group","distributionInterval":"5m"}`)
	taken := own.Settings
	taken.Interval, taken.TelegramGroupID, taken.DeveloperFeeBps = rules.Every5Minutes, "@secret_group", 9_000
	s.now = noon.Add(2 * time.Minute)
	change(`{"developerFeePercent":90,` + order(3, taken) + `}`)
	change(`{}`) // changes nothing

	first, next := history("?limit=2")
	if len(first) != 2 || next == nil {
		t.Fatalf("first page = %v, cursor %v; want two entries and a cursor", first, next)
	}
	rest, end := history(fmt.Sprintf("?limit=2&cursor=%v", next))
	if len(rest) != 1 || end != nil {
		t.Fatalf("last page = %v, cursor %v; want one entry and no cursor", rest, end)
	}
	signed := func(version int64, settings rules.Settings) string {
		text := rules.OrderText(mint, version, settings)
		return `{"signature":"` + solana.Signature(ed25519.Sign(key, []byte(text))).String() + `","text":"` + strings.ReplaceAll(text, "\n", `\n`) + `","wallet":"` + owner.String() + `"}`
	}
	want := `[{"changed":[{"after":"90","before":"0","field":"developerFeePercent"}],"effectiveAt":"2026-11-21T12:40:00.000Z","order":` + signed(3, taken) + `,"orderedAt":"2026-11-21T12:36:56.789Z","version":3},` +
		`{"changed":[{"after":"5m","before":"1h","field":"distributionInterval"},{"field":"telegramGroupId"}],"effectiveAt":"2026-11-21T12:40:00.000Z","order":null,"orderedAt":"2026-11-21T12:35:56.789Z","version":2},` +
		`{"changed":[],"effectiveAt":"2026-11-20T13:00:00.000Z","order":` + signed(1, own.Settings) + `,"orderedAt":"2026-11-20T12:34:56.789Z","version":1}]`
	if got := encode(t, append(first, rest...)); got != want {
		t.Errorf("got\n%s, want\n%s", got, want)
	}
	for path, wantStatus := range map[string]int{
		id + "/changes?limit=0":                http.StatusBadRequest,
		id + "/changes?cursor=MQ":              http.StatusBadRequest, // 1
		stranger.String() + "/changes":         http.StatusNotFound,
		strings.ToUpper(id) + "/changes":       http.StatusOK,
		id + "/changes?limit=100&cursor=&x=1#": http.StatusOK,
	} {
		if status, got := s.call(t, solana.PublicKey{}, http.MethodGet, "/distribution/"+path, ""); status != wantStatus {
			t.Errorf("GET /distribution/%s = %d %v, want %d", path, status, got, wantStatus)
		}
	}
}
