package exchange_test

import (
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/token/terms"
)

// A two-sided transfer names what moves, and is held to the quote.
func TestCheckOfATwoSidedTransfer(t *testing.T) {
	maker := key("maker")
	theirs := associated(maker, mint, solana.Token2022ProgramID)
	take := func(amount uint64) solana.Instruction {
		return token2022.TransferCheckedWithFee{Source: mine, Mint: mint, Destination: theirs, Owner: wallet, Amount: amount, Decimals: 6, Fee: 1}.Instruction()
	}
	pay := func(to solana.PublicKey, lamports uint64) solana.Instruction {
		return systemprogram.Transfer{From: maker, To: to, Lamports: lamports}.Instruction()
	}
	give := func(to solana.PublicKey, amount uint64) solana.Instruction {
		return token2022.TransferChecked{
			Program: solana.TokenProgramID, Source: associated(maker, reward, solana.TokenProgramID), Mint: reward, Destination: to, Owner: maker, Amount: amount,
		}.Instruction()
	}
	tests := []struct {
		name   string
		output terms.Asset
		moves  []solana.Instruction
		good   bool
	}{
		{"SOL", terms.SOL, []solana.Instruction{take(1_000), pay(wallet, 490)}, true},
		{"in two parts", terms.SOL, []solana.Instruction{take(600), pay(wallet, 90), take(400), pay(wallet, 400)}, true},
		{"too little SOL", terms.SOL, []solana.Instruction{take(1_000), pay(wallet, 489)}, false},
		{"SOL for another", terms.SOL, []solana.Instruction{take(1_000), pay(stranger, 490)}, false},
		{"too much of the input", terms.SOL, []solana.Instruction{take(1_001), pay(wallet, 490)}, false},
		{"too much in two parts", terms.SOL, []solana.Instruction{take(600), take(401), pay(wallet, 490)}, false},
		{"so much that it overflows", terms.SOL, []solana.Instruction{take(1 << 63), take(1 << 63), pay(wallet, 490)}, false},
		{"nothing for SOL", terms.SOL, []solana.Instruction{take(1_000)}, false},
		{"a token", terms.Asset(reward), []solana.Instruction{take(1_000), give(rewards, 490)}, true},
		{"too little of a token", terms.Asset(reward), []solana.Instruction{take(1_000), give(rewards, 489)}, false},
		{"a token for another", terms.Asset(reward), []solana.Instruction{take(1_000), give(associated(stranger, reward, solana.TokenProgramID), 490)}, false},
		{"SOL instead of a token", terms.Asset(reward), []solana.Instruction{take(1_000), pay(wallet, 490)}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := exchange.Swap{
				Quote: exchange.Quote{
					Order: exchange.Order{Wallet: wallet, Input: mint, Amount: 1_000, Output: test.output}, In: 1_000, Out: 500, MinimumOut: 490,
				},
				CoSigners: []solana.PublicKey{maker},
			}
			m := compose(t, wallet, append([]solana.Instruction{
				creating(receipt),
			}, test.moves...)...)
			want := exchange.Unsafe
			if test.good {
				want = ""
			}
			if got := reasonOf(t, exchange.Check(m, exchange.NewPolicy(s, receipt))); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}
