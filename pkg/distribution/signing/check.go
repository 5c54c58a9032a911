package signing

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
	"tokenlaunch.example/service/pkg/token/wallet"
)

// facts reads the active run of every token of a request, once.
type facts struct {
	runs      run.Reader
	recovered time.Time
	found     once[solana.PublicKey, run.Run]
}

// of returns the active run of a token that is not frozen.
func (f *facts) of(ctx context.Context, mint solana.PublicKey) (run.Run, error) {
	return f.found.get(mint, func() (run.Run, error) { return f.read(ctx, mint) })
}

func (f *facts) read(ctx context.Context, mint solana.PublicKey) (run.Run, error) {
	head, err := f.runs.Head(ctx, mint)
	switch {
	case err != nil:
		return run.Run{}, fmt.Errorf("read the head of %s: %w", mint, err)
	case head.Stopped(f.recovered):
		return run.Run{}, stale("token %s is frozen, or its wallet is not compared yet", mint)
	case head.Active.IsZero():
		return run.Run{}, refuse("token %s has no active run", mint)
	}
	r, err := f.runs.Run(ctx, mint, head.Active)
	switch {
	case errors.Is(err, run.ErrNotFound):
		return run.Run{}, refuse("token %s has no run of %s", mint, head.Active)
	case err != nil:
		return run.Run{}, fmt.Errorf("read the active run of %s: %w", mint, err)
	case r.End != nil || r.Mint != mint:
		return run.Run{}, refuse("run %s is not active", r.ID)
	case r.Settings.HoldersBps() < r.Settings.MinimumHoldersBps:
		return run.Run{}, refuse("run %s leaves holders %d basis points, and promises %d", r.ID, r.Settings.HoldersBps(), r.Settings.MinimumHoldersBps)
	}
	return r, nil
}

// look checks an order's message, and returns the outflow. It returns payout.ErrNotSigned if the
// message must not be signed.
func (c Core) look(ctx context.Context, keys *ring, reads *facts, o payout.Order) (Charge, error) {
	p, err := c.Payments.Payment(ctx, o.Payment)
	switch {
	case errors.Is(err, payout.ErrNotFound):
		return Charge{}, refuse("payment %s is not decided", o.Payment)
	case err != nil:
		return Charge{}, fmt.Errorf("read payment %s: %w", o.Payment, err)
	case p.ID != o.Payment || p.Mint != o.Mint:
		return Charge{}, refuse("payment %s is another one's", o.Payment)
	case p.Status().Decided():
		return Charge{}, stale("payment %s is %s", o.Payment, p.Status())
	case p.Status() == payout.Planned:
		return Charge{}, refuse("payment %s is not decided", o.Payment)
	}
	// Read the run after the payment: a run ends only after the end of all its payments.
	r, err := reads.of(ctx, o.Mint)
	if err != nil {
		return Charge{}, err
	}
	if r.ID != o.Payment.Run || r.Token.Wallet != o.Wallet {
		return Charge{}, refuse("the active run of %s is %s, of wallet %s", o.Mint, r.ID, r.Token.Wallet.Address)
	}
	message, err := read(o.Message)
	if err != nil {
		return Charge{}, refuse("the message cannot be read: %v", err)
	}
	key, err := keys.open(ctx, o.Wallet)
	if err != nil {
		return Charge{}, err
	}
	l := look{Core: c, run: r, payment: p, message: message, wallet: o.Wallet.Address, moves: map[terms.Asset]uint64{}}
	if err := l.all(ctx, key); err != nil {
		return Charge{}, err
	}
	return Charge{Payment: l.name, Message: sha256.Sum256(o.Message), Fee: l.fee, Moves: l.moves, Returns: l.returns}, nil
}

// read reads a message that the engine composes: a legacy message, or a message of version 1 with
// the wallet, and possibly a token's guardian, as the signers.
func read(raw []byte) (wire.Message, error) {
	return wire.ParseOwnMessage(raw)
}

