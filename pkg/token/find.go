package token

import (
	"context"
	"errors"

	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/platform/apperr"
)

// Finder finds tokens by ID or mint.
type Finder interface {
	Reader
	// MintOf returns the mint of the token with this ID, or ErrNotFound.
	MintOf(ctx context.Context, id string) (solana.PublicKey, error)
}

// Reader finds tokens by mint.
type Reader interface {
	// Token returns the record of the token with this mint, or ErrNotFound.
	Token(ctx context.Context, mint solana.PublicKey) (Record, error)
}

// uuidLength is the length of an ID in the service's format.
const uuidLength = 36

// maxAddressLength is the maximum length of 32 bytes in base58. The time of decoding is quadratic
// in the length.
const maxAddressLength = 44

// Find returns the token with the given ID or mint address. Otherwise it returns NotFound.
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

// FindMint returns the token with the given mint address. Otherwise it returns NotFound.
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

// told converts ErrNotFound to NotFound.
func told(err error) error {
	if errors.Is(err, ErrNotFound) {
		return NotFound()
	}
	return err
}

// NotFound returns the caller's error for a token that does not exist.
func NotFound() error {
	return apperr.New(apperr.CodeTokenNotFound, "This service has launched no token with this id or mint address.")
}

// CheckCreator rejects every wallet except the token's creator. The error may reveal that the token
// exists, because GET /tokens is public.
func (r Record) CheckCreator(wallet solana.PublicKey) error {
	if wallet == r.Creator {
		return nil
	}
	return apperr.New(apperr.CodeNotTokenCreator, "Only the wallet that launched this token may do this.")
}
