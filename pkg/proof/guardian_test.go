package proof_test

import (
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/solana/creation"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/token/terms"
)

// guardian is a guardian's key, and account the address of the members' account.
var (
	guardian = solana.PublicKey{0: 12, 31: 12}
	account  = must(creation.MultisigAddress(creator, mint))
)

// members is the account of the members of a token with a guardian.
type members struct {
	account  solana.PublicKey
	required uint8
	list     []solana.PublicKey
}

// guarded has the guardian sign collections, too.
func guarded(c *script) { collectsWith(c, wallet) }

// collectsWith has wallet and guardian collect the tax into the account of an owner.
func collectsWith(c *script, to solana.PublicKey) {
	before := c.act
	c.act = func(p format.Purpose, x *tx) {
		if before != nil {
			before(p, x)
		}
		if p != format.Collect {
			return
		}
		x.signers = []solana.PublicKey{wallet, guardian}
		own := terms.Asset(mint)
		gets, rest := give(to, own, 500_000), give(to, own, 0)
		gets.in = must(token2022.WithdrawWithheldFromAccounts{
			Mint: mint, Destination: ata(to, own), Authority: account, Signers: x.signers, Sources: []solana.PublicKey{ata(stranger, own), ata(operator, own)},
		}.Instruction())
		rest.in = token2022.WithdrawWithheldFromMint{Mint: mint, Destination: ata(to, own), Authority: account, Signers: x.signers}.Instruction()
		x.does = append(x.does[:1:1], gets, rest)
	}
}

// byMembers has the members' account withdraw the tax.
func byMembers(s *sim, _ run) {
	s.withdrawer, s.members = account, &members{account: account, required: creation.MembersRequired, list: creation.Members(wallet, guardian, creator)}
}

// movedBy makes a run of a token with a guardian, after which two members give the authority to a
// stranger without an order.
func movedBy(two ...solana.PublicKey) func(t testing.TB, s *shelf) run {
	return func(t testing.TB, s *shelf) run {
		first, _ := twoScripts()
		guarded(&first)
		r := s.run(t, first, nil)
		hands := token2022.SetAuthority{Account: mint, Current: account, Type: token2022.AuthorityWithdrawWithheld, New: stranger, Signers: two}
		r.acts = append(r.acts, tx{id: signature("moved by", two), slot: r.acts[len(r.acts)-1].slot + 5, signers: two, does: []step{{in: hands.Instruction()}}})
		return r
	}
}

// moved has the stranger withdraw the tax.
func moved(s *sim, r run) {
	byMembers(s, r)
	s.withdrawer = stranger
}

// falseGuardians are accounts of other members, and what the wallet signs as a member.
func falseGuardians() []forgery {
	of := func(change func(*members)) func(*sim, run) {
		return func(s *sim, r run) {
			byMembers(s, r)
			change(s.members)
			s.withdrawer = s.members.account
		}
	}
	const says = "'s to withdraw, and"
	return []forgery{
		{name: "an account of members of whom one decides", check: "wallet on chain", says: says, first: guarded, node: of(func(m *members) { m.required = 1 })},
		{name: "an account of members without the creator", check: "wallet on chain", says: says, first: guarded, node: of(func(m *members) { m.list[2] = operator })},
		{name: "an account of members with the wallet twice", check: "wallet on chain", says: says, first: guarded, node: of(func(m *members) { m.list[1] = wallet })},
		{name: "an account of members at another address", check: "wallet on chain", says: says, first: guarded, node: of(func(m *members) { m.account = operator })},
		{name: "the authority moved by wallet and guardian, without an order", check: "wallet on chain", says: "no order is in the transaction", runs: movedBy(wallet, guardian), node: moved},
		{name: "tax collected elsewhere by wallet and guardian", check: "transactions on chain", says: "it withdraws tax of", first: func(c *script) { collectsWith(c, operator) }, node: byMembers},
	}
}
