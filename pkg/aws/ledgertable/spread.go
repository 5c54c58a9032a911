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

// Partitions is the number of partitions for the payments of a run. A partition of DynamoDB accepts
// 1,000 write units a second, and a chunk under work uses most of these units. So chunks that are
// worked on concurrently should be in different partitions (docs/costs.md).
//
// The first chunk is in the run's own partition, which has all items of a small run. If a leg has
// payments in other partitions, the run's own partition has a mark in front of the leg's payments.
// The mark is written before the first of these payments. So listing a small run takes one query.
const Partitions = 32

// spreadMark ends the sort key of the mark. It sorts before every digit.
const spreadMark = "!"

// errSpread represents the mark in a list.
var errSpread = errors.New("the payments are spread")

// runPartition returns the partition with all items of a run except the payments of later chunks.
func runPartition(run string) string { return runPrefix + run }

// partitionOf returns the partition of a batch and the batch's parts.
func partitionOf(run string, batch int) string {
	n := batch / payout.MaxStripe % Partitions
	if n == 0 {
		return runPartition(run)
	}
	return fmt.Sprintf("%s#%02d", runPartition(run), n)
}

func spreadSort(kind payout.Kind, leg int) string { return legPrefix(kind, leg) + spreadMark }

// legEnd returns a sort key after all sort keys of a leg's payments: ':' follows the digits.
func legEnd(kind payout.Kind, leg int) string { return legPrefix(kind, leg) + ":" }

// markSpread writes the mark before a new payment is written outside the run's own partition. The
// mark is not in the payment's transaction, because the payments of a leg would then conflict. A
// mark without a payment is harmless.
func (s Payments) markSpread(ctx context.Context, p payout.Payment) error {
	if p.Version != 0 || partitionOf(p.ID.Run, p.ID.Batch) == runPartition(p.ID.Run) {
		return nil
	}
	_, err := s.Client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: &s.Table, Item: dynamo.Key(runPartition(p.ID.Run), spreadSort(p.ID.Kind, p.ID.Leg)),
	})
	return dynamo.Unavailable(err)
}

// merged merges lists that are in the order of batches. A batch is in only one list.
func merged(lists []iter.Seq2[payout.Payment, error], yield func(payout.Payment, error) bool) {
	type head struct {
		payout.Payment
		next func() (payout.Payment, error, bool)
	}
	var heads []*head
	// advance reads the next payment of a list. It returns false to stop after an error.
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
