package solanarpc_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/proof/snapshot"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/token2022"
)

// tokenAccount is an account as wallets have it, from the owner on.
func tokenAccount(owner solana.PublicKey, amount, withheld uint64) []byte {
	b := make([]byte, 182-32)
	copy(b, owner[:])
	binary.LittleEndian.PutUint64(b[32:], amount)
	b[76], b[133], b[134], b[138], b[140] = 1, 2, 7, 2, 8
	binary.LittleEndian.PutUint64(b[142:], withheld)
	return b
}

func entryOf(address solana.PublicKey, part []byte) string {
	return fmt.Sprintf(`{"pubkey":%q,"account":{"lamports":2157600,"owner":%q,"data":[%q,"base64"],"executable":false,"rentEpoch":18446744073709551615,"space":182}}`,
		address, solana.Token2022ProgramID, base64.StdEncoding.EncodeToString(part))
}

var (
	scannedMint  = solana.MustPublicKeyFromBase58("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v")
	accountOne   = entryOf(solana.TokenProgramID, tokenAccount(solana.StakeProgramID, 100, 7))
	accountTwo   = entryOf(solana.VoteProgramID, tokenAccount(solana.StakeProgramID, 1<<63, 0))
	notAnAccount = entryOf(solana.ConfigProgramID, make([]byte, 355-32))
	bothAccounts = []snapshot.Account{
		{Address: solana.TokenProgramID, Owner: solana.StakeProgramID, Amount: 100, Withheld: 7},
		{Address: solana.VoteProgramID, Owner: solana.StakeProgramID, Amount: 1 << 63},
	}
)

// taxedMint is the state of a mint whose accounts all have extensions.
var taxedMint = token2022.Mint{
	Program:    solana.Token2022ProgramID,
	Extensions: []token2022.ExtensionType{token2022.ExtensionMetadataPointer, token2022.ExtensionTransferFeeConfig},
}

func scan(ctx context.Context, c *solanarpc.Client, program solana.PublicKey) (list []snapshot.Account, span snapshot.Span, err error) {
	return scanAs(ctx, c, token2022.Mint{Program: program})
}

func scanAs(ctx context.Context, c *solanarpc.Client, state token2022.Mint) (list []snapshot.Account, span snapshot.Span, err error) {
	span, err = c.TokenAccounts(ctx, scannedMint, state, 17, func(a snapshot.Account) error {
		list = append(list, a)
		return nil
	})
	return list, span, err
}

func TestTokenAccounts(t *testing.T) {
	for name, answer := range map[string]string{
		"in the usual order":    `{"jsonrpc":"2.0","result":{"context":{"apiVersion":"4.1.2","slot":18},"value":[` + accountOne + `,` + accountTwo + `]},"id":1}`,
		"with the slot behind":  `{"result":{"value":[` + accountOne + `,` + accountTwo + `],"context":{"slot":18}},"id":1,"jsonrpc":"2.0"}`,
		"with spaces":           `{ "result" : { "context" : { "slot" : 18 } , "value" : [ ` + strings.ReplaceAll(accountOne, ",", " , ") + ` , ` + accountTwo + ` ] } }`,
		"with others among it":  `{"result":{"context":{"slot":18},"value":[` + accountOne + `,` + notAnAccount + `,` + accountTwo + `]}}`,
		"with more than we ask": `{"a":[{"b":1}],"result":{"c":"d","context":{"slot":18,"e":2},"value":[` + accountOne + `,` + accountTwo + `]}}`,
	} {
		list, span, err := scan(t.Context(), newNode(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, answer) }).Client, solana.Token2022ProgramID)
		if err != nil || span != (snapshot.Span{First: 18, Last: 18}) || !slices.Equal(list, bothAccounts) {
			t.Errorf("TokenAccounts(), %s = %+v, %+v, %v; want both accounts in slot 18", name, list, span, err)
		}
	}
}

func TestTokenAccountsRequest(t *testing.T) {
	plain := token2022.Mint{
		Program:    solana.Token2022ProgramID,
		Extensions: []token2022.ExtensionType{token2022.ExtensionMetadataPointer, token2022.ExtensionMintCloseAuthority},
	}
	for name, c := range map[string]struct {
		state  token2022.Mint
		second string
	}{
		"older program":              {token2022.Mint{Program: solana.TokenProgramID}, `,{"dataSize":165}`},
		"accounts with extensions":   {taxedMint, `,{"memcmp":{"bytes":"3","offset":165}}`},
		"accounts of either length":  {plain, ""},
		"mint without any extension": {token2022.Mint{Program: solana.Token2022ProgramID}, ""},
	} {
		var call struct {
			Method string
			Params []any
		}
		n := newNode(t, func(w http.ResponseWriter, r *http.Request) {
			if err := json.NewDecoder(r.Body).Decode(&call); err != nil {
				t.Error(err)
			}
			result(`{"context":{"slot":18},"value":[]}`)(w, r)
		})
		if _, _, err := scanAs(t.Context(), n.Client, c.state); err != nil {
			t.Fatal(err)
		}
		filters := `{"memcmp":{"bytes":"` + scannedMint.String() + `","offset":0}}` + c.second
		want := `["` + c.state.Program.String() + `",{"commitment":"finalized","dataSlice":{"length":1024,"offset":32},"encoding":"base64","filters":[` +
			filters + `],"minContextSlot":17,"withContext":true}]`
		got, err := json.Marshal(call.Params)
		if err != nil || call.Method != "getProgramAccounts" || string(got) != want {
			t.Errorf("%s: requests %s %s, want %s", name, call.Method, got, want)
		}
	}
}

