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

// link sets a group that has agreed.
func (s *service) link(t *testing.T, group string) {
	t.Helper()
	s.patch(t, `{"telegramGroupId":"`+group+`"}`)
	s.groups.linked = map[solana.PublicKey]string{mint: group}
}

// TestUnlinkedGroup tests that a group can be set before the group has agreed, and that the creator
// learns the status and the command. Another group is not linked either.
func TestUnlinkedGroup(t *testing.T) {
	s := start(t)
	status, answer := s.patch(t, `{"telegramGroupId":"@group"}`)
	if status != http.StatusOK || answer["telegramGroupId"] != "@group" || answer["telegramLinked"] != false {
		t.Errorf("PATCH settings = %d %v, want 200 with @group, not linked", status, answer)
	}
	status, answer = s.try(t, creator, id)
	if status != http.StatusConflict || answer["code"] != "telegram_not_linked" || len(s.tries.ids) != 0 {
		t.Errorf("%d %v, queued %v", status, answer, s.tries.ids)
	}
	code := func(status int) map[string]any {
		t.Helper()
		got, answer := s.call(t, creator, http.MethodPost, "/distribution/"+id+"/telegram/link", "")
		if got != status {
			t.Fatalf("POST telegram/link = %d %v, want %d", got, answer, status)
		}
		return answer
	}
	first, second := code(http.StatusOK), code(http.StatusOK)
	if first["code"] == second["code"] || first["telegramLinked"] != false || first["bot"] != nil || first["expiresAt"] != "2026-11-22T12:34:56.789Z" {
		t.Errorf("%v, then %v", first, second)
	}
	s.link(t, "@group")
	if answer := s.get(t); answer["telegramLinked"] != true {
		t.Errorf("GET settings of a linked group = %v, want telegramLinked", answer)
	}
	if third := code(http.StatusOK); third["telegramLinked"] != true {
		t.Errorf("POST telegram/link of a linked group = %v, want telegramLinked", third)
	}
	if _, answer := s.patch(t, `{"telegramGroupId":"@other","telegramLinked":true}`); answer["telegramLinked"] != false {
		t.Errorf("PATCH settings with another group = %v, want telegramLinked false", answer)
	}
	s.groups.err = errors.New("away")
	if status, _ := s.call(t, creator, http.MethodPost, "/distribution/"+id+"/telegram/link", ""); status != http.StatusInternalServerError {
		t.Errorf("%d without a store", status)
	}
}

func TestTelegramTestMessage(t *testing.T) {
	s := start(t)
	s.link(t, "-100123")
	for _, name := range []string{id, mint.String()} {
		status, answer := s.try(t, creator, name)
		if status != http.StatusAccepted || encode(t, answer) != `{"queued":true,"telegramGroupId":"-100123"}` {
			t.Errorf("POST telegram/test of %s = %d %v, want 202 queued", name, status, answer)
		}
	}
	if !slices.Equal(s.tries.groups, []string{"-100123", "-100123"}) || s.tries.ids[0] == s.tries.ids[1] {
		t.Errorf("queued for %v, as %v", s.tries.groups, s.tries.ids)
	}
}

// TestTelegramTestAuthorization tests that the checks come in the order of the contract, and that a
// rejected request is not queued.
func TestTelegramTestAuthorization(t *testing.T) {
	for name, c := range map[string]struct {
		wallet      solana.PublicKey
		token, code string
		status      int
	}{
		"no caller":        {solana.PublicKey{}, id, "missing_token", 401},
		"another caller":   {stranger, id, "not_token_creator", 403},
		"no such token":    {stranger, stranger.String(), "token_not_found", 404},
		"neither":          {creator, "tide", "token_not_found", 404},
		"without a group":  {creator, id, "telegram_not_set", 409},
		"too long a token": {creator, strings.Repeat("1", 10_000), "token_not_found", 404},
	} {
		s := start(t)
		if status, answer := s.try(t, c.wallet, c.token); status != c.status || answer["code"] != c.code {
			t.Errorf("%s: %d %v, want %d %s", name, status, answer, c.status, c.code)
		}
		if status, answer := s.call(t, c.wallet, http.MethodPost, "/distribution/"+c.token+"/telegram/link", ""); status != c.status || answer["code"] != c.code || s.groups.codes != 0 {
			t.Errorf("%s: a code: %d %v, want %d %s", name, status, answer, c.status, c.code)
		}
		if len(s.tries.ids) != 0 {
			t.Errorf("%s: it is queued all the same", name)
		}
	}
}

