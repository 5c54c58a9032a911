package verify

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/chain"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/proof/merkle"
	"tokenlaunch.example/service/pkg/token/content"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Options are the reader's inputs.
type Options struct {
	// Node returns landed transactions. Without Node, the chain is not checked.
	Node chain.Node
	// Markets are the keys with which the wallet may exchange tokens directly, in addition to the
	// programs of TrustList. The reader names the markets, because the chain does not show whether
	// a key is a market.
	Markets []solana.PublicKey
}

// Bundle checks the proof whose anchor has this content ID, using only the proof's files, and with
// a node also against the chain. The report has every problem of the proof and every omitted check.
// The error is the context's error.
func Bundle(ctx context.Context, source format.Source, anchor string, with Options) (Report, error) {
	v := &verifier{source: reaching{source}, markets: with.Markets}
	var node chain.Node
	if with.Node != nil {
		node = telling{with.Node}
	}
	v.verify(ctx, anchor, node)
	if err := ctx.Err(); err != nil {
		return Report{}, fmt.Errorf("verify the proof %s: %w", anchor, err)
	}
	return v.report, nil
}

type verifier struct {
	source  format.Source
	report  Report
	m       format.Manifest
	markets []solana.PublicKey
	// previous is the manifest of the previous run; nil if the manifest cannot be read.
	previous *format.Manifest
	// previousAnchor is the anchor of the previous run, as named in the transactions.
	previousAnchor solana.Signature
	// pays maps the signature of a payment to whether a row names the payment.
	pays map[solana.Signature]bool
	// late maps the payments that landed before the previous run's cut to the slot of landing.
	late map[solana.Signature]uint64
	// launch is the transaction that created the mint; nil unless the snapshot is proven from the
	// mint's creation.
	launch *chain.Transaction
	// onTrust becomes Report.LeftOnTrust.
	onTrust *format.Tally
}

func (v *verifier) verify(ctx context.Context, anchor string, node chain.Node) {
	if !v.anchor(ctx, anchor) || !v.manifest(ctx) {
		return
	}
	m := v.m
	v.report.note("anchor's accounts", checkNamed(m, v.report.Anchor), "the anchor names the wallet's accounts, so that it shows their balances")
	v.report.note("run", checkRun(m), "run %s of the token %s, slot %s", m.RunID, m.Mint, m.Slot.Format("2006-01-02 15:04Z"))
	v.report.note("snapshot", checkSnapshot(m), "%d owners share and %d are left out; with the tax withheld they have the supply of %d, at slot %d",
		m.Snapshot.Eligible.Owners, m.Snapshot.LeftOut.Owners, m.Snapshot.Supply, m.Snapshot.ChainSlot)
	v.report.note("split", checkSplit(m), "of %d, the run took %d: %d burned, %d sold, %d wait",
		m.Split.Spendable, m.Split.Slice, m.Split.Burned, m.Exchange.Sold, m.Split.UnsoldAfter)
	v.report.note("division", checkLegs(m), "%d came in; creator and holders have their parts of it", m.Exchange.Proceeds)
	v.report.note("conservation", checkStatements(m), "%d statements balance to the unit", len(m.Statements))
	v.noteTrusted()
	v.checkPrevious(ctx)
	v.noteSpendable()
	n, err := v.transactions(ctx)
	v.report.note("transactions", err, "%d are named, each once", n)
	rows, err := v.rows(ctx)
	if v.report.note("rows", err, "%d rows have the root in the memo; each share is the balance's part of the total, rounded down, and the columns add up", rows) {
		v.report.LeftOnTrust = v.onTrust
	}
	v.checkHeldBefore(ctx)
	if node == nil {
		v.report.skip("chain", "no node was asked: whether any of it happened")
	} else {
		v.checkChain(ctx, node)
	}
	for _, limit := range Limits() {
		if left := v.report.LeftOnTrust; limit.Name == checkLeftOut && left != nil {
			limit.Detail += fmt.Sprintf(": %d owners with %d of the supply of %d", left.Owners, left.Balance, m.Snapshot.Supply)
		}
		v.report.trust(limit.Name, limit.Detail)
	}
}

