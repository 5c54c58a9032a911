package launchtable

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/launch"
	"tokenlaunch.example/service/pkg/token"
)

// In the creator's own view, a creator's list begins with the submitted launches. The head of the
// list holds a submitted launch from the write that submits the launch until the write that ends
// the launch. So one read returns submitted and ended launches in one state. Failed launches have a
// separate list:
//
//	LIST#<creator>                 HEAD  submitted = <when created, 13 digits>#<mint>#<id> of each,
//	                                     failed = the number of failed launches
//	LIST#<creator>#FAILED#<block>  <entry, 12 digits>  mint, tx = the launch's ID,
//	                                     confirmed = the number of launches confirmed before the failure
//
// A failed launch thereby has a place among the confirmed launches, whose numbers stay the same:
// entry f of the failed launches is number confirmed + f of the ended launches. Both lists only
// grow. A launch that was submitted before the set existed is not in the set, and the write that
// ends the launch still succeeds.
const failedScope = "#FAILED"

// submittedEntry returns a launch's element of the creator's set of submitted launches. The element
// consists of facts that never change, so that every write means the same element.
func submittedEntry(l launch.Launch) types.AttributeValue {
	return &types.AttributeValueMemberSS{Value: []string{fmt.Sprintf("%013d#%s#%s", l.CreatedAt.UnixMilli(), l.Mint, l.ID)}}
}

// addSubmitted returns the write that adds a launch to the creator's submitted launches.
func addSubmitted(table string, l launch.Launch) types.TransactWriteItem {
	return types.TransactWriteItem{Update: &types.Update{
		TableName: &table, Key: headKey(l.Caller.String()),
		UpdateExpression:          new("ADD submitted :launch"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":launch": submittedEntry(l)},
	}}
}

// endSubmitted extends a write to the head of a creator's list: the write then removes a launch
// from the submitted launches.
func endSubmitted(head *types.Update, l launch.Launch) {
	*head.UpdateExpression += " DELETE submitted :launch"
	head.ExpressionAttributeValues[":launch"] = submittedEntry(l)
}

// appendFailed returns the writes that move a launch from the creator's submitted launches to the
// failed launches. h is the head of the creator's list. The writes fail if another launch failed
// first. A concurrent confirmation does not make the writes fail. The entries stay in order,
// because the next append requires a head that was read after these writes.
func appendFailed(table string, h head, l launch.Launch) []types.TransactWriteItem {
	advance := &types.Update{
		TableName: &table, Key: headKey(l.Caller.String()),
		UpdateExpression:          new("SET failed = :more"),
		ConditionExpression:       new("failed = :failed"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":more": dynamo.Number(h.failed + 1), ":failed": dynamo.Number(h.failed)},
	}
	if h.failed == 0 {
		advance.ConditionExpression = new("attribute_not_exists(failed)")
		delete(advance.ExpressionAttributeValues, ":failed")
	}
	endSubmitted(advance, l)
	entry := entryKey(l.Caller.String()+failedScope, h.failed)
	entry["mint"], entry["tx"], entry["confirmed"] = dynamo.Binary(l.Mint[:]), dynamo.Text(l.ID), dynamo.Number(h.length)
	return []types.TransactWriteItem{
		{Update: advance},
		{Put: &types.Put{TableName: &table, Item: entry, ConditionExpression: new("attribute_not_exists(pk)")}},
	}
}

// ListOf returns one page of a creator's launches for the creator: the submitted launches and the
// confirmed launches, including hidden tokens, each newest first. page and limit are as for List.
func (t Tokens) ListOf(ctx context.Context, creator solana.PublicKey, page, limit int64) ([]token.Record, int64, error) {
	records, total, err := t.page(ctx, creator.String(), page, limit, listReader.own)
	// A launch may have failed after the read of the entry.
	records = slices.DeleteFunc(records, func(r token.Record) bool { return r.Status == token.Failed })
	return records, total, err
}

// ListAllOf is ListOf with the failed launches, each at the launch's place among the confirmed
// launches.
func (t Tokens) ListAllOf(ctx context.Context, creator solana.PublicKey, page, limit int64) ([]token.Record, int64, error) {
	return t.page(ctx, creator.String(), page, limit, listReader.ownAll)
}

