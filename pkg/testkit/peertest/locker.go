package peertest

import "testing"

// Locker gives what a client of Jupiter Lock makes of each case: an input of
// infra/peer/locker.mjs. It skips the test in short mode, and fails it when the client is not
// installed.
func Locker(t testing.TB, cases []Case) []PoolAnswer {
	t.Helper()
	var answers []PoolAnswer
	run(t, "locker.mjs", cases, &answers)
	if len(answers) != len(cases) {
		t.Fatalf("the client gave %d answers for %d cases", len(answers), len(cases))
	}
	return answers
}
