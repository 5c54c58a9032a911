package signing

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/token/handover"
	"tokenlaunch.example/service/pkg/token/wallet"
)

// NoteOrder requests that the signer records an order of a hand-over, or the order's cancellation.
type NoteOrder struct {
	Mint   solana.PublicKey
	Order  handover.Order
	Revoke bool
}

// Noted is the signer's record of an order. A zero At means that the order was not recorded.
type Noted struct {
	At      time.Time
	Revoked bool
}

// Notes is the signer's own memory of hand-overs. No function except the signer writes it, so no
// other function can antedate an order, or bring a cancelled order back. An order is recorded by
// the hash of the order's text, so a false order takes the place of no other order.
type Notes interface {
	// Note records the order at the present time, unless the order is recorded, and returns the
	// record.
	Note(ctx context.Context, mint solana.PublicKey, text [32]byte) (Noted, error)
	// Revoke records the cancellation of the order.
	Revoke(ctx context.Context, mint solana.PublicKey, text [32]byte) error
	// Noted returns the record of the order.
	Noted(ctx context.Context, mint solana.PublicKey, text [32]byte) (Noted, error)
	// Released reports whether an operator has released the token to the creator; see
	// capstable.Caps.Release.
	Released(ctx context.Context, mint solana.PublicKey) (bool, error)
	// Rotation returns an operator's order to move the token to the wallet of another root; zero
	// without an order.
	Rotation(ctx context.Context, mint solana.PublicKey) (RotationOrder, error)
}

// note carries out a NoteOrder, and returns the time from which the signer signs the hand-over.
func (c Core) note(ctx context.Context, o NoteOrder) (time.Time, error) {
	if c.Notes == nil {
		return time.Time{}, refuse("this signer hands nothing over")
	}
	text := o.Order.Hash(o.Mint)
	if o.Revoke {
		return time.Time{}, c.Notes.Revoke(ctx, o.Mint, text)
	}
	noted, err := c.Notes.Note(ctx, o.Mint, text)
	return noted.At.Add(c.HandoverDelay), err
}

// handsOver accepts only the hand-over that was ordered. The creator is the wallet that paid for
// the token's launch, by the chain. A creator's order needs the creator's signature, the effective
// time of the signed text, and the delay since the signer's own record of the order. An order
// without a signature needs an operator's release, and goes to the creator.
func (l *look) handsOver(ctx context.Context, does []wire.Instruction) error {
	if l.Notes == nil || l.run.Claim == nil || l.run.Claim.Handover == nil {
		return refuse("the run hands nothing over")
	}
	order := *l.run.Claim.Handover
	creator, err := l.creator(ctx, order.Launch)
	if err != nil {
		return err
	}
	switch order.By() {
	case handover.ByOperator:
		if order.To != creator {
			return refuse("the hand-over goes to %s, and without the creator's order only to the creator %s", order.To, creator)
		}
		released, err := l.Notes.Released(ctx, l.run.Mint)
		if err != nil {
			return err
		}
		if !released {
			return refuse("no operator has released token %s", l.run.Mint)
		}
	case handover.ByCreator:
		if err := order.Verify(creator, l.run.Mint); err != nil {
			return refuse("%v", err)
		}
		noted, err := l.Notes.Noted(ctx, l.run.Mint, order.Hash(l.run.Mint))
		switch now := l.now(); {
		case err != nil:
			return err
		case noted.Revoked:
			return refuse("order %d of the hand-over of %s is cancelled", order.Number, l.run.Mint)
		case noted.At.IsZero():
			return refuse("the signer has not recorded order %d of the hand-over of %s", order.Number, l.run.Mint)
		case now.Before(order.EffectiveAt), now.Before(noted.At.Add(l.HandoverDelay)):
			return refuse("the hand-over of %s is not effective yet", l.run.Mint)
		}
	}
	want, _, _, err := l.run.Fixed(l.payment.ID)
	if err != nil {
		return refuse("%v", err)
	}
	return exactly(does, want.Instructions)
}

// taxLimits is the number of bytes at the end of the tax instruction that state the tax: two of
// basis points and eight of the maximum.
const taxLimits = 10

// creator returns the wallet that launched the token, by the launch itself: a transaction that the
// creator and the mint's key signed, and that assigns the tax to this wallet. The ledger only names
// the transaction. A mint is created once, so there is no second such transaction.
func (l *look) creator(ctx context.Context, launch solana.Signature) (solana.PublicKey, error) {
	tx, err := l.Chain.SignedLaunch(ctx, launch)
	if err != nil {
		return solana.PublicKey{}, fmt.Errorf("read the launch of %s: %w", l.run.Mint, err)
	}
	m := tx.Message()
	signed := false
	for _, signer := range m.Signers() {
		if err := tx.VerifySignature(signer); err != nil {
			return solana.PublicKey{}, refuse("the launch of %s: %v", l.run.Mint, err)
		}
		signed = signed || signer == l.run.Mint
	}
	for root := range l.run.Token.Wallet.Root + 1 { // the launch names the wallet before all rotations
		address := l.wallet
		if root < l.run.Token.Wallet.Root {
			if address, err = l.Wallets.Derivation.Address(ctx, wallet.Path(l.run.Token.Wallet.ID, root)); err != nil {
				return solana.PublicKey{}, err
			}
		}
		want := token2022.InitializeTransferFeeConfig{
			Mint: l.run.Mint, ConfigAuthority: m.FeePayer(), WithdrawWithheldAuthority: address, MaximumFee: math.MaxUint64,
		}
		fixed := want
		fixed.ConfigAuthority = solana.PublicKey{}
		for _, in := range m.Instructions() {
			if signed && (sameBut(in, want.Instruction(), taxLimits) || sameBut(in, fixed.Instruction(), taxLimits)) {
				return m.FeePayer(), nil
			}
		}
	}
	return solana.PublicKey{}, refuse("%s is not the launch of %s with the wallet %s", launch, l.run.Mint, l.wallet)
}

// sameBut reports whether an instruction is want, except for the last bytes of the data.
func sameBut(in wire.Instruction, want solana.Instruction, last int) bool {
	data, err := want.Data()
	if err != nil || len(in.Data) != len(data) || len(data) < last {
		return false
	}
	in.Data = append(in.Data[:len(data)-last:len(data)-last], data[len(data)-last:]...)
	return in.Same(want)
}

// Note implements run.Handovers' part of the signer.
func (d Direct) Note(ctx context.Context, mint solana.PublicKey, o handover.Order) (time.Time, error) {
	return d.noted(ctx, NoteOrder{Mint: mint, Order: o})
}

// Revoke implements run.Handovers' part of the signer.
func (d Direct) Revoke(ctx context.Context, mint solana.PublicKey, o handover.Order) error {
	_, err := d.noted(ctx, NoteOrder{Mint: mint, Order: o, Revoke: true})
	return err
}

func (d Direct) noted(ctx context.Context, o NoteOrder) (time.Time, error) {
	a, err := d.Core.Do(ctx, Request{Notes: []NoteOrder{o}})
	if err != nil {
		return time.Time{}, err
	}
	return a.Notes[0].At, a.Notes[0].Err()
}
