package launchpad

import "testing"

// TestReadablePrices keeps the digits that people compare: a price of 19 digits is not read before
// it is signed.
func TestReadablePrices(t *testing.T) {
	for price, want := range map[string]string{
		"0.0438596491228": "0.0438596", "0.00000070175438": "0.000000701754", "12.3456789": "12.345678", "35": "35", "0.5": "0.5", "0.1000001": "0.1",
	} {
		if got := readable(price); got != want {
			t.Errorf("readable(%q) = %q, want %q", price, got, want)
		}
	}
}
