package peertest

import "testing"

// Raydium has Raydium's client answer the cases of infra/peer/raydium.mjs. It skips
// and fails as Encode does.
func Raydium(t testing.TB, cases []Case, results any) {
	t.Helper()
	run(t, "raydium.mjs", cases, results)
}
