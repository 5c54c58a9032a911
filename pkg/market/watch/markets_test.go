package watch_test

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"slices"
	"sync"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/token"

	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/launchtable/curves"
	"tokenlaunch.example/service/pkg/aws/launchtable/issued"
	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/market/index"
	"tokenlaunch.example/service/pkg/market/watch"
	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/raydium"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/localnet/surfpool"
)

// plant writes an account to the chain, where no program is that could.
func (w *marketFixture) plant(t *testing.T, address, owner solana.PublicKey, data []byte) {
	t.Helper()
	w.ledger.SetAccount(t, address.String(), surfpool.Account{Lamports: 20_000_000, Owner: owner.String(), Data: data})
}

// anchored is the data of an account of a kind, all zero.
func anchored(kind string, size int) []byte {
	sum := sha256.Sum256([]byte("account:" + kind))
	return append(sum[:8:8], make([]byte, size-8)...)
}

// issue is a transaction that its caller has until the chain's next 150 blocks.
func (w *marketFixture) issue(t *testing.T, kind transaction.Kind, mint, subject solana.PublicKey) transaction.Issued {
	t.Helper()
	recent, err := w.node.RecentBlockhash(t.Context())
	payMust(t, err)
	now := w.clock.Now().UTC().Truncate(time.Millisecond)
	return transaction.Issued{
		ID: uuid.NewString(), Kind: kind, Caller: solana.NewWallet().PublicKey(), Mint: mint, Subject: subject, Message: []byte{1},
		LastValid: recent.LastValid, CreatedAt: now, ExpiresAt: now.Add(30 * time.Second), Fate: transaction.Open, DueAt: now,
	}
}

// cpmm is a pool that a caller prepares for a mint.
func (w *marketFixture) cpmm(t *testing.T, mint solana.PublicKey) (id string, at raydium.Addresses) {
	t.Helper()
	at, err := raydium.Mainnet.AddressesAt(mint, solana.NewWallet().PublicKey())
	payMust(t, err)
	i := w.issue(t, transaction.KindPool, mint, at.Pool)
	payMust(t, curves.Pools{Client: w.store.Client, Table: w.table}.Issue(t.Context(), i, token.Pool{Kind: token.RaydiumCPMM, Address: at.Pool, Mint: mint}))
	return i.ID, at
}

// plantCPMM creates the pool of a mint, by some creator.
func (w *marketFixture) plantCPMM(t *testing.T, at raydium.Addresses, creator solana.PublicKey) {
	t.Helper()
	mints := [2]solana.PublicKey{at.Token, solana.WrappedSol}
	if !at.TokenFirst {
		mints[0], mints[1] = mints[1], mints[0]
	}
	data := anchored("PoolState", raydium.PoolSize)
	for i, key := range []solana.PublicKey{raydium.Mainnet.Config, creator, at.TokenVault, at.SOLVault, at.LPMint, mints[0], mints[1]} {
		copy(data[8+32*i:], key[:])
	}
	w.plant(t, at.Pool, raydium.Mainnet.Program, data)
}

// prepared is a curve that a caller prepares for a mint.
func (w *marketFixture) prepared(t *testing.T, mint solana.PublicKey) market.Curve {
	t.Helper()
	nft := solana.NewWallet().PublicKey()
	at, err := meteora.Addresses(mint, solana.PublicKey{}, nft)
	payMust(t, err)
	i := w.issue(t, transaction.KindCurve, mint, at.Pool)
	i.Cosigned = []transaction.Cosignature{{Signer: nft}}
	if record, err := w.tokens.Token(t.Context(), mint); err == nil {
		i.Caller = record.Creator
	}
	return w.preparedBy(t, i, at)
}

