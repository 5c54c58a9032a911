package helius_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/secret"
	"tokenlaunch.example/service/pkg/proof/snapshot"
	"tokenlaunch.example/service/pkg/provider/helius"
	"tokenlaunch.example/service/pkg/solana/token2022"
)

// apiKey is in the address as the key is.
const apiKey = "s3cr3t-api-key"

var mint = solana.MustPublicKeyFromBase58("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v")

func address(n int) solana.PublicKey { return solana.PublicKey{0: 7, 30: byte(n >> 8), 31: byte(n)} }

// entry is an account as Helius answers it.
func entry(n int, amount uint64, extensions string) string {
	return fmt.Sprintf(`{"address":%q,"mint":%q,"owner":%q,"amount":%d,"delegated_amount":0,"frozen":%v%s}`,
		address(n), mint, address(n+1000), amount, n == 2, extensions)
}

func withheld(n uint64) string {
	return fmt.Sprintf(`,"token_extensions":{"transfer_fee_amount":{"withheld_amount":%d}}`, n)
}

// pageOf is a response in the shape of Helius' (getTokenAccounts, November 2026).
func pageOf(slot int, cursor string, accounts ...string) string {
	next := ""
	if cursor != "" {
		next = fmt.Sprintf(`"cursor":%q,`, cursor)
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","result":{"last_indexed_slot":%d,"total":%d,"limit":1000,%s"token_accounts":[%s]},"id":"1"}`,
		slot, len(accounts), next, strings.Join(accounts, ","))
}

// counterpart returns a page by its cursor, in the place of Helius.
type counterpart struct {
	*helius.Client
	calls atomic.Int32
}

func newCounterpart(t *testing.T, answer func(call int, cursor string, w http.ResponseWriter)) *counterpart {
	t.Helper()
	c := &counterpart{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var call struct {
			JSONRPC, Method string
			Params          struct {
				Mint    string
				Limit   int
				Cursor  string
				Options struct{ ShowZeroBalance bool }
			}
		}
		if err := json.NewDecoder(r.Body).Decode(&call); err != nil || call.JSONRPC != "2.0" || call.Method != "getTokenAccounts" ||
			call.Params.Mint != mint.String() || call.Params.Limit != 1000 || !call.Params.Options.ShowZeroBalance || r.URL.Query().Get("api-key") != apiKey {
			t.Errorf("requests %+v, %v", call, err)
		}
		answer(int(c.calls.Add(1)), call.Params.Cursor, w)
	}))
	t.Cleanup(server.Close)
	client := helius.New(secret.Fixed(server.URL+"/?api-key="+apiKey), func(ctx context.Context, _ time.Duration) error { return ctx.Err() })
	c.Client = client
	return c
}

// pages answers pages by their cursors.
func pages(byCursor map[string]string) func(int, string, http.ResponseWriter) {
	return func(_ int, cursor string, w http.ResponseWriter) { _, _ = io.WriteString(w, byCursor[cursor]) }
}

func list(ctx context.Context, c *counterpart) (accounts []snapshot.Account, span snapshot.Span, err error) {
	span, err = c.TokenAccounts(ctx, mint, token2022.Mint{}, 100, func(a snapshot.Account) error {
		accounts = append(accounts, a)
		return nil
	})
	return accounts, span, err
}

func TestPages(t *testing.T) {
	want := []snapshot.Account{
		{Address: address(1), Owner: address(1001), Amount: 1<<64 - 1, Withheld: 1<<53 + 1},
		{Address: address(2), Owner: address(1002), Frozen: true},
		{Address: address(3), Owner: address(1003), Amount: 5},
	}
	for name, last := range map[string]string{"ends without a cursor": "", "ends with an empty page": "c"} {
		got, span, err := list(t.Context(), newCounterpart(t, pages(map[string]string{
			"":  pageOf(103, "a", entry(1, 1<<64-1, withheld(1<<53+1))),
			"a": pageOf(101, "b", entry(2, 0, withheld(0))),
			"b": pageOf(107, last, entry(3, 5, "")),
			"c": pageOf(108, ""),
		})))
		if last != "" {
			span.Last-- // The empty page's slot counts too.
		}
		if err != nil || !slices.Equal(got, want) || span != (snapshot.Span{First: 101, Last: 107}) {
			t.Errorf("TokenAccounts(), %s = %+v, %+v, %v; want %+v in slots 101 to 107", name, got, span, err, want)
		}
	}
}

func TestFailuresArePassedOver(t *testing.T) {
	good := pageOf(100, "", entry(1, 5, ""))
	for name, fail := range map[string]func(http.ResponseWriter){
		"too many calls":    func(w http.ResponseWriter) { w.WriteHeader(http.StatusTooManyRequests) },
		"a broken response": func(w http.ResponseWriter) { _, _ = io.WriteString(w, good[:90]) },
		"hangs up":          func(http.ResponseWriter) { panic(http.ErrAbortHandler) },
		"a refusal":         func(w http.ResponseWriter) { _, _ = io.WriteString(w, `{"error":{"code":-32603,"message":"m"}}`) },
	} {
		for failures, ok := range map[int]bool{3: true, 4: false} {
			c := newCounterpart(t, func(call int, _ string, w http.ResponseWriter) {
				if call <= failures {
					fail(w)
				}
				_, _ = io.WriteString(w, good)
			})
			accounts, _, err := list(t.Context(), c)
			if (err == nil) != ok || ok && len(accounts) != 1 || !ok && apperr.KindOf(err) != apperr.Unavailable {
				t.Errorf("%s, %d times: %d accounts, %v", name, failures, len(accounts), err)
			}
		}
	}
}

