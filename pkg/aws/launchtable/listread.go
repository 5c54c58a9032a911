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

// listReader reads one list. Every node is compared with the head, so that a page shows one state
// of the list. A mismatch returns errTorn.
type listReader struct {
	client     *dynamodb.Client
	table      string
	scope      string
	consistent bool
}

// span is a range of entries. hidden is the number of hidden entries in the range. from and to
// select visible entries, counted from the oldest visible entry of the span.
type span struct {
	first, size, hidden int64
	from, to            int64
}

// wanted returns the spans, oldest first, that contain the visible entries with numbers in [from,
// to).
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

// children divides the entries of s into spans of size entries. hidden has the number of hidden
// entries by the index of a span.
func (s span) children(size int64, hidden map[int64]int64) []span {
	var out []span
	for first := s.first; first < s.first+s.size; first += size {
		out = append(out, span{first: first, size: min(size, s.first+s.size-first), hidden: hidden[first/size]})
	}
	return out
}

// page returns the entries of one page of visible entries, newest first, and the total number of
// visible entries.
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

// blocks divides the groups with hidden entries into blocks.
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

// entries returns the numbers of the wanted entries, oldest first.
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
		if s.hidden == 0 { // the span may be a whole group
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

// nodes reads the nodes of the spans with hidden entries in one batch. Other spans have no node.
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

// gap is the maximum number of hidden entries to read instead of making a second query. A query
// costs at least as much as 4 KB, about 60 entries.
const gap = 40

// listItem is a stored entry of a list.
type listItem struct {
	Mint []byte `dynamodbav:"mint"`
	// A creator's list of failed launches has Launch, the ID of the transaction, and Confirmed, the
	// number of the creator's launches that were confirmed before the failure.
	Launch    string `dynamodbav:"tx"`
	Confirmed int64  `dynamodbav:"confirmed"`
}

// read reads the entries with the given ascending numbers, in the same order.
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

// run reads entries of one block.
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
		return nil, errTorn // the copy of the store lacks some of the entries
	}
	entries := make([]listItem, len(numbers))
	for i, number := range numbers {
		if err := attributevalue.UnmarshalMap(out.Items[number-oldest], &entries[i]); err != nil {
			return nil, fmt.Errorf("decode entry %d of list %s: %w", number, r.scope, err)
		}
	}
	return entries, nil
}
