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

// recipient is an account that is to be paid, as it is now.
type recipient struct {
	address solana.PublicKey
	// fingerprint identifies the state of the account, and is never zero.
	fingerprint [8]byte
	// missing says that the account has to be made first.
	missing bool
	// memo reports that a transfer to it needs a memo directly before.
	memo bool
	// reason says why it is not paid; empty when it is. hold is then what is to change
	// before it is tried again; zero: nothing of its own.
	reason Reason
	hold   [8]byte
}

// recipients looks at the accounts of payments, just before they are paid, and in the
// same call at what the wallet has.
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
			case r.missing: // lamports at the address change nothing about it
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

// lookAtWallet says why SOL cannot be sent to a wallet; empty when it can.
func (b batch) lookAtWallet(p Entry, a *onchain.Account, rent uint64) Reason {
	switch {
	case a != nil && (a.Owner != solana.SystemProgramID || a.Executable || len(a.Data) > 0):
		return reasonNotWallet
	case a == nil && p.Amount < rent, a != nil && a.Lamports < rent && p.Amount < rent-a.Lamports:
		return reasonBelowRent
	}
	return ""
}

// lookAtTokens says why tokens cannot be sent to a holder's account, and whether it
// has to be made first, or paid with a memo.
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

// switched are the reasons that one switch of an account decides. Their hold is the switch
// alone: a hold of all data would end with any other byte that an owner changes. Of the
// switches of Token-2022 the guard of CPIs is none of them, because it concerns what a
// program takes out of an account.
var switched = map[Reason]bool{reasonFrozen: true, reasonConfidential: true}

// fingerprint identifies what of an account decides whether it can be paid: its program and
// data; of a wallet, which has no data, its lamports. An address without an account has a
// fingerprint too, because zero means that nothing is held: a payment that the network
// refuses to such an address would split its batch in every run.
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
