package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/gagliardetto/solana-go"
)

// Order describes a launch.
type Order struct {
	// Token is the token to launch, without WalletID, which Launch sets.
	Token TokenCreation
	// Picture is a PNG or JPEG. Launch uploads the picture if Token has no ImageURI.
	Picture []byte
	// MaxLamports is the maximum total cost of the launch. Zero means DefaultMaxLamports.
	MaxLamports Lamports
}

// DefaultMaxLamports is about four times the cost of a launch: 0.1 SOL. A limit is necessary
// because the Client cannot verify the rent and the funding of the distribution wallet, which the
// service states.
const DefaultMaxLamports = 100_000_000

// LaunchStep is a part of a launch.
type LaunchStep string

// The steps, in order.
const (
	LaunchSignIn  LaunchStep = "sign in"
	LaunchWallet  LaunchStep = "distribution wallet"
	LaunchUpload  LaunchStep = "upload"
	LaunchBuild   LaunchStep = "build"
	LaunchSign    LaunchStep = "sign"
	LaunchSubmit  LaunchStep = "submit"
	LaunchConfirm LaunchStep = "confirm"
)

// LaunchSteps lists the steps.
func LaunchSteps() []LaunchStep {
	return []LaunchStep{LaunchSignIn, LaunchWallet, LaunchUpload, LaunchBuild, LaunchSign, LaunchSubmit, LaunchConfirm}
}

// LaunchHooks are functions that a launch calls. Each function may be nil. If a function returns an
// error, the launch ends with the error.
type LaunchHooks struct {
	// Begin is called before each step.
	Begin func(LaunchStep)
	// Preview is called with the cost and the effects of the launch, before the launch counts as a
	// creation. The addresses of the new accounts are missing. A launch that costs more than
	// MaxLamports ends before Preview. If Preview is nil, the Client does not request the preview.
	Preview func(ValidToken) error
	// Approve is called with the checked transaction, the cost and the effects, before the
	// signature.
	Approve func(UnsignedToken) error
	// Changed is called with the wallet's changes to the transaction, one sentence for each change:
	// another priority fee, or Lighthouse assertions.
	Changed func([]string) error
	// Signed is called with the submission before the request, and again with the replacement of an
	// expired transaction. A caller that stores the last submission can finish the launch with
	// FinishLaunch after a crash.
	Signed func(Submission) error
}

func (h LaunchHooks) begin(s LaunchStep) {
	if h.Begin != nil {
		h.Begin(s)
	}
}

func (h LaunchHooks) changed(changes []string) error {
	if h.Changed == nil || len(changes) == 0 {
		return nil
	}
	return h.Changed(changes)
}

// UncertainError is returned when a launch was submitted and may or may not have arrived.
// FinishLaunch with the same Submission finds out, and never launches twice. A new launch would be
// a second token, unless the order has expired, 5 minutes after the creation, and no token exists
// at Mint.
type UncertainError struct {
	Submission Submission
	// Mint and ExpiresAt are the mint and the expiry of the launch. Both are zero if the caller
	// called FinishLaunch directly.
	Mint      solana.PublicKey
	ExpiresAt Time
	Err       error
}

// Error names the mint, if known, and the cause.
func (e *UncertainError) Error() string {
	if e.Mint.IsZero() {
		return fmt.Sprintf("it is not known whether the token was launched: %v", e.Err)
	}
	return fmt.Sprintf("it is not known whether the token %s was launched: %v", e.Mint, e.Err)
}

// Unwrap returns the cause.
func (e *UncertainError) Unwrap() error { return e.Err }

// ErrLaunchFailed is returned when a submitted launch failed on the chain.
var ErrLaunchFailed = errors.New("the launch failed on the chain")

