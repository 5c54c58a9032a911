package payout

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/token"
)

// Rebuilt says what Rebuild did.
type Rebuilt struct {
	// Decided intents have an outcome now, Open ones may still land, and of Unknown ones
	// nobody can say.
	Decided, Open, Unknown int
	// Frozen are the lanes that stay frozen: of unknown intents, and those that have
	// moved and nothing in the journal says why.
	Frozen []int
}

// Rebuild brings the ledger of a mint up to date after an old backup was restored,
// from the journal and the chain, and lets lanes go that are explained. It may be
// repeated, also to decide what was unknown. Nothing is signed or sent.
func (e Engine) Rebuild(ctx context.Context, mint solana.PublicKey, wallet token.Wallet) (Rebuilt, error) {
	r := rebuild{Engine: e, mint: mint, wallet: wallet, variants: map[ID][]Intent{}, spent: map[spentValue]ID{}}
	for i, err := range e.Journal.All(ctx, mint) {
		if err != nil {
			return Rebuilt{}, fmt.Errorf("read the journal of %s: %w", mint, err)
		}
		r.variants[i.ID] = append(r.variants[i.ID], i)
	}
	ids := make([]ID, 0, len(r.variants))
	for id := range r.variants {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b ID) int {
		return cmp.Or(cmp.Compare(len(a.Part), len(b.Part)), strings.Compare(a.String(), b.String()))
	})
	// First what landed, then what the same values cannot have paid as well.
	for _, judge := range []func(context.Context, ID) error{r.landed, r.open} {
		for _, id := range ids {
			if err := judge(ctx, id); err != nil {
				return Rebuilt{}, fmt.Errorf("rebuild intent %s: %w", id, err)
			}
		}
	}
	if err := r.lanes(ctx); err != nil {
		return Rebuilt{}, err
	}
	return r.Rebuilt, nil
}

// spentValue is a value of a lane.
type spentValue struct {
	lane  int
	value solana.Hash
}

type rebuild struct {
	Engine
	Rebuilt
	mint   solana.PublicKey
	wallet token.Wallet
	// variants are what the journal has of each intent: one for each attempt.
	variants map[ID][]Intent
	spent    map[spentValue]ID // by intents that landed
}

// known gives an intent as the ledger has it, with all the attempts that the ledger
// and the journal know of.
func (r rebuild) known(ctx context.Context, id ID) (Intent, error) {
	stored, err := r.Store.Intent(ctx, id)
	if errors.Is(err, ErrNotFound) {
		stored, err = Intent{}, nil
	}
	if err != nil {
		return Intent{}, err
	}
	i := slices.MaxFunc(r.variants[id], func(a, b Intent) int {
		return a.Attempts[len(a.Attempts)-1].SignedAt.Compare(b.Attempts[len(b.Attempts)-1].SignedAt)
	})
	i.Attempts, i.Version = slices.Clone(stored.Attempts), stored.Version
	i.Outcome, i.Split, i.UnknownSince, i.Refused, i.Detail = stored.Outcome, stored.Split, stored.UnknownSince, stored.Refused, stored.Detail
	for _, variant := range r.variants[id] {
		for _, a := range variant.Attempts {
			if !slices.ContainsFunc(i.Attempts, func(b Attempt) bool { return a.Signature == b.Signature }) {
				i.Attempts = append(i.Attempts, a)
			}
		}
	}
	slices.SortStableFunc(i.Attempts, func(a, b Attempt) int { return a.SignedAt.Compare(b.SignedAt) })
	return i, nil
}

