package proof_test

import (
	"bytes"
	"cmp"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/proof/verify"
	"tokenlaunch.example/service/pkg/proof/write"
	"tokenlaunch.example/service/pkg/provider/ipfs"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/content"
	"tokenlaunch.example/service/pkg/token/terms"
)

// shelf keeps files in memory, named as content.Store names them.
type shelf struct {
	mutex sync.Mutex
	files map[string][]byte
	fail  error
	lie   bool
}

func newShelf() *shelf { return &shelf{files: map[string][]byte{}} }

func (s *shelf) Save(_ context.Context, kind content.Kind, body []byte) (content.File, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	cid, err := ipfs.CID(body)
	if err != nil || s.fail != nil {
		return content.File{}, max2(err, s.fail)
	}
	s.files[cid+kind.Extension] = bytes.Clone(body)
	if s.lie {
		cid = "bafkrei"
	}
	return content.File{CID: cid, Key: kind.Key(cid)}, nil
}

func max2(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

func (s *shelf) folder() format.Folder {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	files := fstest.MapFS{}
	for name, body := range s.files {
		files[name] = &fstest.MapFile{Data: body}
	}
	return format.Folder{Files: files}
}

// clone returns a shelf of its own with the same files.
func (s *shelf) clone() *shelf { return &shelf{files: maps.Clone(s.files)} }

var (
	strangersKey = ed25519.NewKeyFromSeed(bytes.Repeat([]byte{8}, 32))
	// walletKey and wallet are those of the run that a test makes; see as.
	walletKey = ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, 32))
	wallet    = solana.PublicKey(walletKey.Public().(ed25519.PublicKey))
	mint      = solana.PublicKey{0: 5, 31: 5}
	developer = solana.PublicKey{0: 6, 31: 6}
	creator   = solana.PublicKey(ed25519.NewKeyFromSeed(bytes.Repeat([]byte{9}, 32)).Public().(ed25519.PublicKey))
	usd       = terms.Asset{0: 8, 31: 8}
	hour      = time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
)

// owner returns the key of owner n; keys ascend with n.
func owner(n int) (key solana.PublicKey) {
	binary.BigEndian.PutUint32(key[:], uint32(n)+1)
	key[31] = 1
	return key
}

func signature(words ...any) (s solana.Signature) {
	a, b := sha256.Sum256(fmt.Append(nil, words...)), sha256.Sum256(fmt.Append(nil, "second half", words))
	copy(s[:], a[:])
	copy(s[32:], b[:])
	return s
}

func stream[T any](values []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, v := range values {
			if !yield(v, nil) {
				return
			}
		}
	}
}

// script describes a run of the tests.
type script struct {
	holders  int
	minimum  uint64
	burnBps  int
	reward   terms.Asset
	proceeds uint64
	slot     time.Time
	// takes is the amount that it takes up; zero: a million at first, and then all that there is.
	takes uint64
	// bend changes a row before it is written, and leave an owner who is left out.
	bend  func(leg, row int, r *allocation.Row)
	leave func(n int, l *format.LeftOut)
	// apart has strangers trade in a transaction each, and batch is the number paid by one;
	// 19 unless it says otherwise.
	apart bool
	batch int
	// unnamed keeps payments off the list of transactions; extra names one too much.
	unnamed, extra bool

	// kind is of a distribution unless it says otherwise, and partner has a third of the
	// creator's share where there is one.
	kind    format.Kind
	partner solana.PublicKey
	// unpaid has the creator's part wait.
	unpaid bool
	// held makes the lesser of two balances count. holds is the balance of owner n, if it differs from
	// balance, and recalls is the stated balance before.
	held    bool
	holds   func(n int) uint64
	recalls func(n int, before uint64) uint64
	// launched changes the settings of the launch, which are the run's own otherwise, and metadata is
	// the launch's file in place of one with these settings: nil for a launch without metadata.
	launched func(*terms.Settings)
	metadata *string
	// plan changes the terms before anything happens, book the manifest before
	// it is closed, and seal the anchor's transaction, which has the memo.
	plan, book func(*format.Manifest)
	seal       func(t testing.TB, memo string) []byte
	// also are further transactions; those without a purpose are not named. Slots count
	// from the run's first.
	also func(m format.Manifest) []extra
	// act changes what a transaction does before it lands, and pay what becomes of a
	// payment; steps, where there are any, replace it.
	act func(p format.Purpose, x *tx)
	pay func(leg int, p allocation.Payment, out *allocation.Outcome) (steps []step)
}