// preparedBy is the curve that a transaction makes.
func (w *marketFixture) preparedBy(t *testing.T, i transaction.Issued, at meteora.Accounts) market.Curve {
	t.Helper()
	large := func(n int64) *big.Int { return new(big.Int).Lsh(big.NewInt(n), 60) }
	c := market.Curve{
		Pool: token.Pool{
			Kind: token.MeteoraDAMMv2, Address: at.Pool, Mint: i.Mint, Creator: i.Caller,
			TokenVault: at.TokenVault, SOLVault: at.SOLVault, Authority: meteora.PoolAuthority,
		},
		ID: i.ID, Position: at.Position, NFTMint: at.NFTMint, Decimals: 6, TokenProgram: solana.Token2022ProgramID, Tokens: 1000, TargetLamports: 1000,
		StartSqrtPrice: large(3), TargetSqrtPrice: large(12), Liquidity: large(9), MultiplierBps: 160_000, State: token.CurvePrepared, PreparedAt: i.CreatedAt,
	}
	payMust(t, w.curves.Issue(t.Context(), i, c))
	return c
}

// little writes a number of at most 128 bits into an account.
func little(data []byte, at int, n *big.Int) {
	binary.LittleEndian.PutUint64(data[at:], new(big.Int).And(n, new(big.Int).SetUint64(1<<64-1)).Uint64())
	binary.LittleEndian.PutUint64(data[at+8:], new(big.Int).Rsh(n, 64).Uint64())
}

// plantCurve creates a curve's pool and position with so much liquidity. Offsets are those of
// cp-amm's state/pool.rs and state/position.rs.
func (w *marketFixture) plantCurve(t *testing.T, c market.Curve, liquidity *big.Int) {
	t.Helper()
	pool := anchored("Pool", meteora.PoolSize)
	little(pool, 152, c.StartSqrtPrice)
	copy(pool[168:], c.Mint[:])
	copy(pool[200:], solana.WrappedSol[:])
	little(pool, 360, liquidity)
	little(pool, 456, c.StartSqrtPrice)
	copy(pool[648:], c.Creator[:])
	w.plant(t, c.Address, meteora.Program, pool)
	position := anchored("Position", meteora.PositionSize)
	copy(position[8:], c.Address[:])
	copy(position[40:], c.NFTMint[:])
	little(position, 152, liquidity)
	w.plant(t, c.Position, meteora.Program, position)
}

// pass lets blockhashes of now expire, finalized.
func (w *payFixture) pass(t *testing.T) { w.ledger.PassSlots(t, 200) }

// A pool is recorded, also a third party's; one that does not come to be expires, and not before it
// can.
func TestPoolsAreWatched(t *testing.T) {
	w := newPayEnv(t).markets(t)
	here, elsewhere, never := w.token(t).mint, solana.NewWallet().PublicKey(), w.token(t).mint
	made, at := w.cpmm(t, here)
	foreign, there := w.cpmm(t, elsewhere)
	lost, nowhere := w.cpmm(t, never)
	w.ledger.Fund(t, nowhere.Pool.String(), solana.LAMPORTS_PER_SOL) // anyone can
	w.watches(t, w.node, watch.MarketReport{Due: 3, Open: 3})
	stranger := solana.NewWallet().PublicKey()
	w.plantCPMM(t, at, stranger)
	w.plantCPMM(t, there, stranger)
	w.watches(t, w.node, watch.MarketReport{Due: 3, Seen: 2, Open: 1})
	w.hasEnded(t, made, transaction.Seen)
	w.hasEnded(t, foreign, transaction.Seen)
	record, err := w.tokens.Token(t.Context(), here)
	payMust(t, err)
	want := token.Pool{
		Kind: token.RaydiumCPMM, Address: at.Pool, Mint: here, Creator: stranger, TokenVault: at.TokenVault, SOLVault: at.SOLVault,
		Authority: at.Authority, LPMint: at.LPMint, CreatedAt: w.clock.Now().UTC().Truncate(time.Millisecond),
	}
	if len(record.Pools) != 0 || !slices.Equal(record.OtherPools, []token.Pool{want}) {
		t.Errorf("the token has %+v and %+v, want %+v in OtherPools", record.Pools, record.OtherPools, want)
	}
	// Its creator's is the token's.
	again, at := w.cpmm(t, here)
	w.plantCPMM(t, at, record.Creator)
	w.pass(t)
	w.watches(t, w.node, watch.MarketReport{Due: 2, Seen: 1, Expired: 1})
	w.hasEnded(t, again, transaction.Seen)
	w.hasEnded(t, lost, transaction.Expired)
	if record, err = w.tokens.Token(t.Context(), here); err != nil || len(record.OtherPools) != 1 || record.OtherPools[0] != want ||
		len(record.Pools) != 1 || record.Pools[0].Address != at.Pool {
		t.Errorf("the token has %+v and %+v, %v", record.Pools, record.OtherPools, err)
	}
	w.watches(t, w.node, watch.MarketReport{})
}

