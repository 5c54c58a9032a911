package snapshot_test

import (
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/snapshot"
)

// TestLookUps: owners are looked up by the hundred, and only those whom it matters for.
func TestLookUps(t *testing.T) {
	n := &node{}
	for i := range 2500 {
		n.accounts = append(n.accounts, snapshot.Account{Address: key(10_000 + i), Owner: key(i), Amount: uint64(i)})
	}
	rand.Shuffle(len(n.accounts), func(i, j int) { n.accounts[i], n.accounts[j] = n.accounts[j], n.accounts[i] })
	n.settle(0)
	s := &shelf{}
	got, err := snapshotter(t, s, n).Take(t.Context(), snapshot.Request{Mint: mint, Key: holdersKey, Policy: snapshot.Policy{Minimum: 1000}})
	if err != nil || got.Owners() != 2499 || got.Eligible().Owners != 1500 {
		t.Fatalf("%+v, %v", got, err)
	}
	if n.largest != snapshot.MaxPrograms || n.lookups != 15 {
		t.Errorf("%d look-ups of up to %d", n.lookups, n.largest)
	}
	for i := range 2500 {
		row, found, err := snapshot.Find(t.Context(), s, holdersKey, key(i))
		if err != nil || found != (i > 0) || row.Balance != uint64(i) {
			t.Fatalf("owner %d: %+v, %v, %v", i, row, found, err)
		}
	}
}

// TestBusyNode: look-ups that are deferred are made again, and the snapshot is not
// stored when they are always deferred.
func TestBusyNode(t *testing.T) {
	for unanswered, ok := range map[int]bool{0: true, 3: true, 4: false} {
		n := &node{accounts: []snapshot.Account{{Address: key(101), Owner: key(1), Amount: 60}}, unanswered: unanswered}
		n.settle(0)
		s := &shelf{}
		_, err := snapshotter(t, s, n).Take(t.Context(), snapshot.Request{Mint: mint, Key: holdersKey})
		if (err == nil) != ok || (s.puts == 1) != ok || !ok && !errors.Is(err, errBusy) {
			t.Errorf("%d times: %v, %d files", unanswered, err, s.puts)
		}
	}
}

// TestFind finds every owner, and none who is not there, however the addresses are
// spread, in few reads.
func TestFind(t *testing.T) {
	const owners = 20_000
	const closeTogether = "close together" // where a search comes past the ends of what it has read
	for name, spread := range map[string]func(n int) uint64{
		"evenly":               func(n int) uint64 { return uint64(n) * (math.MaxUint64 / owners) },
		closeTogether:          func(n int) uint64 { return 1<<40 + 2*uint64(n) },
		"together and far":     func(n int) uint64 { return 2*uint64(n) + uint64(n/19_000)<<62 },
		"more and more rarely": func(n int) uint64 { return uint64(n) * uint64(n) * uint64(n) * uint64(n) * 100 },
	} {
		address := func(n int) (key solana.PublicKey) {
			binary.BigEndian.PutUint64(key[:], spread(n))
			key[31] = 1
			return key
		}
		n := &node{}
		for i := range owners {
			n.accounts = append(n.accounts, snapshot.Account{Owner: address(i), Amount: uint64(i) + 1})
		}
		n.settle(0)
		s := &shelf{}
		if _, err := snapshotter(t, s, n).Take(t.Context(), snapshot.Request{Mint: mint, Key: holdersKey, Policy: snapshot.Policy{Minimum: owners}}); err != nil {
			t.Fatal(err)
		}
		step := 19
		if name == closeTogether {
			step = 8 // so that those at the ends are among them
		}
		for i := 0; i < owners; i += step {
			s.reads = 0
			row, found, err := snapshot.Find(t.Context(), s, holdersKey, address(i))
			if err != nil || !found || row.Balance != uint64(i)+1 || s.reads > 9 {
				t.Fatalf("%s: owner %d: %+v, %v, %v in %d reads", name, i, row, found, err, s.reads)
			}
			missing := address(i)
			missing[31] = byte(i % 2 * 2)
			if row, found, err := snapshot.Find(t.Context(), s, holdersKey, missing); found || err != nil {
				t.Fatalf("%s: next to owner %d: %+v, %v, %v", name, i, row, found, err)
			}
		}
	}
}
