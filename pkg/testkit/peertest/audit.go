package peertest

import "testing"

// Audited is the result of infra/peer/audit.mjs.
type Audited struct{ Mint, Holder, Account string }

// Audit lets a client, "kit" or "web3", create a mint with a transfer fee on the chain at rpc, and
// tax, withdraw and spend, with two funded keys in base64. Audit skips and fails the test like
// Encode.
func Audit(t testing.TB, client, rpc, payer, collector string) (made Audited) {
	t.Helper()
	run(t, "audit.mjs", map[string]string{"client": client, "rpc": rpc, "payer": payer, "collector": collector}, &made)
	return made
}