// TestTokenAccountsAreCompleteOrAnError tests that every invalid response is an error that names
// the fault and does not show the node's address.
func TestTokenAccountsAreCompleteOrAnError(t *testing.T) {
	whole := `{"jsonrpc":"2.0","result":{"context":{"slot":18},"value":[` + accountOne + `,` + accountTwo + `]},"id":1}`
	text := func(body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) }
	}
	answers := map[string]http.HandlerFunc{
		"hangs up": hangUp,
		"hangs up in between": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, whole[:500])
			panic(http.ErrAbortHandler)
		},
		"status 502":     status(http.StatusBadGateway),
		"another status": func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusTeapot); text(whole)(w, r) },
		"a redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/"+secret+"/other", http.StatusFound)
		},
		"refused":              refusal(-32010, "excluded from account secondary indexes; ask at "+secret),
		"behind":               refusal(-32016, "Minimum context slot has not been reached"),
		"without a slot":       text(`{"result":[` + accountOne + `]}`),
		"without any context":  text(`{"result":{"value":[` + accountOne + `]}}`),
		"without accounts":     text(`{"result":{"context":{"slot":18}}}`),
		"accounts twice":       text(`{"result":{"context":{"slot":18},"value":[` + accountOne + `],"value":[` + accountOne + `]}}`),
		"no address":           text(`{"result":{"context":{"slot":18},"value":[{"account":{"data":["","base64"]}}]}}`),
		"a second without":     text(`{"result":{"context":{"slot":18},"value":[` + accountOne + `,{"account":{"data":["","base64"]}}]}}`),
		"no data behind one":   text(`{"result":{"context":{"slot":18},"value":[` + accountOne + `,{"pubkey":"11111111111111111111111111111111"}]}}`),
		"a wrong address":      text(`{"result":{"context":{"slot":18},"value":[{"pubkey":"0","account":{"data":["","base64"]}}]}}`),
		"a long address":       text(`{"result":{"context":{"slot":18},"value":[{"pubkey":"` + strings.Repeat("1", 100) + `","account":{"data":["","base64"]}}]}}`),
		"no data":              text(`{"result":{"context":{"slot":18},"value":[{"pubkey":"11111111111111111111111111111111"}]}}`),
		"data not in base64":   text(`{"result":{"context":{"slot":18},"value":[` + strings.ReplaceAll(accountOne, `,"base64"]`, `,"base58"]`) + `]}}`),
		"data that is garbage": text(`{"result":{"context":{"slot":18},"value":[` + strings.ReplaceAll(accountOne, `"data":["`, `"data":["!`) + `]}}`),
		"too much data":        text(`{"result":{"context":{"slot":18},"value":[` + entryOf(solana.TokenProgramID, make([]byte, 2000)) + `]}}`),
		"an endless account":   text(`{"result":{"context":{"slot":18},"value":[{"pubkey":"` + strings.Repeat("1", 5<<20) + `"`),
		"endless spaces":       text(`{"result":{"context":{"slot":18},"value":[` + strings.Repeat(" ", 5<<20)),
		"an endless field":     text(`{"x":"` + strings.Repeat("x", 5<<20)),
	}
	for cut := range len(whole) {
		if cut%7 == 0 || cut > len(whole)-5 {
			answers[fmt.Sprintf("cut off at %d of %d", cut, len(whole))] = text(whole[:cut])
		}
	}
	for name, answer := range answers {
		n := newNode(t, answer)
		_, _, err := scan(t.Context(), n.Client, solana.Token2022ProgramID)
		if err == nil || strings.Contains(err.Error(), secret) {
			t.Errorf("TokenAccounts(), %s: %v, want an error without the secret", name, err)
		}
		if passing := apperr.KindOf(err) == apperr.Unavailable; passing == (name == "refused") {
			t.Errorf("TokenAccounts(), %s: %v, want kind Unavailable unless rejected", name, err)
		}
		if strings.Contains(name, "endless") != strings.Contains(err.Error(), "without an account") && !strings.Contains(name, "cut off") {
			t.Errorf("TokenAccounts(), %s: %v, want that no account came exactly if the list is endless", name, err)
		}
		if n.calls.Load() != 1 {
			t.Errorf("%s: %d calls", name, n.calls.Load())
		}
	}
}

