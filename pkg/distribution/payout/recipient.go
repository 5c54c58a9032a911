package payout

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/token2022"
)

// recipient is the current state of a recipient's account.
type recipient struct {
	address solana.PublicKey
	// fingerprint identifies the state of the account, and is never zero.
	fingerprint [8]byte
	// missing reports that the transaction must create the account.
	missing bool
	// memo reports that a transfer to the account needs a memo directly before.
	memo bool
	// reason is the reason for not paying the account; empty if the account is paid. hold is
	// the fingerprint that must change before a run tries the account again; zero if the next
	// run tries again.
	reason Reason
	hold   [8]byte
}

// recipients reads the recipients' accounts directly before the payment, and the wallet's balance
// in the same call.
func (b batch) recipients(ctx context.Context, list []Entry) ([]recipient, *own, error) {
	sol := b.phase.Asset.IsSOL()
	addresses := make([]solana.PublicKey, len(list))
	for n, p := range list {
		addresses[n] = p.Owner
		if !sol {
			var err error
			if addresses[n], err = token2022.AssociatedAddress(p.Owner, b.phase.Asset.Mint(), b.phase.Program); err != nil {
				return nil, nil, fmt.Errorf("find the account of %s: %w", p.Owner, err)
			}
		}
	}
	wallets, err := ownAddresses(b.phase.Wallet.Address, b.phase.Asset)
	if err != nil {
		return nil, nil, err
	}
	accounts, err := b.engine.Chains[0].Holders(ctx, append(addresses, wallets...)...)
	if err != nil {
		return nil, nil, fmt.Errorf("read who is to be paid: %w", err)
	}
	rent, err := b.engine.Chains[0].MinimumBalance(ctx, 0)
	if err != nil {
		return nil, nil, err
	}
	found := make([]recipient, len(list))
	for n, p := range list {
		r := recipient{address: addresses[n], fingerprint: fingerprint(accounts[n])}
		if sol {
			r.reason, r.hold = b.lookAtWallet(p, accounts[n], rent), r.fingerprint
			if r.reason == reasonBelowRent {
				r.hold = [8]byte{}
			}
		} else {
			r.missing, r.memo, r.reason = b.lookAtTokens(p, accounts[n])
			switch r.hold = r.fingerprint; {
			case r.missing: // with or without lamports at the address
				r.fingerprint, r.hold = fingerprint(nil), [8]byte{}
			case switched[r.reason]:
				r.hold = hash([]byte(r.reason))
			}
		}
		if r.reason == "" {
			r.hold = [8]byte{}
			if p.Hold != ([8]byte{}) && p.Hold == r.fingerprint {
				r.reason, r.hold = reasonHeld, p.Hold
			}
		}
		found[n] = r
	}
	return found, ownOf(b.phase.Asset, accounts[len(list):]), nil
}

// lookAtWallet returns the reason why a wallet cannot receive SOL; empty if the wallet can.
func (b batch) lookAtWallet(p Entry, a *onchain.Account, rent uint64) Reason {
	switch {
	case a != nil && (a.Owner != solana.SystemProgramID || a.Executable || len(a.Data) > 0):
		return reasonNotWallet
	case a == nil && p.Amount < rent, a != nil && a.Lamports < rent && p.Amount < rent-a.Lamports:
		return reasonBelowRent
	}
	return ""
}

// lookAtTokens reports whether the transaction must create a holder's account, whether a transfer
// needs a memo, and the reason why the account cannot receive tokens; empty if the account can.
func (b batch) lookAtTokens(p Entry, a *onchain.Account) (missing, memo bool, reason Reason) {
	if a == nil || a.Owner == solana.SystemProgramID && len(a.Data) == 0 {
		if p.Amount < b.phase.RentFloor || p.Amount <= b.phase.AccountCharge {
			return true, false, reasonNoAccount
		}
		return true, false, ""
	}
	state, err := token2022.DecodeAccount(a.Owner, a.Data)
	switch {
	case err != nil, a.Owner != b.phase.Program, state.Mint != b.phase.Asset.Mint(), state.Owner != p.Owner:
		return false, false, reasonNotOwned
	case state.Frozen:
		return false, false, reasonFrozen
	case state.ConfidentialOnly:
		return false, false, reasonConfidential
	}
	return false, state.MemoRequired, ""
}

// switched are the reasons that one switch of an account decides. The hold is a hash of the reason,
// because a hash of all data would change with any other byte that the owner changes. The CPI guard
// of Token-2022 is not among the reasons, because the guard restricts only withdrawals.
var switched = map[Reason]bool{reasonFrozen: true, reasonConfidential: true}

// fingerprint returns a hash of the state that decides whether an account can be paid: program and
// data, and the lamports of a wallet, which has no data. A missing account has a fingerprint that
// is not zero. With a zero fingerprint, a missing account that the network rejects would split its
// batch in every run.
func fingerprint(a *onchain.Account) [8]byte {
	if a == nil {
		return hash()
	}
	executable := []byte{0}
	if a.Executable {
		executable[0] = 1
	}
	var lamports []byte
	if len(a.Data) == 0 {
		lamports = binary.LittleEndian.AppendUint64(nil, a.Lamports)
	}
	return hash(a.Owner[:], executable, a.Data, lamports)
}

// hash returns the first bytes of the SHA-256 of the parts together.
func hash(parts ...[]byte) [8]byte {
	sum := sha256.Sum256(bytes.Join(parts, nil))
	return [8]byte(sum[:8])
}
