package launchpad_test

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/market/launchpad"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/testkit/figures"
	"tokenlaunch.example/service/pkg/testkit/localnet/dex"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token"
)

func (w *fixture) fees(t *testing.T, mint solana.PublicKey) launchpad.Fees {
	t.Helper()
	f, err := w.service.Fees(t.Context(), mint)
	must.Do(t, err)
	return f
}

// opened creates a curve that is on the chain, with or without a lock.
func (w *fixture) opened(t *testing.T, creator solana.PrivateKey, locked bool) (solana.PublicKey, launchpad.Created) {
	t.Helper()
	mint := w.mint(t, creator, taxBps)
	d := draft(mint)
	d.Locked = locked
	created, err := w.service.Create(t.Context(), creator.PublicKey(), d)
	must.Do(t, err)
	w.land(t, created.Transaction, creator)
	w.deploy(t, created, w.now)
	return mint, created
}

// claims lets a wallet claim all fees, and checks that just what was said arrived, and that
// the sums are those of before and that.
func (w *fixture) claims(t *testing.T, key solana.PrivateKey, mint solana.PublicKey) {
	t.Helper()
	wallet, due := key.PublicKey(), w.fees(t, mint)
	claim, err := w.service.ClaimFees(t.Context(), wallet, mint)
	must.Do(t, err)
	if !claim.Simulation.OK || claim.Lamports != due.ClaimableLamports || claim.Tokens != due.ClaimableTokens {
		t.Fatalf("%d and %d of %+v: %+v", claim.Lamports, claim.Tokens, due, claim.Simulation)
	}
	figures.Show(t, "a claim of fees: %d bytes, %d compute units", len(claim.Transaction), claim.Simulation.ComputeUnits)
	before, held := w.lamports(t, wallet), w.tokens(t, wallet, mint)
	w.land(t, claim.Transaction, key)
	if got := w.lamports(t, wallet) + claim.Cost.Total() - before; got != due.ClaimableLamports {
		t.Errorf("%d lamports arrived of %d", got, due.ClaimableLamports)
	}
	tax := (due.ClaimableTokens*taxBps + 9_999) / 10_000
	if got := w.tokens(t, wallet, mint) - held; got != due.ClaimableTokens-tax {
		t.Errorf("%d tokens arrived of %d", got, due.ClaimableTokens)
	}
	due.ClaimedLamports, due.ClaimedTokens = due.ClaimedLamports+due.ClaimableLamports, due.ClaimedTokens+due.ClaimableTokens
	due.ClaimableLamports, due.ClaimableTokens = 0, 0
	if after := w.fees(t, mint); after != due {
		t.Errorf("after the claim %+v, want %+v", after, due)
	}
	_, err = w.service.ClaimFees(t.Context(), wallet, mint)
	refused(t, "a second claim", err, apperr.Invalid, "nothing_to_claim")
}

// TestRealTradingFees tests that a curve's position, locked or not, earns the fees in its status,
// to the unit, and that only its creator can claim them, before the target and after.
func TestRealTradingFees(t *testing.T) {
	for name, locked := range map[string]bool{"locked": true, "not locked": false} {
		t.Run(name, func(t *testing.T) {
			w := newFixture(t, dex.Chain(t))
			creator, stranger := w.wallet(t), w.wallet(t)
			mint, created := w.opened(t, creator, locked)
			if f := w.fees(t, mint); f != (launchpad.Fees{}) {
				t.Errorf("before a trade: %+v", f)
			}
			_, err := w.service.ClaimFees(t.Context(), creator.PublicKey(), mint)
			refused(t, "a claim before a trade", err, apperr.Invalid, "nothing_to_claim")

			w.buys(t, mint, 77_000_000_000_001)
			w.buys(t, mint, 3)
			w.sells(t, creator, mint)
			// The program keeps a fifth, and its sum for each unit of liquidity rounds down.
			earned := w.pool(t, mint).LPFeesB.Uint64()
			if f := w.fees(t, mint); f.ClaimableLamports == 0 || f.ClaimableLamports > earned || f.ClaimableLamports+dust < earned || f.ClaimableTokens != 0 {
				t.Errorf("%+v, and the pool earned %d", f, earned)
			}
			w.refusesStrangers(t, stranger, mint, created)
			w.claims(t, creator, mint)

			w.buys(t, mint, 1_000_000_000)
			w.record(t, mint, token.CurveCompleted, market.Index{})
			w.claims(t, creator, mint)
		})
	}
}

