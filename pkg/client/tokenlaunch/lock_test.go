package main_test

import (
	"net/http"
	"strings"
	"testing"
)

// A lock is not signed without a node to send it to, nor where it would fail, nor where it is
// another transaction than was asked for.
func TestLocksThatAreNotSigned(t *testing.T) {
	t.Setenv("TOKENLAUNCH_RPC", "")
	const mint = "US517G5965aydkZ46HS38QLi7UQiSojurfbQfKCELFx"
	key := order(t, "key.json", keygen())
	arguments := []string{"--key", key, "lock", mint, "--amount", "1000000", "--first", "2027-03-02T00:00:00Z", "--releases", "12", "--period", "86400"}
	if got := say(t, "", arguments...); got.code != 2 || !strings.Contains(got.errs, "--rpc") {
		t.Errorf("without a node: %+v", got)
	}
	arguments = append(arguments, "--yes", "--rpc", "http://127.0.0.1:1")
	if got := say(t, "", append(arguments, "--recipient", "me")...); got.code != 2 || !strings.Contains(got.errs, "recipient") {
		t.Errorf("for no wallet: %+v", got)
	}
	good := readAnswer(t, "lock")
	for want, simulation := range map[string]map[string]any{
		"the lock would fail: program_unavailable": {"ok": false, "reason": "program_unavailable", "detail": "This network has no program."},
		"not what was asked for":                   {"ok": true, "computeUnits": 1},
	} {
		good["simulation"] = simulation
		api := claiming(t, good)
		got := say(t, "", append([]string{"--api", api}, arguments...)...)
		if got.code != 1 || got.out != "" || !strings.Contains(got.errs, want) {
			t.Errorf("%s: %+v", want, got)
		}
	}
	if got := say(t, "", append([]string{"--api", answering(t, http.StatusNotFound, `{"code":"token_not_found"}`)}, arguments...)...); got.code != 1 {
		t.Errorf("no token: %+v", got)
	}
}
