package audit_test

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/proof/audit"
	"tokenlaunch.example/service/pkg/proof/chain"
	"tokenlaunch.example/service/pkg/proof/snapshot"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/token2022"
)

func key(n byte) solana.PublicKey { return solana.PublicKey{31: n, 0: 7} }

var (
	mint, authority, router, other = key(1), key(2), key(3), key(4)
	// Token accounts; the owner of each is ownerOf it.
	alice, bob, vault, pool = key(10), key(11), key(12), key(13)
)

func ownerOf(account solana.PublicKey) solana.PublicKey { return key(account[31] + 100) }

// node is a scripted one. What is to be wrong with it replaces a function.
type node struct {
	chain.Node // has no further methods that are called

	all      []chain.Transaction // of everything, the oldest first
	balances map[solana.PublicKey]uint64
	withheld map[solana.PublicKey]uint64
	onMint   uint64
	supply   uint64
	slot     uint64

	page    func(address solana.PublicKey, before solana.Signature) ([]chain.Listed, error)
	landing func(chain.Transaction) (chain.Transaction, error)
	account func() (onchain.Account, bool)
}

// step is an instruction and what it does.
type step struct {
	chain.Instruction

	do func(*node)
}

func instruction(in solana.Instruction) chain.Instruction {
	data, _ := in.Data()
	out := chain.Instruction{Program: in.ProgramID(), Data: data}
	for _, a := range in.Accounts() {
		out.Accounts = append(out.Accounts, a.PublicKey)
	}
	return out
}

// tax is 10 percent.
var tax = token2022.TransferFee{BasisPoints: 1_000, MaximumFee: math.MaxUint64}

func transfer(from, to solana.PublicKey, amount uint64) step {
	return step{
		instruction(token2022.TransferChecked{Source: from, Mint: mint, Destination: to, Owner: ownerOf(from), Amount: amount}.Instruction()),
		func(n *node) {
			if from == to {
				return
			}
			fee := tax.On(amount)
			n.balances[from] -= amount
			n.balances[to] += amount - fee
			n.withheld[to] += fee
		},
	}
}

func mintTo(to solana.PublicKey, amount uint64) step {
	return step{
		instruction(token2022.MintTo{Mint: mint, Account: to, Authority: authority, Amount: amount}.Instruction()),
		func(n *node) { n.balances[to] += amount; n.supply += amount },
	}
}

func withdraw(to solana.PublicKey, sources ...solana.PublicKey) step {
	in, _ := token2022.WithdrawWithheldFromAccounts{Mint: mint, Destination: to, Authority: authority, Sources: sources}.Instruction()
	return step{instruction(in), func(n *node) {
		for _, s := range sources {
			n.balances[to] += n.withheld[s]
			n.withheld[s] = 0
		}
	}}
}

func harvest(sources ...solana.PublicKey) step {
	return step{instruction(token2022.HarvestWithheldToMint{Mint: mint, Sources: sources}.Instruction()), func(n *node) {
		for _, s := range sources {
			n.onMint += n.withheld[s]
			n.withheld[s] = 0
		}
	}}
}

func withdrawMint(to solana.PublicKey) step {
	return step{
		instruction(token2022.WithdrawWithheldFromMint{Mint: mint, Destination: to, Authority: authority}.Instruction()),
		func(n *node) { n.balances[to] += n.onMint; n.onMint = 0 },
	}
}

// create makes the mint.
func create() []step {
	nothing := func(*node) {}
	return []step{
		{instruction(token2022.InitializeTransferFeeConfig{
			Mint: mint, WithdrawWithheldAuthority: authority, BasisPoints: tax.BasisPoints, MaximumFee: tax.MaximumFee,
		}.Instruction()), nothing},
		{instruction(token2022.InitializeMint2{Mint: mint, MintAuthority: authority}.Instruction()), nothing},
	}
}