// refusesStrangers checks that neither the service nor the program pays a third party.
func (w *fixture) refusesStrangers(t *testing.T, stranger solana.PrivateKey, mint solana.PublicKey, created launchpad.Created) {
	t.Helper()
	before := w.fees(t, mint)
	wallet := stranger.PublicKey()
	_, err := w.service.ClaimFees(t.Context(), wallet, mint)
	refused(t, "a stranger's claim", err, apperr.Forbidden, "not_curve_creator")

	at, err := meteora.Addresses(mint, solana.WrappedSol, created.Curve.NFTMint)
	must.Do(t, err)
	side := meteora.PositionSide{Accounts: at, Owner: wallet, TokenMint: mint}
	open, tokens, err := token2022.CreateAssociatedIdempotent{Payer: wallet, Wallet: wallet, Mint: mint}.Instruction()
	must.Do(t, err)
	wrap, wrapped, err := token2022.CreateAssociatedIdempotent{
		Payer: wallet, Wallet: wallet, Mint: solana.WrappedSol, Program: solana.TokenProgramID,
	}.Instruction()
	must.Do(t, err)
	w.execute(t, []solana.Instruction{open, wrap}, stranger)
	side.OwnerToken, side.OwnerSOL = tokens, wrapped
	own := side // with an account of their own for the position NFT, which is empty
	openNFT, empty, err := token2022.CreateAssociatedIdempotent{Payer: wallet, Wallet: wallet, Mint: created.Curve.NFTMint}.Instruction()
	must.Do(t, err)
	w.execute(t, []solana.Instruction{openNFT}, stranger)
	own.PositionNFTAccount = empty
	for what, s := range map[string]meteora.PositionSide{"the creator's account": side, "an empty account": own} {
		if err := w.try(t, []solana.Instruction{meteora.ClaimPositionFee{PositionSide: s}.Instruction()}, stranger); err == nil || !strings.Contains(err.Error(), "refused with error 0x7d") {
			t.Errorf("the program on a stranger, with %s: %v", what, err)
		}
	}
	if after := w.fees(t, mint); after != before {
		t.Errorf("after a stranger's claims: %+v, before: %+v", after, before)
	}
}

