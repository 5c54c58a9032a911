package client_test

import (
	"encoding/json"
	"errors"
	"os"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/solana/creation"
)

// guardedLaunches has a launch with a guardian and hostile answers to it. The TypeScript client's
// tests read it, too.
const guardedLaunches = "testdata/guarded.json"

type guardedLaunch struct {
	Name   string                    `json:"name"` // empty: the honest answer
	Wallet solana.PublicKey          `json:"wallet"`
	Asked  client.TokenCreation      `json:"asked"`
	To     client.DistributionWallet `json:"to"`
	Given  client.UnsignedToken      `json:"given"`
}

// TestGuardedLaunchHasRequestedMembers plays an API that assigns the tax of a token with a guardian
// to other members.
func TestGuardedLaunchHasRequestedMembers(t *testing.T) {
	wallet, guardian := key(9), key(6)
	guarded := func() offer {
		o := honest(wallet)
		o.creation.Guardian, o.asked.Guardian, o.creation.MultisigRentLamports = guardian, guardian, 1_900_000
		o.creation.ImmutableMetadata, o.asked.ImmutableMetadata = false, false // room for a stranger's key
		return o
	}
	members := func(change func(list []solana.PublicKey)) func(o *offer) {
		return func(o *offer) {
			o.twist = func(list []solana.Instruction) {
				for _, in := range list {
					data, _ := in.Data()
					if len(data) != 2 || data[0] != 19 {
						continue
					}
					keys := creation.Members(key(3), guardian, wallet)
					change(keys)
					for n, key := range keys {
						in.Accounts()[1+n].PublicKey = key
					}
				}
			}
		}
	}
	var list []guardedLaunch
	for _, c := range []struct {
		name  string
		cheat func(o *offer)
	}{
		{"", func(*offer) {}},
		{"another guardian", func(o *offer) { o.creation.Guardian = key(7) }},
		{"no guardian", func(o *offer) { o.creation.Guardian = solana.PublicKey{} }},
		{"a guardian that was not asked for", func(o *offer) { o.asked.Guardian = solana.PublicKey{} }},
		{"more rent than it costs", func(o *offer) { o.creation.MultisigRentLamports = 2_000_001 }},
		{"one of three", func(o *offer) {
			o.twist = func(list []solana.Instruction) {
				for _, in := range list {
					if data, _ := in.Data(); len(data) == 2 && data[0] == 19 {
						data[1] = 1
					}
				}
			}
		}},
		{"a third party in place of the creator", members(func(list []solana.PublicKey) { list[2] = key(7) })},
		{"the wallet twice", members(func(list []solana.PublicKey) { list[2] = list[0] })},
		{"a third party in place of the guardian", members(func(list []solana.PublicKey) { list[1] = key(7) })},
	} {
		o := guarded()
		c.cheat(&o)
		made := o.made(t)
		_, err := client.CheckLaunch(wallet, o.asked, o.to, made)
		if c.name == "" && err != nil || c.name != "" && !errors.Is(err, client.ErrTransactionMismatch) {
			t.Errorf("CheckLaunch(), change %q: %v, want a mismatch if anything is changed", c.name, err)
		}
		list = append(list, guardedLaunch{c.name, wallet, o.asked, o.to, made})
	}
	content, err := json.MarshalIndent(list, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	content = append(content, '\n')
	if *update {
		if err := os.WriteFile(guardedLaunches, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if stored, err := os.ReadFile(guardedLaunches); err != nil || string(stored) != string(content) {
		t.Errorf("%s is older than this test: -update writes it (%v)", guardedLaunches, err)
	}
}