func TestHoldersRejectsResponses(t *testing.T) {
	other := strings.ReplaceAll(entry(1, 5, ""), mint.String(), solana.VoteProgramID.String())
	for name, answer := range map[string]string{
		"of a slot before":       pageOf(99, ""),
		"without a slot":         pageOf(0, ""),
		"without accounts":       `{"result":{"last_indexed_slot":100}}`,
		"nothing":                `{}`,
		"of another mint":        pageOf(100, "", other),
		"without an amount":      pageOf(100, "", strings.ReplaceAll(entry(1, 5, ""), `"amount"`, `"x"`)),
		"without an owner":       pageOf(100, "", strings.ReplaceAll(entry(1, 5, ""), `"owner"`, `"x"`)),
		"without an address":     pageOf(100, "", strings.ReplaceAll(entry(1, 5, ""), `"address"`, `"x"`)),
		"an amount as a float":   pageOf(100, "", strings.ReplaceAll(entry(1, 5, ""), `:5,`, `:5e3,`)),
		"a negative amount":      pageOf(100, "", strings.ReplaceAll(entry(1, 5, ""), `:5,`, `:-5,`)),
		"an endless address":     pageOf(100, "", strings.ReplaceAll(entry(1, 5, ""), address(1).String(), strings.Repeat("z", 1<<20))),
		"a page too long":        pageOf(100, "", slices.Repeat([]string{entry(1, 5, "")}, 1001)...),
		"an answer too long":     strings.Repeat(" ", 5<<20),
		"a cursor to itself":     pageOf(100, "a", entry(1, 5, "")),
		"the key in its answers": `{"error":{"code":-32401,"message":"unknown key ` + apiKey + `"}}`,
	} {
		_, _, err := list(t.Context(), newCounterpart(t, func(_ int, _ string, w http.ResponseWriter) { _, _ = io.WriteString(w, answer) }))
		if apperr.KindOf(err) != apperr.Unavailable || strings.Contains(err.Error(), apiKey) {
			t.Errorf("TokenAccounts(), %s: %v, want an error of kind Unavailable without the key", name, err)
		}
	}
}

func TestNoErrorShowsTheAddress(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	client := helius.New(secret.Fixed(server.URL+"/?api-key="+apiKey), func(ctx context.Context, _ time.Duration) error { return ctx.Err() })
	_, err := client.TokenAccounts(t.Context(), mint, token2022.Mint{}, 0, func(snapshot.Account) error { return nil })
	if err == nil || strings.Contains(err.Error(), apiKey) {
		t.Error(err)
	}
	for _, bad := range []string{"", "helius", "ftp://" + apiKey, "http://%zz" + apiKey, "://" + apiKey} {
		if err := helius.CheckAddress(bad); err == nil || strings.Contains(err.Error(), apiKey) {
			t.Errorf("CheckAddress(%q) = %v, want an error without the key", bad, err)
		}
		client := helius.New(secret.Fixed(bad), client.Pause)
		if _, err := client.TokenAccounts(t.Context(), mint, token2022.Mint{}, 0, nil); apperr.KindOf(err) != apperr.Unavailable || strings.Contains(err.Error(), apiKey) {
			t.Errorf("TokenAccounts() at %q: %v, want an error of kind Unavailable without the key", bad, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := client.TokenAccounts(ctx, mint, token2022.Mint{}, 0, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestHoldersUsesRotatedAddress tests that a listing continues at the rotated address, and fails as
// if Helius were unavailable without an address.
func TestHoldersUsesRotatedAddress(t *testing.T) {
	asked := []string{}
	address, failure := "", error(nil)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.RawQuery)
		cursor := ""
		if len(asked) == 1 {
			cursor = "a"
		}
		_, _ = io.WriteString(w, pageOf(100, cursor, entry(len(asked), 5, "")))
	}))
	t.Cleanup(server.Close)
	address = server.URL + "/?key=old"
	client := helius.New(func(context.Context) (string, error) { return address, failure }, func(ctx context.Context, _ time.Duration) error { return ctx.Err() })
	_, err := client.TokenAccounts(t.Context(), mint, token2022.Mint{}, 0, func(snapshot.Account) error {
		address = server.URL + "/?key=new"
		return nil
	})
	if err != nil || !slices.Equal(asked, []string{"key=old", "key=new"}) {
		t.Errorf("requested %v, %v", asked, err)
	}
	failure = errors.New("no secret")
	if _, err := client.TokenAccounts(t.Context(), mint, token2022.Mint{}, 0, nil); apperr.KindOf(err) != apperr.Unavailable || len(asked) != 2 {
		t.Errorf("requested %v, %v", asked, err)
	}
}

func TestStopsWithEach(t *testing.T) {
	c := newCounterpart(t, pages(map[string]string{"": pageOf(100, "a", entry(1, 5, ""), entry(2, 5, ""))}))
	enough := errors.New("enough")
	_, err := c.TokenAccounts(t.Context(), mint, token2022.Mint{}, 0, func(snapshot.Account) error { return enough })
	if !errors.Is(err, enough) || c.calls.Load() != 1 {
		t.Errorf("%v after %d calls", err, c.calls.Load())
	}
}

func TestManyPages(t *testing.T) {
	c := newCounterpart(t, func(_ int, cursor string, w http.ResponseWriter) {
		n, _ := strconv.Atoi(cursor) // The first is empty, which is page 0.
		next := strconv.Itoa(n + 1)
		if n == 49 {
			next = ""
		}
		_, _ = io.WriteString(w, pageOf(100+n, next, entry(n, 1, withheld(1))))
	})
	accounts, span, err := list(t.Context(), c)
	if err != nil || len(accounts) != 50 || span != (snapshot.Span{First: 100, Last: 149}) {
		t.Errorf("%d accounts, %+v, %v", len(accounts), span, err)
	}
}
