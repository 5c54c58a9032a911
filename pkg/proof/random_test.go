package proof_test

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Runs of all kinds, one after the other, have good proofs; and one of their numbers
// changed, in a bundle that is signed and complete, is found out or changes nothing
// that can be known.
func TestRunsOfAllKindsHaveGoodProofs(t *testing.T) {
	found, not := 0, map[string]int{}
	rapid.Check(t, func(rt *rapid.T) {
		s := newShelf()
		var before *run
		var last run
		for n := range rapid.IntRange(1, 3).Draw(rt, "runs") {
			last = s.run(t, script{
				holders:  rapid.IntRange(5, 40).Draw(rt, "holders"),
				minimum:  rapid.SampledFrom([]uint64{0, 1, 1200, 2500}).Draw(rt, "minimum"),
				burnBps:  rapid.IntRange(0, 9000).Draw(rt, "burn"),
				reward:   rapid.SampledFrom([]terms.Asset{usd, terms.SOL, terms.Asset(mint)}).Draw(rt, "reward"),
				proceeds: rapid.Uint64Range(1000, 5_000_000).Draw(rt, "proceeds"),
				slot:     hour.Add(time.Duration(n) * time.Hour),
				held:     rapid.Bool().Draw(rt, "held"),
				holds:    rapid.SampledFrom([]func(int) uint64{balance, halves}).Draw(rt, "balances"),
			}, before)
			before = &run{closed: last.closed, rows: last.rows, anchor: last.anchor, signed: last.signed, had: last.had, snapshot: last.snapshot}
		}
		if rapid.Bool().Draw(rt, "alone") {
			s = alone(s, last)
		}
		_, failed := verified(t, s.folder(), last.anchor)
		if len(failed) > 0 {
			rt.Fatalf("%q", failed)
		}
		for range 5 {
			path := ""
			failed := forge(t, s, last, walletKey, func(m *format.Manifest) {
				path = bump(rt, reflect.ValueOf(m).Elem(), "")
			})
			if len(failed) > 0 {
				found++
			} else {
				not[path]++
			}
		}
	})
	// What nothing else follows from, or what rounding may hide.
	free := []string{
		".Cut", ".Number", ".Settings.Version", ".Decimals", ".Legs.Decimals", ".Snapshot.ChainSlot", ".Settings.MinimumHolding", ".Legs.WorthPaying",
		".Snapshot.Held.Before.ChainSlot", ".Split.Spendable", ".Settings.SellBps", ".Settings.BurnBps", ".Settings.DeveloperFeeBps",
		".Settings.MinimumHoldersBps",
	}
	for path := range not {
		if !slices.Contains(free, path) {
			t.Errorf("%s can be changed: %d times", path, not[path])
		}
	}
	t.Logf("%d changes were found out, not %v", found, not)
}

// bump adds one to a number somewhere in a value, and returns the number's path.
func bump(rt *rapid.T, v reflect.Value, path string) string {
	switch v.Kind() {
	case reflect.Struct:
		var fields []int
		for i := range v.NumField() {
			if countable(v.Field(i)) {
				fields = append(fields, i)
			}
		}
		i := rapid.SampledFrom(fields).Draw(rt, "field")
		return bump(rt, v.Field(i), path+"."+v.Type().Field(i).Name)
	case reflect.Pointer:
		return bump(rt, v.Elem(), path)
	case reflect.Slice:
		return bump(rt, v.Index(rapid.IntRange(0, v.Len()-1).Draw(rt, "element")), path)
	case reflect.Int:
		v.SetInt(v.Int() + 1)
	default:
		v.SetUint(v.Uint() + 1)
	}
	return path
}

// countable reports whether there is a number in a value.
func countable(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			return false
		}
		for i := range v.NumField() {
			if countable(v.Field(i)) {
				return true
			}
		}
		return false
	case reflect.Pointer:
		return !v.IsNil() && countable(v.Elem())
	case reflect.Slice:
		return v.Len() > 0 && countable(v.Index(0))
	case reflect.Int, reflect.Uint8, reflect.Uint64:
		return true
	default:
		return false
	}
}
