package notice

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/event"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Queue accepts notices.
type Queue interface {
	Send(ctx context.Context, n Notice) error
}

// queueWithin bounds the wait for the queue.
const queueWithin = 3 * time.Second

// Publisher creates and queues the notices of events. It implements event.Consumer. Every field is
// required, except GatewayURL.
type Publisher struct {
	Queue Queue
	Links Links
	// PublicURL is the address of the API. GatewayURL is an IPFS gateway for links to proofs.
	PublicURL  string
	GatewayURL string
	Now        func() time.Time
}

// Tell queues the notice of an event. The group is in the settings of the run. For a change of
// settings it is the group after the change, or before the change if the group was removed. Groups
// without a link receive no notice. Launches, curves, promotions and settled claims have no notice.
func (t Publisher) Tell(ctx context.Context, e event.Event) error {
	var n Notice
	switch {
	case e.Kind == event.ClaimSettled:
	case e.Run != nil:
		n = t.ended(e)
	case e.Change != nil:
		n = t.changed(e)
	}
	if n.Group == "" {
		return nil
	}
	n.At = e.At
	if err := t.send(ctx, n); !errors.Is(err, ErrNotLinked) {
		return err
	}
	return nil
}

// send queues a notice for a linked group. It returns ErrNotLinked for other groups.
func (t Publisher) send(ctx context.Context, n Notice) error {
	ctx, cancel := context.WithTimeout(ctx, queueWithin)
	defer cancel()
	if _, err := t.Links.Chat(ctx, n.Mint, n.Group); err != nil {
		return err
	}
	return t.Queue.Send(ctx, n)
}

func (t Publisher) ended(e event.Event) Notice {
	r := *e.Run
	n := Notice{Mint: r.Mint, Group: r.Settings.TelegramGroupID, Kind: RunFailed}
	switch {
	case e.Kind == event.RunSettled:
		n.Kind, n.Text = RunSettled, t.settled(r)
	case r.Status() == run.Failed:
		n.Text = t.refused(r, "A distribution failed")
	case r.End.Code == run.CodeWalletTooLow:
		n.Kind, n.Text = WalletLow, t.refused(r, "The distribution wallet is too low")
	default:
		n.Text = t.refused(r, "A distribution was skipped")
	}
	n.ID = string(n.Kind) + "/" + e.Key
	return n
}

func (t Publisher) settled(r run.Run) string {
	var m Message
	own := CurrencyOf(terms.Asset(r.Mint), r.Token.Decimals, r.Mint, r.Token.Symbol)
	reward := CurrencyOf(r.Reward.Asset, r.Reward.Decimals, r.Mint, r.Token.Symbol)
	m.Line(Bold("A distribution is settled"))
	t.about(&m, r.Mint, r.Token.Name, r.Token.Symbol, r.Slot)
	if r.Collecting != nil {
		m.Line("Collected: ", own.Amount(r.Collecting.Collected))
	}
	if r.Burn != nil && r.Burn.Amount > 0 {
		m.Line("Burned: ", own.Amount(r.Burn.Amount))
	}
	if e := r.Exchange; e != nil && e.Sold > 0 {
		m.Line("Sold: ", own.Amount(e.Sold), " for ", reward.Amount(e.Proceeds))
	} else if e != nil && e.Deferred != "" {
		m.Line("Not sold: ", sentence(e.Deferred))
	}
	if r.Payment != nil && r.Closing != nil {
		t.paid(&m, r)
	}
	m.Line(t.links(r))
	return m.Text()
}

// paid adds the payments to the creator and the holders, asset by asset.
func (t Publisher) paid(m *Message, r run.Run) {
	decimals := map[terms.Asset]uint8{}
	for _, leg := range r.Payment.Legs {
		decimals[leg.Currency.Asset] = leg.Currency.Decimals
		if paid := leg.CreatorPaid; paid != nil && paid.Amount > 0 {
			c := CurrencyOf(leg.Currency.Asset, leg.Currency.Decimals, r.Mint, r.Token.Symbol)
			m.Line("Creator: ", c.Amount(paid.Amount))
		}
	}
	for _, leg := range r.Closing.Legs {
		c := CurrencyOf(leg.Asset, decimals[leg.Asset], r.Mint, r.Token.Symbol)
		m.Line("Holders: ", c.Amount(leg.Paid), " to ", strconv.FormatUint(uint64(leg.PaidHolders), 10))
		if leg.Carried > 0 {
			m.Line("Carried to the next one: ", c.Amount(leg.Carried), " for ", strconv.FormatUint(uint64(leg.CarriedTo), 10))
		}
	}
}

func (t Publisher) links(r run.Run) string {
	links := Link("Run", t.PublicURL+"/distribution/"+r.Mint.String()+"/runs/"+r.ID)
	if r.Closing != nil && r.Closing.Manifest != "" && t.GatewayURL != "" {
		if proof := Link("Proof", t.GatewayURL+"/ipfs/"+r.Closing.Manifest); proof != "" {
			links += " · " + proof
		}
	}
	return links
}

// refused returns the text of a failed or skipped run. The detail is a sentence of the service that
// may quote third parties.
func (t Publisher) refused(r run.Run, title string) string {
	var m Message
	m.Line(Bold(title))
	t.about(&m, r.Mint, r.Token.Name, r.Token.Symbol, r.Slot)
	m.Line(sentence(r.End.Detail))
	if r.End.Code == run.CodeWalletTooLow {
		m.Line("Distribution wallet: ", Foreign(r.Token.Wallet.Address.String()))
	}
	m.Line(t.links(r))
	return m.Text()
}

func (t Publisher) about(m *Message, mint solana.PublicKey, name, symbol string, slot time.Time) {
	m.Line("Token: ", Foreign(name), " ", Foreign(symbol))
	m.Line("Mint: ", Foreign(mint.String()))
	if !slot.IsZero() {
		m.Line("Slot: ", slot.UTC().Format("2006-01-02 15:04"), " UTC")
	}
}

func (t Publisher) changed(e event.Event) Notice {
	record, before, after := e.Token, e.Change.Before.Settings, e.Change.After.Settings
	changes := terms.Changed(before, after)
	if len(changes) == 0 {
		return Notice{}
	}
	var m Message
	m.Line(Bold("Distribution settings were changed"))
	t.about(&m, record.Mint, record.Name, record.Symbol, time.Time{})
	for _, c := range changes {
		m.Line(c.Label, ": ", Foreign(c.Words(before)), " → ", Foreign(c.Words(after)))
	}
	m.Line("In effect from ", after.Interval.Next(e.Change.After.From).UTC().Format("2006-01-02 15:04"), " UTC")
	return Notice{
		ID: string(SettingsChanged) + "/" + e.Key, Kind: SettingsChanged, Mint: record.Mint,
		Group: cmp.Or(after.TelegramGroupID, before.TelegramGroupID), Text: m.Text(),
	}
}

// Try queues a test message for the group of a token. Each id is a separate event. After an error
// the message may not be queued. It returns ErrNotLinked if the group has not agreed.
func (t Publisher) Try(ctx context.Context, record token.Record, id string) error {
	var m Message
	m.Line("This is a test: what becomes of the distributions of ", Foreign(record.Name), " ", Foreign(record.Symbol), " is told here.")
	return t.send(ctx, Notice{
		ID:   string(Test) + "/" + record.Mint.String() + "/" + id,
		Kind: Test, Mint: record.Mint, Group: record.Settings.TelegramGroupID, At: t.Now(), Text: m.Text(),
	})
}
