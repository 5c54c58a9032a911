package ledgertable

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/distribution/payout"
)

// Intents keeps intents and lanes in the ledger table; it implements
// payout.Store. Its conditions repeat the rules of package payout:
//
//   - an intent is bound to one value, and a value to one intent;
//   - nothing is signed for an intent that has an outcome;
//   - an outcome stays as it is, and so does what was split or refused, but for an
//     outcome that a restored ledger did not know of.
type Intents struct {
	Client *dynamodb.Client
	Table  string
}

func intentPartition(run string) string { return "RUN#" + run }

// legPrefix begins the sort keys of the intents of a kind and leg.
func legPrefix(kind payout.Kind, leg int) string {
	return fmt.Sprintf("%s#%03d#", strings.ToUpper(string(kind)), leg)
}

// familyPrefix begins those of a batch and its parts, of which the whole is first.
func familyPrefix(id payout.ID) string {
	return fmt.Sprintf("%s%08d#", legPrefix(id.Kind, id.Leg), id.Batch)
}

func intentKey(id payout.ID) map[string]types.AttributeValue {
	return dynamo.Key(intentPartition(id.Run), familyPrefix(id)+id.Part)
}

// noOutcome holds for an intent of which the chain has decided nothing.
var noOutcome = rule{text: "attribute_not_exists(#outcome)"}

// bindable holds for a planned intent, and for one that was bound to this value
// before: a value pays once, whatever is signed on it.
func bindable(value solana.Hash) rule {
	return rule{
		"attribute_not_exists(#boundAt) AND attribute_not_exists(#replaced) OR #nonce = :bound",
		map[string]types.AttributeValue{":bound": dynamo.Binary(value[:])},
	}
}

// endable holds for an intent that may end so: an outcome stays as it is, and what
// was split or refused is decided by the chain alone.
func endable(o *payout.Outcome) rule {
	if o == nil {
		return rule{text: "attribute_not_exists(#outcome) AND attribute_not_exists(#replaced)"}
	}
	return rule{"attribute_not_exists(#outcome) OR #outcome = :outcome AND attribute_not_exists(#replaced)", map[string]types.AttributeValue{
		":outcome": dynamo.Binary(o.Signature[:]),
	}}
}

func intentEntry(i payout.Intent, rules ...rule) entry {
	version := i.Version
	i.Version = 0
	e := entry{
		key: intentKey(i.ID), facts: i, version: version,
		attributes: map[string]types.AttributeValue{"attempts": dynamo.Number(int64(len(i.Attempts)))},
		rules:      rules,
	}
	for name, at := range map[string]time.Time{"boundAt": i.BoundAt, "unknownSince": i.UnknownSince} {
		if !at.IsZero() {
			e.attributes[name] = dynamo.Number(at.UnixMilli())
		}
	}
	if i.Outcome != nil {
		e.attributes["outcome"] = dynamo.Binary(i.Outcome.Signature[:])
	}
	if i.Split || i.Refused != "" {
		e.attributes["replaced"] = &types.AttributeValueMemberBOOL{Value: true}
	}
	if !i.BoundAt.IsZero() {
		e.attributes["nonce"] = dynamo.Binary(i.Value[:])
	}
	return e
}

// Intent gives an intent; see payout.Store.
func (s Intents) Intent(ctx context.Context, id payout.ID) (payout.Intent, error) {
	var i payout.Intent
	item, version, err := getFacts(ctx, s.Client, s.Table, intentKey(id), &i)
	if err != nil {
		return payout.Intent{}, fmt.Errorf("read intent %s: %w", id, err)
	}
	if item == nil {
		return payout.Intent{}, payout.ErrNotFound
	}
	i.Version = version
	return i, nil
}

// Family gives what there is of a batch; see payout.Store. Of a part it gives that
// and its own parts.
func (s Intents) Family(ctx context.Context, id payout.ID) ([]payout.Intent, error) {
	var family []payout.Intent
	for i, err := range s.beginning(ctx, id.Run, familyPrefix(id)+id.Part) {
		if err != nil {
			return nil, err
		}
		family = append(family, i)
	}
	return family, nil
}

// Intents gives the intents of a leg, page by page; see payout.Store.
func (s Intents) Intents(ctx context.Context, run string, kind payout.Kind, leg int) iter.Seq2[payout.Intent, error] {
	return s.beginning(ctx, run, legPrefix(kind, leg))
}

func (s Intents) beginning(ctx context.Context, run, prefix string) iter.Seq2[payout.Intent, error] {
	return func(yield func(payout.Intent, error) bool) {
		pages := dynamodb.NewQueryPaginator(s.Client, dynamo.Beginning(s.Table, intentPartition(run), prefix))
		for pages.HasMorePages() {
			page, err := pages.NextPage(ctx)
			if err != nil {
				yield(payout.Intent{}, dynamo.Unavailable(fmt.Errorf("list the intents %s of run %s: %w", prefix, run, err)))
				return
			}
			for _, item := range page.Items {
				var i payout.Intent
				version, err := readFacts(item, &i)
				if err != nil {
					yield(payout.Intent{}, fmt.Errorf("read an intent %s of run %s: %w", prefix, run, err))
					return
				}
				i.Version = version
				if !yield(i, nil) {
					return
				}
			}
		}
	}
}

// Bind writes what a lane's value is for; see payout.Store.
func (s Intents) Bind(ctx context.Context, intent payout.Intent, lane payout.Lane) error {
	if lane.Intent != intent.ID || lane.Value != intent.Value || lane.Number != intent.Lane || lane.Mint != intent.Mint || intent.BoundAt.IsZero() {
		return fmt.Errorf("bind intent %s: the lane is not bound to it", intent.ID)
	}
	if lane.Version == 0 || lane.Frozen != "" {
		return payout.ErrConflict
	}
	return s.write(ctx, "bind", intent, intentEntry(intent, noOutcome, bindable(intent.Value)), laneEntry(lane, laneFree, laneValue(lane.Value)))
}

// Record writes an intent with one more attempt; see payout.Store. One that stands on
// a blockhash is not stored before that.
func (s Intents) Record(ctx context.Context, intent payout.Intent) error {
	return s.write(ctx, "record an attempt of", intent, intentEntry(intent, noOutcome))
}

// End writes a decision; see payout.Store. What was unknown may be decided later.
func (s Intents) End(ctx context.Context, intent payout.Intent, lane *payout.Lane, parts ...payout.Intent) error {
	if intent.Outcome == nil && !intent.Split && intent.Refused == "" && intent.UnknownSince.IsZero() {
		return fmt.Errorf("end intent %s: nothing has decided it", intent.ID)
	}
	writes := []part{intentEntry(intent, endable(intent.Outcome))}
	if lane != nil {
		if lane.Version == 0 {
			return payout.ErrConflict
		}
		writes = append(writes, laneEntry(*lane, laneOf(intent.ID)))
	}
	for _, half := range parts {
		if half.Version != 0 {
			return payout.ErrConflict
		}
		writes = append(writes, intentEntry(half))
	}
	return s.write(ctx, "end", intent, writes...)
}

func (s Intents) write(ctx context.Context, what string, i payout.Intent, parts ...part) error {
	err := write(ctx, s.Client, s.Table, payout.ErrConflict, parts...)
	return unlessIs(err, payout.ErrConflict, "%s intent %s", what, i.ID)
}
