package exchange_test

import (
	"crypto/sha256"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/token/terms"
)

// key returns an address for a name.
func key(name string) solana.PublicKey { return sha256.Sum256([]byte(name)) }

var (
	wallet, mint, receipt = key("wallet"), key("mint"), key("receipt")
	venue, stranger       = key("venue"), key("stranger")
	mine                  = associated(wallet, mint, solana.Token2022ProgramID)
	wrapped               = associated(wallet, solana.WrappedSol, solana.TokenProgramID)
)

func associated(owner, mint, program solana.PublicKey) solana.PublicKey {
	address, err := token2022.AssociatedAddress(owner, mint, program)
	if err != nil {
		panic(err)
	}
	return address
}

// routed is a swap as an aggregator returns it: open the account of wrapped SOL,
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

// What a receipt is made from, and what it is lent, in lamports.
const (
	seed = "0123456789abcdefghijkl"
	lent = 890_880
)

// creating is how a message begins.
func creating(receipt solana.PublicKey) solana.Instruction {
	return systemprogram.CreateAccountWithSeed{
		Payer: wallet, Account: receipt, Base: wallet, Seed: seed, Lamports: lent, Owner: solana.SystemProgramID,
	}.Instruction()
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
	create := creating(receipt)
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
		{"creates twice", []solana.Instruction{create}, false},
		{"names what is guarded", []solana.Instruction{call(venue, wallet, key("guarded"))}, false},
		{"names the receipt", []solana.Instruction{call(venue, wallet, receipt)}, false},
		{"returns the receipt", []solana.Instruction{systemprogram.TransferWithSeed{
			From: receipt, Base: wallet, Seed: seed, Owner: solana.SystemProgramID, To: wallet, Lamports: lent,
		}.Instruction()}, false},
		{"creates another account", []solana.Instruction{creating(key("another"))}, false},
		{"assigns the wallet", []solana.Instruction{solana.NewInstruction(solana.SystemProgramID,
			solana.AccountMetaSlice{solana.NewAccountMeta(wallet, true, true)}, append([]byte{1, 0, 0, 0}, stranger[:]...))}, false},
		{"a stranger signs", []solana.Instruction{call(venue, stranger)}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := routed()
			m := compose(t, wallet, append(append([]solana.Instruction{create}, s.Instructions...), test.extra...)...)
			err := exchange.Check(m, exchange.NewPolicy(s, receipt, key("guarded")))
			want := exchange.Unsafe
			if test.good {
				want = ""
			}
			if got := reasonOf(t, err); got != want {
				t.Errorf("%q: %v", got, err)
			}
		})
	}
	t.Run("a stranger pays", func(t *testing.T) {
		s := routed()
		s.CoSigners = []solana.PublicKey{stranger}
		m := compose(t, stranger, append([]solana.Instruction{create}, s.Instructions...)...)
		if got := reasonOf(t, exchange.Check(m, exchange.NewPolicy(s, receipt))); got != exchange.Unsafe {
			t.Errorf("%q", got)
		}
	})
}