// TestRealFeesFollowThePosition tests that the holder of the position NFT claims, with or without
// an account for the token or for wrapped SOL; a cancellation pays the rest out.
func TestRealFeesFollowThePosition(t *testing.T) {
	w := newFixture(t, dex.Chain(t))
	creator, heir := w.wallet(t), w.wallet(t)
	mint, created := w.opened(t, creator, false)
	w.buys(t, mint, 77_000_000_000_001)

	at, err := meteora.Addresses(mint, solana.WrappedSol, created.Curve.NFTMint)
	must.Do(t, err)
	open, account, err := token2022.CreateAssociatedIdempotent{Payer: creator.PublicKey(), Wallet: heir.PublicKey(), Mint: at.NFTMint}.Instruction()
	must.Do(t, err)
	send := solana.NewInstruction(solana.Token2022ProgramID, solana.AccountMetaSlice{ // TransferChecked
		solana.Meta(at.PositionNFTAccount).WRITE(), solana.Meta(at.NFTMint), solana.Meta(account).WRITE(), solana.Meta(creator.PublicKey()).SIGNER(),
	}, []byte{12, 1, 0, 0, 0, 0, 0, 0, 0, 0})
	w.execute(t, []solana.Instruction{open, send}, creator)
	_, err = w.service.ClaimFees(t.Context(), creator.PublicKey(), mint)
	refused(t, "a creator who gave the position away", err, apperr.Forbidden, "not_curve_creator")
	w.claims(t, heir, mint) // which has no account for the token yet

	// In an existing account of wrapped SOL the proceeds stay wrapped.
	w.buys(t, mint, 5_000_000_000_000)
	steps, err := market.WrapSteps(heir.PublicKey(), sol, false)
	must.Do(t, err)
	list := make([]solana.Instruction, len(steps))
	for i, s := range steps {
		list[i] = s.Instruction
	}
	w.execute(t, list, heir)
	claim, err := w.service.ClaimFees(t.Context(), heir.PublicKey(), mint)
	must.Do(t, err)
	before := w.lamports(t, heir.PublicKey())
	w.land(t, claim.Transaction, heir)
	wrapped, err := market.WrappedAddress(heir.PublicKey())
	must.Do(t, err)
	stored, _, err := w.node.Account(t.Context(), wrapped)
	must.Do(t, err)
	holding, err := token2022.DecodeAccount(stored.Owner, stored.Data)
	must.Do(t, err)
	if took := before - w.lamports(t, heir.PublicKey()); took != claim.Cost.Total() || holding.Amount != sol+claim.Lamports || claim.Lamports == 0 {
		t.Errorf("charged %d lamports, announced %d; %d are wrapped, %d were claimed", took, claim.Cost.Total(), holding.Amount, claim.Lamports)
	}
	if says := claim.Explanation[len(claim.Explanation)-1]; !strings.Contains(says, "stays in your account of wrapped SOL") {
		t.Errorf("explanation = %q, want that the SOL stays wrapped", says)
	}

	w.buys(t, mint, 5_000_000_000_000)
	out, err := w.service.Cancel(t.Context(), heir.PublicKey(), mint)
	must.Do(t, err)
	w.land(t, out.Transaction, heir)
	_, err = w.service.Fees(t.Context(), mint)
	refused(t, "the fees of a closed position", err, apperr.Conflict, "launchpad_cancelled")
	_, err = w.service.ClaimFees(t.Context(), heir.PublicKey(), mint)
	refused(t, "a claim of a closed position", err, apperr.Forbidden, "not_curve_creator")
}

// TestRealFeesInTheToken tests a curve that takes its fees in the token, as no curve of the service
// does: the fees are paid out less the tax.
func TestRealFeesInTheToken(t *testing.T) {
	w := newFixture(t, dex.Chain(t))
	creator, buyer := w.wallet(t), w.wallet(t)
	mint, created := w.opened(t, creator, true)
	stored, _, err := w.node.Account(t.Context(), created.Curve.Address)
	must.Do(t, err)
	data := append([]byte{}, stored.Data...)
	const collectFeeMode = 484 // state/pool.rs
	data[collectFeeMode] = byte(meteora.CollectBoth)
	w.plant(t, created.Curve.Address, meteora.Program, data)

	wallet := buyer.PublicKey()
	steps, err := market.WrapSteps(wallet, 3*sol, false)
	must.Do(t, err)
	list := make([]solana.Instruction, 0, len(steps)+2)
	for _, s := range steps {
		list = append(list, s.Instruction)
	}
	open, tokens, err := token2022.CreateAssociatedIdempotent{Payer: wallet, Wallet: wallet, Mint: mint}.Instruction()
	must.Do(t, err)
	wrapped, err := market.WrappedAddress(wallet)
	must.Do(t, err)
	c := created.Curve
	swap := meteora.Swap2{
		Pool: c.Address, TokenVault: c.TokenVault, SOLVault: c.SOLVault, TokenMint: mint, Payer: wallet,
		PayerToken: tokens, PayerSOL: wrapped, Direction: meteora.Buy, Mode: meteora.ExactIn, Amount: 2 * sol,
	}
	sell := swap
	sell.Direction, sell.Amount = meteora.Sell, 1_000_000_000_000
	w.execute(t, append(list, open, swap.Instruction(), sell.Instruction()), buyer)
	if f := w.fees(t, mint); f.ClaimableTokens == 0 || f.ClaimableLamports == 0 {
		t.Errorf("fees = %+v, want both claimable", f)
	}
	w.claims(t, creator, mint)
}