// does appends a transaction.
func (n *node) does(steps ...step) *chain.Transaction {
	n.slot += 2
	t := chain.Transaction{Signature: solana.Signature{0: byte(n.slot), 1: byte(n.slot >> 8), 2: 1}, Slot: n.slot, Signers: 1}
	before := map[solana.PublicKey]uint64{alice: n.balances[alice], bob: n.balances[bob], vault: n.balances[vault], pool: n.balances[pool]}
	for i, s := range steps {
		s.do(n)
		s.Top = i
		t.Instructions = append(t.Instructions, s.Instruction)
		for _, a := range append([]solana.PublicKey{s.Program}, s.Accounts...) {
			if !slices.ContainsFunc(t.Accounts, func(x chain.Account) bool { return x.Address == a }) {
				t.Accounts = append(t.Accounts, chain.Account{Address: a})
			}
		}
	}
	for _, a := range t.Accounts {
		if was, ok := before[a.Address]; ok {
			t.Tokens = append(t.Tokens, chain.TokenAccount{
				Address: a.Address, Mint: mint, OwnerBefore: ownerOf(a.Address), OwnerAfter: ownerOf(a.Address), Before: was, After: n.balances[a.Address],
			})
		}
	}
	n.all = append(n.all, t)
	return &n.all[len(n.all)-1]
}

func newNode() *node {
	n := &node{balances: map[solana.PublicKey]uint64{}, withheld: map[solana.PublicKey]uint64{}}
	n.does(append(create(), mintTo(alice, 100_000))...)
	return n
}

// usual is a history with one of each, whose withdrawn 1,100 partly go on.
func usual() *node {
	n := newNode()
	n.does(transfer(alice, bob, 10_000)) // 1,000
	n.does(withdraw(vault, bob))
	n.does(transfer(alice, bob, 1_000)) // 100
	n.does(harvest(bob))
	n.does(withdrawMint(vault))
	n.does(transfer(vault, bob, 600)) // 60
	return n
}

func (n *node) Page(_ context.Context, address solana.PublicKey, before solana.Signature) ([]chain.Listed, error) {
	if n.page != nil {
		return n.page(address, before)
	}
	return n.honest(address, before, 3)
}

// honest lists a few at a time.
func (n *node) honest(address solana.PublicKey, before solana.Signature, most int) (page []chain.Listed, err error) {
	on := before.IsZero()
	for _, t := range slices.Backward(n.all) {
		named := slices.ContainsFunc(t.Accounts, func(a chain.Account) bool { return a.Address == address })
		if on && named && len(page) < most {
			page = append(page, chain.Listed{Signature: t.Signature, Slot: t.Slot})
		}
		on = on || t.Signature == before
	}
	return page, nil
}

func (n *node) Landing(_ context.Context, s solana.Signature) (chain.Transaction, error) {
	i := slices.IndexFunc(n.all, func(t chain.Transaction) bool { return t.Signature == s })
	if i < 0 {
		return chain.Transaction{}, chain.ErrNotLanded
	}
	if n.landing != nil {
		return n.landing(n.all[i])
	}
	return n.all[i], nil
}

// FinalizedAccount is the mint: spl-token-2022, Mint, with a TransferFeeConfig.
func (n *node) FinalizedAccount(context.Context, solana.PublicKey) (onchain.Account, uint64, bool, error) {
	if n.account != nil {
		a, ok := n.account()
		return a, n.slot, ok, nil
	}
	data := make([]byte, 166, 300)
	binary.LittleEndian.PutUint64(data[36:], n.supply)
	data[45], data[165] = 1, 1
	data = append(data, 1, 0, 108, 0)
	data = append(data, make([]byte, 32)...)
	data = append(data, authority[:]...)
	data = binary.LittleEndian.AppendUint64(data, n.onMint)
	for range 2 {
		data = binary.LittleEndian.AppendUint64(data, 0)
		data = binary.LittleEndian.AppendUint64(data, tax.MaximumFee)
		data = binary.LittleEndian.AppendUint16(data, tax.BasisPoints)
	}
	return onchain.Account{Owner: solana.Token2022ProgramID, Data: data}, n.slot, true, nil
}

// lister is a node that lists accounts.
type lister struct {
	*node

	err error
}