// The receipt that counts is the wallet's own empty account, created by the first
// instruction. A co-signer signs too, so no missing signature reveals that
// the receipt is created from its address or out of its lamports.
func TestCheckOfTheReceipt(t *testing.T) {
	maker := key("maker")
	made := func(change func(*systemprogram.CreateAccountWithSeed)) solana.Instruction {
		c := systemprogram.CreateAccountWithSeed{
			Payer: wallet, Account: receipt, Base: wallet, Seed: seed, Lamports: lent, Owner: solana.SystemProgramID,
		}
		change(&c)
		return c.Instruction()
	}
	// as returns the right instruction with other accounts, and with other data unless nil.
	as := func(program solana.PublicKey, data []byte, accounts ...solana.PublicKey) solana.Instruction {
		if data == nil {
			data = bytesOf(t, creating(receipt))
		}
		var metas solana.AccountMetaSlice
		for _, a := range accounts {
			metas = append(metas, solana.NewAccountMeta(a, true, a == wallet || a == maker))
		}
		return solana.NewInstruction(program, metas, data)
	}
	forReceipt, _, err := token2022.CreateAssociatedIdempotent{Payer: maker, Wallet: receipt, Mint: mint}.Instruction()
	if err != nil {
		t.Fatal(err)
	}
	create, budget := creating(receipt), computebudget.SetUnitLimit(1)
	swap := routed().Instructions
	ofMaker := made(func(c *systemprogram.CreateAccountWithSeed) { c.Base = maker })
	tests := []struct {
		name string
		list []solana.Instruction
		good bool
	}{
		{"as it is", append([]solana.Instruction{create}, swap...), true},
		{"with more lamports", append([]solana.Instruction{made(func(c *systemprogram.CreateAccountWithSeed) { c.Lamports = 1 << 40 })}, swap...), true},
		{"another account", append([]solana.Instruction{creating(key("another"))}, swap...), false},
		{"of a stranger's program", append([]solana.Instruction{made(func(c *systemprogram.CreateAccountWithSeed) { c.Owner = stranger })}, swap...), false},
		{"of the venue's program", append([]solana.Instruction{made(func(c *systemprogram.CreateAccountWithSeed) { c.Owner = venue })}, swap...), false},
		{"with bytes", append([]solana.Instruction{made(func(c *systemprogram.CreateAccountWithSeed) { c.Space = 1 })}, swap...), false},
		{"from a co-signer's address", append([]solana.Instruction{ofMaker}, swap...), false},
		{"from a co-signer's address, which is not named", append([]solana.Instruction{
			as(solana.SystemProgramID, bytesOf(t, ofMaker), wallet, receipt),
		}, swap...), false},
		{"out of a co-signer's lamports", append([]solana.Instruction{made(func(c *systemprogram.CreateAccountWithSeed) { c.Payer = maker })}, swap...), false},
		{"out of a co-signer's lamports, the wallet signing anyway", append([]solana.Instruction{
			as(solana.SystemProgramID, nil, maker, receipt),
		}, swap...), false},
		{"with an account too many", append([]solana.Instruction{as(solana.SystemProgramID, nil, wallet, receipt, wallet)}, swap...), false},
		{"with a byte too many", append([]solana.Instruction{
			as(solana.SystemProgramID, append(bytesOf(t, create), 0), wallet, receipt),
		}, swap...), false},
		{"with a byte too few", append([]solana.Instruction{
			as(solana.SystemProgramID, bytesOf(t, create)[:len(bytesOf(t, create))-1], wallet, receipt),
		}, swap...), false},
		{"by the venue's program", append([]solana.Instruction{as(venue, nil, wallet, receipt)}, swap...), false},
		{"by a transfer", append([]solana.Instruction{systemprogram.Transfer{From: wallet, To: receipt, Lamports: lent}.Instruction()}, swap...), false},
		{"by a co-signer's transfer", append([]solana.Instruction{systemprogram.Transfer{From: maker, To: receipt, Lamports: lent}.Instruction()}, swap...), false},
		{"by the second instruction", append([]solana.Instruction{budget, create}, swap...), false},
		{"by the last instruction", append(slices.Clone(swap), create), false},
		{"not at all", swap, false},
		{"twice", append([]solana.Instruction{create, create}, swap...), false},
		{"and more lamports for it", append([]solana.Instruction{create, systemprogram.Transfer{From: maker, To: receipt, Lamports: 1}.Instruction()}, swap...), false},
		{"and an account of tokens for it", append([]solana.Instruction{create, forReceipt}, swap...), false},
		{"and another after it", append([]solana.Instruction{create, creating(key("another"))}, swap...), false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := routed()
			s.CoSigners = []solana.PublicKey{maker}
			err := exchange.Check(compose(t, wallet, test.list...), exchange.NewPolicy(s, receipt))
			want := exchange.Unsafe
			if test.good {
				want = ""
			}
			if got := reasonOf(t, err); got != want {
				t.Errorf("%q: %v", got, err)
			}
		})
	}
}

func bytesOf(t *testing.T, in solana.Instruction) []byte {
	t.Helper()
	data, err := in.Data()
	if err != nil {
		t.Fatal(err)
	}
	return slices.Clone(data)
}

// A swap fits when the engine can compose its message: with a receipt of its own, a
// limit and a price. It does to the byte.
func TestFits(t *testing.T) {
	fit := 0
	for n := range wire.MaxTransactionSize {
		s := routed()
		s.Instructions = append(s.Instructions, solana.NewInstruction(venue, nil, make([]byte, n)))
		_, err := wire.Compile(wallet, solana.Hash{1}, append([]solana.Instruction{
			creating(receipt), computebudget.SetUnitLimit(1), computebudget.SetUnitPrice(math.MaxUint64),
		}, s.Instructions...))
		want := exchange.Reason("")
		switch {
		case err == nil:
			fit++
		case errors.Is(err, wire.ErrTooLarge):
			want = exchange.TooLarge
		default:
			t.Fatal(err)
		}
		if got := reasonOf(t, s.Fits()); got != want {
			t.Fatalf("%d more bytes: %q, want %q", n, got, want)
		}
	}
	if fit == 0 || fit == wire.MaxTransactionSize {
		t.Errorf("%d swaps fit", fit)
	}
}

// Whatever bytes come as a message, reading it ends, and one that the wallet
// would lose by is not among those that pass: no instruction but of known
// programs, and the receipt created by the first alone.
func FuzzCheck(f *testing.F) {
	s := routed()
	m, err := wire.Compile(wallet, solana.Hash{1}, append([]solana.Instruction{creating(receipt)}, s.Instructions...))
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
		if err != nil || exchange.Check(m, exchange.NewPolicy(s, receipt)) != nil {
			return
		}
		for i, in := range m.Instructions() {
			if !known[in.ProgramID] {
				t.Errorf("instruction %d calls %s", i, in.ProgramID)
			}
			for _, a := range in.Accounts {
				if a.PublicKey != receipt {
					continue
				}
				c, err := systemprogram.DecodeCreateAccountWithSeed(in.Keys(), in.Data)
				want := systemprogram.CreateAccountWithSeed{
					Payer: wallet, Account: receipt, Base: wallet, Seed: c.Seed, Lamports: c.Lamports, Owner: solana.SystemProgramID,
				}
				if i > 0 || in.ProgramID != solana.SystemProgramID || err != nil || c != want {
					t.Errorf("instruction %d names the receipt: %+v, %v", i, c, err)
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