// The record gets the one of several prepared curves that exists; the others expire.
func TestCurvesAreWatched(t *testing.T) {
	w := newPayEnv(t).markets(t)
	mint := w.token(t).mint
	first, second := w.prepared(t, mint), w.prepared(t, mint)
	w.plantCurve(t, second, second.Liquidity)
	w.watches(t, w.node, watch.MarketReport{Due: 2, Seen: 1, Open: 1})
	w.hasEnded(t, second.ID, transaction.Seen)
	if c := w.curve(t, mint); c.ID != second.ID || c.State != token.CurveActive || !c.CreatedAt.Equal(w.clock.Now().UTC().Truncate(time.Millisecond)) {
		t.Errorf("the curve is %+v", c)
	}
	w.pass(t)
	w.watches(t, w.node, watch.MarketReport{Due: 1, Expired: 1})
	w.hasEnded(t, first.ID, transaction.Expired)

	// The withdrawal is found, and makes the index check the curve immediately.
	cancel := w.issue(t, transaction.KindCancel, mint, second.Address)
	payMust(t, issued.Store{Client: w.store.Client, Table: w.table}.Record(t.Context(), cancel))
	// A cancellation of a curve that was never found ends, too.
	early := w.issue(t, transaction.KindCancel, solana.NewWallet().PublicKey(), solana.NewWallet().PublicKey())
	early.LastValid = 1
	payMust(t, issued.Store{Client: w.store.Client, Table: w.table}.Record(t.Context(), early))
	w.watches(t, w.node, watch.MarketReport{Due: 2, Open: 1, Expired: 1})
	w.hasEnded(t, early.ID, transaction.Expired)
	store := curves.Index{Client: w.store.Client, Table: w.table}
	followed, err := store.Curves(t.Context(), mint)
	payMust(t, err)
	payMust(t, store.Rest(t.Context(), followed[0], solana.Signature{}, w.clock.Now().Add(time.Hour)))
	w.plantCurve(t, second, new(big.Int))
	w.watches(t, w.node, watch.MarketReport{Due: 1, Seen: 1})
	w.hasEnded(t, cancel.ID, transaction.Seen)
	if due, err := store.Followed(t.Context()); err != nil || len(due) != 1 || due[0].DueAt.After(w.clock.Now()) {
		t.Errorf("to be followed: %+v, %v", due, err)
	}
}

