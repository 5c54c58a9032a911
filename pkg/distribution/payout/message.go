package payout

import (
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/wire"
)

const (
	// signatureLamports is the base fee of a signature (Agave,
	// DEFAULT_TARGET_LAMPORTS_PER_SIGNATURE).
	signatureLamports = 5_000
	// voidUnits is the compute unit limit of a void attempt: CreateAccountWithSeed and three
	// instructions of the compute budget consume 150 each.
	voidUnits = 1_000
	// minUnits is the minimum limit, so that a small transaction does not fail by a few units.
	minUnits = 1_000
)

// unitsFor returns the compute unit limit for a simulated number of units: a fifth more, because
// the accounts may change before the transaction lands.
func unitsFor(simulated uint32) uint32 {
	return uint32(min(max(uint64(simulated)*6/5, minUnits), computebudget.MaxUnitLimit))
}

// legacy returns the instructions of a legacy transaction: the receipt, if the payment has one, the
// compute budget and the payload.
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

// withBlockhash returns the message of a signed transaction with another blockhash and another
// price. The other instructions stay the same.
func withBlockhash(signed []byte, recent solana.Hash, price uint64) (wire.Message, error) {
	tx, err := wire.ParseOwn(signed)
	if err != nil {
		return wire.Message{}, fmt.Errorf("read the last attempt: %w", err)
	}
	old := tx.Message()
	settings, v1 := old.V1()
	var instructions []solana.Instruction
	for _, in := range old.Instructions() {
		if _, ok := computebudget.ReadUnitPrice(in.ProgramID, in.Data); ok {
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

// FeeOf returns the maximum fee of a transaction in lamports, from the instructions that set limit
// and price. For a version 1 transaction, whose priority fee is not an instruction, FeeOf returns
// the base fee.
func FeeOf(m wire.Message) uint64 {
	var units uint32
	var price uint64
	for _, in := range m.Instructions() {
		if limit, ok := computebudget.ReadUnitLimit(in.ProgramID, in.Data); ok {
			units = limit
		} else if offered, ok := computebudget.ReadUnitPrice(in.ProgramID, in.Data); ok {
			price = offered
		}
	}
	return fee(m, units, price)
}

// fee returns the maximum fee of a transaction, in lamports.
func fee(m wire.Message, units uint32, price uint64) uint64 {
	return uint64(len(m.Signers()))*signatureLamports + computebudget.PriorityFee(units, price)
}