// look is a message under validation, with the run and payment that the message must match.
type look struct {
	Core
	run     run.Run
	payment payout.Payment
	message wire.Message
	wallet  solana.PublicKey
	// The results of the checks: the name under which the payment is counted, the fee, and the
	// outflow.
	name    string
	fee     uint64
	lent    uint64 // to the receipt
	returns uint64 // from receipts
	moves   map[terms.Asset]uint64
}

// maxReceiptRent is the maximum number of lamports that a message may deposit in a receipt. The
// deposit still belongs to the wallet. The rent of an account without data is 890,880 lamports, and
// falling.
const maxReceiptRent = 5_000_000

// all checks the whole message.
func (l *look) all(ctx context.Context, key wallet.Key) error {
	if l.message.FeePayer() != l.wallet {
		return refuse("its fee payer is %s, not the wallet", l.message.FeePayer())
	}
	sale := l.payment.ID.Kind == payout.Exchange || l.payment.ID.Kind == payout.Fuel
	most := 1
	collector := l.run.Collector()
	guarded := l.payment.ID.Kind == payout.Collect && collector.Guarded()
	if sale && l.CoSigned || guarded {
		most = 2
	}
	signers := l.message.Signers()
	if len(signers) > most {
		return refuse("%d accounts sign it", len(signers))
	}
	if guarded && (len(signers) != most || signers[1] != collector.Guardian) {
		return refuse("the guardian %s does not sign it", collector.Guardian)
	}
	does := l.message.Instructions()
	l.name = l.payment.ID.String()
	if l.payment.ID.Kind.Receipted() {
		if err := l.receipt(key, does); err != nil {
			return err
		}
		does = does[1:]
	}
	does, err := l.budget(does)
	if err != nil {
		return err
	}
	switch {
	case len(does) > 0:
		return l.what(ctx, does)
	case l.payment.Receipt != nil: // a void attempt only creates the receipt
		return nil
	}
	return refuse("it does nothing")
}

// receipt checks that the first instruction creates the payment's own receipt, which lets at most
// one of the payment's messages land.
func (l *look) receipt(key wallet.Key, does []wire.Instruction) error {
	stored := l.payment.Receipt
	if stored == nil || len(does) == 0 {
		return refuse("it creates no receipt")
	}
	seed := key.Seed(payout.SeedOrder{Payment: l.payment.ID, Generation: stored.Generation}.Text())
	address, err := systemprogram.AddressWithSeed(l.wallet, seed, solana.SystemProgramID)
	if err != nil || address != stored.Address { // the address fixes the seed
		return refuse("the receipt of payment %s is another one", l.payment.ID)
	}
	for _, earlier := range l.payment.Blocked {
		if keys := does[0].Keys(); len(keys) > 1 && keys[1] == earlier.Address {
			return stale("payment %s has another receipt now", l.payment.ID)
		}
	}
	made, err := systemprogram.DecodeCreateAccountWithSeed(does[0].Keys(), does[0].Data)
	if err != nil || made.Lamports > maxReceiptRent {
		return refuse("it does not create the receipt first")
	}
	want := systemprogram.CreateAccountWithSeed{
		Payer: l.wallet, Account: address, Base: l.wallet, Seed: seed, Lamports: made.Lamports, Owner: solana.SystemProgramID,
	}.Instruction()
	// The program ignores additional accounts. An anchor names some.
	first := does[0]
	if n := len(want.Accounts()); len(first.Accounts) > n && l.payment.ID.Kind == payout.Anchor {
		first.Accounts = first.Accounts[:n]
	}
	if !first.Same(want) {
		return refuse("it does not create the receipt first")
	}
	l.name, l.lent = address.String(), made.Lamports
	return nil
}

