package creation_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"
	"pgregory.net/rapid"

	"tokenlaunch.example/service/pkg/solana/creation"
	"tokenlaunch.example/service/pkg/solana/wire"
)

func key(n byte) solana.PublicKey { return solana.PublicKey{0: 1, 31: n} }

func plan() creation.Creation {
	return creation.Creation{
		Payer: key(1), Mint: key(2), NonceAccount: key(3), NonceAuthority: key(4), DistributionWallet: key(5),
		Name: "My Token", Symbol: "MTK", URI: "ipfs://x", Decimals: 6, Supply: 1_000_000_500_000, TransferFeeBps: 250,
		MintRentLamports: 4_635_360, FundingLamports: 20_000_000,
		ComputeUnitLimit: 60_000, ComputeUnitPriceMicroLamports: 10_000,
	}
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
		"one-time number",
		"to 60000 units",
		"a priority fee of 0.0000006 SOL",
		"Creates the mint account " + c.Mint.String() + " and pays 0.00463536 SOL of rent for it.",
		"Sets the transfer tax to 2.5%, for ever; only the distribution wallet " + c.DistributionWallet.String() + " can collect it.",
		"metadata is in the mint account",
		"a token with 6 decimals that nobody can freeze",
		"Names it My Token (MTK) and links it to ipfs://x.",
		"Creates your token account",
		"Mints the whole supply, 1000000.5 MTK, to your token account.",
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
	message, err := c.Message(solana.Hash{9})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(message.Instructions()); n != len(want) {
		t.Errorf("%d instructions", n)
	}
	if signers := message.Signers(); len(signers) != 3 || signers[0] != c.Payer || message.Recent() != (solana.Hash{9}) {
		t.Errorf("signers %v, recent %s", signers, message.Recent())
	}
}

func TestChoicesChangeTheExplanations(t *testing.T) {
	c := plan()
	c.FeeAdjustable, c.TransferFeeBps, c.FundingLamports, c.ComputeUnitLimit = true, 0, 0, 0
	text := strings.Join(explanations(t, c), "\n")
	for _, want := range []string{"to 0%, which you may change later", "to 1400000 units"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
	for _, unwanted := range []string{"Locks the metadata", "Sends"} {
		if strings.Contains(text, unwanted) {
			t.Errorf("%q in:\n%s", unwanted, text)
		}
	}
}

// The limit is set after a simulation, so amounts must not change the size.
func TestAmountsDoNotChangeTheSize(t *testing.T) {
	size := func(t interface{ Fatal(...any) }, c creation.Creation) int {
		m, err := c.Message(solana.Hash{})
		if err != nil {
			t.Fatal(err)
		}
		return m.TransactionSize()
	}
	want := size(t, plan())
	rapid.Check(t, func(t *rapid.T) {
		c := plan()
		c.Supply = rapid.Uint64().Draw(t, "supply")
		c.MintRentLamports = rapid.Uint64().Draw(t, "rent")
		c.FundingLamports = rapid.Uint64Range(1, math.MaxUint64).Draw(t, "funding")
		c.TransferFeeBps = rapid.Uint16Range(0, 10_000).Draw(t, "tax")
		c.ComputeUnitLimit = rapid.Uint32().Draw(t, "limit")
		c.ComputeUnitPriceMicroLamports = rapid.Uint64().Draw(t, "price")
		if got := size(t, c); got != want {
			t.Errorf("%d bytes, want %d", got, want)
		}
	})
}

func TestCreationRefuses(t *testing.T) {
	for name, change := range map[string]func(*creation.Creation){
		"no mint":                func(c *creation.Creation) { c.Mint = solana.PublicKey{} },
		"no distribution wallet": func(c *creation.Creation) { c.DistributionWallet = solana.PublicKey{} },
		"no nonce":               func(c *creation.Creation) { c.NonceAccount = solana.PublicKey{} },
		"tax over 100 percent":   func(c *creation.Creation) { c.TransferFeeBps = 10_001 },
	} {
		c := plan()
		change(&c)
		if _, err := c.Message(solana.Hash{}); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	c := plan()
	c.Name = strings.Repeat("x", 1000)
	if _, err := c.Message(solana.Hash{}); !errors.Is(err, wire.ErrTooLarge) {
		t.Errorf("a name of 1000 bytes: %v", err)
	}
}
