package venue_test

import (
	"encoding/binary"
	"reflect"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	rpc "tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/localnet/surfpool"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Read from a chain, the same accounts give the same quotes.
func TestPoolsOnAChain(t *testing.T) {
	t.Parallel()
	ledger := localnet.Chain(t)
	node, err := rpc.New(ledger.RPCURL)
	must.Do(t, err)
	on, scripted := planted(t)
	pools := scripted
	pools.Chain = node

	c, reward, none := taxed("token", 500, true), taxed("reward", 100, false), taxed("none", 0, true)
	for _, coin := range []coin{c, reward, none} {
		coin.plant(on)
	}
	c.cpmm(t, on, 800_000*tokens, 100*sol)
	binary.LittleEndian.PutUint64(c.damm(t, on, 80_000*tokens, 10*sol)[dammActivation:], 0)
	binary.LittleEndian.PutUint64(reward.damm(t, on, 50_000*tokens, 500*sol)[dammActivation:], 0)
	epoch, err := node.Epoch(t.Context())
	must.Do(t, err)
	clock := on.accounts[solana.SysVarClockPubkey]
	binary.LittleEndian.PutUint64(clock.Data[16:], epoch)
	for address, a := range on.accounts {
		if a != clock {
			ledger.SetAccount(t, address.String(), surfpool.Account{Lamports: sol, Owner: a.Owner.String(), Data: a.Data})
		}
	}
	for name, o := range map[string]exchange.Order{
		"for SOL":           c.order(10_000*tokens, terms.SOL),
		"for a token":       c.order(10_000*tokens, reward.asset()),
		"the other way":     reward.order(10*tokens, c.asset()),
		"more than it has":  c.order(1<<60, reward.asset()),
		"without a pool":    none.order(tokens, terms.SOL),
		"for what has none": c.order(tokens, none.asset()),
	} {
		want, wantErr := scripted.Quote(t.Context(), o)
		got, err := pools.Quote(t.Context(), o)
		if reasonOf(t, err) != reasonOf(t, wantErr) || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v %v, want %+v %v", name, got, err, want, wantErr)
		}
	}
}

// A missing account is nil, in its place.
func TestAccountsOfAChain(t *testing.T) {
	t.Parallel()
	ledger := localnet.Chain(t)
	node, err := rpc.New(ledger.RPCURL)
	must.Do(t, err)
	there := key("there")
	ledger.SetAccount(t, there.String(), surfpool.Account{Lamports: sol, Owner: key("program").String(), Data: []byte{1, 2, 3}})
	list, err := node.Accounts(t.Context(), key("nowhere"), there, solana.SysVarClockPubkey)
	must.Do(t, err)
	want := onchain.Account{Owner: key("program"), Lamports: sol, Data: []byte{1, 2, 3}}
	if len(list) != 3 || list[0] != nil || list[1] == nil || !reflect.DeepEqual(*list[1], want) || list[2] == nil || len(list[2].Data) != 40 {
		t.Errorf("Accounts() = %+v, want the second and the third account", list)
	}
	if _, err := node.Accounts(t.Context(), make([]solana.PublicKey, rpc.MaxAccounts+1)...); err == nil {
		t.Error("more accounts are requested than a node returns")
	}
}
