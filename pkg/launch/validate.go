package launch

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"strings"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/content"
)

// notYet replaces addresses that only a creation determines.
const notYet = "(not made yet)"

// Validate returns the cost and the explanation of a draft's launch, or the error of Create. It
// stores nothing: no record, file or leased nonce, and it does not hold the image.
//
// The simulated launch uses a blockhash and a temporary mint. The explanation therefore omits
// addresses that depend on the mint, and a launch on a nonce may have a slightly different priority
// fee.
func (s Service) Validate(ctx context.Context, caller solana.PublicKey, draft token.Draft) (transaction.Cost, []string, error) {
	w, err := s.check(ctx, &draft, s.findImage)
	if err != nil {
		return transaction.Cost{}, nil, err
	}
	o := order{id: s.NewID()}
	if _, o.mintKey, err = ed25519.GenerateKey(nil); err != nil {
		return transaction.Cost{}, nil, fmt.Errorf("make a mint: %w", err)
	}
	if err := s.fill(ctx, &o, caller, draft, w, s.Now().UTC()); err != nil {
		return transaction.Cost{}, nil, err
	}
	would, err := s.prepare(ctx, o, nil)
	if err != nil {
		return transaction.Cost{}, nil, err
	}
	account, err := token2022.AssociatedAddress(caller, o.token.Mint, solana.PublicKey{})
	if err != nil {
		return transaction.Cost{}, nil, err
	}
	hide := strings.NewReplacer(o.token.Mint.String(), notYet, account.String(), notYet, content.Gateway+o.token.MetadataCID, notYet)
	for i, sentence := range would.Explanation {
		would.Explanation[i] = hide.Replace(sentence)
	}
	return would.Cost, would.Explanation, nil
}

// findImage checks that an image exists, without holding the image.
func (s Service) findImage(ctx context.Context, cid string) error {
	_, err := s.Images.Get(ctx, cid)
	return err
}
