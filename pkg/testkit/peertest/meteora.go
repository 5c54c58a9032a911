package peertest

import "testing"

// PoolAnswer is what the official client of an exchange made of a Case: one of the
// fields is set.
type PoolAnswer struct {
	Instruction *Instruction `json:"instruction"`
	Data        []byte       `json:"data"`    // of an account or event
	Numbers     []string     `json:"numbers"` // decimal
	Error       string       `json:"error"`
}

// Meteora gives what the official client of DAMM v2 makes of each case: an input of
// infra/peer/meteora.mjs. It skips the test in short mode, and fails it when the
// client is not installed.
func Meteora(t testing.TB, cases []Case) []PoolAnswer {
	t.Helper()
	var answers []PoolAnswer
	run(t, "meteora.mjs", cases, &answers)
	if len(answers) != len(cases) {
		t.Fatalf("the client gave %d answers for %d cases", len(answers), len(cases))
	}
	return answers
}
