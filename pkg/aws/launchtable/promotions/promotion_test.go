package promotions_test

import (
	"errors"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/aws/launchtable/promotions"
	"tokenlaunch.example/service/pkg/market/featured"
	"tokenlaunch.example/service/pkg/market/watch"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token"
)

// promotionBooks are promotions and tokens in a table of their own.
type promotionBooks struct {
	promotions.Store

	tokens launchtable.Tokens
	now    time.Time
}

func openPromotions(t *testing.T) promotionBooks {
	t.Helper()
	aws := localnet.AWS(t)
	b := promotionBooks{now: time.Date(2026, 11, 22, 12, 0, 0, 123_000_000, time.UTC)}
	b.Client, b.Table = dynamo.New(aws.Config(t.Context())), aws.CreateTable(t, schema.Launch)
	b.tokens = launchtable.Tokens(b.Store)
	return b
}

func (b promotionBooks) token(t *testing.T, visible bool) solana.PublicKey {
	t.Helper()
	mint, item := record(visible)
	_, err := b.Client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &b.Table, Item: item})
	must.Do(t, err)
	return mint
}

// record is that of a token, as its launch leaves the record.
func record(visible bool) (solana.PublicKey, map[string]types.AttributeValue) {
	mint, creator := key(), key()
	item := launchtable.TokenKey(mint)
	item["mint"], item["creator"], item["status"] = dynamo.Binary(mint[:]), dynamo.Binary(creator[:]), dynamo.Text(string(token.Confirmed))
	item["visible"] = &types.AttributeValueMemberBOOL{Value: visible}
	return mint, item
}

func key() solana.PublicKey { return solana.NewWallet().PublicKey() }

// offer records a promotion of two days, first checked in 20 seconds.
func (b promotionBooks) offer(t *testing.T, mint solana.PublicKey) (featured.Promotion, transaction.Issued) {
	t.Helper()
	p := featured.Promotion{
		ID: uuid.NewString(), Mint: mint, Payer: key(), Treasury: key(), Reference: key(), Days: 2, Lamports: 600_000_000, CreatedAt: b.now,
	}
	i := transaction.Issued{
		ID: p.ID, Kind: transaction.KindPromotion, Caller: p.Payer, Mint: mint, Subject: p.Reference, Message: []byte{1}, LastValid: 7,
		CreatedAt: b.now, ExpiresAt: b.now.Add(time.Minute), Fate: transaction.Open, DueAt: b.now.Add(20 * time.Second),
	}
	must.Do(t, b.Issue(t.Context(), p, i))
	return p, i
}

// pay starts a promotion as the watcher does, by a separate payment.
func (b promotionBooks) pay(t *testing.T, p featured.Promotion) (featured.Promotion, *featured.Placement, featured.Placement) {
	t.Helper()
	before, err := b.Placement(t.Context(), p.Mint)
	must.Do(t, err)
	begun, after := p.Begin(before, b.now)
	begun.PaidBy, begun.PaidAt = solana.Signature(append(slices.Clone(key().Bytes()), key().Bytes()...)), 3
	return begun, before, after
}

func TestOffersAreRecordedAndClaimed(t *testing.T) {
	b := openPromotions(t)
	p, i := b.offer(t, b.token(t, true))
	if got, err := b.Promotion(t.Context(), p.ID); err != nil || got != p {
		t.Errorf("%+v, %v, want %+v", got, err, p)
	}
	if _, err := b.Promotion(t.Context(), uuid.NewString()); !errors.Is(err, featured.ErrNotFound) {
		t.Errorf("another id: %v", err)
	}
	if err := b.Issue(t.Context(), featured.Promotion{ID: p.ID, CreatedAt: b.now}, i); err == nil {
		t.Error("another promotion has the id")
	}
	if due, err := b.Due(t.Context(), i.DueAt.Add(-time.Millisecond), 10); err != nil || len(due) != 0 {
		t.Errorf("too soon: %v, %v", due, err)
	}
	due, err := b.Due(t.Context(), i.DueAt, 10)
	if err != nil || len(due) != 1 || due[0].ID != p.ID || due[0].LastValid != 7 || !due[0].DueAt.Equal(i.DueAt) || !due[0].ExpiresAt.Equal(i.ExpiresAt) {
		t.Fatalf("Due() = %+v, %v; want promotion %s", due, err, p.ID)
	}
	next := b.now.Add(time.Hour)
	for _, judged := range []solana.Signature{{1}, {2}, {1}} {
		must.Do(t, b.Judged(t.Context(), p.ID, judged))
	}
	watched, err := b.Claim(t.Context(), due[0], next)
	if err != nil || watched.Promotion != p || len(watched.Judged) != 2 || !slices.Contains(watched.Judged, solana.Signature{2}) {
		t.Errorf("Claim() = %+v, %v; want the promotion with two judged transfers", watched, err)
	}
	if _, err := b.Claim(t.Context(), due[0], next); !errors.Is(err, watch.ErrPromotionTaken) {
		t.Errorf("again: %v", err)
	}
	if due, err := b.Due(t.Context(), next, 10); err != nil || len(due) != 1 || !due[0].DueAt.Equal(next) {
		t.Errorf("Due() = %+v, %v; want one at %s", due, err, next)
	}
	must.Do(t, b.End(t.Context(), p.ID))
	must.Do(t, b.End(t.Context(), p.ID))
	must.Do(t, b.End(t.Context(), uuid.NewString()))
	if _, err := b.Claim(t.Context(), transaction.Issued{ID: p.ID, DueAt: next}, next); !errors.Is(err, watch.ErrPromotionTaken) {
		t.Errorf("after the end: %v", err)
	}
	if due, err := b.Due(t.Context(), next.Add(time.Hour), 10); err != nil || len(due) != 0 {
		t.Errorf("after the end: %+v, %v", due, err)
	}
}

