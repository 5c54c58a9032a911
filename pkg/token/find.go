package token

import (
	"context"
	"errors"

	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/platform/apperr"
)

// Finder finds tokens by their ids and by their mints.
type Finder interface {
	Reader
	// MintOf gives the mint of the token with this id, or ErrNotFound.
	MintOf(ctx context.Context, id string) (solana.PublicKey, error)
}

// Reader finds tokens by their mints.
type Reader interface {
	// Token gives the record of the token with this mint, or ErrNotFound.
	Token(ctx context.Context, mint solana.PublicKey) (Record, error)
}

// uuidLength is that of an id as this service writes it.
const uuidLength = 36

// maxAddressLength is that of 32 bytes in base58; decoding takes time that is
// quadratic in the length.
const maxAddressLength = 44

// Find gives the token that a caller means by its id or its mint's address; it
// fails with NotFound when it is neither.
func Find(ctx context.Context, in Finder, idOrMint string) (Record, error) {
	id, err := uuid.Parse(idOrMint)
	if err != nil || len(idOrMint) != uuidLength {
		return FindMint(ctx, in, idOrMint)
	}
	mint, err := in.MintOf(ctx, id.String())
	if err != nil {
		return Record{}, told(err)
	}
	record, err := in.Token(ctx, mint)
	return record, told(err)
}

// FindMint gives the token whose mint has this address; it fails with NotFound
// when it is none.
func FindMint(ctx context.Context, in Reader, address string) (Record, error) {
	if len(address) > maxAddressLength {
		return Record{}, NotFound()
	}
	mint, err := solana.PublicKeyFromBase58(address)
	if err != nil {
		return Record{}, NotFound()
	}
	record, err := in.Token(ctx, mint)
	return record, told(err)
}

// told says ErrNotFound in the caller's words.
func told(err error) error {
	if errors.Is(err, ErrNotFound) {
		return NotFound()
	}
	return err
}

// NotFound is told to callers who ask for a token that there is not.
func NotFound() error {
	return apperr.New(apperr.CodeTokenNotFound, "This service has launched no token with this id or mint address.")
}

// CheckCreator refuses every caller but the wallet that launched the token. Whether a token
// exists, GET /tokens tells anyone already.
func (r Record) CheckCreator(wallet solana.PublicKey) error {
	if wallet == r.Creator {
		return nil
	}
	return apperr.New(apperr.CodeNotTokenCreator, "Only the wallet that launched this token may do this.")
}
