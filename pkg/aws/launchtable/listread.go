package launchtable

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"tokenlaunch.example/service/pkg/aws/dynamo"
)

// listReader reads one list. What it reads on the way down the tree is compared
// with the head, so that a page is of one state of the list or errTorn.
type listReader struct {
	client     *dynamodb.Client
	table      string
	scope      string
	consistent bool
}

// span is a run of entries; hidden says how many of them are. Of its visible
// ones, counted from the oldest, those from from to before to are wanted.
type span struct {
	first, size, hidden int64
	from, to            int64
}

// wanted leaves of the spans, oldest first, those in which the visible entries
// from from to before to lie.
func wanted(spans []span, from, to int64) []span {
	var out []span
	var before int64
	for _, s := range spans {
		visible := s.size - s.hidden
		s.from, s.to = max(0, from-before), min(visible, to-before)
		if s.from < s.to {
			out = append(out, s)
		}
		before += visible
	}
	return out
}

// children divides the entries of s into spans of size entries each, with the
// counts of hidden ones by number.
func (s span) children(size int64, hidden map[int64]int64) []span {
	var out []span
	for first := s.first; first < s.first+s.size; first += size {
		out = append(out, span{first: first, size: min(size, s.first+s.size-first), hidden: hidden[first/size]})
	}
	return out
}

// page gives the entries of one page of what is not hidden, newest first, and how many
// there are in all.
func (r listReader) page(ctx context.Context, page, limit int64) ([]listItem, int64, error) {
	h, err := readHead(ctx, r.client, r.table, r.scope, r.consistent)
	if err != nil {
		return nil, 0, err
	}
	total := h.length
	for _, n := range h.hidden {
		total -= n
	}
	// (page − 1) × limit cannot overflow: beyond total/limit the page is empty.
	if page-1 > total/limit {
		return nil, total, nil
	}
	to := total - (page-1)*limit
	from := max(0, to-limit)
	list := span{size: h.length}
	groups := wanted(list.children(shape.groupEntries(), h.hidden), from, to)
	blocks, err := r.blocks(ctx, groups)
	if err != nil {
		return nil, 0, err
	}
	numbers, err := r.entries(ctx, blocks)
	if err != nil {
		return nil, 0, err
	}
	entries, err := r.read(ctx, numbers)
	if err != nil {
		return nil, 0, err
	}
	slices.Reverse(entries)
	return entries, total, nil
}

// blocks divides the groups that have hidden entries into blocks.
func (r listReader) blocks(ctx context.Context, groups []span) ([]span, error) {
	nodes, err := r.nodes(ctx, groups, func(s span) map[string]types.AttributeValue {
		return groupKey(r.scope, s.first/shape.groupEntries())
	})
	if err != nil {
		return nil, err
	}
	var out []span
	for i, group := range groups {
		if group.hidden == 0 {
			out = append(out, group)
			continue
		}
		counts, err := hiddenCounts(nodes[i])
		if err != nil {
			return nil, fmt.Errorf("decode a group of list %s: %w", r.scope, err)
		}
		var sum int64
		for _, n := range counts {
			sum += n
		}
		if sum != group.hidden {
			return nil, errTorn
		}
		out = append(out, wanted(group.children(shape.block, counts), group.from, group.to)...)
	}
	return out, nil
}

// entries lists the numbers of the wanted entries, oldest first.
func (r listReader) entries(ctx context.Context, spans []span) ([]int64, error) {
	nodes, err := r.nodes(ctx, spans, func(s span) map[string]types.AttributeValue {
		return blockKey(r.scope, s.first/shape.block)
	})
	if err != nil {
		return nil, err
	}
	var out []int64
	for i, s := range spans {
		var node struct {
			Offsets []int64 `dynamodbav:"offsets"`
		}
		if err := attributevalue.UnmarshalMap(nodes[i], &node); err != nil {
			return nil, fmt.Errorf("decode a block of list %s: %w", r.scope, err)
		}
		if int64(len(node.Offsets)) != s.hidden {
			return nil, errTorn
		}
		if s.hidden == 0 { // as long as a whole group
			for entry := s.first + s.from; entry < s.first+s.to; entry++ {
				out = append(out, entry)
			}
			continue
		}
		hidden := make(map[int64]bool, s.hidden)
		for _, offset := range node.Offsets {
			hidden[offset] = true
		}
		visible := int64(0)
		for offset := range s.size {
			if hidden[offset] {
				continue
			}
			if visible >= s.from && visible < s.to {
				out = append(out, s.first+offset)
			}
			visible++
		}
	}
	return out, nil
}

