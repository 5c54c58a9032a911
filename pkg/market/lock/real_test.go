package lock_test

import (
	"crypto/sha256"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market/lock"
	"tokenlaunch.example/service/pkg/solana/locker"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/testkit/localnet/dex"
	"tokenlaunch.example/service/pkg/testkit/must"
)

// The program moves the announced amounts, to the unit and the lamport, and lets the recipient
// claim exactly the announced amount at exactly the announced second.
func TestRealLockReleasesAnnouncedAmounts(t *testing.T) {
	w := newFixture(t, dex.LockerChain(t))
	for name, k := range map[string]struct {
		kind

		tokens   uint64
		releases int
		period   int
		other    bool // who receives
	}{
		"taxed":                {kind{bps: 500, largest: math.MaxUint64}, 700_000_000_000_003, 7, 86_400, true},
		"taxed, round":         {kind{bps: 500, largest: math.MaxUint64}, supply, 1, 0, true}, // all that the caller has
		"taxed, to the caller": {kind{bps: 333, largest: math.MaxUint64}, 1_000_000_007, 3, 1, false},
		"taxed up to a limit":  {kind{bps: 500, largest: 1_000_000}, 600_000_000_000_000, 4, 3_600, true},
		"taxed nearly whole":   {kind{bps: 9_999, largest: math.MaxUint64}, 800_000_000_000_123, 3, 60, true},
		"untaxed, immediate":   {kind{}, supply, 1, 0, true},
		"older program":        {kind{older: true}, 1_000_000_000, 12, 2_592_000, true},
	} {
		t.Run(name, func(t *testing.T) {
			caller, recipient := w.wallet(t), w.wallet(t)
			mint := w.mint(t, caller, k.kind)
			d := lock.Draft{Mint: mint, Tokens: k.tokens, FirstAt: w.now(t).Add(90 * time.Minute), Releases: k.releases, Period: k.period}
			if k.other {
				d.Recipient = recipient.PublicKey()
			} else {
				recipient = caller
			}
			l, err := w.service.Create(t.Context(), caller.PublicKey(), d)
			must.Do(t, err)
			if !l.Simulation.OK {
				t.Fatalf("simulation = %+v, want OK", l.Simulation)
			}
			t.Logf("%d bytes, %d units, cost %+v, %s", len(l.Transaction), l.Simulation.ComputeUnits, l.Cost, l.Explanation)
			s := l.Schedule
			if whole := s.First + s.Each*s.Times; whole != l.Locked || l.Sent > k.tokens || l.Recipient != recipient.PublicKey() {
				t.Fatalf("lock = %+v, want that its releases add up to the locked amount", l)
			}
			before := w.lamports(t, caller.PublicKey())
			had := w.tokens(t, caller.PublicKey(), mint, k.program()).Amount
			w.land(t, l.Unsigned, caller)
			if paid := before - w.lamports(t, caller.PublicKey()); paid != l.Cost.Total() {
				t.Errorf("the chain charged %d, announced were %d: %+v", paid, l.Cost.Total(), l.Cost)
			}
			if sent := had - w.tokens(t, caller.PublicKey(), mint, k.program()).Amount; sent > l.Sent || sent > k.tokens || sent+1 < l.Sent && k.bps < 5_000 {
				t.Errorf("%d of %d left the wallet, announced were at most %d", sent, k.tokens, l.Sent)
			}
			if kept := w.tokens(t, l.Escrow, mint, k.program()); kept.Amount != l.Locked {
				t.Errorf("the escrow has %d, announced were %d", kept.Amount, l.Locked)
			}
			stored, _, err := w.node.Account(t.Context(), l.Escrow)
			must.Do(t, err)
			e, err := locker.DecodeEscrow(stored.Owner, stored.Data)
			must.Do(t, err)
			if want := (locker.Escrow{Schedule: s, Recipient: recipient.PublicKey(), Mint: mint, Creator: caller.PublicKey(), Base: l.Base}); e != want {
				t.Errorf("the escrow is %+v, want %+v", e, want)
			}
			c := claims{w, recipient, l, mint, k.kind}
			c.refusedToEnd(t, caller)
			// Shortly before each release there is nothing more; with it, just what was said.
			claimed := uint64(0)
			for i := range d.Releases {
				at := d.FirstAt.Add(time.Duration(i*d.Period) * time.Second)
				if i > 1 && i < d.Releases-1 {
					continue // several parts come in one claim
				}
				if due := s.First + s.Each*uint64(max(0, i-1)); i == 0 || d.Period > 30 { // the clock keeps running
					w.TimeTravel(t, at.Add(-10*time.Second))
					if i == 0 {
						due = 0
					}
					if got := c.claim(t); got != due-claimed {
						t.Fatalf("shortly before release %d: %d were released, want %d", i, got, due-claimed)
					}
					claimed = due
				}
				w.TimeTravel(t, at)
				if due := s.First + s.Each*uint64(i); i < d.Releases-1 && d.Period <= 30 {
					continue
				} else if got := c.claim(t); got != due-claimed {
					t.Errorf("release %d: %d were released, want %d", i, got, due-claimed)
				} else {
					claimed = due
				}
			}
			w.TimeTravel(t, d.LastAt().Add(time.Hour))
			if got := c.claim(t); got != 0 || w.tokens(t, l.Escrow, mint, k.program()).Amount != 0 {
				t.Errorf("%d were released after the last release, %d are left", got, w.tokens(t, l.Escrow, mint, k.program()).Amount)
			}
		})
	}
}

