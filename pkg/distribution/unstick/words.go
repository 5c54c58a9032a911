package unstick

import (
	"cmp"
	"fmt"
	"strings"

	"tokenlaunch.example/service/pkg/distribution/payout"
)

// String returns the case as lines, for an operator.
func (c Case) String() string {
	var b strings.Builder
	say := func(format string, values ...any) { fmt.Fprintf(&b, format+"\n", values...) }
	say("token %s: %s", c.Mint, cmp.Or(c.Frozen, "it is not frozen"))
	if c.Behind {
		say("the ledger is older than its journal: resolve brings it forward")
	}
	if c.Uncompared && len(c.Forgotten) == 0 {
		say("its wallet's history is not compared since the recovery: resolve compares it")
	}
	if c.Entered > 0 {
		say("its wallet had signed %d transactions that neither ledger nor journal knew: they are entered", c.Entered)
	}
	for _, f := range c.Forgotten {
		say("  its wallet has signed %s, in slot %d, which neither ledger nor journal knows: %s", f.Signature, f.Slot, f.Why)
	}
	if len(c.Forgotten) > 0 {
		say("  it pays no holder until they know: bring the rest of the journal from the other Region, and resolve it again")
	}
	if c.Run != nil {
		say("run %s of %s: %s", c.Run.ID, c.Run.Slot.Format("2006-01-02 15:04Z"), c.Run.Status())
	}
	for _, lack := range c.Discrepancies {
		say("  the books lack %d %s: %s", lack.Missing, lack.Asset, lack.Why)
		switch {
		case lack.Short > 0:
			say("    the wallet is to be sent %d %s, which it holds for others", lack.Short, lack.Asset)
		case lack.Missing > 0:
			say("    resolve --reason TEXT enters them as an adjustment, unless they are explained by then")
		}
	}
	for _, p := range c.Open {
		say("  %s %s: %d %s; it continues with the run", p.ID, p.Status(), p.Amount, p.Asset)
	}
	for _, u := range c.Unknown {
		p := u.Payment
		say("  %s %s: %d %s, bound %s, %d attempts, %d entries in the journal", p.ID, p.Status(), p.Amount, p.Asset,
			p.BoundAt.Format("2006-01-02 15:04:05Z"), len(p.Attempts), u.Kept)
		for n, r := range u.Readings {
			say("    provider %d: %s", n+1, said(p, r))
		}
		for _, a := range p.Attempts {
			say("    attempt %s, valid until block %d", a.Signature, a.LastValid)
		}
	}
	return b.String()
}

// said describes a provider's view of a payment.
func said(p payout.Payment, r payout.Reading) string {
	if r.Silent {
		return "it does not answer, is behind, or is on another network"
	}
	text := fmt.Sprintf("at block %d", r.Tip.Height)
	switch {
	case p.Receipt == nil:
	case r.Receipt && r.Foreign:
		text += ", a third party created the receipt"
	case r.Receipt:
		text += ", the receipt is there"
	default:
		text += ", the receipt is not there"
	}
	for _, l := range r.Landed {
		for _, a := range p.Attempts {
			if a.Signature == l.Signature {
				text += fmt.Sprintf("; %s landed in slot %d: %s", l.Signature, l.Slot, cmp.Or(l.Failed, "it succeeded"))
			}
		}
	}
	return text
}