// TestFeesWithoutTheProgram tests that fees, and the rejection of a claim without fees, follow from
// the record.
func TestFeesWithoutTheProgram(t *testing.T) {
	w, creator, created := prepared(t, nil)
	mint := created.Curve.Mint
	w.deploy(t, created, w.now)
	if f := w.fees(t, mint); f != (launchpad.Fees{}) {
		t.Errorf("without a trade: %+v", f)
	}
	_, err := w.service.ClaimFees(t.Context(), creator.PublicKey(), mint)
	refused(t, "a claim of nothing", err, apperr.Invalid, "nothing_to_claim")
	_, err = w.service.ClaimFees(t.Context(), solana.NewWallet().PublicKey(), mint)
	refused(t, "a stranger's claim", err, apperr.Forbidden, "not_curve_creator")
	_, err = w.service.Fees(t.Context(), creator.PublicKey())
	refused(t, "the fees of no curve", err, apperr.NotFound, "launchpad_not_found")

	// With a fee of 1 %, 99 of 100 paid SOL moved the price. The 10 SOL that were received moved
	// the price including their fees.
	w.record(t, mint, token.CurveActive, market.Index{Paid: 99 * sol, Received: 10 * sol})
	const earned = (sol + sol/10) * 8 / 10
	if f := w.fees(t, mint); f != (launchpad.Fees{ClaimableLamports: earned}) {
		t.Errorf("%+v, want %d lamports", f, earned)
	}
	claim, err := w.service.ClaimFees(t.Context(), creator.PublicKey(), mint)
	must.Do(t, err)
	if claim.Lamports != earned || claim.Simulation.OK || claim.Simulation.Reason != transaction.ProgramUnavailable {
		t.Errorf("claim of %d lamports, simulation %+v; want %d and program_unavailable", claim.Lamports, claim.Simulation, earned)
	}
	w.record(t, mint, token.CurveCancelled, market.Index{})
	_, err = w.service.Fees(t.Context(), mint)
	refused(t, "the fees of a cancelled curve", err, apperr.Conflict, "launchpad_cancelled")
}

// TestUnreadableFees tests that an upgraded position does not count as fees paid out.
func TestUnreadableFees(t *testing.T) {
	w, creator, created := prepared(t, nil)
	c := created.Curve
	state, q := bought(t, c, 90_000_000_000_000)
	w.plant(t, c.Address, meteora.Program, poolData(c, state.SqrtPrice, c.Liquidity, c.Liquidity, c.Tokens-q.PoolTokens, q.CurveLamports))
	w.deploy(t, created, w.now)
	good := positionData(c)
	binary.LittleEndian.PutUint64(good[144:], 5)
	binary.LittleEndian.PutUint64(good[200:], 6)
	binary.LittleEndian.PutUint64(good[208:], 7)
	w.plant(t, c.Position, meteora.Program, good)
	if f := w.fees(t, c.Mint); f != (launchpad.Fees{ClaimableLamports: 5, ClaimedTokens: 6, ClaimedLamports: 7}) {
		t.Errorf("fees = %+v, want 5 claimable, 6 and 7 claimed", f)
	}
	bad := append([]byte{}, good...)
	bad[0]++
	w.plant(t, c.Position, meteora.Program, bad)
	_, err := w.service.Fees(t.Context(), c.Mint)
	refused(t, "fees", err, apperr.Unavailable, "upstream_unavailable")
	_, err = w.service.ClaimFees(t.Context(), creator.PublicKey(), c.Mint)
	refused(t, "a claim", err, apperr.Unavailable, "upstream_unavailable")
}
