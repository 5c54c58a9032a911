package fault

import (
	"fmt"
	"hash/fnv"
	"os"
	"slices"
	"testing"
	"time"
)

// wholeMatrix asks for a part of all cases: 0/1 for every case, 0/2 and 1/2 for halves
// that two machines can run.
const wholeMatrix = "WHOLE_MATRIX"

// Sample keeps one in so many of a matrix's cases, another part on each day, so that every
// case runs within so many days. The variable WHOLE_MATRIX=0/1 keeps all of them.
func Sample[Case any](t testing.TB, cases []Case, oneIn int, name func(Case) string) []Case {
	t.Helper()
	const day = 24 * 60 * 60
	part, of := int(time.Now().Unix()/day)%oneIn, oneIn
	if text := os.Getenv(wholeMatrix); text != "" {
		if _, err := fmt.Sscanf(text, "%d/%d", &part, &of); err != nil || of < 1 || part < 0 || part >= of {
			t.Fatalf("%s is %q, want for example 0/1", wholeMatrix, text)
		}
	}
	kept := make([]Case, 0, len(cases)/of+1)
	for _, c := range cases {
		if inPart(name(c), part, of) {
			kept = append(kept, c)
		}
	}
	return slices.Clip(kept)
}

// inPart spreads names over parts evenly, the same ones each time.
func inPart(name string, part, of int) bool {
	h := fnv.New32a()
	_, _ = h.Write([]byte(name))
	return int(h.Sum32())%of == part
}
