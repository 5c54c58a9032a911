package solanarpc_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/creation"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/token/content"
)

// uri has the 80 bytes of a metadata file's URL.
const uri = content.Gateway + "bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi"

func TestCreationOnTheChain(t *testing.T) {
	l := newLedger(t)
	authority := newWallet(t)
	l.fund(t, authority, lamportsPerSOL)
	nonce := l.nonceAccount(t, authority, "nonce/v1/0")
	for _, decimals := range []uint8{6, 9} {
		for _, bps := range []uint16{0, 10_000} {
			for _, adjustable := range []bool{false, true} {
				for _, immutable := range []bool{false, true} {
					t.Run(fmt.Sprintf("decimals %d, tax %d, adjustable %v, immutable %v", decimals, bps, adjustable, immutable), func(t *testing.T) {
						l.create(t, nonce, authority, creation.Creation{
							Name: "Zoë's token 🚀", Symbol: "ZOË", URI: uri, Decimals: decimals,
							Supply: 123_456_789_012_345_678, TransferFeeBps: bps,
							FeeAdjustable: adjustable, ImmutableMetadata: immutable, FundingLamports: 20_000_000,
						})
					})
				}
			}
		}
	}
}

// The longest names that the contract allows have 4 bytes a character; an
// adjustable tax takes 32 bytes more than a fixed one, locking the metadata more
// again. So these are the longest transactions there are.
func TestLongestNamesFit(t *testing.T) {
	l := newLedger(t)
	authority := newWallet(t)
	l.fund(t, authority, lamportsPerSOL)
	nonce := l.nonceAccount(t, authority, "nonce/v1/0")
	for _, c := range []struct {
		size      int
		rent      uint64
		character string
	}{
		{character: "a", size: 1105, rent: 4_732_800},
		{character: "🚀", size: 1231, rent: 5_609_760}, // of 1,232
	} {
		t.Run(c.character, func(t *testing.T) {
			plan := l.create(t, nonce, authority, creation.Creation{
				Name: strings.Repeat(c.character, 32), Symbol: strings.Repeat(c.character, 10), URI: uri,
				Decimals: 9, Supply: math.MaxUint64, TransferFeeBps: 10_000,
				FeeAdjustable: true, ImmutableMetadata: true, FundingLamports: 20_000_000,
			})
			if plan.MintRentLamports != c.rent {
				t.Errorf("rent %d, want %d", plan.MintRentLamports, c.rent)
			}
			use := transaction.NonceUse{Nonce: transaction.Nonce{Account: nonce}, Authority: authority.PublicKey}
			if got := compile(t, plan, use, 60_000).TransactionSize(); got != c.size {
				t.Errorf("%d bytes, want %d", got, c.size)
			}
		})
	}
}