// Launch launches a token. It creates the distribution wallet, uploads the picture, requests,
// checks, signs and submits the transaction, and waits until the chain has decided. It returns the
// token's state at the end.
func (c *Client) Launch(ctx context.Context, o Order, h LaunchHooks) (Token, error) {
	wallet, err := c.ready(ctx, &o, h)
	if err != nil {
		return Token{}, err
	}
	maximum := or(o.MaxLamports, LamportsOf(DefaultMaxLamports))
	if h.Preview != nil {
		would, err := c.ValidateToken(ctx, o.Token)
		if err == nil {
			err = within(would.Cost, maximum)
		}
		if err == nil {
			err = h.Preview(would)
		}
		if err != nil {
			return Token{}, err
		}
	}
	h.begin(LaunchBuild)
	given, err := c.CreateUnsignedToken(ctx, o.Token)
	if err != nil {
		return Token{}, err
	}
	if _, err := CheckLaunch(c.signer.PublicKey(), o.Token, wallet, given); err != nil {
		return Token{}, err
	}
	if err := within(given.Cost, maximum); err != nil {
		return Token{}, err
	}
	if h.Approve != nil {
		if err := h.Approve(given); err != nil {
			return Token{}, err
		}
	}
	h.begin(LaunchSign)
	signed, changes, err := c.signLaunch(ctx, o.Token, wallet, given)
	if err == nil {
		err = h.changed(changes)
	}
	if err != nil {
		return Token{}, err
	}
	submission := Submission{TransactionID: given.TransactionID, SignedTransaction: signed}
	if h.Signed != nil {
		if err := h.Signed(submission); err != nil {
			return Token{}, err
		}
	}
	t, err := c.FinishLaunch(ctx, submission, h)
	var unknown *UncertainError
	if errors.As(err, &unknown) {
		unknown.Mint, unknown.ExpiresAt = given.MintKeypair.PublicKey, given.ExpiresAt
	}
	return t, err
}

// within rejects a cost above the caller's maximum.
func within(cost Cost, maximum Lamports) error {
	if cost.TotalLamports.Uint64() > maximum.Uint64() {
		return mismatch("it costs %s, more than %s", cost.TotalLamports, maximum)
	}
	return nil
}

// Validate returns the cost and the effects of a launch, or the error with which the service
// rejects the launch. Like Launch, Validate creates the distribution wallet and uploads the
// picture. Validate prepares no transaction and does not count as a creation.
func (c *Client) Validate(ctx context.Context, o Order) (ValidToken, error) {
	if _, err := c.ready(ctx, &o, LaunchHooks{}); err != nil {
		return ValidToken{}, err
	}
	return c.ValidateToken(ctx, o.Token)
}

// ready signs in, and adds the distribution wallet and the picture's address to an order.
func (c *Client) ready(ctx context.Context, o *Order, h LaunchHooks) (DistributionWallet, error) {
	switch {
	case c.signer == nil:
		return DistributionWallet{}, ErrNoSigner
	case o.Token.WalletID != "":
		return DistributionWallet{}, errors.New("leave WalletID empty: a launch makes its own wallet, for its address is needed too")
	}
	h.begin(LaunchSignIn)
	if _, err := c.bearer(ctx, ""); err != nil {
		return DistributionWallet{}, err
	}
	h.begin(LaunchWallet)
	wallet, err := c.GenerateDistributionWallet(ctx)
	if err != nil {
		return DistributionWallet{}, err
	}
	o.Token.WalletID = wallet.WalletID
	h.begin(LaunchUpload)
	if o.Token.ImageURI == "" {
		image, err := c.UploadImage(ctx, o.Picture)
		if err != nil {
			return DistributionWallet{}, err
		}
		o.Token.ImageURI = image.ImageURI
	}
	return wallet, nil
}

// maxSubmissions is the maximum number of submissions of a launch: the service's limit for an
// hour.
const maxSubmissions = 5

