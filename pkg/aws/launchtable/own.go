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

// A creator's list begins, for the creator alone, with their submitted launches. They stand
// in its head, from the write that submits a launch until the one that ends it, so one read
// gives what is submitted and what has ended in one state. What failed has a list of its own:
//
//	LIST#<creator>                 HEAD  submitted = <when created, 13 digits>#<mint>#<id> of each,
//	                                     failed = how many launches failed
//	LIST#<creator>#FAILED#<block>  <entry, 12 digits>  mint, tx = its id,
//	                                     confirmed = how many were confirmed when it failed
//
// A failed launch thereby has its place among the confirmed ones, whose numbers stay as
// they are: entry f of what failed is number confirmed + f of what ended. Both only grow.
// A launch that was submitted before there was a set is not in it, and leaves it all the same.
const failedScope = "#FAILED"

// submittedEntry is a launch in the set of its creator's submitted ones. It is made of what
// never changes in a launch, so that each write means the same entry.
func submittedEntry(l launch.Launch) types.AttributeValue {
	return &types.AttributeValueMemberSS{Value: []string{fmt.Sprintf("%013d#%s#%s", l.CreatedAt.UnixMilli(), l.Mint, l.ID)}}
}

// addSubmitted is the write that puts a launch on its creator's list when it is submitted.
func addSubmitted(table string, l launch.Launch) types.TransactWriteItem {
	return types.TransactWriteItem{Update: &types.Update{
		TableName: &table, Key: headKey(l.Caller.String()),
		UpdateExpression:          new("ADD submitted :launch"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":launch": submittedEntry(l)},
	}}
}

// endSubmitted adds to a write to the head of a creator's list that a launch is submitted
// no longer.
func endSubmitted(head *types.Update, l launch.Launch) {
	*head.UpdateExpression += " DELETE submitted :launch"
	head.ExpressionAttributeValues[":launch"] = submittedEntry(l)
}

// appendFailed makes the writes that move a launch from its creator's submitted ones to those
// that failed, where h is the head of the creator's list. They fail when another one failed
// first. Another one that is confirmed first does not hinder them: entries stay in order,
// for who appends the next has read a head that is newer than this write.
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

// ListOf gives one page of a creator's launches, for the creator: those that are submitted
// and those that are confirmed, hidden ones among them, each newest first. The numbers are
// those of List.
func (t Tokens) ListOf(ctx context.Context, creator solana.PublicKey, page, limit int64) ([]token.Record, int64, error) {
	records, total, err := t.page(ctx, creator.String(), page, limit, listReader.own)
	// One may have failed since its entry was read.
	records = slices.DeleteFunc(records, func(r token.Record) bool { return r.Status == token.Failed })
	return records, total, err
}

// ListAllOf is ListOf with what failed, in its place among what is confirmed.
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

// ownPage gives the entries of one page of what h has, newest first, and how many there are.
func (r listReader) ownPage(ctx context.Context, h head, page, limit int64) ([]listItem, int64, error) {
	submitted, err := h.newestSubmitted()
	if err != nil {
		return nil, 0, fmt.Errorf("decode head of list %s: %w", r.scope, err)
	}
	waiting, ended := int64(len(submitted)), h.length+h.failed
	total := waiting + ended
	if page-1 > total/limit { // beyond it (page − 1) × limit could overflow
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

// newestSubmitted gives what is submitted, newest first.
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

// ended gives what ended, from number from to before number to, oldest first.
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

// failed gives those of what ended, from number from to before number to, that failed, and
// how many failed before them.
func (r listReader) failed(ctx context.Context, h head, from, to int64) (list []listItem, before int64, err error) {
	r.scope += failedScope
	// Entry f is at least number f, and at most number confirmed + f.
	least, most := max(0, from-h.length), min(h.failed, from)
	before = least + int64(sort.Search(int(most-least), func(i int) bool {
		at := least + int64(i)
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

// numbers are those from from to before to.
func numbers(from, to int64) []int64 {
	var list []int64
	for n := from; n < to; n++ {
		list = append(list, n)
	}
	return list
}
