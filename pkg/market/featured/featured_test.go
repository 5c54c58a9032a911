package featured_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market/featured"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/token"
)

var (
	noon     = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	mint     = solana.PublicKey{1}
	creator  = solana.PublicKey{2}
	treasury = solana.PublicKey{3}
	someone  = solana.PublicKey{4}
)

const day = 24 * time.Hour

func TestJudge(t *testing.T) {
	p := featured.Promotion{Payer: creator, Treasury: treasury, Lamports: 5}
	paid := p
	paid.PaidBy = solana.Signature{1}
	for name, c := range map[string]struct {
		p    featured.Promotion
		t    featured.Transfer
		want featured.Match
	}{
		"pays":            {p, featured.Transfer{From: creator, To: treasury, Lamports: 5}, featured.Pays},
		"paid":            {paid, featured.Transfer{From: creator, To: treasury, Lamports: 5}, featured.Overpaid},
		"less":            {p, featured.Transfer{From: creator, To: treasury, Lamports: 4}, featured.WrongAmount},
		"more":            {p, featured.Transfer{From: creator, To: treasury, Lamports: 6}, featured.WrongAmount},
		"less, paid":      {paid, featured.Transfer{From: creator, To: treasury, Lamports: 4}, featured.WrongAmount},
		"other payer":     {p, featured.Transfer{From: someone, To: treasury, Lamports: 5}, featured.WrongPayer},
		"other recipient": {p, featured.Transfer{From: creator, To: someone, Lamports: 5}, featured.WrongRecipient},
		"back":            {p, featured.Transfer{From: treasury, To: creator, Lamports: 5}, featured.WrongPayer},
	} {
		if got := c.p.Match(c.t); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestBegin(t *testing.T) {
	p := featured.Promotion{ID: "new", Mint: mint, Days: 2}
	running := func(ends time.Time) *featured.Placement {
		return &featured.Placement{PromotionID: "old", Mint: mint, StartsAt: noon.Add(-day), EndsAt: ends}
	}
	for name, c := range map[string]struct {
		last             *featured.Placement
		starts           time.Time
		id               string
		placementStarted time.Time
	}{
		"the first":           {nil, noon, "new", noon},
		"while one runs":      {running(noon.Add(time.Hour)), noon.Add(time.Hour), "old", noon.Add(-day)},
		"in its last moment":  {running(noon.Add(time.Millisecond)), noon.Add(time.Millisecond), "old", noon.Add(-day)},
		"when one has ended":  {running(noon), noon, "new", noon},
		"long after one":      {running(noon.Add(-30 * day)), noon, "new", noon},
		"a month before ends": {running(noon.Add(30 * day)), noon.Add(30 * day), "old", noon.Add(-day)},
	} {
		got, placement := p.Begin(c.last, noon.Add(300*time.Microsecond).In(time.FixedZone("east", 3600)))
		want := featured.Placement{PromotionID: c.id, Mint: mint, StartsAt: c.placementStarted, EndsAt: c.starts.Add(2 * day)}
		if got.StartsAt != c.starts || got.EndsAt != want.EndsAt || placement != want {
			t.Errorf("%s: %s to %s in %+v, want %s in %+v", name, got.StartsAt, got.EndsAt, placement, c.starts, want)
		}
	}
}

func TestActive(t *testing.T) {
	p := featured.Placement{StartsAt: noon, EndsAt: noon.Add(day)}
	for _, c := range []struct {
		at   time.Duration
		want bool
	}{{-time.Millisecond, false}, {0, true}, {day - time.Millisecond, true}, {day, false}} {
		if got := p.Active(noon.Add(c.at)); got != c.want {
			t.Errorf("%s after its start: %v", c.at, got)
		}
	}
}

// shop is all that a service needs, and remembers what it was asked.
type shop struct {
	record token.Record
	err    error // of Prepare and Issue
	draft  transaction.Draft
	issued *transaction.Issued
	offer  featured.Promotion
}

func (s *shop) Token(_ context.Context, m solana.PublicKey) (token.Record, error) {
	if m != s.record.Mint {
		return token.Record{}, token.ErrNotFound
	}
	return s.record, nil
}

func (s *shop) MintOf(context.Context, string) (solana.PublicKey, error) {
	return solana.PublicKey{}, errors.New("ids are not asked for")
}

func (s *shop) Prepare(_ context.Context, _ string, d transaction.Draft) (transaction.Unsigned, error) {
	s.draft = d
	return transaction.Unsigned{
		ID: "id", Kind: d.Kind, Caller: d.Caller, Mint: d.Mint, CreatedAt: noon, ExpiresAt: noon.Add(time.Minute), LastValid: 9,
	}, s.err
}

func (s *shop) Issue(_ context.Context, p featured.Promotion, i transaction.Issued) error {
	s.offer, s.issued = p, &i
	return s.err
}

func (s *shop) service() featured.Service {
	return featured.Service{
		Tokens: s, Store: s, Preparer: s, Treasury: treasury, Random: bytes.NewReader(bytes.Repeat([]byte{7}, 32)),
	}
}

func TestCreate(t *testing.T) {
	s := &shop{record: token.Record{Mint: mint, Creator: creator, Status: token.Confirmed, Visible: true}}
	offer, err := s.service().Create(t.Context(), creator, mint.String(), 30)
	if err != nil {
		t.Fatal(err)
	}
	reference := solana.PublicKeyFromBytes(bytes.Repeat([]byte{7}, 32))
	want := featured.Promotion{
		ID: "id", Mint: mint, Payer: creator, Treasury: treasury, Reference: reference, Days: 30, Lamports: 9_000_000_000, CreatedAt: noon,
	}
	if offer.Promotion != want || s.offer != want {
		t.Errorf("%+v, recorded as %+v, want %+v", offer.Promotion, s.offer, want)
	}
	if i := s.issued; i.ID != "id" || i.Kind != transaction.KindPromotion || i.Subject != reference || i.LastValid != 9 ||
		!i.DueAt.Equal(noon.Add(20*time.Second)) || i.Fate != transaction.Open {
		t.Errorf("recorded %+v", i)
	}
	d := s.draft
	if d.Kind != transaction.KindPromotion || d.Caller != creator || d.Mint != mint || d.Nonce != nil || len(d.Steps) != 1 ||
		d.Cost != (transaction.Cost{Deposit: want.Lamports}) {
		t.Fatalf("draft = %+v, want a promotion for %d lamports", d, want.Lamports)
	}
	if e := d.Steps[0].Explanation; !strings.Contains(e, "9 SOL") || !strings.Contains(e, "30 days") || !strings.Contains(e, treasury.String()) {
		t.Errorf("explanation = %q, want 9 SOL, 30 days and the treasury", e)
	}
	in := d.Steps[0].Instruction
	data, err := in.Data()
	accounts := in.Accounts()
	if err != nil || !bytes.Equal(data, []byte{2, 0, 0, 0, 0, 0x1a, 0x71, 0x18, 2, 0, 0, 0}) || len(accounts) != 3 ||
		*accounts[0] != (solana.AccountMeta{PublicKey: creator, IsSigner: true, IsWritable: true}) ||
		*accounts[1] != (solana.AccountMeta{PublicKey: treasury, IsWritable: true}) ||
		*accounts[2] != (solana.AccountMeta{PublicKey: reference}) {
		t.Errorf("data %v, accounts %v, %v", data, accounts, err)
	}
	if _, err := s.service().Create(t.Context(), creator, mint.String(), 1); err != nil || s.offer.Lamports != 300_000_000 ||
		!strings.Contains(s.draft.Steps[0].Explanation, "0.3 SOL") || !strings.Contains(s.draft.Steps[0].Explanation, "1 day;") {
		t.Errorf("Create() of one day: offer %+v, %v, explanation %q; want 0.3 SOL for 1 day", s.offer, err, s.draft.Steps[0].Explanation)
	}
}

// hiddenMark marks the record of a token that is hidden.
const hiddenMark = "hidden"

func TestOfferRejections(t *testing.T) {
	for name, c := range map[string]struct {
		caller solana.PublicKey
		mint   string
		days   int
		record token.Record
		want   string
	}{
		"no token":                    {creator, someone.String(), 1, token.Record{Status: token.Confirmed}, "token_not_found"},
		"no address":                  {creator, "0OIl", 1, token.Record{}, "token_not_found"},
		"not the creator":             {someone, mint.String(), 1, token.Record{Status: token.Submitted}, "not_token_creator"},
		"not confirmed":               {creator, mint.String(), 1, token.Record{Status: token.Submitted}, "token_not_confirmed"},
		"failed":                      {creator, mint.String(), 1, token.Record{Status: token.Failed}, "token_not_confirmed"},
		"hidden":                      {creator, mint.String(), 1, token.Record{Status: token.Confirmed, Links: token.Links{Twitter: hiddenMark}}, "token_hidden"},
		"the treasury":                {treasury, mint.String(), 1, token.Record{Creator: treasury, Status: token.Confirmed}, "treasury_cannot_pay"},
		"no days":                     {creator, mint.String(), 0, token.Record{Status: token.Confirmed}, "validation_failed"},
		"too many days":               {creator, mint.String(), 31, token.Record{Status: token.Confirmed}, "validation_failed"},
		"too many days, and no token": {creator, "x", 31, token.Record{}, "validation_failed"},
	} {
		t.Run(name, func(t *testing.T) {
			c.record.Mint = mint
			if c.record.Creator.IsZero() {
				c.record.Creator = creator
			}
			c.record.Visible = c.record.Twitter != hiddenMark
			s := &shop{record: c.record}
			_, err := s.service().Create(t.Context(), c.caller, c.mint, c.days)
			if apperr.CodeOf(err) != c.want || s.issued != nil {
				t.Errorf("%v, recorded %v, want %s", err, s.issued, c.want)
			}
		})
	}
}

// TestFailuresAreReturned, and nothing is offered that is not recorded.
func TestFailuresAreReturned(t *testing.T) {
	s := &shop{record: token.Record{Mint: mint, Creator: creator, Status: token.Confirmed, Visible: true}, err: apperr.Upstream("The store", errors.New("away"))}
	if offer, err := s.service().Create(t.Context(), creator, mint.String(), 1); apperr.CodeOf(err) != "upstream_unavailable" || offer.Promotion.ID != "" {
		t.Errorf("Create() = %+v, %v; want upstream_unavailable", offer, err)
	}
	s.err = nil
	service := s.service()
	service.Random = bytes.NewReader(make([]byte, 31))
	if _, err := service.Create(t.Context(), creator, mint.String(), 1); err == nil {
		t.Error("a reference is made of too few random bytes")
	}
}