// nodes reads, in one batch, the nodes of those spans that have hidden entries;
// the others have none.
func (r listReader) nodes(ctx context.Context, spans []span, key func(span) map[string]types.AttributeValue) ([]map[string]types.AttributeValue, error) {
	var keys []map[string]types.AttributeValue
	for _, s := range spans {
		if s.hidden > 0 {
			keys = append(keys, key(s))
		}
	}
	items, err := dynamo.BatchGet(ctx, r.client, r.table, keys, r.consistent)
	if err != nil {
		return nil, err
	}
	byKey := make(map[dynamo.ItemID]map[string]types.AttributeValue, len(items))
	for _, item := range items {
		byKey[dynamo.IDOf(item)] = item
	}
	out := make([]map[string]types.AttributeValue, len(spans))
	for i, s := range spans {
		if s.hidden > 0 {
			out[i] = byKey[dynamo.IDOf(key(s))]
		}
	}
	return out, nil
}

// gap is how many hidden entries are read over rather than begin another query:
// a query costs as much as 4 KB, which is some 60 entries.
const gap = 40

// listItem is an entry of a list as it is stored.
type listItem struct {
	Mint []byte `dynamodbav:"mint"`
	// Launch is the id of the transaction, and Confirmed how many launches of the creator
	// were confirmed before, in a creator's list of what failed.
	Launch    string `dynamodbav:"tx"`
	Confirmed int64  `dynamodbav:"confirmed"`
}

// read reads the entries with these numbers, which ascend, in their order.
func (r listReader) read(ctx context.Context, numbers []int64) ([]listItem, error) {
	var runs [][]int64
	for begin, i := 0, 1; i <= len(numbers); i++ {
		if i == len(numbers) || numbers[i]-numbers[i-1] > gap || numbers[i]/shape.block != numbers[begin]/shape.block {
			runs = append(runs, numbers[begin:i])
			begin = i
		}
	}
	parts := make([][]listItem, len(runs))
	errs := make([]error, len(runs))
	var all sync.WaitGroup
	for i, run := range runs {
		all.Go(func() { parts[i], errs[i] = r.run(ctx, run) })
	}
	all.Wait()
	return slices.Concat(parts...), errors.Join(errs...)
}

// run reads entries that stand in one block.
func (r listReader) run(ctx context.Context, numbers []int64) ([]listItem, error) {
	oldest, newest := numbers[0], numbers[len(numbers)-1]
	out, err := r.client.Query(ctx, &dynamodb.QueryInput{
		TableName: &r.table, ConsistentRead: &r.consistent,
		KeyConditionExpression: new("pk = :block AND sk BETWEEN :oldest AND :newest"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":block":  dynamo.Text(blockPartition(r.scope, oldest/shape.block)),
			":oldest": dynamo.Text(entrySort(oldest)), ":newest": dynamo.Text(entrySort(newest)),
		},
	})
	if err != nil {
		return nil, dynamo.Unavailable(fmt.Errorf("read entries %d to %d of list %s: %w", oldest, newest, r.scope, err))
	}
	if int64(len(out.Items)) != newest-oldest+1 {
		return nil, errTorn // this copy of the store has not got all of them yet
	}
	entries := make([]listItem, len(numbers))
	for i, number := range numbers {
		if err := attributevalue.UnmarshalMap(out.Items[number-oldest], &entries[i]); err != nil {
			return nil, fmt.Errorf("decode entry %d of list %s: %w", number, r.scope, err)
		}
	}
	return entries, nil
}
