package transaction

import (
	"bytes"
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/decimal"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/lighthouse"
	"tokenlaunch.example/service/pkg/solana/wire"
)

// MaxPriorityFee is the maximum priority fee, in lamports, that a wallet may set: 0.01 SOL.
const MaxPriorityFee = 10_000_000

// Changes compares the message that a wallet returned with the issued message, and describes each
// change that a wallet may make: another compute unit limit or price in the issued instructions,
// and Lighthouse assertions behind the issued instructions. It returns no sentence for the issued
// message, and an error that names the instruction and field of any other change.
//
// The accounts keep their rights. The only signer that an assertion may name is the fee payer. No
// other signature reaches the program, so an upgrade of the program cannot misuse signatures.
func Changes(issued, returned wire.Message) ([]string, error) {
	switch {
	case returned.Equal(issued):
		return nil, nil
	case returned.FeePayer() != issued.FeePayer():
		return nil, fmt.Errorf("the fee payer is %s, and %s was issued", returned.FeePayer(), issued.FeePayer())
	case returned.Recent() != issued.Recent():
		return nil, fmt.Errorf("the blockhash is %s, and %s was issued", returned.Recent(), issued.Recent())
	}
	have, want := returned.Instructions(), issued.Instructions()
	if len(have) < len(want) {
		return nil, fmt.Errorf("it has %d instructions, and %d were issued", len(have), len(want))
	}
	for i := range want {
		if err := sameInstruction(have[i], want[i]); err != nil {
			return nil, fmt.Errorf("instruction %d: %w", i+1, err)
		}
	}
	changes, err := changedBudget(have, want)
	if err != nil {
		return nil, err
	}
	guards := have[len(want):]
	for i, guard := range guards {
		if err := checkGuard(guard, issued.FeePayer()); err != nil {
			return nil, fmt.Errorf("instruction %d was added: %w", len(want)+i+1, err)
		}
	}
	if err := sameRights(issued, returned, guards); err != nil {
		return nil, err
	}
	if len(guards) > 0 {
		changes = append(changes, fmt.Sprintf("%d Lighthouse assertion(s) added", len(guards)))
	}
	if len(changes) == 0 {
		changes = append(changes, "the accounts in another order")
	}
	return changes, nil
}

// sameInstruction compares two instructions, except for the amount in a compute unit limit or price.
func sameInstruction(have, want wire.Instruction) error {
	const tag = 1
	switch {
	case have.ProgramID != want.ProgramID:
		return fmt.Errorf("its program is %s, and %s was issued", have.ProgramID, want.ProgramID)
	case len(have.Accounts) != len(want.Accounts):
		return fmt.Errorf("it has %d accounts, and %d were issued", len(have.Accounts), len(want.Accounts))
	case len(have.Data) != len(want.Data):
		return fmt.Errorf("it has %d bytes of data, and %d were issued", len(have.Data), len(want.Data))
	}
	for i, account := range want.Accounts {
		if got := have.Accounts[i].PublicKey; got != account.PublicKey {
			return fmt.Errorf("account %d is %s, and %s was issued", i+1, got, account.PublicKey)
		}
	}
	data, issued := have.Data, want.Data
	if isBudget(want) {
		data, issued = data[:tag], issued[:tag]
	}
	if !bytes.Equal(data, issued) {
		at := 0
		for data[at] == issued[at] {
			at++
		}
		return fmt.Errorf("its data differ from byte %d on", at+1)
	}
	return nil
}

// isBudget reports whether an instruction sets the compute unit limit or price.
func isBudget(i wire.Instruction) bool {
	_, limit := computebudget.ReadUnitLimit(i.ProgramID, i.Data)
	_, price := computebudget.ReadUnitPrice(i.ProgramID, i.Data)
	return limit || price
}

// budget returns the compute unit limit and price of instructions.
func budget(list []wire.Instruction) (units uint32, price uint64) {
	units = computebudget.MaxUnitLimit
	for _, i := range list {
		if limit, ok := computebudget.ReadUnitLimit(i.ProgramID, i.Data); ok {
			units = limit
		} else if offered, ok := computebudget.ReadUnitPrice(i.ProgramID, i.Data); ok {
			price = offered
		}
	}
	return units, price
}

// PriorityFee returns the priority fee of a message, in lamports.
func PriorityFee(m wire.Message) uint64 { return computebudget.PriorityFee(budget(m.Instructions())) }

// changedBudget describes another compute unit limit and price, and rejects values out of bounds.
func changedBudget(have, want []wire.Instruction) (changes []string, err error) {
	units, price := budget(have)
	issuedUnits, issuedPrice := budget(want)
	if units != issuedUnits {
		if units > computebudget.MaxUnitLimit {
			return nil, fmt.Errorf("the compute unit limit is %d, and the network allows %d", units, computebudget.MaxUnitLimit)
		}
		changes = append(changes, fmt.Sprintf("compute unit limit %d in place of %d", units, issuedUnits))
	}
	fee, issuedFee := computebudget.PriorityFee(units, price), computebudget.PriorityFee(issuedUnits, issuedPrice)
	if maximum := max(issuedFee, MaxPriorityFee); fee > maximum {
		return nil, fmt.Errorf("the priority fee is %s SOL (%d compute units at %d micro-lamports), and at most %s SOL are accepted",
			decimal.SOL(fee), units, price, decimal.SOL(maximum))
	}
	if price != issuedPrice || fee != issuedFee {
		changes = append(changes, fmt.Sprintf("priority fee of %s SOL in place of %s SOL", decimal.SOL(fee), decimal.SOL(issuedFee)))
	}
	return changes, nil
}

// checkGuard rejects an added instruction that is not a Lighthouse assertion, or that names a
// signer other than the fee payer.
func checkGuard(guard wire.Instruction, payer solana.PublicKey) error {
	if guard.ProgramID != lighthouse.Program {
		return fmt.Errorf("its program is %s, and only assertions of Lighthouse (%s) may be added", guard.ProgramID, lighthouse.Program)
	}
	if !lighthouse.IsAssertion(guard.Data) {
		return fmt.Errorf("it is not an assertion of Lighthouse that only reads accounts (first byte %x)", guard.Data[:min(1, len(guard.Data))])
	}
	for i, account := range guard.Accounts {
		if account.IsSigner && account.PublicKey != payer {
			return fmt.Errorf("its account %d is %s, which signs for the issued instructions only", i+1, account.PublicKey)
		}
	}
	return nil
}

// sameRights checks that accounts keep the issued rights, and that accounts of the guards are
// read-only.
func sameRights(issued, returned wire.Message, guards []wire.Instruction) error {
	rights := map[solana.PublicKey]solana.AccountMeta{}
	for _, account := range issued.Accounts() {
		rights[account.PublicKey] = account
	}
	for _, guard := range guards {
		for _, key := range append(guard.Keys(), guard.ProgramID) {
			if _, ok := rights[key]; !ok {
				rights[key] = solana.AccountMeta{PublicKey: key}
			}
		}
	}
	for _, account := range returned.Accounts() {
		want, ok := rights[account.PublicKey]
		switch {
		case !ok:
			return fmt.Errorf("the account %s was added, and no instruction uses it", account.PublicKey)
		case account.IsSigner != want.IsSigner:
			return fmt.Errorf("the account %s signs: %t, and %t was issued", account.PublicKey, account.IsSigner, want.IsSigner)
		case account.IsWritable != want.IsWritable:
			return fmt.Errorf("the account %s is writable: %t, and %t was issued", account.PublicKey, account.IsWritable, want.IsWritable)
		}
	}
	return nil
}