// An invalid pool account, or an account of another owner at this address, is an error that does
// not stop the watcher: the account is checked less often, and expires after a day.
func TestForeignAccountsEndNothing(t *testing.T) {
	w := newPayEnv(t).markets(t)
	strange, at := w.cpmm(t, w.token(t).mint)
	w.plant(t, at.Pool, raydium.Mainnet.Program, anchored("AmmConfig", raydium.PoolSize))
	foreign, there := w.cpmm(t, w.token(t).mint)
	other := there
	other.Token = solana.NewWallet().PublicKey()
	w.plantCPMM(t, other, solana.PublicKey{1})
	curve := w.prepared(t, w.token(t).mint)
	w.plantCurve(t, curve, curve.Liquidity)
	w.clock.Pass(time.Minute)
	report, err := w.marketWatcher(w.node).Run(t.Context())
	if !errors.Is(err, raydium.ErrNotPool) || report != (watch.MarketReport{Due: 3, Seen: 1, Errors: 2}) {
		t.Errorf("Run() = %+v, %v; want two errors of foreign accounts", report, err)
	}
	w.pass(t)
	for _, want := range []watch.MarketReport{{Due: 2, Errors: 2}, {}} { // then they are deferred
		w.clock.Pass(time.Minute)
		if report, err := w.marketWatcher(w.node).Run(t.Context()); report != want || (err != nil) != (want.Errors > 0) {
			t.Errorf("%+v, %v; want %+v", report, err, want)
		}
	}
	for _, id := range []string{strange, foreign} {
		if fate, watched := w.issuedFate(t, id); fate != transaction.Open || !watched {
			t.Errorf("it is %s, watched %v", fate, watched)
		}
	}
	w.clock.Pass(24 * time.Hour)
	if report, err := w.marketWatcher(w.node).Run(t.Context()); err == nil || report != (watch.MarketReport{Due: 2, Errors: 2}) {
		t.Errorf("Run() after a day = %+v, %v; want two errors", report, err)
	}
	w.hasEnded(t, strange, transaction.Expired)
	w.hasEnded(t, foreign, transaction.Expired)
}

// A third party's curve exists on the launchpad, and the token's record lists it separately from
// its own curve, which is its creator's.
func TestThirdPartyCurveIsNotRecorded(t *testing.T) {
	w := newPayEnv(t).markets(t)
	mint := w.token(t).mint
	nft := solana.NewWallet().PublicKey()
	at, err := meteora.Addresses(mint, solana.PublicKey{}, nft)
	payMust(t, err)
	i := w.issue(t, transaction.KindCurve, mint, at.Pool)
	i.Cosigned = []transaction.Cosignature{{Signer: nft}}
	curve := w.preparedBy(t, i, at)
	w.plantCurve(t, curve, curve.Liquidity)
	w.watches(t, w.node, watch.MarketReport{Due: 1, Seen: 1})
	record, err := w.tokens.Token(t.Context(), mint)
	payMust(t, err)
	if record.Launchpad != nil || len(record.Pools) != 0 || len(record.OtherPools) != 1 || record.OtherPools[0].Creator != i.Caller {
		t.Errorf("the token has %+v, %+v, %+v", record.Launchpad, record.Pools, record.OtherPools)
	}
	if c := w.curve(t, mint); c.Official || c.Creator != i.Caller {
		t.Errorf("the curve is %+v", c)
	}
	// Its state changes, and the token's record does not.
	payMust(t, curves.Index{Client: w.store.Client, Table: w.table}.Cancel(t.Context(), index.Curve{Curve: w.curve(t, mint)}))
	if record, err = w.tokens.Token(t.Context(), mint); err != nil || record.Launchpad != nil {
		t.Errorf("the token has %+v, %v", record.Launchpad, err)
	}
	// Its creator's is official.
	own := w.prepared(t, w.token(t).mint)
	w.plantCurve(t, own, own.Liquidity)
	w.watches(t, w.node, watch.MarketReport{Due: 1, Seen: 1})
	if c := w.curve(t, own.Mint); !c.Official {
		t.Errorf("the curve is %+v", c)
	}
}

// More prepared transactions than a run checks do not hide one that landed: the newest have
// reserved places, and the others expire.
func TestPreparedTransactionsBlockNoWatcher(t *testing.T) {
	w := newPayEnv(t).markets(t)
	for range 30 {
		w.cpmm(t, solana.NewWallet().PublicKey())
		w.clock.Pass(time.Millisecond)
	}
	made, at := w.cpmm(t, w.token(t).mint)
	w.plantCPMM(t, at, solana.PublicKey{1})
	w.clock.Pass(time.Minute)
	watcher := w.marketWatcher(w.node)
	watcher.Max = 10
	for _, want := range []watch.MarketReport{{Due: 10, Seen: 1, Open: 9}, {Due: 10, Open: 10}} {
		if report, err := watcher.Run(t.Context()); err != nil || report != want {
			t.Errorf("%+v, %v; want %+v", report, err, want)
		}
	}
	w.hasEnded(t, made, transaction.Seen)
	w.pass(t)
	for _, want := range []int{10, 10, 10, 0} {
		if report, err := watcher.Run(t.Context()); err != nil || report.Expired != want {
			t.Errorf("%+v, %v; want %d expired", report, err, want)
		}
	}
}

