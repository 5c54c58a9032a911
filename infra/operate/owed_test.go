package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/ledgertable"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/localnet/surfpool"
	"tokenlaunch.example/service/pkg/token/terms"
)

// The key of the wallets may end when the command ends well: its output has the debts of the ledger
// and the amounts on the chain, of hidden tokens too.
func TestOwedSaysWhetherTheKeyMayEnd(t *testing.T) {
	local, chain := localnet.AWS(t), localnet.Chain(t)
	chain.CreateMints(t)
	db := dynamo.New(local.Config(t.Context()))
	tokens, ledger := local.CreateTable(t, schema.Launch), ledgertable.Runs{Client: db, Table: local.CreateTable(t, schema.Ledger), Now: time.Now}
	s := deployWith(t, "wound-down", map[string]string{"LaunchTableName": tokens, "LedgerTableName": ledger.Table})
	t.Setenv("RPC_URL", chain.RPCURL)
	execute := func(arguments ...string) (string, error) {
		t.Helper()
		do, err := parse(arguments)
		s.must(err)
		var out bytes.Buffer
		err = do(t.Context(), s.config, &out)
		return out.String(), err
	}
	owed := func() (string, error) { t.Helper(); return execute("owed", s.name) }

	token := func(mint, wallet solana.PublicKey) {
		t.Helper()
		item := dynamo.Key(schema.Tokens+mint.String(), "TOKEN")
		item["mint"], item["creator"], item["walletAddress"] = dynamo.Binary(mint[:]), dynamo.Binary(mint[:]), dynamo.Binary(wallet[:])
		item["decimals"], item["status"] = dynamo.Number(6), dynamo.Text("confirmed")
		_, err := db.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &tokens, Item: item})
		s.must(err)
	}
	settled, settledWallet := solana.NewWallet().PublicKey(), solana.NewWallet().PublicKey()
	token(settled, settledWallet)
	chain.Fund(t, settledWallet.String(), 20_000_000)
	text, err := owed()
	if err != nil || !strings.Contains(text, "owes nothing") || !strings.Contains(text, "0.02 SOL") || !strings.Contains(text, "0 of 1 tokens") {
		t.Errorf("%v:\n%s", err, text)
	}

	mint, wallet := solana.NewWallet().PublicKey(), solana.NewWallet().PublicKey()
	token(mint, wallet)
	chain.Fund(t, wallet.String(), 1_500_000_000)
	chain.FundToken(t, wallet.String(), surfpool.USDC, 7_000_000, solana.TokenProgramID.String())
	dollars, err := terms.ParseAsset(surfpool.USDC)
	s.must(err)
	s.must(ledger.SaveHead(t.Context(), run.Head{
		Mint: mint, Frozen: "books do not balance", Unsold: 2_500_000,
		Debts: run.Debts{
			Owed:        map[terms.Asset]uint64{terms.SOL: 1_250_000_000, dollars: 6_999_999},
			CreatorOwed: map[terms.Asset]uint64{terms.SOL: 5},
			Reserved:    map[terms.Asset]uint64{terms.SOL: 3},
		},
	}))
	text, err = owed()
	if !errors.Is(err, errOwed) {
		t.Errorf("%v, want %v", err, errOwed)
	}
	for _, want := range []string{
		"frozen: books do not balance", "2.5 tokens to be sold", "1.25 SOL owed to holders", "6999999 base units of " + surfpool.USDC + " owed to holders",
		"0.000000005 SOL owed to the creator", "0.000000003 SOL undecided", wallet.String() + " holds 1.5 SOL, 7000000 base units of " + surfpool.USDC,
		"1 of 2 tokens owe something; their wallets hold 1.52 SOL",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}

	// What hangs on the wallets of tokens that were wound down.
	text, err = execute("wind-down", "-check", s.name, "all")
	if !errors.Is(err, errOwed) || !strings.Contains(text, "20000000 lamports") || !strings.Contains(text, "2 of 2 tokens need the wallets' key") {
		t.Errorf("%v:\n%s", err, text)
	}
	empty := solana.NewWallet().PublicKey()
	token(empty, solana.NewWallet().PublicKey())
	if text, err = execute("wind-down", "-check", s.name, empty.String()); err != nil || !strings.Contains(text, "0 of 1 tokens") {
		t.Errorf("%v:\n%s", err, text)
	}
}
