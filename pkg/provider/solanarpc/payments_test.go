package solanarpc_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market/featured"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/wire"
)

// On a real chain: transactions are found by an address that they name and that belongs to no
// wallet, and only transfers that name it themselves are payments.
func TestPaymentsAreFoundByTheirReference(t *testing.T) {
	l := newLedger(t)
	ctx := within(t)
	treasury := newWallet(t)
	reference, other := solana.PublicKey{1, 31: 1}, solana.PublicKey{2, 31: 2}
	pay := func(lamports uint64, references ...solana.PublicKey) solana.Instruction {
		return systemprogram.Transfer{From: l.payer.PublicKey, To: treasury.PublicKey, Lamports: lamports, References: references}.Instruction()
	}
	note := solana.NewInstruction(solana.MemoProgramID, solana.AccountMetaSlice{}, []byte("paid"))
	want := map[solana.Signature]featured.Mention{}
	var order []solana.Signature
	send := func(m featured.Mention, instructions ...solana.Instruction) {
		recent, err := l.RecentBlockhash(ctx)
		if err != nil {
			t.Fatal(err)
		}
		signed := sign(t, recent.Hash, []wallet{l.payer}, instructions...)
		tx, _ := wire.ParseTransaction(signed)
		m.Signature, _ = tx.ID()
		if err := l.Send(ctx, signed); err != nil {
			t.Fatal(err)
		}
		if _, err := l.Await(ctx, m.Signature); err != nil {
			t.Fatal(err)
		}
		want[m.Signature], order = m, append(order, m.Signature)
	}
	transfer := func(place int, lamports uint64) featured.Transfer {
		return featured.Transfer{Place: place, From: l.payer.PublicKey, To: treasury.PublicKey, Lamports: lamports}
	}
	send(featured.Mention{Transfers: []featured.Transfer{transfer(1, lamportsPerSOL)}},
		note, pay(lamportsPerSOL, reference), pay(2*lamportsPerSOL, other))
	send(featured.Mention{Transfers: []featured.Transfer{transfer(0, 7), transfer(1, 8)}},
		pay(7, reference, other), pay(8, other, reference))
	// It names the reference, but pays without it.
	send(featured.Mention{}, pay(lamportsPerSOL), solana.NewInstruction(solana.SystemProgramID,
		solana.AccountMetaSlice{solana.Meta(l.payer.PublicKey).SIGNER().WRITE(), solana.Meta(reference).WRITE()},
		append([]byte{2, 0, 0, 0}, 0, 202, 154, 59, 0, 0, 0, 0)))
	send(featured.Mention{Failed: true}, pay(1000*lamportsPerSOL, reference))
	l.PassSlots(t, 40) // finality

	list, more, err := l.Mentions(ctx, reference)
	if err != nil || more || !slices.Equal(list, order) {
		t.Fatalf("%v, more %v, %v, want %v", list, more, err, order)
	}
	for _, signature := range list {
		got, err := l.Payments(ctx, signature, reference)
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want[signature]) {
			t.Errorf("%v, %v, want %v", got, err, want[signature])
		}
	}
	if list, more, err := l.Mentions(ctx, solana.PublicKey{3}); err != nil || more || len(list) != 0 {
		t.Errorf("of an address that no transaction names: %v, %v, %v", list, more, err)
	}
}

// TestPaymentsByPrograms tests that a transfer called by another instruction counts, and that its
// place is the place in the order of execution, also with accounts of lookup tables.
func TestPaymentsByPrograms(t *testing.T) {
	n := newNode(t, result(called))
	got, err := n.Payments(within(t), calledSignature, calledReference)
	want := []featured.Transfer{{Place: 2, From: solana.PublicKey{1}, To: solana.PublicKey{2}, Lamports: 9}}
	if err != nil || !slices.Equal(got.Transfers, want) {
		t.Errorf("%+v, %v, want %+v", got.Transfers, err, want)
	}
}

// called is a transaction whose instructions call others: transfers with and without
// the reference, and some that look like transfers.
var (
	calledSignature, calledReference = solana.Signature{7}, solana.PublicKey{5}

	called = callingTransaction()
)

