package airdrop

// Case is one paying, as the bench asks a process of its own for it.
type Case struct {
	Way    string
	People int
	On     Conditions
}

// The variables that a process finds its Case in, as JSON, and the file that it writes
// its Figures into.
const (
	CaseVariable = "AIRDROP_CASE"
	FileVariable = "AIRDROP_FILE"
)
