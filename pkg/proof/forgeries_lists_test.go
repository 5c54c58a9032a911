package proof_test

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/token/terms"
)

// later names a list that no verifier has.
func later(m *format.Manifest) { m.TrustList = 999 }

// through has the sale call another program in place of the pool.
func through(program solana.PublicKey, list ...step) func(*script) {
	return acts(format.Exchange, func(x *tx) {
		x.does[2] = raw(program, []byte{1}, wallet)
		x.does = append(x.does, list...)
	})
}

// laterLists are sales through a program of the operator's own whose proof names a later trust
// list: the number excuses the program, and nothing else.
func laterLists() []forgery {
	const acted, unknown = "transactions on chain", "nothing is shown of what 1 sales did with the wallet's signature"
	own := terms.Asset(mint)
	account := ata(wallet, own)
	list := []forgery{
		{name: "a sale through a program of the operator's own", tooNew: true, check: acted, says: unknown, first: through(operator)},
		{
			name: "the same, and a node that lists a transaction twice", tooNew: true, check: acted, says: unknown, first: through(operator),
			node: func(s *sim, _ run) { s.lie = twice },
		},
		{
			name: "a sale through a program of the operator's own that is not named, as undecided", tooNew: true, check: acted, says: unknown,
			first: all(
				also("", act(format.Exchange, signature("sale"), 20, raw(operator, []byte{1}, wallet), inner(sendsTokens(own, operator, 7)), give(wallet, terms.SOL, 1))),
				books(terms.SOL, format.Fees, -fee), books(terms.SOL, format.Undecided, fee+rent-1), books(own, format.Undecided, 7)),
		},
		{name: "a sale through the memo program", check: acted, says: "hands the wallet's signature to the program", first: through(format.MemoProgram)},
		{
			name: "proceeds understated, and kept as a deposit", check: "books on chain", says: "proceeds",
			first: all(through(operator, give(wallet, usd, 100)), books(usd, format.Deposits, 100)),
		},
		{name: "fewer burned than the books say", check: "books on chain", says: "burned", first: all(through(operator), books(own, format.Burned, 1))},
		{
			name: "proceeds in an account of the wallet's that no statement has", check: acted, says: "which no statement has",
			first: through(operator, give(wallet, rival, 100)),
		},
		{
			name: "a tip to the operator in the exchange", check: acted, says: "takes lamports of the wallet",
			first: all(through(operator, sends(operator, 10)), books(terms.SOL, format.Fees, 10)),
		},
		{
			name: "a tip that the program takes", check: acted, says: "in addition to its fee and receipt",
			first: all(
				plans(func(m *format.Manifest) {
					m.Exchange.Sold += m.Exchange.FuelSold
					m.Exchange.FuelSold, m.Exchange.Fuel = 0, 0
				}),
				through(operator, inner(sends(operator, 10))), books(terms.SOL, format.Fees, 10)),
		},
		{
			name: "the operator approved as a delegate by the program", check: acted, says: "for which nothing here has a need",
			first: through(operator, inner(ofTokens(token2022.KindApprove, account, operator, wallet))),
		},
		{
			name: "a payment to holders that calls a program", check: acted, says: "for which a payment has no need",
			first: all(does(format.Pay, raw(operator, []byte{1}, wallet))),
		},
		{name: "a burn that calls a program", check: acted, says: "hands the wallet's signature to the program", first: does(format.Burn, raw(operator, []byte{1}, wallet))},
		{
			name: "another wallet may withdraw the tax", check: "wallet on chain", says: "to withdraw", first: through(operator),
			node: func(s *sim, _ run) { s.withdrawer = operator },
		},
		{
			name: "more came in than the sale brought", check: "division", says: "are not the", first: through(operator),
			forge: func(m *format.Manifest) { m.Exchange.Proceeds += 100 },
		},
	}
	for i := range list {
		f := &list[i]
		forge := f.forge
		f.name += ", under a later trust list"
		f.forge = func(m *format.Manifest) {
			later(m)
			if forge != nil {
				forge(m)
			}
		}
	}
	return list
}

// A later list is no fault in itself: a proof whose programs the verifier knows is complete.
func TestHonestRunUnderLaterListIsComplete(t *testing.T) {
	files, r, node := (forgery{first: honest, forge: later}).published(t)
	report, failed := asked(t, files, r.anchor, node)
	if !report.Complete() || report.TooNew() || report.Manifest.TrustList != 999 {
		t.Errorf("complete %v, list %d, failed %q", report.Complete(), report.Manifest.TrustList, failed)
	}
}

// A list's number has one spelling, and list 1 has none: proofs from before the number keep
// their bytes.
func TestTrustListNumberHasOneSpelling(t *testing.T) {
	s := newShelf()
	r := s.run(t, script{holders: 4, minimum: 1, reward: usd, proceeds: 90_000, slot: hour}, nil)
	m := r.closed.Manifest
	if m.TrustList != proof.TrustListVersion {
		t.Errorf("the writer names list %d, want %d", m.TrustList, proof.TrustListVersion)
	}
	m.TrustList = 1
	body := must(format.EncodeManifest(m))
	if bytes.Contains(body, []byte("trustList")) {
		t.Errorf("list 1 is named:\n%s", body)
	}
	for number, want := range map[string]uint16{
		"2": 2, "999": 999, "65535": math.MaxUint16,
		"0": 0, "1": 0, "-1": 0, "02": 0, "65536": 0, "18446744073709551618": 0, "2.0": 0, "2e0": 0, `"2"`: 0, "null": 0, "true": 0, "[2]": 0,
	} {
		named := append(bytes.TrimSuffix(bytes.Clone(body), []byte("\n}\n")), fmt.Sprintf(",\n\t\"trustList\": %s\n}\n", number)...)
		got, err := format.DecodeManifest(named)
		if (err == nil) != (want > 0) || got.TrustList != want {
			t.Errorf("DecodeManifest() with trustList %s = %d, %v; want %d", number, got.TrustList, err, want)
		}
	}
}

// TestManifestWithOtherStringsIsRejected tests that a manifest does not parse with a string that another encoder could
// escape. The TypeScript verifier has the same rule.
func TestManifestWithOtherStringsIsRejected(t *testing.T) {
	s := newShelf()
	m := s.run(t, script{holders: 4, minimum: 1, reward: usd, proceeds: 90_000, slot: hour}, nil).closed.Manifest
	for text, ok := range map[string]bool{"1h <&> ~": true, "1h\t": false, `1h"`: false, `1h\`: false, "1h\u00e9": false, "1h\u2028": false, "1h\x7f": false} {
		m.Settings.Interval = text
		if _, err := format.DecodeManifest(must(format.EncodeManifest(m))); (err == nil) != ok {
			t.Errorf("DecodeManifest() with the interval %q = %v, want success: %t", text, err, ok)
		}
	}
}