// noteTrusted adds the manifest's claims for which only the service vouches.
func (v *verifier) noteTrusted() {
	for _, s := range v.m.Statements {
		if lost := s.Of(format.Undecided); lost > 0 {
			v.report.trust(checkUndecided, fmt.Sprintf("%d of %s left the wallet by a transaction that the service could not decide", lost, s.Asset))
		}
		for _, e := range slices.Concat(s.In, s.Out) {
			if e.Name == format.Adjustment {
				v.report.trust(checkAdjustment, fmt.Sprintf("%d of %s are explained by the service's word alone: %s", e.Amount, s.Asset, e.Reason))
			}
		}
		v.noteReserved(s)
	}
	v.noteBurns()
	v.noteReceipts()
	v.checkOrder()
}

// noteBurns reports burns that exceed the run's split.
func (v *verifier) noteBurns() {
	for _, s := range v.m.Statements {
		if burned := s.Of(format.Burned); s.Asset == v.m.Mint.String() && burned > uint64(v.m.Split.Burned) {
			v.report.trust("burns", fmt.Sprintf("of %d burned, the run burned %d: runs that came to no proof burned the rest", burned, v.m.Split.Burned))
		}
	}
}

// noteSpendable reports tokens that the run could have taken up and left: the float that the
// previous proof left, the unsold tokens and the collected tax, less all other uses.
func (v *verifier) noteSpendable() {
	m := v.m
	if m.Kind != format.Distribution || v.previous == nil && m.Previous != "" {
		return
	}
	token := terms.Asset(m.Mint)
	s, _ := m.Statement(token)
	came := []format.Entry{{Amount: m.Split.Unsold}, {Amount: format.Amount(s.Of(format.Collected))}}
	if v.previous != nil {
		before, _ := v.previous.Statement(token)
		came = append(came, format.Entry{Amount: format.Amount(before.Of(format.Float))})
	}
	went := []format.Entry{{Amount: m.Split.Spendable}, {Amount: format.Amount(s.Of(format.FuelSold))}, {Amount: format.Amount(s.Of(format.TaxOnSending))}, {Amount: format.Amount(s.Of(format.Adjustment))}}
	for all, own := range map[format.Name]format.Amount{format.Burned: m.Split.Burned, format.Sold: m.Exchange.Sold} {
		if gone := format.Amount(s.Of(all)); gone > own {
			went = append(went, format.Entry{Amount: gone - own})
		}
	}
	if left := total(0, came).over(total(0, went)); left > 0 {
		v.report.trust("spendable", fmt.Sprintf("%d that the run could have taken up stayed in the wallet", left))
	}
}

// noteReserved reports amounts that may have left the wallet without evidence. These are amounts
// that rows reserve and the statement does not hold, and amounts that are reserved for the creator:
// no later proof can name a late payment to the creator, and the next proof may omit the amount.
func (v *verifier) noteReserved(s format.Statement) {
	for _, l := range v.m.Legs {
		if l.Asset != s.Asset {
			continue
		}
		if sent := l.Creator().Reserved; sent > 0 {
			v.report.trust(checkUndecided, fmt.Sprintf("%d of %s were sent to the creator, perhaps: no later proof can say", sent, s.Asset))
		}
		if held := s.Of(format.Reserved); held < uint64(l.Sums.Reserved) {
			v.report.trust(checkUndecided, fmt.Sprintf("%d of %s are reserved for holders, and %d are held for that", l.Sums.Reserved, s.Asset, held))
		}
	}
}

// OnTrust returns the names of the trusted checks of a proof with this manifest, without
// duplicates. It does not verify the proof. The verification of a valid proof has at least these
// trusted checks.
func OnTrust(m format.Manifest) (names []string) {
	v := &verifier{m: m}
	v.noteTrusted()
	for _, c := range append(v.report.Checks, Limits()...) {
		if c.Verdict == Trusted && !slices.Contains(names, c.Name) {
			names = append(names, c.Name)
		}
	}
	return names
}

