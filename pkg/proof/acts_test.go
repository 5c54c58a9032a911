package proof_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/chain"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/proof/write"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/raydium"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/token/terms"
)

var stranger = solana.PublicKey{0: 4, 31: 4}

// nothing is the step of a transaction that only has its receipt.
var nothing = step{in: computebudget.SetUnitPrice(1)}

// act is a transaction of the wallet's for a purpose: it begins with its receipt where the
// purpose has one.
func act(p format.Purpose, id solana.Signature, slot uint64, does ...step) tx {
	x := tx{id: id, slot: slot, signers: []solana.PublicKey{wallet}}
	if !slices.Contains([]format.Purpose{format.Setup, format.Collect, format.Return}, p) {
		x.does = append(x.does, lends(receipt(wallet, id)))
	}
	x.does = append(x.does, step{in: computebudget.SetUnitLimit(9)})
	x.does = append(x.does, does...)
	return x
}

// lends makes a receipt.
func lends(r systemprogram.CreateAccountWithSeed) step {
	return step{in: r.Instruction(), apply: func(s *sim) {
		s.lamports[r.Payer] -= r.Lamports
		s.lamports[r.Account] += r.Lamports
	}}
}

// returns empties two receipts of earlier runs.
func returns(id solana.Signature) (list []step) {
	wallet := wallet
	for i, lamports := range []uint64{rent, rent + dust} {
		of := receipt(wallet, signature(id, i))
		back := systemprogram.TransferWithSeed{From: of.Account, Base: wallet, To: wallet, Lamports: lamports, Seed: of.Seed, Owner: of.Owner}
		list = append(list, step{in: back.Instruction(), apply: func(s *sim) { s.lamports[wallet] += lamports }})
	}
	return list
}

// collects withdraws tax from accounts, and what is left of it on the mint.
func collects(amount uint64) []step {
	own := terms.Asset(mint)
	return []step{withdrawsFrom(own, wallet, int64(amount)), withdraws(own, wallet, 0)}
}

func burns(amount uint64) []step {
	from := give(wallet, terms.Asset(mint), -int64(amount))
	from.in = token2022.BurnChecked{Account: ata(wallet, terms.Asset(mint)), Mint: mint, Owner: wallet, Amount: amount, Decimals: 6}.Instruction()
	return []step{from}
}

// swaps sells on a pool.
func swaps(m format.Manifest, reward terms.Asset) []step {
	own := terms.Asset(mint)
	sold := uint64(m.Exchange.Sold + m.Exchange.FuelSold)
	pool := solana.NewInstruction(raydium.Mainnet.Program, solana.AccountMetaSlice{solana.Meta(wallet).SIGNER()}, []byte{1})
	sends := give(wallet, own, -int64(sold))
	sends.inner = true
	sends.in = token2022.TransferChecked{Source: ata(wallet, own), Mint: mint, Destination: ata(stranger, own), Owner: wallet, Amount: sold, Decimals: 6}.Instruction()
	list := []step{{in: pool}, sends, give(wallet, terms.SOL, int64(m.Exchange.Fuel))}
	if reward != own {
		list = append(list, give(wallet, reward, int64(m.Exchange.Proceeds)))
	}
	return list
}

// pays sends to an owner; the account is made where make is true.
func pays(to solana.PublicKey, a terms.Asset, paid, received uint64, make bool) []step {
	if a.IsSOL() {
		gets := give(to, a, int64(received))
		gets.in = systemprogram.Transfer{From: wallet, To: to, Lamports: paid}.Instruction()
		return []step{gets, give(wallet, a, -int64(paid))}
	}
	var list []step
	gets := give(to, a, int64(received))
	if make {
		list = append(list, makes(to, a))
		gets.there = nil
	}
	gets.in = token2022.TransferChecked{Source: ata(wallet, a), Mint: a.Mint(), Destination: ata(to, a), Owner: wallet, Amount: paid, Decimals: 6, Program: programOf(a)}.Instruction()
	return append(list, gets, give(wallet, a, -int64(paid)))
}

// deposit returns a stranger's transfer in each run.
func deposit(m format.Manifest, slot uint64) tx {
	x := tx{id: signature(m.RunID, "deposit"), slot: slot, signers: []solana.PublicKey{stranger}}
	x.does = append(x.does, give(wallet, terms.SOL, 1_000_000_000), give(wallet, terms.Asset(mint), 1_000_000))
	for _, l := range m.Legs {
		if a := must(terms.ParseAsset(l.Asset)); !a.IsSOL() && a != terms.Asset(mint) {
			x.does = append(x.does, give(wallet, a, 1_000_000))
		}
	}
	return x
}

