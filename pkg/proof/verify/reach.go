package verify

import (
	"context"
	"errors"
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/chain"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/token/content"
)

// errUnreached is returned if a source does not respond. Such a source neither proves nor refutes a
// proof.
var errUnreached = errors.New("the file cannot be reached")

// reaching is a source that wraps every error in errUnreached, except format.ErrNoFile and
// format.ErrAltered.
type reaching struct{ format.Source }

// File reads a file.
func (r reaching) File(ctx context.Context, kind content.Kind, cid string) ([]byte, error) {
	body, err := r.Source.File(ctx, kind, cid)
	if err != nil && !errors.Is(err, format.ErrNoFile) && !errors.Is(err, format.ErrAltered) {
		err = fmt.Errorf("%w: %w", errUnreached, err)
	}
	return body, err
}

// telling is a node that wraps a node's failures in chain.ErrUntold.
type telling struct{ node chain.Node }

func told[T any](value T, err error) (T, error) {
	if err != nil && !errors.Is(err, chain.ErrNotLanded) && !errors.Is(err, chain.ErrNoMint) && !errors.Is(err, chain.ErrUntold) {
		err = fmt.Errorf("%w: %w", chain.ErrUntold, err)
	}
	return value, err
}

// Page implements chain.Node.
func (t telling) Page(ctx context.Context, address solana.PublicKey, before solana.Signature) ([]chain.Listed, error) {
	return told(t.node.Page(ctx, address, before))
}

// Landing implements chain.Node.
func (t telling) Landing(ctx context.Context, signature solana.Signature) (chain.Transaction, error) {
	return told(t.node.Landing(ctx, signature))
}

// TokenAccountsOf implements chain.Node.
func (t telling) TokenAccountsOf(ctx context.Context, owner, mint solana.PublicKey) ([]solana.PublicKey, error) {
	return told(t.node.TokenAccountsOf(ctx, owner, mint))
}

// Withdrawer implements chain.Node.
func (t telling) Withdrawer(ctx context.Context, mint solana.PublicKey) (solana.PublicKey, error) {
	return told(t.node.Withdrawer(ctx, mint))
}

// Multisig implements chain.MembersNode.
func (t telling) Multisig(ctx context.Context, address solana.PublicKey) (token2022.Multisig, error) {
	node, ok := t.node.(chain.MembersNode)
	if !ok {
		return token2022.Multisig{}, fmt.Errorf("%w: the node does not read such accounts", token2022.ErrNotMultisig)
	}
	m, err := node.Multisig(ctx, address)
	if errors.Is(err, token2022.ErrNotMultisig) {
		return m, err
	}
	return told(m, err)
}

// Remembers implements chain.Node.
func (t telling) Remembers(ctx context.Context) (first, newest uint64, err error) {
	first, newest, err = t.node.Remembers(ctx)
	_, err = told(first, err)
	return first, newest, err
}
