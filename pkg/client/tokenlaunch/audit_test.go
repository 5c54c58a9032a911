package main_test

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/peertest"
)

// told has the fields of an audit's JSON that these tests read.
type told struct {
	Mint     string
	Decimals int
	History  struct{ Complete bool }
	Supply   struct{ AtCreation, Minted, Burned, Now string }
	Tax      struct {
		Withheld, ByBalances, Stated, Computed, Harvested, Withdrawn, OnMint, InAccounts string
		InAccountsListed                                                                 bool
	}
	Withdrawals    []struct{ From, Authority, Account, Owner, Amount, Basis string }
	Destinations   []struct{ Account, Owner, Withdrawn, Left, Still string }
	FirstMovements []struct{ Account, Owner, Authority, Way, To, Amount string }
	Checks         []struct{ Name, Verdict, Detail string }
	CannotBeKnown  []string
}

// The command reports on mints that the official clients made and used, with no part of
// ours, to the unit.
func TestAuditOfMintsByOtherClients(t *testing.T) {
	for _, client := range []string{"kit", "web3"} {
		t.Run(client, func(t *testing.T) {
			chain := localnet.Chain(t)
			payer, payerSecret := funded(t, chain)
			collector, collectorSecret := funded(t, chain)
			made := peertest.Audit(t, client, chain.RPCURL, payerSecret, collectorSecret)
			chain.PassSlots(t, 40) // so that all is finalized

			got := say(t, "", "--json", "audit", made.Mint, "--rpc", chain.RPCURL)
			var r told
			if err := json.Unmarshal([]byte(got.out), &r); err != nil || got.code != 0 || got.errs != "" {
				t.Fatalf("audit = %+v, %v; want a report", got, err)
			}
			want := told{Mint: made.Mint, Decimals: 4, Checks: r.Checks, CannotBeKnown: r.CannotBeKnown}
			want.History.Complete = true
			want.Supply.AtCreation, want.Supply.Minted, want.Supply.Burned, want.Supply.Now = "1000000", "0", "300", "999700"
			x := &want.Tax
			x.Withheld, x.ByBalances, x.Stated, x.Computed = "9815", "9515", "300", "0"
			x.Harvested, x.Withdrawn, x.OnMint, x.InAccounts, x.InAccountsListed = "1800", "4800", "0", "5015", true
			want.Withdrawals = append(r.Withdrawals[:0:0],
				struct{ From, Authority, Account, Owner, Amount, Basis string }{"mint", payer, made.Account, collector, "1800", "balances"},
				struct{ From, Authority, Account, Owner, Amount, Basis string }{"accounts", collector, made.Account, collector, "3000", "balances"})
			want.Destinations = append(r.Destinations[:0:0],
				struct{ Account, Owner, Withdrawn, Left, Still string }{made.Account, collector, "4800", "800", "4000"})
			want.FirstMovements = append(r.FirstMovements[:0:0],
				struct{ Account, Owner, Authority, Way, To, Amount string }{made.Account, collector, payer, "transferred", made.Holder, "500"},
				struct{ Account, Owner, Authority, Way, To, Amount string }{made.Account, collector, payer, "burned", "", "300"})
			if !reflect.DeepEqual(r, want) {
				t.Errorf("%+v\nwant %+v", r, want)
			}
			if len(r.Checks) != 8 || len(r.CannotBeKnown) == 0 {
				t.Errorf("%d checks, unknown %q", len(r.Checks), r.CannotBeKnown)
			}
			for _, c := range r.Checks {
				if c.Verdict != "agrees" {
					t.Errorf("check = %+v, want agrees", c)
				}
			}

			got = say(t, "", "audit", made.Mint, "--rpc", chain.RPCURL)
			for _, words := range []string{
				"0.9815 by 5 transfers", "0.48 in 2 withdrawals", "0.5015 in accounts, as the node lists them; 0 on the mint",
				"3%, at most 0.5 a transfer", "since the mint's creation", "withdraw authority", made.Holder, "Cannot be known:\n- ", "one node's word",
			} {
				if !strings.Contains(got.out, words) {
					t.Errorf("%q is missing in:\n%s", words, got.out)
				}
			}
			if lines := strings.Count(got.out, "\n"); got.code != 0 || lines > 45 {
				t.Errorf("code %d, %d lines", got.code, lines)
			}
			t.Log("\n" + got.out)
		})
	}
}

// funded returns a wallet with a SOL, and its secret key in base64.
func funded(t *testing.T, chain *localnet.Ledger) (address, secret string) {
	t.Helper()
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	address = solana.PublicKeyFromBytes(public).String()
	chain.Fund(t, address, 1_000_000_000)
	return address, base64.StdEncoding.EncodeToString(private)
}

// Mints that cannot be audited are reported with the reason, and a usage error before any request
// to a node.
func TestAuditRefuses(t *testing.T) {
	const mint = "So11111111111111111111111111111111111111112"
	none := answering(t, http.StatusOK, `{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":5},"value":null}}`)
	for _, c := range []struct {
		code      int
		arguments []string
		says      string
	}{
		{2, []string{"audit"}, "expected"},
		{2, []string{"audit", "me"}, "the mint: \"me\" is not an address"},
		{2, []string{"audit", mint, "--rpc", "localhost"}, "--rpc:"},
		{1, []string{"audit", mint, "--rpc", none}, "no Token-2022 mint with a transfer fee"},
	} {
		if got := say(t, "", c.arguments...); got.code != c.code || got.out != "" || !strings.Contains(got.errs, c.says) {
			t.Errorf("%v: %+v, want %q", c.arguments, got, c.says)
		}
	}
}
