package peertest

import "testing"

// Raydium reads the results of Raydium's client for the cases of infra/peer/raydium.mjs. Raydium
// skips and fails the test like Encode.
func Raydium(t testing.TB, cases []Case, results any) {
	t.Helper()
	run(t, "raydium.mjs", cases, results)
}
