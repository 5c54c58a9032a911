package fault

import (
	"hash/fnv"
	"testing"

	"tokenlaunch.example/service/pkg/testkit/nightly"
)

// Sample returns a few of a matrix's cases that together have every kind of all cases. The same
// cases have the same sample. `make matrices` runs all cases, or a share of the cases. The names
// must be unique, because the name decides between cases with the same number of kinds.
func Sample[Case any](t testing.TB, cases []Case, name func(Case) string, kinds func(Case) []string) []Case {
	t.Helper()
	var kept []Case
	if share, of := nightly.Share(t); of > 0 {
		for n := share; n < len(cases); n += of {
			kept = append(kept, cases[n])
		}
		return kept
	}
	shown := map[string]bool{}
	for {
		best, most, hash := -1, 0, uint32(0)
		for i, c := range cases {
			fresh := 0
			for _, kind := range kinds(c) {
				if !shown[kind] {
					fresh++
				}
			}
			if fresh == 0 || fresh < most {
				continue
			}
			if h := hashOf(name(c)); fresh > most || h < hash {
				best, most, hash = i, fresh, h
			}
		}
		if best < 0 {
			return kept
		}
		kept = append(kept, cases[best])
		for _, kind := range kinds(cases[best]) {
			shown[kind] = true
		}
	}
}

func hashOf(name string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(name))
	return h.Sum32()
}
