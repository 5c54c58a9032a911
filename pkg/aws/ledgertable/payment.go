package ledgertable

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/distribution/payout"
)

// Payments stores payments in the ledger table. It implements payout.Store. The conditions enforce
// the rules of package payout on the stored state:
//
//   - a payment is decided once: it is bound or cancelled;
//   - nothing is signed for a payment that has an end;
//   - an end is final, except that an unknown payment can be decided later.
type Payments struct {
	Client *dynamodb.Client
	Table  string
}

// legPrefix returns the prefix of the sort keys of the payments of a kind and leg.
func legPrefix(kind payout.Kind, leg int) string {
	return fmt.Sprintf("%s#%03d#", strings.ToUpper(string(kind)), leg)
}

// batchPrefix returns the prefix of the sort keys of a batch and the batch's parts. The whole batch
// is first.
func batchPrefix(kind payout.Kind, leg, batch int) string {
	return fmt.Sprintf("%s%08d#", legPrefix(kind, leg), batch)
}

func paymentKey(id payout.ID) map[string]types.AttributeValue {
	return dynamo.Key(partitionOf(id.Run, id.Batch), batchPrefix(id.Kind, id.Leg, id.Batch)+id.Part)
}

// in returns the rule that a stored payment has one of the states.
func in(states ...payout.Status) rule {
	r := rule{values: map[string]types.AttributeValue{}}
	names := make([]string, len(states))
	for n, s := range states {
		names[n] = fmt.Sprintf(":state%d", n)
		r.values[names[n]] = dynamo.Text(string(s))
	}
	r.text = "#state IN (" + strings.Join(names, ", ") + ")"
	return r
}

func paymentEntry(p payout.Payment, rules ...rule) entry {
	version := p.Version
	p.Version = 0
	return entry{
		key: paymentKey(p.ID), facts: p, version: version,
		attributes: map[string]types.AttributeValue{"state": dynamo.Text(string(p.Status()))},
		rules:      rules,
	}
}

// Payment returns a payment; see payout.Store.
func (s Payments) Payment(ctx context.Context, id payout.ID) (payout.Payment, error) {
	var p payout.Payment
	item, version, err := getFacts(ctx, s.Client, s.Table, paymentKey(id), &p)
	if err != nil {
		return payout.Payment{}, fmt.Errorf("read payment %s: %w", id, err)
	}
	if item == nil {
		return payout.Payment{}, payout.ErrNotFound
	}
	p.Version = version
	return p, nil
}

// Payments returns the payments of a leg, page by page; see payout.Store.
func (s Payments) Payments(ctx context.Context, run string, kind payout.Kind, leg int) iter.Seq2[payout.Payment, error] {
	return func(yield func(payout.Payment, error) bool) {
		last := legEnd(kind, leg)
		for p, err := range s.listed(ctx, run, runPartition(run), spreadSort(kind, leg), last) {
			if errors.Is(err, errSpread) { // errSpread precedes all payments
				var lists []iter.Seq2[payout.Payment, error]
				for n := range Partitions {
					lists = append(lists, s.listed(ctx, run, partitionOf(run, n*payout.MaxStripe), batchPrefix(kind, leg, 0), last))
				}
				merged(lists, yield)
				return
			}
			if !yield(p, err) {
				return
			}
		}
	}
}

// Batches returns the payments of a range of batches of a leg; see payout.Store.
func (s Payments) Batches(ctx context.Context, run string, kind payout.Kind, leg, from, to int) ([]payout.Payment, error) {
	var list []payout.Payment
	for from < to {
		end := min(to, (from/payout.MaxStripe+1)*payout.MaxStripe) // the end of the batches in one partition
		for p, err := range s.listed(ctx, run, partitionOf(run, from), batchPrefix(kind, leg, from), batchPrefix(kind, leg, end)) {
			if err != nil {
				return nil, err
			}
			if p.ID.Batch < end {
				list = append(list, p)
			}
		}
		from = end
	}
	return list, nil
}

