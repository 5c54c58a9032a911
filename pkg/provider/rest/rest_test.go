package rest_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/provider/rest"
)

const secret = "s3cret-key-of-ours"

// venue answers every call with what it is given; its address carries a key.
func venue(t *testing.T, handler http.HandlerFunc) *rest.Client {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	client, err := rest.New("The venue", server.URL+"/"+secret+"/v1?token="+secret, func(context.Context) (http.Header, error) {
		return http.Header{"X-Api-Key": {secret}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func answers(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}
}

func TestVenueResponses(t *testing.T) {
	tests := []struct {
		name    string
		status  int
		body    string
		refusal string // the code of a refusal
		away    bool
	}{
		{"a price", 200, `{"out":"7","more":[1]}`, "", false},
		{"not JSON", 200, "hello", "", true},
		{"two values", 200, `{"out":"7"}{}`, "", true},
		{"too long", 200, `{"out":"` + strings.Repeat("7", 1<<20) + `"}`, "", true},
		{"no route", 400, `{"error":"No routes found","errorCode":"NO_ROUTES_FOUND"}`, "NO_ROUTES_FOUND", false},
		{"a code and a message", 422, `{"code":"refused","message":"no"}`, "refused", false},
		{"a refusal without a code", 404, `nothing here`, "", false},
		{"a refusal that repeats the key", 400, `{"code":"bad_key","message":"unknown key ` + secret + `"}`, "bad_key", false},
		{"too many requests", 429, `{"code":"slow_down"}`, "", true},
		{"our key is wrong", 401, `{"code":"unauthorized"}`, "", true},
		{"their error", 500, `{"code":"oops"}`, "", true},
		{"a redirect", 302, "", "", true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			client := venue(t, answers(test.status, test.body))
			var answer struct{ Out string }
			err := client.Get(t.Context(), "quote", url.Values{"amount": {"1"}}, &answer)
			if test.status == 200 && !test.away {
				if err != nil || answer.Out != "7" {
					t.Fatalf("Get() = %q, %v; want 7", answer.Out, err)
				}
				return
			}
			if err == nil || strings.Contains(err.Error(), secret) {
				t.Fatalf("the error is %v", err)
			}
			refusal, refused := errors.AsType[*rest.Refusal](err)
			if away := apperr.KindOf(err) == apperr.Unavailable; away != test.away || refused == test.away {
				t.Errorf("unavailable %v, rejected %v: %v", away, refused, err)
			}
			if refused && (refusal.Code != test.refusal || refusal.Status != test.status) {
				t.Errorf("rejected with %+v", refusal)
			}
		})
	}
}

// Fields of other types are another version of the API, and no matter of trying again.
func TestAnswerOfAnotherVersion(t *testing.T) {
	for _, body := range []string{`{"out":7}`, `[]`, `{"out":{"amount":"7"}}`} {
		client := venue(t, answers(http.StatusOK, body))
		err := client.Get(t.Context(), "quote", nil, &struct{ Out string }{})
		if !exchange.Unread(err) || strings.Contains(err.Error(), secret) {
			t.Errorf("Get() with body %s: %v, want an unreadable response, without the secret", body, err)
		}
	}
}

func TestVenueRequests(t *testing.T) {
	var got *http.Request
	client := venue(t, func(w http.ResponseWriter, r *http.Request) {
		got = r.Clone(context.WithoutCancel(r.Context()))
		_, _ = w.Write([]byte("{}"))
	})
	if err := client.Get(t.Context(), "quote", url.Values{"a": {"1 2"}}, &struct{}{}); err != nil {
		t.Fatal(err)
	}
	if got.Method != http.MethodGet || got.URL.Path != "/"+secret+"/v1/quote" || got.URL.Query().Get("a") != "1 2" ||
		got.URL.Query().Get("token") != secret || got.Header.Get("X-Api-Key") != secret {
		t.Errorf("request %s %s %v, want GET /v1/quote with the secret", got.Method, got.URL, got.Header)
	}
	if err := client.Post(t.Context(), "swap", map[string]string{"id": "1"}, &struct{}{}); err != nil {
		t.Fatal(err)
	}
	if got.Method != http.MethodPost || got.Header.Get("Content-Type") != "application/json" || got.ContentLength != int64(len(`{"id":"1"}`)) {
		t.Errorf("%s, %s of %d bytes", got.Method, got.Header.Get("Content-Type"), got.ContentLength)
	}
}

func TestVenueUnavailable(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	client, err := rest.New("The venue", server.URL+"/"+secret, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = client.Post(t.Context(), "quote", struct{}{}, &struct{}{})
	if apperr.KindOf(err) != apperr.Unavailable || strings.Contains(err.Error(), secret) {
		t.Error(err)
	}
	for _, address := range []string{"", "venue", "ftp://venue", "http://" + secret + "\n"} {
		if _, err := rest.New("The venue", address, nil); err == nil || strings.Contains(err.Error(), secret) {
			t.Errorf("New(%q) = %v, want an error without the secret", address, err)
		}
	}
}

func TestAmounts(t *testing.T) {
	for text, want := range map[string]uint64{"0": 0, "7": 7, "18446744073709551615": 1<<64 - 1} {
		if got, err := rest.ParseAmount(text); err != nil || got != want || rest.FormatAmount(want) != text {
			t.Errorf("%q is %d, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "-1", "+1", " 1", "1.0", "1e3", "0x1", "1_000", "18446744073709551616"} {
		if got, err := rest.ParseAmount(text); err == nil {
			t.Errorf("%q is %d", text, got)
		}
	}
}

// For arbitrary instructions of a venue, reading ends, and encoding the result returns the same.
func FuzzInstruction(f *testing.F) {
	program := solana.SystemProgramID.String()
	f.Add(program, program, "AQID", true, false)
	f.Add("x", strings.Repeat("1", 100), "=", false, true)
	f.Fuzz(func(t *testing.T, program, account, data string, signs, writes bool) {
		given := rest.Instruction{ProgramID: program, Accounts: []rest.Account{{Pubkey: account, IsSigner: signs, IsWritable: writes}}, Data: data}
		in, err := given.Decode()
		if err != nil {
			return
		}
		written, err := rest.Encode(in)
		if err != nil {
			t.Fatal(err)
		}
		again, err := written.Decode()
		if err != nil {
			t.Fatal(err)
		}
		if again.ProgramID() != in.ProgramID() || *again.Accounts()[0] != *in.Accounts()[0] || written.ProgramID != program || written.Accounts[0] != given.Accounts[0] {
			t.Errorf("%+v became %+v", given, written)
		}
	})
}
