package run

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// A token that the operator winds down is handed over to the creator first: see handover.go. Then a
// release closes the wallet's token accounts and returns the float. The release is opened by one
// conditional write, and has at most a few transactions, so a wind-down may be interrupted at any point,
// and any message of the token continues the wind-down. A release has no proof: the last proof is the
// hand-over's, and the release's transactions are in the run.

// WindDown is the progress of a token's wind-down after the hand-over.
type WindDown struct {
	// Released is the time since which the service does not need the wallet any more.
	Released time.Time `json:",omitzero"`
}

// Release is the end of a wound-down token.
type Release struct {
	// To is the creator, who receives the rent and the float. Launch is the transaction of the token's
	// launch, from which the signer learns the creator.
	To     solana.PublicKey
	Launch solana.Signature
	// Into is the wallet of another root, with the address To, if the run is a rotation; nil
	// otherwise.
	Into *token.Wallet `json:",omitempty"`
	// Returned reports that the receipts are closed. Done reports that nothing is left for a try.
	Returned bool
	Tries    []ReleaseTry
	Done     bool
	// Refunded is the return of the float; nil while it is undecided.
	Refunded *Movement
}

// ReleaseTry is the content of one release transaction, as planned from the chain.
type ReleaseTry struct {
	Accounts []ReleasedAccount
	// Authority reports that the try moves the authority over the tax, in a rotation.
	Authority bool `json:",omitempty"`
	// Moved is the result; nil while the transaction is undecided.
	Moved *Movement
}

// ReleasedAccount is a token account of the wallet that a release closes. Amount is burned if the
// account is of the token itself, and goes to the creator otherwise.
type ReleasedAccount struct {
	Currency Currency
	Address  solana.PublicKey
	Amount   uint64
	// Withheld reports that the account holds withheld tax, which is moved to the mint first.
	Withheld bool `json:",omitempty"`
}

// maxReleased is the maximum number of accounts that a release transaction closes. Four accounts with
// transfers take about 1,000 of the 1,232 bytes of a legacy transaction.
const maxReleased = 4

// Unclaimed reports whether the wallet owes amounts to holders, or may owe them.
func (h Head) Unclaimed() bool {
	return len(h.Unknown) > 0 || len(assetsOf(terms.Asset{0xff}, h.Owed, h.Reserved)) > 0
}

// openRelease opens the release of a token that was handed over. While holders can claim, only an order
// that is final opens the release.
func (m Machine) openRelease(ctx context.Context, head Head, record token.Record, slot time.Time) (payout.Next, error) {
	switch {
	case !head.WindDown.Released.IsZero(), head.Ended == CodeBooks, len(head.Unknown) > 0:
		return done, nil
	case head.Unclaimed() && !record.WindDown.Final:
		return done, nil
	}
	now := m.Now().UTC()
	r := m.newRun(head, record, slot, now)
	r.Claim, r.Deadline = &Claim{}, now.Add(claimTime)
	r.Release = &Release{To: record.Creator, Launch: record.Signature}
	head, forged, err := m.origin(ctx, head, record)
	if err != nil || forged {
		return done, err
	}
	head.LastSlot, head.Active = r.Slot, r.Slot
	return after(0), m.Store.Open(ctx, head, r)
}

// releasing advances a release by one step: it closes the receipts and the accounts, and returns
// the float.
func (m Machine) releasing(ctx context.Context, head Head, r Run) (payout.Next, error) {
	release := *r.Release
	release.Tries = slices.Clone(release.Tries)
	r.Release = &release
	switch {
	case !release.Returned:
		if next, err := m.returns(ctx, head, r, true); err != nil || !next.Done {
			return next, err
		}
		release.Returned = true
		return m.save(ctx, r)
	case !release.Done:
		return m.giveUp(ctx, head, r)
	case release.Refunded == nil:
		return m.refund(ctx, r)
	case release.Into != nil:
		return m.rotated(ctx, head, r)
	}
	return m.released(ctx, head, r)
}