// budget removes the instructions of the compute budget, and sets the fee. A legacy message must
// have a limit of compute units, because the fee is the price times the limit.
func (l *look) budget(does []wire.Instruction) (rest []wire.Instruction, err error) {
	_, v1 := l.message.V1()
	limits, prices, loads := 0, 0, 0
	for _, in := range does {
		_, limit := computebudget.ReadUnitLimit(in.ProgramID, in.Data)
		_, price := computebudget.ReadUnitPrice(in.ProgramID, in.Data)
		_, data := computebudget.ReadAccountsData(in.ProgramID, in.Data)
		switch {
		case in.ProgramID != solana.ComputeBudget:
			rest = append(rest, in)
		case limit && !v1:
			limits++
		case price && !v1:
			prices++
		case data && !v1:
			loads++
		default:
			return nil, refuse("it asks the compute budget for something else")
		}
	}
	if !v1 && (limits != 1 || prices > 1 || loads > 1) {
		return nil, refuse("it has %d limits and %d prices of compute units, and %d limits of data", limits, prices, loads)
	}
	config, _ := l.message.V1()
	l.fee = Add(payout.FeeOf(l.message), config.PriorityFeeLamports)
	return rest, nil
}

// what checks every instruction after the receipt.
func (l *look) what(ctx context.Context, does []wire.Instruction) error {
	p := l.payment
	switch p.ID.Kind {
	case payout.Setup:
		return l.setup(does)
	case payout.Collect:
		return l.collect(does)
	case payout.Return:
		return l.giveBack(does)
	case payout.Pay:
		return l.pay(ctx, does)
	case payout.Exchange, payout.Fuel:
		return l.sell(ctx)
	case payout.Release:
		return l.release(ctx, does)
	case payout.Refund:
		return l.refund(ctx, does)
	case payout.Handover:
		return l.handsOver(ctx, does)
	case payout.Burn, payout.Creator, payout.Anchor:
		want, asset, amount, err := l.run.Fixed(p.ID)
		if err != nil {
			return refuse("%v", err)
		}
		if p.Asset != asset || p.Amount != amount {
			return refuse("payment %s is not what its run decided", p.ID)
		}
		if named := l.message.Instructions()[0].Keys()[2:]; !slices.Equal(named, want.Named) {
			return refuse("its receipt names other accounts")
		}
		if err := exactly(does, want.Instructions); err != nil {
			return err
		}
		if p.ID.Kind != payout.Burn { // a thief gains nothing from a burn
			l.moves[asset] += amount
		}
		if p.ID.Kind == payout.Creator && !asset.IsSOL() {
			return l.accounts(ctx, 1)
		}
		return nil
	}
	return refuse("payments of kind %.20q are not known", string(p.ID.Kind))
}

// accounts counts the rent of n accounts of third parties.
func (l *look) accounts(ctx context.Context, n int) error {
	if n == 0 {
		return nil
	}
	rent, err := l.Chain.MinimumBalance(ctx, token2022.AssociatedAccountSize)
	if err != nil {
		return err
	}
	l.moves[terms.SOL] += uint64(n) * rent //nolint:gosec // a batch's
	return nil
}

// setup accepts only the creation of the wallet's own accounts that the run requires.
func (l *look) setup(does []wire.Instruction) error {
	for _, in := range does {
		known := false
		for _, a := range l.run.Requirements().Accounts {
			want, _, err := token2022.CreateAssociatedIdempotent{
				Payer: l.wallet, Wallet: l.wallet, Mint: a.Mint, Program: a.Program,
			}.Instruction()
			known = known || err == nil && in.Same(want)
		}
		if !known {
			return refuse("it makes an account that the run does not need")
		}
	}
	return nil
}

// collect accepts only collections of withheld tax into the wallet's own account.
func (l *look) collect(does []wire.Instruction) error {
	account, err := token2022.AssociatedAddress(l.wallet, l.run.Mint, solana.Token2022ProgramID)
	if err != nil {
		return refuse("%v", err)
	}
	for _, in := range does {
		if !l.collects(in, account) {
			return refuse("it does more than collect")
		}
	}
	return nil
}