func (r listReader) own(ctx context.Context, page, limit int64) ([]listItem, int64, error) {
	h, err := readHead(ctx, r.client, r.table, r.scope, r.consistent)
	if err != nil {
		return nil, 0, err
	}
	h.failed = 0
	return r.ownPage(ctx, h, page, limit)
}

func (r listReader) ownAll(ctx context.Context, page, limit int64) ([]listItem, int64, error) {
	h, err := readHead(ctx, r.client, r.table, r.scope, r.consistent)
	if err != nil {
		return nil, 0, err
	}
	return r.ownPage(ctx, h, page, limit)
}

// ownPage returns the entries of one page of the launches in h, newest first, and the total number
// of launches.
func (r listReader) ownPage(ctx context.Context, h head, page, limit int64) ([]listItem, int64, error) {
	submitted, err := h.newestSubmitted()
	if err != nil {
		return nil, 0, fmt.Errorf("decode head of list %s: %w", r.scope, err)
	}
	waiting, ended := int64(len(submitted)), h.length+h.failed
	total := waiting + ended
	if page-1 > total/limit { // beyond total/limit, (page − 1) × limit could overflow
		return nil, total, nil
	}
	first, last := (page-1)*limit, page*limit
	newest := submitted[min(first, waiting):min(last, waiting)]
	from, to := ended-max(0, last-waiting), ended-max(0, first-waiting)
	older, err := r.ended(ctx, h, max(0, from), to)
	if err != nil {
		return nil, 0, err
	}
	slices.Reverse(older)
	return slices.Concat(newest, older), total, nil
}

// newestSubmitted returns the submitted launches, newest first.
func (h head) newestSubmitted() ([]listItem, error) {
	list := slices.Sorted(slices.Values(h.submitted))
	slices.Reverse(list)
	entries := make([]listItem, len(list))
	for i, text := range list {
		words := strings.Split(text, "#")
		if len(words) != 3 {
			return nil, fmt.Errorf("submitted launch %q", text)
		}
		mint, err := solana.PublicKeyFromBase58(words[1])
		if err != nil {
			return nil, fmt.Errorf("submitted launch %q: %w", text, err)
		}
		entries[i] = listItem{Mint: mint[:], Launch: words[2]}
	}
	return entries, nil
}

// ended returns the ended launches with numbers in [from, to), oldest first.
func (r listReader) ended(ctx context.Context, h head, from, to int64) ([]listItem, error) {
	if from >= to {
		return nil, nil
	}
	failed, before, err := r.failed(ctx, h, from, to)
	if err != nil {
		return nil, err
	}
	confirmed, err := r.read(ctx, numbers(from-before, to-before-int64(len(failed))))
	if err != nil {
		return nil, err
	}
	entries := make([]listItem, 0, to-from)
	for number := from; number < to; number++ {
		next := &confirmed
		if len(failed) > 0 && failed[0].Confirmed+before == number {
			next, before = &failed, before+1
		}
		if len(*next) == 0 {
			return nil, errTorn
		}
		entries = append(entries, (*next)[0])
		*next = (*next)[1:]
	}
	return entries, nil
}

// failed returns the failed launches among the ended launches with numbers in [from, to), and the
// number of launches that failed earlier.
func (r listReader) failed(ctx context.Context, h head, from, to int64) (list []listItem, before int64, err error) {
	r.scope += failedScope
	// Entry f is at least number f, and at most number confirmed + f.
	minimum, maximum := max(0, from-h.length), min(h.failed, from)
	before = minimum + int64(sort.Search(int(maximum-minimum), func(i int) bool {
		at := minimum + int64(i)
		var entry []listItem
		if err == nil {
			entry, err = r.read(ctx, numbers(at, at+1))
		}
		return err != nil || entry[0].Confirmed+at >= from
	}))
	if err != nil {
		return nil, 0, err
	}
	list, err = r.read(ctx, numbers(before, min(h.failed, before+to-from)))
	for i, entry := range list {
		if entry.Confirmed+before+int64(i) >= to {
			return list[:i], before, err
		}
	}
	return list, before, err
}

// numbers returns the numbers in [from, to).
func numbers(from, to int64) []int64 {
	var list []int64
	for n := from; n < to; n++ {
		list = append(list, n)
	}
	return list
}
