package verify

import (
	"testing"

	"tokenlaunch.example/service/pkg/proof/format"
)

// The share is rounded up, so that no owner is left out with 0.00 %.
func TestLeftOnTrustWords(t *testing.T) {
	const most = 1<<64 - 1
	for _, test := range []struct {
		left   *format.Tally
		supply uint64
		want   string
	}{
		{nil, 100, ""},
		{&format.Tally{}, 0, "No owner is left out on the service's word."},
		{&format.Tally{Owners: 1, Balance: 1}, most, "1 owner with 0.01 % of the supply is left out on the service's word."},
		{&format.Tally{Owners: 9, Balance: 31}, 100, "9 owners with 31.00 % of the supply are left out on the service's word."},
		{&format.Tally{Owners: 2, Balance: 1}, 3, "2 owners with 33.34 % of the supply are left out on the service's word."},
		{&format.Tally{Owners: 2, Balance: most}, most, "2 owners with 100.00 % of the supply are left out on the service's word."},
	} {
		r := Report{LeftOnTrust: test.left}
		r.Manifest.Snapshot.Supply = format.Amount(test.supply)
		if got := r.LeftOnTrustWords(); got != test.want {
			t.Errorf("%+v of %d: %q, want %q", test.left, test.supply, got, test.want)
		}
	}
}
