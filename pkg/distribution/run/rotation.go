package run

import (
	"context"
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// A rotation moves a token from the wallet of one root to the wallet of a later root, by the
// operator's order: the authority over the tax and the wallet's tokens in one transaction, then
// further tokens, then the lamports. A rotation is a Release whose receiver is the later wallet, so
// it has the safety of a Release, and any message of the token continues it. A rotation pays no one.
// The next proof is the later wallet's, and names the wallet before.

// Rotated is the wallet of a token that was moved to another root.
type Rotated struct {
	Wallet token.Wallet
	// Before are the wallets since the last proof, oldest first. The next proof names these wallets.
	Before []FormerWallet `json:",omitempty"`
}

// FormerWallet is a wallet that a rotation emptied.
type FormerWallet struct {
	Wallet solana.PublicKey
	// Last is the transaction that emptied the wallet, at the slot ChainSlot.
	Last      solana.Signature
	ChainSlot uint64
}

// CodeRotated: the run moved the token to the wallet of another root.
const CodeRotated Code = "wallet_rotated"

// maxRotated is the maximum number of accounts that a rotation moves in one transaction. The first
// transaction also has the authority and the withheld tax.
const maxRotated = 2

// Wallet returns the token's present wallet: the wallet of the latest root that ledger or record
// know.
func (h Head) Wallet(record token.Record) token.Wallet {
	if h.Rotated != nil && h.Rotated.Wallet.Root >= record.Wallet.Root {
		return h.Rotated.Wallet
	}
	return record.Wallet
}

// rotates reports whether the token is to be moved to the wallet of another root now. A token with an
// undecided or late payment is moved after a proof has the payment's end, and distributions go on
// until then.
func (h Head) rotates(record token.Record) bool {
	now, to := h.Wallet(record), record.RotateTo
	return to.ID != "" && to.ID == now.ID && to.Root > now.Root && record.Guardian.IsZero() &&
		h.WindDown.Released.IsZero() && h.Ended != CodeBooks && len(h.Unknown) == 0 && len(h.Resolved) == 0
}

// openRotation opens the run that moves the token.
func (m Machine) openRotation(ctx context.Context, head Head, record token.Record, now time.Time) (payout.Next, error) {
	slot, free := head.claimSlot(record.Settings.Interval, now)
	if !free {
		slot = head.LastSlot.Add(time.Second)
	}
	r := m.newRun(head, record, slot, now)
	to := record.RotateTo
	r.Claim, r.Deadline = &Claim{}, now.Add(claimTime)
	r.Release = &Release{To: to.Address, Into: &to}
	head, forged, err := m.origin(ctx, head, record)
	if err != nil || forged {
		return done, err
	}
	head.LastSlot, head.Active = r.Slot, r.Slot
	return after(0), m.Store.Open(ctx, head, r)
}

// planRotation adds the authority over the tax to a try, if the wallet still has the authority.
func (m Machine) planRotation(ctx context.Context, r Run, try *ReleaseTry) error {
	authority, err := m.withdrawer(ctx, r.Mint)
	try.Authority = err == nil && authority == r.Token.Wallet.Address
	return err
}

// rotation returns the instructions of a try. The token's own tax on the transfer is taken back before
// the authority leaves, so that the whole amount arrives. Each try closes an account or moves the
// authority, so it can land only once.
func (r Run) rotation(try ReleaseTry) (list []solana.Instruction, err error) {
	wallet, to := r.Token.Wallet.Address, r.Release.To
	for _, a := range try.Accounts {
		moved, err := transfer(payout.Note(r.ID), wallet, to, a.Currency, a.Amount)
		if err != nil {
			return nil, err
		}
		create, moves := moved.Instructions[0], moved.Instructions[2:] // a wallet of the service requires no memo
		list = append(list, create)
		if a.Amount > 0 {
			list = append(list, moves...)
		}
		if a.Currency.Asset == r.own().Asset || a.Withheld {
			account, err := token2022.AssociatedAddress(to, a.Currency.Asset.Mint(), a.Currency.Program)
			if err != nil {
				return nil, fmt.Errorf("find the account of wallet %s: %w", to, err)
			}
			back, err := r.takeBack(a, account, try.Authority)
			if err != nil {
				return nil, err
			}
			list = append(list, back)
		}
		list = append(list, token2022.CloseAccount{Program: a.Currency.Program, Account: a.Address, Destination: wallet, Owner: wallet}.Instruction())
	}
	if try.Authority {
		list = append(list, solana.NewInstruction(format.MemoProgram, solana.AccountMetaSlice{}, []byte(format.RotationMark+to.String())), token2022.SetAuthority{
			Account: r.Mint, Current: wallet, Type: token2022.AuthorityWithdrawWithheld, New: to,
		}.Instruction())
	}
	return list, nil
}

// takeBack returns the instruction that empties the withheld tax of an account before its close: to
// the account of the other wallet, or to the mint if the wallet is not the authority.
func (r Run) takeBack(a ReleasedAccount, into solana.PublicKey, authority bool) (solana.Instruction, error) {
	mint := a.Currency.Asset.Mint()
	if !authority || a.Currency.Asset != r.own().Asset {
		return token2022.HarvestWithheldToMint{Mint: mint, Sources: []solana.PublicKey{a.Address}}.Instruction(), nil
	}
	return token2022.WithdrawWithheldFromAccounts{
		Mint: mint, Destination: into, Authority: r.Token.Wallet.Address, Sources: []solana.PublicKey{a.Address, into},
	}.Instruction()
}

// rotated ends a rotation. What is still with the wallet is moved by the next rotation, before any
// other run.
func (m Machine) rotated(ctx context.Context, head Head, r Run) (payout.Next, error) {
	left, err := m.planRelease(ctx, head, r)
	if err != nil {
		return payout.Next{}, err
	}
	wallet, refunded := r.Token.Wallet.Address, r.Release.Refunded
	accounts, _, err := m.Chain.AccountsAt(ctx, refunded.ChainSlot, wallet)
	if err != nil {
		return payout.Next{}, fmt.Errorf("read the wallet %s: %w", wallet, err)
	}
	if empty := accounts[0] == nil || accounts[0].Lamports == 0; !empty || len(left.Accounts) > 0 || left.Authority {
		why := r.Release.why()
		if why == "" {
			why = refunded.Why
		}
		return m.end(ctx, head, r, End{Code: CodeRotated, Failed: true, Detail: "The wallet could not be emptied yet: " + why})
	}
	former := FormerWallet{Wallet: wallet, Last: refunded.Signature, ChainSlot: refunded.ChainSlot}
	if former.Last.IsZero() { // the end of the transaction is not known, except that the wallet is empty
		if former.Last, err = m.Chain.Newest(ctx, wallet); err != nil {
			return payout.Next{}, fmt.Errorf("read the history of wallet %s: %w", wallet, err)
		}
	}
	to := Rotated{Wallet: *r.Release.Into}
	if head.Rotated != nil {
		to.Before = head.Rotated.Before
	}
	to.Before = append(to.Before[:len(to.Before):len(to.Before)], former)
	r.End = &End{At: m.Now().UTC(), Code: CodeRotated, Detail: fmt.Sprintf("The token moved to the distribution wallet %s, with the authority over the tax and all balances.", to.Wallet.Address)}
	head.Active, head.Rotated, head.Look = time.Time{}, &to, nil
	// The next proof begins with an empty wallet. What the wallet before did is checked on the chain.
	head.Unproven, head.Unlisted, head.Unreturned = Totals{}, nil, nil
	if head.Last != nil {
		last := *head.Last
		last.Closing = map[terms.Asset]uint64{}
		head.Last = &last
	}
	if err := m.Store.End(ctx, r, head); err != nil {
		return payout.Next{}, err
	}
	m.ended(ctx, r)
	return done, nil
}
