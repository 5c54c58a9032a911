package creation_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"
	"pgregory.net/rapid"

	"tokenlaunch.example/service/pkg/solana/creation"
	"tokenlaunch.example/service/pkg/solana/lighthouse"
	"tokenlaunch.example/service/pkg/solana/memo"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/solana/wire"
)

func key(n byte) solana.PublicKey { return solana.PublicKey{0: 1, 31: n} }

func plan() creation.Creation {
	return creation.Creation{
		Payer: key(1), Mint: key(2), DistributionWallet: key(5),
		Name: "My Token", Symbol: "MTK", URI: "ipfs://x", Decimals: 6, Supply: 1_000_000_500_000, TransferFeeBps: 250,
		MintRentLamports: 4_635_360, FundingLamports: 20_000_000,
	}
}

// compile returns the whole transaction on a nonce.
func compile(t interface{ Fatal(...any) }, c creation.Creation, units uint32, price uint64) (wire.Message, error) {
	steps, err := c.Steps()
	if err != nil {
		t.Fatal(err)
	}
	nonce := transaction.NonceUse{Nonce: transaction.Nonce{Account: key(3)}, Authority: key(4)}
	message, _, err := transaction.Draft{Caller: c.Payer, Mint: c.Mint, Steps: steps, Nonce: &nonce}.Compile(solana.Hash{9}, units, price)
	return message, err
}

func explanations(t *testing.T, c creation.Creation) []string {
	t.Helper()
	steps, err := c.Steps()
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, s := range steps {
		list = append(list, s.Explanation)
	}
	return list
}

