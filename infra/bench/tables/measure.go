package tables

import (
	"context"
	"fmt"
	"slices"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

// people is how many recipients the local chain has: more than any transaction pays.
const people = 70

// paid is one transaction that was carried out and filled with recipients.
type paid struct {
	encoding   string
	recipients int
	cost       cost
}

// lifetime is what a lookup table takes, from its making to its end.
type lifetime struct {
	addresses, transactions int
	fee                     uint64 // of making and filling it
	rent                    uint64 // while it is there
	endFee                  uint64 // of deactivating and closing it
	back                    uint64 // what closing it gives back
}

// carried is what the local chain carried out.
type carried struct {
	legacy, tables, version1 paid
	table                    lifetime
}

// carry pays real recipients on a local chain in each encoding, and takes a lookup table
// through its life.
func carry(ctx context.Context, folder project.Folder) (c carried, err error) {
	l, err := start(ctx, folder)
	if err != nil {
		return c, err
	}
	defer l.chain.Stop()
	recipients := keys(people)
	pay := func(e encoding) (paid, error) {
		n, took, err := l.pay(ctx, e, recipients)
		return paid{encoding: e.name, recipients: n, cost: took}, err
	}
	// The first time they get their accounts: that is not what is compared.
	for rest := recipients; len(rest) > 0; {
		n, _, err := l.pay(ctx, legacy, rest)
		if err != nil {
			return c, err
		}
		rest = rest[n:]
	}
	if c.legacy, err = pay(legacy); err != nil {
		return c, err
	}
	others := keys(mostAddresses - people) // a full table, as a large run would have
	made, err := l.fill(ctx, slices.Concat(recipients, others), &c.table)
	if err != nil {
		return c, err
	}
	if c.tables, err = pay(looking([]table{made})); err != nil {
		return c, err
	}
	if c.version1, err = pay(version1); err != nil {
		return c, err
	}
	return c, l.close(ctx, made.address, &c.table)
}

// fill makes a table of the addresses, which transactions may use from the next slot on.
func (l *ledger) fill(ctx context.Context, addresses []solana.PublicKey, t *lifetime) (table, error) {
	recent, slot, err := l.latest(ctx)
	if err != nil {
		return table{}, err
	}
	p := l.payer
	p.value = recent
	messages, address, err := p.filling(slot, addresses)
	if err != nil {
		return table{}, err
	}
	for _, m := range messages {
		c, err := l.execute(ctx, m)
		if err != nil {
			return table{}, fmt.Errorf("fill the table: %w", err)
		}
		t.fee += c.fee
	}
	t.addresses, t.transactions = len(addresses), len(messages)
	if t.rent, err = l.chain.Balance(ctx, address.String()); err != nil {
		return table{}, err
	}
	if err := l.chain.PassSlots(ctx, 1); err != nil {
		return table{}, err
	}
	return l.table(ctx, address)
}

// close ends a table as soon as the network lets it.
func (l *ledger) close(ctx context.Context, address solana.PublicKey, t *lifetime) error {
	c, err := l.onBlockhash(ctx, l.payer.deactivateTable(address))
	if err != nil {
		return fmt.Errorf("deactivate the table: %w", err)
	}
	t.endFee = c.fee
	if err := l.chain.PassSlots(ctx, cooldown); err != nil {
		return err
	}
	before, err := l.chain.Balance(ctx, l.payer.wallet.String())
	if err != nil {
		return err
	}
	if c, err = l.onBlockhash(ctx, l.payer.closeTable(address)); err != nil {
		return fmt.Errorf("close the table: %w", err)
	}
	after, err := l.chain.Balance(ctx, l.payer.wallet.String())
	t.endFee, t.back = t.endFee+c.fee, after+c.fee-before
	return err
}

func keys(n int) []solana.PublicKey {
	list := make([]solana.PublicKey, n)
	for i := range list {
		list[i] = solana.NewWallet().PublicKey()
	}
	return list
}