func TestTelegramTestMessageWithoutQueue(t *testing.T) {
	s := start(t)
	s.link(t, "@group")
	s.tries.err = errors.New("away")
	status, answer := s.try(t, creator, id)
	if status != http.StatusServiceUnavailable || answer["code"] != "upstream_unavailable" || strings.Contains(encode(t, answer), "away") {
		t.Errorf("POST telegram/test without the queue = %d %v, want 503 upstream_unavailable without the cause", status, answer)
	}
}

// TestTelegramTestMessagesAreLimited sends six test messages in an hour: the sixth is rejected with
// Retry-After.
func TestTelegramTestMessagesAreLimited(t *testing.T) {
	s := start(t)
	s.link(t, "@group")
	for range 5 {
		s.try(t, creator, id)
	}
	if status, _ := s.try(t, creator, id); status != http.StatusTooManyRequests || len(s.tries.ids) != 5 {
		t.Errorf("%d, queued %d times", status, len(s.tries.ids))
	}
}

// TestHolderLinksOwnWallet tests that a code is for the caller's wallet, and that each code is
// unique.
func TestHolderLinksOwnWallet(t *testing.T) {
	s := start(t)
	link := func(caller solana.PublicKey, wallet string, want int) map[string]any {
		t.Helper()
		status, answer := s.call(t, caller, http.MethodPost, "/holders/"+wallet+"/telegram/link", "")
		if status != want {
			t.Fatalf("%d %v, want %d", status, answer, want)
		}
		return answer
	}
	first, second := link(stranger, stranger.String(), http.StatusOK), link(stranger, stranger.String(), http.StatusOK)
	if first["code"] == second["code"] || first["linked"] != false || first["bot"] != nil || first["url"] != nil || first["expiresAt"] != "2026-11-22T12:34:56.789Z" {
		t.Errorf("%v, then %v", first, second)
	}
	if command := first["command"]; command != "/link "+first["code"].(string) {
		t.Errorf("the command is %q", command)
	}
	s.groups.linked = map[solana.PublicKey]string{stranger: ""}
	if third := link(stranger, stranger.String(), http.StatusOK); third["linked"] != true {
		t.Errorf("POST link of a linked wallet = %v, want linked", third)
	}
	codes := s.groups.codes
	for code, answer := range map[string]map[string]any{
		"not_your_wallet": link(creator, stranger.String(), http.StatusForbidden),
		"not_found":       link(creator, "nonsense", http.StatusNotFound),
		"missing_token":   link(solana.PublicKey{}, stranger.String(), http.StatusUnauthorized),
	} {
		if answer["code"] != code {
			t.Errorf("%v, want %s", answer, code)
		}
	}
	if s.groups.codes != codes {
		t.Error("a rejected request issued a code")
	}
}

// TestHolderUnlinksOwnWallet: only the wallet itself ends its link, and another request is not an error.
func TestHolderUnlinksOwnWallet(t *testing.T) {
	s := start(t)
	s.groups.linked = map[solana.PublicKey]string{stranger: "", creator: ""}
	for _, c := range []struct {
		caller solana.PublicKey
		wallet string
		want   int
		linked int
	}{
		{creator, stranger.String(), http.StatusForbidden, 2},
		{creator, "nonsense", http.StatusNotFound, 2},
		{solana.PublicKey{}, stranger.String(), http.StatusUnauthorized, 2},
		{stranger, stranger.String(), http.StatusOK, 1},
		{stranger, stranger.String(), http.StatusOK, 1},
	} {
		status, answer := s.call(t, c.caller, http.MethodDelete, "/holders/"+c.wallet+"/telegram/link", "")
		if status != c.want || len(s.groups.linked) != c.linked {
			t.Errorf("%s of %s: %d %v, %d links; want %d, %d", c.caller, c.wallet, status, answer, len(s.groups.linked), c.want, c.linked)
		}
	}
	if s.groups.linked[creator] != "" || s.groups.codes != 0 {
		t.Errorf("links %v, %d codes", s.groups.linked, s.groups.codes)
	}
}