func TestEveryInstructionIsExplained(t *testing.T) {
	c := plan()
	c.ImmutableMetadata = true
	got := explanations(t, c)
	want := []string{
		"Creates the mint account " + c.Mint.String() + " and pays 0.00463536 SOL of rent for it.",
		"Sets the transfer tax to 2.5%, permanently; only the distribution wallet " + c.DistributionWallet.String() + " can collect it.",
		"link in the mint account itself",
		"6 decimals and no freeze authority",
		"Names it My Token (MTK) and links it to ipfs://x.",
		"Creates your token account",
		"Mints the whole supply, 1,000,000.5 MTK, to your token account.",
		"Gives up the right to mint",
		"Locks the metadata",
		"Sends 0.02 SOL to the distribution wallet " + c.DistributionWallet.String(),
	}
	if len(got) != len(want) {
		t.Fatalf("%d explanations, want %d", len(got), len(want))
	}
	for i := range want {
		if !strings.Contains(got[i], want[i]) || !strings.HasSuffix(got[i], ".") {
			t.Errorf("%d: %q, want %q", i, got[i], want[i])
		}
	}
	message, err := compile(t, c, 60_000, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(message.Instructions()); n != 3+len(want) {
		t.Errorf("%d instructions", n)
	}
	if signers := message.Signers(); len(signers) != 3 || signers[0] != c.Payer || message.Recent() != (solana.Hash{9}) {
		t.Errorf("signers %v, recent %s", signers, message.Recent())
	}
}

func TestChoicesChangeTheExplanations(t *testing.T) {
	c := plan()
	c.FeeAdjustable, c.TransferFeeBps, c.FundingLamports = true, 0, 0
	text := strings.Join(explanations(t, c), "\n")
	if want := "to 0%, which you may change later"; !strings.Contains(text, want) {
		t.Errorf("no %q in:\n%s", want, text)
	}
	for _, unwanted := range []string{"Locks the metadata", "Sends"} {
		if strings.Contains(text, unwanted) {
			t.Errorf("%q in:\n%s", unwanted, text)
		}
	}
}

// On a blockhash, what names the last signer takes less than the nonce did: the longest launch
// (chain.md, 1,231 bytes on a nonce) fits all the more.
func TestLongestCreationFitsOnBlockhash(t *testing.T) {
	c := plan()
	c.Name, c.Symbol, c.URI = strings.Repeat("🚀", 32), strings.Repeat("🚀", 10), strings.Repeat("u", 80)
	c.FeeAdjustable, c.ImmutableMetadata = true, true
	steps, err := c.Steps()
	if err != nil {
		t.Fatal(err)
	}
	onNonce, err := compile(t, c, 60_000, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	message, explanation, err := transaction.Draft{Caller: c.Payer, Mint: c.Mint, Steps: steps, LastSigner: key(4)}.Compile(solana.Hash{9}, 60_000, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	if got, before := message.TransactionSize(), onNonce.TransactionSize(); before != 1231 || got != 1193 {
		t.Errorf("%d bytes, want 1193; on a nonce %d, want 1231", got, before)
	}
	first := message.Instructions()[0]
	if by, ok := memo.IsSigned(first.ProgramID, first.Accounts, first.Data); !ok || by != key(4) || !strings.Contains(explanation[0], by.String()) {
		t.Errorf("the first instruction is %+v: %s", first, explanation[0])
	}
	if signers := message.Signers(); len(signers) != 3 || message.Accounts()[2].IsWritable {
		t.Errorf("signers %v", signers)
	}
}

// The limit is set after a simulation, so amounts must not change the size.
func TestAmountsDoNotChangeTheSize(t *testing.T) {
	size := func(t interface{ Fatal(...any) }, c creation.Creation, units uint32, price uint64) int {
		m, err := compile(t, c, units, price)
		if err != nil {
			t.Fatal(err)
		}
		return m.TransactionSize()
	}
	want := size(t, plan(), 60_000, 10_000)
	rapid.Check(t, func(t *rapid.T) {
		c := plan()
		c.Supply = rapid.Uint64().Draw(t, "supply")
		c.MintRentLamports = rapid.Uint64().Draw(t, "rent")
		c.FundingLamports = rapid.Uint64Range(1, math.MaxUint64).Draw(t, "funding")
		c.TransferFeeBps = rapid.Uint16Range(0, 10_000).Draw(t, "tax")
		if got := size(t, c, rapid.Uint32().Draw(t, "limit"), rapid.Uint64().Draw(t, "price")); got != want {
			t.Errorf("%d bytes, want %d", got, want)
		}
	})
}

func TestCreationRefuses(t *testing.T) {
	for name, change := range map[string]func(*creation.Creation){
		"no mint":                      func(c *creation.Creation) { c.Mint = solana.PublicKey{} },
		"no distribution wallet":       func(c *creation.Creation) { c.DistributionWallet = solana.PublicKey{} },
		"no payer":                     func(c *creation.Creation) { c.Payer = solana.PublicKey{} },
		"a guardian who is the payer":  func(c *creation.Creation) { c.Guardian = c.Payer },
		"a guardian who is the wallet": func(c *creation.Creation) { c.Guardian = c.DistributionWallet },
		"tax over 100 percent":         func(c *creation.Creation) { c.TransferFeeBps = 10_001 },
	} {
		c := plan()
		change(&c)
		if _, err := c.Steps(); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	c := plan()
	c.Name = strings.Repeat("x", 1000)
	if _, err := compile(t, c, 60_000, 10_000); !errors.Is(err, wire.ErrTooLarge) {
		t.Errorf("a name of 1000 bytes: %v", err)
	}
}

// The bytes that docs/integrate.md promises to a wallet's assertions, for a launch with an
// adjustable tax and locked metadata, which are the longest.
func TestRoomForGuards(t *testing.T) {
	const uriBytes = 80 // a gateway's address (content.Gateway) and a content id
	// guard is an assertion about the lamports of an account.
	guard := func(accounts ...*solana.AccountMeta) solana.Instruction {
		return solana.NewInstruction(lighthouse.Program, accounts, make([]byte, 12))
	}
	for _, c := range []struct {
		character          string
		onNonce, blockhash int
	}{{"a", 127, 165}, {"🚀", 1, 39}} {
		plan := plan()
		plan.Name, plan.Symbol, plan.URI = strings.Repeat(c.character, 32), strings.Repeat(c.character, 10), strings.Repeat("u", uriBytes)
		plan.FeeAdjustable, plan.ImmutableMetadata = true, true
		onNonce, err := compile(t, plan, 60_000, 10_000)
		if err != nil {
			t.Fatal(err)
		}
		steps, err := plan.Steps()
		if err != nil {
			t.Fatal(err)
		}
		draft := transaction.Draft{Caller: plan.Payer, Mint: plan.Mint, Steps: steps, LastSigner: key(4)}
		onBlockhash, _, err := draft.Compile(solana.Hash{9}, 60_000, 10_000)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := wire.MaxTransactionSize-onNonce.TransactionSize(), wire.MaxTransactionSize-onBlockhash.TransactionSize(); a != c.onNonce || b != c.blockhash {
			t.Errorf("%s: %d bytes are left on a nonce and %d on a blockhash, want %d and %d", c.character, a, b, c.onNonce, c.blockhash)
		}
		for size, guards := range map[int][]solana.Instruction{
			48: {guard(solana.Meta(plan.Payer))}, 64: {guard(solana.Meta(plan.Payer)), guard(solana.Meta(plan.Payer))},
			96: {guard(solana.Meta(plan.Payer)), guard(solana.Meta(key(8)))},
		} {
			draft.Steps = slices.Clone(steps)
			for _, g := range guards {
				draft.Steps = append(draft.Steps, transaction.Step{Instruction: g})
			}
			guarded, _, err := draft.Compile(solana.Hash{9}, 60_000, 10_000)
			if fits := err == nil; fits != (size <= c.blockhash) || fits && guarded.TransactionSize()-onBlockhash.TransactionSize() != size {
				t.Errorf("%s: %d guards take %d bytes, %v; want %d", c.character, len(guards), guarded.TransactionSize()-onBlockhash.TransactionSize(), err, size)
			}
		}
	}
}

// The bytes that a guardian adds to a launch, and the bytes of name and symbol that fit then:
// docs/security.md and the API's error have the figures.
func TestGuardianBytes(t *testing.T) {
	const uriBytes, more = 80, 178 // an URI as in TestRoomForGuards
	for _, c := range []struct {
		adjustable, immutable bool
		onBlockhash, onNonce  int // bytes of name and symbol together
	}{
		{false, false, 106, 68}, {true, false, 74, 36}, {false, true, 61, 24}, {true, true, 29, -1},
	} {
		size := func(name int, nonce *transaction.NonceUse, guardian solana.PublicKey) (int, error) {
			plan := plan()
			plan.Name, plan.Symbol, plan.URI, plan.Guardian = strings.Repeat("n", name), "", strings.Repeat("u", uriBytes), guardian
			plan.FeeAdjustable, plan.ImmutableMetadata = c.adjustable, c.immutable
			steps, err := plan.Steps()
			if err != nil {
				t.Fatal(err)
			}
			m, _, err := transaction.Draft{Caller: plan.Payer, Mint: plan.Mint, Steps: steps, LastSigner: key(4), Nonce: nonce}.Compile(solana.Hash{9}, 60_000, 10_000)
			return m.TransactionSize(), err
		}
		for nonce, longest := range map[*transaction.NonceUse]int{
			nil: c.onBlockhash,
			{Nonce: transaction.Nonce{Account: key(3)}, Authority: key(4)}: c.onNonce,
		} {
			fits := -1
			for name := range 130 {
				if _, err := size(name, nonce, key(6)); err == nil {
					fits = name
				}
			}
			if fits != longest {
				t.Errorf("adjustable %t, immutable %t, nonce %t: %d bytes of name and symbol fit, want %d", c.adjustable, c.immutable, nonce != nil, fits, longest)
			}
		}
		plain, _ := size(8, nil, solana.PublicKey{})
		if guarded, err := size(8, nil, key(6)); err != nil || guarded-plain != more {
			t.Errorf("a guardian needs %d bytes, %v, want %d", guarded-plain, err, more)
		}
	}
}

func TestGuardianIsExplained(t *testing.T) {
	c := plan()
	c.Guardian, c.MultisigRentLamports = key(6), 2_453_640
	account, err := creation.MultisigAddress(c.Payer, c.Mint)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(explanations(t, c), "\n")
	for _, want := range []string{
		"only the account " + account.String() + " of two of three can collect it",
		"Creates the account " + account.String() + ", which collects the tax, and pays 0.00245364 SOL",
		"the distribution wallet, the guardian " + c.Guardian.String() + " and you",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
}
