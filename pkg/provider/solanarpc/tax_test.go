package solanarpc_test

import (
	"slices"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/creation"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
)

// taxed is a token with a tax of 2.5 percent, its creator and its distribution
// wallet.
type taxed struct {
	ledger
	mint                  solana.PublicKey
	creator, distribution wallet
}

func newTaxed(t *testing.T) taxed {
	t.Helper()
	x := taxed{ledger: newLedger(t), creator: newWallet(t), distribution: newWallet(t)}
	mint := newWallet(t)
	x.mint = mint.PublicKey
	for _, w := range []wallet{x.creator, x.distribution} {
		x.fund(t, w, lamportsPerSOL)
	}
	plan := creation.Creation{
		Payer: x.creator.PublicKey, Mint: x.mint, DistributionWallet: x.distribution.PublicKey,
		Name: "Taxed", Symbol: "TAX", URI: uri, Decimals: 6, Supply: 1_000_000,
		TransferFeeBps: 250, FeeAdjustable: true, FundingLamports: 1,
	}
	var err error
	if plan.MintRentLamports, err = x.MinimumBalance(within(t), token2022.MintSize("A longer name", "TAX", uri)); err != nil {
		t.Fatal(err)
	}
	steps, err := plan.Steps()
	if err != nil {
		t.Fatal(err)
	}
	var list []solana.Instruction
	for _, s := range steps {
		list = append(list, s.Instruction)
	}
	x.execute(t, []wallet{x.creator, mint}, list...)
	return x
}

// account returns the state of a wallet's token account, which it creates.
func (x taxed) account(t *testing.T, w wallet) (solana.PublicKey, token2022.Account) {
	t.Helper()
	in, address, err := token2022.CreateAssociatedIdempotent{
		Payer: x.payer.PublicKey, Wallet: w.PublicKey, Mint: x.mint,
	}.Instruction()
	if err != nil {
		t.Fatal(err)
	}
	found, ok, err := x.Account(within(t), address)
	if err != nil {
		t.Fatal(err)
	}
	if !ok {
		x.execute(t, []wallet{x.payer}, in)
		return x.account(t, w)
	}
	state, err := token2022.DecodeAccount(found.Owner, found.Data)
	if err != nil {
		t.Fatal(err)
	}
	return address, state
}

func (x taxed) state(t *testing.T) token2022.Mint {
	t.Helper()
	stored, _, err := x.Account(within(t), x.mint)
	if err != nil {
		t.Fatal(err)
	}
	mint, err := token2022.DecodeMint(stored.Owner, stored.Data)
	if err != nil {
		t.Fatal(err)
	}
	return mint
}

func TestTaxOnTheChain(t *testing.T) {
	x := newTaxed(t)
	holder := newWallet(t)
	from, _ := x.account(t, x.creator)
	to, _ := x.account(t, holder)
	collected, _ := x.account(t, x.distribution)
	fee := x.state(t).TransferFee.Newer.On(10_001)
	if fee != 251 { // 250.025, rounded up
		t.Errorf("the tax of 10,001 is %d", fee)
	}
	x.execute(t, []wallet{x.creator},
		token2022.TransferChecked{
			Source: from, Mint: x.mint, Destination: to, Owner: x.creator.PublicKey, Amount: 10_001, Decimals: 6,
		}.Instruction(),
		token2022.TransferCheckedWithFee{
			Source: from, Mint: x.mint, Destination: to, Owner: x.creator.PublicKey, Amount: 10_001, Decimals: 6, Fee: fee,
		}.Instruction())
	if _, got := x.account(t, holder); got.Amount != 2*(10_001-fee) || got.Withheld != 2*fee {
		t.Errorf("the holder has %+v", got)
	}

	x.execute(t, []wallet{x.payer}, token2022.HarvestWithheldToMint{Mint: x.mint, Sources: []solana.PublicKey{to}}.Instruction())
	if got := x.state(t).TransferFee.Withheld; got != 2*fee {
		t.Errorf("%d harvested, want %d", got, 2*fee)
	}
	x.execute(t, []wallet{x.distribution}, token2022.WithdrawWithheldFromMint{
		Mint: x.mint, Destination: collected, Authority: x.distribution.PublicKey,
	}.Instruction())

	x.execute(t, []wallet{x.creator}, token2022.TransferChecked{
		Source: from, Mint: x.mint, Destination: to, Owner: x.creator.PublicKey, Amount: 1, Decimals: 6,
	}.Instruction())
	withdraw, err := token2022.WithdrawWithheldFromAccounts{
		Mint: x.mint, Destination: collected, Authority: x.distribution.PublicKey, Sources: []solana.PublicKey{to},
	}.Instruction()
	if err != nil {
		t.Fatal(err)
	}
	x.execute(t, []wallet{x.distribution}, withdraw)
	if _, got := x.account(t, x.distribution); got.Amount != 2*fee+1 {
		t.Errorf("%d collected, want %d", got.Amount, 2*fee+1)
	}

	x.execute(t, []wallet{x.distribution}, token2022.BurnChecked{
		Account: collected, Mint: x.mint, Owner: x.distribution.PublicKey, Amount: 2 * fee, Decimals: 6,
	}.Instruction())
	if got := x.state(t).Supply; got != 1_000_000-2*fee {
		t.Errorf("supply %d after burning %d", got, 2*fee)
	}
}