func (l lister) TokenAccounts(_ context.Context, _ solana.PublicKey, _ token2022.Mint, from uint64, each func(snapshot.Account) error) (snapshot.Span, error) {
	for a, n := range l.withheld {
		if err := each(snapshot.Account{Address: a, Withheld: n}); err != nil {
			return snapshot.Span{}, err
		}
	}
	return snapshot.Span{First: from, Last: from}, l.err
}

func report(t *testing.T, n audit.Node) audit.Report {
	t.Helper()
	r, err := audit.Auditor{Node: n}.Audit(t.Context(), mint)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// verdicts returns the names of the checks with a verdict.
func verdicts(r audit.Report, v audit.Verdict) (names []string) {
	for _, c := range r.Checks {
		if c.Verdict == v {
			names = append(names, c.Name)
		}
	}
	return names
}

func says(r audit.Report, words string) bool {
	return slices.ContainsFunc(r.Unknown, func(s string) bool { return strings.Contains(s, words) })
}

// An honest node's history agrees with itself, and only what always applies is unknown.
func TestHonestHistoryAgrees(t *testing.T) {
	r := report(t, lister{node: usual()})
	if d := append(verdicts(r, audit.Differs), verdicts(r, audit.NotKnown)...); len(d) > 0 || !r.History.Complete || len(r.Checks) != 8 {
		t.Errorf("%v of %+v", d, r.Checks)
	}
	if want := (audit.Tax{
		Withheld: sum(1_160), Transfers: 3, ByBalances: sum(1_160), Harvests: 1, Harvested: sum(100), Withdrawn: sum(1_100), InAccounts: sum(60), Listed: true,
	}); r.Tax != want {
		t.Errorf("tax %+v", r.Tax)
	}
	if want := (audit.Supply{AtCreation: sum(100_000), Now: sum(100_000)}); r.Supply != want {
		t.Errorf("supply %+v", r.Supply)
	}
	if len(r.Unknown) != 4 || !says(r, "one node's word") || !says(r, "First in, first out") || !says(r, "a harvest moved") || !says(r, "behind an address") {
		t.Errorf("unknown %q", r.Unknown)
	}
	if by := r.By(); len(by) != 2 || by[0].From != "accounts" || by[0].Amount != sum(1_000) || by[1].From != "mint" || by[1].Amount != sum(100) {
		t.Errorf("withdrawn %+v", by)
	}
}

// What a node cannot tell, or hides, is in the report.
func TestReportNamesGaps(t *testing.T) {
	for name, c := range map[string]struct {
		spoil   func(*node)
		differs []string
		says    string
		whole   bool // the history is complete all the same
	}{
		"the beginning is pruned": {func(n *node) { n.all = n.all[1:] }, nil, "does not begin with the mint's creation", false},
		"a transaction is lost": {func(n *node) {
			lost := n.all[1].Signature
			n.landing = func(t chain.Transaction) (chain.Transaction, error) {
				if t.Signature == lost {
					return chain.Transaction{}, chain.ErrNotLanded
				}
				return t, nil
			}
		}, []string{"balances", "withdrawals", "tax"}, "lists and does not have", false},
		"a transfer is hidden": {func(n *node) { n.all = slices.Delete(n.all, 3, 4) }, []string{"balances", "withdrawals", "tax"}, "gaps", false},
		"a movement of a destination is hidden": {func(n *node) {
			n.page = func(address solana.PublicKey, before solana.Signature) ([]chain.Listed, error) {
				page, err := n.honest(address, before, 100)
				if address == mint {
					hidden := n.all[len(n.all)-1].Signature
					page = slices.DeleteFunc(page, func(l chain.Listed) bool { return l.Signature == hidden })
				}
				return page, err
			}
		}, []string{"in accounts", "tax", "destinations"}, "the node hides", false},
		"the authority is another": {func(n *node) {
			set := instruction(token2022.SetAuthority{Account: mint, Current: authority, Type: token2022.AuthorityWithdrawWithheld, New: other}.Instruction())
			n.does(step{set, func(*node) {}})
		}, []string{"authorities"}, "", true},
		"the supply is another":  {func(n *node) { n.supply++ }, []string{"supply"}, "", true},
		"the mint has more tax":  {func(n *node) { n.onMint++ }, []string{"on the mint", "tax"}, "", true},
		"accounts have more tax": {func(n *node) { n.withheld[pool]++ }, []string{"in accounts", "tax"}, "", true},
		"a balance changes by nothing": {func(n *node) {
			step := harvest(pool, alice)
			step.do = func(n *node) { n.balances[alice]-- }
			n.does(step)
		}, []string{"balances"}, "no instruction for it", false},
		"a balance falls as it receives": {func(n *node) {
			step := transfer(alice, bob, 100)
			step.do = func(n *node) { n.balances[alice] -= 100; n.balances[bob] -= 50 }
			n.does(step)
		}, []string{"balances"}, "no instruction for it", false},
		"a withdrawal brings too little": {func(n *node) {
			n.does(transfer(alice, bob, 100))
			step := withdraw(vault, bob)
			step.do = func(n *node) { n.balances[vault] += 69; n.withheld[bob] = 0 } // of 70
			n.does(step)
		}, []string{"withdrawals", "tax"}, "", true},
		"an owner changed": {func(n *node) { n.does(transfer(alice, bob, 10)).Tokens[1].OwnerBefore = other }, nil, "came to other owners", true},
		"a batch": {func(n *node) {
			t := n.does(harvest(bob))
			t.Instructions = append(t.Instructions, chain.Instruction{Program: solana.Token2022ProgramID, Data: []byte{255, 1, 2}})
		}, nil, "batches of instructions", true},
		"another fee than any that was set": {func(n *node) {
			step := transfer(alice, bob, 100)
			step.do = func(n *node) { n.balances[alice] -= 100; n.balances[bob] += 50; n.withheld[bob] += 50 }
			n.does(step)
		}, nil, "withheld something else", true},
		"newer transactions": {func(n *node) { n.does(transfer(alice, bob, 100)).Slot += 100; n.withheld[bob] -= 10 }, nil, "came while", true},
	} {
		t.Run(name, func(t *testing.T) {
			n := usual()
			c.spoil(n)
			r := report(t, lister{node: n})
			if got := verdicts(r, audit.Differs); !slices.Equal(got, c.differs) || r.History.Complete != c.whole {
				t.Errorf("%v differ, want %v; %+v\n%+v", got, c.differs, r.Checks, r.History)
			}
			if !says(r, c.says) {
				t.Errorf("%q does not say %q", r.Unknown, c.says)
			}
		})
	}
}

// A node that does not list accounts leaves that unknown, and nothing else.
func TestNodeMayOmitAccounts(t *testing.T) {
	for name, n := range map[string]audit.Node{"cannot": usual(), "refuses": lister{usual(), errors.New("no scans")}} {
		r := report(t, n)
		if got := verdicts(r, audit.NotKnown); !slices.Equal(got, []string{"in accounts", "tax"}) || len(verdicts(r, audit.Differs)) > 0 ||
			!says(r, "What the accounts still hold") || r.Tax.InAccounts != sum(60) || r.Tax.Listed {
			t.Errorf("%s: %v, %+v", name, got, r.Tax)
		}
	}
}

// A hostile node ends in an error, and soon.
func TestHostileNodeIsError(t *testing.T) {
	fresh := uint64(0)
	for name, c := range map[string]struct {
		spoil func(*node)
		want  error
	}{
		"endless pages": {func(n *node) {
			n.page = func(solana.PublicKey, solana.Signature) ([]chain.Listed, error) {
				page := make([]chain.Listed, chain.PageSize)
				for i := range page {
					fresh++
					binary.LittleEndian.PutUint64(page[i].Signature[:], fresh)
					page[i].Slot = 5
				}
				return page, nil
			}
		}, audit.ErrTooLong},
		"endless histories of a destination": {func(n *node) {
			n.page = func(a solana.PublicKey, before solana.Signature) ([]chain.Listed, error) {
				if a == mint {
					return n.honest(a, before, 100)
				}
				fresh++
				return []chain.Listed{{Signature: solana.Signature{0: byte(fresh), 1: byte(fresh >> 8), 9: 9}, Slot: 1 << 40}}, nil
			}
		}, audit.ErrTooLong},
		"long histories of many destinations": {func(n *node) {
			n.does(transfer(alice, bob, 100))
			n.does(withdraw(pool, bob))
			n.page = func(a solana.PublicKey, before solana.Signature) ([]chain.Listed, error) {
				if a == mint {
					return n.honest(a, before, 100)
				}
				if !before.IsZero() {
					return nil, nil
				}
				page := make([]chain.Listed, 600) // of each: more than 1,000 together
				for i := range page {
					fresh++
					page[i] = chain.Listed{Signature: solana.Signature{0: byte(fresh), 1: byte(fresh >> 8), 9: 8}, Slot: 1 << 40}
				}
				return page, nil
			}
		}, audit.ErrTooLong},
		"the same page": {func(n *node) {
			n.page = func(solana.PublicKey, solana.Signature) ([]chain.Listed, error) {
				return []chain.Listed{{Signature: solana.Signature{1}, Slot: 5}, {Signature: solana.Signature{2}, Slot: 5}}, nil
			}
		}, audit.ErrInconsistent},
		"the oldest first": {func(n *node) {
			n.page = func(a solana.PublicKey, before solana.Signature) ([]chain.Listed, error) {
				if !before.IsZero() {
					return nil, nil
				}
				page, err := n.honest(a, before, 100)
				slices.Reverse(page)
				return page, err
			}
		}, audit.ErrInconsistent},
		"a page too long": {func(n *node) {
			n.page = func(solana.PublicKey, solana.Signature) ([]chain.Listed, error) {
				page := make([]chain.Listed, chain.PageSize+1)
				for i := range page {
					page[i] = chain.Listed{Signature: solana.Signature{0: byte(i), 1: byte(i >> 8)}, Slot: 5}
				}
				return page, nil
			}
		}, audit.ErrInconsistent},
		"another slot": {func(n *node) {
			n.landing = func(t chain.Transaction) (chain.Transaction, error) { t.Slot++; return t, nil }
		}, audit.ErrInconsistent},
		"another transaction": {func(n *node) {
			n.landing = func(t chain.Transaction) (chain.Transaction, error) { t.Signature[5]++; return t, nil }
		}, audit.ErrInconsistent},
		"one of another mint": {func(n *node) {
			n.landing = func(t chain.Transaction) (chain.Transaction, error) {
				t.Accounts = slices.DeleteFunc(slices.Clone(t.Accounts), func(a chain.Account) bool { return a.Address == mint })
				return t, nil
			}
		}, audit.ErrInconsistent},
		"an instruction cut off": {func(n *node) {
			n.landing = func(t chain.Transaction) (chain.Transaction, error) {
				t.Instructions = slices.Clone(t.Instructions)
				last := &t.Instructions[len(t.Instructions)-1]
				last.Data = last.Data[:1]
				return t, nil
			}
		}, audit.ErrInconsistent},
		"an empty transaction": {func(n *node) {
			n.landing = func(t chain.Transaction) (chain.Transaction, error) {
				return chain.Transaction{Signature: t.Signature, Slot: t.Slot}, nil
			}
		}, audit.ErrInconsistent},
		"no mint": {func(n *node) {
			n.account = func() (onchain.Account, bool) { return onchain.Account{}, false }
		}, audit.ErrNoFee},
		"a mint without a fee": {func(n *node) {
			n.account = func() (onchain.Account, bool) {
				data := make([]byte, 82)
				data[45] = 1
				return onchain.Account{Owner: solana.TokenProgramID, Data: data}, true
			}
		}, audit.ErrNoFee},
	} {
		t.Run(name, func(t *testing.T) {
			n := usual()
			c.spoil(n)
			if r, err := (audit.Auditor{Node: n, MaxTransactions: 1_000}).Audit(t.Context(), mint); !errors.Is(err, c.want) {
				t.Errorf("%v, want %v; %+v", err, c.want, r)
			}
		})
	}
}

// Eight transactions are asked for at a time, no more and no less.
func TestTransactionsAreReadAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := usual()
		for i := range 60 {
			n.does(transfer(alice, bob, uint64(i+10)))
		}
		var now, most atomic.Int64
		n.landing = func(t chain.Transaction) (chain.Transaction, error) {
			defer now.Add(-1)
			most.Store(max(most.Load(), now.Add(1)))
			time.Sleep(time.Second) // of the bubble: until all others wait
			return t, nil
		}
		if r := report(t, lister{node: n}); most.Load() != 8 || r.Tax.Transfers != 63 || len(verdicts(r, audit.Differs)) > 0 {
			t.Errorf("%d at once, %+v", most.Load(), r.Checks)
		}
	})
}