// TestRefusedBeginningWritesNothing tests that nothing changes if the promotion is already paid,
// the payment already counted, or the placement changed since the read.
func TestRefusedBeginningWritesNothing(t *testing.T) {
	b := openPromotions(t)
	mint := b.token(t, true)
	first, _ := b.offer(t, mint)
	begun, before, after := b.pay(t, first)
	must.Do(t, b.Begin(t.Context(), begun, before, after))
	if got, err := b.Promotion(t.Context(), first.ID); err != nil || got != begun {
		t.Errorf("%+v, %v, want %+v", got, err, begun)
	}

	second, _ := b.offer(t, mint)
	for name, c := range map[string]struct {
		change func(p *featured.Promotion, before **featured.Placement)
		want   error
	}{
		"the promotion is paid":                      {func(p *featured.Promotion, _ **featured.Placement) { p.ID = first.ID }, watch.ErrPromotionTaken},
		"there is no such promotion":                 {func(p *featured.Promotion, _ **featured.Placement) { p.ID = uuid.NewString() }, watch.ErrPromotionTaken},
		"the payment is counted":                     {func(p *featured.Promotion, _ **featured.Placement) { p.PaidBy, p.PaidAt = begun.PaidBy, begun.PaidAt }, watch.ErrPaymentCounted},
		"there is a placement":                       {func(_ *featured.Promotion, before **featured.Placement) { *before = nil }, watch.ErrPlacementChanged},
		"the placement has another end":              {func(_ *featured.Promotion, before **featured.Placement) { (*before).EndsAt = b.now }, watch.ErrPlacementChanged},
		"the placement belongs to another promotion": {func(_ *featured.Promotion, before **featured.Placement) { (*before).PromotionID = second.ID }, watch.ErrPlacementChanged},
	} {
		next, before, later := b.pay(t, second)
		c.change(&next, &before)
		if err := b.Begin(t.Context(), next, before, later); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
		placement, err := b.Placement(t.Context(), mint)
		must.Do(t, err)
		record, err := b.tokens.Token(t.Context(), mint)
		must.Do(t, err)
		if p, err := b.Promotion(t.Context(), second.ID); err != nil || p.Paid() || *placement != after || !record.FeaturedUntil.Equal(after.EndsAt) {
			t.Fatalf("%s: paid %v, %+v until %s, %v", name, p.Paid(), placement, record.FeaturedUntil, err)
		}
	}

	// Another transfer of the transaction that paid is a payment of its own.
	next, before, later := b.pay(t, second)
	next.PaidBy, next.PaidAt = begun.PaidBy, begun.PaidAt+1
	must.Do(t, b.Begin(t.Context(), next, before, later))

	// A promotion of a token that there is not is an error, and not a race.
	lost, _ := b.offer(t, key())
	begun, before, after = b.pay(t, lost)
	if err := b.Begin(t.Context(), begun, before, after); err == nil || errors.Is(err, watch.ErrPromotionTaken) || errors.Is(err, watch.ErrPlacementChanged) {
		t.Errorf("of no token: %v", err)
	}
}

