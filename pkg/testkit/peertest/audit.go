package peertest

import "testing"

// Audited is what infra/peer/audit.mjs made.
type Audited struct{ Mint, Holder, Account string }

// Audit has a client, "kit" or "web3", make a mint with a transfer fee on the chain at rpc,
// and tax, withdraw and spend, with two funded keys in base64. It skips and fails as Encode
// does.
func Audit(t testing.TB, client, rpc, payer, collector string) (made Audited) {
	t.Helper()
	run(t, "audit.mjs", map[string]string{"client": client, "rpc": rpc, "payer": payer, "collector": collector}, &made)
	return made
}