// giveUp advances the newest try, or plans the next one.
func (m Machine) giveUp(ctx context.Context, head Head, r Run) (payout.Next, error) {
	n := len(r.Release.Tries)
	if n > 0 && r.Release.Tries[n-1].Moved == nil {
		payment, err := m.payment(ctx, r, payout.Release, n-1)
		if err != nil {
			return payout.Next{}, err
		}
		payment, next, err := m.Engine.Advance(ctx, r.Token.Wallet, payment, r.fixed(payment.ID))
		if err != nil || !payment.Status().Decided() {
			return next, err
		}
		moved := movement(payment)
		r.Release.Tries[n-1].Moved = &moved
		return m.save(ctx, r)
	}
	try, err := m.planRelease(ctx, head, r)
	if err != nil {
		return payout.Next{}, err
	}
	if n == r.Release.maxTries() || len(try.Accounts) == 0 && !try.Authority {
		r.Release.Done = true
	} else {
		r.Release.Tries = append(r.Release.Tries, try)
	}
	return m.save(ctx, r)
}

// planRelease reads the token accounts that the wallet still has.
func (m Machine) planRelease(ctx context.Context, head Head, r Run) (try ReleaseTry, err error) {
	coins, err := m.releasable(ctx, head, r)
	if err != nil {
		return try, err
	}
	addresses := make([]solana.PublicKey, 0, len(coins))
	for _, coin := range coins {
		address, err := token2022.AssociatedAddress(r.Token.Wallet.Address, coin.Asset.Mint(), coin.Program)
		if err != nil {
			return try, fmt.Errorf("find the wallet's account of %s: %w", coin.Asset, err)
		}
		addresses = append(addresses, address)
	}
	var from uint64 // the slot of the last try
	for _, before := range r.Release.Tries {
		from = max(from, before.Moved.ChainSlot)
	}
	accounts, _, err := m.Chain.AccountsAt(ctx, from, addresses...)
	if err != nil {
		return try, fmt.Errorf("read what the wallet %s has: %w", r.Token.Wallet.Address, err)
	}
	most := maxReleased
	if r.Release.Into != nil {
		most = maxRotated
		if err := m.planRotation(ctx, r, &try); err != nil {
			return try, err
		}
	}
	for n, account := range accounts {
		if account == nil || len(try.Accounts) == most {
			continue
		}
		state, err := token2022.DecodeAccount(account.Owner, account.Data)
		if err != nil {
			return try, fmt.Errorf("read the wallet's account %s: %w", addresses[n], err)
		}
		try.Accounts = append(try.Accounts, ReleasedAccount{
			Currency: coins[n], Address: addresses[n], Amount: state.Amount, Withheld: state.Withheld > 0,
		})
	}
	return try, nil
}

// releasable returns the assets, except SOL, that the wallet may have.
func (m Machine) releasable(ctx context.Context, head Head, r Run) (coins []Currency, err error) {
	record, err := m.Tokens.TokenAt(ctx, r.Mint, r.Slot)
	if err != nil {
		return nil, fmt.Errorf("read token %s: %w", r.Mint, err)
	}
	known := map[terms.Asset]bool{r.own().Asset: true}
	if reward, err := record.Settings.Reward(); err == nil {
		known[reward] = true
	}
	for _, price := range head.Prices {
		known[price.Asset] = true
	}
	for _, amounts := range []map[terms.Asset]uint64{head.Owed, head.CreatorOwed, head.Remainder, head.Reserved, head.closing()} {
		for asset := range amounts {
			known[asset] = true
		}
	}
	own := r.own().Asset // first, because its tax is taken back before the authority leaves
	delete(known, own)
	for _, asset := range slices.Insert(slices.SortedFunc(maps.Keys(known), func(a, b terms.Asset) int { return slices.Compare(a[:], b[:]) }), 0, own) {
		if asset.IsSOL() {
			continue
		}
		coin, sends := r.own(), true
		if asset != coin.Asset {
			if coin, sends, err = m.owedCurrency(ctx, asset); err != nil {
				return nil, err
			}
		}
		if sends {
			coins = append(coins, coin)
		}
	}
	return coins, nil
}

// closing returns the wallet's balances at the last proof.
func (h Head) closing() map[terms.Asset]uint64 {
	if h.Last == nil {
		return nil
	}
	return h.Last.Closing
}