// claims are the recipient's.
type claims struct {
	w         *fixture
	recipient solana.PrivateKey
	l         lock.Lock
	mint      solana.PublicKey
	kind      kind
}

// claim claims everything that is released, and returns the amount that left the escrow; the
// arriving amount is checked against the tax.
func (c claims) claim(t *testing.T) uint64 {
	t.Helper()
	who, program := c.recipient.PublicKey(), c.kind.program()
	open, account, err := token2022.CreateAssociatedIdempotent{Payer: who, Wallet: who, Mint: c.mint, Program: program}.Instruction()
	must.Do(t, err)
	escrow, err := token2022.AssociatedAddress(c.l.Escrow, c.mint, program)
	must.Do(t, err)
	kept, had := c.w.tokens(t, c.l.Escrow, c.mint, program).Amount, c.w.tokens(t, who, c.mint, program).Amount
	c.w.execute(t, []solana.Instruction{open, locker.Claim{
		Max: math.MaxUint64, Escrow: c.l.Escrow, EscrowToken: escrow, Recipient: who, RecipientToken: account, Mint: c.mint, TokenProgram: program,
	}.Instruction()}, c.recipient)
	out := kept - c.w.tokens(t, c.l.Escrow, c.mint, program).Amount
	tax := token2022.TransferFee{BasisPoints: c.kind.bps, MaximumFee: c.kind.largest}.On(out)
	if got := c.w.tokens(t, who, c.mint, program).Amount - had; got != out-tax {
		t.Errorf("%d arrive of %d, with a tax of %d", got, out, tax)
	}
	return out
}

// refusedToEnd has the creator and the recipient try to cancel, and to change the recipient, and a
// third party to claim.
func (c claims) refusedToEnd(t *testing.T, creator solana.PrivateKey) {
	t.Helper()
	program := c.kind.program()
	escrow, err := token2022.AssociatedAddress(c.l.Escrow, c.mint, program)
	must.Do(t, err)
	tag := func(name string) []byte { sum := sha256.Sum256([]byte("global:" + name)); return sum[:8] }
	const notPermitted = "0x1775" // LockerError::NotPermitToDoThisAction
	for _, signer := range []solana.PrivateKey{creator, c.recipient} {
		who := signer.PublicKey()
		var list []solana.Instruction
		accounts := map[solana.PublicKey]solana.PublicKey{}
		for _, owner := range []solana.PublicKey{creator.PublicKey(), c.recipient.PublicKey()} {
			open, account, err := token2022.CreateAssociatedIdempotent{Payer: who, Wallet: owner, Mint: c.mint, Program: program}.Instruction()
			must.Do(t, err)
			list, accounts[owner] = append(list, open), account
		}
		w := func(key solana.PublicKey) *solana.AccountMeta { return solana.NewAccountMeta(key, true, false) }
		r := func(key solana.PublicKey) *solana.AccountMeta { return solana.NewAccountMeta(key, false, false) }
		tail := []*solana.AccountMeta{r(locker.EventAuthority), r(locker.Program)}
		for what, try := range map[string]solana.Instruction{
			"cancel": solana.NewInstruction(locker.Program, append([]*solana.AccountMeta{
				w(c.l.Escrow), w(c.mint), w(escrow), w(accounts[creator.PublicKey()]), w(accounts[c.recipient.PublicKey()]), w(who),
				solana.NewAccountMeta(who, true, true), r(solana.MemoProgramID), r(program),
			}, tail...), append(tag("cancel_vesting_escrow"), 0)),
			"change the recipient": solana.NewInstruction(locker.Program, append([]*solana.AccountMeta{
				w(c.l.Escrow), r(locker.Program), // no metadata
				solana.NewAccountMeta(who, true, true), r(solana.SystemProgramID),
			}, tail...), append(append(tag("update_vesting_escrow_recipient"), who[:]...), 0)),
		} {
			s, err := c.w.node.Simulate(t.Context(), c.w.compile(t, append(list[:len(list):len(list)], try), signer).Bytes())
			must.Do(t, err)
			if s.OK || !strings.Contains(s.Detail, notPermitted) {
				t.Errorf("%s may %s: %+v, want error %s", who, what, s, notPermitted)
			}
		}
	}
}
