package proof_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"
	"pgregory.net/rapid"

	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/proof/verify"
	"tokenlaunch.example/service/pkg/token/terms"
)

// paid is a row with something in every column.
var paid = allocation.Row{
	Asset: usd, Owner: owner(3), Balance: 1200, Share: 50, Owed: 10, Paid: 40, Received: 39, Charged: 5, Carried: 15, Reserved: 9, Total: 77,
	Reason: allocation.Undecided, Hold: allocation.Hold{0xab, 7: 1}, Signature: signature("paid"),
}

func TestRowsHaveOneSpelling(t *testing.T) {
	line := string(format.AppendRow(nil, paid))
	if want := usd.String() + "," + owner(3).String() + ",1200,50,10,40,39,5,15,9,77,undecided,ab00000000000001," + signature("paid").String(); line != want {
		t.Errorf("%s, want %s", line, want)
	}
	for name, bad := range map[string]string{
		"empty":               "",
		"a field less":        line[:strings.LastIndex(line, ",")],
		"a field more":        line + ",",
		"a space":             strings.Replace(line, ",1200", ", 1200", 1),
		"a leading zero":      strings.Replace(line, ",1200", ",01200", 1),
		"a sign":              strings.Replace(line, ",1200", ",+1200", 1),
		"an amount too large": strings.Replace(line, ",1200", ",18446744073709551616", 1),
		"no amount":           strings.Replace(line, ",1200", ",", 1),
		"quotes":              strings.Replace(line, ",1200", `,"1200"`, 1),
		"wrapped SOL":         strings.Replace(line, usd.String(), solana.WrappedSol.String(), 1),
		"upper case":          strings.Replace(line, "ab00", "AB00", 1),
		"a hold of zeros":     strings.Replace(line, "ab00000000000001", "0000000000000000", 1),
		"a short hold":        strings.Replace(line, "ab00000000000001", "ab", 1),
		"a longer owner":      strings.Replace(line, owner(3).String(), "1"+owner(3).String(), 1),
		"a long owner":        strings.Replace(line, owner(3).String(), strings.Repeat("1", 400), 1),
		"a long signature":    strings.Replace(line, signature("paid").String(), strings.Repeat("1", 100), 1),
		"a zero signature":    strings.Replace(line, signature("paid").String(), strings.Repeat("1", 64), 1),
		"a break":             line + "\n",
		"does not add up":     strings.Replace(line, ",50,", ",51,", 1),
		"no reason":           strings.Replace(line, "undecided", "", 1),
		"too long":            line + strings.Repeat("0", 300),
	} {
		if bad == line {
			t.Fatalf("%s: nothing is changed", name)
		}
		if row, err := format.ParseRow([]byte(bad)); err == nil {
			t.Errorf("%s: %+v", name, row)
		}
	}
}

// The longest lines fit into a line, and the maximum number of them into a file.
func TestLongestLinesFit(t *testing.T) {
	const most = 1<<64 - 1
	long := bytes.Repeat([]byte{255}, 64)
	row := allocation.Row{
		Asset: terms.Asset(long[:32]), Owner: solana.PublicKey(long[:32]), Balance: most, Share: most, Owed: most, Paid: most, Received: most,
		Charged: most, Carried: most, Reserved: most, Reason: allocation.Reason(bytes.Repeat([]byte{'x'}, allocation.MaxReason)),
		Hold: allocation.Hold(long[:8]), Signature: solana.Signature(long),
	}
	for _, held := range []bool{false, true} {
		if row.Held = held; held {
			row.Before = most
		}
		if line := format.AppendRow(nil, row); len(line) > format.MaxLine {
			t.Errorf("a row may have %d bytes", len(line))
		}
	}
	// A header is no longer than a line.
	if longest := (format.ShardLines + 1) * (format.MaxLine + 1); longest > format.MaxFile {
		t.Errorf("a file may have %d bytes", longest)
	}
}

func TestLinesAreReadAsTheyWereWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := func(name string) (key solana.PublicKey) {
			copy(key[:], rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, name))
			key[31] |= 1
			return key
		}
		row := allocation.Row{Asset: terms.Asset(key("asset")), Owner: key("owner"), Balance: rapid.Uint64Min(1).Draw(t, "balance")}
		if rapid.Bool().Draw(t, "in SOL") {
			row.Asset = terms.SOL
		}
		row.Paid, row.Carried = rapid.Uint64Range(0, 1<<62).Draw(t, "paid"), rapid.Uint64Range(0, 1<<62).Draw(t, "carried")
		row.Share = row.Paid + row.Carried
		if row.Paid > 0 {
			row.Received = rapid.Uint64Range(0, row.Paid).Draw(t, "received")
			row.Total = row.Received + 7
			row.Signature = signature(row.Paid)
		}
		if row.Carried > 0 {
			row.Reason = "some_reason"
			row.Hold = allocation.Hold(rapid.SliceOfN(rapid.Byte(), 8, 8).Draw(t, "hold"))
		}
		if row.Held = rapid.Bool().Draw(t, "what was held before"); row.Held {
			row.Before = rapid.Uint64().Draw(t, "before")
		}
		line := format.AppendRow(nil, row)
		if got, err := format.ParseRow(line); err != nil || got != row {
			t.Fatalf("%s: %+v, want %+v (%v)", line, got, row, err)
		}
		out := format.LeftOut{Owner: row.Owner, Balance: row.Balance, Held: row.Held, Before: row.Before, Why: "vault"}
		if got, err := format.ParseLeftOut(format.AppendLeftOut(nil, out)); err != nil || got != out {
			t.Fatalf("%+v, want %+v (%v)", got, out, err)
		}
		tx := format.Transaction{Purpose: format.Fuel, Signature: signature(row.Share), Slot: row.Balance}
		if got, err := format.ParseTransaction(format.AppendTransaction(nil, tx)); err != nil || got != tx {
			t.Fatalf("%+v, want %+v (%v)", got, tx, err)
		}
	})
}

// Whatever a stranger writes: what is read is written as the very same bytes.
func FuzzLines(f *testing.F) {
	for _, line := range [][]byte{
		format.AppendRow(nil, paid),
		format.AppendRow(nil, allocation.Row{Owner: owner(1), Balance: 1}),
		format.AppendRow(nil, allocation.Row{Owner: owner(1), Balance: 1, Held: true, Before: 2}),
		format.AppendLeftOut(nil, format.LeftOut{Owner: owner(1), Balance: 5, Why: "off_curve"}),
		format.AppendLeftOut(nil, format.LeftOut{Owner: owner(1), Balance: 5, Held: true, Why: format.NotHeld}),
		format.AppendTransaction(nil, format.Transaction{Purpose: format.Pay, Signature: signature(1), Slot: 9}),
		[]byte(",,,,,,,,,,,,"),
		[]byte(",,"),
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		if row, err := format.ParseRow(line); err == nil && (!bytes.Equal(format.AppendRow(nil, row), line) || row.Check() != nil) {
			t.Errorf("%q is read as %+v", line, row)
		}
		if out, err := format.ParseLeftOut(line); err == nil && !bytes.Equal(format.AppendLeftOut(nil, out), line) {
			t.Errorf("%q is read as %+v", line, out)
		}
		if tx, err := format.ParseTransaction(line); err == nil && !bytes.Equal(format.AppendTransaction(nil, tx), line) {
			t.Errorf("%q is read as %+v", line, tx)
		}
	})
}

func FuzzDecodeManifest(f *testing.F) {
	s, _, second := twoRuns(f, 6)
	f.Add(s.files[second.closed.CID+".json"])
	f.Add([]byte("{}\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		m, err := format.DecodeManifest(content)
		if err != nil {
			return
		}
		_ = verify.CheckManifest(m) // whatever it says, it ends
		if again, err := format.EncodeManifest(m); err != nil || !bytes.Equal(again, content) {
			t.Errorf("%q is written as %q (%v)", content, again, err)
		}
	})
}

// No bytes but those that were signed make the anchor of our wallet.
func FuzzReadAnchor(f *testing.F) {
	s := newShelf()
	r := s.run(f, script{holders: 3, minimum: 1, reward: terms.SOL, proceeds: 1000, slot: hour}, nil)
	f.Add(r.signed)
	f.Add([]byte{1})
	f.Fuzz(func(t *testing.T, raw []byte) {
		a, err := verify.ReadAnchor(raw)
		if err == nil && a.Wallet == wallet && !bytes.Equal(raw, r.signed) {
			t.Errorf("%x is signed by our wallet", raw)
		}
	})
}

func TestPurposes(t *testing.T) {
	for _, p := range []format.Purpose{format.Setup, format.Collect, format.Burn, format.Exchange, format.Fuel, format.Creator, format.Pay, format.Anchoring, format.Void, format.Return} {
		if !p.Valid() {
			t.Error(p)
		}
	}
	if slices.ContainsFunc([]format.Purpose{"", "receipt", "Pay"}, format.Purpose.Valid) {
		t.Error("what is no purpose is one")
	}
}
