// Package auth finds out which wallet is calling: it issues challenges, accepts
// their signatures and gives tokens for them.
//
// What it promises: a token is given only for a challenge that this service
// issued for that wallet, byte for byte, that has not expired, that the wallet's
// key has signed, and that no token was given for before, however many callers
// try at the same time.
package auth

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/auth/jwt"
	"tokenlaunch.example/service/pkg/platform/auth/siws"
)

// ChallengeLifetime is how long a challenge can be answered ("Authentication",
// spec).
const ChallengeLifetime = 5 * time.Minute

// statement is what the owner reads before signing.
const statement = "Sign in to launch and manage your tokens. This sends no transaction and costs nothing."

// What a caller reads whose proof is refused.
const (
	accepted = "Accepted are: the signature of the challenge's bytes; the signature of an off-chain message of version 0 or 1 " +
		"with exactly the challenge as its text and the wallet as its only signer; and, in signedTransaction, a transaction with the challenge as its memo."
	noKey = "This address is of no key: it belongs to a program, as the vault of a multisig (Squads) does, and cannot sign in or launch. " +
		"It can be developerWallet or a wallet of creatorSplits; as a holder it has no share. Sign in with the wallet of a member."
)

// ErrNoChallenge appears when no challenge with the nonce is stored: it was never
// issued, has been used, or is forgotten since it expired.
var ErrNoChallenge = errors.New("no such challenge")

// Challenge is a message that a wallet is to sign, and the terms on which it was
// issued. Times have whole milliseconds and are UTC.
type Challenge struct {
	Wallet    solana.PublicKey
	Nonce     string // its identity
	Message   string // to be signed as it is
	IssuedAt  time.Time
	ExpiresAt time.Time
}

// ChallengeStore keeps challenges until they are used, and for a while after
// they expire.
type ChallengeStore interface {
	Put(ctx context.Context, c Challenge) error
	// Get gives a challenge by its nonce, expired or not, or ErrNoChallenge.
	Get(ctx context.Context, nonce string) (Challenge, error)
	// Use removes a challenge that has not expired at now, or gives
	// ErrNoChallenge. Of all calls for one nonce, one at most succeeds.
	Use(ctx context.Context, nonce string, now time.Time) error
}

// TokenIssuer makes tokens for wallets that have been verified.
type TokenIssuer interface {
	Issue(ctx context.Context, wallet string) (jwt.Token, error)
}

// Service signs callers in.
type Service struct {
	Store  ChallengeStore
	Tokens TokenIssuer
	Sites  Sites
	Now    func() time.Time
	Rand   io.Reader // cryptographically random
}

// Issue makes a new challenge for wallet. It names the domain of the page that asks for it,
// by the request's Origin header, where that is allowed, and else the service's own.
func (s Service) Issue(ctx context.Context, wallet solana.PublicKey, origin string) (Challenge, error) {
	var random [16]byte
	if _, err := io.ReadFull(s.Rand, random[:]); err != nil {
		return Challenge{}, fmt.Errorf("make a nonce: %w", err)
	}
	now := s.Now().UTC().Truncate(time.Millisecond)
	c := Challenge{
		Wallet: wallet, Nonce: hex.EncodeToString(random[:]),
		IssuedAt: now, ExpiresAt: now.Add(ChallengeLifetime),
	}
	var err error
	if c.Message, err = s.Sites.of(origin).message(c); err != nil {
		return Challenge{}, fmt.Errorf("write the challenge: %w", err)
	}
	if err := s.Store.Put(ctx, c); err != nil {
		return Challenge{}, fmt.Errorf("store the challenge: %w", err)
	}
	return c, nil
}

// Proof shows that a wallet agreed to a text.
type Proof interface {
	// Check returns nil when the wallet's key has signed exactly the text. The error is a
	// clause for the caller, which names the field and what is wrong with it.
	Check(wallet solana.PublicKey, text string) error
}

// Verify gives a token to the wallet that signed message, a challenge that was
// issued to it. A refusal leaves the challenge as it was.
func (s Service) Verify(ctx context.Context, wallet solana.PublicKey, message string, proof Proof) (jwt.Token, error) {
	c, err := s.find(ctx, wallet, message)
	if err != nil {
		return jwt.Token{}, err
	}
	// Expiry comes before the signature: a late caller must ask again anyway.
	if now := s.Now(); !now.Before(c.ExpiresAt) {
		return jwt.Token{}, apperr.New(apperr.CodeChallengeExpired, "The challenge has expired: it is valid for 5 minutes. Ask for a new one.")
	}
	if !wallet.IsOnCurve() {
		return jwt.Token{}, apperr.New(apperr.CodeInvalidSignature, noKey)
	}
	if err := proof.Check(wallet, c.Message); err != nil {
		return jwt.Token{}, apperr.New(apperr.CodeInvalidSignature, fmt.Sprintf("The %v. %s", err, accepted))
	}
	// The token is made before the challenge is used up and given only after, so
	// that a key service that does not answer costs the caller nothing.
	token, err := s.Tokens.Issue(ctx, wallet.String())
	if err != nil {
		return jwt.Token{}, fmt.Errorf("issue a token: %w", err)
	}
	switch err := s.Store.Use(ctx, c.Nonce, s.Now()); {
	case errors.Is(err, ErrNoChallenge):
		return jwt.Token{}, unknown()
	case err != nil:
		return jwt.Token{}, fmt.Errorf("use the challenge up: %w", err)
	}
	return token, nil
}

// find gives the challenge that message is, byte for byte, if it was issued to
// wallet.
func (s Service) find(ctx context.Context, wallet solana.PublicKey, message string) (Challenge, error) {
	claimed, err := siws.Parse(message)
	if err != nil {
		return Challenge{}, unknown()
	}
	c, err := s.Store.Get(ctx, claimed.Nonce)
	switch {
	case errors.Is(err, ErrNoChallenge):
		return Challenge{}, unknown()
	case err != nil:
		return Challenge{}, fmt.Errorf("look the challenge up: %w", err)
	case c.Message != message || !c.Wallet.Equals(wallet):
		return Challenge{}, unknown()
	}
	return c, nil
}

func unknown() error {
	return apperr.New(apperr.CodeChallengeUnknown, "This challenge was not issued to this wallet, was changed, or has been used. Ask for a new one.")
}
