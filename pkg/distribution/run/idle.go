package run

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/proof/snapshot"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// An empty slot costs nothing. Before a run is opened there is one look, of two calls of
// the node: the newest transaction that names the mint, and the accounts that say what is
// to be had without a scan. While nothing has happened since the last look, no run is
// opened and nothing is written. What is withheld in holders' accounts takes a scan, which
// is a run: it is opened only when something has happened, and a token of which scans find
// too little rests longer and longer.

// CodeNoMarket: there is nowhere to exchange what is for the holders. No run has it; see
// Head.Rest.
const CodeNoMarket Code = "no_market"

// LongestRest is the maximum time that a token rests, however little was found. A longer interval rests
// until its next slot.
const LongestRest = 24 * time.Hour

// Rest says that a token is not distributed for now, and why.
type Rest struct {
	Code   Code
	Detail string
	// Until is when it is looked at again at the latest; zero when nothing but what may be
	// distributed, or new settings, ends the rest.
	Until time.Time
}

// Rest gives the rest of a token, whose record is as it is now; ok is false when it is
// looked at in full at the next slot.
func (h Head) Rest(record token.Record, now time.Time) (rest Rest, ok bool) {
	l := h.Look
	if l == nil || !h.Active.IsZero() || h.Late > 0 || l.Terms != termsOf(record) {
		return Rest{}, false
	}
	code, day := h.found(), l.Slot.Add(max(LongestRest, record.Settings.Interval.Duration()))
	if code == CodeNothing {
		return Rest{Code: code, Detail: "No tax has come in since the last distribution."}, true
	}
	if code == CodeNoHolders {
		return Rest{Code: code, Detail: "No holder has the minimum. The tax waits until one does.", Until: day}, true
	}
	if code == CodeWalletTooLow {
		return Rest{Code: code, Detail: "The distribution wallet has too little SOL for its network fees. The last run says how much is missing.", Until: day}, true
	}
	rest = Rest{Code: code, Detail: l.Detail, Until: l.Until}
	if rest.Detail == "" {
		rest.Detail = "What has come in is worth too little for the network fees of a distribution. It waits for more."
	}
	return rest, code.tooLittle() && now.Before(l.Until)
}

// found is why the newest slot brought nothing; empty when its run was settled.
func (h Head) found() Code {
	if h.Look != nil && h.Look.Why != "" {
		return h.Look.Why
	}
	return h.Ended
}

// tooLittle says that a code is about how much there was.
func (c Code) tooLittle() bool { return c == CodeNothing || c == CodeBelowCost || c == CodeNoMarket }

// scanned says of a run's end whether it had looked into all accounts.
func (c Code) scanned() bool {
	return c == "" || c == CodeNothing || c == CodeBelowCost || c == CodeNoHolders
}

// stays says whether a code still holds after a time in which a look has seen nothing
// new. What depends on what things cost is tried once a day.
func (c Code) stays(since time.Duration) bool {
	return c == CodeNothing || (c == CodeNoHolders || c == CodeWalletTooLow) && since < LongestRest
}

// look decides whether a slot has a run, whose r is. It gives the head with what was seen
// to open it with, or why there is none: then it has written down at most that.
func (m Machine) look(ctx context.Context, head Head, r Run, record token.Record) (opened Head, none bool, err error) {
	if head.Late > 0 { // late payments are made whatever has come in
		head.Look = nil
		return head, false, nil
	}
	seen, supply, err := m.see(ctx, head, r, record)
	if err != nil {
		return head, false, err
	}
	var was Look
	found := head.found()
	if head.Look != nil {
		was = *head.Look
	}
	if was.Terms != seen.Terms {
		was, found = Look{Scanned: was.Scanned}, "" // new terms are looked at afresh
	}
	if !head.Ended.scanned() {
		was.Scanned = solana.Signature{}
	}
	resting := r.Slot.Before(was.Until) && (found.tooLittle() || unpriced(head, r, was))
	// A mint has its creation at least, so a node that lists nothing says nothing.
	stirred := seen.Newest.IsZero() || seen.Newest != was.Newest
	switch {
	case !stirred && seen.Known == was.Known && seen.Lamports == was.Lamports && found.stays(r.Slot.Sub(was.Slot)):
		return m.idle(ctx, head, r, found)
	case !resting:
	case seen.Known/2 > was.Known && !m.belowCost(m.worthOf(head, r, head.price(), seen.Known)):
	case found == CodeNoMarket && stirred: // perhaps a first sale
	default:
		return m.idle(ctx, head, r, found)
	}
	if !found.tooLittle() && !unpriced(head, r, was) {
		was.Rests = 0
	}
	seen.Rests, seen.Scanned = was.Rests+1, was.Scanned
	seen.Until = r.Slot.Add(rest(r.Settings.Interval.Duration(), seen.Rests))

	deferred, err := m.ask(ctx, head, r, &seen, supply)
	if err != nil {
		m.Log.WarnContext(ctx, "no venue answers, so the slot has no run", "mint", r.Mint.String(), "cause", err.Error())
		return head, true, nil
	}
	switch {
	case deferred != "":
		seen.Why, seen.Detail = CodeNoMarket, "The tax cannot be exchanged: "+deferred
	case seen.Newest.IsZero() || seen.Newest != seen.Scanned: // a scan says what there is
	case seen.Known == 0:
		seen.Why = CodeNothing
	default:
		head.Look = &seen
		if lamports := m.worthOf(head, r, head.price(), seen.Known); m.belowCost(lamports) {
			seen.Why, seen.Detail = CodeBelowCost, fmt.Sprintf(
				"What has come in is worth %s SOL, too little for the network fees of a distribution. It waits for more.", sol(lamports))
		}
	}
	if seen.Why == "" {
		seen.Scanned = seen.Newest
		head.Look = &seen
		return head, false, nil
	}
	if resting { // it is no longer a rest than before
		return m.idle(ctx, head, r, seen.Why)
	}
	head.Look, head.LastSlot = &seen, r.Slot
	return head, true, m.Store.SaveHead(ctx, head)
}

