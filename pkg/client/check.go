package client

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/memo"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/solana/wire"
)

// ErrTransactionMismatch is returned when a transaction does not match the request. The transaction was not
// signed.
var ErrTransactionMismatch = errors.New("the transaction is not what was asked for")

func mismatch(format string, values ...any) error {
	return fmt.Errorf("%w: %s", ErrTransactionMismatch, fmt.Sprintf(format, values...))
}

// MaxPriorityFee is the maximum priority fee of a transaction in lamports, whatever the stated
// cost: 0.01 SOL.
const MaxPriorityFee = transaction.MaxPriorityFee

// offer is the common part of all unsigned transactions that the service returns.
type offer struct {
	transaction string
	explanation []string
	fee, total  Lamports
	others      []Lamports // parts of the total in addition to the fee
}

func (u Unsigned) offer() offer {
	c := u.Cost
	return offer{
		u.Transaction, u.Explanation, c.NetworkFeeLamports, c.TotalLamports,
		[]Lamports{c.RentLamports, c.ProtocolFeeLamports, c.DepositLamports},
	}
}

// reading is a parsed transaction. first has the instructions that the response only bounds,
// composed a second time: the compute budget, and for a launch the nonce or the request for another
// signature. rest has the instructions that the request decides.
type reading struct {
	wallet solana.PublicKey
	tx     wire.Transaction
	first  []solana.Instruction
	rest   []wire.Instruction
}

// read parses a transaction and checks the rules for all transactions. The bytes are one legacy
// transaction. The wallet pays the fee and has not signed. Each instruction has a sentence of
// explanation. The parts of the cost add up to the total. The network fee is equal to the stated
// cost, and the priority fee is within MaxPriorityFee.
func (o offer) read(wallet solana.PublicKey, launch bool) (reading, error) {
	tx, err := wire.ParseBase64(o.transaction)
	if err != nil {
		return reading{}, mismatch("%v", err)
	}
	m := tx.Message()
	if m.FeePayer() != wallet {
		return reading{}, mismatch("its fee is paid by %s, not by %s", m.FeePayer(), wallet)
	}
	if _, signed := tx.Signature(wallet); signed {
		return reading{}, mismatch("it has a signature in your wallet's place")
	}
	list := m.Instructions()
	if len(list) != len(o.explanation) {
		return reading{}, mismatch("it has %d instructions and %d explanations", len(list), len(o.explanation))
	}
	sum := o.fee.Uint64()
	for _, part := range o.others {
		var over uint64
		if sum, over = bits.Add64(sum, part.Uint64(), 0); over > 0 {
			return reading{}, mismatch("its cost does not add up")
		}
	}
	if sum != o.total.Uint64() {
		return reading{}, mismatch("its cost does not add up")
	}
	r := reading{wallet: wallet, tx: tx}
	if launch {
		lifetime, err := lifetimePrefix(wallet, list)
		if err != nil {
			return reading{}, err
		}
		r.first, list = append(r.first, lifetime), list[1:]
	}
	return r, r.budget(list, o.fee.Uint64())
}

// lifetimePrefix composes the first instruction of a launch a second time: the advance of a nonce that
// the wallet does not own, or the request for another signature.
func lifetimePrefix(wallet solana.PublicKey, list []wire.Instruction) (solana.Instruction, error) {
	if len(list) > 0 && !slices.Contains(list[0].Keys(), wallet) {
		i := list[0]
		if by, ok := memo.IsSigned(i.ProgramID, i.Accounts, i.Data); ok {
			return memo.Signed(by), nil
		}
		const accounts, authority = 3, 2
		if systemprogram.IsAdvanceNonce(i.ProgramID, i.Data) && len(i.Accounts) == accounts {
			keys := i.Keys()
			return systemprogram.AdvanceNonceAccount{Nonce: keys[0], Authority: keys[authority]}.Instruction(), nil
		}
	}
	return nil, mismatch("it does not begin with a one-time number of the service, or its key")
}

