package proof_test

import (
	"bytes"
	"crypto/ed25519"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/solana/memo"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/token/terms"
)

// The wallets of later roots.
var (
	laterKey  = ed25519.NewKeyFromSeed(bytes.Repeat([]byte{10}, 32))
	middleKey = ed25519.NewKeyFromSeed(bytes.Repeat([]byte{11}, 32))
	successor = keyOf(laterKey)
)

func keyOf(key ed25519.PrivateKey) solana.PublicKey {
	return solana.PublicKey(key.Public().(ed25519.PublicKey)) //nolint:forcetypeassert // it is always one
}

// as makes another wallet the wallet of all steps, until the returned function is called.
func as(key ed25519.PrivateKey) (end func()) {
	before := walletKey
	walletKey, wallet = key, keyOf(key)
	return func() { walletKey, wallet = before, keyOf(before) }
}

// closes closes the wallet's account.
func closes(a terms.Asset) step {
	wallet, account := wallet, ata(wallet, a)
	return step{
		in: token2022.CloseAccount{Program: programOf(a), Account: account, Destination: wallet, Owner: wallet}.Instruction(),
		apply: func(s *sim) {
			s.lamports[wallet] += s.lamports[account]
			s.lamports[account] = 0
			delete(s.tokens, account)
		},
	}
}

// authority sets another address as the authority over the tax.
func authority(to solana.PublicKey) step {
	return step{in: token2022.SetAuthority{Account: mint, Current: wallet, Type: token2022.AuthorityWithdrawWithheld, New: to}.Instruction()}
}

// leak changes the three transactions of a rotation: authority and the token, the reward, the lamports.
type leak func(n int, x *tx)

// moves lands the rotation of the wallet to another wallet, as the distributor does, and returns its
// transactions.
func moves(t testing.TB, s *sim, to solana.PublicKey, slot uint64, change leak) (list []tx) {
	t.Helper()
	own := terms.Asset(mint)
	move := func(a terms.Asset) []step {
		return []step{makes(to, a), sendsTokens(a, to, s.tokens[ata(wallet, a)].amount), closes(a)}
	}
	for n := range 3 {
		x := bare("rotation to "+to.String()+string(rune('1'+n)), slot+uint64(n))
		switch n {
		case 0:
			x.does = append(x.does, move(own)...)
			x.does = append(x.does, step{in: memo.Note(format.RotationMark + to.String())}, authority(to))
		case 1:
			x.does = append(x.does, move(usd)...)
		case 2:
			x.does = append(x.does, sends(to, s.lamports[wallet]-fee))
		}
		if change != nil {
			change(n, &x)
		}
		s.land(t, x)
		list = append(list, x)
	}
	return list
}

// leaking makes two runs. Between them the token moves to the later wallet, by way of the others, of
// which the first rotation is changed.
func leaking(change leak, plan func(*format.Manifest), others ...ed25519.PrivateKey) func(t testing.TB, s *shelf) run {
	return func(t testing.TB, s *shelf) run {
		first, second := twoScripts()
		r := s.run(t, first, nil)
		chain := onChain(t, r)
		slot := r.acts[len(r.acts)-1].slot
		var list []extra
		var before []format.WalletBefore
		var ends []func()
		for _, to := range append(others, laterKey) {
			slot += 5
			of := moves(t, chain, keyOf(to), slot, change)
			for _, x := range of {
				x.slot -= 200 // what the script adds
				list = append(list, extra{tx: x})
			}
			last := of[len(of)-1]
			before = append(before, format.WalletBefore{Wallet: format.Key(wallet), Last: format.Signature(last.id), Slot: last.slot})
			ends, change = append(ends, as(to)), nil
		}
		defer ends[0]() // the first wallet is the wallet of all other tests
		second.plan = func(m *format.Manifest) {
			m.WalletsBefore = before
			if plan != nil {
				plan(m)
			}
		}
		second.also = func(format.Manifest) []extra { return list }
		return s.run(t, second, &r)
	}
}

func rotated(by ...ed25519.PrivateKey) func(t testing.TB, s *shelf) run {
	return leaking(nil, nil, by...)
}

// ofLater has the later wallet withdraw the tax.
func ofLater(s *sim, _ run) { s.withdrawer = successor }

// rotatedSince makes a run, after which the token moves to the later wallet.
func rotatedSince(change leak) func(t testing.TB, s *shelf) run {
	return func(t testing.TB, s *shelf) run {
		first, _ := twoScripts()
		r := s.run(t, first, nil)
		r.acts = append(r.acts, moves(t, onChain(t, r), successor, r.acts[len(r.acts)-1].slot+5, change)...)
		return r
	}
}

// falseRotations move something of the wallet before elsewhere.
func falseRotations() []forgery {
	own := terms.Asset(mint)
	of := func(at int, change func(*tx)) func(t testing.TB, s *shelf) run {
		return leaking(func(n int, x *tx) {
			if n == at {
				change(x)
			}
		}, nil)
	}
	plan := func(change func(*format.Manifest)) func(t testing.TB, s *shelf) run { return leaking(nil, change) }
	list := []forgery{
		{name: "lamports left in the wallet before", check: "rotation", says: "lamports in the wallet before", runs: of(2, func(x *tx) { x.does[1] = sends(successor, 1_000_000) })},
		{name: "lamports of the wallet before for the operator", check: "rotation", says: "not to the next wallet", runs: of(1, func(x *tx) { x.does = append(x.does, sends(operator, 7)) })},
		{name: "tokens of the wallet before for the operator", check: "rotation", says: "it sends 7 of", runs: of(0, func(x *tx) {
			x.does = append(x.does[:2:2], append([]step{sendsTokens(own, operator, 7)}, sendsTokens(own, successor, 0), x.does[4], x.does[5])...)
		})},
		{name: "the reward left in the wallet before", check: "rotation", says: "kept the account", runs: of(1, func(x *tx) { x.does = x.does[:1] })},
		{name: "the authority given to the operator in a rotation", check: "rotation", says: "hands over an authority", runs: of(0, func(x *tx) { x.does[5] = authority(operator) })},
		{name: "an account of the wallet before closed to the operator", check: "rotation", says: "for another than the wallet", runs: of(1, func(x *tx) {
			account := ata(wallet, usd)
			x.does[3] = step{in: token2022.CloseAccount{Program: solana.TokenProgramID, Account: account, Destination: operator, Owner: wallet}.Instruction(), apply: func(s *sim) {
				s.lamports[operator] += s.lamports[account]
				s.lamports[account] = 0
				delete(s.tokens, account)
			}}
		})},
		{name: "a wallet before that never was", check: "run before", says: "it is of the wallet", runs: plan(func(m *format.Manifest) { m.WalletsBefore[0].Wallet = format.Key(operator) })},
		{name: "a wallet before whose last transaction is an earlier one", check: "rotation", says: "lamports in the wallet before", runs: leaking(nil, func(m *format.Manifest) {
			m.WalletsBefore[0].Last, m.WalletsBefore[0].Slot = format.Signature(bare("rotation to "+successor.String()+"2", 0).id), m.WalletsBefore[0].Slot-1
		})},
	}
	list = append(list, forgery{
		name: "the authority moved on, without a word of a rotation", check: "wallet on chain", says: "no order is in the transaction",
		runs: rotatedSince(func(n int, x *tx) {
			if n == 0 {
				x.does[4] = step{in: memo.Note("gm")}
			}
		}),
	})
	for i := range list {
		list[i].node = ofLater
	}
	return list
}
