// Package auth identifies the calling wallet: the package issues challenges, accepts signatures of
// challenges, and returns access tokens.
//
// The package promises: an access token is returned only for an unexpired challenge that this
// service issued for the wallet, byte for byte, and that the wallet's key has signed. At most one
// access token is returned for a challenge, despite concurrent callers.
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

// ChallengeLifetime is the time for which a challenge can be signed ("Authentication", spec).
const ChallengeLifetime = 5 * time.Minute

// statement is the sentence for the owner of the wallet.
const statement = "Sign in to launch and manage your tokens. This sends no transaction and costs nothing."

// Explanations in errors of Verify.
const (
	accepted = "Accepted are: the signature of the challenge's bytes; the signature of an off-chain message of version 0 or 1 " +
		"with exactly the challenge as its text and the wallet as its only signer; and, in signedTransaction, a transaction with the challenge as its memo."
	noKey = "This address is of no key: it belongs to a program, as the vault of a multisig (Squads) does, and cannot sign in or launch. " +
		"It can be developerWallet or a wallet of creatorSplits; as a holder it has no share. Sign in with the wallet of a member."
)

// ErrNoChallenge is returned if no challenge with the nonce is stored: the challenge was never
// issued, was used, or was deleted after the expiry.
var ErrNoChallenge = errors.New("no such challenge")

// Challenge is a message for a wallet to sign, and the terms of the message. Times have whole
// milliseconds and are UTC.
type Challenge struct {
	Wallet    solana.PublicKey
	Nonce     string // identifies the challenge
	Message   string // the exact text to sign
	IssuedAt  time.Time
	ExpiresAt time.Time
}

// ChallengeStore stores challenges until the challenges are used, and for a while after the expiry.
type ChallengeStore interface {
	Put(ctx context.Context, c Challenge) error
	// Get returns a challenge by nonce, expired or not, or ErrNoChallenge.
	Get(ctx context.Context, nonce string) (Challenge, error)
	// Use removes a challenge that has not expired at now, or returns ErrNoChallenge. At most one
	// call for a nonce succeeds.
	Use(ctx context.Context, nonce string, now time.Time) error
}

// TokenIssuer issues access tokens for verified wallets.
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

// Issue stores and returns a new challenge for wallet. The challenge names the domain of the
// requesting page, from the request's Origin header, if the origin is allowed. Otherwise the
// challenge names the service's own domain.
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
	// Check returns nil if the wallet's key has signed exactly the text. The error is a clause for
	// the caller, with the field and the problem.
	Check(wallet solana.PublicKey, text string) error
}

// Verify returns an access token for the wallet that signed message, a challenge that was issued to
// the wallet. An error leaves the challenge unused.
func (s Service) Verify(ctx context.Context, wallet solana.PublicKey, message string, proof Proof) (jwt.Token, error) {
	c, err := s.find(ctx, wallet, message)
	if err != nil {
		return jwt.Token{}, err
	}
	// Check the expiry before the signature: a late caller needs a new challenge anyway.
	if now := s.Now(); !now.Before(c.ExpiresAt) {
		return jwt.Token{}, apperr.New(apperr.CodeChallengeExpired, "The challenge has expired: it is valid for 5 minutes. Ask for a new one.")
	}
	if !wallet.IsOnCurve() {
		return jwt.Token{}, apperr.New(apperr.CodeInvalidSignature, noKey)
	}
	if err := proof.Check(wallet, c.Message); err != nil {
		return jwt.Token{}, apperr.New(apperr.CodeInvalidSignature, fmt.Sprintf("The %v. %s", err, accepted))
	}
	// The access token is created before the challenge is used and returned only afterwards. So a
	// failure of the key service does not use up the challenge.
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

// find returns the challenge that equals message byte for byte and was issued to wallet.
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
