package launchpad_test

import (
	"crypto/sha256"
	"encoding/binary"
	"math/big"
	"slices"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/market/launchpad"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/bonding"
	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/testkit/localnet"
)

// put writes a number of 128 bits into an account.
func put(data []byte, at int, n *big.Int) {
	var b [16]byte
	n.FillBytes(b[:])
	slices.Reverse(b[:])
	copy(data[at:], b[:])
}

func account(name string, size int) []byte {
	data := make([]byte, size)
	sum := sha256.Sum256([]byte("account:" + name))
	copy(data, sum[:8])
	return data
}

// poolData is a pool as the program stores it (cp-amm, state/pool.rs), of a curve at a
// price, with so much liquidity in all.
func poolData(c market.Curve, sqrtPrice, liquidity, locked *big.Int, reserveA, reserveB uint64) []byte {
	data := account("Pool", meteora.PoolSize)
	binary.LittleEndian.PutUint64(data[8:], uint64(c.FeeBps)*meteora.FeeNumeratorPerBps)
	put(data, 152, c.StartSqrtPrice)
	copy(data[168:], c.Mint[:])
	copy(data[200:], solana.WrappedSol[:])
	copy(data[232:], c.TokenVault[:])
	copy(data[264:], c.SOLVault[:])
	put(data, 360, liquidity)
	put(data, 424, c.StartSqrtPrice)
	put(data, 440, meteora.MaxSqrtPrice())
	put(data, 456, sqrtPrice)
	binary.LittleEndian.PutUint64(data[472:], 1_700_000_000)
	data[480], data[484], data[485] = byte(meteora.ActivationByTime), byte(meteora.CollectOnlyB), 1
	put(data, 552, locked)
	copy(data[648:], c.Creator[:])
	binary.LittleEndian.PutUint64(data[680:], reserveA)
	binary.LittleEndian.PutUint64(data[688:], reserveB)
	return data
}

// positionData is the position of a curve (cp-amm, state/position.rs).
func positionData(c market.Curve) []byte {
	const unlocked, locked = 152, 184
	data := account("Position", meteora.PositionSize)
	copy(data[8:], c.Address[:])
	copy(data[40:], c.NFTMint[:])
	at := unlocked
	if c.Locked {
		at = locked
	}
	put(data, at, c.Liquidity)
	return data
}

// prepared is a fixture without the program, in which a curve was prepared.
func prepared(t *testing.T, change func(*launchpad.Draft)) (*fixture, solana.PrivateKey, launchpad.Created) {
	t.Helper()
	w := newFixture(t, localnet.Chain(t))
	creator := w.wallet(t)
	d := draft(w.mint(t, creator, taxBps))
	if change != nil {
		change(&d)
	}
	created, err := w.service.Create(t.Context(), creator.PublicKey(), d)
	must.Do(t, err)
	return w, creator, created
}

var taxed = token2022.TransferFee{BasisPoints: taxBps, MaximumFee: 1<<64 - 1}

// bought is a curve's state after a purchase of which the given tokens arrive.
func bought(t *testing.T, c market.Curve, tokens uint64) (bonding.State, bonding.Quote) {
	t.Helper()
	fee, err := meteora.ConstantFee(c.FeeBps)
	must.Do(t, err)
	s := bonding.State{
		Liquidity: c.Liquidity, SqrtPrice: c.StartSqrtPrice, MinSqrtPrice: c.StartSqrtPrice, MaxSqrtPrice: meteora.MaxSqrtPrice(), Fee: fee,
	}
	q, err := bonding.Buy(s, tokens, taxed)
	must.Do(t, err)
	return s.After(q), q
}