// laggard is a node that is behind the height of another node.
type laggard struct {
	watch.MarketChain
	says  error // nil: it responds with an earlier slot
	asked *[]string
}

func (l laggard) Finality(ctx context.Context) (onchain.Tip, error) {
	*l.asked = append(*l.asked, "height")
	return l.MarketChain.Finality(ctx)
}

func (l laggard) AccountsAt(ctx context.Context, from uint64, addresses ...solana.PublicKey) ([]*onchain.Account, uint64, error) {
	*l.asked = append(*l.asked, "accounts")
	if l.says != nil {
		return nil, 0, l.says
	}
	return make([]*onchain.Account, len(addresses)), from - 1, nil
}

// A transaction that can no longer land expires only in a state at or after the height that proves
// this. The height is read first.
func TestLaggingMarketNodeDecidesNothing(t *testing.T) {
	w := newPayEnv(t).markets(t)
	id, _ := w.cpmm(t, w.token(t).mint)
	w.pass(t)
	var asked []string
	w.watches(t, laggard{w.node, onchain.ErrBehind, &asked}, watch.MarketReport{Due: 1, Behind: 1})
	w.watches(t, laggard{w.node, nil, &asked}, watch.MarketReport{Due: 1, Behind: 1})
	if fmt.Sprint(asked) != "[height accounts height accounts]" {
		t.Errorf("requested %v", asked)
	}
	if fate, watched := w.issuedFate(t, id); fate != transaction.Open || !watched {
		t.Errorf("it is %s, watched %v", fate, watched)
	}
	w.watches(t, w.node, watch.MarketReport{Due: 1, Expired: 1})
}

// marketStory is one of each: a pool that is there, one that never came, a curve, and
// one that was withdrawn.
type marketCase struct {
	*marketFixture
	mint           solana.PublicKey
	pool, lost     string
	curve, retired market.Curve
	cancel         transaction.Issued
}

func (g *payEnv) marketCase(t *testing.T) marketCase {
	t.Helper()
	s := marketCase{marketFixture: g.markets(t)}
	s.mint = s.token(t).mint
	var at raydium.Addresses
	s.pool, at = s.cpmm(t, s.mint)
	s.plantCPMM(t, at, solana.PublicKey{1})
	s.lost, _ = s.cpmm(t, solana.NewWallet().PublicKey())
	s.curve, s.retired = s.prepared(t, s.mint), s.prepared(t, s.token(t).mint)
	s.plantCurve(t, s.curve, s.curve.Liquidity)
	s.plantCurve(t, s.retired, new(big.Int))
	s.retired.CreatedAt = s.clock.Now().Add(time.Hour)
	payMust(t, s.curves.Deploy(t.Context(), s.retired, s.retired.ID))
	s.cancel = s.issue(t, transaction.KindCancel, s.retired.Mint, s.retired.Address)
	payMust(t, issued.Store{Client: s.store.Client, Table: s.table}.Record(t.Context(), s.cancel))
	return s
}

// end checks the end state.
func (s marketCase) end(t *testing.T) {
	t.Helper()
	for id, want := range map[string]transaction.Fate{
		s.pool: transaction.Seen, s.lost: transaction.Expired, s.curve.ID: transaction.Seen, s.cancel.ID: transaction.Seen,
	} {
		s.hasEnded(t, id, want)
	}
	record, err := s.tokens.Token(t.Context(), s.mint)
	payMust(t, err)
	if len(record.Pools)+len(record.OtherPools) != 2 || record.Launchpad == nil || record.Launchpad.State != token.CurveActive {
		t.Errorf("the token has %+v, %+v", record.Pools, record.Launchpad)
	}
	if c := s.marketFixture.curve(t, s.mint); c.ID != s.curve.ID {
		t.Errorf("the curve is %+v", c)
	}
	listed, _, err := s.curves.Page(t.Context(), "", 10)
	if err != nil || len(listed) != 2 {
		t.Errorf("%d curves are listed, %v", len(listed), err)
	}
	due, err := curves.Index{Client: s.store.Client, Table: s.table}.Followed(t.Context())
	if err != nil || len(due) != 2 {
		t.Errorf("%d curves are to be followed, %v", len(due), err)
	}
}