// release returns the instructions of a try. Tokens of the wound-down token that no holder is owed are
// burned, because a burn favors no one.
func (r Run) release(try ReleaseTry) (list []solana.Instruction, err error) {
	if r.Release.Into != nil {
		return r.rotation(try)
	}
	wallet := r.Token.Wallet.Address
	for _, a := range try.Accounts {
		own := a.Currency.Asset == r.own().Asset
		if a.Withheld {
			list = append(list, token2022.HarvestWithheldToMint{Mint: a.Currency.Asset.Mint(), Sources: []solana.PublicKey{a.Address}}.Instruction())
		}
		switch {
		case a.Amount == 0:
		case own:
			list = append(list, token2022.BurnChecked{
				Account: a.Address, Mint: r.Mint, Owner: wallet, Amount: a.Amount, Decimals: r.Token.Decimals,
			}.Instruction())
		default:
			moved, err := transfer(payout.Note(r.ID), wallet, r.Release.To, a.Currency, a.Amount)
			if err != nil {
				return nil, err
			}
			list = append(list, moved.Instructions...)
		}
		list = append(list, token2022.CloseAccount{Program: a.Currency.Program, Account: a.Address, Destination: wallet, Owner: wallet}.Instruction())
	}
	return list, nil
}

// maxTries returns the maximum number of transactions that empty the wallet's accounts. A rotation
// moves the accounts of all assets of the debts, also after failures.
func (r Release) maxTries() int {
	if r.Into != nil {
		return (maxArrears+2)/maxRotated + maxTries
	}
	return maxTries
}

// Refund returns the instruction that sends lamports to the receiver of the release.
func (r Run) Refund(lamports uint64) solana.Instruction {
	return systemprogram.Transfer{From: r.Token.Wallet.Address, To: r.Release.To, Lamports: lamports}.Instruction()
}

func (r Run) refund(lamports uint64) (solana.Instruction, error) {
	if lamports == 0 {
		return nil, &payout.Refusal{Reason: payout.ReasonFunds, Detail: "The wallet has no SOL beyond the fee."}
	}
	return r.Refund(lamports), nil
}

// refund returns the wallet's lamports to the creator. A deposit between the reading of the balance
// and the landing makes the transaction fail, because the chain accepts no rest below the rent, so
// there are several tries.
func (m Machine) refund(ctx context.Context, r Run) (payout.Next, error) {
	var moved Movement
	for try := range maxTries {
		payment, err := m.payment(ctx, r, payout.Refund, try)
		if err != nil {
			return payout.Next{}, err
		}
		payment, next, err := m.Engine.Advance(ctx, r.Token.Wallet, payment, r.fixed(payment.ID))
		if err != nil || !payment.Status().Decided() {
			return next, err
		}
		if moved = movement(payment); payment.Status() == payout.Landed {
			if sent := -payment.Outcome.Lamports - int64(payment.Outcome.FeeLamports); sent > 0 { //nolint:gosec // a fee is small
				moved.Amount = uint64(sent)
			}
			break
		}
		if payment.Refused == payout.ReasonFunds { // the wallet is empty
			break
		}
	}
	r.Release.Refunded = &moved
	return m.save(ctx, r)
}

// released ends a release. What is still with the wallet is tried again by the next release.
func (m Machine) released(ctx context.Context, head Head, r Run) (payout.Next, error) {
	left, err := m.planRelease(ctx, head, r)
	if err != nil {
		return payout.Next{}, err
	}
	accounts, _, err := m.Chain.AccountsAt(ctx, r.Release.Refunded.ChainSlot, r.Token.Wallet.Address)
	if err != nil {
		return payout.Next{}, fmt.Errorf("read the wallet %s: %w", r.Token.Wallet.Address, err)
	}
	now := m.Now().UTC()
	end := End{Code: CodeWoundDown, Detail: fmt.Sprintf("The token was wound down. %s, who has the authority over its tax, got %s SOL of the distribution wallet back.",
		r.Release.To, sol(r.Release.Refunded.Amount))}
	switch empty := accounts[0] == nil || accounts[0].Lamports == 0; {
	case empty && len(left.Accounts) == 0:
		head.WindDown.Released = now
	case len(left.Accounts) == 0:
		end.Failed, end.Detail = true, "The wallet's SOL could not be returned yet: "+r.Release.Refunded.Why
	default:
		end.Failed, end.Detail = true, "Token accounts of the wallet could not be closed yet: "+r.Release.why()
	}
	return m.end(ctx, head, r, end)
}

// why returns the reason of the last failed try; empty without one.
func (r Release) why() string {
	for _, try := range slices.Backward(r.Tries) {
		if try.Moved != nil && try.Moved.Why != "" {
			return try.Moved.Why
		}
	}
	return ""
}