// extra is a further transaction of a run.
type extra struct {
	purpose format.Purpose
	tx
}

// run is a run that is over, with its proof.
type run struct {
	closed write.Closed
	rows   []allocation.Row
	anchor string // content id
	signed []byte
	// acts are the transactions in the order in which they land, the anchor last.
	acts []tx
	// before is the run before, nil for the first.
	before *run
	// purposes are those of the transactions that are named.
	purposes map[solana.Signature]format.Purpose
	// had has the owners' balances in the newest snapshot up to this run, and snapshot the proof
	// that has it.
	had      map[solana.PublicKey]uint64
	snapshot *format.SnapshotBefore
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// balance of holder n.
func balance(n int) uint64 { return 1000 + uint64(n*7919%5000) }

// launched keeps the metadata file of the token's launch, and returns the file's address.
func (s *shelf) launched(t testing.TB, c script, m format.Manifest) string {
	t.Helper()
	settings := m.Settings.Terms()
	if c.launched != nil {
		c.launched(&settings)
	}
	body := must(token.Draft{Name: "Crane", Symbol: "CRANE", Settings: settings}.Metadata(mint))
	if c.metadata != nil {
		body = []byte(*c.metadata)
	}
	if len(body) == 0 {
		return ""
	}
	return content.Gateway + must(s.Save(t.Context(), content.Metadata, body)).CID
}

// make runs a script and proves it. previous is the run before, or nil. Every
// seventh payment is refused, every eleventh undecided, every thirteenth not begun.
func (s *shelf) run(t testing.TB, c script, previous *run) run {
	t.Helper()
	ctx := t.Context()
	claim := c.kind == format.Claim
	w := write.New(s)
	if c.held = c.held && !claim; c.held {
		w.Held()
	}
	var holdings []allocation.Holding
	var supply uint64
	owners := map[solana.PublicKey]uint64{}
	weigh := allocation.Terms{Minimum: c.minimum, Held: c.held}
	for n := range c.holders {
		b := balance(n)
		if c.holds != nil {
			b = c.holds(n)
		}
		before := uint64(0)
		if previous != nil && c.held {
			before = previous.had[owner(n)]
		}
		if c.recalls != nil && c.held {
			before = c.recalls(n, before)
		}
		supply += b
		owners[owner(n)] = b
		if n%5 == 4 {
			why := format.OffCurve
			if owner(n).IsOnCurve() {
				why = "program_owned"
			}
			if b < c.minimum {
				why = format.BelowMinimum
			}
			left := format.LeftOut{Owner: owner(n), Balance: b, Held: c.held, Before: before, Why: why}
			if c.leave != nil {
				c.leave(n, &left)
			}
			check(t, w.LeftOut(ctx, left))
			continue
		}
		if !weigh.Counts(weigh.Weight(b, before)) {
			left := format.LeftOut{Owner: owner(n), Balance: b, Held: c.held, Before: before, Why: format.NotHeld}
			if b < c.minimum {
				left.Why = format.BelowMinimum
			}
			check(t, w.LeftOut(ctx, left))
			continue
		}
		holdings = append(holdings, allocation.Holding{Owner: owner(n), Balance: b, Before: before})
	}
	sum, _, err := weigh.Sum(stream(holdings))
	check(t, err)

	const worth = 20
	spendable := cmp.Or(c.takes, 1_000_000)
	if previous != nil && c.takes == 0 { // what the run before has left, and what is collected
		spendable = 500_000
		for _, s := range previous.closed.Manifest.Statements {
			if s.Asset == mint.String() {
				spendable += s.Of(format.Float)
			}
		}
	}
	cut := allocation.Split(spendable, 0, 5000, c.burnBps)
	base := uint64(100)
	if previous != nil {
		base += previous.closed.Manifest.Number * 100
	}
	m := format.Manifest{
		Kind: format.Distribution, Number: base / 100, Creator: format.Key(creator), Cut: base + 50,
		RunID: terms.RunID(mint, c.slot), Slot: c.slot, Mint: format.Key(mint), Program: format.Key(solana.Token2022ProgramID), Decimals: 6,
		Wallet: format.Key(wallet), TokenAccount: format.Key(must(token2022.AssociatedAddress(wallet, mint, solana.Token2022ProgramID))),
		Settings: format.Settings{
			Interval: "1h", RewardToken: c.reward.String(), MinimumHolding: format.Amount(c.minimum),
			SellBps: 5000, BurnBps: c.burnBps, DeveloperFeeBps: 1000, DeveloperWallet: format.Key(developer), Version: int64(base / 100),
		},
		Snapshot: format.Snapshot{
			ChainSlot: base + 4, Supply: format.Amount(supply + 30), WithheldInAccounts: 20, WithheldOnMint: 10,
			Eligible: format.Tally{Owners: uint64(sum.Owners), Balance: format.Amount(sum.Sum)},
		},
		Split: format.Split{
			Spendable: format.Amount(spendable), Slice: format.Amount(cut.Slice), Burn: format.Amount(cut.Burn), Sell: format.Amount(cut.Sell),
			Burned: format.Amount(cut.Burn),
		},
		Exchange: format.Sale{Sold: format.Amount(cut.Sell - 1000), FuelSold: 1000, Fuel: 55, Proceeds: format.Amount(c.proceeds)},
	}
	if !c.partner.IsZero() {
		m.Settings.CreatorSplits = []format.CreatorSplit{{Wallet: format.Key(developer), PartBps: 6667}, {Wallet: format.Key(c.partner), PartBps: 3333}}
	}
	if c.held {
		m.Settings.RewardBasis, m.Snapshot.Held = "held", &format.Held{Weight: format.Amount(sum.Weight)}
		if previous != nil {
			m.Snapshot.Held.Before = previous.snapshot
		}
	}
	if claim {
		m.Kind, m.Snapshot, m.Split, m.Exchange = c.kind, format.Snapshot{}, format.Split{}, format.Sale{}
	}
	if c.plan != nil {
		c.plan(&m)
	}
	if c.reward == terms.Asset(mint) && !claim { // what is not sold for costs is shared out
		m.Exchange.Proceeds, m.Exchange.Sold = m.Exchange.Sold, 0
		c.proceeds = uint64(m.Exchange.Proceeds)
	}
	made, moved := run{purposes: map[solana.Signature]format.Purpose{}, before: previous}, len(m.WalletsBefore) > 0
	name := func(p format.Purpose, id solana.Signature, slot uint64, does ...step) {
		check(t, w.Transaction(ctx, format.Transaction{Purpose: p, Signature: id, Slot: slot}))
		made.purposes[id] = p
		if p != format.Anchoring && len(does) > 0 {
			made.acts = append(made.acts, act(p, id, slot, does...))
		}
		if p == format.Return {
			m.Receipts.Returned += 2*rent + dust
		} else if p != format.Setup && p != format.Collect && (p != format.Anchoring || !moved) { // the anchor before is of another wallet
			m.Receipts.Lent += rent
		}
	}
	if previous != nil {
		name(format.Anchoring, must(verify.ReadAnchor(previous.signed)).Signature, base-40)
	}
	name(format.Return, signature(m.RunID, "return"), base+2, returns(signature(m.RunID, "return"))...)
	if !claim {
		name(format.Collect, signature(m.RunID, "collect"), base+1, collects(500_000)...)
		name(format.Burn, signature(m.RunID, "burn"), base+5, burns(uint64(m.Split.Burned))...)
		name(format.Exchange, signature(m.RunID, "exchange"), base+6, swaps(m, c.reward)...)
	}
	creators := c.creators(m.RunID)
	if creators[0].Paid > 0 {
		var does []step
		for _, one := range creators {
			does = append(does, pays(solana.PublicKey(one.Wallet), c.reward, uint64(one.Paid), uint64(one.Paid), false)...)
		}
		name(format.Creator, signature(m.RunID, "creator"), base+7, does...)
	}
	name(format.Void, signature(m.RunID, "void"), base+8, nothing)
	if c.also != nil {
		for _, one := range c.also(m) {
			one.slot += base
			if one.purpose != "" {
				name(one.purpose, one.id, one.slot)
			}
			if len(one.signers) > 0 { // it lands in this run
				made.acts = append(made.acts, one.tx)
			}
		}
	}

	assets := []terms.Asset{c.reward}
	before := map[string]format.Leg{}
	opening := map[string]uint64{}
	if previous != nil {
		m.Previous = previous.closed.CID
		for _, l := range previous.closed.Manifest.Legs {
			before[l.Asset] = l
			if a := must(terms.ParseAsset(l.Asset)); a != c.reward {
				assets = append(assets, a)
			}
		}
		for _, st := range previous.closed.Manifest.Statements {
			if !moved { // a later wallet begins empty
				opening[st.Asset] = uint64(st.Closing)
			}
		}
	}
	for number, a := range assets {
		l := format.Leg{Asset: a.String(), Decimals: 9, WorthPaying: worth, RemainderIn: before[a.String()].RemainderOut}
		if !a.IsSOL() {
			l.Program, l.Decimals = solana.TokenProgramID.String(), 6
		}
		shareTerms := allocation.Terms{Minimum: c.minimum, Held: c.held}
		legHoldings := []allocation.Holding(nil)
		if number == 0 {
			share := allocation.Creator(c.proceeds, c.burnBps, 1000)
			shareTerms.Total, shareTerms.Eligible = c.proceeds-share+uint64(l.RemainderIn), sum.Sum
			if c.held {
				shareTerms.Eligible = sum.Weight
			}
			l.Creators, legHoldings = creators, holdings
		}
		if number > 0 {
			l.Creators = script{partner: c.partner}.creators(m.RunID)
			for i := range l.Creators {
				for _, left := range before[a.String()].Creators {
					if one := &l.Creators[i]; left.Carried > 0 && one.Wallet == left.Wallet {
						one.Owed, one.Carried, one.Reason = left.Carried, left.Carried, allocation.BelowCost
					}
				}
			}
		}
		l.Total = format.Amount(shareTerms.Total)
		owed := stream([]allocation.AmountsOwed(nil))
		if previous != nil {
			owed = previous.closed.Manifest.AmountsOwed(ctx, s.folder(), a)
		}
		plan, err := allocation.NewPlan(shareTerms.Claims(stream(legHoldings), owed), worth, 0)
		check(t, err)
		l.RemainderOut = l.Total - format.Amount(plan.Totals.Share)
		if number > 0 {
			l.RemainderOut = l.RemainderIn
		}
		var file bytes.Buffer
		must(io.Copy(&file, plan.File()))
		outcomes := allocation.NewOutcomes(plan.Totals.Rows)
		named := map[solana.Signature]bool{}
		for i, p := range must(allocation.DecodePayments(file.Bytes())) {
			out := allocation.Outcome{Payment: p}
			switch {
			case i%13 == 12:
				continue
			case i%11 == 10:
				out.Reason = allocation.Undecided
			case i%7 == 6:
				out.Reason, out.Hold = allocation.AccountFrozen, allocation.Hold{1, byte(i)}
			default:
				out.Signature, out.Received = signature(m.RunID, number, i/cmp.Or(c.batch, 19)), p.Amount
				if i%17 == 16 && p.Amount >= 50 && !a.IsSOL() {
					out.Charged, out.Received = 5, p.Amount-7 // the reward is taxed
				}
			}
			var does []step
			if c.pay != nil {
				does = c.pay(number, p, &out)
			}
			if does == nil {
				does = pays(p.Owner, a, p.Amount-out.Charged, out.Received, out.Charged > 0)
			}
			check(t, outcomes.Add(out))
			if out.Signature.IsZero() || c.unnamed {
				continue
			}
			if !named[out.Signature] {
				named[out.Signature] = true
				name(format.Pay, out.Signature, base+9, nothing)
			}
			i := len(made.acts) - 1 // that of the batch, mostly
			if made.acts[i].id != out.Signature {
				i = slices.IndexFunc(made.acts, func(x tx) bool { return x.id == out.Signature })
			}
			made.acts[i].does = append(made.acts[i].does, does...)
		}
		if c.extra {
			name(format.Pay, signature(m.RunID, number, "extra"), base+9, nothing)
		}
		w.Leg(a)
		written := 0
		for row, err := range outcomes.Close(a, shareTerms.Claims(stream(legHoldings), owed), worth) {
			check(t, err)
			if c.bend != nil {
				c.bend(number, written, &row)
			}
			written++
			check(t, w.Row(ctx, row))
			made.rows = append(made.rows, row)
		}
		_, l.Sums = w.Sums(number)
		m.Legs = append(m.Legs, l)
	}
	made.acts = append(made.acts, deposit(m, base))
	if c.act != nil {
		for i := range made.acts {
			c.act(made.purposes[made.acts[i].id], &made.acts[i])
		}
	}
	slices.SortStableFunc(made.acts, func(a, b tx) int { return int(a.slot) - int(b.slot) })
	if !claim {
		made.deal(t, w, &m, owners, base+4, c.apart, s.launched(t, c, m))
	}
	m.Statements = statements(t, m, opening, made)
	if c.book != nil {
		c.book(&m)
	}
	made.closed, err = w.Close(ctx, m)
	check(t, err)
	if made.had = owners; claim {
		made.had, made.snapshot = previous.had, previous.snapshot
	} else {
		made.snapshot = &format.SnapshotBefore{RunID: m.RunID, Number: m.Number, Manifest: made.closed.CID, ChainSlot: m.Snapshot.ChainSlot}
	}
	sealed := c.seal != nil
	if !sealed {
		c.seal = func(t testing.TB, memo string) []byte { return sign(t, memo, walletKey) }
	}
	made.signed = c.seal(t, made.closed.Memo())
	made.acts = append(made.acts, anchoring(t, made.signed, base+60))
	if made.anchor, err = write.KeepAnchor(ctx, s, made.signed); err != nil && !sealed {
		t.Fatal(err)
	} else if err != nil { // it is forged
		made.anchor = must(s.Save(ctx, content.ProofAnchor, made.signed)).CID
	}
	return made
}

// rent is a receipt's deposit, and dust a stranger's transfer to a receipt, in lamports.
const rent, dust = 650_240, 1

// receipt is the wallet's receipt of this number, and the instruction that makes it.
func receipt(owner solana.PublicKey, number solana.Signature) systemprogram.CreateAccountWithSeed {
	seed := base64.RawURLEncoding.EncodeToString(number[:16])
	return systemprogram.CreateAccountWithSeed{
		Payer: owner, Base: owner, Account: must(systemprogram.AddressWithSeed(owner, seed, solana.SystemProgramID)),
		Seed: seed, Lamports: rent, Owner: solana.SystemProgramID,
	}
}

// sign makes the transaction of an anchor.
func sign(t testing.TB, memo string, key ed25519.PrivateKey) []byte {
	t.Helper()
	return signAll(t, key, memo)
}

// signAll makes a transaction with the given number of memos, after its receipt and an instruction of
// another program.
func signAll(t testing.TB, key ed25519.PrivateKey, memos ...string) []byte {
	t.Helper()
	payer := solana.PublicKey(key.Public().(ed25519.PublicKey))
	list := []solana.Instruction{naming(receipt(payer, signature(memos)).Instruction(), payer), computebudget.SetUnitLimit(1000)}
	for _, memo := range memos {
		list = append(list, solana.NewInstruction(format.MemoProgram, solana.AccountMetaSlice{solana.Meta(payer).SIGNER()}, []byte(memo)))
	}
	return signed(t, key, list...)
}

// naming adds the accounts that an anchor names.
func naming(in solana.Instruction, owner solana.PublicKey) solana.Instruction {
	accounts := slices.Clone(in.Accounts())
	for _, key := range []solana.PublicKey{
		mint, ata(owner, terms.Asset(mint)), ata(owner, usd), solana.TokenProgramID, solana.Token2022ProgramID,
	} {
		accounts = append(accounts, solana.Meta(key))
	}
	return solana.NewInstruction(in.ProgramID(), accounts, must(in.Data()))
}

// signed makes a transaction of these instructions.
func signed(t testing.TB, key ed25519.PrivateKey, list ...solana.Instruction) []byte {
	t.Helper()
	payer := solana.PublicKey(key.Public().(ed25519.PublicKey))
	m, err := wire.Compile(payer, solana.Hash{9}, list)
	check(t, err)
	tx := wire.NewTransaction(m)
	check(t, tx.Sign(key))
	return tx.Bytes()
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// verify returns the report and the checks that failed.
func verified(t testing.TB, source format.Source, anchor string) (verify.Report, []string) {
	t.Helper()
	report, err := verify.Bundle(t.Context(), source, anchor, verify.Options{})
	check(t, err)
	record.add(t, source, anchor, report)
	var failed []string
	for _, c := range report.Checks {
		if c.Verdict == verify.Failed {
			failed = append(failed, c.Name+": "+c.Detail)
		}
	}
	return report, failed
}