// listed returns the payments of a partition between two sort keys. It returns errSpread for the
// mark of further partitions.
func (s Payments) listed(ctx context.Context, run, partition, from, to string) iter.Seq2[payout.Payment, error] {
	return func(yield func(payout.Payment, error) bool) {
		pages := dynamodb.NewQueryPaginator(s.Client, &dynamodb.QueryInput{
			TableName: &s.Table, ConsistentRead: new(true),
			KeyConditionExpression: new(schema.PartitionKey + " = :partition AND " + schema.SortKey + " BETWEEN :from AND :to"),
			ExpressionAttributeValues: map[string]types.AttributeValue{
				":partition": dynamo.Text(partition), ":from": dynamo.Text(from), ":to": dynamo.Text(to),
			},
		})
		for pages.HasMorePages() {
			page, err := pages.NextPage(ctx)
			if err != nil {
				yield(payout.Payment{}, dynamo.Unavailable(fmt.Errorf("list the payments of run %s: %w", run, err)))
				return
			}
			for _, item := range page.Items {
				p, err := readPayment(item)
				if err != nil && !errors.Is(err, errSpread) {
					err = fmt.Errorf("read a payment of run %s: %w", run, err)
				}
				if !yield(p, err) || err != nil {
					return
				}
			}
		}
	}
}

func readPayment(item map[string]types.AttributeValue) (p payout.Payment, err error) {
	if strings.HasSuffix(dynamo.IDOf(item).Sort, "#"+spreadMark) {
		return p, errSpread
	}
	version, err := readFacts(item, &p)
	p.Version = version
	return p, err
}

// Bind binds a payment; see payout.Store.
func (s Payments) Bind(ctx context.Context, p payout.Payment) error {
	if p.Status() != payout.Bound {
		return fmt.Errorf("bind payment %s: it is %s", p.ID, p.Status())
	}
	return s.write(ctx, "bind", p, paymentEntry(p, in(p.Follows()...)))
}

// Record writes a payment with a new attempt or a new observation; see payout.Store.
func (s Payments) Record(ctx context.Context, p payout.Payment) error {
	if p.Status() != payout.Sent || p.Version == 0 {
		return fmt.Errorf("record an attempt of payment %s: it is %s, version %d", p.ID, p.Status(), p.Version)
	}
	return s.write(ctx, "record an attempt of", p, paymentEntry(p, in(p.Follows()...)))
}

// End writes a decided payment; see payout.Store.
func (s Payments) End(ctx context.Context, p payout.Payment, parts ...payout.Payment) error {
	if !p.Status().Decided() {
		return fmt.Errorf("end payment %s: it is %s", p.ID, p.Status())
	}
	writes := []part{paymentEntry(p, in(p.Follows()...))}
	for _, half := range parts {
		if half.Version != 0 {
			return payout.ErrConflict
		}
		writes = append(writes, paymentEntry(half))
	}
	return s.write(ctx, "end", p, writes...)
}

// Quiet writes the cost of failed attempts; see payout.Store.
func (s Payments) Quiet(ctx context.Context, p payout.Payment) error {
	if p.Outcome == nil || p.Version == 0 {
		return fmt.Errorf("settle the attempts of payment %s: nothing has landed", p.ID)
	}
	return s.write(ctx, "settle the attempts of", p, paymentEntry(p, in(p.Status())))
}

func (s Payments) write(ctx context.Context, what string, p payout.Payment, parts ...part) error {
	if err := s.markSpread(ctx, p); err != nil {
		return fmt.Errorf("%s payment %s: %w", what, p.ID, err)
	}
	err := write(ctx, s.Client, s.Table, payout.ErrConflict, parts...)
	return unlessIs(err, payout.ErrConflict, "%s payment %s", what, p.ID)
}

func donePhase(kind payout.Kind, leg int) string {
	return fmt.Sprintf("%s%s#%03d#", donePrefix, kind, leg)
}

// ChunkDone marks a chunk as complete; see payout.Store.
func (s Payments) ChunkDone(ctx context.Context, work payout.Work) error {
	_, err := s.Client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: &s.Table,
		Item:      dynamo.Key(runPartition(work.Run), fmt.Sprintf("%s%05d", donePhase(work.Kind, work.Leg), work.Chunk)),
	})
	if err != nil {
		return dynamo.Unavailable(fmt.Errorf("write that stripe %d of run %s is done: %w", work.Chunk, work.Run, err))
	}
	return nil
}

// ChunksDone counts the complete chunks; see payout.Store.
func (s Payments) ChunksDone(ctx context.Context, run string, kind payout.Kind, leg int) (int, error) {
	query := dynamo.Beginning(s.Table, runPartition(run), donePhase(kind, leg))
	query.Select = types.SelectCount
	count := 0
	pages := dynamodb.NewQueryPaginator(s.Client, query)
	for pages.HasMorePages() {
		out, err := pages.NextPage(ctx)
		if err != nil {
			return 0, dynamo.Unavailable(fmt.Errorf("count the stripes of run %s that are done: %w", run, err))
		}
		count += int(out.Count)
	}
	return count, nil
}
