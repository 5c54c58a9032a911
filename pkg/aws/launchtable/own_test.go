package launchtable_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/gagliardetto/solana-go"
	"pgregory.net/rapid"

	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/launch"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token"
)

// ownList is a naive copy of what a creator's own list is to be.
type ownList struct {
	submitted []launch.Launch // as they were created
	ended     []launch.Launch // as they ended
	hidden    map[solana.PublicKey]bool
}

// shown returns the mints that a page is cut of, newest first.
func (o ownList) shown(failedToo bool) []solana.PublicKey {
	var list []solana.PublicKey
	for _, l := range slices.Backward(o.submitted) {
		list = append(list, l.Mint)
	}
	for _, l := range slices.Backward(o.ended) {
		if failedToo || l.Status == transaction.Confirmed {
			list = append(list, l.Mint)
		}
	}
	return list
}

func (o ownList) check(t *rapid.T, b *books, creator solana.PublicKey, page, limit int64) {
	t.Helper()
	for name, c := range map[string]struct {
		list func(context.Context, solana.PublicKey, int64, int64) ([]token.Record, int64, error)
		want []solana.PublicKey
	}{"ListOf": {b.tokens.ListOf, o.shown(false)}, "ListAllOf": {b.tokens.ListAllOf, o.shown(true)}} {
		records, total, err := c.list(t.Context(), creator, page, limit)
		agree(t, fmt.Sprintf("%s, page %d of %d", name, page, limit), records, total, err, paged(c.want, page, limit), len(c.want))
		for _, r := range records {
			is := func(l launch.Launch) bool { return l.Mint == r.Mint }
			all := slices.Concat(o.ended, o.submitted)
			l := all[slices.IndexFunc(all, is)]
			want := [3]string{string(l.Status), l.Reason, l.ID}
			if l.Status == transaction.Confirmed {
				want[2] = ""
			}
			if got := [3]string{string(r.Status), r.Reason, r.TransactionID}; got != want {
				t.Fatalf("%s: %s is listed as %v, want %v", name, r.Mint, got, want)
			}
		}
	}
}

// TestOwnListAgreesWithModel compares every page with a slice, over random
// sequences of launches that are submitted, confirmed and fail, each call also repeated.
func TestOwnListAgreesWithModel(t *testing.T) {
	smallLists(t)
	sequences := 0
	rapid.Check(t, func(rt *rapid.T) {
		if sequences++; sequences > 8 {
			return // each takes a table and hundreds of calls
		}
		b, creator, own := openBooks(t), key(), ownList{hidden: map[solana.PublicKey]bool{}}
		end := func(status transaction.Status, reason string) {
			at := rapid.IntRange(0, len(own.submitted)-1).Draw(rt, "launch")
			l := settled(own.submitted[at], status, reason)
			for range rapid.IntRange(1, 2).Draw(rt, "calls") {
				must.Do(t, b.launches.Settle(t.Context(), l, b.now))
			}
			own.submitted = slices.Delete(own.submitted, at, at+1)
			own.ended = append(own.ended, l)
		}
		for range rapid.IntRange(1, 25).Draw(rt, "steps") {
			b.now = b.now.Add(time.Millisecond)
			switch step := rapid.SampledFrom([]string{"submit", "submit", "confirm", "fail", "fail", "hide", "read"}).Draw(rt, "step"); {
			case step == "submit" || len(own.submitted) == 0:
				l := signedOff(b.issue(t, creator))
				must.Do(t, b.launches.Submit(t.Context(), l, b.now))
				if err := b.launches.Submit(t.Context(), l, b.now); !errors.Is(err, launch.ErrConflict) {
					rt.Fatalf("submitted twice: %v", err)
				}
				own.submitted = append(own.submitted, l)
			case step == "confirm":
				end(transaction.Confirmed, "")
			case step == "fail":
				end(transaction.Failed, fmt.Sprintf("no %d", len(own.ended)))
			case step == "hide":
				for _, l := range own.ended {
					if l.Status == transaction.Confirmed {
						must.Do(t, b.tokens.Hide(t.Context(), l.Mint))
					}
				}
			default:
				own.check(rt, b, creator, rapid.Int64Range(1, 5).Draw(rt, "page"), rapid.Int64Range(1, 8).Draw(rt, "limit"))
			}
		}
		limit := rapid.Int64Range(1, 6).Draw(rt, "limit of all pages")
		for page := int64(1); (page-2)*limit < int64(len(own.submitted)+len(own.ended)); page++ {
			own.check(rt, b, creator, page, limit)
		}
		own.check(rt, b, creator, 1, 100)
		own.check(rt, b, creator, 1<<53-1, 100)
		if public, total, err := b.tokens.ListVisibleOf(t.Context(), creator, 1, 100); err != nil || int64(len(public)) != total ||
			slices.ContainsFunc(public, func(r token.Record) bool { return r.Status != token.Confirmed || !r.Visible }) {
			rt.Fatalf("the public list of the creator: %v of %d, %v", mints(public), total, err)
		}
	})
}

