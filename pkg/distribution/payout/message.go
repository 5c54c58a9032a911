package payout

import (
	"encoding/binary"
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/wire"
)

const (
	// signatureLamports is what a signature costs (Agave,
	// DEFAULT_TARGET_LAMPORTS_PER_SIGNATURE).
	signatureLamports = 5_000
	// voidUnits is enough for CreateAccountWithSeed and three instructions of the compute
	// budget, which take 150 each.
	voidUnits = 1_000
	// leastUnits keeps small transactions from failing for a unit.
	leastUnits = 1_000
)

// unitsFor gives the limit of a transaction that a simulation says takes so many
// units: a fifth more, for the accounts may look different when it lands.
func unitsFor(simulated uint32) uint32 {
	return uint32(min(max(uint64(simulated)*6/5, leastUnits), computebudget.MaxUnitLimit))
}

// legacy gives the instructions of a legacy transaction: the receipt, if there is one,
// the compute budget, and what the payment does.
func legacy(wallet solana.PublicKey, receipt *Receipt, rent uint64, a asked, p Payload) []solana.Instruction {
	var list []solana.Instruction
	if receipt != nil {
		list = append(list, receipt.create(wallet, rent, p.Named...))
	}
	list = append(list, computebudget.SetUnitLimit(a.units), computebudget.SetUnitPrice(a.price))
	if a.data > 0 {
		list = append(list, computebudget.SetAccountsData(a.data))
	}
	return append(list, p.Instructions...)
}

// withBlockhash gives the message of a signed transaction on another blockhash, with another
// price. All else stays.
func withBlockhash(signed []byte, recent solana.Hash, price uint64) (wire.Message, error) {
	tx, err := wire.ParseOwn(signed)
	if err != nil {
		return wire.Message{}, fmt.Errorf("read the last attempt: %w", err)
	}
	old := tx.Message()
	settings, v1 := old.V1()
	var instructions []solana.Instruction
	for _, in := range old.Instructions() {
		if IsPrice(in) {
			instructions = append(instructions, computebudget.SetUnitPrice(price))
			continue
		}
		accounts := make(solana.AccountMetaSlice, len(in.Accounts))
		for n := range in.Accounts {
			accounts[n] = &in.Accounts[n]
		}
		instructions = append(instructions, solana.NewInstruction(in.ProgramID, accounts, in.Data))
	}
	if v1 {
		settings.PriorityFeeLamports = computebudget.PriorityFee(settings.UnitLimit, price)
		return wire.CompileV1(old.FeePayer(), recent, settings, instructions)
	}
	return wire.Compile(old.FeePayer(), recent, instructions)
}

// Tags and lengths of the compute budget's instructions (solana-compute-budget-
// interface): u8 tag, then a u32 limit or a u64 price.
const (
	limitTag, limitLength = 2, 5
	priceTag, priceLength = 3, 9
	dataTag, dataLength   = 4, 5
)

// IsPrice says whether an instruction offers a price for a compute unit.
func IsPrice(in wire.Instruction) bool {
	return in.ProgramID == solana.ComputeBudget && len(in.Data) == priceLength && in.Data[0] == priceTag
}

// IsLimit says whether an instruction bounds the compute units.
func IsLimit(in wire.Instruction) bool {
	return in.ProgramID == solana.ComputeBudget && len(in.Data) == limitLength && in.Data[0] == limitTag
}

// IsDataLimit reports whether an instruction limits the bytes of accounts that are loaded.
func IsDataLimit(in wire.Instruction) bool {
	return in.ProgramID == solana.ComputeBudget && len(in.Data) == dataLength && in.Data[0] == dataTag
}

// FeeOf gives the fee that a transaction with a limit and a price of its own asks for, in
// lamports; of one of version 1, whose priority fee is not an instruction's, the base fee.
func FeeOf(m wire.Message) uint64 {
	var units uint32
	var price uint64
	for _, in := range m.Instructions() {
		switch {
		case IsLimit(in):
			units = binary.LittleEndian.Uint32(in.Data[1:])
		case IsPrice(in):
			price = binary.LittleEndian.Uint64(in.Data[1:])
		}
	}
	return fee(m, units, price)
}

// fee is what a transaction takes at most, in lamports.
func fee(m wire.Message, units uint32, price uint64) uint64 {
	return uint64(len(m.Signers()))*signatureLamports + computebudget.PriorityFee(units, price)
}
