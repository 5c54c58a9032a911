package client_test

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/client"
)

func page(hasNext bool, ids ...string) func(http.ResponseWriter) {
	text := ""
	for i, id := range ids {
		text += fmt.Sprintf(`%s{"id":%q}`, map[bool]string{true: ","}[i > 0], id)
	}
	return good(fmt.Sprintf(`{"tokens":[%s],"pagination":{"hasNext":%v}}`, text, hasNext))
}

func ids(t *testing.T, s *service, maximum int) (list []string) {
	t.Helper()
	for token, err := range s.client(t).AllTokens(t.Context(), solana.PublicKey{}) {
		if err != nil {
			return append(list, "error")
		}
		if list = append(list, token.ID); len(list) == maximum {
			break
		}
	}
	return list
}

// Pages are requested one by one, and an entry that a new token moved to the next page is returned
// once.
func TestPagesAreReadToEnd(t *testing.T) {
	pages := []func(http.ResponseWriter){page(true, "f", "e", "d"), page(true, "d", "c"), page(false, "b", "a")}
	s := &service{answers: slices.Clone(pages)}
	if got := ids(t, s, 99); !slices.Equal(got, []string{"f", "e", "d", "c", "b", "a"}) || len(s.times) != 3 {
		t.Errorf("%q by %d calls", got, len(s.times))
	}
	s = &service{answers: slices.Clone(pages)}
	if got := ids(t, s, 2); len(got) != 2 || len(s.times) != 1 {
		t.Errorf("%q by %d calls", got, len(s.times))
	}
	s = &service{answers: []func(http.ResponseWriter){page(true, "b"), refusal(http.StatusNotFound, "not_found", 0)}}
	if got := ids(t, s, 99); !slices.Equal(got, []string{"b", "error"}) {
		t.Errorf("ids = %q, want b and an error", got)
	}
}

// Cursors are followed to the last page.
func TestCursorsAreFollowed(t *testing.T) {
	s := &service{answers: []func(http.ResponseWriter){
		good(`{"runs":[{"id":"2"}],"nextCursor":"x"}`), good(`{"runs":[{"id":"1"}],"nextCursor":null}`),
	}}
	var got []client.RunSummary
	for run, err := range s.client(t).AllRuns(t.Context(), "token") {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, run)
	}
	if len(got) != 2 || got[0].ID != "2" || got[1].ID != "1" {
		t.Errorf("runs = %+v, want 2 and 1", got)
	}
}

// A holder's ledger is read to its end, across pages without tokens, and an incomplete ledger is
// reported.
func TestLedgerIsReadToEnd(t *testing.T) {
	mint := solana.VoteProgramID
	s := &service{answers: []func(http.ResponseWriter){
		good(`{"tokens":[],"complete":false,"nextCursor":"x"}`),
		good(fmt.Sprintf(`{"tokens":[{"mint":%q}],"complete":true,"nextCursor":null}`, mint)),
	}}
	var got []solana.PublicKey
	var last error
	for token, err := range s.client(t).AllHolderTokens(t.Context(), solana.StakeProgramID, mint) {
		if last = err; err == nil {
			got = append(got, token.Mint)
		}
	}
	if !slices.Equal(got, []solana.PublicKey{mint}) || !errors.Is(last, client.ErrIncomplete) || len(s.times) != 2 {
		t.Errorf("%v, %v by %d calls", got, last, len(s.times))
	}
}

// A distribution that has stored its manifest and waits for its anchor has nothing to verify yet.
func TestNewestProvenPassesOverRunWithoutAnchor(t *testing.T) {
	const waiting = `{"id":"3","status":"paying","proof":{"cid":"c"},"anchor":null}`
	const proven = `{"id":"2","status":"settled","proof":{"cid":"b"},"anchor":{"transaction":{"cid":"a"}}}`
	s := &service{answers: []func(http.ResponseWriter){good(`{"runs":[` + waiting + `,` + proven + `],"nextCursor":null}`), good(proven)}}
	if r, err := s.client(t).NewestProven(t.Context(), "token"); err != nil || r.ID != "2" {
		t.Errorf("NewestProven() = %q, %v; want the run 2", r.ID, err)
	}
	s = &service{answers: []func(http.ResponseWriter){good(`{"runs":[` + waiting + `],"nextCursor":null}`)}}
	if _, err := s.client(t).NewestProven(t.Context(), "token"); !errors.Is(err, client.ErrNotProven) {
		t.Errorf("NewestProven() of no proof: %v; want ErrNotProven", err)
	}
}
