package terms

import "tokenlaunch.example/service/pkg/platform/apperr"

// Basis says which balance of a holder counts.
type Basis string

// The bases. The zero value is BasisSnapshot, so that settings that were kept before there was
// a choice have it.
const (
	// BasisSnapshot: the balance at the run's snapshot.
	BasisSnapshot Basis = ""
	// BasisHeld: the lesser of that and the balance in the snapshot of the proof before, so that
	// a purchase just before the slot earns nothing.
	BasisHeld Basis = "held"
)

const basisSnapshotWord = "snapshot"

// String gives the word that the API has for it.
func (b Basis) String() string {
	if b == BasisSnapshot {
		return basisSnapshotWord
	}
	return string(b)
}

// ParseBasis reads the API's word; another one is a basis in which Validate finds what is wrong.
func ParseBasis(word string) Basis {
	if word == basisSnapshotWord {
		return BasisSnapshot
	}
	return Basis(word)
}

func (b Basis) validate() []apperr.Field {
	if b == BasisSnapshot || b == BasisHeld {
		return nil
	}
	return []apperr.Field{{
		Field: "rewardBasis", Code: apperr.CodeInvalidFormat, Message: `Must be "snapshot" or "held".`,
	}}
}
