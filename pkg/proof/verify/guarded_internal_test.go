package verify

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/chain"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/solana/creation"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/token/handover"
)

// multisigs is a node with these multisig accounts; away, it does not respond.
type multisigs struct {
	chain.Node
	list map[solana.PublicKey]token2022.Multisig
	away bool
}

func (m multisigs) Multisig(_ context.Context, address solana.PublicKey) (token2022.Multisig, error) {
	if m.away {
		return token2022.Multisig{}, errors.New("no answer")
	}
	found, ok := m.list[address]
	if !ok {
		return found, token2022.ErrNotMultisig
	}
	return found, nil
}

// TestGuardedAuthorityIsTheAccountOfItsMembers plays operators whose token names another account than
// the account of wallet, guardian and creator.
func TestGuardedAuthorityIsTheAccountOfItsMembers(t *testing.T) {
	key := func() solana.PublicKey { return solana.NewWallet().PublicKey() }
	wallet, guardian, creator, mint, other := key(), key(), key(), key(), key()
	account := func(creator solana.PublicKey) solana.PublicKey {
		a, err := creation.MultisigAddress(creator, mint)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	for name, c := range map[string]struct {
		authority solana.PublicKey
		multisig  token2022.Multisig
		want      bool
	}{
		"of the three":               {account(creator), token2022.Multisig{Required: 2, Members: []solana.PublicKey{wallet, guardian, creator}}, true},
		"one of three":               {account(creator), token2022.Multisig{Required: 1, Members: []solana.PublicKey{wallet, guardian, creator}}, false},
		"of two":                     {account(creator), token2022.Multisig{Required: 2, Members: []solana.PublicKey{wallet, creator}}, false},
		"of another wallet":          {account(creator), token2022.Multisig{Required: 2, Members: []solana.PublicKey{other, guardian, creator}}, false},
		"the wallet twice":           {account(creator), token2022.Multisig{Required: 2, Members: []solana.PublicKey{wallet, wallet, creator}}, false},
		"the creator twice":          {account(creator), token2022.Multisig{Required: 2, Members: []solana.PublicKey{wallet, creator, creator}}, false},
		"not at the creator's place": {other, token2022.Multisig{Required: 2, Members: []solana.PublicKey{wallet, guardian, creator}}, false},
		"of another creator":         {account(creator), token2022.Multisig{Required: 2, Members: []solana.PublicKey{wallet, guardian, other}}, false},
	} {
		node := telling{multisigs{list: map[solana.PublicKey]token2022.Multisig{c.authority: c.multisig}}}
		members, err := guarded(t.Context(), node, mint, c.authority, wallet)
		if err != nil || (members != nil) != c.want || c.want && !slices.Equal(members, c.multisig.Members) {
			t.Errorf("%s: %v, %v", name, members, err)
		}
	}
	for name, c := range map[string]struct {
		node chain.Node
		err  error
	}{
		"no such account":             {telling{multisigs{}}, nil},
		"a node that does not answer": {telling{multisigs{away: true}}, chain.ErrUntold},
	} {
		if members, err := guarded(t.Context(), c.node, mint, account(creator), wallet); members != nil || !errors.Is(err, c.err) {
			t.Errorf("%s: %v, %v, want %v", name, members, err, c.err)
		}
	}
}

// TestWalletSignsNoOtherWithdrawal: the wallet's signature as a member collects only into the
// wallet's own account, as its signature alone does.
func TestWalletSignsNoOtherWithdrawal(t *testing.T) {
	key := func() solana.PublicKey { return solana.NewWallet().PublicKey() }
	c := custody{wallet: key(), mint: key(), tokens: key()}
	withdraw := func(to solana.PublicKey, signers ...solana.PublicKey) chain.Transaction {
		in := token2022.WithdrawWithheldFromMint{Mint: c.mint, Destination: to, Authority: key(), Signers: signers}.Instruction()
		data, err := in.Data()
		if err != nil {
			t.Fatal(err)
		}
		made := chain.Instruction{Program: in.ProgramID(), Data: data}
		for _, a := range in.Accounts() {
			made.Accounts = append(made.Accounts, a.PublicKey)
		}
		return chain.Transaction{Instructions: []chain.Instruction{made}}
	}
	if _, err := c.effects(format.Collect, withdraw(c.tokens, c.wallet, key())); err != nil {
		t.Errorf("into the wallet's account: %v", err)
	}
	if _, err := c.effects(format.Collect, withdraw(key(), c.wallet, key())); err == nil {
		t.Error("into another account: accepted")
	}
	if _, err := c.effects(format.Setup, withdraw(c.tokens, c.wallet, key())); err == nil {
		t.Error("for another purpose: accepted")
	}
}

// history is a node whose members' account has one transaction, which hands the authority over.
type history struct {
	multisigs

	of solana.PublicKey
	t  chain.Transaction
}

func (h history) Page(_ context.Context, address solana.PublicKey, _ solana.Signature) ([]chain.Listed, error) {
	if address != h.of {
		return nil, nil
	}
	return []chain.Listed{{Signature: h.t.Signature}}, nil
}

func (h history) Landing(context.Context, solana.Signature) (chain.Transaction, error) {
	return h.t, nil
}

// TestProofsHoldAfterGuardianAndCreatorMovedTheAuthority: guardian and creator move the authority
// with an order or without. A move that the wallet signed needs the creator's order.
func TestProofsHoldAfterGuardianAndCreatorMovedTheAuthority(t *testing.T) {
	creator := solana.NewWallet().PrivateKey
	key := func() solana.PublicKey { return solana.NewWallet().PublicKey() }
	wallet, guardian, mint, to := key(), key(), key(), key()
	account, err := creation.MultisigAddress(creator.PublicKey(), mint)
	if err != nil {
		t.Fatal(err)
	}
	order := handover.Order{Number: 3, To: to, EffectiveAt: time.Unix(1_800_000_000, 0)}
	if order.Signature, err = creator.Sign([]byte(order.Text(mint))); err != nil {
		t.Fatal(err)
	}
	forged := order
	forged.Number++
	for name, c := range map[string]struct {
		signers  []solana.PublicKey
		memo     string
		required uint8
		found    bool
		want     string
		err      error
	}{
		"with an order":                     {[]solana.PublicKey{creator.PublicKey(), guardian}, order.Memo(), 2, true, "by order 3 of the creator", nil},
		"without an order":                  {[]solana.PublicKey{creator.PublicKey(), guardian}, "", 2, true, "signed by the guardian " + guardian.String() + " and the creator " + creator.PublicKey().String(), nil},
		"with a forged order":               {[]solana.PublicKey{creator.PublicKey(), guardian}, forged.Memo(), 2, true, "signed by the guardian", nil},
		"by the wallet with an order":       {[]solana.PublicKey{wallet, creator.PublicKey()}, order.Memo(), 2, true, "by order 3 of the creator", nil},
		"by the wallet without an order":    {[]solana.PublicKey{wallet, guardian}, "", 2, true, "", errUnordered},
		"by the wallet with a forged order": {[]solana.PublicKey{wallet, guardian}, forged.Memo(), 2, true, "", handover.ErrNotOrdered},
		"of an account of one of three":     {[]solana.PublicKey{creator.PublicKey(), guardian}, order.Memo(), 1, false, "", nil},
	} {
		moved := chain.Transaction{Signature: solana.Signature{7}, Signers: len(c.signers)}
		for _, s := range c.signers {
			moved.Accounts = append(moved.Accounts, chain.Account{Address: s})
		}
		for _, in := range order.Instructions(mint, account, c.signers[0], c.signers[1]) {
			data, err := in.Data()
			if err != nil {
				t.Fatal(err)
			}
			made := chain.Instruction{Program: in.ProgramID(), Data: data}
			if made.Program == format.MemoProgram {
				made.Data = []byte(c.memo)
			}
			for _, a := range in.Accounts() {
				made.Accounts = append(made.Accounts, a.PublicKey)
			}
			moved.Instructions = append(moved.Instructions, made)
		}
		v := verifier{report: Report{Anchor: format.Anchor{Wallet: wallet}}}
		v.m.Mint, v.m.Creator = format.Key(mint), format.Key(creator.PublicKey())
		members := token2022.Multisig{Required: c.required, Members: creation.Members(wallet, guardian, creator.PublicKey())}
		node := telling{history{multisigs{list: map[solana.PublicKey]token2022.Multisig{account: members}}, account, moved}}
		detail, found, err := v.handedOver(t.Context(), node)
		if found != c.found || !errors.Is(err, c.err) || err == nil && !strings.Contains(detail, c.want) {
			t.Errorf("%s: %q, %v, %v; want %q, %v, %v", name, detail, found, err, c.want, c.found, c.err)
		}
	}
}