// A node that does not answer is asked again, a few times; what it refuses is not.
func TestFailedNodeIsError(t *testing.T) {
	n := usual()
	var calls atomic.Int64
	n.landing = func(t chain.Transaction) (chain.Transaction, error) {
		if calls.Add(1)%2 == 0 {
			return chain.Transaction{}, apperr.Upstream("The node", errors.New("busy"))
		}
		return t, nil
	}
	a := audit.Auditor{Node: n, Pause: func(context.Context, time.Duration) error { return nil }}
	if r, err := a.Audit(t.Context(), mint); err != nil || len(verdicts(r, audit.Differs)) > 0 {
		t.Errorf("%v, %+v", err, r.Checks)
	}
	for cause, want := range map[error]int64{errors.New("no such method"): 1, apperr.Upstream("The node", errors.New("busy")): 6} {
		calls.Store(0)
		n.page = func(solana.PublicKey, solana.Signature) ([]chain.Listed, error) {
			calls.Add(1)
			return nil, cause
		}
		if _, err := a.Audit(t.Context(), mint); !errors.Is(err, cause) || calls.Load() != want {
			t.Errorf("%v after %d calls, want %d", err, calls.Load(), want)
		}
	}
	n.page = nil
	ctx, stop := context.WithCancel(t.Context())
	n.landing = func(chain.Transaction) (chain.Transaction, error) { stop(); return chain.Transaction{}, ctx.Err() }
	if _, err := a.Audit(ctx, mint); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Of a destination's own history counts what came after the first withdrawal.
func TestDestinationHistory(t *testing.T) {
	n := newNode()
	change := func(tag byte, rest ...solana.PublicKey) step {
		data := []byte{tag, 2, 1} // SetAuthority of the owner, to the address that follows
		return step{chain.Instruction{
			Program: solana.Token2022ProgramID, Accounts: append([]solana.PublicKey{vault}, rest...), Data: append(data, other[:]...),
		}, func(*node) {}}
	}
	before := n.does(change(4, router, ownerOf(vault)))
	n.does(transfer(alice, bob, 1_000))
	n.does(withdraw(vault, bob))
	owner := n.does(change(6, ownerOf(vault)))
	delegate := n.does(change(4, router, other))
	n.does(change(5, other))
	checked := n.does(change(13, mint, router, other)) // names the mint, and is read with its history
	unknown := before.Signature
	n.landing = func(t chain.Transaction) (chain.Transaction, error) {
		if t.Signature == unknown {
			return chain.Transaction{}, errors.New("asked for what came before")
		}
		return t, nil
	}
	r := report(t, lister{node: n})
	want := []audit.AccountChange{
		{Place: audit.Place{Signature: owner.Signature, Slot: owner.Slot}, Account: vault, What: "owner", To: other},
		{Place: audit.Place{Signature: delegate.Signature, Slot: delegate.Slot}, Account: vault, What: "delegate", To: router},
		{Place: audit.Place{Signature: solana.Signature{0: 14, 2: 1}, Slot: 14}, Account: vault, What: "delegate revoked"},
		{Place: audit.Place{Signature: checked.Signature, Slot: checked.Slot}, Account: vault, What: "delegate", To: router},
	}
	if !slices.Equal(r.AccountChanges, want) || len(verdicts(r, audit.Differs)) > 0 {
		t.Errorf("%+v\nwant %+v", r.AccountChanges, want)
	}
	// What the node lists and does not have is said, and not that there is nothing.
	unknown = solana.Signature{}
	lost := delegate.Signature
	n.landing = func(t chain.Transaction) (chain.Transaction, error) {
		if t.Signature == lost {
			return chain.Transaction{}, chain.ErrNotLanded
		}
		return t, nil
	}
	if r := report(t, lister{node: n}); !slices.Equal(verdicts(r, audit.NotKnown), []string{"destinations"}) || !says(r, "happened to destinations") {
		t.Errorf("%+v, %q", r.Checks, r.Unknown)
	}
}

// Withdrawn tax leaves its account behind what was there before, and a program that gave
// something for it is named.
func TestFirstInFirstOut(t *testing.T) {
	n := newNode()
	n.does(transfer(alice, vault, 1_000)) // 900 arrive before the tax
	n.does(transfer(alice, bob, 5_000))
	n.does(withdraw(vault, bob)) // 500
	n.does(transfer(alice, vault, 1_000))
	n.does(transfer(vault, bob, 1_000)) // 900 of before, 100 of the tax
	n.does(transfer(bob, bob, 7))       // to itself: no tax
	swap := n.does(step{chain.Instruction{Program: router, Accounts: []solana.PublicKey{mint}}, func(*node) {}}, transfer(vault, pool, 250))
	swap.Instructions[1].Inner = true
	swap.Tokens = append(swap.Tokens, chain.TokenAccount{Address: other, Mint: other, OwnerAfter: ownerOf(vault), After: 3})
	moved := n.does(step{chain.Instruction{Program: router, Accounts: []solana.PublicKey{mint}}, func(*node) {}}, transfer(vault, pool, 50))
	moved.Instructions[1].Inner = true
	// There are 100 of the tax and then 900 others; 90 arrive and then 130 are withdrawn.
	n.does(transfer(alice, pool, 1_000))
	n.does(transfer(alice, bob, 100), transfer(alice, vault, 100), withdraw(vault, pool), transfer(vault, pool, 1_100))
	failed := n.does(transfer(vault, bob, 0)) // changes nothing, whatever it shows
	failed.Failed, failed.Tokens[0].After = "no", 1
	r := report(t, n)
	type row struct {
		way     audit.Way
		to      solana.PublicKey
		program solana.PublicKey
		amount  audit.Sum
	}
	var got []row
	for _, m := range r.First {
		if m.Account != vault || m.Owner != ownerOf(vault) || m.Authority != authority {
			t.Errorf("%+v", m)
		}
		got = append(got, row{m.Way, m.To, m.Program, m.Amount})
	}
	if want := []row{
		{audit.Exchanged, ownerOf(pool), router, sum(250)},
		{audit.Transferred, ownerOf(pool), solana.PublicKey{}, sum(110)},
		{audit.Transferred, ownerOf(bob), solana.PublicKey{}, sum(100)},
		{audit.MovedByProgram, ownerOf(pool), router, sum(50)},
	}; !slices.Equal(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
	if d := r.Destinations; len(d) != 1 || d[0].Left != sum(510) || d[0].Still != sum(120) || r.History.Failed != 1 || !r.History.Complete ||
		r.Tax.OtherFees != 0 || r.Tax.Computed != sum(10) {
		t.Errorf("%+v, %+v", d, r.History)
	}
}

// Sums go beyond the 64 bits of a balance.
func TestSumsOfYears(t *testing.T) {
	n := newNode()
	n.does(mintTo(alice, math.MaxUint64-200_000))
	const half = uint64(1) << 62
	for range 100 { // alice to bob and back: 2 x 10 percent of it, 100 times
		n.does(transfer(alice, bob, half))
		n.does(withdraw(bob, bob))
		n.does(transfer(bob, alice, half))
		n.does(withdraw(alice, alice))
	}
	r := report(t, lister{node: n})
	if got, want := r.Tax.Withheld.String(), "92233720368547758200"; got != want || r.Tax.Withdrawn != r.Tax.Withheld || len(verdicts(r, audit.Differs)) > 0 {
		t.Errorf("%s, want %s: %+v", got, want, r.Checks)
	}
	if text, err := r.Tax.Withheld.MarshalText(); err != nil || string(text) != r.Tax.Withheld.String() {
		t.Errorf("%s, %v", text, err)
	}
}
