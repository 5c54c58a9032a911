package peertest_test

import (
	"errors"
	"math/big"
	"slices"
	"testing"

	"tokenlaunch.example/service/pkg/solana/bonding"
	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/testkit/peertest"
)

// tax returns a tax: none, an ordinary one, one with a cap, and all of it.
func (g generator) tax() token2022.TransferFee {
	tax := token2022.TransferFee{BasisPoints: g.basisPoints(), MaximumFee: g.u64()}
	switch g.IntN(4) {
	case 0:
		return token2022.TransferFee{}
	case 1:
		tax.BasisPoints, tax.MaximumFee = uint16(1+g.IntN(2_500)), 1<<63
	case 2:
		tax.MaximumFee >>= 30
	}
	return tax
}

func taxCase(tax token2022.TransferFee) peertest.Case {
	return peertest.Case{"basisPoints": tax.BasisPoints, "maximumFee": u64(tax.MaximumFee)}
}

// request returns a curve as a caller could ask for it.
func (g generator) request() bonding.Request {
	return bonding.Request{
		Tokens: 1 + g.Uint64()>>(1+g.IntN(40)), TargetLamports: 1_000_000_000 * uint64(1+g.IntN(10_000)),
		MultiplierBps: int64(bonding.MinMultiplierBps + g.IntN(bonding.MaxMultiplierBps-bonding.MinMultiplierBps+1)),
	}
}

// plan returns a curve that the program takes.
func (g generator) plan() bonding.Params {
	for {
		if p, err := bonding.Plan(g.request()); err == nil {
			return p
		}
	}
}

// outcome is the effect of a trade: what leaves the trader and arrives, the fee, and the
// price afterwards; or that it cannot be done.
type outcome struct {
	numbers []string
	err     error
}

func outcomeOf(q bonding.Quote, err error) outcome {
	if err != nil {
		return outcome{err: err}
	}
	leaves, arrives := q.Lamports, q.Tokens
	if q.Direction == meteora.Sell {
		leaves, arrives = arrives, leaves
	}
	return outcome{numbers: []string{u64(leaves), u64(arrives), u64(q.Fee), q.NextSqrtPrice.String()}}
}

// Quotes equal the quotes of the official client, where it has one.
func TestQuotesEqualTheOfficialClient(t *testing.T) {
	g := newGenerator(4)
	const curves, each = 150, 4
	var ours []outcome
	var cases []peertest.Case
	for range curves {
		p := g.plan()
		s := bonding.State{
			Liquidity: p.Liquidity, MinSqrtPrice: p.StartSqrtPrice, MaxSqrtPrice: p.MaxSqrtPrice,
			// Mostly between the start and a bit beyond the target.
			SqrtPrice:  g.between(p.StartSqrtPrice, new(big.Int).Lsh(p.TargetSqrtPrice, uint(g.IntN(3)))),
			Fee:        g.tradeFee(),
			FeeVersion: uint8(g.IntN(2)), ActivatedAt: 1_700_000_000,
		}
		s.Now = s.ActivatedAt + uint64(g.IntN(20_000))
		if g.IntN(4) == 0 { // the first purchase of a curve
			s = p.Opening(s.Fee)
		}
		for range each {
			tax := g.tax()
			amount := 1 + g.Uint64()>>(4+g.IntN(56))
			direction, mode := meteora.Buy, meteora.ExactOut
			var o outcome
			switch g.IntN(3) {
			case 0:
				o = outcomeOf(bonding.Buy(s, amount, tax))
			case 1:
				mode = meteora.ExactIn
				o = outcomeOf(bonding.BuyIn(s, amount, tax))
			default:
				direction, mode = meteora.Sell, meteora.ExactIn
				o = outcomeOf(bonding.Sell(s, amount, tax))
			}
			ours = append(ours, o)
			c := peertest.Case{
				"kind": "quote", "buy": direction == meteora.Buy, "mode": mode, "amount": u64(amount), "tax": taxCase(tax),
				"minSqrtPrice": s.MinSqrtPrice.String(), "maxSqrtPrice": s.MaxSqrtPrice.String(), "sqrtPrice": s.SqrtPrice.String(),
				"liquidity": s.Liquidity.String(), "now": u64(s.Now), "activated": u64(s.ActivatedAt),
				"feeVersion": s.FeeVersion, "fee": feeCase(s.Fee),
			}
			if tax == (token2022.TransferFee{}) {
				c["tax"] = nil
			}
			cases = append(cases, c)
		}
	}
	compared, refused := 0, 0
	for i, got := range peertest.Meteora(t, cases) {
		switch o := ours[i]; {
		case o.err == nil && got.Error == "":
			compared++
			if !slices.Equal(o.numbers, got.Numbers) {
				t.Errorf("%v:\n ours  %v\n peers %v", cases[i], o.numbers, got.Numbers)
			}
		case o.err == nil:
			t.Errorf("%v: ours %v, the client refused: %s", cases[i], o.numbers, got.Error)
		case got.Error != "", errors.Is(o.err, bonding.ErrTooLittle):
			// The client quotes trades of which nothing arrives.
			refused++
		case overflows(got.Numbers):
			// It also quotes numbers that the program has no room for.
			refused++
		default:
			t.Errorf("%v: ours refused: %v, peers %v", cases[i], o.err, got.Numbers)
		}
	}
	if compared < curves*each/2 || refused == 0 {
		t.Errorf("%d quotes compared, %d refused: the cases are not telling", compared, refused)
	}
	t.Logf("%d quotes compared, %d refused", compared, refused)
}

