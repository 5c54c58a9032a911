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
	"tokenlaunch.example/service/pkg/solana/token2022"
)

// checkHolders is the name of the check of the snapshot against the chain.
const checkHolders = "holders on chain"

// checkHolders proves the snapshot from the previous snapshot and the mint's history in between. On
// a mint with a transfer fee, every change of a balance names the mint. The first snapshot is
// proven from the mint's creation.
func (v *verifier) checkHolders(ctx context.Context, node chain.Node) {
	if v.m.Kind != format.Distribution {
		return
	}
	n, err := v.proveHolders(ctx, node)
	if errors.Is(err, format.ErrNoFile) {
		v.report.skip(checkHolders, err.Error())
		return
	}
	v.report.proven(checkHolders, err, "the balances of all owners at slot %d follow from those before and from the mint's %d transactions since", v.m.Snapshot.ChainSlot, n)
}

// census is the owners' balances, in arithmetic modulo 2^64. Only the final sums matter.
type census struct {
	mint    solana.PublicKey
	balance map[solana.PublicKey]uint64
	supply  uint64
	counted map[solana.Signature]bool
}

// count adds the changes of a transaction.
func (c *census) count(t chain.Transaction) {
	if t.Failed != "" || c.counted[t.Signature] {
		return
	}
	c.counted[t.Signature] = true
	for _, a := range t.Tokens {
		if a.Mint == c.mint {
			c.balance[a.OwnerBefore] -= a.Before
			c.balance[a.OwnerAfter] += a.After
		}
	}
	for _, in := range t.Instructions {
		if !token2022.IsProgram(in.Program) {
			continue
		}
		m, ok, err := token2022.ReadMovement(in.Accounts, in.Data)
		switch {
		case err != nil || !ok || m.Mint != c.mint:
		case m.Kind.Burns():
			c.supply -= m.Amount
		case m.Kind == token2022.KindMintTo || m.Kind == token2022.KindMintToChecked:
			c.supply += m.Amount
		}
	}
}

// owners returns every owner's balance according to a proof.
func (v *verifier) owners(ctx context.Context, m format.Manifest) (map[solana.PublicKey]uint64, error) {
	all := map[solana.PublicKey]uint64{}
	for row, err := range m.AllRows(ctx, v.source) {
		if err != nil {
			return nil, err
		}
		if row.Balance > 0 {
			all[row.Owner] = row.Balance
		}
	}
	for left, err := range m.AllLeftOut(ctx, v.source) {
		if err != nil {
			return nil, err
		}
		all[left.Owner] = left.Balance
	}
	return all, nil
}

func (v *verifier) proveHolders(ctx context.Context, node chain.Node) (transactions int, err error) {
	m := v.m
	mint := m.Mint.PublicKey()
	c := census{mint: mint, balance: map[solana.PublicKey]uint64{}, counted: map[solana.Signature]bool{}}
	span := chain.Span{Newest: v.report.Anchor.Signature, By: v.anchoredBy(), Most: MaxTransactions}
	before, err := v.snapshotBefore(ctx)
	if err != nil {
		return 0, err
	}
	span.Seen = v.previousAnchor
	if before != nil {
		if c.balance, err = v.owners(ctx, *before); err != nil {
			return 0, err
		}
		c.supply, span.After = uint64(before.Snapshot.Supply), before.Snapshot.ChainSlot
	}
	if err := v.within(ctx, node, &c, before); err != nil {
		return 0, err
	}
	want, err := v.owners(ctx, m)
	if err != nil {
		return 0, err
	}
	list, err := chain.History(ctx, node, mint, span)
	if err != nil {
		return 0, err
	}
	list = slices.DeleteFunc(list, func(l chain.Listed) bool { return l.Slot > m.Snapshot.ChainSlot })
	read, err := chain.Read(ctx, node, list)
	if err != nil {
		return 0, err
	}
	if before == nil {
		launch, err := createdBy(m, read)
		if err != nil {
			return 0, err
		}
		v.launch = &launch
	}
	for _, t := range read {
		c.count(t)
	}
	if odd := c.odd(want); len(odd) > 0 {
		if err := c.handedOver(ctx, node, odd, m, span.After); err != nil {
			return 0, err
		}
	}
	odd := c.odd(want)
	if len(odd) > 0 {
		who := slices.SortedFunc(maps.Keys(odd), func(a, b solana.PublicKey) int { return slices.Compare(a[:], b[:]) })
		return 0, fmt.Errorf("%s holds %d by the mint's history, and %d by the snapshot; so do %d owners", who[0], c.balance[who[0]], want[who[0]], len(odd))
	}
	if c.supply != uint64(m.Snapshot.Supply) {
		return 0, fmt.Errorf("the supply is %d by the mint's history, and %d by the snapshot", c.supply, m.Snapshot.Supply)
	}
	return len(list), nil
}

