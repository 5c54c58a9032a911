package exchange_test

import (
	"crypto/sha256"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/token/terms"
)

// key gives an address for a name.
func key(name string) solana.PublicKey { return sha256.Sum256([]byte(name)) }

var (
	wallet, mint, nonce = key("wallet"), key("mint"), key("nonce")
	venue, stranger     = key("venue"), key("stranger")
	mine                = associated(wallet, mint, solana.Token2022ProgramID)
	wrapped             = associated(wallet, solana.WrappedSol, solana.TokenProgramID)
)

func associated(owner, mint, program solana.PublicKey) solana.PublicKey {
	address, err := token2022.AssociatedAddress(owner, mint, program)
	if err != nil {
		panic(err)
	}
	return address
}

// routed is a swap as an aggregator gives it: open the account of wrapped SOL,
// exchange, close it.
func routed() exchange.Swap {
	open, _, err := token2022.CreateAssociatedIdempotent{
		Payer: wallet, Wallet: wallet, Mint: solana.WrappedSol, Program: solana.TokenProgramID,
	}.Instruction()
	if err != nil {
		panic(err)
	}
	return exchange.Swap{
		Quote: exchange.Quote{
			Order: exchange.Order{Wallet: wallet, Input: mint, Amount: 1_000, Output: terms.SOL}, In: 1_000, Out: 500, MinimumOut: 490,
		},
		Instructions: []solana.Instruction{open, call(venue, wallet, mine, wrapped), closing(wrapped, wallet, wallet)},
		Programs:     []solana.PublicKey{venue},
	}
}

// call is an instruction of a program with accounts, of which the first signs.
func call(program solana.PublicKey, accounts ...solana.PublicKey) solana.Instruction {
	var metas solana.AccountMetaSlice
	for i, a := range accounts {
		metas = append(metas, solana.NewAccountMeta(a, true, i == 0))
	}
	return solana.NewInstruction(program, metas, []byte{1, 2, 3})
}

func closing(account, destination, owner solana.PublicKey) solana.Instruction {
	return tokenCall(solana.TokenProgramID, []byte{9}, account, destination, owner)
}

// tokenCall is an instruction of a token program whose last account signs.
func tokenCall(program solana.PublicKey, data []byte, accounts ...solana.PublicKey) solana.Instruction {
	var metas solana.AccountMetaSlice
	for i, a := range accounts {
		metas = append(metas, solana.NewAccountMeta(a, true, i == len(accounts)-1))
	}
	return solana.NewInstruction(program, metas, data)
}

