package run_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/testkit/runworld"
	"tokenlaunch.example/service/pkg/token/terms"
)

// What holders are paid in: the token itself, wrapped SOL, what they cannot be paid
// in, and something else than before.
func TestKindsOfRewards(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		test func(*testing.T, *runworld.Fixture)
	}{
		{"mints that holders cannot be paid in", badMints},
		{"after too many others", manyRewards},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, runworld.NewEnv(t).Fixture(t)) })
	}
}

// own returns an owner's balance of the token.
func own(t *testing.T, w *runworld.Fixture, owner solana.PublicKey) uint64 {
	t.Helper()
	return w.Tokens(t, owner, w.Token.Mint, solana.Token2022ProgramID)
}

func badMints(t *testing.T, w *runworld.Fixture) {
	h := holder(t, w, 1_000*tokens).PublicKey()
	bank := w.Bank.PublicKey()
	// Tags of Token-2022 (TokenInstruction), each with its extension's length.
	const tagDefaultState, tagDelegate, tagHook = 28, 35, 36
	mint := func(freezer solana.PublicKey, space uint64, data ...byte) solana.PublicKey {
		key := solana.NewWallet().PrivateKey
		var extensions []solana.Instruction
		if len(data) > 0 {
			space += 166 + 4
			extensions = append(extensions, solana.NewInstruction(solana.Token2022ProgramID, solana.AccountMetaSlice{solana.Meta(key.PublicKey()).WRITE()}, data))
		}
		w.Make(t, key, freezer, space, extensions...)
		return key.PublicKey()
	}
	hook := append(append([]byte{tagHook, 0}, bank[:]...), solana.VoteProgramID[:]...)
	for _, c := range []struct {
		mint solana.PublicKey
		why  string
	}{
		{mint(solana.PublicKey{}, 64, hook...), "transfer hook"},
		{mint(solana.PublicKey{}, 32, append([]byte{tagDelegate}, bank[:]...)...), "permanent delegate"},
		{mint(bank, 1, tagDefaultState, 0, 2), "default account state"},
		{mint(bank, 82), "freeze"},
		{solana.NewWallet().PublicKey(), "does not exist"},
		{h, "not a token mint"},
	} {
		w.Token.Settings.RewardToken = c.mint.String()
		if why := w.Skip(t, run.CodeReward); !strings.Contains(why, c.why) {
			t.Errorf("the reason is %q, not %q", why, c.why)
		}
	}
	same(t, "tokens collected", own(t, w, w.Token.Wallet.Address), 0)
	w.Token.Settings.RewardToken = terms.RewardSOL
	r := w.Settle(t)
	same(t, "collected when the reward is good again", r.Collecting.Collected, 50*tokens)
	paid(t, w, r, terms.SOL, h)
}

// manyRewards: a creator who changes the reward again and again makes no run of any length.
func manyRewards(t *testing.T, w *runworld.Fixture) {
	h := holder(t, w, 10_000*tokens).PublicKey()
	first := w.Settle(t)
	head := w.Head(t)
	head.Remainder = map[terms.Asset]uint64{}
	for range 16 {
		head.Remainder[terms.Asset(solana.NewWallet().PublicKey())] = 1
	}
	head.LastSlot = head.LastSlot.Add(time.Second)
	first.Slot, first.ID, first.End, first.Version = head.LastSlot, "other", &run.End{Code: run.CodePaused}, 0
	must.Do(t, w.Runs.Open(t.Context(), head, first))
	w.Give(t, h, tokens)
	if why := w.Skip(t, run.CodeReward); !strings.Contains(why, "16 other") {
		t.Errorf("the reason is %q", why)
	}
}

// owesCoins returns a token whose reward was a coin, of which a holder is owed some that could be
// paid now, and is SOL.
func owesCurrencies(t *testing.T) (w *runworld.Fixture, c runworld.Currency, h solana.PublicKey, owed allocation.Row) {
	t.Helper()
	w = runworld.NewEnv(t).Fixture(t)
	c = w.Currency(t, 0)
	w.Token.Settings.RewardToken = c.Mint.String()
	h = holder(t, w, 100_000*tokens).PublicKey()
	owed = carried(t, w, w.Settle(t), c.Asset(), h, allocation.AccountMissingTooSmall)
	w.Token.Settings.RewardToken = terms.RewardSOL
	w.Open(t, c, h)
	return w, c, h, owed
}

// mintless is a node that does not know a mint, some times.
type mintless struct {
	run.Chain

	mint  solana.PublicKey
	times *int
}

func (f mintless) AccountsAt(ctx context.Context, from uint64, addresses ...solana.PublicKey) ([]*onchain.Account, uint64, error) {
	list, slot, err := f.Chain.AccountsAt(ctx, from, addresses...)
	if err == nil && len(addresses) == 1 && addresses[0] == f.mint && *f.times > 0 {
		*f.times--
		list[0] = nil
	}
	return list, slot, err
}

// TestForgetfulNodeFreezesNothing tests that a node without the mint freezes nothing, because the wallet has
// the tokens.
func TestForgetfulNodeFreezesNothing(t *testing.T) {
	t.Parallel()
	w, c, h, owed := owesCurrencies(t)
	times := 2
	w.Prepare = func(worker *runworld.Worker) { worker.Machine.Chain = mintless{worker.Machine.Chain, c.Mint, &times} }
	w.Give(t, h, 100_000*tokens)
	r := w.Settle(t)
	if row := paid(t, w, r, c.Asset(), h); times > 0 || row.Owed != owed.Carried {
		t.Errorf("asked %d times less, %+v", times, row)
	}
}

// TestWhatHoldersCannotBePaidInAnyMoreStaysOwed: the books see that the wallet has it.
func TestWhatHoldersCannotBePaidInAnyMoreStaysOwed(t *testing.T) {
	t.Parallel()
	w, c, h, owed := owesCurrencies(t)
	w.Prepare = func(worker *runworld.Worker) { worker.Machine.Chain = frozenMint{worker.Machine.Chain, c.Mint} }
	for range 2 {
		w.Give(t, h, 100_000*tokens)
		if row := carried(t, w, w.Settle(t), c.Asset(), h, allocation.BelowCost); row.Carried != owed.Carried {
			t.Errorf("of %d is left %+v", owed.Carried, row)
		}
	}
	w.Prepare = nil
	w.Give(t, h, 100_000*tokens)
	paid(t, w, w.Settle(t), c.Asset(), h)
}

// frozenMint is a node by which a mint has an issuer who may freeze accounts.
type frozenMint struct {
	run.Chain

	mint solana.PublicKey
}

func (f frozenMint) AccountsAt(ctx context.Context, from uint64, addresses ...solana.PublicKey) ([]*onchain.Account, uint64, error) {
	list, slot, err := f.Chain.AccountsAt(ctx, from, addresses...)
	if err == nil && len(addresses) == 1 && addresses[0] == f.mint {
		const freezeAuthority = 46 // an option of a key, in a mint
		list[0].Data = slices.Clone(list[0].Data)
		list[0].Data[freezeAuthority], list[0].Data[freezeAuthority+4] = 1, 1
	}
	return list, slot, err
}