// FinishLaunch submits a signed launch and waits until the chain has decided. It is idempotent:
// another process may repeat the call with the same submission, even days later.
//
// If the transaction has expired and the order has not, the service returns a fresh transaction for
// the same token. If the client has a signer, FinishLaunch signs and submits the fresh transaction.
func (c *Client) FinishLaunch(ctx context.Context, s Submission, h LaunchHooks) (Token, error) {
	var mint solana.PublicKey // set after the service has accepted the launch
	for left := maxSubmissions - 1; ; left-- {
		h.begin(LaunchSubmit)
		result, err := c.SubmitToken(ctx, s)
		var refused *Problem
		if errors.As(err, &refused) && refused.Refresh != nil && c.signer != nil && left > 0 {
			if s, err = c.signAgain(ctx, s, *refused.Refresh, h); err != nil {
				return Token{}, err
			}
			continue
		}
		within := submitAgainAfter
		switch {
		case err == nil:
			mint = result.MintAddress
		case mint.IsZero() || !errors.Is(err, RateLimitExceeded):
			return Token{}, undecided(s, err)
		default:
			left = 0 // the service has accepted the launch before, so only wait
		}
		if left == 0 {
			within = pollFor
		}
		h.begin(LaunchConfirm)
		t, err := c.awaitToken(ctx, mint, within)
		if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil && left > 0 {
			continue // the transaction may have been lost: submit again
		}
		return t, undecided(s, err)
	}
}

// signAgain signs the fresh transaction that replaces an expired submission.
func (c *Client) signAgain(ctx context.Context, s Submission, fresh Refresh, h LaunchHooks) (Submission, error) {
	h.begin(LaunchSign)
	tx, err := CheckRefresh(c.signer.PublicKey(), s.SignedTransaction, fresh)
	if err != nil {
		return s, err
	}
	signed, changes, err := c.sign(ctx, tx)
	if err == nil {
		err = h.changed(changes)
	}
	if err != nil {
		return s, err
	}
	s.SignedTransaction = signed
	if h.Signed != nil {
		err = h.Signed(s)
	}
	return s, err
}

// undecided wraps the error of a submitted launch in an UncertainError if the launch may have
// arrived. Only a rejection by the service or a failure on the chain proves that no token was
// launched.
func undecided(s Submission, err error) error {
	var refused *Problem
	switch {
	case err == nil, errors.Is(err, ErrLaunchFailed):
		return err
	case errors.As(err, &refused) && refused.Call == "POST /tokens/submit":
		switch refused.Status {
		case http.StatusBadRequest, http.StatusForbidden, http.StatusNotFound, http.StatusRequestEntityTooLarge:
			return err
		case http.StatusConflict:
			if refused.Code != IdempotencyInProgress {
				return err
			}
		}
	}
	return &UncertainError{Submission: s, Err: err}
}

const (
	// pollEvery is the minimum pause between two reads of a token, and pollShare the part of the
	// time since the first read that later pauses take. A whole wait reads 34 times, so two launches
	// from one address fit into the 100 reads that an address has in 15 minutes.
	pollEvery = 3 * time.Second
	pollShare = 8
	// pollFor is the maximum wait for the chain's decision. A launch expires after 5 minutes.
	pollFor = 8 * time.Minute
	// submitAgainAfter is the wait before another submission, at least the lifetime of a blockhash.
	submitAgainAfter = time.Minute
)

// AwaitToken waits until the chain has decided on a submitted launch.
func (c *Client) AwaitToken(ctx context.Context, mint solana.PublicKey) (Token, error) {
	return c.awaitToken(ctx, mint, pollFor)
}

func (c *Client) awaitToken(ctx context.Context, mint solana.PublicKey, within time.Duration) (Token, error) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	began := time.Now()
	for {
		t, err := c.GetToken(ctx, mint)
		switch {
		case err != nil:
			return t, err
		case t.Status == TokenFailed:
			return t, fmt.Errorf("%w: %s", ErrLaunchFailed, mint)
		case t.Status != TokenSubmitted:
			return t, nil
		}
		select {
		case <-ctx.Done():
			return t, fmt.Errorf("wait for the token %s: %w", mint, ctx.Err())
		case <-time.After(max(pollEvery, time.Since(began)/pollShare)):
		}
	}
}