// anchoring is the transaction of an anchor.
func anchoring(t testing.TB, signed []byte, slot uint64) tx {
	t.Helper()
	parsed := must(wire.ParseTransaction(signed))
	id, _ := parsed.ID()
	x := tx{id: id, slot: slot, signers: parsed.Message().Signers()}
	for _, in := range parsed.Message().Instructions() {
		accounts := solana.AccountMetaSlice{}
		for _, meta := range in.Accounts {
			accounts = append(accounts, &solana.AccountMeta{PublicKey: meta.PublicKey})
		}
		one := step{in: solana.NewInstruction(in.ProgramID, accounts, in.Data)}
		if made, err := systemprogram.DecodeCreateAccountWithSeed(keysOf(accounts), in.Data); in.ProgramID == solana.SystemProgramID && err == nil {
			one.apply = lends(made).apply
		}
		x.does = append(x.does, one)
	}
	return x
}

func keysOf(metas solana.AccountMetaSlice) (keys []solana.PublicKey) {
	for _, m := range metas {
		keys = append(keys, m.PublicKey)
	}
	return keys
}

// onChain is the chain where everything happened as the run says, and the runs before it.
func onChain(t testing.TB, r run) *sim {
	t.Helper()
	var runs []run
	for one := &r; one != nil; one = one.before {
		runs = append([]run{*one}, runs...)
	}
	s := newSim()
	for _, one := range runs {
		for _, x := range one.acts {
			s.land(t, x)
		}
	}
	return s
}

var _ chain.MembersNode = (*sim)(nil)

// deal adds what makes the chain's owners of the mint those of the snapshot: in the first
// run the launch, and in each a transaction in which strangers trade among themselves. The
// wallet is left out with what it has. Apart, each has a transaction of their own. The launch names
// the file of the metadata.
func (r *run) deal(t testing.TB, w *write.Writer, m *format.Manifest, owners map[solana.PublicKey]uint64, slot uint64, apart bool, metadata string) {
	t.Helper()
	if r.before == nil {
		makes := systemprogram.CreateAccount{Payer: creator, Account: mint, Lamports: accountRent, Space: 346, Owner: solana.Token2022ProgramID}
		launch := tx{id: signature(m.RunID, "launch"), slot: slot - 94, signers: []solana.PublicKey{creator, mint}}
		launch.does = append(launch.does, step{in: makes.Instruction(), apply: func(s *sim) { s.lamports[mint] += accountRent }})
		if metadata != "" {
			names := token2022.InitializeMetadata{Mint: mint, UpdateAuthority: creator, MintAuthority: creator, Name: "Crane", Symbol: "CRANE", URI: metadata}
			launch.does = append(launch.does, step{in: names.Instruction()})
		}
		r.acts = append([]tx{launch}, r.acts...)
	}
	so := *r
	so.acts = slices.DeleteFunc(slices.Clone(r.acts), func(x tx) bool { return x.slot > slot })
	s := onChain(t, so)
	own := terms.Asset(mint)
	account := ata(wallet, own)
	if has := s.tokens[account]; has != nil && has.amount > 0 {
		left := format.LeftOut{Owner: wallet, Balance: has.amount, Held: m.Snapshot.Held != nil, Why: "distribution_wallet"}
		if left.Held && r.before != nil {
			left.Before = r.before.had[wallet]
		}
		owners[wallet] = has.amount
		check(t, w.LeftOut(t.Context(), left))
		m.Snapshot.Supply += format.Amount(has.amount)
	}
	x := tx{id: signature(m.RunID, "deal"), slot: slot, signers: []solana.PublicKey{stranger}}
	supply := uint64(m.Snapshot.Supply)
	if supply >= s.supply {
		x.does = append(x.does, step{in: token2022.MintTo{Mint: mint, Account: ata(stranger, own), Authority: stranger, Amount: supply - s.supply}.Instruction()})
	} else {
		x.does = append(x.does, step{in: token2022.BurnChecked{Account: ata(stranger, own), Mint: mint, Owner: stranger, Amount: s.supply - supply, Decimals: 6}.Instruction()})
	}
	for address, state := range s.tokens {
		if state.mint == mint && address != account && owners[state.owner] != state.amount {
			x.does = append(x.does, give(state.owner, own, int64(owners[state.owner]-state.amount)))
		}
	}
	for owner, balance := range owners {
		if owner != wallet && s.tokens[ata(owner, own)] == nil {
			x.does = append(x.does, give(owner, own, int64(balance)))
		}
	}
	slices.SortFunc(x.does[1:], func(a, b step) int { return bytes.Compare(a.touches[0][:], b.touches[0][:]) })
	at := slices.IndexFunc(r.acts, func(x tx) bool { return x.slot > slot })
	list := []tx{x}
	if apart {
		list[0].does = x.does[:1]
		for i, one := range x.does[1:] {
			list = append(list, tx{id: signature(m.RunID, "deal", i), slot: slot, signers: x.signers, does: []step{one}})
		}
	}
	r.acts = slices.Insert(r.acts, at, list...)
}