func TestTokenAccountsStopsWithEach(t *testing.T) {
	n := newNode(t, result(`{"context":{"slot":18},"value":[`+accountOne+`,`+accountTwo+`]}`))
	enough := errors.New("enough")
	calls := 0
	_, err := n.TokenAccounts(t.Context(), scannedMint, token2022.Mint{Program: solana.Token2022ProgramID}, 0, func(snapshot.Account) error { calls++; return enough })
	if !errors.Is(err, enough) || calls != 1 {
		t.Errorf("%v after %d accounts", err, calls)
	}
}

// stalling is a node that sends the beginning of a response, or nothing, and then stalls.
type stalling struct {
	said   string
	silent bool
}

func (s stalling) RoundTrip(r *http.Request) (*http.Response, error) {
	if s.silent {
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	return &http.Response{StatusCode: http.StatusOK, Body: &stallingBody{r.Context(), strings.NewReader(s.said)}, Request: r}, nil
}

type stallingBody struct {
	ctx context.Context
	r   io.Reader
}

// Read returns a byte every ten seconds, which is slow and no stall.
func (b *stallingBody) Read(p []byte) (int, error) {
	n, err := b.r.Read(p[:1])
	if err == nil {
		select {
		case <-time.After(10 * time.Second): // of the bubble's clock
			return n, nil
		case <-b.ctx.Done():
			return 0, b.ctx.Err()
		}
	}
	<-b.ctx.Done()
	return 0, b.ctx.Err()
}

func (*stallingBody) Close() error { return nil }

func TestTokenAccountsStall(t *testing.T) {
	client, err := solanarpc.New("http://node/" + secret)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		node  stalling
		after time.Duration
	}{
		"from the beginning": {stalling{silent: true}, 2 * time.Minute},
		"in between":         {stalling{said: `{"result":{"context`}, 19*10*time.Second + 20*time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			_, _, err := scan(t.Context(), client.WithTransport(c.node), solana.Token2022ProgramID)
			if took := time.Since(began); took != c.after || err == nil || !strings.Contains(err.Error(), "stalls") || apperr.KindOf(err) != apperr.Unavailable {
				t.Errorf("%s: %v after %s, want a stall after %s", name, err, took, c.after)
			}
		})
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 15*time.Second)
			defer cancel()
			began := time.Now()
			_, _, err := scan(ctx, client.WithTransport(c.node), solana.Token2022ProgramID)
			if took := time.Since(began); took != 15*time.Second || !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s, with a context that ends: %v after %s", name, err, took)
			}
		})
	}
}

func TestPrograms(t *testing.T) {
	answer := `{"context":{"slot":18},"value":[{"owner":"Stake11111111111111111111111111111111111111","data":["","base64"],"lamports":1},null]}`
	addresses := []solana.PublicKey{solana.TokenProgramID, solana.VoteProgramID}
	got, err := newNode(t, result(answer)).Programs(t.Context(), addresses, 18)
	if err != nil || !slices.Equal(got, []solana.PublicKey{solana.StakeProgramID, solana.SystemProgramID}) {
		t.Errorf("Programs() = %v, %v; want the stake and the system program", got, err)
	}
	if _, err := newNode(t, result(answer)).Programs(t.Context(), addresses, 19); apperr.KindOf(err) != apperr.Unavailable {
		t.Errorf("of a node that is behind: %v", err)
	}
	if _, err := newNode(t, result(answer)).Programs(t.Context(), addresses[:1], 0); apperr.KindOf(err) != apperr.Unavailable {
		t.Errorf("another number of accounts: %v", err)
	}
	if _, err := newNode(t, result(answer)).Programs(t.Context(), make([]solana.PublicKey, 101), 0); err == nil {
		t.Error("more than a node accepts")
	}
	if _, err := newNode(t, refusal(-32602, "no")).Programs(t.Context(), addresses, 0); err == nil {
		t.Error("rejected, and no error")
	}
}

// FuzzTokenAccounts tests that invalid JSON is an error, and that no account is invented.
func FuzzTokenAccounts(f *testing.F) {
	f.Add([]byte(`{"result":{"context":{"slot":18},"value":[` + accountOne + `,` + accountTwo + `]}}`))
	f.Add([]byte(`{"result":{"value":[` + accountOne + `],"context":{"slot":1}},"result":{}}`))
	f.Add([]byte(`{"error":{"code":1,"message":"m"}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		client, err := solanarpc.New("http://node/")
		if err != nil {
			t.Fatal(err)
		}
		list, _, err := scan(t.Context(), client.WithTransport(canned(body)), solana.Token2022ProgramID)
		if err != nil {
			return
		}
		var whole struct{ Result json.RawMessage }
		if err := json.NewDecoder(bytes.NewReader(body)).Decode(&whole); err != nil || len(list) > bytes.Count(bytes.ToLower(body), []byte("data")) && !bytes.Contains(body, []byte(`\\`)) {
			t.Errorf("%d accounts of %s: %v", len(list), body, err)
		}
	})
}

// canned is a node that answers this.
type canned []byte

func (c canned) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(string(c))), Request: r}, nil
}
