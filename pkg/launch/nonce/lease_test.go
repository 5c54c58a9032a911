package nonce_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/launch/nonce"
	"tokenlaunch.example/service/pkg/testkit/must"
)

// process is a pool as another process has it, which remembers nothing yet.
func (b *bench) process() nonce.Pool {
	p := b.Pool
	p.Memory = &nonce.Memory{}
	return p
}

// filled has the given number of accounts that are ready, and can have no more.
func filled(t *testing.T, accounts int) *bench {
	t.Helper()
	b := newBench(t, accounts)
	b.fill(t, accounts, accounts, nonce.Filled{Free: accounts, Made: accounts})
	return b
}

// leases counts who has which account.
type leases struct {
	sync.Mutex
	of        map[solana.PublicKey]string
	exhausted int
}

// ask leases for transaction id until a time, concurrently with others.
func (l *leases) ask(t *testing.T, p nonce.Pool, id string, until time.Time) {
	n, err := p.Lease(t.Context(), id, until)
	l.Lock()
	defer l.Unlock()
	if err != nil {
		if !errors.Is(err, nonce.ErrExhausted) {
			t.Errorf("lease of %s: %v, want ErrExhausted", id, err)
		}
		l.exhausted++
		return
	}
	if other, taken := l.of[n.Account]; taken {
		t.Errorf("%s and %s have the same nonce", id, other)
	}
	l.of[n.Account] = id
}

// Each nonce is leased once, and no launch is rejected while a nonce is free, whatever the
// processes remember: in the first round nothing, in the second that all nonces are leased.
func TestManyLeaseFewNonces(t *testing.T) {
	const accounts, more = 6, 4
	b := filled(t, accounts)
	processes := []nonce.Pool{b.process(), b.process(), b.process()}
	for round, callers := range []int{accounts, accounts + more} {
		until := b.at.Add(5 * time.Minute)
		got := leases{of: map[solana.PublicKey]string{}}
		var all sync.WaitGroup
		for i := range callers {
			all.Go(func() { got.ask(t, processes[i%len(processes)], fmt.Sprint("launch-", round, "-", i), until) })
		}
		all.Wait()
		if len(got.of) != accounts || got.exhausted != callers-accounts {
			t.Errorf("%d of %d callers have a nonce of %d, and %d were rejected", len(got.of), callers, accounts, got.exhausted)
		}
		for account, id := range got.of { // ended early, of which the processes know nothing
			must.Do(t, b.Store.Release(t.Context(), account, id))
		}
	}
}

// A lease that expires, and one that another process ends.
func TestLeaseReusesFreedAccounts(t *testing.T) {
	b := filled(t, 2)
	here, there := b.process(), b.process()
	first, err := here.Lease(t.Context(), "first", b.at.Add(5*time.Minute))
	must.Do(t, err)
	second, err := here.Lease(t.Context(), "second", b.at.Add(6*time.Minute))
	must.Do(t, err)
	refused := func() {
		t.Helper()
		for _, p := range []nonce.Pool{here, there} {
			if n, err := p.Lease(t.Context(), "refused", b.at.Add(time.Minute)); !errors.Is(err, nonce.ErrExhausted) {
				t.Fatalf("%v, %v, and all are leased", n, err)
			}
		}
	}
	refused()
	must.Do(t, there.Release(t.Context(), second, "first")) // not its own
	refused()
	must.Do(t, there.Release(t.Context(), second, "second"))
	again, err := here.Lease(t.Context(), "third", b.at.Add(20*time.Minute))
	if err != nil || again.Account != second.Account {
		t.Errorf("%v, %v; want the released one", again, err)
	}
	b.at = b.at.Add(5*time.Minute - time.Millisecond)
	refused()
	b.at = b.at.Add(time.Millisecond)
	again, err = there.Lease(t.Context(), "fourth", b.at.Add(time.Minute))
	if err != nil || again.Account != first.Account {
		t.Errorf("%v, %v; want the one whose lease has ended", again, err)
	}
}

// Accounts that an operator removed from the table, while a process still remembers them, are
// created again in their order, and no others.
func TestFillRecreatesRemovedAccounts(t *testing.T) {
	b := filled(t, 2)
	here := b.process()
	_, err := here.Lease(t.Context(), "before", b.at.Add(5*time.Minute))
	must.Do(t, err)
	table := b.Store.(launchtable.Nonces)
	items, err := table.Client.Scan(t.Context(), &dynamodb.ScanInput{TableName: &table.Table})
	must.Do(t, err)
	for _, item := range items.Items {
		_, err := table.Client.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{
			TableName: &table.Table, Key: map[string]types.AttributeValue{"pk": item["pk"], "sk": item["sk"]},
		})
		must.Do(t, err)
	}
	_, err = here.Lease(t.Context(), "after", b.at.Add(5*time.Minute))
	must.Do(t, err)
	items, err = table.Client.Scan(t.Context(), &dynamodb.ScanInput{TableName: &table.Table})
	if err != nil || len(items.Items) != 2 {
		t.Errorf("%v, %v; want the pool and one account", items.Items, err)
	}
}