// collects reports whether an instruction withdraws tax to the wallet's own account, from the mint
// or from holders' accounts.
func (l *look) collects(in wire.Instruction, account solana.PublicKey) bool {
	return Collects(in, l.run.Mint, account, l.wallet, l.run.Collector())
}

// Collects reports whether an instruction withdraws tax of a mint to the given account, from the
// mint or from holders' accounts, by the given authority.
func Collects(in wire.Instruction, mint, account, wallet solana.PublicKey, by token.Collector) bool {
	signers := by.Signers(wallet)
	if in.Same(token2022.WithdrawWithheldFromMint{Mint: mint, Destination: account, Authority: by.Authority, Signers: signers}.Instruction()) {
		return true
	}
	keys := in.Keys()
	sources := 3 + len(signers) // after the mint, the destination and the authority
	if len(keys) < sources {
		return false
	}
	withdraw, err := token2022.WithdrawWithheldFromAccounts{
		Mint: mint, Destination: account, Authority: by.Authority, Signers: signers, Sources: keys[sources:],
	}.Instruction()
	return err == nil && in.Same(withdraw)
}

// giveBack accepts only transfers from receipts to the wallet.
func (l *look) giveBack(does []wire.Instruction) error {
	for _, in := range does {
		t, err := systemprogram.DecodeTransferWithSeed(in.Keys(), in.Data)
		if err != nil || !in.Same(systemprogram.TransferWithSeed{
			From: t.From, Base: l.wallet, Seed: t.Seed, Owner: solana.SystemProgramID, To: l.wallet, Lamports: t.Lamports,
		}.Instruction()) {
			return refuse("it does more than empty receipts")
		}
		l.returns = Add(l.returns, t.Lamports)
	}
	return nil
}

// pay accepts only the payments of a batch's records as planned.
func (l *look) pay(ctx context.Context, does []wire.Instruction) error {
	p := l.payment
	phase, err := l.run.Phase(payout.Pay, p.ID.Leg)
	if err != nil {
		return refuse("%v", err)
	}
	planned, ok := phase.Planned(p.ID)
	if !ok || planned.From != p.From || planned.To != p.To || p.Asset != phase.Asset {
		return refuse("payment %s is not what its phase plans", p.ID)
	}
	list, err := l.Records.Records(ctx, phase, p.From, p.To)
	if err != nil {
		return fmt.Errorf("read records %d to %d of run %s: %w", p.From, p.To, p.ID.Run, err)
	}
	amount := uint64(0)
	for n, entry := range list {
		record := p.From + uint32(n)
		if slices.ContainsFunc(p.Skips, func(s payout.Skip) bool { return s.Record == record }) {
			continue
		}
		if slices.Contains(p.Made, record) {
			if entry.Amount < phase.AccountCharge {
				return refuse("record %d is charged more than it has", record)
			}
			entry.Amount -= phase.AccountCharge
		}
		if amount+entry.Amount < amount {
			return refuse("the amounts of payment %s are too large", p.ID)
		}
		amount += entry.Amount
	}
	if amount != p.Amount {
		return refuse("payment %s moves %d, its plan %d", p.ID, p.Amount, amount)
	}
	want, err := phase.Pays(p, list)
	if err != nil {
		return refuse("%v", err)
	}
	if err := exactly(does, want.Instructions); err != nil {
		return err
	}
	l.moves[p.Asset] += amount
	return l.accounts(ctx, len(p.Made))
}