// Limits returns the claims that no proof can show.
func Limits() []Check {
	return []Check{
		{Name: "price", Verdict: Trusted, Detail: "that an exchange got the best price: the chain shows only what it brought"},
		{Name: checkLeftOut, Verdict: Trusted, Detail: "that the owners who are left out are what their reason says, except for a balance that does not count and an address off the curve; anyone can look at their accounts"},
		{Name: "costs", Verdict: Trusted, Detail: "that what was kept for the wallet's own costs was needed, and its fees were no higher than they had to be: the maker of a block earns them"},
		{Name: "worth paying", Verdict: Trusted, Detail: "that the limit for what is worth paying is the right one: it is the same for all"},
	}
}

// checkOrder checks the creator's signature of the settings. Without a signature, checkOrder
// reports that the settings rest on the service's word.
func (v *verifier) checkOrder() {
	s := v.m.Settings
	if s.Order == (format.Signature{}) {
		v.report.trust("settings", fmt.Sprintf("that %s ordered version %d of the settings: no signature over them is in the proof", v.m.Creator, s.Version))
		return
	}
	err := terms.VerifyOrder(v.m.Creator.PublicKey(), v.m.Mint.PublicKey(), s.Version, s.Terms(), solana.Signature(s.Order))
	v.report.note("settings", err, "%s signed version %d of the settings", v.m.Creator, s.Version)
}

// noteReceipts reports lamports that unnamed transactions lent to receipts or returned, because
// such transactions cannot be checked on the chain.
func (v *verifier) noteReceipts() {
	for _, s := range v.m.Statements {
		lent, returned := s.Of(format.ReceiptsLent), s.Of(format.ReceiptsReturned)
		named := v.m.Receipts
		if s.Asset == terms.RewardSOL && (lent > uint64(named.Lent) || returned > uint64(named.Returned)) {
			v.report.trust("receipts", fmt.Sprintf("of %d lamports lent to receipts and %d returned, the named transactions moved %d and %d: runs that came to no proof moved the rest",
				lent, returned, named.Lent, named.Returned))
		}
	}
}

func (v *verifier) anchor(ctx context.Context, cid string) bool {
	raw, err := format.Open(ctx, v.source, content.ProofAnchor, cid)
	if err == nil {
		v.report.Anchor, err = ReadAnchor(raw)
	}
	if errors.Is(err, format.ErrOldProof) {
		v.report.skip("anchor", err.Error())
		return false
	}
	a := v.report.Anchor
	return v.report.note("anchor", err, "%s signed the memo of run %s", a.Wallet, a.RunID)
}

func (v *verifier) manifest(ctx context.Context) bool {
	a := v.report.Anchor
	m, err := format.ReadManifest(ctx, v.source, a.ManifestCID())
	if err == nil {
		switch {
		case m.Wallet.PublicKey() != a.Wallet:
			err = fmt.Errorf("the manifest is of the wallet %s, and %s signed the anchor", m.Wallet, a.Wallet)
		case m.RunID != a.RunID:
			err = fmt.Errorf("the manifest is of run %s, and the anchor of %s", m.RunID, a.RunID)
		case m.Rows.Root != a.Root.String():
			err = fmt.Errorf("the rows have the root %s, and the memo %s", m.Rows.Root, a.Root)
		case m.Number != a.Number:
			err = fmt.Errorf("the manifest is of proof %d, and the anchor of proof %d", m.Number, a.Number)
		case m.OrderHash() != a.Order:
			err = fmt.Errorf("the settings' text has the hash %s, and the memo %s", m.OrderHash(), a.Order)
		default:
			var before merkle.Hash
			if before, err = m.PreviousHash(); err == nil && before != a.Previous {
				err = fmt.Errorf("the manifest before is %s, and the memo says %s", before, a.Previous)
			}
		}
	}
	if err == nil {
		v.m, v.report.Manifest = m, m
	}
	return v.report.note("manifest", err, "its hash, the rows' root and the run are those of the memo")
}

// checkNamed checks that the anchor names the accounts whose balances the anchor must show.
func checkNamed(m format.Manifest, a format.Anchor) error {
	list, err := m.AnchorAccounts()
	for _, account := range list {
		if !slices.Contains(a.Accounts, account) {
			err = errors.Join(err, fmt.Errorf("the anchor does not name %s, so it does not show its balance", account))
		}
	}
	return err
}

