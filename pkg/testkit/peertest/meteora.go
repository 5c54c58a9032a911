package peertest

import "testing"

// PoolAnswer is the result of an exchange's official client for a Case. Exactly one of the fields
// is set.
type PoolAnswer struct {
	Instruction *Instruction `json:"instruction"`
	Data        []byte       `json:"data"`    // of an account or event
	Numbers     []string     `json:"numbers"` // decimal
	Error       string       `json:"error"`
}

// Meteora returns the results of the official client of DAMM v2 for each case, an input of
// infra/peer/meteora.mjs. Meteora skips the test in short mode, and fails the test if the client is
// not installed.
func Meteora(t testing.TB, cases []Case) []PoolAnswer {
	t.Helper()
	var answers []PoolAnswer
	run(t, "meteora.mjs", cases, &answers)
	if len(answers) != len(cases) {
		t.Fatalf("the client gave %d answers for %d cases", len(answers), len(cases))
	}
	return answers
}
