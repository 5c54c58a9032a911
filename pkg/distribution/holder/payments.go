package holder

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"
	"golang.org/x/sync/errgroup"

	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// The maximum costs of a page of payments. A page ends early at these limits, and the next page
// continues.
const (
	// maxProofs is the maximum number of proofs to look a wallet up in. A look-up reads a manifest,
	// and two files for each asset that the run paid.
	maxProofs = 200
	// maxListed is the number of listed runs after which no more runs are listed.
	maxListed = 1_000
	// minRefill is the minimum number of runs in a further list of a token's runs, because these
	// lists are read one after the other.
	minRefill = 10
	// recentRuns is the number of runs in the first list of a token's runs if the page has a start.
	recentRuns = 32
	// wave is the number of proofs that are looked up before the number of payments is checked.
	wave = 2 * atOnce
)

// History lists runs; see ledgertable.Runs.
type History interface {
	// Page returns up to limit runs with slots before a time, newest first, or the newest runs if
	// the time is zero. The next page begins before next, which is zero after the last page.
	Page(ctx context.Context, mint solana.PublicKey, before time.Time, limit int) (page []run.Run, next time.Time, err error)
}

// Payments lists the payments to wallets, by the rows of the proofs. No record is stored per holder:
// a payment costs no write, and a page reads a bounded number of proofs. Every field is required.
type Payments struct {
	Ledger  Ledger
	History History
}

// PaymentsAsk is a request for a page of payments. A zero Mint selects the service's tokens that the
// wallet has an account of. After is the end of the previous page; zero for the first page. Limit is
// positive. Since, if not zero, excludes runs with earlier slots, which the page does not read.
type PaymentsAsk struct {
	Wallet solana.PublicKey
	Mint   solana.PublicKey
	After  Place
	Since  time.Time
	Limit  int
}

// Place is a position in a list of payments, which is in descending order of Slot, and of equal Slots
// in ascending order of Mint. Given is the number of payments of that run before the position; zero
// if the position is after the run.
type Place struct {
	Slot  time.Time
	Mint  solana.PublicKey
	Given int
}

// Paid is one payment to a wallet.
type Paid struct {
	Token token.Record
	Run   run.Run
	// Row is the row of the proof. Row.Received is the amount that arrived.
	Row format.Found
	// Decimals are the decimals of the asset.
	Decimals uint8
}

// PaidPage is a page of payments, newest first. Next is the end of the page; zero if no payments
// follow. Complete is false if payments of tokens that the wallet has an account of may be missing.
// Tokens are the tokens whose payments are listed.
type PaidPage struct {
	Payments []Paid
	Tokens   []token.Record
	Next     Place
	Complete bool
}

// Page reads a page of payments. The page may have fewer payments than the limit, or none, and still
// have a next page. A mint that is no token of the service has no payments.
func (p Payments) Page(ctx context.Context, ask PaymentsAsk) (PaidPage, error) {
	records, complete, err := p.tokens(ctx, ask)
	if err != nil {
		return PaidPage{}, err
	}
	merged, err := p.merge(ctx, records, ask)
	if err != nil {
		return PaidPage{}, err
	}
	page := PaidPage{Tokens: records, Complete: complete}
	skip := ask.After.Given
	for proofs := 0; ; {
		var runs []listed
		for len(runs) < min(wave, maxProofs-proofs) {
			one, ok, err := merged.next(ctx)
			if err != nil {
				return PaidPage{}, err
			}
			if !ok {
				break
			}
			runs = append(runs, one)
		}
		proofs += len(runs)
		found, err := p.paid(ctx, ask.Wallet, runs)
		if err != nil {
			return PaidPage{}, err
		}
		for i, payments := range found {
			place := runs[i].place()
			given := 0
			if place.Mint == ask.After.Mint && place.Slot.Equal(ask.After.Slot) {
				given = min(skip, len(payments))
			}
			for ; given < len(payments); given++ {
				if len(page.Payments) == ask.Limit {
					page.Next = place
					if page.Next.Given = given; given == 0 {
						page.Next = page.end()
					}
					return page, nil
				}
				page.Payments = append(page.Payments, payments[given])
			}
		}
		switch {
		case len(runs) == 0 || proofs == maxProofs:
			page.Next = merged.end()
			return page, nil
		case len(page.Payments) == ask.Limit && merged.more():
			page.Next = runs[len(runs)-1].place()
			return page, nil
		}
	}
}

// end returns the position after the run of the last payment.
func (p PaidPage) end() Place {
	last := p.Payments[len(p.Payments)-1]
	return Place{Slot: last.Run.Slot, Mint: last.Token.Mint}
}

// tokens returns the named token, or the service's tokens that the wallet has an account of.
func (p Payments) tokens(ctx context.Context, ask PaymentsAsk) (records []token.Record, complete bool, err error) {
	if !ask.Mint.IsZero() {
		records, err = p.Ledger.Tokens.TokensOf(ctx, []solana.PublicKey{ask.Mint})
		return records, true, err
	}
	held, complete, err := p.Ledger.Chain.MintsOf(ctx, ask.Wallet)
	if err != nil {
		return nil, false, fmt.Errorf("list what %s holds: %w", ask.Wallet, err)
	}
	records, next, err := p.Ledger.own(ctx, nil, held, MaxPage)
	return records, complete && next.IsZero(), err
}

// listed is a run of a token that has paid holders, with a proof.
type listed struct {
	token token.Record
	run   run.Run
}

func (l listed) place() Place { return Place{Slot: l.run.Slot, Mint: l.token.Mint} }