// run lets a watcher in a process work until it dies or is done.
func (s marketCase) run(t *testing.T, p *fault.Process) {
	t.Helper()
	config := s.config.Copy()
	config.HTTPClient = p.Over(config.HTTPClient.Do)
	watcher := s.marketWatcher(s.nodeOf(t, p))
	watcher.Store = curves.Transactions{Client: dynamo.New(config), Table: s.table}
	s.clock.Pass(time.Minute)
	p.Run(func() { _, _ = watcher.Run(context.Background()) })
}

// TestMarketWatcherSurvivesCrashAtEveryCall lets a watcher die, or its calls fail, before and after
// each call took effect: the next watcher reaches the same end.
func TestMarketWatcherSurvivesCrashAtEveryCall(t *testing.T) {
	g := newPayEnv(t)
	whole := g.marketCase(t)
	whole.pass(t)
	p := fault.NewProcess()
	whole.run(t, p)
	whole.end(t)
	calls := p.Calls()
	if len(calls) < 12 {
		t.Fatalf("only %v", calls)
	}
	hits := map[string]func(p *fault.Process, at fault.Match){
		"crash before": (*fault.Process).KillBefore,
		"crash after":  (*fault.Process).KillAfter,
		"down":         func(p *fault.Process, at fault.Match) { p.On(at, fault.Down) },
		"reply lost":   func(p *fault.Process, at fault.Match) { p.On(at, fault.ReplyLost) },
	}
	cases := map[string]marketCase{}
	for _, call := range calls {
		for name := range hits {
			cases[call.String()+"/"+name] = g.marketCase(t)
		}
	}
	whole.pass(t)
	for _, call := range calls {
		for name, hit := range hits {
			t.Run(call.String()+"/"+name, func(t *testing.T) {
				s := cases[call.String()+"/"+name]
				p := fault.NewProcess()
				hit(p, fault.Exactly(call))
				s.run(t, p)
				for range 2 {
					s.clock.Pass(time.Minute)
					_, err := s.marketWatcher(s.node).Run(t.Context())
					payMust(t, err)
				}
				s.end(t)
			})
		}
	}
}

// TestMarketWatchersRace lets many watchers end one transaction concurrently.
func TestMarketWatchersRace(t *testing.T) {
	s := newPayEnv(t).marketCase(t)
	s.pass(t)
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() {
			for range 4 {
				s.clock.Pass(time.Minute)
				watcher := s.marketWatcher(s.node)
				watcher.Log = slog.New(slog.DiscardHandler)
				if _, err := watcher.Run(context.Background()); err != nil {
					t.Log(err) // a conflict of two writes: the next run's
				}
			}
		})
	}
	all.Wait()
	s.clock.Pass(time.Minute)
	_, err := s.marketWatcher(s.node).Run(t.Context())
	payMust(t, err)
	s.end(t)
}

// A run is bounded, and the next run continues.
func TestMarketRunIsBounded(t *testing.T) {
	w := newPayEnv(t).markets(t)
	for range 3 {
		w.cpmm(t, solana.NewWallet().PublicKey())
		w.clock.Pass(time.Millisecond)
	}
	w.pass(t)
	w.clock.Pass(time.Minute)
	watcher := w.marketWatcher(w.node)
	watcher.Max = 2
	for _, want := range []int{2, 1, 0} {
		if report, err := watcher.Run(t.Context()); err != nil || report.Expired != want {
			t.Errorf("%+v, %v; want %d expired", report, err, want)
		}
	}
}