func TestSettingsChangeOnTheChain(t *testing.T) {
	x := newTaxed(t)
	x.execute(t, []wallet{x.creator},
		token2022.SetTransferFee{Mint: x.mint, Authority: x.creator.PublicKey, BasisPoints: 100, MaximumFee: 7}.Instruction(),
		token2022.UpdateMetadataField{
			Mint: x.mint, UpdateAuthority: x.creator.PublicKey, Field: token2022.FieldName, Value: "A longer name",
		}.Instruction())
	got := x.state(t)
	if fee := got.TransferFee; fee.Newer.BasisPoints != 100 || fee.Newer.MaximumFee != 7 ||
		fee.Older.BasisPoints != 250 || fee.Newer.Epoch != fee.Older.Epoch+2 {
		t.Errorf("tax %+v", fee)
	}
	if got.Metadata.Name != "A longer name" {
		t.Errorf("name %q", got.Metadata.Name)
	}
	x.execute(t, []wallet{x.creator, x.payer, x.distribution},
		systemprogram.Transfer{From: x.payer.PublicKey, To: x.mint, Lamports: 1_000_000}.Instruction(),
		token2022.UpdateMetadataField{
			Mint: x.mint, UpdateAuthority: x.creator.PublicKey, Field: token2022.FieldKey("k"), Value: "v",
		}.Instruction(),
		token2022.UpdateMetadataAuthority{Mint: x.mint, Current: x.creator.PublicKey, New: x.payer.PublicKey}.Instruction(),
		token2022.SetAuthority{
			Account: x.mint, Current: x.creator.PublicKey, Type: token2022.AuthorityTransferFeeConfig,
		}.Instruction(),
		token2022.SetAuthority{
			Account: x.mint, Current: x.distribution.PublicKey, Type: token2022.AuthorityWithdrawWithheld, New: x.payer.PublicKey,
		}.Instruction())
	got = x.state(t)
	if len(got.Metadata.Additional) != 1 || got.Metadata.Additional[0] != (token2022.MetadataEntry{Key: "k", Value: "v"}) {
		t.Errorf("further fields %+v", got.Metadata.Additional)
	}
	if got.Metadata.UpdateAuthority != x.payer.PublicKey || !got.TransferFee.ConfigAuthority.IsZero() ||
		got.TransferFee.WithdrawWithheldAuthority != x.payer.PublicKey {
		t.Errorf("authorities %+v, %+v", got.Metadata, got.TransferFee)
	}
}