// idle is a slot without a run, of which nothing is written.
func (m Machine) idle(ctx context.Context, head Head, r Run, why Code) (Head, bool, error) {
	m.Log.LogAttrs(ctx, slog.LevelDebug, "no run", append(r.about(), slog.String("why", string(why)))...)
	return head, true, nil
}

// rest is how long a token rests that has rested n times in a row: one interval, then two,
// four and so on.
func rest(interval time.Duration, n int) time.Duration {
	pause := interval
	for range n - 1 {
		if pause >= LongestRest {
			break
		}
		pause *= 2
	}
	return max(min(pause, LongestRest), interval)
}

// see looks at the chain: once for the newest transaction, once for the accounts.
func (m Machine) see(ctx context.Context, head Head, r Run, record token.Record) (seen Look, supply uint64, err error) {
	// The transaction first: what comes after it is seen as new by the next look.
	newest, err := m.Chain.Newest(ctx, r.Mint)
	if err != nil {
		return Look{}, 0, fmt.Errorf("read the newest transaction of %s: %w", r.Mint, err)
	}
	account, err := token2022.AssociatedAddress(r.Token.Wallet.Address, r.Mint, solana.Token2022ProgramID)
	if err != nil {
		return Look{}, 0, fmt.Errorf("find the wallet's account: %w", err)
	}
	addresses := []solana.PublicKey{r.Mint, r.Token.Wallet.Address, account}
	for _, pool := range record.Pools {
		addresses = append(addresses, pool.TokenVault)
	}
	accounts, _, err := m.Chain.AccountsAt(ctx, 0, addresses...)
	if err != nil {
		return Look{}, 0, fmt.Errorf("look at mint %s: %w", r.Mint, err)
	}
	if accounts[0] == nil {
		return Look{}, 0, fmt.Errorf("mint %s does not exist", r.Mint)
	}
	mint, err := token2022.DecodeMint(accounts[0].Owner, accounts[0].Data)
	if err != nil {
		return Look{}, 0, fmt.Errorf("read mint %s: %w", r.Mint, err)
	}
	seen = Look{Slot: r.Slot, Newest: newest, Terms: termsOf(record)}
	if accounts[1] != nil {
		seen.Lamports = accounts[1].Lamports
	}
	for i, found := range accounts[2:] {
		if found == nil {
			continue
		}
		state, err := token2022.DecodeAccount(found.Owner, found.Data)
		if err != nil {
			continue // not an account of tokens (yet)
		}
		if i == 0 {
			own := r.own().Asset
			held := head.ForOthers(own)
			seen.Known = state.Amount - min(held, state.Amount)
		}
		seen.Known += state.Withheld // no more than the supply
	}
	if mint.TransferFee != nil {
		seen.Known += mint.TransferFee.Withheld
	}
	return seen, mint.Supply, nil
}

// ask asks the venue for a price in SOL. It says in a sentence why what is for the holders
// cannot be exchanged, and fails when no venue answers and no price is known.
func (m Machine) ask(ctx context.Context, head Head, r Run, seen *Look, supply uint64) (deferred string, err error) {
	amount := max(supply/probePart, 1)
	price, err := m.probe(ctx, r, amount, terms.SOL)
	if err == nil {
		seen.Price = &price
		return "", nil
	}
	if !r.exchanges() {
		return "", nil
	}
	if !r.Reward.Asset.IsSOL() {
		_, err = m.probe(ctx, r, amount, r.Reward.Asset)
	}
	if exchange.Unread(err) { // it is not for want of a market, so each slot looks again
		seen.Rests, seen.Until = 1, r.Slot.Add(r.Settings.Interval.Duration())
	}
	if why := deferral(err); err == nil || why != "" {
		return why, nil
	}
	if head.price().BaseUnits > 0 { // the venue does not answer, and the run may wait for it
		if head.Look != nil {
			seen.Price = head.Look.Price
		}
		return "", nil
	}
	return "", err
}

// unpriced says that nothing is sold, and no price of the token was ever paid or named:
// then it is unknown whether runs are worth their fees.
func unpriced(head Head, r Run, was Look) bool {
	return !r.exchanges() && was.Rests > 0 && was.Price == nil && head.worth().BaseUnits == 0
}

// worthOf is what a run would distribute of so many tokens, in lamports; the largest u64
// when there is no price.
func (m Machine) worthOf(head Head, r Run, price snapshot.Price, amount uint64) uint64 {
	if price.BaseUnits == 0 {
		return never
	}
	cut := allocation.Split(amount, head.Unsold, r.Settings.SellBps, r.Settings.BurnBps)
	return exchange.MulDiv(cut.Sell+cut.Burn, price.Lamports, price.BaseUnits)
}

// termsOf is a digest of what ends a rest when it changes: the settings, and where the
// token trades.
func termsOf(record token.Record) string {
	parts := []any{record.Settings}
	for _, pool := range record.Pools {
		parts = append(parts, pool.Address)
	}
	if record.Launchpad != nil {
		parts = append(parts, record.Launchpad.State)
	}
	text, err := json.Marshal(parts)
	if err != nil {
		return "" // settings are text and numbers
	}
	digest := sha256.Sum256(text)
	return hex.EncodeToString(digest[:8])
}