// judged asks all nodes about an intent, with no patience.
func (r rebuild) judged(ctx context.Context, i Intent) (verdict Verdict, landing Landing, lane Lane, readings []Reading, err error) {
	lane, err = r.Store.Lane(ctx, r.mint, i.Lane)
	if errors.Is(err, ErrNotFound) {
		lane = Lane{Mint: r.mint, Number: i.Lane}
		lane.Address, err = LaneAddress(r.wallet.Address, i.Lane)
	}
	if err != nil {
		return "", landing, lane, nil, err
	}
	asked := lane
	asked.Slot = 0 // of a lane that is not known
	for _, chain := range r.Chains {
		reading, err := r.read(ctx, chain, asked, i)
		if err == nil && reading.Silent {
			err = onchain.ErrBehind
		}
		if err != nil {
			return "", landing, lane, nil, err
		}
		readings = append(readings, reading)
	}
	i.MovedAt = time.Unix(0, 0)
	verdict, landing = Judge(i, readings, r.Now(), r.Pace, r.Fees)
	return verdict, landing, lane, readings, nil
}

// landed writes the outcome of an intent that landed.
func (r *rebuild) landed(ctx context.Context, id ID) error {
	i, err := r.known(ctx, id)
	if err != nil {
		return err
	}
	if i.Outcome != nil {
		r.spent[spentValue{i.Lane, i.Value}] = id
		return nil
	}
	if id.Kind == Setup {
		return r.landedSetup(ctx, i)
	}
	verdict, landing, lane, readings, err := r.judged(ctx, i)
	if err != nil || verdict != Settle && verdict != Fail {
		return err
	}
	for _, variant := range r.variants[id] {
		if slices.ContainsFunc(variant.Attempts, func(a Attempt) bool { return a.Signature == landing.Signature }) {
			i.Skips, i.Made, i.Amount, i.Lane, i.Value = variant.Skips, variant.Made, variant.Amount, variant.Lane, variant.Value
			break
		}
	}
	ended, err := r.outcome(ctx, i, landing)
	if err != nil {
		return err
	}
	r.Decided++
	r.spent[spentValue{i.Lane, i.Value}] = id
	parts := []Intent(nil)
	if !ended.Outcome.Moved() && ended.size() > 1 && broken(i, readings) {
		ended.Split, ended.Skips, ended.Made, ended.Amount = true, nil, nil, 0
		parts = r.unwritten(ctx, ended.halves())
	}
	if lane.Intent != id {
		_, _, err = r.end(ctx, ended, nil, parts...)
		return err
	}
	lane.Intent, lane.Value, lane.Slot, lane.Frozen = ID{}, readings[0].Value, readings[0].Slot, ""
	_, _, err = r.end(ctx, ended, &lane, parts...)
	return err
}

// unwritten leaves out the halves that the ledger has.
func (r rebuild) unwritten(ctx context.Context, halves []Intent) []Intent {
	return slices.DeleteFunc(halves, func(half Intent) bool {
		_, err := r.Store.Intent(ctx, half.ID)
		return err == nil
	})
}

// outcome reads what a transaction did, of which all nodes must say the same.
func (r rebuild) outcome(ctx context.Context, i Intent, landing Landing) (Intent, error) {
	var first Effect
	for n, chain := range r.Chains {
		effect, found, err := chain.Effect(ctx, landing.Signature)
		if err == nil && (!found || n > 0 && !effect.equal(first)) {
			err = fmt.Errorf("the nodes do not agree on transaction %s: %w", landing.Signature, onchain.ErrBehind)
		}
		if err != nil {
			return i, err
		}
		first = effect
	}
	i.Refused, i.Detail = "", ""
	i.Outcome = &Outcome{
		Signature: landing.Signature, Slot: landing.Slot, Failed: landing.Failed, Cancelled: i.cancels(landing.Signature),
		FeeLamports: first.FeeLamports, Lamports: first.Lamports, Tokens: first.Tokens, At: r.Now().UTC(),
	}
	return i, nil
}

// landedSetup writes the outcome of a transaction that made lanes or accounts.
func (r *rebuild) landedSetup(ctx context.Context, i Intent) error {
	for _, a := range i.Attempts {
		landings, err := r.Chains[0].Landings(ctx, a.Signature)
		if err != nil {
			return err
		}
		if len(landings) == 0 {
			continue
		}
		ended, err := r.outcome(ctx, i, landings[0])
		if err != nil {
			return err
		}
		r.Decided++
		_, _, err = r.end(ctx, ended, nil)
		return err
	}
	return nil
}