// budget checks the two compute budget instructions, and moves the instructions from the list to
// first.
func (r *reading) budget(list []wire.Instruction, fee uint64) error {
	const both, limit, price = 2, 5, 9 // number of instructions, and the bytes of each
	if len(list) < both || len(list[0].Data) != limit || len(list[1].Data) != price {
		return mismatch("its fee cannot be read")
	}
	units, each := binary.LittleEndian.Uint32(list[0].Data[1:]), binary.LittleEndian.Uint64(list[1].Data[1:])
	steps := []transaction.Step{
		{Instruction: computebudget.SetUnitLimit(units), Explanation: "limits the computing"},
		{Instruction: computebudget.SetUnitPrice(each), Explanation: "offers a priority fee"},
	}
	if _, err := differ(list[:both], steps); err != nil {
		return err
	}
	base, priority := uint64(len(r.tx.Message().Signers()))*transaction.LamportsPerSignature, computebudget.PriorityFee(units, each) // #nosec G115 -- a few
	switch {
	case priority > uint64(MaxPriorityFee):
		return mismatch("it offers the network a priority fee of %s, more than %s", LamportsOf(priority), LamportsOf(MaxPriorityFee))
	case fee < base || fee-base != priority:
		return mismatch("it offers the network %d and %d lamports, and its cost says %d", base, priority, fee)
	}
	for _, s := range steps {
		r.first = append(r.first, s.Instruction)
	}
	r.rest = list[both:]
	return nil
}

// is returns the transaction if the message is equal, to the byte, to one of the ways to do the
// request. Otherwise the error names the first difference from the most similar way.
func (r reading) is(ways ...[]transaction.Step) (wire.Transaction, error) {
	have, furthest := r.tx.Message(), -1
	why := mismatch("it cannot be composed")
	for _, steps := range ways {
		list := slices.Clone(r.first)
		for _, s := range steps {
			list = append(list, s.Instruction)
		}
		want, err := wire.Compile(r.wallet, have.Recent(), list)
		if err == nil && want.Equal(have) {
			return r.tx, nil
		}
		if at, err := differ(r.rest, steps); at > furthest {
			furthest, why = at, err
			if err == nil {
				why = mismatch("it names accounts, or assigns rights, that its instructions do not need")
			}
		}
	}
	return wire.Transaction{}, why
}

// differ returns the index of the first instruction that differs from the wanted steps, with an
// error that describes the difference.
func differ(have []wire.Instruction, want []transaction.Step) (at int, err error) {
	for at, step := range want {
		if at == len(have) {
			return at, mismatch("an instruction is missing that %s", step.Explanation)
		}
		if err := differs(have[at], step); err != nil {
			return at, err
		}
	}
	if len(have) > len(want) {
		extra := have[len(want)]
		return len(want), mismatch("it has one more instruction, of the program %s", extra.ProgramID)
	}
	return len(want), nil
}

// differs returns an error that names the first field that differs from the wanted instruction.
func differs(have wire.Instruction, step transaction.Step) error {
	bad := func(format string, values ...any) error {
		return mismatch("in place of the instruction that %s: %s", step.Explanation, fmt.Sprintf(format, values...))
	}
	want := step.Instruction
	data, err := want.Data()
	switch {
	case err != nil:
		return bad("%v", err)
	case have.ProgramID != want.ProgramID():
		return bad("the program is %s, not %s", have.ProgramID, want.ProgramID())
	case len(have.Data) != len(data):
		return bad("it has %d bytes of data, not %d", len(have.Data), len(data))
	case len(have.Accounts) != len(want.Accounts()):
		return bad("it has %d accounts, not %d", len(have.Accounts), len(want.Accounts()))
	}
	for i := range data {
		if have.Data[i] != data[i] {
			return bad("its data are others from byte %d on: %x, not %x", i, have.Data[i:], data[i:])
		}
	}
	for i, account := range want.Accounts() {
		if have.Accounts[i].PublicKey != account.PublicKey {
			return bad("account %d is %s, not %s", i, have.Accounts[i].PublicKey, account.PublicKey)
		}
	}
	return nil
}
