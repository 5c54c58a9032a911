package wire

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/gagliardetto/solana-go"
)

// MaxTableAddresses is how many addresses a lookup table holds at most, for an
// index is one byte (Agave, LOOKUP_TABLE_MAX_ADDRESSES).
const MaxTableAddresses = 256

// Table is a lookup table as it is on the chain: a message of version 0 names one of
// its addresses by an index, in one byte where a legacy message takes 32.
type Table struct {
	Address   solana.PublicKey
	Addresses []solana.PublicKey
}

// lookup is what a message takes of one table, by index.
type lookup struct {
	table              solana.PublicKey
	writable, readonly []uint8
}

// CompileV0 assembles a message of version 0, as Compile does a legacy one. Accounts
// that one of the tables has are taken from there, from the first that has it; signers
// and programs cannot be. Tables of which nothing is taken are not named.
//
// The order is that of @solana/kit: lookups by the table's address, within one by the
// account's.
func CompileV0(payer solana.PublicKey, recent solana.Hash, instructions []solana.Instruction, tables ...Table) (Message, error) {
	m, err := compile(Message{recent: recent, version: version0}, payer, instructions, tables)
	if err != nil {
		return Message{}, fmt.Errorf("compile a message of version 0: %w", err)
	}
	return m, nil
}

// look takes accounts from tables, and gives those that the message has to name itself.
func (m *Message) look(accounts []*account, tables []Table) ([]*account, error) {
	if len(tables) == 0 {
		return accounts, nil
	}
	type place struct {
		table   string
		address solana.PublicKey
		index   uint8
	}
	wanted := make(map[solana.PublicKey]*place, len(accounts)) // nil: not found yet
	for _, a := range accounts {
		if !a.signer && !a.program {
			wanted[a.key] = nil
		}
	}
	for _, t := range tables {
		if len(t.Addresses) > MaxTableAddresses {
			return nil, fmt.Errorf("the lookup table %s has %d addresses, at most %d can be", t.Address, len(t.Addresses), MaxTableAddresses)
		}
		name := t.Address.String()
		for i, key := range t.Addresses {
			if found, ok := wanted[key]; ok && found == nil {
				wanted[key] = &place{name, t.Address, uint8(i)}
			}
		}
	}
	var named, loaded []*account
	for _, a := range accounts {
		if wanted[a.key] != nil {
			loaded = append(loaded, a)
		} else {
			named = append(named, a)
		}
	}
	slices.SortStableFunc(loaded, func(a, b *account) int {
		return cmp.Or(trueFirst(a.writable, b.writable), compareAddresses(wanted[a.key].table, wanted[b.key].table))
	})
	for _, a := range loaded {
		p := wanted[a.key]
		n := slices.IndexFunc(m.lookups, func(l lookup) bool { return l.table == p.address })
		if n < 0 {
			n = len(m.lookups)
			m.lookups = append(m.lookups, lookup{table: p.address})
		}
		m.loaded = append(m.loaded, a.key)
		if a.writable {
			m.lookups[n].writable = append(m.lookups[n].writable, p.index)
			m.loadedWritable++
		} else {
			m.lookups[n].readonly = append(m.lookups[n].readonly, p.index)
		}
	}
	// In one order for both, or else the network would resolve the indexes differently.
	slices.SortFunc(m.lookups, func(a, b lookup) int { return compareAddresses(a.table.String(), b.table.String()) })
	return named, nil
}

// ParseV0 reads a serialised message of version 0, and resolves its lookups in tables as
// they are on the chain. What it gives is what the network would execute with these
// tables; a table or an index that is not there is an error. It never panics.
func ParseV0(raw []byte, tables ...Table) (Message, error) {
	if len(raw) > MaxTransactionSize {
		return Message{}, fmt.Errorf("read a message of version 0: %w", ErrTooLarge)
	}
	m, err := parseV0(bytes.Clone(raw), tables)
	if err != nil {
		return Message{}, fmt.Errorf("read a message of version 0: %w", err)
	}
	return m, nil
}

// parseV0 keeps raw.
func parseV0(raw []byte, tables []Table) (Message, error) {
	if len(raw) == 0 || raw[0] != versionBit {
		return Message{}, errors.New("it is of another version")
	}
	r := &reader{rest: raw[1:]}
	m := r.message()
	m.raw, m.version = raw, version0
	const least = solana.PublicKeyLength + 2 // A table, and two empty lists.
	for range r.length(least, "the lookups") {
		var l lookup
		copy(l.table[:], r.take(len(l.table), "a lookup's table"))
		l.writable = r.take(r.length(1, "a lookup's writable indexes"), "a lookup's writable indexes")
		l.readonly = r.take(r.length(1, "a lookup's read-only indexes"), "a lookup's read-only indexes")
		m.lookups = append(m.lookups, l)
	}
	if err := r.end(); err != nil {
		return Message{}, err
	}
	if err := m.resolve(tables); err != nil {
		return Message{}, err
	}
	return m, m.check()
}

// resolve finds the accounts that the lookups stand for.
func (m *Message) resolve(tables []Table) error {
	var readonly []solana.PublicKey
	for _, l := range m.lookups {
		n := slices.IndexFunc(tables, func(t Table) bool { return t.Address == l.table })
		if n < 0 {
			return fmt.Errorf("the lookup table %s is not known", l.table)
		}
		if len(l.writable)+len(l.readonly) == 0 {
			return fmt.Errorf("nothing is taken from the lookup table %s", l.table)
		}
		for i, index := range slices.Concat(l.writable, l.readonly) {
			switch {
			case int(index) >= len(tables[n].Addresses):
				return fmt.Errorf("the lookup table %s has %d addresses, and index %d is taken", l.table, len(tables[n].Addresses), index)
			case i < len(l.writable):
				m.loaded = append(m.loaded, tables[n].Addresses[index])
			default:
				readonly = append(readonly, tables[n].Addresses[index])
			}
		}
	}
	m.loadedWritable = len(m.loaded)
	m.loaded = append(m.loaded, readonly...)
	if count := len(m.accounts) + len(m.loaded); count > MaxTableAddresses {
		return fmt.Errorf("%d accounts, at most %d can be named", count, MaxTableAddresses)
	}
	return nil
}
