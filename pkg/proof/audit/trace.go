package audit

import (
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/chain"
	"tokenlaunch.example/service/pkg/solana/token2022"
)

// lot is a quantity of tokens that arrived in a destination together: tax that an authority
// withdrew, or other tokens.
type lot struct {
	authority solana.PublicKey
	tax       bool
	amount    uint64
}

// destination is an account that received withdrawn tax. Lots leave first in, first out.
type destination struct {
	Destination

	from uint64 // the slot of the first withdrawal
	lots []lot
}

func (d *destination) push(l lot) {
	if l.amount == 0 {
		return
	}
	if last := len(d.lots) - 1; last >= 0 && d.lots[last].tax == l.tax && d.lots[last].authority == l.authority {
		d.lots[last].amount += l.amount
		return
	}
	d.lots = append(d.lots, l)
}

// pop removes an amount, or all lots if the amount exceeds the lots, and returns the removed tax.
func (d *destination) pop(amount uint64) (tax []lot) {
	for amount > 0 && len(d.lots) > 0 {
		part := d.lots[0]
		part.amount = min(part.amount, amount)
		amount -= part.amount
		if d.lots[0].amount -= part.amount; d.lots[0].amount == 0 {
			d.lots = d.lots[1:]
		}
		if part.tax {
			tax = append(tax, part)
		}
	}
	return tax
}

// held returns the sum of the lots.
func (d *destination) held() (sum uint64) {
	for _, l := range d.lots {
		sum += l.amount
	}
	return sum
}

// movementKey identifies a row of movements in the report.
type movementKey struct {
	account, owner, authority, to, program solana.PublicKey
	way                                    Way
}

// trace follows the destinations through a transaction.
func (b *book) trace(t chain.Transaction, ops []*op, tallies map[solana.PublicKey]*tally, order []solana.PublicKey) {
	for _, o := range ops {
		if o.Kind.Withdraws() && b.destinations[o.To] == nil {
			d := &destination{Destination: Destination{Account: o.To}, from: t.Slot}
			d.push(lot{amount: tallies[o.To].Before})
			b.destinations[o.To] = d
		}
	}
	for _, o := range ops {
		if o.Kind == token2022.KindHarvest || o.From == o.To {
			continue
		}
		if d := b.destinations[o.From]; d != nil {
			b.left(t, d, tallies, o, o.Amount)
		}
		switch d := b.destinations[o.To]; {
		case d == nil:
		case o.Kind.Withdraws():
			d.Withdrawn.add(o.Amount)
			d.push(lot{o.Authority, true, o.Amount})
		default:
			d.push(lot{amount: o.Amount - min(o.fee, o.Amount)})
		}
	}
	for _, address := range order {
		d := b.destinations[address]
		if d == nil {
			continue
		}
		y := tallies[address]
		if held := d.held(); held > y.After {
			b.left(t, d, tallies, nil, held-y.After)
		} else {
			d.push(lot{amount: y.After - held})
		}
		if owner := y.owner(); !owner.IsZero() {
			d.Owner = owner
		}
	}
}

// left records tax that left a destination by an instruction, or by no known instruction.
func (b *book) left(t chain.Transaction, d *destination, tallies map[solana.PublicKey]*tally, o *op, amount uint64) {
	y := tallies[d.Account]
	owner := y.OwnerBefore
	if owner.IsZero() {
		owner = y.owner()
	}
	for _, part := range d.pop(amount) {
		d.Left.add(part.amount)
		key := movementKey{account: d.Account, owner: owner, authority: part.authority, way: Unexplained}
		if o != nil {
			if key.way = Transferred; o.Kind.Burns() {
				key.way = Burned
			} else {
				key.to = tallies[o.To].owner()
			}
			if o.by != solana.Token2022ProgramID {
				key.program = o.by
				if !o.Kind.Burns() {
					key.way = MovedByProgram
					if b.gained(t, owner) {
						key.way = Exchanged
					}
				}
			}
		}
		m := b.movements[key]
		if m == nil {
			m = &Movement{
				Account: key.account, Owner: key.owner, Authority: key.authority, Way: key.way, To: key.to, Program: key.program,
				First: Place{t.Signature, t.Slot},
			}
			b.movements[key] = m
		}
		m.Amount.add(part.amount)
		m.Times++
		m.Last = Place{t.Signature, t.Slot}
	}
}

// gained reports whether an owner received tokens of another mint, or lamports.
func (b *book) gained(t chain.Transaction, owner solana.PublicKey) bool {
	for _, row := range t.Tokens {
		before := row.Before
		if row.OwnerBefore != owner {
			before = 0
		}
		if row.Mint != b.mint && row.OwnerAfter == owner && row.After > before {
			return true
		}
	}
	change, ok := t.Lamports(owner)
	if ok && t.Payer() == owner {
		change.After += t.FeeLamports
	}
	return ok && change.Gain() > 0
}
