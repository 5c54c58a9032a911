package jupiter_test

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token/terms"
)

// tail is the end of the swap instruction's data.
func tail(amount, quoted uint64, slippage uint16, fee byte) []byte {
	b := binary.LittleEndian.AppendUint64(nil, amount)
	b = binary.LittleEndian.AppendUint64(b, quoted)
	return append(binary.LittleEndian.AppendUint16(b, slippage), fee)
}

func TestSwapRejections(t *testing.T) {
	const (
		in        = "HeuimDygvTF8p91VaGFf8BuQ9rF8xVVPHNHmFovGq29M"
		wrapped   = "6SJUqJfAoJVm1P2UM6PckZyLkmSy8vYP6cRPcj2aBvYW"
		usdcThere = "JCDPHSwRAzbPH6ECYnSMETHvEKpfujTEESzisrH3QxtV"
		elsewhere = "8GMktrTPB9xJtF4qHS9Qm36VEJksc92bsML5kemn9oQY"
	)
	type answer = map[string]any
	swapOf := func(a answer) answer { return a["swapInstruction"].(answer) }
	account := func(i int, key string) func(answer) {
		return func(a answer) { swapOf(a)["accounts"].([]any)[i].(answer)["pubkey"] = key }
	}
	data := func(end []byte) func(answer) {
		return func(a answer) {
			raw, err := base64.StdEncoding.DecodeString(swapOf(a)["data"].(string))
			must.Do(t, err)
			swapOf(a)["data"] = base64.StdEncoding.EncodeToString(append(raw[:len(raw)-19], end...))
		}
	}
	const amount, quoted = 5_000_000_000, 123_456_789
	tests := []struct {
		name   string
		of     string // sol or usdc
		change func(answer)
		good   bool
	}{
		{"as it comes", "sol", func(answer) {}, true},
		{"as it comes", "usdc", func(answer) {}, true},
		{"less slippage", "sol", data(tail(amount, quoted, 100, 0)), true},
		{"sells more", "sol", data(tail(amount+1, quoted, 300, 0)), false},
		{"brings less", "sol", data(tail(amount, quoted-1, 300, 0)), false},
		{"more slippage", "sol", data(tail(amount, quoted, 301, 0)), false},
		{"more slippage than there is", "sol", data(tail(amount, quoted, 20_000, 0)), false},
		{"a fee", "sol", data(tail(amount, quoted, 300, 1)), false},
		{"short data", "sol", func(a answer) { swapOf(a)["data"] = "5RfLl3rjrSo=" }, false},
		{"another kind", "sol", func(a answer) { swapOf(a)["data"] = "0DPvl3sr7VwBAAAAPQBkAAEA8gUqAQAAABXNWwcAAAAALAEA" }, false},
		{"another program", "sol", func(a answer) { swapOf(a)["programId"] = elsewhere }, false},
		{"another authority", "sol", account(1, elsewhere), false},
		{"from elsewhere", "sol", account(2, elsewhere), false},
		{"from another of our accounts", "sol", account(2, wrapped), false},
		{"to elsewhere", "sol", account(3, elsewhere), false},
		{"finally to another account", "sol", account(4, elsewhere), false},
		{"finally to our account", "sol", account(4, wrapped), true},
		{"another token", "sol", account(5, elsewhere), false},
		{"a fee account", "sol", account(6, elsewhere), false},
		{"another authority", "usdc", account(2, elsewhere), false},
		{"from elsewhere", "usdc", account(3, elsewhere), false},
		{"to elsewhere", "usdc", account(6, elsewhere), false},
		{"to the account of another token", "usdc", account(6, in), false},
		{"our account", "usdc", account(6, usdcThere), true},
		{"another token", "usdc", account(8, elsewhere), false},
		{"a fee account", "usdc", account(9, elsewhere), false},
		{"too few accounts", "usdc", func(a answer) { swapOf(a)["accounts"] = swapOf(a)["accounts"].([]any)[:9] }, false},
		{"a tip", "sol", func(a answer) { a["otherInstructions"] = []any{a["cleanupInstruction"]} }, false},
		{"a second route", "sol", func(a answer) { a["setupInstructions"] = []any{a["swapInstruction"]} }, false},
		{"a route at the end", "sol", func(a answer) { a["cleanupInstruction"] = a["swapInstruction"] }, false},
		{"a ledger", "sol", func(a answer) { a["tokenLedgerInstruction"] = a["cleanupInstruction"] }, false},
	}
	for _, test := range tests {
		t.Run(test.of+" "+test.name, func(t *testing.T) {
			var changed answer
			must.Do(t, json.Unmarshal([]byte(file(t, "swap-"+test.of+".json")), &changed))
			test.change(changed)
			text, err := json.Marshal(changed)
			must.Do(t, err)
			output := map[string]terms.Asset{"sol": terms.SOL, "usdc": usdc}[test.of]
			client := play(t, &player{answers: []string{file(t, "quote-"+test.of+".json"), string(text)}})
			q, err := client.Quote(t.Context(), order(output))
			must.Do(t, err)
			_, err = client.Swap(t.Context(), q)
			if test.good {
				must.Do(t, err)
			} else if reason := reasonOf(t, err); reason != exchange.Unsafe && (test.name != "another kind" || reason != exchange.Unreadable) {
				t.Errorf("Swap(): reason %q, %v; want Unsafe", reason, err)
			}
		})
	}
}