func callingTransaction() string {
	from, to, program := solana.PublicKey{1}, solana.PublicKey{2}, solana.PublicKey{4}
	data := solana.Base58([]byte{2, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0}).String()
	short := solana.Base58([]byte{2, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0}).String()
	seeded := solana.Base58([]byte{11, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0}).String()
	return fmt.Sprintf(`{"slot":5,"blockTime":1,"transaction":{"signatures":[%q],"message":{"accountKeys":[%q,%q,%q,%q],"instructions":[
		{"programIdIndex":3,"accounts":[0],"data":""},{"programIdIndex":3,"accounts":[0],"data":""}]}},
		"meta":{"err":null,"innerInstructions":[
			{"index":0,"instructions":[{"programIdIndex":2,"accounts":[0,1],"data":%[6]q},{"programIdIndex":2,"accounts":[0,1,4],"data":%[6]q}]},
			{"index":1,"instructions":[{"programIdIndex":2,"accounts":[0,1,4],"data":%[7]q},{"programIdIndex":2,"accounts":[0,1,4],"data":%[8]q},
				{"programIdIndex":2,"accounts":[1],"data":%[6]q},{"programIdIndex":3,"accounts":[0,1,4],"data":%[6]q}]}],
		"loadedAddresses":{"writable":[],"readonly":[%[9]q]}}}`,
		calledSignature, from, to, solana.SystemProgramID, program, data, short, seeded, calledReference)
}

// TestPaymentsMissingTransaction decides nothing.
func TestPaymentsMissingTransaction(t *testing.T) {
	n := newNode(t, result("null"))
	if m, err := n.Payments(within(t), solana.Signature{1}, solana.PublicKey{1}); err == nil {
		t.Errorf("it is %+v", m)
	}
}

// TestMentionsAreBounded tests that the newest transactions are returned, and that a truncated list
// is reported.
func TestMentionsAreBounded(t *testing.T) {
	const pages, length = 10, 1000
	answers, n := make([]http.HandlerFunc, pages), 0
	for page := range answers {
		var entries []string
		for range length {
			n++
			entries = append(entries, fmt.Sprintf(`{"signature":%q,"slot":%d,"err":null,"confirmationStatus":"finalized"}`,
				solana.Signature{0: 1, 62: byte(n >> 8), 63: byte(n)}, 1_000_000-n))
		}
		answers[page] = result("[" + strings.Join(entries, ",") + "]")
	}
	node := newNode(t, answers...)
	list, more, err := node.Mentions(within(t), solana.PublicKey{1})
	if err != nil || !more || len(list) != pages*length || node.calls.Load() != pages {
		t.Fatalf("%d in %d calls, more %v, %v", len(list), node.calls.Load(), more, err)
	}
	if oldest, newest := list[0], list[len(list)-1]; oldest[63] != byte(n&0xff) || oldest[62] != byte(n>>8&0xff) || newest[63] != 1 || newest[62] != 0 {
		t.Errorf("from %v to %v, want the oldest first", oldest, newest)
	}
}

// answering returns the same result for every call.
type answering string

func (a answering) RoundTrip(r *http.Request) (*http.Response, error) {
	body := io.NopCloser(strings.NewReader(`{"jsonrpc":"2.0","id":1,"result":` + string(a) + `}`))
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: body, Request: r}, nil
}

// FuzzPayments reads arbitrary transactions of a node: reading ends, and a transaction without
// effect has no payments.
func FuzzPayments(f *testing.F) {
	f.Add(called)
	f.Add(`null`)
	f.Add(strings.Replace(called, `"err":null`, `"err":"AccountInUse"`, 1))
	f.Add(strings.Replace(called, `[0,1,4]`, `[0,1,9]`, 1))
	client, err := solanarpc.New("http://node.example")
	if err != nil {
		f.Fatal(err)
	}
	client.Pause = func(context.Context, time.Duration) error { return errors.New("no pauses here") }
	f.Fuzz(func(t *testing.T, answer string) {
		m, err := client.WithTransport(answering(answer)).Payments(t.Context(), calledSignature, calledReference)
		if (err != nil || m.Failed) && len(m.Transfers) > 0 {
			t.Errorf("Payments() = %+v, %v; want no transfers of a failed transaction", m, err)
		}
		for i, transfer := range m.Transfers {
			if transfer.Place < i || i > 0 && transfer.Place <= m.Transfers[i-1].Place {
				t.Errorf("out of order: %+v", m.Transfers)
			}
		}
	})
}