// TestPoolOfCandidate tests that the status of a candidate's pool follows from the curve's
// arithmetic, before the curve is recorded.
func TestPoolOfCandidate(t *testing.T) {
	w, creator, created := prepared(t, nil)
	c := created.Curve
	state, q := bought(t, c, 90_000_000_000_000)
	left := c.Tokens - q.PoolTokens
	w.plant(t, c.Address, meteora.Program, poolData(c, state.SqrtPrice, c.Liquidity, c.Liquidity, left, q.CurveLamports))

	// A third party has made it: nothing shows that it is the candidate's.
	_, err := w.service.Status(t.Context(), c.Mint)
	refused(t, "a pool of a stranger", err, apperr.NotFound, "launchpad_not_found")
	for what, is := range map[string]func(*market.Curve){
		"of another pool": func(c *market.Curve) { c.Address = c.NFTMint }, "of another key": func(c *market.Curve) { c.NFTMint = c.Mint },
	} {
		other := c
		is(&other)
		w.plant(t, c.Position, meteora.Program, positionData(other))
		_, err := w.service.Status(t.Context(), c.Mint)
		refused(t, "a position "+what, err, apperr.NotFound, "launchpad_not_found")
	}
	w.plant(t, c.Position, solana.SystemProgramID, nil)
	_, err = w.service.Status(t.Context(), c.Mint)
	refused(t, "lamports where the position will be", err, apperr.NotFound, "launchpad_not_found")
	w.plant(t, c.Position, meteora.Program, positionData(c))
	s, err := w.service.Status(t.Context(), c.Mint)
	must.Do(t, err)
	if s.State != token.CurveActive || s.Raised != q.CurveLamports || s.Sold != q.PoolTokens || s.ID != created.ID || !s.AllLocked ||
		!s.CreatedAt.Equal(time.Unix(1_700_000_000, 0)) {
		t.Errorf("Status() = %+v, want the active, locked curve of the candidate", s)
	}
	if want := int64(q.CurveLamports / (c.TargetLamports / 10_000)); s.ProgressBps != want {
		t.Errorf("progress %d, want %d", s.ProgressBps, want)
	}
	passed := w.now.Sub(s.CreatedAt)
	want := w.now.Add(time.Duration(float64(passed) * float64(c.TargetLamports-s.Raised) / float64(s.Raised)))
	if off := s.Expected.Sub(want).Abs(); off > time.Second {
		t.Errorf("expected at %v, want %v", s.Expected, want)
	}
	next, err := bonding.Buy(state, 1_000_000_000_000, taxed)
	must.Do(t, err)
	p, err := w.service.Price(t.Context(), c.Mint, launchpad.Amount{Tokens: 1_000_000_000_000})
	must.Do(t, err)
	if p.Lamports != next.Lamports || p.Fee != next.Fee || p.Tax != next.Tax || p.NextSqrtPrice.Cmp(next.NextSqrtPrice) != 0 ||
		p.SqrtPrice.Cmp(state.SqrtPrice) != 0 || p.ImpactBps.Int64() <= 0 {
		t.Errorf("%+v, want %+v", p, next)
	}

	_, err = w.service.Price(t.Context(), c.Mint, launchpad.Amount{Tokens: 600_000_000_000_000})
	refused(t, "past the target of an active curve", err, apperr.Invalid, "exceeds_liquidity")
	_, err = w.service.Cancel(t.Context(), creator.PublicKey(), c.Mint)
	refused(t, "the withdrawal of locked liquidity", err, apperr.Conflict, "liquidity_locked")

	// Its price falls after it was complete: it stays so.
	w.deploy(t, created, w.now.Add(-time.Hour))
	w.record(t, c.Mint, token.CurveCompleted, market.Index{})
	if s, err = w.service.Status(t.Context(), c.Mint); err != nil || s.State != token.CurveCompleted || s.ProgressBps != launchpad.FullBps || !s.Expected.IsZero() {
		t.Errorf("completed: %+v, %v", s, err)
	}
	// Past the target it is quoted, because it is complete.
	if _, err := w.service.Price(t.Context(), c.Mint, launchpad.Amount{Tokens: 600_000_000_000_000}); err != nil {
		t.Errorf("past the target: %v", err)
	}
	_, err = w.service.Price(t.Context(), c.Mint, launchpad.Amount{Tokens: c.Tokens})
	refused(t, "more than the pool has", err, apperr.Invalid, "exceeds_liquidity")

	// A third party adds a twentieth of the liquidity: the price still shows what the curve has
	// raised.
	more := new(big.Int).Add(c.Liquidity, new(big.Int).Quo(c.Liquidity, big.NewInt(20)))
	w.plant(t, c.Address, meteora.Program, poolData(c, state.SqrtPrice, more, c.Liquidity, left+left/20, q.CurveLamports+q.CurveLamports/20))
	if s, err = w.service.Status(t.Context(), c.Mint); err != nil || s.Raised > q.CurveLamports || s.Raised+1 < q.CurveLamports ||
		s.Sold > q.PoolTokens || s.Sold+1 < q.PoolTokens || !s.AllLocked {
		t.Errorf("with liquidity of others: %d of %d raised, %d of %d sold, %v", s.Raised, q.CurveLamports, s.Sold, q.PoolTokens, err)
	}
}