// overflows reports whether an amount is more than 64 bits.
func overflows(numbers []string) bool {
	return slices.ContainsFunc(numbers[:3], func(text string) bool {
		n, ok := new(big.Int).SetString(text, 10)
		return !ok || !n.IsUint64()
	})
}

// A curve's liquidity, what the program takes for it, and the price at its target
// are those of the official client.
func TestCurvesEqualTheOfficialClient(t *testing.T) {
	g := newGenerator(5)
	const rounds = 300
	var want [][]string
	var cases []peertest.Case
	for len(cases) < rounds {
		r := g.request()
		p, err := bonding.Plan(r)
		if err != nil {
			continue
		}
		if p.Deposit != r.Tokens {
			t.Errorf("%+v deposits %d", r, p.Deposit)
		}
		want = append(want, []string{p.Liquidity.String(), u64(p.Deposit), "0", p.TargetSqrtPrice.String()})
		cases = append(cases, peertest.Case{
			"kind": "plan", "start": p.StartSqrtPrice.String(), "maxSqrtPrice": p.MaxSqrtPrice.String(),
			"tokens": u64(r.Tokens), "lamports": u64(r.TargetLamports),
		})
	}
	for i, got := range peertest.Meteora(t, cases) {
		if !slices.Equal(got.Numbers, want[i]) {
			t.Errorf("%v:\n ours  %v\n peers %v %s", cases[i], want[i], got.Numbers, got.Error)
		}
	}
}

// The amount to send under a tax equals the official client's, as long as it is
// possible.
func TestGrossEqualsTheOfficialClient(t *testing.T) {
	g := newGenerator(6)
	const rounds = 400
	var cases []peertest.Case
	var ours []outcome
	for range rounds {
		tax, net := g.tax(), g.u64()
		gross, err := bonding.Gross(tax, net)
		ours = append(ours, outcome{[]string{u64(gross)}, err})
		cases = append(cases, peertest.Case{"kind": "gross", "amount": u64(net), "tax": taxCase(tax)})
	}
	for i, got := range peertest.Meteora(t, cases) {
		o := ours[i]
		if n, ok := new(big.Int).SetString(got.Numbers[0], 10); o.err != nil && ok && n.IsUint64() || o.err == nil && !slices.Equal(got.Numbers, o.numbers) {
			t.Errorf("%v: ours %v (%v), peers %v %s", cases[i], o.numbers, o.err, got.Numbers, got.Error)
		}
	}
}