// checkPrevious checks the amounts that the run took over from the previous run.
func (v *verifier) checkPrevious(ctx context.Context) {
	const name = "run before"
	if v.m.Previous == "" {
		v.report.note(name, checkFirst(v.m), "there is none: nothing was owed")
		return
	}
	previous, err := format.ReadManifest(ctx, v.source, v.m.Previous)
	if errors.Is(err, format.ErrNoFile) {
		v.report.skip(name, "its files are not here, so what was owed before is taken as it is said")
		return
	}
	if err == nil {
		err = checkAfter(v.m, previous)
	}
	if v.report.note(name, err, "run %s left what this run began with", previous.RunID) {
		v.previous = &previous
	}
}

// checkFirst checks that a run without a previous run takes over no amount.
func checkFirst(m format.Manifest) error {
	for _, l := range m.Legs {
		if l.Sums.Owed > 0 || l.Creator().Owed > 0 || l.RemainderIn > 0 {
			return fmt.Errorf("there was no run before, and %s is owed or left over", l.Asset)
		}
	}
	if m.Split.Unsold > 0 {
		return fmt.Errorf("there was no run before, and %d are unsold", m.Split.Unsold)
	}
	return nil
}

// checkAfter checks that the run begins with the amounts that the previous run left.
func checkAfter(m format.Manifest, previous format.Manifest) error {
	var r rules
	r.hold(previous.Mint == m.Mint && previous.Slot.Before(m.Slot), "it is run %s of %s at %s", previous.RunID, previous.Mint, previous.Slot)
	checkWalletsBefore(m, previous, &r)
	r.hold(previous.Number+1 == m.Number, "it is proof %d, and this one %d", previous.Number, m.Number)
	r.hold(previous.Cut < m.Cut && (m.Kind == format.Claim || previous.Cut < m.Snapshot.ChainSlot),
		"its books are closed at slot %d, and this run has a snapshot of slot %d and closes at slot %d", previous.Cut, m.Snapshot.ChainSlot, m.Cut)
	r.hold(previous.Settings.Version < m.Settings.Version || previous.OrderHash() == m.OrderHash(), "the settings have changed, and their version has not")
	r.promise(m.Settings.Terms(), previous.Settings.Terms())
	r.delayed(m, previous.Paid())
	r.hold(previous.Split.UnsoldAfter == m.Split.Unsold, "it left %d unsold, and this run began with %d", previous.Split.UnsoldAfter, m.Split.Unsold)
	legs := map[string]format.Leg{}
	for _, l := range m.Legs {
		legs[l.Asset] = l
	}
	for _, l := range previous.Legs {
		now := legs[l.Asset]
		delete(legs, l.Asset)
		left, took := l.Creator(), now.Creator()
		r.hold(l.Sums.Carried == now.Sums.Owed && tookOver(now, l) && l.RemainderOut == now.RemainderIn,
			"it left %d %s owed, %d to the creator and %d over; this run began with %d, %d and %d, or the creator's wallets with other parts of it", l.Sums.Carried, l.Asset,
			left.Carried, l.RemainderOut, now.Sums.Owed, took.Owed, now.RemainderIn)
	}
	for _, l := range legs {
		r.hold(l.Sums.Owed == 0 && l.Creator().Owed == 0 && l.RemainderIn == 0, "it left nothing of %s, and this run began with some", l.Asset)
	}
	for _, then := range previous.Statements {
		for _, now := range m.Statements {
			r.hold(then.Asset != now.Asset || opens(m, then) == now.Opening, "it closed with %d %s, and this run opened with %d", then.Closing, now.Asset, now.Opening)
		}
	}
	return r.err()
}