// TestPromotionExpiry tests that unpaid offers, and placements after their end, expire, and paid
// promotions do not.
func TestPromotionExpiry(t *testing.T) {
	b := openPromotions(t)
	mint := b.token(t, true)
	p, _ := b.offer(t, mint)
	expires := func(item map[string]types.AttributeValue) string {
		out, err := b.Client.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: &b.Table, Key: item})
		must.Do(t, err)
		n, _ := out.Item[schema.ExpiresAt].(*types.AttributeValueMemberN)
		if len(out.Item) == 0 {
			return "not there"
		}
		if n == nil {
			return "never"
		}
		return n.Value
	}
	week := func(at time.Time) string { return strconv.FormatInt(at.Add(7*24*time.Hour).Unix(), 10) }
	for i, want := range []string{week(b.now), week(b.now), "not there"} {
		if got := expires(promotions.PromotionKeys(p)[i]); got != want {
			t.Errorf("offered, item %d expires at %s, want %s", i, got, want)
		}
	}
	begun, before, after := b.pay(t, p)
	must.Do(t, b.Begin(t.Context(), begun, before, after))
	for i, want := range []string{"never", week(b.now), "never"} {
		if got := expires(promotions.PromotionKeys(begun)[i]); got != want {
			t.Errorf("paid, item %d expires at %s, want %s", i, got, want)
		}
	}
	item, err := promotions.PlacementItem(after)
	must.Do(t, err)
	if got := expires(map[string]types.AttributeValue{"pk": item["pk"], "sk": item["sk"]}); got != week(after.EndsAt) {
		t.Errorf("the placement expires at %s, want %s", got, week(after.EndsAt))
	}
}

// TestFeaturedTokensListed is bounded, and so is its cost; hidden tokens,
// and those that have not begun or have ended, are not on it.
func TestFeaturedTokensListed(t *testing.T) {
	b := openPromotions(t)
	// More hidden tokens than a page precede more visible tokens than a page.
	const hidden, shown = 130, 110
	var want []solana.PublicKey
	var writes []types.WriteRequest
	place := func(mint solana.PublicKey, starts, ends time.Duration) {
		item, err := promotions.PlacementItem(featured.Placement{PromotionID: mint.String(), Mint: mint, StartsAt: b.now.Add(starts), EndsAt: b.now.Add(ends)})
		must.Do(t, err)
		writes = append(writes, types.WriteRequest{PutRequest: &types.PutRequest{Item: item}})
	}
	launched := func(visible bool) solana.PublicKey {
		mint, item := record(visible)
		writes = append(writes, types.WriteRequest{PutRequest: &types.PutRequest{Item: item}})
		return mint
	}
	for n := range hidden {
		place(launched(false), -time.Hour, time.Hour+time.Duration(hidden-n)*time.Second)
	}
	for n := range shown {
		mint := launched(true)
		want = append(want, mint)
		place(mint, 0, time.Duration(shown-n)*time.Second)
	}
	place(launched(true), -time.Hour, 0)                        // it has ended
	place(launched(true), time.Millisecond, 5*time.Hour)        // it has not begun
	place(key(), -time.Hour, 5*time.Hour)                       // there is no such token
	place(launched(true), -time.Hour-time.Minute, -time.Minute) // it has ended long ago
	for batch := range slices.Chunk(writes, 25) {
		_, err := b.Client.BatchWriteItem(t.Context(), &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{b.Table: batch}})
		must.Do(t, err)
	}
	p := fault.NewProcess()
	config := localnet.AWS(t).Config(t.Context())
	config.HTTPClient = p.Over(config.HTTPClient.Do)
	listed, next, err := promotions.Store{Client: dynamo.New(config), Table: b.Table}.Featured(t.Context(), b.now, "", 100)
	must.Do(t, err)
	var got []solana.PublicKey
	for _, l := range listed {
		got = append(got, l.Token.Mint)
	}
	if !slices.Equal(got, want[:100]) {
		t.Errorf("%d are listed, want the 100 that are featured for longest", len(got))
	}
	// Paid promotions are shown: the cheapest are on the next page.
	rest, end, err := b.Featured(t.Context(), b.now, next, 100)
	must.Do(t, err)
	got = nil
	for _, l := range rest {
		got = append(got, l.Token.Mint)
	}
	if !slices.Equal(got, want[100:]) || end != "" {
		t.Errorf("%d are on the next page, with more after %q; want the last %d", len(got), end, shown-100)
	}
	if calls := len(p.Calls()); calls > 6 {
		t.Errorf("%d calls, want 6 at most", calls)
	}
	b.now = b.now.Add(3 * time.Hour)
	if listed, _, err := b.Featured(t.Context(), b.now, "", 100); err != nil || len(listed) != 1 || listed[0].StartsAt.After(b.now) {
		t.Errorf("three hours later: %d, %v", len(listed), err)
	}
}