// TestTwoOfThreeOnTheChain launches a token with a guardian. Two members collect the tax, and one
// member alone does not. Guardian and creator hand the authority over without the distribution
// wallet.
func TestTwoOfThreeOnTheChain(t *testing.T) {
	ctx, l := within(t), newLedger(t)
	creator, distribution, guardian, mint, heir := newWallet(t), newWallet(t), newWallet(t), newWallet(t), newWallet(t)
	for _, w := range []wallet{creator, distribution} {
		l.fund(t, w, lamportsPerSOL)
	}
	plan := creation.Creation{
		Payer: creator.PublicKey, Mint: mint.PublicKey, DistributionWallet: distribution.PublicKey, Guardian: guardian.PublicKey,
		Name: "Two of three", Symbol: "TWO", URI: uri, Decimals: 6, Supply: 1_000_000, TransferFeeBps: 250, FundingLamports: 1,
	}
	var err error
	if plan.MintRentLamports, err = l.MinimumBalance(ctx, token2022.MintSize(plan.Name, plan.Symbol, uri)); err != nil {
		t.Fatal(err)
	}
	if plan.MultisigRentLamports, err = l.MinimumBalance(ctx, token2022.MultisigSize); err != nil {
		t.Fatal(err)
	}
	steps, err := plan.Steps()
	if err != nil {
		t.Fatal(err)
	}
	var launch []solana.Instruction
	for _, s := range steps {
		launch = append(launch, s.Instruction)
	}
	l.execute(t, []wallet{creator, mint}, launch...)

	x := taxed{ledger: l, mint: mint.PublicKey, creator: creator, distribution: distribution}
	authority := x.state(t).TransferFee.WithdrawWithheldAuthority
	stored, found, err := l.Account(ctx, authority)
	if err != nil || !found {
		t.Fatalf("the authority %s: found %t, %v", authority, found, err)
	}
	multisig, err := token2022.DecodeMultisig(stored.Owner, stored.Data)
	if want := creation.Members(distribution.PublicKey, guardian.PublicKey, creator.PublicKey); err != nil ||
		multisig.Required != creation.MembersRequired || !slices.Equal(multisig.Members, want) {
		t.Fatalf("the authority is %+v, %v, want %v", multisig, err, want)
	}
	t.Logf("rent of the multisig account: %d lamports, once a token", plan.MultisigRentLamports)

	from, _ := x.account(t, creator)
	to, _ := x.account(t, newWallet(t))
	collected, _ := x.account(t, distribution)
	trade := func() {
		x.execute(t, []wallet{creator}, token2022.TransferChecked{
			Source: from, Mint: x.mint, Destination: to, Owner: creator.PublicKey, Amount: 1_000, Decimals: 6,
		}.Instruction())
	}
	collect := func(signers ...wallet) (accounts, harvested solana.Instruction) {
		var keys []solana.PublicKey
		for _, w := range signers {
			keys = append(keys, w.PublicKey)
		}
		accounts, err := token2022.WithdrawWithheldFromAccounts{
			Mint: x.mint, Destination: collected, Authority: authority, Signers: keys, Sources: []solana.PublicKey{to},
		}.Instruction()
		if err != nil {
			t.Fatal(err)
		}
		return accounts, token2022.WithdrawWithheldFromMint{Mint: x.mint, Destination: collected, Authority: authority, Signers: keys}.Instruction()
	}
	refused := func(signers []wallet, in ...solana.Instruction) {
		t.Helper()
		recent, err := l.LatestBlockhash(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Execute(ctx, sign(t, recent, signers, in...)); err == nil {
			t.Error("the chain accepts one member of three")
		}
	}
	trade()
	for _, alone := range []wallet{distribution, creator} {
		accounts, harvested := collect(alone)
		refused([]wallet{alone}, accounts)
		refused([]wallet{alone}, harvested)
		accounts, _ = collect(alone, alone)
		refused([]wallet{alone}, accounts)
	}
	accounts, harvested := collect(distribution, guardian)
	x.execute(t, []wallet{distribution, guardian}, accounts, harvested)
	if _, got := x.account(t, distribution); got.Amount != 25 {
		t.Errorf("%d collected, want 25", got.Amount)
	}

	hand := func(signers ...solana.PublicKey) solana.Instruction {
		return token2022.SetAuthority{
			Account: x.mint, Current: authority, Type: token2022.AuthorityWithdrawWithheld, New: heir.PublicKey, Signers: signers,
		}.Instruction()
	}
	refused([]wallet{distribution}, hand(distribution.PublicKey))
	refused([]wallet{creator}, hand(creator.PublicKey))
	x.execute(t, []wallet{creator, guardian}, hand(creator.PublicKey, guardian.PublicKey))
	if got := x.state(t).TransferFee.WithdrawWithheldAuthority; got != heir.PublicKey {
		t.Errorf("the authority is %s after the hand-over, want %s", got, heir.PublicKey)
	}
	trade()
	accounts, _ = collect(distribution, guardian)
	refused([]wallet{distribution, guardian}, accounts)
}