// changed returns the swap of SOL with another swap instruction.
func changed(t *testing.T, change func(swap map[string]any)) string {
	t.Helper()
	var a map[string]any
	must.Do(t, json.Unmarshal([]byte(file(t, "swap-sol.json")), &a))
	change(a["swapInstruction"].(map[string]any))
	text, err := json.Marshal(a)
	must.Do(t, err)
	return string(text)
}

// long returns the swap of SOL with more accounts than fit.
func long(t *testing.T) string {
	t.Helper()
	return route(t, 40, 0)
}

func TestSwapRetriesOversizedRoute(t *testing.T) {
	quote := file(t, "quote-sol.json")
	// The smaller route brings less; with less slippage it keeps the minimum.
	worse := func(out, minimum string, slippage int) string {
		return strings.NewReplacer(`"123456789"`, `"`+out+`"`, `"119753085"`, `"`+minimum+`"`,
			`"slippageBps": 300`, fmt.Sprintf(`"slippageBps": %d`, slippage)).Replace(quote)
	}
	tests := []struct {
		name    string
		answers []string
		asked   []string // the slippage of each quote that is asked for
		reason  exchange.Reason
		away    bool
	}{
		{"a smaller one as good", []string{quote, long(t), quote, file(t, "swap-sol.json")}, []string{"300", "300"}, "", false},
		{"one with less slippage", []string{
			quote, long(t), worse("122000000", "118340000", 300), worse("122000000", "119755200", 184),
			withData(t, tail(5_000_000_000, 122_000_000, 184, 0)),
		}, []string{"300", "300", "184"}, "", false},
		{"a route with too little output", []string{quote, long(t), worse("119753084", "116160491", 300)}, []string{"300", "300"}, exchange.TooLarge, false},
		{"a route with a falling price", []string{
			quote, long(t), worse("122000000", "118340000", 300), worse("121000000", "118773600", 184),
		}, []string{"300", "300", "184"}, exchange.TooLarge, false},
		{"no smaller route fits", []string{quote, long(t), quote, long(t)}, []string{"300", "300"}, exchange.TooLarge, false},
		{"Jupiter is away meanwhile", []string{quote, long(t), "<html>"}, []string{"300", "300"}, "", true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := &player{answers: test.answers}
			client := play(t, p)
			q, err := client.Quote(t.Context(), order(terms.SOL))
			must.Do(t, err)
			s, err := client.Swap(t.Context(), q)
			switch {
			case test.away:
				if apperr.KindOf(err) != apperr.Unavailable {
					t.Error(err)
				}
			case test.reason != "":
				if reason := reasonOf(t, err); reason != test.reason {
					t.Errorf("Swap(): reason %q, %v; want %q", reason, err, test.reason)
				}
			default:
				must.Do(t, err)
				if s.Quote.MinimumOut < q.MinimumOut {
					t.Errorf("the minimum was %d and is %d", q.MinimumOut, s.Quote.MinimumOut)
				}
				check(t, s)
			}
			var asked []string
			for _, call := range p.calls {
				if strings.HasSuffix(call.Path, "/quote") {
					asked = append(asked, call.Query().Get("slippageBps"))
				}
			}
			if fmt.Sprint(asked) != fmt.Sprint(test.asked) {
				t.Errorf("requested with a slippage of %v, want %v", asked, test.asked)
			}
		})
	}
}

// The requested routes fit next to a receipt: the first when four of its
// accounts are named anyway, and not with one more; the smaller one when none is.
func TestRequestedRoutesFit(t *testing.T) {
	quote := file(t, "quote-sol.json")
	p := &player{answers: []string{quote, long(t), quote, file(t, "swap-sol.json")}}
	client := play(t, p)
	q, err := client.Quote(t.Context(), order(terms.SOL))
	must.Do(t, err)
	_, err = client.Swap(t.Context(), q)
	must.Do(t, err)
	asked := func(call int) int {
		n, err := strconv.Atoi(p.calls[call].Query().Get("maxAccounts"))
		must.Do(t, err)
		return n
	}
	const again = 4
	for _, test := range []struct {
		name       string
		new, again int
		fits       bool
	}{
		{"first", asked(0) - again, again, true},
		{"first and an account more", asked(0) - again + 1, again, false},
		{"smaller", asked(2), 0, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			answer := route(t, test.new, test.again)
			client := play(t, &player{answers: []string{answer, quote, answer}})
			s, err := client.Swap(t.Context(), q)
			if test.fits {
				must.Do(t, err)
				check(t, s)
			} else if reason := reasonOf(t, err); reason != exchange.TooLarge {
				t.Errorf("Swap(): reason %q, %v; want TooLarge", reason, err)
			}
		})
	}
}

// route returns the swap of SOL by a pool that names n further accounts, and repeats the first
// accounts of the swap.
func route(t *testing.T, n, again int) string {
	t.Helper()
	const own = 9 // accounts of the instruction itself
	return changed(t, func(swap map[string]any) {
		list := swap["accounts"].([]any)[:own]
		list = append(list, list[:again]...)
		for i := range n {
			key := solana.PublicKey{0xee, byte(i)}
			list = append(list, map[string]any{"pubkey": key.String(), "isSigner": false, "isWritable": true})
		}
		swap["accounts"] = list
	})
}

// withData returns the swap of SOL whose instruction ends differently.
func withData(t *testing.T, end []byte) string {
	t.Helper()
	return changed(t, func(swap map[string]any) {
		raw, err := base64.StdEncoding.DecodeString(swap["data"].(string))
		must.Do(t, err)
		swap["data"] = base64.StdEncoding.EncodeToString(append(raw[:len(raw)-len(end)], end...))
	})
}
