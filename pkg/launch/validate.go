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

// notYet stands in the sentences for an address that only a creation makes.
const notYet = "(not made yet)"

// Validate says what a launch of a draft would cost and do, or refuses it as Create would. It
// leaves nothing behind: no record, file or leased nonce, and it holds no picture.
//
// It simulates the launch on a blockhash, with a mint that is thrown away: so its sentences
// name none of the addresses that depend on the mint, and a launch on a nonce may
// offer a slightly different priority fee.
func (s Service) Validate(ctx context.Context, caller solana.PublicKey, draft token.Draft) (transaction.Cost, []string, error) {
	w, err := s.check(ctx, &draft, s.findImage)
	if err != nil {
		return transaction.Cost{}, nil, err
	}
	var o order
	if _, o.mintKey, err = ed25519.GenerateKey(nil); err != nil {
		return transaction.Cost{}, nil, fmt.Errorf("make a mint: %w", err)
	}
	mint := solana.PublicKey(o.mintKey[ed25519.SeedSize:])
	metadata, err := draft.Metadata(mint)
	if err != nil {
		return transaction.Cost{}, nil, err
	}
	metadataCID, err := s.Files.Name(metadata)
	if err != nil {
		return transaction.Cost{}, nil, err
	}
	if o.lastSigner, err = s.Signer.PublicKey(ctx); err != nil {
		return transaction.Cost{}, nil, err
	}
	o.id, o.token = s.NewID(), record(s.NewID(), caller, mint, draft, w, metadataCID, s.Now().UTC())
	would, err := s.prepare(ctx, o, nil)
	if err != nil {
		return transaction.Cost{}, nil, err
	}
	account, err := token2022.AssociatedAddress(caller, mint, solana.PublicKey{})
	if err != nil {
		return transaction.Cost{}, nil, err
	}
	hide := strings.NewReplacer(mint.String(), notYet, account.String(), notYet, content.Scheme+metadataCID, notYet)
	for i, sentence := range would.Explanation {
		would.Explanation[i] = hide.Replace(sentence)
	}
	return would.Cost, would.Explanation, nil
}

// findImage looks for a picture and leaves it as it is.
func (s Service) findImage(ctx context.Context, cid string) error {
	_, err := s.Images.Get(ctx, cid)
	return err
}
