package main

import (
	"fmt"
	"time"

	"tokenlaunch.example/service/pkg/client"
)

type showHandover struct {
	Token string `arg:"" help:"Id or mint of the token."`
}

// Run shows the newest order.
func (s showHandover) Run(p *program) error {
	c, err := p.client(false)
	if err != nil {
		return err
	}
	now, err := c.GetHandover(p.ctx, s.Token)
	if err != nil {
		return err
	}
	return p.showHandover(now)
}

type orderHandover struct {
	Token string `arg:"" help:"Id or mint of the token."`
	To    string `arg:"" help:"Address that is to collect the tax from then on."`

	After time.Duration `help:"Wait longer than the service's delay, such as 48h." placeholder:"DURATION"`
	Yes   bool          `help:"Do not ask before signing." short:"y"`
}

// Run orders the hand-over by the wallet's signature.
func (o orderHandover) Run(p *program) error {
	to, err := address("TO", o.To)
	if err != nil {
		return err
	}
	c, err := p.client(true)
	if err == nil {
		err = p.answerable(o.Yes)
	}
	if err != nil {
		return err
	}
	now, err := c.HandOver(p.ctx, o.Token, to, o.After, func(text string) error {
		_, err := fmt.Fprintf(p.errs.writer(), "Your wallet signs this order. Once it is carried out, it cannot be undone:\n\n%s\n\n", text)
		if err != nil || o.Yes {
			return err
		}
		return p.ask("Sign it?", "not signed, and nothing was ordered")
	})
	if err != nil {
		return err
	}
	return p.showHandover(now)
}

type cancelHandover struct {
	Token string `arg:"" help:"Id or mint of the token."`
}

// Run cancels the order that waits.
func (s cancelHandover) Run(p *program) error {
	c, err := p.client(true)
	if err != nil {
		return err
	}
	now, err := c.CancelHandover(p.ctx, s.Token)
	if err != nil {
		return err
	}
	return p.showHandover(now)
}

func (p *program) showHandover(h client.Handover) error {
	if p.json {
		return p.write(h)
	}
	rows := [][2]string{{"hand-over", h.Status}}
	for _, row := range []struct {
		name  string
		value *string
	}{
		{"to", h.NewAuthority},
		{"ordered by", h.OrderedBy},
		{"ordered at", h.OrderedAt},
		{"not before", h.EffectiveAt},
		{"cancelled at", h.CancelledAt},
		{"done at", h.DoneAt},
		{"transaction", h.TransactionSignature},
	} {
		if row.value != nil {
			rows = append(rows, [2]string{row.name, *row.value})
		}
	}
	p.table(rows)
	return nil
}
