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
		{"the token itself", ownToken},
		{"wrapped SOL is SOL", wrappedSOL},
		{"mints that holders cannot be paid in", badMints},
		{"after too many others", manyRewards},
		{"from SOL to a coin, with arrears", fromSOLToCoin},
		{"from a coin to the token itself and to SOL, with arrears", fromCoinToToken},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, runworld.NewEnv(t).Fixture(t)) })
	}
}

// own is what an owner has of the token.
func own(t *testing.T, w *runworld.Fixture, owner solana.PublicKey) uint64 {
	t.Helper()
	return w.Tokens(t, owner, w.Token.Mint, solana.Token2022ProgramID)
}

func ownToken(t *testing.T, w *runworld.Fixture) {
	asset := terms.Asset(w.Token.Mint)
	w.Token.Settings.RewardToken = w.Token.Mint.String()
	w.Token.Settings.BurnBps, w.Token.Settings.DeveloperFeeBps = 1_000, 900
	creator := holder(t, w, 0).PublicKey()
	w.Token.Settings.DeveloperWallet = creator
	h, small := holder(t, w, 10_000*tokens).PublicKey(), holder(t, w, tokens).PublicKey()
	r := w.Settle(t)
	const spendable = 10_001 * tokens / 20
	same(t, "spendable", r.Split.Spendable, spendable)
	same(t, "burned", r.Burn.Amount, spendable/10)
	same(t, "supply", w.Supply(t), runworld.Supply-r.Burn.Amount)
	same(t, "sold for rewards", r.Exchange.Sold, 0)
	row := paid(t, w, r, asset, h)
	same(t, "the holder's tokens", own(t, w, h), 9_500*tokens+row.Paid-row.Paid/20-1)
	same(t, "stated as arrived", row.Received, row.Paid-row.Paid/20-1)
	first := carried(t, w, r, asset, small, allocation.BelowCost)
	if got := own(t, w, creator); got == 0 || got >= r.Payment.CreatorShare {
		t.Errorf("the creator has %d of %d, less the tax", got, r.Payment.CreatorShare)
	}
	// What is owed stays, and is no tax to be distributed again: that is what was
	// withheld of the payments.
	r2 := w.Settle(t)
	left := r.Closing.Tokens
	held := first.Carried + r.Closing.Remainder[asset]
	same(t, "spendable afterwards", r2.Split.Spendable, left-held+r2.Collecting.Collected)
	if r2.Collecting.Collected == 0 {
		t.Error("the tax of the payments was not collected")
	}
}

func wrappedSOL(t *testing.T, w *runworld.Fixture) {
	w.Token.Settings.RewardToken = solana.WrappedSol.String()
	h := holder(t, w, 1_000*tokens).PublicKey()
	r := w.Settle(t)
	row := paid(t, w, r, terms.SOL, h)
	same(t, "the holder's lamports", w.Lamports(t, h), rentExempt+row.Paid)
	same(t, "the holder's wrapped SOL", w.Tokens(t, h, solana.WrappedSol, solana.TokenProgramID), 0)
	if got := w.Manifest(t, r).Settings.RewardToken; got != terms.RewardSOL {
		t.Errorf("the proof says that the reward is %s", got)
	}
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

// fromSOLToCoin: what is owed in SOL is a leg of its own when the reward is a coin.
func fromSOLToCoin(t *testing.T, w *runworld.Fixture) {
	c := w.Coin(t, 0)
	poor, h := solana.NewWallet().PublicKey(), holder(t, w, 10_000*tokens).PublicKey()
	w.Give(t, poor, 1_000*tokens)
	r := w.Settle(t)
	owed := carried(t, w, r, terms.SOL, poor, allocation.BelowRentFloor)
	over := r.Closing.Remainder[terms.SOL]
	if over == 0 {
		t.Fatal("nothing is left over of the shares, so this shows less than it could")
	}

	w.Token.Settings.RewardToken = c.Mint.String()
	w.Open(t, c, h)
	w.Open(t, c, poor)
	w.Give(t, h, 200_000*tokens)
	r = w.Settle(t)
	if len(r.Payment.Legs) != 2 {
		t.Fatalf("%+v", r.Payment.Legs)
	}
	carried(t, w, r, terms.SOL, poor, allocation.BelowRentFloor)
	row := paid(t, w, r, c.Asset(), poor)
	same(t, "the coins of who is owed SOL", has(t, w, c, poor), row.Paid)
	same(t, "SOL left over still", r.Closing.Remainder[terms.SOL], over)

	w.Pay(t, poor, rentExempt)
	w.Give(t, h, 10_000*tokens)
	r = w.Settle(t)
	row = paid(t, w, r, terms.SOL, poor)
	same(t, "owed in SOL", row.Owed, owed.Carried)
	same(t, "lamports at last", w.Lamports(t, poor), rentExempt+owed.Carried)

	// Nothing but the rest is left of SOL; it is in the shares when that is the reward
	// again.
	w.Token.Settings.RewardToken = terms.RewardSOL
	w.Give(t, h, 10_000*tokens)
	r = w.Settle(t)
	same(t, "shared out", r.Payment.Legs[0].Share, r.Payment.HoldersShare+over)
}

// fromCoinToToken: with the third reward there are three legs.
func fromCoinToToken(t *testing.T, w *runworld.Fixture) {
	c := w.Coin(t, 0)
	asset, token := c.Asset(), terms.Asset(w.Token.Mint)
	w.Token.Settings.RewardToken = c.Mint.String()
	h, small := holder(t, w, 100_000*tokens).PublicKey(), holder(t, w, tokens).PublicKey()
	r := w.Settle(t)
	coins := carried(t, w, r, asset, h, allocation.AccountMissingTooSmall)

	w.Token.Settings.RewardToken = w.Token.Mint.String()
	w.Give(t, h, 100_000*tokens)
	r = w.Settle(t)
	paid(t, w, r, token, h)
	carried(t, w, r, asset, h, allocation.AccountMissingTooSmall)
	tokensOwed := carried(t, w, r, token, small, allocation.BelowCost)

	w.Token.Settings.RewardToken = terms.RewardSOL
	w.Open(t, c, h)
	w.Give(t, h, 100_000*tokens)
	r = w.Settle(t)
	if len(r.Payment.Legs) != 3 {
		t.Fatalf("%+v", r.Payment.Legs)
	}
	row := paid(t, w, r, asset, h)
	same(t, "coins owed", row.Owed, coins.Carried)
	same(t, "coins at last", has(t, w, c, h), row.Owed)
	again := carried(t, w, r, token, small, allocation.BelowCost)
	same(t, "tokens owed", again.Owed, tokensOwed.Carried)
	paid(t, w, r, terms.SOL, h)
}

// owesCoins gives a token whose reward was a coin, of which a holder is owed some that could be
// paid now, and is SOL.
func owesCoins(t *testing.T) (w *runworld.Fixture, c runworld.Coin, h solana.PublicKey, owed allocation.Row) {
	t.Helper()
	w = runworld.NewEnv(t).Fixture(t)
	c = w.Coin(t, 0)
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

// TestANodeThatForgetsWhatIsOwedFreezesNothing: the wallet has the coins, whatever a node says of
// their mint.
func TestANodeThatForgetsWhatIsOwedFreezesNothing(t *testing.T) {
	t.Parallel()
	w, c, h, owed := owesCoins(t)
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
	w, c, h, owed := owesCoins(t)
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
