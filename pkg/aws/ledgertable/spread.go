package ledgertable

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/distribution/payout"
)

// Partitions is into how many the payments of a run are spread. A partition of DynamoDB
// takes 1,000 write units a second, and a stripe that is worked on takes most of that, so
// stripes that are worked on at once should each have their own: docs/costs.md.
//
// The first stripe's is the run's own, where everything of a small run is. Where anything is
// in another one, the run's own says so, in an item before the leg's payments, which is
// written before the first of them: so a list of a small run is one query.
const Partitions = 32

// spreadMark ends the sort key of the item that says so. It sorts before every digit.
const spreadMark = "!"

// errSpread stands for that item in a list.
var errSpread = errors.New("the payments are spread")

// runPartition has what there is of a run but payments of later stripes.
func runPartition(run string) string { return runPrefix + run }

// partitionOf is where a batch of a run and its parts are: all in one.
func partitionOf(run string, batch int) string {
	n := batch / payout.MostStripe % Partitions
	if n == 0 {
		return runPartition(run)
	}
	return fmt.Sprintf("%s#%02d", runPartition(run), n)
}

func spreadSort(kind payout.Kind, leg int) string { return legPrefix(kind, leg) + spreadMark }

// legEnd is after all sort keys of a leg's payments: ':' follows the digits.
func legEnd(kind payout.Kind, leg int) string { return legPrefix(kind, leg) + ":" }

// markSpread says, before a new payment is written outside of the run's own partition, that
// there are some. It is no part of the payment's transaction, in which the payments of a leg
// would conflict; an item without a payment does no harm.
func (s Payments) markSpread(ctx context.Context, p payout.Payment) error {
	if p.Version != 0 || partitionOf(p.ID.Run, p.ID.Batch) == runPartition(p.ID.Run) {
		return nil
	}
	_, err := s.Client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: &s.Table, Item: dynamo.Key(runPartition(p.ID.Run), spreadSort(p.ID.Kind, p.ID.Leg)),
	})
	return dynamo.Unavailable(err)
}

// merged gives the payments of lists that are each in the order of batches in that order. A
// batch is in one list alone.
func merged(lists []iter.Seq2[payout.Payment, error], yield func(payout.Payment, error) bool) {
	type head struct {
		payout.Payment
		next func() (payout.Payment, error, bool)
	}
	var heads []*head
	// advance takes the next of a list; false ends everything.
	advance := func(h *head) bool {
		p, err, more := h.next()
		if err != nil {
			yield(payout.Payment{}, err)
			return false
		}
		h.Payment = p
		if !more {
			heads = slices.DeleteFunc(heads, func(other *head) bool { return other == h })
		}
		return true
	}
	for _, list := range lists {
		next, stop := iter.Pull2(list)
		defer stop()
		h := &head{next: next}
		heads = append(heads, h)
		if !advance(h) {
			return
		}
	}
	for len(heads) > 0 {
		first := slices.MinFunc(heads, func(a, b *head) int { return cmp.Compare(a.ID.Batch, b.ID.Batch) })
		if !yield(first.Payment, nil) || !advance(first) {
			return
		}
	}
}
