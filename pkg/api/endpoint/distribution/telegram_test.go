package distribution_test

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"
)

func (s *service) try(t *testing.T, wallet solana.PublicKey, token string) (int, map[string]any) {
	t.Helper()
	return s.call(t, wallet, http.MethodPost, "/distribution/"+token+"/telegram/test", "")
}

func TestATelegramGroupIsTried(t *testing.T) {
	s := start(t)
	s.patch(t, `{"telegramGroupId":"-100123"}`)
	for _, name := range []string{id, mint.String()} {
		status, answer := s.try(t, creator, name)
		if status != http.StatusAccepted || encode(t, answer) != `{"queued":true,"telegramGroupId":"-100123"}` {
			t.Errorf("%d %v", status, answer)
		}
	}
	if !slices.Equal(s.tries.groups, []string{"-100123", "-100123"}) || s.tries.ids[0] == s.tries.ids[1] {
		t.Errorf("queued for %v, as %v", s.tries.groups, s.tries.ids)
	}
}

// TestWhoMayTry: the checks come in the order of the contract, and what is refused is
// not queued.
func TestWhoMayTry(t *testing.T) {
	for name, c := range map[string]struct {
		wallet      solana.PublicKey
		token, code string
		status      int
	}{
		"no caller":        {solana.PublicKey{}, id, "missing_token", 401},
		"a stranger":       {stranger, id, "not_token_creator", 403},
		"no such token":    {stranger, stranger.String(), "token_not_found", 404},
		"neither":          {creator, "tide", "token_not_found", 404},
		"without a group":  {creator, id, "telegram_not_set", 409},
		"too long a token": {creator, strings.Repeat("1", 10_000), "token_not_found", 404},
	} {
		s := start(t)
		if status, answer := s.try(t, c.wallet, c.token); status != c.status || answer["code"] != c.code {
			t.Errorf("%s: %d %v, want %d %s", name, status, answer, c.status, c.code)
		}
		if len(s.tries.ids) != 0 {
			t.Errorf("%s: it is queued all the same", name)
		}
	}
}

func TestATryWithoutAQueue(t *testing.T) {
	s := start(t)
	s.patch(t, `{"telegramGroupId":"@group"}`)
	s.tries.err = errors.New("away")
	status, answer := s.try(t, creator, id)
	if status != http.StatusServiceUnavailable || answer["code"] != "upstream_unavailable" || strings.Contains(encode(t, answer), "away") {
		t.Errorf("%d %v", status, answer)
	}
}

// TestTriesAreFew: five in an hour; the sixth is told when to come back.
func TestTriesAreFew(t *testing.T) {
	s := start(t)
	s.patch(t, `{"telegramGroupId":"@group"}`)
	for range 5 {
		s.try(t, creator, id)
	}
	if status, _ := s.try(t, creator, id); status != http.StatusTooManyRequests || len(s.tries.ids) != 5 {
		t.Errorf("%d, queued %d times", status, len(s.tries.ids))
	}
}
