// Package settings changes a token's distribution settings at the request of the creator.
//
// The package makes these promises:
//
//   - A change is merged into the settings at the moment of the write. The merged result is valid as a
//     whole, regardless of the number of concurrent changes.
//   - A change applies from the next boundary of the interval, and never to a slot whose run was opened.
//   - If a token changes its interval, pauses or resumes, the token is due in exactly the slots of the
//     settings of the moment.
//   - A slot that is opened late has the settings as of the slot.
package settings

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Current is a token with the facts on which a change of the settings depends.
type Current struct {
	Token token.Record
	// Versions are the token's settings. Token has the newest version.
	Versions terms.Versions
	// Opened is the newest slot for which a run was opened; zero without a run.
	Opened time.Time
	// DueSince is the time at which the token was last added to or removed from the list of an
	// interval, in milliseconds' resolution; zero before the first time.
	DueSince time.Time
	// DueNext is the time at which the pending version adds the token to the list of an interval, or
	// removes the token; zero if no pending version moves the token. DueNext stays when the version is in
	// force, until the next change.
	DueNext time.Time
	// HandedOver reports that the token was handed over. The token is on no list.
	HandedOver bool
}

// ErrConflict is returned when the token has changed. The caller reads the token again.
var ErrConflict = errors.New("settings changed meanwhile")

// Store stores tokens.
type Store interface {
	// Current returns the token with this mint, or token.ErrNotFound.
	Current(ctx context.Context, mint solana.PublicKey) (Current, error)
	// ChangeSettings makes after, a result of Versions.Next, the newest version of the settings in
	// one write. From the version's time on, the same write moves a launched token to the list of
	// its interval, or off the lists; see Current.Plan. It returns ErrConflict if before is stale, or if a run was
	// opened for a slot that is not before the version's time.
	ChangeSettings(ctx context.Context, before Current, after terms.Version) error
	// SignSettings adds the creator's signature to the newest version. It returns ErrConflict if
	// the newest version is not before's, or is signed already.
	SignSettings(ctx context.Context, before Current, signature solana.Signature) error
}

// Chain is the subset of the RPC API that a change needs.
type Chain interface {
	onchain.Reader
	Epoch(ctx context.Context) (uint64, error)
}

// Records stores the transactions that were created for creators.
type Records interface {
	Record(ctx context.Context, i transaction.Issued) error
}

// Service changes settings. Every field is required.
type Service struct {
	Store Store
	Chain Chain
	// Preparer creates the transactions, and Records stores the transactions.
	Preparer transaction.Preparer
	Records  Records
	Now      func() time.Time
	// Pause waits before a change is tried again, or returns the context's error.
	Pause func(ctx context.Context) error
	Log   *slog.Logger
}

// Changed is a token after a change. From is the time after which the settings apply. TaxChange is
// the transaction for a new tax, which the creator has to sign.
type Changed struct {
	Token     token.Record
	From      time.Time
	TaxChange *TaxChange
}

// changeTries is the maximum number of tries of a change when other changes go first.
const changeTries = 100

// Change merges a creator's change into the settings of a token. It returns validation_failed,
// unsupported_reward_token, transfer_fee_locked or settings_version_conflict. The transaction for a
// new tax is recorded before any change. So after an error, the creator has either the old settings
// or the wanted settings, and gets another transaction on the next request.
func (s Service) Change(ctx context.Context, mint solana.PublicKey, wanted Wanted) (Changed, error) {
	var out Changed
	payable := "" // the reward that was checked
	for range changeTries {
		now := s.Now().UTC()
		before, err := s.Store.Current(ctx, mint)
		if err != nil {
			return Changed{}, err
		}
		after, err := merge(before.Token, wanted, now)
		if err != nil {
			return Changed{}, err
		}
		if reward := after.RewardToken; reward != before.Token.Settings.RewardToken && reward != payable {
			if err := s.checkReward(ctx, after); err != nil {
				return Changed{}, err
			}
			payable = reward
		}
		next := before.Versions.Next(after, now, before.Opened)
		out.From = next.From
		version, err := wanted.Order.sign(before, next)
		if err != nil {
			return Changed{}, err
		}
		if wanted.TaxBps != nil && out.TaxChange == nil {
			if out.TaxChange, err = s.changeTax(ctx, before.Token, *wanted.TaxBps); err != nil {
				return Changed{}, err
			}
		}
		out.Token = before.Token
		out.Token.Settings, out.Token.SettingsVersion, out.Token.SettingsSignature = version.Settings, version.Number, version.Signature
		err = s.write(ctx, before, version)
		if err == nil {
			return out, nil
		}
		if !errors.Is(err, ErrConflict) {
			return Changed{}, err
		}
		if err := s.Pause(ctx); err != nil {
			return Changed{}, apperr.Upstream("The store", errors.Join(ErrConflict, err))
		}
	}
	return Changed{}, apperr.Upstream("The store", ErrConflict)
}

// write stores the version returned by Order.sign, unless the version is stored already.
func (s Service) write(ctx context.Context, before Current, version terms.Version) error {
	switch newest := before.Versions.Newest(); {
	case version.Number != newest.Number:
		return s.Store.ChangeSettings(ctx, before, version)
	case version.Signature != newest.Signature:
		return s.Store.SignSettings(ctx, before, version.Signature)
	default:
		return nil
	}
}

// merge returns the settings after a change, or the reason why the change is invalid.
func merge(t token.Record, wanted Wanted, now time.Time) (terms.Settings, error) {
	if err := apperr.Validation(wanted.Check(t, now)); err != nil {
		return terms.Settings{}, err
	}
	if locked := wanted.CheckTax(t); len(locked) > 0 {
		return terms.Settings{}, refuse(locked[0])
	}
	return wanted.Patch.Apply(t.Settings), nil
}

// checkReward rejects a reward in which holders cannot be paid.
func (s Service) checkReward(ctx context.Context, after terms.Settings) error {
	reward, err := after.Reward()
	if err != nil || reward.IsSOL() {
		return err
	}
	stored, found, err := s.Chain.Account(ctx, reward.Mint())
	if err != nil {
		return err
	}
	why := "There is no such mint on this network."
	if found {
		why = terms.WhyNotReward(reward.Mint(), stored.Owner, stored.Data)
	}
	if why == "" {
		return nil
	}
	return refuse(apperr.Field{Field: "rewardToken", Code: apperr.CodeUnsupportedRewardToken, Message: why})
}

func refuse(bad apperr.Field) error {
	return &apperr.Error{Code: bad.Code, Detail: bad.Message, Fields: []apperr.Field{bad}}
}

// ShortPause waits a random time, up to 50 ms, so that concurrent changes do not collide again.
func ShortPause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(rand.N(50 * time.Millisecond)): //nolint:gosec // G404: a pause, not a secret
		return nil
	}
}
