package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/auth"
	"tokenlaunch.example/service/pkg/platform/auth/siws"
)

const (
	// renewBefore is the time before the expiry at which an access token is renewed.
	renewBefore = 5 * time.Minute
	// signIns is the maximum number of attempts to sign in. The response to a used challenge may be
	// lost, and a challenge works only once.
	signIns = 3
)

// session is the access token of a client.
type session struct {
	turn chan struct{} // held by the caller that reads or renews the access token
	held Session
}

// ErrNoSigner is returned when an operation needs an access token, and the client has neither an
// access token nor a Signer.
var ErrNoSigner = errors.New("this needs a wallet: give the client a Signer")

// CreateChallenge requests a message to sign.
func (c *Client) CreateChallenge(ctx context.Context, r ChallengeRequest) (Challenge, error) {
	return fetch[Challenge](ctx, c, call{method: http.MethodPost, path: "/auth/challenge", body: r})
}

// VerifyChallenge exchanges a signed message for an access token. A message works once.
func (c *Client) VerifyChallenge(ctx context.Context, r VerifyRequest) (Session, error) {
	return fetch[Session](ctx, c, call{method: http.MethodPost, path: "/auth/verify", body: r})
}

// SignIn requests and stores an access token, even if the client has an access token. Calls that
// need an access token sign in automatically.
func (c *Client) SignIn(ctx context.Context) (Session, error) {
	if err := c.session.take(ctx); err != nil {
		return Session{}, err
	}
	defer c.session.release()
	return c.signIn(ctx)
}

// bearer returns a valid access token other than refused.
func (c *Client) bearer(ctx context.Context, refused string) (string, error) {
	if err := c.session.take(ctx); err != nil {
		return "", err
	}
	defer c.session.release()
	s := c.session.held
	if s.Token != "" && s.Token != refused && (c.signer == nil || time.Until(s.ExpiresAt.Time) > renewBefore) {
		return s.Token, nil
	}
	s, err := c.signIn(ctx)
	return s.Token, err
}

func (s *session) take(ctx context.Context) error {
	select {
	case s.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *session) release() { <-s.turn }

// signIn requests an access token. The caller holds the turn.
func (c *Client) signIn(ctx context.Context) (Session, error) {
	if c.signer == nil {
		return Session{}, ErrNoSigner
	}
	for try := 1; ; try++ {
		s, err := c.prove(ctx)
		var unanswered *unansweredError
		lost := errors.As(err, &unanswered) || errors.Is(err, ChallengeUnknown)
		if !lost || try == signIns || ctx.Err() != nil {
			if err == nil {
				c.session.held = s
			}
			return s, err
		}
	}
}

// prove requests one challenge, signs the challenge and verifies the signature.
func (c *Client) prove(ctx context.Context) (Session, error) {
	wallet := c.signer.PublicKey()
	issued, err := c.CreateChallenge(ctx, ChallengeRequest{Wallet: wallet})
	if err != nil {
		return Session{}, err
	}
	if err := c.CheckChallenge(issued.Challenge, wallet); err != nil {
		return Session{}, err
	}
	signature, err := c.signer.SignMessage(ctx, []byte(issued.Challenge))
	if err != nil {
		return Session{}, fmt.Errorf("sign the message: %w", err)
	}
	if !auth.SignedText(wallet, issued.Challenge, signature) {
		return Session{}, errors.New("the wallet's signature does not fit the message")
	}
	s, err := c.VerifyChallenge(ctx, VerifyRequest{Wallet: wallet, Challenge: issued.Challenge, Signature: signature})
	if err != nil {
		return Session{}, err
	}
	if s.Token == "" || s.Wallet != wallet {
		return Session{}, fmt.Errorf("POST /auth/verify returns no token for %s", wallet)
	}
	return s, nil
}

// CheckChallenge checks that a text is a sign-in message for this wallet and this service, so that
// the wallet never signs a transaction, settings, or a message for another service.
func (c *Client) CheckChallenge(text string, wallet solana.PublicKey) error {
	m, err := siws.Parse(text)
	switch {
	case err != nil:
		return fmt.Errorf("the service asks to sign what is %w", err)
	case m.Address != wallet.String():
		return fmt.Errorf("the sign-in message is for the wallet %s, not %s", m.Address, wallet)
	case m.Domain != c.domain:
		return fmt.Errorf("the sign-in message is for %q, and %q was called: if both are the same service, name the first one as its domain", m.Domain, c.domain)
	}
	return nil
}
