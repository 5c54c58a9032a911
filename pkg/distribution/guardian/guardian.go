// Package guardian decides which transactions the guardian of tokens signs. The guardian runs in an
// account of its own, with its own key and its own nodes, and trusts neither the service nor the
// creator.
//
// The tax of a token with a guardian needs two signatures of three: distribution wallet, guardian
// and creator. The guardian signs only
//   - collections of withheld tax into the distribution wallet's own account, which the wallet
//     signs, too, and
//   - hand-overs of the authority over the tax, which the creator has signed and had ordered before,
//     as Order describes.
//
// Who the members are, the guardian reads from the chain: the mint names its authority, the
// authority is a multisig account, and the address of that account follows from creator and mint.
// The guardian remembers only the orders of hand-overs, holds no lamports and no token, and never
// pays a fee.
package guardian

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/signing"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/creation"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/token"
)

// ErrRefused is returned for a transaction that the guardian does not sign. The error's text has the
// reason.
var ErrRefused = errors.New("the guardian does not sign this")

// ErrUnknownCaller is returned for a collection that the service did not ask for.
var ErrUnknownCaller = errors.New("the guardian's token is missing or wrong")

func refuse(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrRefused}, args...)...)
}

// Chain is the subset of the RPC API that the guardian needs.
type Chain interface {
	// AccountsAt reads accounts at one finalized slot, which is from or later, in order. A missing
	// account is nil.
	AccountsAt(ctx context.Context, from uint64, addresses ...solana.PublicKey) ([]*onchain.Account, uint64, error)
}

// Signer is the guardian's key.
type Signer interface {
	PublicKey(ctx context.Context) ([32]byte, error)
	Sign(ctx context.Context, message []byte) ([64]byte, error)
}

// Core co-signs. Any number of cores may work at the same time.
type Core struct {
	Key Signer
	// Chains are the guardian's own nodes, at least one. All nodes must agree.
	Chains []Chain
	// Orders is the guardian's own memory of orders.
	Orders Orders
	// Delay is the minimum time between the guardian's first sight of an order and the hand-over.
	Delay time.Duration
	Now   func() time.Time
}

// Kind is the kind of a transaction.
type Kind string

// The kinds.
const (
	Collection Kind = "collection"
	HandOver   Kind = "hand-over"
)

// Signed is the guardian's signature of a transaction.
type Signed struct {
	Kind      Kind
	Guardian  solana.PublicKey
	Signature solana.Signature
}

// Public returns the guardian's public key.
func (c Core) Public(ctx context.Context) (solana.PublicKey, error) {
	key, err := c.Key.PublicKey(ctx)
	return key, err
}

// Request asks for the guardian's signature.
type Request struct {
	Mint solana.PublicKey
	// Transaction is a serialized transaction, in which the guardian's place is empty.
	Transaction []byte
	// FromService reports that the caller knows the guardian's token. Only such a caller gets
	// signatures of collections. A third party could do nothing with the signature, and would use
	// up the guardian's calls.
	FromService bool
}

// CoSign signs a transaction about a mint's tax. It returns ErrUnknownCaller for a collection that
// the service did not ask for, ErrRefused if the guardian does not sign the transaction, and an
// apperr.Upstream if a node does not respond. The same transaction always has the same signature.
func (c Core) CoSign(ctx context.Context, r Request) (Signed, error) {
	key, err := c.Public(ctx)
	if err != nil {
		return Signed{}, err
	}
	tx, err := wire.ParseOwn(r.Transaction)
	if err != nil {
		return Signed{}, refuse("the transaction cannot be read: %v", err)
	}
	// What the transaction itself shows comes first, so that others cause no calls of nodes.
	kind, err := kindOf(tx, key)
	if err != nil {
		return Signed{}, err
	}
	if kind == Collection && !r.FromService {
		return Signed{}, ErrUnknownCaller
	}
	m, err := c.members(ctx, key, r.Mint)
	if err != nil {
		return Signed{}, err
	}
	if kind == HandOver {
		err = c.handOver(ctx, m, tx.Message())
	} else {
		err = m.collection(tx.Message())
	}
	if err != nil {
		return Signed{}, err
	}
	signature, err := c.Key.Sign(ctx, tx.Message().Bytes())
	if err != nil {
		return Signed{}, fmt.Errorf("sign a %s of %s: %w", kind, r.Mint, err)
	}
	return Signed{Kind: kind, Guardian: key, Signature: signature}, nil
}

// kindOf returns the kind that a transaction can have. The guardian signs second, and never pays. A
// hand-over is signed by its fee payer, the creator, before the guardian signs. A collection is not
// signed by its fee payer, the distribution wallet, so the service can record the collection before
// the transaction is complete.
func kindOf(tx wire.Transaction, guardian solana.PublicKey) (Kind, error) {
	signers := tx.Message().Signers()
	if len(signers) != creation.MembersRequired || signers[1] != guardian {
		return "", refuse("its signers must be the distribution wallet or the creator, and then the guardian %s", guardian)
	}
	kind := Collection
	for _, in := range tx.Message().Instructions() {
		if in.ProgramID == solana.ComputeBudget || in.ProgramID == solana.MemoProgramID {
			continue
		}
		if in.ProgramID != solana.Token2022ProgramID {
			return "", refuse("it has an instruction of the program %s", in.ProgramID)
		}
		k, err := token2022.InstructionKindOf(in.Data)
		switch {
		case err == nil && k.Withdraws():
		case err == nil && k == token2022.KindSetAuthority:
			kind = HandOver
		default:
			return "", refuse("it does something else than collecting tax or handing the authority over")
		}
	}
	if kind == HandOver {
		if err := tx.VerifySignature(signers[0]); err != nil {
			return "", refuse("the creator has not signed it: %v", err)
		}
	}
	return kind, nil
}

