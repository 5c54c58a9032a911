package launchtx

import (
	"encoding/base64"
	"slices"
	"testing"

	"tokenlaunch.example/service/infra/bench/report"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

// TestBothMakeTheSameBytes has both sides make signed transactions of the same launches.
func TestBothMakeTheSameBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the official clients in Node")
	}
	folder, err := project.Find()
	if err != nil {
		t.Fatal(err)
	}
	q := question{Inputs: inputs(20)}
	a, err := ours(q)
	if err != nil {
		t.Fatal(err)
	}
	b, err := report.Ask[answer](t.Context(), kit(folder, q))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(a.Transactions, b.Transactions) {
		t.Errorf("ours\n%s\nkit's\n%s", a.Transactions, b.Transactions)
	}
	for i, text := range a.Transactions {
		tx, err := wire.ParseBase64(text)
		if err != nil {
			t.Fatal(err)
		}
		if missing := tx.Missing(); len(missing) != 1 || missing[0] != q.Inputs[i].Payer {
			t.Errorf("transaction %d lacks the signatures of %v, and should that of %s", i, missing, q.Inputs[i].Payer)
		}
		for _, signer := range tx.Message().Signers()[1:] {
			if err := tx.VerifySignature(signer); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestLongest sees that what is measured is the longest transaction of a launch.
func TestLongest(t *testing.T) {
	a, err := ours(question{Inputs: inputs(1)})
	if err != nil {
		t.Fatal(err)
	}
	size := base64.StdEncoding.DecodedLen(len(a.Transactions[0])) - 2 // less its padding
	if size < wire.MaxTransactionSize-16 {
		t.Errorf("it has %d bytes of %d", size, wire.MaxTransactionSize)
	}
}

// TestEverythingIsMeasured takes every work once.
func TestEverythingIsMeasured(t *testing.T) {
	a, err := ours(question{Inputs: inputs(2), Measure: &measure{Warm: 1, Rounds: 2}})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range works {
		if a.Samples[w.name].Times != 2 {
			t.Errorf("%s: %+v", w.name, a.Samples[w.name])
		}
	}
}

// BenchmarkWorks is for profiles: go test -bench Works/create -cpuprofile FILE ./bench/launchtx.
func BenchmarkWorks(b *testing.B) {
	var d desk
	for _, in := range inputs(launches) {
		l := in.launch()
		m, err := l.compile()
		if err != nil {
			b.Fatal(err)
		}
		d.launches, d.compiled = append(d.launches, l), append(d.compiled, m)
	}
	for _, w := range works {
		b.Run(w.name, func(b *testing.B) {
			b.ReportAllocs()
			s, err := d.take(w.do, b.N)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(s.CPU)/float64(b.N), "cpu-ns/op")
		})
	}
}
