package proof_test

import (
	"encoding/binary"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/token/terms"
)

// sends lamports of the wallet to an account.
func sends(to solana.PublicKey, lamports uint64) step {
	wallet := wallet
	return step{in: systemprogram.Transfer{From: wallet, To: to, Lamports: lamports}.Instruction(), apply: func(s *sim) {
		s.lamports[wallet] -= lamports
		s.lamports[to] += lamports
	}}
}

// sendsTokens sends tokens of the wallet's account to another owner's.
func sendsTokens(a terms.Asset, to solana.PublicKey, amount uint64) step {
	from, gets := give(wallet, a, -int64(amount)), give(to, a, int64(amount))
	return step{
		in: token2022.TransferChecked{
			Source: ata(wallet, a), Mint: a.Mint(), Destination: ata(to, a), Owner: wallet, Amount: amount, Decimals: 6, Program: programOf(a),
		}.Instruction(),
		there: func(s *sim) { from.there(s); gets.there(s) },
		apply: func(s *sim) { from.apply(s); gets.apply(s) },
	}
}

// raw is an instruction with these accounts, all of which sign where they can.
func raw(program solana.PublicKey, data []byte, accounts ...solana.PublicKey) step {
	metas := solana.AccountMetaSlice{}
	for _, key := range accounts {
		metas = append(metas, solana.Meta(key))
	}
	return step{in: solana.NewInstruction(program, metas, data)}
}

// system is an instruction of the System program of this kind.
func system(kind uint32, accounts ...solana.PublicKey) step {
	return raw(solana.SystemProgramID, append(binary.LittleEndian.AppendUint32(nil, kind), make([]byte, 48)...), accounts...)
}

// ofTokens is an instruction of Token-2022 of this kind.
func ofTokens(kind token2022.InstructionKind, accounts ...solana.PublicKey) step {
	return raw(solana.Token2022ProgramID, append([]byte{byte(kind >> 8), byte(kind)}, make([]byte, 40)...), accounts...)
}

// and has a step change more.
func (s step) and(apply func(*sim)) step {
	before := s.apply
	s.apply = func(c *sim) {
		if before != nil {
			before(c)
		}
		apply(c)
	}
	return s
}

// withdraws takes withheld tax of a mint to an owner's account.
func withdraws(a terms.Asset, to solana.PublicKey, amount int64) step {
	s := give(to, a, amount)
	s.in = token2022.WithdrawWithheldFromMint{Mint: a.Mint(), Destination: ata(to, a), Authority: wallet}.Instruction()
	return s
}

// withdrawsFrom takes the tax that is withheld in accounts to an owner's account.
func withdrawsFrom(a terms.Asset, to solana.PublicKey, amount int64) step {
	s := give(to, a, amount)
	s.in = must(token2022.WithdrawWithheldFromAccounts{
		Mint: a.Mint(), Destination: ata(to, a), Authority: wallet, Sources: []solana.PublicKey{ata(stranger, a), ata(operator, a)},
	}.Instruction())
	return s
}

// makes has the wallet pay for an owner's account.
func makes(of solana.PublicKey, a terms.Asset) step {
	in, address, err := token2022.CreateAssociatedIdempotent{Payer: wallet, Wallet: of, Mint: a.Mint(), Program: programOf(a)}.Instruction()
	if err != nil {
		panic(err)
	}
	wallet := wallet
	return step{in: in, apply: func(s *sim) {
		if s.tokens[address] != nil {
			return
		}
		s.lamports[wallet] -= accountRent
		s.lamports[address] += accountRent
		s.tokens[address] = &tokenState{mint: a.Mint(), owner: of}
	}}
}

// receiptOf has a transaction make another receipt than its own.
func receiptOf(change func(*systemprogram.CreateAccountWithSeed)) func(*tx) {
	return func(x *tx) {
		r := receipt(wallet, x.id)
		change(&r)
		x.does[0] = lends(r)
	}
}

// bare is a transaction of the wallet's without a receipt.
func bare(word string, slot uint64, does ...step) tx {
	return act(format.Setup, signature(word), slot, does...)
}
