package main_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	endpoint "tokenlaunch.example/service/pkg/api/endpoint/guardian"
	main "tokenlaunch.example/service/pkg/client/tokenlaunch"
	"tokenlaunch.example/service/pkg/distribution/guardian"
	"tokenlaunch.example/service/pkg/platform/secret"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/creation"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/localnet"
)

// guardianOf is a guardian's key, memory and confirmed view of a chain.
type guardianOf struct {
	*solanarpc.Client

	key   solana.PrivateKey
	noted guardian.Noted
}

func (g *guardianOf) AccountsAt(ctx context.Context, from uint64, addresses ...solana.PublicKey) ([]*onchain.Account, uint64, error) {
	list := make([]*onchain.Account, len(addresses))
	for n, a := range addresses {
		if stored, found, err := g.Account(ctx, a); err != nil {
			return nil, 0, err
		} else if found {
			list[n] = &stored
		}
	}
	return list, from, nil
}

func (g *guardianOf) PublicKey(context.Context) ([32]byte, error) { return g.key.PublicKey(), nil }

func (g *guardianOf) Sign(_ context.Context, message []byte) ([64]byte, error) {
	return [64]byte(ed25519.Sign(ed25519.PrivateKey(g.key), message)), nil
}

func (g *guardianOf) Newest(context.Context, solana.PublicKey) (guardian.Noted, error) {
	return g.noted, nil
}

func (g *guardianOf) Save(_ context.Context, _ solana.PublicKey, n guardian.Noted) error {
	g.noted = n
	g.noted.Version++
	return nil
}

// TestCreatorAndGuardianMoveTheAuthority launches a token with a guardian, and orders, cancels, orders
// again and carries out the hand-over, with a guardian and a node, and without the service.
func TestCreatorAndGuardianMoveTheAuthority(t *testing.T) {
	ledger := localnet.Chain(t)
	node, err := solanarpc.New(ledger.RPCURL)
	check(t, err)
	creator, mint, heir := solana.NewWallet().PrivateKey, solana.NewWallet().PrivateKey, solana.NewWallet().PublicKey()
	asked := &guardianOf{Client: node, key: solana.NewWallet().PrivateKey}
	ledger.Fund(t, creator.PublicKey().String(), 2*solana.LAMPORTS_PER_SOL)
	plan := creation.Creation{
		Payer: creator.PublicKey(), Mint: mint.PublicKey(), DistributionWallet: solana.NewWallet().PublicKey(), Guardian: asked.key.PublicKey(),
		Name: "Moved", Symbol: "MVD", URI: "https://example.com/moved.json", Decimals: 6, Supply: 1_000_000, TransferFeeBps: 250, FundingLamports: 1_000_000,
	}
	plan.MintRentLamports, err = node.MinimumBalance(t.Context(), token2022.MintSize(plan.Name, plan.Symbol, plan.URI))
	check(t, err)
	plan.MultisigRentLamports, err = node.MinimumBalance(t.Context(), token2022.MultisigSize)
	check(t, err)
	steps, err := plan.Steps()
	check(t, err)
	var launch []solana.Instruction
	for _, s := range steps {
		launch = append(launch, s.Instruction)
	}
	recent, err := node.LatestBlockhash(t.Context())
	check(t, err)
	message, err := wire.Compile(creator.PublicKey(), recent, launch)
	check(t, err)
	tx := wire.NewTransaction(message)
	check(t, tx.Sign(ed25519.PrivateKey(creator)))
	check(t, tx.Sign(ed25519.PrivateKey(mint)))
	check(t, node.Execute(t.Context(), tx.Bytes()))

	now := time.Now().UTC()
	const delay = 7 * 24 * time.Hour
	server := httptest.NewServer(endpoint.Endpoint{
		Core:  guardian.Core{Key: asked, Chains: []guardian.Chain{asked}, Orders: asked, Delay: delay, Now: func() time.Time { return now }},
		Token: secret.Fixed("unused"), Log: slog.New(slog.DiscardHandler),
	})
	defer server.Close()
	content, err := json.Marshal(numbers(creator))
	check(t, err)
	key := filepath.Join(t.TempDir(), "key.json")
	check(t, os.WriteFile(key, content, 0o600))
	guarded := func(arguments ...string) (code int, said string) {
		t.Helper()
		var out, errs bytes.Buffer
		arguments = append(append([]string{"--key", key, "guarded"}, arguments...), "--guardian", server.URL)
		code = main.Run(t.Context(), arguments, strings.NewReader(""), &out, &errs)
		return code, out.String() + errs.String()
	}
	expect := func(want int, text string, arguments ...string) {
		t.Helper()
		if code, said := guarded(arguments...); code != want || !strings.Contains(said, text) {
			t.Errorf("guarded %v: %d\n%s\nwant %d with %q", arguments, code, said, want, text)
		}
	}
	of := mint.PublicKey().String()
	expect(0, "none", "show", of)
	expect(1, "no hand-over", "cancel", of, "--yes")
	expect(1, "no hand-over", "move", of, "--yes", "--rpc", ledger.RPCURL)
	expect(0, "Order: 1", "order", of, heir.String(), "--yes")
	expect(0, "cancelled", "cancel", of, "--yes")
	expect(0, heir.String(), "order", of, heir.String(), "--yes")
	expect(1, "can be signed from", "move", of, "--yes", "--rpc", ledger.RPCURL)
	now = now.Add(delay + time.Hour)
	noted := asked.noted
	asked.noted.To = creator.PublicKey() // a guardian that names another address
	expect(1, "not yours", "move", of, "--yes", "--rpc", ledger.RPCURL)
	asked.noted = noted
	expect(2, "at most 10000000 lamports", "move", of, "--yes", "--rpc", ledger.RPCURL, "--priority-fee", "10000001")
	before, err := node.Balance(t.Context(), creator.PublicKey())
	check(t, err)
	const signatures, priority = 2 * 5_000, 40_000
	expect(0, "new authority", "move", of, "--yes", "--rpc", ledger.RPCURL, "--priority-fee", strconv.Itoa(priority))
	after, err := node.Balance(t.Context(), creator.PublicKey())
	if paid := before - after; err != nil || paid <= signatures || paid > signatures+priority {
		t.Errorf("the move cost %d lamports, %v; want more than %d and at most %d", paid, err, signatures, signatures+priority)
	}
	stored, _, err := node.Account(t.Context(), mint.PublicKey())
	check(t, err)
	state, err := token2022.DecodeMint(stored.Owner, stored.Data)
	if err != nil || state.TransferFee.WithdrawWithheldAuthority != heir {
		t.Errorf("the authority is %s, %v; want %s", state.TransferFee.WithdrawWithheldAuthority, err, heir)
	}
	expect(1, "was handed over", "move", of, "--yes", "--rpc", ledger.RPCURL)
}

// numbers has a key as solana-keygen writes it.
func numbers(key solana.PrivateKey) (list []int) {
	for _, b := range key {
		list = append(list, int(b))
	}
	return list
}
