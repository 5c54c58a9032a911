package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	main "tokenlaunch.example/service/pkg/client/tokenlaunch"
)

// said is the result of a call.
type said struct {
	code      int
	out, errs string
}

func say(t *testing.T, in string, arguments ...string) said {
	t.Helper()
	var o, e bytes.Buffer
	code := main.Run(t.Context(), arguments, strings.NewReader(in), &o, &e)
	return said{code, o.String(), e.String()}
}

// answering is an API that answers everything so.
func answering(t *testing.T, status int, body string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if status >= http.StatusBadRequest {
			w.Header().Set("Content-Type", "application/problem+json")
		}
		w.WriteHeader(status)
		_, _ = fmt.Fprint(w, body)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func problem(status int, code, more string) string {
	return fmt.Sprintf(`{"type":"/docs","title":"t","status":%d,"detail":"It is so.","code":%q,"requestId":"r42"%s}`, status, code, more)
}

// The exit status describes the kind of failure, and the text the reason, by field.
func TestExitStatuses(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		body   string
		code   int
		says   string
	}{
		"nothing there":  {200, `{"runs":[],"nextCursor":null}`, 0, ""},
		"unknown":        {404, problem(404, "token_not_found", ""), 1, "token_not_found: It is so."},
		"a bad field":    {400, problem(400, "validation_failed", `,"errors":[{"field":"limit","code":"out_of_range","message":"From 1 to 100."}]`), 1, "limit: From 1 to 100."},
		"a limit":        {429, problem(429, "rate_limit_exceeded", `,"retryAfter":3000`), 3, "try again in 50m0s"},
		"out of order":   {500, problem(500, "internal", ""), 3, "request r42"},
		"another answer": {200, `<html>`, 1, "not described"},
	} {
		api := answering(t, c.status, c.body)
		got := say(t, "", "--api", api, "runs", "list", "token")
		if got.code != c.code || !strings.Contains(got.errs, c.says) || c.code != 0 && got.out != "" {
			t.Errorf("runs list, %s = %+v, want %d and %q", name, got, c.code, c.says)
		}
		// Programs read the same in JSON, with no other text on standard output.
		got = say(t, "", "--json", "--api", api, "runs", "list", "token")
		var out map[string]any
		if err := json.Unmarshal([]byte(got.out), &out); err != nil || got.code != c.code || (out["error"] != nil) != (c.code != 0) {
			t.Errorf("%s in JSON: %+v, %v", name, got, err)
		}
	}
}

// order is a directory with a picture and an order in it.
func order(t *testing.T, name, content string) string {
	t.Helper()
	folder := t.TempDir()
	for file, text := range map[string]string{name: content, "logo.png": "a picture"} {
		if err := os.WriteFile(filepath.Join(folder, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(folder, name)
}

// A command line that makes no sense is rejected before any request, with the reason.
func TestUsageErrorsNameFix(t *testing.T) {
	key := order(t, "key.json", keygen())
	const start = `{"name":"n","symbol":"S","transferFeePercent":1,"image":"logo.png"`
	for want, arguments := range map[string][]string{
		"expected one of":              {},
		"unknown flag --fast":          {"launch", "--fast"},
		"name its key file with --key": {"launch"},
		"no such file":                 {"launch", "--key", "none", "--yes"},
		"--tax is missing":             {"launch", "--key", key, "--name", "n"},
		"missing: --image, --name, --supply or --tokens, --symbol": {"launch", "--key", key, "--tax", "1"},
		`"1.1234567" has more than 6 decimals`:                     {"launch", "--key", key, "--tax", "1", "--tokens", "1.1234567"},
		"--supply and --tokens can't be used together":             {"launch", "--key", key, "--tokens", "1", "--supply", "1"},
		`--tax: "5%" is not a decimal number`:                      {"launch", "--key", key, "--tax", "5%"},
		`--most: "a lot" is not a decimal number`:                  {"launch", "--key", key, "-f", order(t, "o.json", start+`,"supply":"1","decimals":6}`), "--most", "a lot"},
		"--sell: at least 1":                                       {"launch", "--key", key, "--tax", "1", "--sell", "0"},
		"--developer-wallet":                                       {"launch", "--key", key, "--tax", "1", "--developer-wallet", "me"},
		"supply: write the amount as a text in quotes":             {"launch", "--key", key, "-f", order(t, "o.yaml", "supply: 1000000000000000000")},
		`unknown field "suply"`:                                    {"launch", "--key", key, "-f", order(t, "o.json", `{"suply":"1"}`)},
		"neither JSON nor YAML":                                    {"launch", "--key", key, "-f", order(t, "o.yaml", "a: b: c")},
		"decimals: not a string":                                   {"launch", "--key", key, "-f", order(t, "o.json", start+`,"supply":"1","decimals":"6"}`)},
		"is not a launch that was kept":                            {"launch", "--key", key, "--resume", order(t, "o.json", `{}`)},
		"say what to change":                                       {"settings", "set", "token", "--key", key},
		"is not the http or https address":                         {"--api", "localhost", "runs", "list", "token"},
	} {
		got := say(t, "n\n", arguments...)
		if got.code != 2 || got.out != "" || !strings.Contains(got.errs, want) {
			t.Errorf("%q: %+v, want %q", arguments, got, want)
		}
	}
}

// keygen is a key as solana-keygen writes it.
func keygen() string {
	// The public key of the seed of 32 zeros (RFC 8032 has no such vector; any Ed25519 library
	// computes it).
	public := []byte{59, 106, 39, 188, 206, 182, 164, 45, 98, 163, 168, 208, 42, 111, 13, 115, 101, 50, 21, 119, 29, 226, 67, 166, 58, 192, 72, 161, 139, 89, 218, 41}
	numbers := make([]string, 64)
	for i := range numbers {
		numbers[i] = "0"
		if i >= 32 {
			numbers[i] = fmt.Sprint(public[i-32])
		}
	}
	return "[" + strings.Join(numbers, ",") + "]"
}

// A user whose key others can read is warned.
func TestKeyFileModeWarning(t *testing.T) {
	key := order(t, "key.json", keygen())
	api := answering(t, http.StatusNotFound, problem(404, "token_not_found", ""))
	if got := say(t, "", "--api", api, "--key", key, "settings", "show", "token"); strings.Contains(got.errs, "Warning") {
		t.Errorf("settings show with a private key file = %+v, want no warning", got)
	}
	if err := os.Chmod(key, 0o644); err != nil {
		t.Fatal(err)
	}
	if got := say(t, "", "--api", api, "--key", key, "settings", "show", "token"); !strings.Contains(got.errs, "Warning: others can read") {
		t.Errorf("settings show with a readable key file = %+v, want a warning", got)
	}
}