// compile creates a creation's message as the service does.
func compile(t *testing.T, plan creation.Creation, nonce transaction.NonceUse, units uint32) wire.Message {
	t.Helper()
	steps, err := plan.Steps()
	if err != nil {
		t.Fatal(err)
	}
	message, _, err := transaction.Draft{Caller: plan.Payer, Mint: plan.Mint, Steps: steps, Nonce: &nonce}.Compile(nonce.Value, units, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	return message
}

// create carries a creation out as the service does, and checks what the chain
// holds then. It fills in the keys and the rent.
func (l ledger) create(t *testing.T, nonce solana.PublicKey, authority wallet, plan creation.Creation) creation.Creation {
	t.Helper()
	ctx := within(t)
	creator, mint, distribution := newWallet(t), newWallet(t), newWallet(t)
	l.fund(t, creator, lamportsPerSOL)
	plan.Payer, plan.Mint, plan.DistributionWallet = creator.PublicKey, mint.PublicKey, distribution.PublicKey
	var err error
	if plan.MintRentLamports, err = l.MinimumBalance(ctx, token2022.MintSize(plan.Name, plan.Symbol, plan.URI)); err != nil {
		t.Fatal(err)
	}
	before := l.nonce(t, nonce)
	use := transaction.NonceUse{Nonce: transaction.Nonce{Account: nonce, Value: before.Value}, Authority: authority.PublicKey}

	simulation, err := l.Simulate(ctx, wire.NewTransaction(compile(t, plan, use, 200_000)).Bytes())
	if err != nil || !simulation.OK {
		t.Fatalf("simulation: %+v, %v", simulation, err)
	}
	if simulation.ComputeUnits < 10_000 || simulation.ComputeUnits > 60_000 {
		t.Errorf("%d compute units", simulation.ComputeUnits)
	}
	tx := wire.NewTransaction(compile(t, plan, use, uint32(simulation.ComputeUnits*6/5)))
	for _, w := range []wallet{mint, creator} {
		if err := tx.Sign(w.key); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Send(ctx, tx.Bytes()); err == nil {
		t.Error("the node accepts the transaction without the nonce authority's signature")
	}
	if err := tx.Sign(authority.key); err != nil {
		t.Fatal(err)
	}
	if err := l.Execute(ctx, tx.Bytes()); err != nil {
		t.Fatal(err)
	}
	if l.nonce(t, nonce).Value == before.Value {
		t.Error("the nonce has not advanced")
	}
	if funded, err := l.Balance(ctx, distribution.PublicKey); err != nil || funded != plan.FundingLamports {
		t.Errorf("the distribution wallet has %d lamports, %v", funded, err)
	}
	l.checkMint(t, plan)
	l.checkAccount(t, plan)
	return plan
}

func (l ledger) checkMint(t *testing.T, plan creation.Creation) {
	t.Helper()
	account, found, err := l.Account(within(t), plan.Mint)
	if err != nil || !found {
		t.Fatalf("the mint: found %v, %v", found, err)
	}
	if size := token2022.MintSize(plan.Name, plan.Symbol, plan.URI); uint64(len(account.Data)) != size {
		t.Errorf("the mint has %d bytes, want %d", len(account.Data), size)
	}
	mint, err := token2022.DecodeMint(account.Owner, account.Data)
	if err != nil {
		t.Fatal(err)
	}
	if mint.Supply != plan.Supply || mint.Decimals != plan.Decimals {
		t.Errorf("supply %d with %d decimals, want %d with %d", mint.Supply, mint.Decimals, plan.Supply, plan.Decimals)
	}
	if !mint.MintAuthority.IsZero() || !mint.FreezeAuthority.IsZero() {
		t.Errorf("a key can mint (%s) or freeze (%s)", mint.MintAuthority, mint.FreezeAuthority)
	}
	fee := token2022.TransferFee{MaximumFee: math.MaxUint64, BasisPoints: plan.TransferFeeBps}
	wantFee := token2022.TransferFeeConfig{
		ConfigAuthority: ifSo(plan.FeeAdjustable, plan.Payer), WithdrawWithheldAuthority: plan.DistributionWallet,
		Older: fee, Newer: fee,
	}
	if mint.TransferFee == nil || *mint.TransferFee != wantFee {
		t.Errorf("tax %+v, want %+v", mint.TransferFee, wantFee)
	}
	if mint.MetadataPointer == nil || *mint.MetadataPointer != (token2022.MetadataPointer{Address: plan.Mint}) {
		t.Errorf("metadata pointer %+v", mint.MetadataPointer)
	}
	m := mint.Metadata
	if m == nil || m.Name != plan.Name || m.Symbol != plan.Symbol || m.URI != plan.URI || m.Mint != plan.Mint ||
		m.UpdateAuthority != ifSo(!plan.ImmutableMetadata, plan.Payer) || len(m.Additional) > 0 {
		t.Errorf("metadata %+v", m)
	}
	want := []token2022.ExtensionType{
		token2022.ExtensionTransferFeeConfig, token2022.ExtensionMetadataPointer, token2022.ExtensionTokenMetadata,
	}
	if !slices.Equal(mint.Extensions, want) {
		t.Errorf("extensions %v", mint.Extensions)
	}
}

func (l ledger) checkAccount(t *testing.T, plan creation.Creation) {
	t.Helper()
	address, err := token2022.AssociatedAddress(plan.Payer, plan.Mint, solana.PublicKey{})
	if err != nil {
		t.Fatal(err)
	}
	account, found, err := l.Account(within(t), address)
	if err != nil || !found {
		t.Fatalf("the creator's token account: found %v, %v", found, err)
	}
	if len(account.Data) != token2022.AssociatedAccountSize {
		t.Errorf("the token account has %d bytes, want %d", len(account.Data), token2022.AssociatedAccountSize)
	}
	got, err := token2022.DecodeAccount(account.Owner, account.Data)
	if err != nil {
		t.Fatal(err)
	}
	if got.Mint != plan.Mint || got.Owner != plan.Payer || got.Amount != plan.Supply || got.Frozen || got.Withheld != 0 {
		t.Errorf("token account %+v", got)
	}
}

func ifSo(condition bool, key solana.PublicKey) solana.PublicKey {
	if condition {
		return key
	}
	return solana.PublicKey{}
}

func TestCreationFailureExplained(t *testing.T) {
	l := newLedger(t)
	authority, creator, mint := newWallet(t), newWallet(t), newWallet(t)
	l.fund(t, authority, lamportsPerSOL)
	nonce := l.nonceAccount(t, authority, "nonce/v1/0")
	rent, err := l.MinimumBalance(within(t), token2022.MintSize("Name", "SYM", uri))
	if err != nil {
		t.Fatal(err)
	}
	plan := creation.Creation{
		Payer: creator.PublicKey, Mint: mint.PublicKey, DistributionWallet: newWallet(t).PublicKey,
		Name: "Name", Symbol: "SYM", URI: uri,
		Decimals: 6, Supply: 1, MintRentLamports: rent, FundingLamports: 20_000_000,
	}
	units := uint32(200_000)
	simulate := func(t *testing.T, value solana.Hash, plan creation.Creation) transaction.Simulation {
		t.Helper()
		use := transaction.NonceUse{Nonce: transaction.Nonce{Account: nonce, Value: value}, Authority: authority.PublicKey}
		s, err := l.Simulate(within(t), wire.NewTransaction(compile(t, plan, use, units)).Bytes())
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	value := l.nonce(t, nonce).Value
	check := func(t *testing.T, got transaction.Simulation, reason transaction.Reason, part string) {
		t.Helper()
		if got.OK || got.Reason != reason || !strings.Contains(got.Detail, part) {
			t.Errorf("%+v, want %s and %q", got, reason, part)
		}
	}
	check(t, simulate(t, value, plan), transaction.InsufficientFunds, "has no SOL")
	l.fund(t, creator, 1_000_000)
	check(t, simulate(t, value, plan), transaction.InsufficientFunds, "enough SOL")
	l.fund(t, creator, lamportsPerSOL)
	if s := simulate(t, value, plan); !s.OK {
		t.Errorf("Simulate() = %+v, want OK", s)
	}
	check(t, simulate(t, solana.Hash{1}, plan), transaction.ProgramError, "one-time number")
	poor := plan
	poor.MintRentLamports = rent - 1
	check(t, simulate(t, value, poor), transaction.InsufficientFunds, "rent")
	units = 10_000
	check(t, simulate(t, value, plan), transaction.ProgramError, "computing")
	units = 200_000
	l.create(t, nonce, authority, plan)
	taken := plan
	taken.Mint = l.payer.PublicKey // An account with lamports.
	check(t, simulate(t, l.nonce(t, nonce).Value, taken), transaction.ProgramError, "Instruction 4 failed: An account with this address is already in use.")
}