// TestThirdPartyLockIsNotCurveLock tests docs/attacks.md, "Markets and exchange": a third party locks
// as much liquidity as the curve has, whose creator can withdraw all of it. Neither a status nor a
// list shows this as locked, before the curve is recorded or afterwards.
func TestThirdPartyLockIsNotCurveLock(t *testing.T) {
	w, _, created := prepared(t, func(d *launchpad.Draft) { d.Locked = false })
	c := created.Curve
	twice := new(big.Int).Lsh(c.Liquidity, 1)
	w.plant(t, c.Address, meteora.Program, poolData(c, c.StartSqrtPrice, twice, c.Liquidity, 2*c.Tokens, 0))
	w.plant(t, c.Position, meteora.Program, positionData(c))
	locked := func(when string, want bool) {
		t.Helper()
		if s, err := w.service.Status(t.Context(), c.Mint); err != nil || s.AllLocked != want {
			t.Errorf("%s: locked %v, want %v; %v", when, s.AllLocked, want, err)
		}
	}
	locked("a candidate", false)
	w.deploy(t, created, w.now)
	locked("recorded", false)
	page, _, err := w.service.List(t.Context(), "", 10)
	if err != nil || len(page) != 1 || page[0].AllLocked {
		t.Errorf("listed: %+v, %v", page, err)
	}

	// The creator locks the curve's own position, by a transaction made elsewhere.
	own := c
	own.Locked = true
	w.plant(t, c.Position, meteora.Program, positionData(own))
	locked("the curve's own", true)
	if page, _, err = w.service.List(t.Context(), "", 10); err != nil || len(page) != 1 || !page[0].AllLocked {
		t.Errorf("listed with its own lock: %+v, %v", page, err)
	}
	// A position of another pool at that address would not be the curve's.
	own.Address = c.Mint
	w.plant(t, c.Position, meteora.Program, positionData(own))
	locked("a position of another pool", false)
}

// However many curves strangers prepare of a token, its creator's is the one that is
// looked for first.
func TestThirdPartyCandidatesHideNoCurve(t *testing.T) {
	w, creator, _ := prepared(t, func(d *launchpad.Draft) { d.Locked = false })
	mint, wallet := w.mint(t, creator, 500), creator.PublicKey()
	_, err := w.db.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &w.table, Item: map[string]types.AttributeValue{
		"pk": dynamo.Text("TOKEN#" + mint.String()), "sk": dynamo.Text("TOKEN"), "mint": dynamo.Binary(mint[:]), "creator": dynamo.Binary(wallet[:]),
	}})
	must.Do(t, err)
	own, err := w.service.Create(t.Context(), wallet, draft(mint))
	must.Do(t, err)
	for range 3 {
		w.now = w.now.Add(time.Second)
		_, err := w.service.Create(t.Context(), solana.NewWallet().PublicKey(), draft(mint))
		must.Do(t, err)
	}
	s, err := w.service.Status(t.Context(), mint)
	must.Do(t, err)
	if s.ID != own.ID || !s.Official {
		t.Errorf("the curve is %s's, official %v", s.Creator, s.Official)
	}
}