func compose(t *testing.T, payer solana.PublicKey, list ...solana.Instruction) wire.Message {
	t.Helper()
	m, err := wire.Compile(payer, solana.Hash{1}, list)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestCheck(t *testing.T) {
	advance := systemprogram.AdvanceNonceAccount{Nonce: nonce, Authority: wallet}.Instruction()
	forStranger, _, err := token2022.CreateAssociatedIdempotent{Payer: wallet, Wallet: stranger, Mint: mint}.Instruction()
	if err != nil {
		t.Fatal(err)
	}
	send := func(source, destination solana.PublicKey) solana.Instruction {
		return token2022.TransferChecked{Source: source, Mint: mint, Destination: destination, Owner: wallet, Amount: 1, Decimals: 6}.Instruction()
	}
	other := associated(wallet, key("other"), solana.TokenProgramID)
	tests := []struct {
		name  string
		extra []solana.Instruction
		good  bool
	}{
		{"as it comes", nil, true},
		{"compute budget", []solana.Instruction{computebudget.SetUnitLimit(1), computebudget.SetUnitPrice(1)}, true},
		{"syncs wrapped SOL", []solana.Instruction{solana.NewInstruction(solana.TokenProgramID,
			solana.AccountMetaSlice{solana.NewAccountMeta(wrapped, true, false)}, []byte{17})}, true},
		{"a transfer that the wallet does not pay", []solana.Instruction{systemprogram.Transfer{From: wallet, To: stranger, Lamports: 1}.Instruction()}, false},
		{"another program", []solana.Instruction{call(stranger, wallet)}, false},
		{"sends to a stranger", []solana.Instruction{send(mine, associated(stranger, mint, solana.Token2022ProgramID))}, false},
		{"sends to the venue", []solana.Instruction{send(mine, associated(venue, mint, solana.Token2022ProgramID))}, false},
		{"plain transfer", []solana.Instruction{tokenCall(solana.TokenProgramID, []byte{3, 1, 0, 0, 0, 0, 0, 0, 0}, wrapped, stranger, wallet)}, false},
		{"approves", []solana.Instruction{tokenCall(solana.Token2022ProgramID, []byte{4, 1, 0, 0, 0, 0, 0, 0, 0}, mine, stranger, wallet)}, false},
		{"approves, checked", []solana.Instruction{tokenCall(solana.Token2022ProgramID, []byte{13, 1, 0, 0, 0, 0, 0, 0, 0, 6}, mine, mint, stranger, wallet)}, false},
		{"sets an authority", []solana.Instruction{tokenCall(solana.Token2022ProgramID, append([]byte{6, 2, 1}, stranger[:]...), mine, wallet)}, false},
		{"burns", []solana.Instruction{token2022.BurnChecked{Account: mine, Mint: mint, Owner: wallet, Amount: 1, Decimals: 6}.Instruction()}, false},
		{"closes to a stranger", []solana.Instruction{closing(wrapped, stranger, wallet)}, false},
		{"closes another account", []solana.Instruction{closing(other, wallet, wallet)}, false},
		{"empty data", []solana.Instruction{tokenCall(solana.TokenProgramID, nil, wallet)}, false},
		{"rents an account for a stranger", []solana.Instruction{forStranger}, false},
		{"recovers a nested account", []solana.Instruction{solana.NewInstruction(solana.SPLAssociatedTokenAccountProgramID, forStranger.Accounts(), []byte{2})}, false},
		{"advances twice", []solana.Instruction{advance}, false},
		{"names another lane", []solana.Instruction{call(venue, wallet, key("lane"))}, false},
		{"names the nonce", []solana.Instruction{call(venue, wallet, nonce)}, false},
		{"assigns the wallet", []solana.Instruction{solana.NewInstruction(solana.SystemProgramID,
			solana.AccountMetaSlice{solana.NewAccountMeta(wallet, true, true)}, append([]byte{1, 0, 0, 0}, stranger[:]...))}, false},
		{"a stranger signs", []solana.Instruction{call(venue, stranger)}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := routed()
			m := compose(t, wallet, append(append([]solana.Instruction{advance}, s.Instructions...), test.extra...)...)
			err := exchange.Check(m, exchange.NewPolicy(s, nonce, key("lane")))
			want := exchange.Unsafe
			if test.good {
				want = ""
			}
			if got := reasonOf(t, err); got != want {
				t.Errorf("%q: %v", got, err)
			}
		})
	}
	t.Run("a stranger's nonce", func(t *testing.T) {
		s := routed()
		theirs := systemprogram.AdvanceNonceAccount{Nonce: key("theirs"), Authority: wallet}.Instruction()
		m := compose(t, wallet, append([]solana.Instruction{theirs}, s.Instructions...)...)
		if got := reasonOf(t, exchange.Check(m, exchange.NewPolicy(s, nonce))); got != exchange.Unsafe {
			t.Errorf("%q", got)
		}
	})
	t.Run("a stranger pays", func(t *testing.T) {
		s := routed()
		s.CoSigners = []solana.PublicKey{stranger}
		m := compose(t, stranger, append([]solana.Instruction{advance}, s.Instructions...)...)
		if got := reasonOf(t, exchange.Check(m, exchange.NewPolicy(s, nonce))); got != exchange.Unsafe {
			t.Errorf("%q", got)
		}
	})
}

func TestFits(t *testing.T) {
	s := routed()
	if err := s.Fits(); err != nil {
		t.Error(err)
	}
	var accounts []solana.PublicKey
	for i := range 40 {
		accounts = append(accounts, key(string(rune('a'+i))))
	}
	s.Instructions = append(s.Instructions, call(venue, append([]solana.PublicKey{wallet}, accounts...)...))
	if got := reasonOf(t, s.Fits()); got != exchange.TooLarge {
		t.Errorf("%q", got)
	}
}

// Whatever bytes come as a message, reading it ends, and one that the wallet
// would lose by is not among those that pass: no instruction but of known
// programs, and the nonce advanced by the first alone.
func FuzzCheck(f *testing.F) {
	s := routed()
	advance := systemprogram.AdvanceNonceAccount{Nonce: nonce, Authority: wallet}.Instruction()
	m, err := wire.Compile(wallet, solana.Hash{1}, append([]solana.Instruction{advance}, s.Instructions...))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(m.Bytes())
	known := map[solana.PublicKey]bool{
		venue: true, solana.SystemProgramID: true, solana.TokenProgramID: true, solana.Token2022ProgramID: true,
		solana.SPLAssociatedTokenAccountProgramID: true, solana.ComputeBudget: true,
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		m, err := wire.ParseMessage(raw)
		if err != nil || exchange.Check(m, exchange.NewPolicy(s, nonce)) != nil {
			return
		}
		for i, in := range m.Instructions() {
			if !known[in.ProgramID] {
				t.Errorf("instruction %d calls %s", i, in.ProgramID)
			}
			for _, a := range in.Accounts {
				if i > 0 && a.PublicKey == nonce {
					t.Errorf("instruction %d names the nonce", i)
				}
			}
		}
		for _, signer := range m.Signers() {
			if signer != wallet {
				t.Errorf("%s signs", signer)
			}
		}
	})
}