// members are the members of the authority over a mint's tax, as the chain has them.
type members struct {
	mint, authority           solana.PublicKey
	wallet, guardian, creator solana.PublicKey
}

// members reads the members from every node. It returns ErrRefused if the guardian is not a member.
func (c Core) members(ctx context.Context, guardian, mint solana.PublicKey) (m members, err error) {
	if len(c.Chains) == 0 {
		return members{}, apperr.Upstream("The Solana network", errors.New("the guardian has no node"))
	}
	for n, chain := range c.Chains {
		found, err := readMembers(ctx, chain, guardian, mint)
		if err != nil {
			return members{}, err
		}
		if n > 0 && found != m {
			return members{}, apperr.Upstream("The Solana network", fmt.Errorf("the guardian's nodes do not agree about the authority of %s", mint))
		}
		m = found
	}
	return m, nil
}

func readMembers(ctx context.Context, chain Chain, guardian, mint solana.PublicKey) (members, error) {
	accounts, slot, err := chain.AccountsAt(ctx, 0, mint)
	if err != nil {
		return members{}, fmt.Errorf("read mint %s: %w", mint, err)
	}
	if len(accounts) != 1 || accounts[0] == nil {
		return members{}, refuse("there is no mint %s", mint)
	}
	state, err := token2022.DecodeMint(accounts[0].Owner, accounts[0].Data)
	if err != nil || state.TransferFee == nil {
		return members{}, refuse("%s is not a mint with a transfer tax", mint)
	}
	authority := state.TransferFee.WithdrawWithheldAuthority
	accounts, _, err = chain.AccountsAt(ctx, slot, authority)
	if err != nil {
		return members{}, fmt.Errorf("read the authority %s of mint %s: %w", authority, mint, err)
	}
	if len(accounts) != 1 || accounts[0] == nil {
		return members{}, refuse("the authority over the tax of %s is not an account of members", mint)
	}
	multisig, err := token2022.DecodeMultisig(accounts[0].Owner, accounts[0].Data)
	if err != nil {
		return members{}, refuse("the authority over the tax of %s is not an account of members", mint)
	}
	list := multisig.Members
	if multisig.Required != creation.MembersRequired || len(list) != 3 || list[1] != guardian || list[0] == list[1] || list[1] == list[2] || list[0] == list[2] {
		return members{}, refuse("the guardian is not one of three members of whom two decide over the tax of %s", mint)
	}
	m := members{mint: mint, authority: authority, wallet: list[0], guardian: list[1], creator: list[2]}
	// Only the creator can create an account at this address, so the creator agreed to the members.
	if address, err := creation.MultisigAddress(m.creator, mint); err != nil || address != authority {
		return members{}, refuse("the account of the members was not made by the creator of %s", mint)
	}
	return m, nil
}

// collection accepts only collections into the distribution wallet's own account.
func (m members) collection(message wire.Message) error {
	if message.FeePayer() != m.wallet {
		return refuse("its fee payer must be the distribution wallet %s", m.wallet)
	}
	own, err := token2022.AssociatedAddress(m.wallet, m.mint, solana.Token2022ProgramID)
	if err != nil {
		return refuse("%v", err)
	}
	by := token.Collector{Authority: m.authority, Guardian: m.guardian}
	does := rest(message)
	if len(does) == 0 {
		return refuse("it does nothing")
	}
	for _, in := range does {
		if !signing.Collects(in, m.mint, own, m.wallet, by) {
			return refuse("it must only collect tax of %s into %s, the account of the distribution wallet", m.mint, own)
		}
	}
	return nil
}

// handOver accepts only the hand-over that the creator ordered, and records that the guardian signs.
// The transaction has the order as a memo, so the chain alone shows who ordered the hand-over.
func (c Core) handOver(ctx context.Context, m members, message wire.Message) error {
	if message.FeePayer() != m.creator {
		return refuse("its fee payer must be the creator %s", m.creator)
	}
	for range tries {
		noted, err := c.Orders.Newest(ctx, m.mint)
		if err != nil {
			return err
		}
		now := c.Now().UTC()
		switch {
		case noted.Number == 0:
			return refuse("no hand-over of %s is ordered: order the hand-over first, and wait %s", m.mint, c.Delay)
		case !noted.CancelledAt.IsZero():
			return refuse("order %d of the hand-over of %s is cancelled", noted.Number, m.mint)
		case now.Before(noted.EffectiveAt), now.After(noted.ExpiresAt()):
			return refuse("the hand-over of %s can be signed from %s to %s", m.mint, noted.EffectiveAt.Format(time.RFC3339), noted.ExpiresAt().Format(time.RFC3339))
		}
		if err := noted.Verify(m.creator, m.mint); err != nil {
			return refuse("%v", err)
		}
		want := noted.Instructions(m.mint, m.authority, m.creator, m.guardian)
		if !slices.EqualFunc(rest(message), want, wire.Instruction.Same) {
			return refuse("it must only hand the authority over the tax of %s over to %s, with the order as a memo", m.mint, noted.To)
		}
		// Record, then sign: a cancellation reports each signature that was given before.
		noted.SignedAt = now
		err = c.Orders.Save(ctx, m.mint, noted)
		if !errors.Is(err, ErrConflict) {
			return err
		}
	}
	return apperr.Upstream("The store", ErrConflict)
}

// rest returns the instructions without the compute budget's, which decide only the fee. The
// guardian does not pay the fee.
func rest(message wire.Message) []wire.Instruction {
	return slices.DeleteFunc(slices.Clone(message.Instructions()), func(in wire.Instruction) bool {
		return in.ProgramID == solana.ComputeBudget
	})
}
