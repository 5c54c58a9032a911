// Package settings changes a token's distribution settings on its creator's word.
//
// What it promises: a change is merged into the settings as they are at the
// moment of the write, and the merged result is valid as a whole, however many
// changes race; it holds from the next boundary of the interval, and for no slot for
// which a run was opened; and a token that moves from one interval to another, pauses or
// resumes is due in every slot for which its settings of that moment say so, and in no
// other. A slot that is opened late has the settings that stood then.
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

// Current is a token with what a change of its settings depends on.
type Current struct {
	Token token.Record
	// Versions are its settings, the newest of which Token has.
	Versions terms.Versions
	// Opened is the last slot that a run was opened for; zero: none.
	Opened time.Time
	// DueSince is when the token was last put on the list of an interval or taken
	// off it, in milliseconds' resolution; zero: never.
	DueSince time.Time
}

// ErrConflict: the token changed meanwhile; read it again.
var ErrConflict = errors.New("settings changed meanwhile")

// Store keeps tokens.
type Store interface {
	// Current gives the token with this mint, or token.ErrNotFound.
	Current(ctx context.Context, mint solana.PublicKey) (Current, error)
	// ChangeSettings makes after, which Versions.Next gave, the newest version of the
	// settings in one write, which also moves a launched token to the list of its interval,
	// or off the lists, from that version's time on. ErrConflict when before is not as the
	// token is now, or a run was opened for a slot that is not before that time.
	ChangeSettings(ctx context.Context, before Current, after terms.Version) error
	// SignSettings adds the creator's signature to the newest version. ErrConflict when
	// that is another than before's, or is signed already.
	SignSettings(ctx context.Context, before Current, signature solana.Signature) error
}

// Chain is what a change needs of the network.
type Chain interface {
	onchain.Reader
	Epoch(ctx context.Context) (uint64, error)
}

// Records keeps the transactions that were made for creators.
type Records interface {
	Record(ctx context.Context, i transaction.Issued) error
}

// Service changes settings. Every field is required.
type Service struct {
	Store Store
	Chain Chain
	// Preparer makes the transactions, and Records keeps them.
	Preparer transaction.Preparer
	Records  Records
	Now      func() time.Time
	// Pause waits before a change is tried again, or gives the context's error.
	Pause func(ctx context.Context) error
	Log   *slog.Logger
}

// Changed is a token after a change. From is the time after which its settings hold.
// TaxChange is the transaction that the creator is to sign for another tax.
type Changed struct {
	Token     token.Record
	From      time.Time
	TaxChange *TaxChange
}

// changeTries bounds how often a change starts again because others go before.
const changeTries = 100

// Change merges a change into the settings of a token, whose creator wants it.
// It fails with validation_failed, unsupported_reward_token,
// transfer_fee_locked or settings_version_conflict. The transaction for another tax is recorded before anything
// changes: a creator who is answered an error has either the settings from before or the wanted
// ones, and is given another transaction when they ask again.
func (s Service) Change(ctx context.Context, mint solana.PublicKey, wanted Wanted) (Changed, error) {
	var out Changed
	payable := "" // the reward that has been looked up
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

// write makes a version that Order.sign gave the newest one; nothing when it is that already.
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

// merge gives the settings after a change, or why they cannot be so.
func merge(t token.Record, wanted Wanted, now time.Time) (terms.Settings, error) {
	if err := apperr.Validation(wanted.Check(t, now)); err != nil {
		return terms.Settings{}, err
	}
	if locked := wanted.CheckTax(t); len(locked) > 0 {
		return terms.Settings{}, refuse(locked[0])
	}
	return wanted.Patch.Apply(t.Settings), nil
}

// checkReward refuses a reward that holders could not be paid in.
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

// ShortPause waits a random while, up to 50 ms, so that changes which race do not
// meet again.
func ShortPause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(rand.N(50 * time.Millisecond)): //nolint:gosec // G404: a pause, not a secret
		return nil
	}
}