// within handles transactions in the slot of a snapshot, because a run burns, sells and pays after
// the run's snapshot. So this run's transactions in the slot of this snapshot are ignored, and the
// previous run's transactions in the slot of the previous snapshot are counted.
func (v *verifier) within(ctx context.Context, node chain.Node, c *census, before *format.Manifest) error {
	after, err := v.sameSlot(ctx, v.m)
	if err != nil {
		return err
	}
	for _, l := range after {
		c.counted[l.Signature] = true
	}
	if before == nil {
		return nil
	}
	if after, err = v.sameSlot(ctx, *before); err != nil {
		return err
	}
	read, err := chain.Read(ctx, node, after)
	for _, t := range read {
		c.count(t)
	}
	return err
}

// sameSlot returns the burns, sales and payments of a run in the slot of the run's snapshot.
func (v *verifier) sameSlot(ctx context.Context, m format.Manifest) (list []chain.Listed, err error) {
	for t, err := range m.AllTransactions(ctx, v.source) {
		if err != nil {
			return nil, err
		}
		if isPublic(t.Purpose) && t.Slot == m.Snapshot.ChainSlot {
			list = append(list, chain.Listed{Signature: t.Signature, Slot: t.Slot})
		}
	}
	return list, nil
}

// snapshotBefore returns the last earlier proof with a snapshot, because claims have no snapshot;
// nil if no earlier proof has a snapshot.
func (v *verifier) snapshotBefore(ctx context.Context) (*format.Manifest, error) {
	if v.m.Previous == "" {
		return nil, nil
	}
	if v.previous == nil {
		return nil, fmt.Errorf("%w: the proof before is not at hand", chain.ErrHistoryIncomplete)
	}
	for m := *v.previous; ; {
		if m.Kind == format.Distribution {
			return &m, nil
		}
		if m.Previous == "" {
			return nil, nil
		}
		before, err := format.ReadManifest(ctx, v.source, m.Previous)
		if err != nil {
			return nil, err
		}
		if before.Number >= m.Number {
			return nil, fmt.Errorf("proof %d comes after proof %d", m.Number, before.Number)
		}
		m = before
	}
}

// createdBy returns the mint's creation. The first successful transaction of the history must be the
// creation, and the creator must have paid for it.
func createdBy(m format.Manifest, read []chain.Transaction) (chain.Transaction, error) {
	at := slices.IndexFunc(read, func(t chain.Transaction) bool { return t.Failed == "" })
	if at < 0 {
		return chain.Transaction{}, fmt.Errorf("%w: the node knows nothing of the mint", chain.ErrHistoryIncomplete)
	}
	launch := read[at]
	before, _ := launch.Lamports(m.Mint.PublicKey())
	if before.Before > 0 || !launch.SignedBy(m.Mint.PublicKey()) {
		return chain.Transaction{}, fmt.Errorf("%w: the node's history of the mint does not begin with its creation", chain.ErrHistoryIncomplete)
	}
	if launch.Payer() != m.Creator.PublicKey() {
		return chain.Transaction{}, fmt.Errorf("%s launched the token, and the proof says %s", launch.Payer(), m.Creator)
	}
	return launch, nil
}

// odd returns the owners whose balance differs from want.
func (c *census) odd(want map[solana.PublicKey]uint64) map[solana.PublicKey]bool {
	odd := map[solana.PublicKey]bool{}
	for owner, balance := range want {
		if c.balance[owner] != balance {
			odd[owner] = true
		}
	}
	for owner, balance := range c.balance {
		if balance != 0 && want[owner] != balance && !owner.IsZero() {
			odd[owner] = true
		}
	}
	return odd
}

// handedOver counts transactions that changed an account's owner, because such transactions need
// not name the mint. It walks the histories of the current accounts of owners with odd balances,
// and of the accounts from which later transactions moved tokens of these owners.
func (c *census) handedOver(ctx context.Context, node chain.Node, odd map[solana.PublicKey]bool, m format.Manifest, after uint64) error {
	accounts := map[solana.PublicKey]bool{}
	later, err := chain.History(ctx, node, c.mint, chain.Span{After: m.Snapshot.ChainSlot, Most: MaxTransactions})
	if err != nil {
		return err
	}
	read, err := chain.Read(ctx, node, later)
	if err != nil {
		return err
	}
	for _, t := range read {
		for _, a := range t.Tokens {
			if a.Mint == c.mint && odd[a.OwnerBefore] {
				accounts[a.Address] = true
			}
		}
	}
	for owner := range odd {
		list, err := node.TokenAccountsOf(ctx, owner, c.mint)
		if err != nil {
			return fmt.Errorf("list the accounts of %s: %w", owner, err)
		}
		for _, address := range list {
			accounts[address] = true
		}
	}
	for address := range accounts {
		list, err := chain.History(ctx, node, address, chain.Span{After: after, Most: MaxTransactions})
		if err != nil {
			return err
		}
		list = slices.DeleteFunc(list, func(l chain.Listed) bool { return l.Slot > m.Snapshot.ChainSlot || c.counted[l.Signature] })
		read, err := chain.Read(ctx, node, list)
		if err != nil {
			return err
		}
		for _, t := range read {
			c.count(t)
		}
	}
	return nil
}