// tookOver reports whether every wallet of the creator begins with the amount that the previous run
// left to the wallet. The first wallet also takes over the amounts of wallets that no longer belong
// to the creator. Reserved amounts may be included or not.
func tookOver(l format.Leg, before format.Leg) bool {
	if len(before.Creators) > terms.MaxSplits { // limits the number of sums below
		return false
	}
	from := make([][]format.CreatorShare, len(l.Creators))
	for _, left := range before.Creators {
		if len(from) == 0 { // the asset has no leg any more, so no amount may be owed
			if left.Carried != left.Reserved {
				return false
			}
			continue
		}
		at := max(0, slices.IndexFunc(l.Creators, func(c format.CreatorShare) bool { return c.Wallet == left.Wallet }))
		from[at] = append(from[at], left)
	}
	for i, list := range from {
		can := []format.Amount{0}
		for _, left := range list {
			more := make([]format.Amount, 0, 2*len(can))
			for _, sum := range can {
				more = append(more, sum+left.Carried)
				if left.Reserved > 0 {
					more = append(more, sum+left.Carried-left.Reserved)
				}
			}
			can = more
		}
		if !slices.Contains(can, l.Creators[i].Owed) {
			return false
		}
	}
	return true
}

// transactions reads the list of transactions.
func (v *verifier) transactions(ctx context.Context) (uint64, error) {
	seen := map[solana.Signature]format.Purpose{}
	v.pays, v.late = map[solana.Signature]bool{}, map[solana.Signature]uint64{}
	for t, err := range v.m.AllTransactions(ctx, v.source) {
		if err != nil {
			return 0, err
		}
		if _, twice := seen[t.Signature]; twice {
			return 0, fmt.Errorf("%s is named twice", t.Signature)
		}
		seen[t.Signature] = t.Purpose
		late := v.previous != nil && t.Slot <= v.previous.Cut
		switch {
		case t.Slot > v.m.Cut:
			return 0, fmt.Errorf("%s landed at slot %d, and the books are closed at slot %d", t.Signature, t.Slot, v.m.Cut)
		case late && t.Purpose != format.Pay:
			return 0, fmt.Errorf("%s landed at slot %d, before the books of the run before were closed", t.Signature, t.Slot)
		case isPublic(t.Purpose) && !late && v.previous != nil == (v.m.Previous != "") && t.Slot < v.m.Snapshot.ChainSlot:
			return 0, fmt.Errorf("%s, %s, landed at slot %d, and who shares was chosen later, at slot %d", t.Purpose, t.Signature, t.Slot, v.m.Snapshot.ChainSlot)
		case t.Purpose == format.Anchoring && v.previousAnchor.IsZero(): // further anchors are repetitions
			v.previousAnchor = t.Signature
		case t.Purpose == format.Pay:
			v.pays[t.Signature] = false
			if late {
				v.late[t.Signature] = t.Slot
			}
		}
	}
	if v.previousAnchor.IsZero() != (v.m.Previous == "") {
		return 0, errors.New("the anchor before is not named, or there is none before")
	}
	for _, l := range v.m.Legs {
		for _, c := range l.Creators {
			if s := solana.Signature(c.Signature); !s.IsZero() && seen[s] != format.Creator {
				return 0, fmt.Errorf("the creator was paid by %s, which is not named as that", s)
			}
		}
	}
	return v.m.Transactions.Lines, v.once(ctx)
}

// once returns an error if an earlier proof names a late payment, because the payment then settled
// an amount of the earlier run. A proof names no transaction after the proof's cut, so only proofs
// with a later cut are read.
func (v *verifier) once(ctx context.Context) error {
	if len(v.late) == 0 {
		return nil
	}
	const unknown = "the files of earlier runs are not here, so whether those named a late payment, too, is not known"
	oldest := slices.Min(slices.Collect(maps.Values(v.late)))
	for before := *v.previous; oldest <= before.Cut; {
		for t, err := range before.AllTransactions(ctx, v.source) {
			if errors.Is(err, format.ErrNoFile) {
				v.report.skip("late payments", unknown)
				return nil
			}
			if err != nil {
				return fmt.Errorf("the run %s: %w", before.RunID, err)
			}
			if _, late := v.late[t.Signature]; late {
				return fmt.Errorf("%s is named as a late payment, and is named in the run %s before", t.Signature, before.RunID)
			}
		}
		if before.Previous == "" {
			break
		}
		earlier, err := format.ReadManifest(ctx, v.source, before.Previous)
		if errors.Is(err, format.ErrNoFile) {
			v.report.skip("late payments", unknown)
			return nil
		}
		if err != nil {
			return err
		}
		before = earlier
	}
	return nil
}