// TestChainWithoutProgram tests that transactions are prepared, and that status and price follow
// from the record.
func TestChainWithoutProgram(t *testing.T) {
	w, creator, created := prepared(t, func(d *launchpad.Draft) { d.Locked = false })
	c, wallet := created.Curve, creator.PublicKey()
	if created.Simulation.OK || created.Simulation.Reason != "program_unavailable" || len(created.Transaction) > 1232 || created.Cost.Rent == 0 {
		t.Errorf("created %+v, want a transaction and program_unavailable", created)
	}
	if want := w.now.Add(24 * time.Hour); !created.ExpectedCompletion.Equal(want) {
		t.Errorf("expected at %v, want %v", created.ExpectedCompletion, want)
	}
	// The newest candidate counts.
	w.now = w.now.Add(time.Second)
	d := draft(c.Mint)
	d.TargetLamports, d.Locked = 50*sol, false
	second, err := w.service.Create(t.Context(), wallet, d)
	must.Do(t, err)
	s, err := w.service.Status(t.Context(), c.Mint)
	must.Do(t, err)
	if s.ID != second.ID || s.State != token.CurveActive || s.Sold != 0 || s.Raised != 0 || s.ProgressBps != 0 || !s.CreatedAt.Equal(w.now) || s.AllLocked {
		t.Errorf("Status() = %+v, want the second curve, active and without sales", s)
	}
	_, q := bought(t, second.Curve, 5_000_000_000)
	p, err := w.service.Price(t.Context(), c.Mint, launchpad.Amount{Tokens: 5_000_000_000})
	must.Do(t, err)
	if p.Lamports != q.Lamports || p.Fee != q.Fee || p.Tax != q.Tax {
		t.Errorf("%+v, want %+v", p, q)
	}
	trade, err := w.service.Buy(t.Context(), w.wallet(t).PublicKey(), c.Mint, launchpad.Amount{Tokens: 5_000_000_000}, 250)
	must.Do(t, err)
	if trade.Simulation.Reason != "program_unavailable" || trade.Lamports != q.Lamports || trade.Limit != q.Lamports+(q.Lamports*250+9_999)/10_000 ||
		trade.Cost.Rent == 0 || trade.Cost.Deposit != q.Lamports {
		t.Errorf("Buy() = %+v, want %d lamports and program_unavailable", trade, q.Lamports)
	}
	_, err = w.service.Sell(t.Context(), wallet, c.Mint, 5_000_000_000, 0)
	refused(t, "a sale to a curve that has sold nothing", err, apperr.Invalid, "exceeds_liquidity")
	if out, err := w.service.Cancel(t.Context(), wallet, c.Mint); err != nil || out.Tokens+1 < second.Curve.Tokens || out.Lamports != 0 {
		t.Errorf("Cancel() = %+v, %v; want all tokens and no lamports", out, err)
	}
	_, err = w.service.Cancel(t.Context(), w.wallet(t).PublicKey(), c.Mint)
	refused(t, "a stranger", err, apperr.Forbidden, "not_curve_creator")

	// Without a readable pool the indexed counts are returned.
	w.deploy(t, second, w.now)
	w.record(t, c.Mint, token.CurveActive, market.Index{Trades: 3, Buyers: 2, Bought: q.PoolTokens + 7, Sold: 7, Paid: q.CurveLamports + 9, Received: 9})
	s, err = w.service.Status(t.Context(), c.Mint)
	must.Do(t, err)
	if s.Sold != q.PoolTokens || s.Raised != q.CurveLamports || s.Index.Buyers != 2 || s.Index.Trades != 3 || s.SqrtPrice.Cmp(second.Curve.StartSqrtPrice) <= 0 {
		t.Errorf("from the record: %+v", s)
	}
	page, next, err := w.service.List(t.Context(), "", 10)
	if err != nil || next != "" || len(page) != 1 || page[0].Raised != s.Raised {
		t.Errorf("List() = %+v, %q, %v; want the one curve", page, next, err)
	}
}

// TestReadsAreCached tests that a read is cached for two seconds.
func TestReadsAreCached(t *testing.T) {
	w, _, created := prepared(t, nil)
	w.service.Kept = &launchpad.Kept{}
	c := created.Curve
	if _, err := w.service.Status(t.Context(), c.Mint); err != nil {
		t.Fatal(err)
	}
	state, q := bought(t, c, 90_000_000_000_000)
	w.plant(t, c.Address, meteora.Program, poolData(c, state.SqrtPrice, c.Liquidity, c.Liquidity, c.Tokens-q.PoolTokens, q.CurveLamports))
	w.plant(t, c.Position, meteora.Program, positionData(c))
	w.now = w.now.Add(2*time.Second - time.Millisecond)
	if s, err := w.service.Status(t.Context(), c.Mint); err != nil || s.Raised != 0 {
		t.Errorf("within two seconds: %+v, %v", s, err)
	}
	w.now = w.now.Add(time.Millisecond)
	if s, err := w.service.Status(t.Context(), c.Mint); err != nil || s.Raised != q.CurveLamports {
		t.Errorf("after two seconds: %+v, %v", s, err)
	}
}