// TestEndingLaunchListedOnce reads the list while its launches end: a
// launch is never missing and never there twice.
func TestEndingLaunchListedOnce(t *testing.T) {
	smallLists(t)
	b, creator := openBooks(t), key()
	const many = 12
	launches := make([]launch.Launch, many)
	for i := range launches {
		b.now = b.now.Add(time.Millisecond)
		launches[i] = signedOff(b.issue(t, creator))
		must.Do(t, b.launches.Submit(t.Context(), launches[i], b.now))
	}
	ending, done := context.WithCancel(t.Context())
	var ends, reads sync.WaitGroup
	for worker := range 3 {
		ends.Go(func() {
			for i := worker; i < many; i += 3 {
				l := settled(launches[i], transaction.Confirmed, "")
				if i%2 == 0 {
					l = settled(launches[i], transaction.Failed, "no")
				}
				if err := b.launches.Settle(context.Background(), l, b.now); err != nil {
					t.Error(err)
				}
			}
		})
	}
	pages := 0
	reads.Go(func() {
		for ; ending.Err() == nil; pages++ {
			records, total, err := b.tokens.ListAllOf(context.Background(), creator, 1, 100)
			listed := map[solana.PublicKey]bool{}
			for _, r := range records {
				listed[r.Mint] = true
			}
			if err != nil || total != many || len(records) != many || len(listed) != many {
				t.Errorf("%d of %d launches on the list, %d entries, %v; want %d", len(listed), total, len(records), err, many)
				return
			}
		}
	})
	ends.Wait()
	done()
	reads.Wait()
	if _, total, err := b.tokens.ListOf(t.Context(), creator, 1, 1); err != nil || total != many/2 {
		t.Errorf("%d launches confirmed, %v; want %d", total, err, many/2)
	}
	t.Logf("%d pages read while %d launches ended", pages, many)
}

// TestUnlistedLaunchEnds tests a launch that was submitted by a release without a list of submitted
// launches.
func TestUnlistedLaunchEnds(t *testing.T) {
	b := openBooks(t)
	for status, counts := range map[transaction.Status][2]int64{transaction.Confirmed: {1, 1}, transaction.Failed: {0, 1}} {
		l := signedOff(b.issue(t, key()))
		must.Do(t, b.launches.Submit(t.Context(), l, b.now))
		_, err := b.launches.Client.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{
			TableName: &b.launches.Table, Key: launchtable.ListKey(l.Caller),
		})
		must.Do(t, err)
		must.Do(t, b.launches.Settle(t.Context(), settled(l, status, "why"), b.now))
		_, listed, err := b.tokens.ListOf(t.Context(), l.Caller, 1, 10)
		must.Do(t, err)
		_, all, err := b.tokens.ListAllOf(t.Context(), l.Caller, 1, 10)
		must.Do(t, err)
		if listed != counts[0] || all != counts[1] {
			t.Errorf("%s: %d listed and %d in all, want %v", status, listed, all, counts)
		}
	}
}