// sell checks a sale against the exchange's rules and a simulation. The signer does not know a fair
// price, so the whole amount of a sale counts against the caps.
func (l *look) sell(ctx context.Context) error {
	p := l.payment
	most, into, ok := l.run.ForSale(p.ID.Kind)
	if !ok || p.Amount > most || p.Asset != terms.Asset(l.run.Mint) {
		return refuse("payment %s is not what its run sells", p.ID)
	}
	quote := exchange.Quote{
		Order: exchange.Order{Wallet: l.wallet, Input: l.run.Mint, Amount: p.Amount, Output: into}, In: p.Amount, MinimumOut: 1,
	}
	policy := exchange.Policy{Quote: quote, Programs: l.Programs, Receipt: p.Receipt.Address}
	for _, signer := range l.message.Signers() {
		if signer != l.wallet { // at most one co-signer, and only if CoSigned
			policy.CoSigners = append(policy.CoSigners, signer)
		}
	}
	if err := exchange.Check(l.message, policy); err != nil {
		return refused(err)
	}
	watched, err := exchange.Watched(quote.Order)
	if err != nil {
		return refuse("%v", err)
	}
	others, err := l.others(quote.Order)
	if err != nil {
		return refuse("%v", err)
	}
	watched = append(watched, others...)
	sim, before, after, err := l.Chain.SimulateBalances(ctx, wire.NewTransaction(l.message).Bytes(), watched)
	switch {
	case err != nil:
		return fmt.Errorf("simulate the sale: %w", err)
	case !sim.OK:
		return apperr.Upstream("The exchange", fmt.Errorf("the sale would fail: %s", sim.Detail))
	}
	account, err := l.Chain.MinimumBalance(ctx, token2022.AssociatedAccountSize)
	if err != nil {
		return err
	}
	// The wallet may pay the rent of one account. The rent counts as outflow.
	if err := exchange.CheckBalances(quote, before, after, l.fee+l.lent+account); err != nil {
		return refused(err)
	}
	for _, b := range before {
		if slices.Contains(others, b.Address) && !slices.ContainsFunc(after, func(a exchange.Balance) bool {
			return a.Address == b.Address && a.Amount >= b.Amount
		}) {
			return refuse("it takes something else than what is sold, out of %s", b.Address)
		}
	}
	l.moves[p.Asset] += p.Amount
	l.moves[terms.SOL] += account
	return nil
}

// others returns the wallet's accounts of the run's remaining coins. A sale must not change these
// accounts. An account that the message does not name cannot change, and is left out.
func (l *look) others(o exchange.Order) (list []solana.PublicKey, err error) {
	for _, a := range l.run.Requirements().Accounts {
		if a.Mint == o.Input || a.Mint == o.Output.Mint() {
			continue
		}
		address, err := token2022.AssociatedAddress(l.wallet, a.Mint, a.Program)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(l.message.Accounts(), func(a solana.AccountMeta) bool { return a.PublicKey == address }) {
			list = append(list, address)
		}
	}
	return list, nil
}

// refused converts a decided rejection by the exchange's rules into payout.ErrNotSigned.
func refused(err error) error {
	if _, ok := errors.AsType[*exchange.Deferred](err); ok {
		return refuse("%v", err)
	}
	return err
}

// exactly compares instructions with the expected instructions.
func exactly(does []wire.Instruction, want []solana.Instruction) error {
	if len(does) != len(want) {
		return refuse("it has %d instructions, where %d are expected", len(does), len(want))
	}
	for n, in := range does {
		if !in.Same(want[n]) {
			return refuse("its instruction %d is not what was decided", n)
		}
	}
	return nil
}

// Harmless reports whether instructions of a run's wallet move nothing out of the wallet, and so
// need no receipt. It returns the kind of the instructions if so.
func Harmless(r run.Run, does []wire.Instruction) (payout.Kind, bool) {
	l := &look{run: r, wallet: r.Token.Wallet.Address, moves: map[terms.Asset]uint64{}}
	switch {
	case len(does) == 0:
	case l.setup(does) == nil:
		return payout.Setup, true
	case l.collect(does) == nil:
		return payout.Collect, true
	case l.giveBack(does) == nil:
		return payout.Return, true
	}
	return "", false
}
