package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/gagliardetto/solana-go"
)

// Order says what to launch.
type Order struct {
	// Token says what token, without WalletID, which the launch makes.
	Token TokenCreation
	// Picture is a PNG or JPEG; it is uploaded when Token has no ImageURI.
	Picture []byte
	// MostLamports is the maximum of what the launch costs in all. Zero means DefaultMostLamports.
	MostLamports Lamports
}

// DefaultMostLamports is some four times what a launch costs: 0.1 SOL. The rent and what the
// distribution wallet is funded with are the service's word.
const DefaultMostLamports = 100_000_000

// LaunchStep is a part of a launch.
type LaunchStep string

// The steps, in their order.
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

// LaunchHooks are told how a launch goes on. Each may be nil.
type LaunchHooks struct {
	// Begin is told of each step.
	Begin func(LaunchStep)
	// Preview sees what the launch would cost and do, before it counts as a creation; the
	// addresses that a creation makes are not in it. A launch over MostLamports ends before
	// that. An error ends the launch. Nil skips the request.
	Preview func(ValidToken) error
	// Approve sees the transaction, what it costs and does, when it has been checked and
	// before it is signed. An error ends the launch.
	Approve func(UnsignedToken) error
	// Changed sees what the wallet changed in the transaction, in a sentence each: another priority
	// fee, Lighthouse assertions. An error ends the launch.
	Changed func([]string) error
	// Signed sees what is about to be submitted, and again what takes its place when it has
	// expired. A caller who keeps the last can finish the launch with FinishLaunch, whatever
	// happens meanwhile. An error ends the launch.
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

// UncertainError appears when a launch was submitted, and it is unknown whether it
// arrived. FinishLaunch with the same Submission finds out, and launches nothing twice.
// A new launch would be a second token, unless its order is over, 5 minutes after it was
// made, and there is no token at Mint.
type UncertainError struct {
	Submission Submission
	// Mint and ExpiresAt are those of the launch; zero when FinishLaunch began without.
	Mint      solana.PublicKey
	ExpiresAt Time
	Err       error
}

// Error says what is not known.
func (e *UncertainError) Error() string {
	if e.Mint.IsZero() {
		return fmt.Sprintf("it is not known whether the token was launched: %v", e.Err)
	}
	return fmt.Sprintf("it is not known whether the token %s was launched: %v", e.Mint, e.Err)
}

// Unwrap gives the reason.
func (e *UncertainError) Unwrap() error { return e.Err }

// ErrLaunchFailed appears when a launch was submitted, and the chain refused it.
var ErrLaunchFailed = errors.New("the launch failed on the chain")

// Launch launches a token: distribution wallet, picture, transaction, the check that it is
// what was asked for, signature, submission, and the wait until the chain has decided. It
// answers the token as it is then.
func (c *Client) Launch(ctx context.Context, o Order, h LaunchHooks) (Token, error) {
	wallet, err := c.ready(ctx, &o, h)
	if err != nil {
		return Token{}, err
	}
	most := or(o.MostLamports, LamportsOf(DefaultMostLamports))
	if h.Preview != nil {
		would, err := c.ValidateToken(ctx, o.Token)
		if err == nil {
			err = within(would.Cost, most)
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
	if err := within(given.Cost, most); err != nil {
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

// within rejects a cost of more than the caller allows.
func within(cost Cost, most Lamports) error {
	if cost.TotalLamports.Uint64() > most.Uint64() {
		return notAsAsked("it costs %s, more than %s", cost.TotalLamports, most)
	}
	return nil
}

// Validate says what a launch would cost and do, or why the service refuses it. It makes the
// distribution wallet and uploads the picture, as Launch does, prepares nothing, and does not
// count as a creation.
func (c *Client) Validate(ctx context.Context, o Order) (ValidToken, error) {
	if _, err := c.ready(ctx, &o, LaunchHooks{}); err != nil {
		return ValidToken{}, err
	}
	return c.ValidateToken(ctx, o.Token)
}

// ready signs in and adds to an order what the service has to make for it.
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

// mostSubmissions is how often a launch is submitted at most: the limit of an hour.
const mostSubmissions = 5

// FinishLaunch submits a signed launch and waits until the chain has decided. It may be
// called again with the same submission, also by another process or days later: it is the
// same launch, and no second one.
//
// Where the transaction has expired and its order lives, it signs the fresh one, which
// creates the same token, if the client has a signer, and submits that.
func (c *Client) FinishLaunch(ctx context.Context, s Submission, h LaunchHooks) (Token, error) {
	var mint solana.PublicKey // once it was taken
	for left := mostSubmissions - 1; ; left-- {
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
			left = 0 // it was taken before, so there is still the wait
		}
		if left == 0 {
			within = pollFor
		}
		h.begin(LaunchConfirm)
		t, err := c.awaitToken(ctx, mint, within)
		if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil && left > 0 {
			continue // it may have been lost: then the service says so
		}
		return t, undecided(s, err)
	}
}

// signAgain signs what takes the place of a submission.
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

// undecided says of what a submitted launch ended with whether it may have arrived: only
// where the service or the chain has refused it, it has not.
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
	// pollEvery is how often a token is asked for. It leaves most of the limit of 100
	// reads in 15 minutes to others.
	pollEvery = 3 * time.Second
	// pollFor is longer than a launch can stay undecided: it expires after 5 minutes.
	pollFor = 8 * time.Minute
	// submitAgainAfter is longer than a blockhash lives.
	submitAgainAfter = time.Minute
)

// AwaitToken waits until the chain has decided on a submitted launch.
func (c *Client) AwaitToken(ctx context.Context, mint solana.PublicKey) (Token, error) {
	return c.awaitToken(ctx, mint, pollFor)
}

func (c *Client) awaitToken(ctx context.Context, mint solana.PublicKey, within time.Duration) (Token, error) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
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
		case <-time.After(pollEvery):
		}
	}
}
