package launch_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"testing"

	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/testkit/peertest"
)

// The ways in which wallets sign: some keep the other signatures, some drop them, the versioned
// class wraps the legacy message, and some set a price and add an assertion.
func TestOfficialClientsLand(t *testing.T) {
	b := newBench(t)
	for _, client := range b.clients(t) {
		t.Run(string(client), func(t *testing.T) {
			creator := b.creator(t)
			created := b.create(t, creator)
			signed := peertest.Sign(t, client, base64.StdEncoding.EncodeToString(created.Fresh.Transaction), ed25519.PrivateKey(creator))
			l, err := b.Submit(t.Context(), creator.PublicKey(), created.ID, signed)
			must.Do(t, err)
			if l.Status != transaction.Confirmed {
				t.Errorf("the launch is %s, want confirmed", l.Status)
			}
		})
	}
}
