package peertest

import "testing"

// Locker returns the results of a client of Jupiter Lock for each case, an input of
// infra/peer/locker.mjs. Locker skips the test in short mode, and fails the test if the client is
// not installed.
func Locker(t testing.TB, cases []Case) []PoolAnswer {
	t.Helper()
	var answers []PoolAnswer
	run(t, "locker.mjs", cases, &answers)
	if len(answers) != len(cases) {
		t.Fatalf("the client gave %d answers for %d cases", len(answers), len(cases))
	}
	return answers
}
