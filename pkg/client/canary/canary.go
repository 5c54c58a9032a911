// Package canary calls the public API as a caller does: it requests the health, signs in, prepares
// a launch that is never submitted, and verifies a proof. The canary reports the steps that failed.
package canary

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"log/slog"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/client/bundle"
	"tokenlaunch.example/service/pkg/platform/metric"
	"tokenlaunch.example/service/pkg/proof/chain"
	"tokenlaunch.example/service/pkg/proof/verify"
)

// Check is the configuration of a check. Each check generates a new wallet and discards the wallet
// afterwards, so no key can be stolen and no key has money.
type Check struct {
	API string // the public address
	// Options are client options in addition to the canary's own.
	Options []client.Option
	// Mint is the token whose newest proof is verified with Node; zero to skip the verification.
	Mint solana.PublicKey
	Node chain.Node
	// Markets are the Markets of verify.Options.
	Markets []solana.PublicKey
	// Within is the maximum duration of a check.
	Within time.Duration
	Log    *slog.Logger
}

// ErrRefuted is returned when a proof was read and does not hold.
var ErrRefuted = errors.New("the proof does not hold")

// A step with a transient failure is tried once more, as callers do.
const (
	attempts = 2
	maxWait  = 5 * time.Second
)

// Run runs all steps, and measures and logs the failures. The error joins all failures.
func (c Check) Run(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, c.Within)
	defer cancel()
	var failed []error
	try := func(step string, do func(context.Context) error) {
		if err := do(ctx); err != nil {
			c.Log.ErrorContext(ctx, "the canary fails", "step", step, "cause", err.Error())
			failed = append(failed, fmt.Errorf("%s: %w", step, err))
		}
	}
	key, err := client.NewKey()
	if err != nil {
		return err
	}
	api, err := client.New(c.API, append([]client.Option{
		client.WithSigner(key), client.WithUserAgent("tokenlaunch-canary"), client.WithAttempts(attempts), client.WithMaxWait(maxWait),
	}, c.Options...)...)
	if err != nil {
		return err
	}
	try("health", func(ctx context.Context) error {
		_, err := api.GetHealth(ctx)
		return err
	})
	try("launch", func(ctx context.Context) error { return launch(ctx, api) })
	if !c.Mint.IsZero() {
		try("proof", func(ctx context.Context) error { return c.prove(ctx, api) })
	}
	all := errors.Join(failed...)
	failures, refuted := int64(len(failed)), int64(0)
	if errors.Is(all, ErrRefuted) {
		failures, refuted = failures-1, 1
	}
	values := []metric.Value{CanaryFailures.Is(failures)}
	if !c.Mint.IsZero() {
		values = append(values, ProofsRefuted.Is(refuted)) // without a mint, no proof is checked
	}
	metric.Emit(ctx, c.Log, values)
	return all
}

// launch signs in, prepares a launch and checks the transaction against the request. The order is
// not submitted, and expires.
func launch(ctx context.Context, api *client.Client) error {
	if _, err := api.SignIn(ctx); err != nil {
		return fmt.Errorf("sign in: %w", err)
	}
	picture, err := api.UploadImage(ctx, picture())
	if err != nil {
		return fmt.Errorf("store a picture: %w", err)
	}
	wallet, err := api.GenerateDistributionWallet(ctx)
	if err != nil {
		return fmt.Errorf("make a distribution wallet: %w", err)
	}
	asked := client.TokenCreation{
		Name: "Canary", Symbol: "CANARY", Description: "A launch that is never submitted.", ImageURI: picture.ImageURI, WalletID: wallet.WalletID,
		TransferFeePercent: client.MustPercent("5"), Decimals: 6, Supply: client.BaseUnits(1_000_000_000_000), DistributionInterval: client.EveryHour, RewardToken: "SOL",
		PercentageToSellPerDistribution: client.MustPercent("50"),
	}
	if _, err := api.ValidateToken(ctx, asked); err != nil {
		return fmt.Errorf("validate a launch: %w", err)
	}
	given, err := api.CreateUnsignedToken(ctx, asked)
	if err != nil {
		return fmt.Errorf("prepare a launch: %w", err)
	}
	if _, err := api.SignLaunch(ctx, asked, wallet, given); err != nil {
		return fmt.Errorf("hold the transaction to what was asked for: %w", err)
	}
	return nil
}

// side is the width and height of the picture, in pixels.
const side = 256

// picture returns the same bytes each time, so the service stores the picture once.
func picture() []byte {
	var content bytes.Buffer
	_ = png.Encode(&content, image.NewGray(image.Rect(0, 0, side, side))) // a buffer never fails
	return content.Bytes()
}

// prove verifies the token's newest proof, with the files and the transactions on the chain.
func (c Check) prove(ctx context.Context, api *client.Client) error {
	r, err := api.NewestProven(ctx, c.Mint.String())
	if err != nil {
		return fmt.Errorf("find the newest proof: %w", err)
	}
	return c.verify(ctx, r)
}

func (c Check) verify(ctx context.Context, r client.Run) error {
	source, anchor, err := bundle.OpenNamed(c.API, r.Anchor.Transaction.URL)
	if err != nil {
		return fmt.Errorf("open the proof of run %s: %w", r.ID, err)
	}
	if anchor != r.Anchor.Transaction.CID {
		return fmt.Errorf("run %s: its proof is at %s, and its anchor is %s: %w", r.ID, r.Anchor.Transaction.URL, r.Anchor.Transaction.CID, ErrRefuted)
	}
	report, err := verify.Bundle(ctx, source, anchor, verify.Options{Node: c.Node, Markets: c.Markets})
	if err != nil {
		return err //nolint:wrapcheck // it says of which proof
	}
	if err := c.judge(r, report); err != nil {
		return err
	}
	c.Log.InfoContext(ctx, "the proof holds", "run", r.ID, "complete", report.Complete(), "leftOut", report.LeftOnTrustWords())
	return nil
}

// judge returns ErrRefuted if a proof does not hold. It returns another error if the proof is too
// new, because the service's code is newer than the canary's, or if the files or the node cannot be
// reached.
func (c Check) judge(r client.Run, report verify.Report) error {
	for _, check := range report.Checks {
		switch {
		case check.Verdict == verify.Failed:
			return fmt.Errorf("run %s, %s: %s: %w", r.ID, check.Name, check.Detail, ErrRefuted)
		case check.Verdict == verify.TooNew && report.TooNew():
			return fmt.Errorf("run %s, %s: %s", r.ID, check.Name, check.Detail)
		}
	}
	if check, unreached := report.Unreached(); unreached {
		return fmt.Errorf("run %s could not be checked, %s: %s", r.ID, check.Name, check.Detail)
	}
	if !report.OK() || report.Manifest.RunID != r.ID || report.Manifest.Mint.String() != c.Mint.String() {
		return fmt.Errorf("the proof is of run %s of %s, not of %s of %s: %w", report.Manifest.RunID, report.Manifest.Mint, r.ID, c.Mint, ErrRefuted)
	}
	return nil
}