// abandon ends an intent whose value paid another, and which can never land, if the
// ledger has it as one that was not begun: the engine begins nothing that the journal
// has something of. What it would have moved is carried to the next run.
func (r *rebuild) abandon(ctx context.Context, i Intent) error {
	stored, err := r.Store.Intent(ctx, i.ID)
	if err != nil && !errors.Is(err, ErrNotFound) || err == nil && stored.Status() != Planned {
		return err
	}
	i.Attempts, i.BoundAt, i.Skips, i.Made, i.Amount = nil, time.Time{}, nil, nil, 0
	i.Refused, i.Detail = ReasonAbandoned, "It was signed, and the value that it stood on paid another."
	_, _, err = r.end(ctx, i, nil)
	return err
}

// open writes down an intent that may still land, or of which nobody can say.
func (r *rebuild) open(ctx context.Context, id ID) error {
	i, err := r.known(ctx, id)
	if err != nil || i.Outcome != nil || id.Kind == Setup {
		return err
	}
	if other, ok := r.spent[spentValue{i.Lane, i.Value}]; ok && other != id {
		return r.abandon(ctx, i)
	}
	verdict, _, lane, readings, err := r.judged(ctx, i)
	if err != nil {
		return err
	}
	if readings[0].Value != i.Value {
		if verdict != GiveUp || !i.UnknownSince.IsZero() {
			r.Unknown++
			return nil
		}
		r.Unknown++
		i.UnknownSince = r.Now().UTC()
		if lane.Intent != id {
			_, _, err = r.end(ctx, i, nil)
			return err
		}
		lane.Frozen = "nobody can say what became of " + id.String()
		_, _, err = r.end(ctx, i, &lane)
		return err
	}
	r.Open++
	i.MovedAt, i.UnknownSince = time.Time{}, time.Time{} // the lane has not moved after all
	if lane.Intent != id {
		if lane.Intent != (ID{}) {
			return nil // lanes frees it, and the next time binds this one
		}
		lane.Value, lane.Slot, lane.Frozen = readings[0].Value, readings[0].Slot, ""
		if err := r.Store.PutLane(ctx, lane); err != nil {
			return err
		}
		lane.Version++
		lane.Intent = id
		bound := i
		bound.Attempts = nil
		if err := r.Store.Bind(ctx, bound, lane); err != nil {
			return err
		}
		i.Version++
	}
	return r.Store.Record(ctx, i)
}

// lanes lets those lanes go on that are explained.
func (r *rebuild) lanes(ctx context.Context) error {
	lanes, err := r.Store.Lanes(ctx, r.mint)
	if err != nil {
		return fmt.Errorf("list the lanes of %s: %w", r.mint, err)
	}
	for _, lane := range lanes {
		if err := r.release(ctx, lane); err != nil {
			return fmt.Errorf("release lane %d: %w", lane.Number, err)
		}
	}
	return nil
}

func (r *rebuild) release(ctx context.Context, lane Lane) error {
	value, slot, err := r.Chains[0].NonceAt(ctx, lane.Address, 0)
	if err != nil {
		return err
	}
	holder := Intent{}
	if lane.Intent != (ID{}) {
		if holder, err = r.Store.Intent(ctx, lane.Intent); err != nil {
			return err
		}
	}
	_, explained := r.spent[spentValue{lane.Number, lane.Value}]
	switch {
	case holder.Status() == Unknown, value != lane.Value && !explained && !lane.Value.IsZero():
		r.Frozen = append(r.Frozen, lane.Number)
		return nil
	case holder.Status() == Bound && value != lane.Value: // another intent had its value
		holder.Refused, holder.Detail = ReasonAbandoned, "It was bound, and nothing was signed for it."
		lane.Intent, lane.Value, lane.Slot, lane.Frozen = ID{}, value, slot, ""
		_, _, err = r.end(ctx, holder, &lane)
		return err
	case value == lane.Value && lane.Frozen == "":
		return nil
	case lane.Intent == (ID{}):
		lane.Value, lane.Slot = value, slot
	}
	lane.Frozen = ""
	return r.Store.PutLane(ctx, lane)
}
