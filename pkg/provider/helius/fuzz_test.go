package helius_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/secret"
	"tokenlaunch.example/service/pkg/proof/snapshot"
	"tokenlaunch.example/service/pkg/provider/helius"
	"tokenlaunch.example/service/pkg/solana/token2022"
)

// FuzzPages returns arbitrary responses of Helius: a listing ends, has only accounts of the mint,
// and its error does not contain the key.
func FuzzPages(f *testing.F) {
	f.Add(pageOf(103, "a", entry(1, 1<<64-1, withheld(1<<53+1))), pageOf(104, ""))
	f.Add(pageOf(103, "a"), pageOf(99, "b"))
	f.Add(`{"error":{"code":-32000,"message":"`+apiKey+`"}}`, "")
	f.Add(`{"result":{"last_indexed_slot":1e3,"token_accounts":[{"amount":-1}]}}`, `[]`)
	f.Fuzz(func(t *testing.T, first, second string) {
		calls := 0
		client := helius.New(secret.Fixed("http://helius.invalid/?api-key="+apiKey), func(context.Context, time.Duration) error { return context.Canceled })
		client.WithTransport(roundTrip(func(*http.Request) (*http.Response, error) {
			if calls++; calls > 20 {
				return nil, io.ErrUnexpectedEOF // an endless cursor: the caller's time ends it
			}
			answer := first
			if calls > 1 {
				answer = second
			}
			return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(answer))}, nil
		}))
		listed := 0
		_, err := client.TokenAccounts(t.Context(), mint, token2022.Mint{}, 100, func(snapshot.Account) error {
			listed++
			return nil
		})
		if err != nil && (apperr.KindOf(err) != apperr.Unavailable || strings.Contains(err.Error(), apiKey)) {
			t.Fatal(err)
		}
		if listed > 1000*calls {
			t.Fatalf("%d accounts in %d pages", listed, calls)
		}
	})
}

type roundTrip func(*http.Request) (*http.Response, error)

func (r roundTrip) RoundTrip(request *http.Request) (*http.Response, error) { return r(request) }