// after reports whether the place comes later in the list than another place.
func (p Place) after(other Place) bool {
	if !p.Slot.Equal(other.Slot) {
		return p.Slot.Before(other.Slot)
	}
	return bytes.Compare(p.Mint[:], other.Mint[:]) > 0
}

// stream is the rest of a token's runs, newest first.
type stream struct {
	token  token.Record
	runs   []run.Run
	before time.Time // of the runs after runs
	over   bool      // no runs follow
}

// merged merges the runs of tokens.
type merged struct {
	history History
	streams []*stream
	chunk   int // the number of runs to list of a token at a time
	listed  int // the number of runs listed so far
	last    Place
	full    bool // the limit of listed runs is reached
	since   time.Time
}

// merge begins a list of runs after a place.
func (p Payments) merge(ctx context.Context, records []token.Record, ask PaymentsAsk) (*merged, error) {
	after := ask.After
	m := &merged{history: p.History, chunk: max(2, maxProofs/max(1, len(records))), last: after, since: ask.Since}
	if !ask.Since.IsZero() {
		m.chunk = min(m.chunk, recentRuns)
	}
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for _, record := range records {
		s := &stream{token: record}
		if !after.Slot.IsZero() {
			s.before = after.Slot
			// A token with the same slot comes after the place by its mint, or by its payments.
			if bytes.Compare(record.Mint[:], after.Mint[:]) > 0 || record.Mint == after.Mint && after.Given > 0 {
				s.before = after.Slot.Add(time.Second)
			}
		}
		m.streams = append(m.streams, s)
		group.Go(func() error { return m.fill(inner, s) })
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	for _, s := range m.streams {
		m.listed += len(s.runs)
	}
	m.chunk = max(m.chunk, minRefill)
	return m, nil
}

// fill lists the next runs of a stream.
func (m *merged) fill(ctx context.Context, s *stream) error {
	runs, next, err := m.history.Page(ctx, s.token.Mint, s.before, m.chunk)
	if err != nil {
		return fmt.Errorf("list the runs of %s: %w", s.token.Mint, err)
	}
	s.runs, s.before, s.over = runs, next, next.IsZero()
	if n := slices.IndexFunc(runs, func(r run.Run) bool { return r.Slot.Before(m.since) }); n >= 0 {
		s.runs, s.over = runs[:n], true
	}
	return nil
}

// next returns the next run that has paid holders, or false at the end, or at the limit of listed
// runs.
func (m *merged) next(ctx context.Context) (listed, bool, error) {
	for {
		var first *stream
		for _, s := range m.streams {
			if len(s.runs) == 0 && !s.over {
				if m.listed >= maxListed {
					m.full = true
					return listed{}, false, nil
				}
				if err := m.fill(ctx, s); err != nil {
					return listed{}, false, err
				}
				m.listed += len(s.runs)
			}
			if len(s.runs) > 0 && (first == nil || first.head().after(s.head())) {
				first = s
			}
		}
		if first == nil {
			return listed{}, false, nil
		}
		one := listed{first.token, first.runs[0]}
		first.runs = first.runs[1:]
		m.last = one.place()
		if paysHolders(one.run) {
			return one, true, nil
		}
	}
}

func (s *stream) head() Place { return Place{Slot: s.runs[0].Slot, Mint: s.token.Mint} }

// more reports whether runs follow.
func (m *merged) more() bool {
	return m.full || slices.ContainsFunc(m.streams, func(s *stream) bool { return len(s.runs) > 0 || !s.over })
}

// end returns the place of the last run that was checked; zero if no runs follow.
func (m *merged) end() Place {
	if !m.more() {
		return Place{}
	}
	return m.last
}

// paysHolders reports whether a run has ended and its proof has payments to holders.
func paysHolders(r run.Run) bool {
	return r.End != nil && r.Closing != nil && r.Closing.Manifest != "" &&
		slices.ContainsFunc(r.Closing.Legs, func(l run.ClosedLeg) bool { return l.Paid > 0 })
}

// paid looks a wallet up in the proofs of runs, and returns the payments by run.
func (p Payments) paid(ctx context.Context, wallet solana.PublicKey, runs []listed) ([][]Paid, error) {
	found := make([][]Paid, len(runs))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for i, one := range runs {
		group.Go(func() (err error) {
			found[i], err = p.paidBy(ctx, wallet, one)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return found, nil
}

// paidBy returns the payments of a run to a wallet, at most one for each asset.
func (p Payments) paidBy(ctx context.Context, wallet solana.PublicKey, one listed) (paid []Paid, err error) {
	m, err := format.ReadManifest(ctx, p.Ledger.Proofs, one.run.Closing.Manifest)
	if err != nil {
		return nil, fmt.Errorf("read the proof %s: %w", one.run.Closing.Manifest, err)
	}
	for _, leg := range m.Legs {
		if leg.Sums.Paid == 0 {
			continue
		}
		asset, err := terms.ParseAsset(leg.Asset)
		if err != nil {
			return nil, fmt.Errorf("read an asset of the proof %s: %w", one.run.Closing.Manifest, err)
		}
		row, ok, err := m.Find(ctx, p.Ledger.Proofs, asset, wallet)
		if err != nil {
			return nil, fmt.Errorf("look %s up in the proof %s: %w", wallet, one.run.Closing.Manifest, err)
		}
		if ok && row.Row.Paid > 0 {
			paid = append(paid, Paid{Token: one.token, Run: one.run, Row: row, Decimals: leg.Decimals})
		}
	}
	return paid, nil
}
