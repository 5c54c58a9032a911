package terms

import "tokenlaunch.example/service/pkg/platform/apperr"

// Basis is the rule for the balance of a holder that counts.
type Basis string

// The bases. The zero value is BasisSnapshot, so settings that were stored before the choice
// existed use BasisSnapshot.
const (
	// BasisSnapshot counts the balance in the run's snapshot.
	BasisSnapshot Basis = ""
	// BasisHeld counts the smaller of the balance in the run's snapshot and the balance in the
	// snapshot of the proof before, so a purchase just before the slot earns nothing.
	BasisHeld Basis = "held"
)

const basisSnapshotWord = "snapshot"

// String returns the API's word for the basis.
func (b Basis) String() string {
	if b == BasisSnapshot {
		return basisSnapshotWord
	}
	return string(b)
}

// ParseBasis reads the API's word. For an unknown word, it returns a basis that Validate rejects.
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
