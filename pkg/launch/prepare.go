package launch

import (
	"context"
	"crypto/ed25519"
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/creation"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/content"
)

// Compute unit limits. The creation needs about 35,000 (design, chain.md), and the request for the
// last signature 6,000.
const (
	simulationUnits = 200_000
	defaultUnits    = 60_000
)

// derivation is the prefix of the MAC's input. The transaction's ID follows. The MAC is the seed of
// the mint's key. The version allows another scheme in the future.
const derivation = "mint/v1/"

// mintKey derives the key of a launch's mint, which signs only on submit. The caller must clear the
// key after use.
func (s Service) mintKey(ctx context.Context, id string) (ed25519.PrivateKey, error) {
	mac, err := s.MintMAC.Sum512(ctx, []byte(derivation+id))
	if err != nil {
		return nil, fmt.Errorf("derive the mint's key: %w", err)
	}
	defer clear(mac[:])
	return ed25519.NewKeyFromSeed(mac[:ed25519.SeedSize]), nil
}

// compose returns the draft of a launch's messages, without a nonce or blockhash.
func compose(t token.Record, terms Terms) (transaction.Draft, error) {
	steps, err := creation.Creation{
		Payer: t.Creator, Mint: t.Mint, DistributionWallet: t.Wallet.Address, Guardian: t.Guardian,
		Name: t.Name, Symbol: t.Symbol, URI: content.Gateway + t.MetadataCID,
		Decimals: uint8(t.Decimals), Supply: t.Supply, TransferFeeBps: uint16(t.TransferFeeBps), //nolint:gosec // validated: 6 or 9; at most 10,000
		FeeAdjustable: t.FeeAdjustable, ImmutableMetadata: t.Immutable,
		MintRentLamports: terms.MintRentLamports, MultisigRentLamports: terms.MultisigRentLamports, FundingLamports: terms.FundingLamports,
	}.Steps()
	return transaction.Draft{Kind: transaction.KindLaunch, Caller: t.Creator, Mint: t.Mint, Steps: steps}, err
}

// messageOn composes the message of an order on a blockhash, or on its nonce's value.
func (s Service) messageOn(ctx context.Context, l Launch, recent solana.Hash) (wire.Message, error) {
	draft, err := compose(l.Token, l.Terms)
	if err != nil {
		return wire.Message{}, err
	}
	if draft.LastSigner, err = s.Signer.PublicKey(ctx); err != nil {
		return wire.Message{}, err
	}
	if l.OnNonce() {
		draft.Nonce = &transaction.NonceUse{Nonce: l.Nonce, Authority: draft.LastSigner}
	}
	message, _, err := draft.Compile(recent, l.Terms.Units, l.Terms.PriceMicroLamports)
	return message, err
}

// prepare builds the first transaction of an order, on the given nonce or on a blockhash.
func (s Service) prepare(ctx context.Context, o order, nonce *transaction.NonceUse) (Created, error) {
	terms := Terms{FundingLamports: s.FundingLamports}
	var err error
	if terms.MintRentLamports, err = s.Chain.MinimumBalance(ctx, token2022.MintSize(o.token.Name, o.token.Symbol, content.Gateway+o.token.MetadataCID)); err != nil {
		return Created{}, err
	}
	accountRent, err := s.Chain.MinimumBalance(ctx, token2022.AssociatedAccountSize)
	if err != nil {
		return Created{}, err
	}
	if !o.token.Guardian.IsZero() {
		if terms.MultisigRentLamports, err = s.Chain.MinimumBalance(ctx, token2022.MultisigSize); err != nil {
			return Created{}, err
		}
	}
	draft, err := compose(o.token, terms)
	if err != nil {
		return Created{}, err
	}
	draft.Nonce, draft.LastSigner = nonce, o.lastSigner
	draft.MaxUnits, draft.DefaultUnits = simulationUnits, defaultUnits
	draft.Cost = transaction.Cost{Rent: terms.MintRentLamports + terms.MultisigRentLamports + accountRent, Deposit: s.FundingLamports}
	u, err := s.Preparer.Prepare(ctx, o.id, draft)
	if err != nil {
		return Created{}, err
	}
	terms.Units, terms.PriceMicroLamports = u.Units, u.PriceMicroLamports
	var durable transaction.Nonce
	fresh := Fresh{Transaction: u.Transaction, ExpiresAt: o.until}
	if nonce != nil {
		durable = nonce.Nonce
	} else if fresh, err = s.fresh(ctx, u.Transaction, u.LastValid); err != nil {
		return Created{}, err
	}
	return Created{
		Launch: Launch{Prepared: u.Pending(durable, o.until), Token: o.token, Terms: terms},
		Fresh:  fresh, Cost: u.Cost, Explanation: u.Explanation, Simulation: u.Simulation,
	}, nil
}
