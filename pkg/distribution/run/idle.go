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

// A slot without income costs nothing. Before opening a run, the machine does one cheap check: the
// newest transaction that names the mint, and the accounts that show the available amount without a
// scan. If nothing has changed since the last check, the machine opens no run and writes nothing.
// Tax withheld in holders' accounts needs a scan, which is a run. A run is opened only after a new
// transaction, and a token whose scans find too little rests for longer and longer.

// CodeNoMarket: the holders' part cannot be exchanged anywhere. No run has this code; see
// Head.Rest.
const CodeNoMarket Code = "no_market"

// LongestRest is the maximum time that a token rests. A token with a longer interval rests until
// its next slot.
const LongestRest = 24 * time.Hour

// Rest is the reason why a token is not distributed for now.
type Rest struct {
	Code   Code
	Detail string
	// Until is the latest time of the next check. If zero, only new tax or new settings end the
	// rest.
	Until time.Time
}

// Rest returns the rest of a token. record is the present record. ok is false if the next slot does
// a full check.
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
		return Rest{Code: code, Detail: "The distribution wallet has too little SOL for its network fees. The last run has the missing amount.", Until: day}, true
	}
	rest = Rest{Code: code, Detail: l.Detail, Until: l.Until}
	if rest.Detail == "" {
		rest.Detail = "What has come in is worth too little for the network fees of a distribution. It waits for more."
	}
	return rest, code.tooLittle() && now.Before(l.Until)
}

// found returns the reason why the newest slot had no result; empty if the slot's run settled.
func (h Head) found() Code {
	if h.Look != nil && h.Look.Why != "" {
		return h.Look.Why
	}
	return h.Ended
}

// tooLittle reports whether a code means that the available amount was too small.
func (c Code) tooLittle() bool { return c == CodeNothing || c == CodeBelowCost || c == CodeNoMarket }

// scanned reports whether a run with this end had scanned all accounts.
func (c Code) scanned() bool {
	return c == "" || c == CodeNothing || c == CodeBelowCost || c == CodeNoHolders
}

// stays reports whether a code still holds after a time without news. Codes that depend on prices
// are tried again once a day.
func (c Code) stays(since time.Duration) bool {
	return c == CodeNothing || (c == CodeNoHolders || c == CodeWalletTooLow) && since < LongestRest
}

// look decides whether a slot has a run. r is the run. If so, look returns the head for the
// opening, with the result of the check. If not, none is true, and look has saved at most the
// result.
func (m Machine) look(ctx context.Context, head Head, r Run, record token.Record) (opened Head, none bool, err error) {
	if head.Late > 0 { // late payments are made regardless of new tax
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
		was, found = Look{Scanned: was.Scanned}, "" // new terms are checked afresh
	}
	if !head.Ended.scanned() {
		was.Scanned = solana.Signature{}
	}
	resting := r.Slot.Before(was.Until) && (found.tooLittle() || unpriced(head, r, was))
	// Every mint has at least its creation transaction, so an empty list proves nothing.
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
	case head.HandedOver == nil && (seen.Newest.IsZero() || seen.Newest != seen.Scanned): // a scan shows the available amount
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
	if resting { // the rest does not get longer
		return m.idle(ctx, head, r, seen.Why)
	}
	head.Look, head.LastSlot = &seen, r.Slot
	return head, true, m.Store.SaveHead(ctx, head)
}

// idle ends a slot without a run and without a write.
func (m Machine) idle(ctx context.Context, head Head, r Run, why Code) (Head, bool, error) {
	m.Log.LogAttrs(ctx, slog.LevelDebug, "no run", append(r.about(), slog.String("why", string(why)))...)
	return head, true, nil
}

// rest returns the duration of the nth consecutive rest: one interval, then two, four and so on.
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

// see reads the chain: the newest transaction, then the accounts.
func (m Machine) see(ctx context.Context, head Head, r Run, record token.Record) (seen Look, supply uint64, err error) {
	// Read the transaction first: a transaction that lands between the two reads is then new in the
	// next check.
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
			continue // not a token account (yet)
		}
		if i == 0 {
			own := r.own().Asset
			held := head.ForOthers(own)
			seen.Known = state.Amount - min(held, state.Amount)
		}
		if head.HandedOver == nil {
			seen.Known += state.Withheld // at most the supply
		}
	}
	if mint.TransferFee != nil && head.HandedOver == nil {
		seen.Known += mint.TransferFee.Withheld
	}
	return seen, mint.Supply, nil
}

// ask requests a price in SOL from the venue. deferred is the reason, as a sentence, why the
// holders' part cannot be exchanged. It returns an error if no venue responds and no price is
// known.
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
	if exchange.Unread(err) { // the market may exist, so every slot checks again
		seen.Rests, seen.Until = 1, r.Slot.Add(r.Settings.Interval.Duration())
	}
	if why := deferral(err); err == nil || why != "" {
		return why, nil
	}
	if head.price().BaseUnits > 0 { // the venue does not respond, and the run may wait for the venue
		if head.Look != nil {
			seen.Price = head.Look.Price
		}
		return "", nil
	}
	return "", err
}

// unpriced reports whether the run sells nothing and no price of the token is known. The worth of
// runs is then unknown.
func unpriced(head Head, r Run, was Look) bool {
	return !r.exchanges() && was.Rests > 0 && was.Price == nil && head.worth().BaseUnits == 0
}

// worthOf returns the worth of a run that distributes amount tokens, in lamports; the maximum
// uint64 without a price.
func (m Machine) worthOf(head Head, r Run, price snapshot.Price, amount uint64) uint64 {
	if price.BaseUnits == 0 {
		return never
	}
	cut := allocation.Split(amount, head.Unsold, r.sellBps(), r.Settings.BurnBps)
	return exchange.MulDiv(cut.Sell+cut.Burn, price.Lamports, price.BaseUnits)
}

// termsOf returns a digest of the facts whose change ends a rest: the settings, and the token's
// markets.
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
