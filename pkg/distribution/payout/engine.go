package payout

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Engine moves money. It keeps nothing in memory: any number of engines may work
// on the same wallet, each call does what is safe to do now and ends, and any of
// them may crash anywhere.
type Engine struct {
	Store   Store
	Journal Journal
	Phases  Phases
	Records Records
	// Chains are the nodes: the first one sends and simulates, all of them must agree
	// on what is final.
	Chains []Chain
	Wallet Wallet
	Fees   Fees
	Pace   Pace
	// Reserved gives what of an asset must stay in the wallet, for payments that
	// nobody can decide; nil when that is nothing.
	Reserved func(ctx context.Context, mint solana.PublicKey, asset terms.Asset) (uint64, error)
	Now      func() time.Time
	Log      *slog.Logger
}

const (
	// tries is how often a call reads again after somebody else has written.
	tries = 5
	// lookAgain is the pause after a conflict that lasts, and after a node or store
	// did not answer.
	lookAgain = 2 * time.Second
	// abandoned is how long an intent may be bound without anything being signed,
	// before its lane is taken from it for another.
	abandoned = 5 * time.Minute
)

// movement is an intent with what is needed to bring it further.
type movement struct {
	wallet token.Wallet
	plan   Intent // as it is before it is first stored
	lane   int    // the lane that it is to go on
	// version is how its transactions are encoded.
	version Version
	build   func(ctx context.Context) (draft, error)
	// hold gives the fingerprint of the account of the only record; nil for intents
	// that are no batch.
	hold func(ctx context.Context) ([8]byte, error)
}

// draft is a payload with what it says of the intent.
type draft struct {
	Payload
	amount uint64
	made   []uint32
	// own is what was read of the wallet together with the recipients; nil when it was
	// not.
	own *own
}

// Advance brings an intent that is no batch one safe step further, on the first
// lane. The intent is as planned (ID, Mint, Asset, Amount); build is asked when
// it is to be signed. It gives the intent as it is afterwards, and says done when
// that is decided.
func (e Engine) Advance(ctx context.Context, wallet token.Wallet, intent Intent, build func(ctx context.Context) (Payload, error)) (Intent, Next, error) {
	plan := Intent{ID: intent.ID, Mint: intent.Mint, Asset: intent.Asset, Amount: intent.Amount}
	result, next, err := e.step(ctx, movement{
		wallet: wallet, plan: plan,
		build: func(ctx context.Context) (draft, error) {
			payload, err := build(ctx)
			return draft{Payload: payload, amount: plan.Amount}, err
		},
	})
	if err != nil {
		if next, ok := e.passes(ctx, err, intent.ID); ok {
			return result, next, nil
		}
		return result, Next{}, fmt.Errorf("advance intent %s: %w", intent.ID, err)
	}
	next.Done = result.Status().Decided()
	return result, next, nil
}

// Signed gives the transaction of an intent that landed and is no batch.
func (e Engine) Signed(_ context.Context, intent Intent) ([]byte, error) {
	if intent.Outcome != nil {
		for _, attempt := range intent.Attempts {
			if attempt.Signature == intent.Outcome.Signature && len(attempt.Bytes) > 0 {
				return attempt.Bytes, nil
			}
		}
	}
	return nil, fmt.Errorf("intent %s has no transaction that landed", intent.ID)
}

// passes says whether an error is somebody's silence: then the step is tried again.
func (e Engine) passes(ctx context.Context, err error, id ID) (Next, bool) {
	if !errors.Is(err, onchain.ErrBehind) && !errors.Is(err, ErrConflict) && apperr.KindOf(err) != apperr.Unavailable {
		return Next{}, false
	}
	e.Log.WarnContext(ctx, "intent has to wait", "intent", id.String(), "cause", err.Error())
	return Next{After: lookAgain}, true
}

// step reads the intent and does what its status asks for, again when somebody
// else has written meanwhile.
func (e Engine) step(ctx context.Context, m movement) (i Intent, next Next, err error) {
	for range tries {
		i, err = e.Store.Intent(ctx, m.plan.ID)
		if errors.Is(err, ErrNotFound) {
			i, err = m.plan, nil
		}
		if err != nil {
			return m.plan, Next{}, err
		}
		switch i.Status() {
		case Planned:
			i, next, err = e.begin(ctx, m, i)
		case Bound:
			i, next, err = e.resume(ctx, m, i)
		case Sent:
			i, next, err = e.look(ctx, m, i)
		case Settled, Failed, Split, Refused, Unknown:
			return i, Next{}, nil
		}
		if !errors.Is(err, ErrConflict) {
			return i, next, err
		}
	}
	return i, next, err
}
