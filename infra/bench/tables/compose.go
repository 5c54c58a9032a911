package tables

import (
	"errors"
	"fmt"
	"slices"
	"sort"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/wire"
)

// payer is a wallet that pays on one of its durable nonces, as the service's do.
type payer struct {
	wallet, lane solana.PublicKey
	value        solana.Hash
}

// Limits that every transaction asks for. They take the same bytes whatever they are.
const (
	unitLimit = 400_000
	unitPrice = 1
	// accountsData is enough for accounts without data and programs of the network's own.
	accountsData = 128 << 10
)

// encoding is a way to write a transaction's instructions.
type encoding struct {
	name    string
	compile func(p payer, instructions []solana.Instruction) (message, error)
}

func (p payer) advance() solana.Instruction {
	return systemprogram.AdvanceNonceAccount{Nonce: p.lane, Authority: p.wallet}.Instruction()
}

// begin is what all but version 1 begin with.
func (p payer) begin(instructions []solana.Instruction) []solana.Instruction {
	return append([]solana.Instruction{
		p.advance(), computebudget.SetUnitLimit(unitLimit), computebudget.SetUnitPrice(unitPrice),
	}, instructions...)
}

var legacy = encoding{"legacy", func(p payer, list []solana.Instruction) (message, error) {
	return own(wire.Compile(p.wallet, p.value, p.begin(list)))
}}

// looking takes addresses from those of the tables that have some of them.
func looking(tables []table) encoding {
	by := map[solana.PublicKey]int{}
	for n, t := range tables {
		for _, a := range t.addresses {
			by[a] = n
		}
	}
	return encoding{"version 0, lookup tables", func(p payer, list []solana.Instruction) (message, error) {
		var used []table
		for _, in := range list {
			for _, meta := range in.Accounts() {
				n, ok := by[meta.PublicKey]
				if ok && !slices.ContainsFunc(used, func(u table) bool { return u.address == tables[n].address }) {
					used = append(used, tables[n])
				}
			}
		}
		m, err := version0(p, p.begin(list), used)
		if err != nil {
			return m, err
		}
		return m, same(m, p.begin(list), used)
	}}
}

var version1 = encoding{"version 1", func(p payer, list []solana.Instruction) (message, error) {
	config := wire.Config{PriorityFeeLamports: 1, UnitLimit: unitLimit, AccountsData: accountsData}
	return own(wire.CompileV1(p.wallet, p.value, config, append([]solana.Instruction{p.advance()}, list...)))
}}

// pack divides payments among transactions, each filled to the last one, and gives how
// many each of them makes, and the first one's message.
func pack(p payer, e encoding, payments []solana.Instruction) (sizes []int, first message, err error) {
	for rest := payments; len(rest) > 0; {
		var last error
		n := sort.Search(min(len(rest), wire.MaxInstructions), func(n int) bool { // the first that is too many
			_, last = e.compile(p, rest[:n+1])
			return last != nil
		})
		if n == 0 {
			return nil, first, fmt.Errorf("not one payment fits: %w", last)
		}
		if len(sizes) == 0 {
			if first, err = e.compile(p, rest[:n]); err != nil {
				return nil, first, err
			}
		}
		sizes, rest = append(sizes, n), rest[n:]
	}
	return sizes, first, nil
}

// payments pay in SOL.
func (p payer) payments(recipients []solana.PublicKey) []solana.Instruction {
	list := make([]solana.Instruction, len(recipients))
	for n, to := range recipients {
		list[n] = systemprogram.Transfer{From: p.wallet, To: to, Lamports: amount}.Instruction()
	}
	return list
}

// tokenPayments pay in a token to accounts that exist.
func (p payer) tokenPayments(mint solana.PublicKey, accounts []solana.PublicKey) []solana.Instruction {
	source, list := accounts[0], make([]solana.Instruction, len(accounts)-1)
	for n, to := range accounts[1:] {
		list[n] = token2022.TransferChecked{
			Program: solana.Token2022ProgramID, Source: source, Mint: mint, Destination: to, Owner: p.wallet, Amount: amount, Decimals: 6,
		}.Instruction()
	}
	return list
}

// filling gives the transactions that create a table and fill it, each on a blockhash.
func (p payer) filling(slot uint64, addresses []solana.PublicKey) (list []message, table solana.PublicKey, err error) {
	create, table, err := p.createTable(slot)
	if err != nil {
		return nil, table, err
	}
	for rest, before := addresses, []solana.Instruction{create}; len(rest) > 0; before = nil {
		compile := func(n int) (message, error) {
			extend := p.extendTable(table, rest[:n])
			budget := []solana.Instruction{computebudget.SetUnitLimit(unitLimit), computebudget.SetUnitPrice(unitPrice)}
			return own(wire.Compile(p.wallet, p.value, slices.Concat(budget, before, []solana.Instruction{extend})))
		}
		n := sort.Search(min(len(rest), mostAddresses), func(n int) bool {
			_, err := compile(n + 1)
			return err != nil
		})
		m, err := compile(n)
		if err != nil || n == 0 {
			return nil, table, errors.Join(errors.New("nothing fits into an extension"), err)
		}
		list, rest = append(list, m), rest[n:]
	}
	return list, table, nil
}
