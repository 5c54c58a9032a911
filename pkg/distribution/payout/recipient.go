package payout

import (
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
	// fingerprint stands for what was seen; zero when there is nothing.
	fingerprint [8]byte
	// missing says that the account has to be made first.
	missing bool
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
			r.missing, r.reason = b.lookAtTokens(p, accounts[n])
			if r.hold = r.fingerprint; r.missing {
				r.hold = [8]byte{}
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
// has to be made first.
func (b batch) lookAtTokens(p Entry, a *onchain.Account) (missing bool, reason Reason) {
	if a == nil || a.Owner == solana.SystemProgramID && len(a.Data) == 0 {
		if p.Amount < b.phase.RentFloor || p.Amount <= b.phase.AccountCharge {
			return true, reasonNoAccount
		}
		return true, ""
	}
	state, err := token2022.DecodeAccount(a.Owner, a.Data)
	switch {
	case err != nil, a.Owner != b.phase.Program, state.Mint != b.phase.Asset.Mint(), state.Owner != p.Owner:
		return false, reasonNotOwned
	case state.Frozen:
		return false, reasonFrozen
	case state.MemoRequired:
		return false, reasonMemo
	}
	return false, ""
}

// fingerprint stands for what of an account decides whether it can be paid: its
// program and data; of a wallet, which has no data, its lamports.
func fingerprint(a *onchain.Account) [8]byte {
	if a == nil {
		return [8]byte{}
	}
	h := sha256.New()
	h.Write(a.Owner[:])
	executable := byte(0)
	if a.Executable {
		executable = 1
	}
	h.Write([]byte{executable})
	h.Write(a.Data)
	if len(a.Data) == 0 {
		h.Write(binary.LittleEndian.AppendUint64(nil, a.Lamports))
	}
	return [8]byte(h.Sum(nil)[:8])
}
