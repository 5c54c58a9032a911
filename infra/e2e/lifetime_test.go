package e2e_test

import (
	"context"
	"fmt"
	"testing"

	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/launch"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/peertest"
)

// TestOfficialClientsLaunchInBothLifetimes tests the service's transaction, signed by web3.js 1.x
// in each of its ways and by kit, on a durable nonce and on a blockhash, and with a price and an
// assertion that a wallet adds.
func TestOfficialClientsLaunchInBothLifetimes(t *testing.T) {
	s := deployed(t)
	signers := peertest.Clients()
	if err := localnet.DeployGuards(t.Context(), s.Chain); err == nil { // a validator cannot
		signers = append(signers, peertest.GuardingClients()...)
	}
	for _, lifetime := range []launch.Lifetime{launch.OnNonce, launch.OnBlockhash} {
		if err := s.LaunchOn(t.Context(), lifetime); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := s.LaunchOn(context.WithoutCancel(t.Context()), launch.OnNonce); err != nil {
				t.Error(err)
			}
		})
		for _, signer := range signers {
			t.Run(fmt.Sprintf("%s by %s", lifetime, signer), func(t *testing.T) {
				l := newLaunch(t, s)
				if err := l.Create(t.Context()); err != nil {
					t.Fatalf("%v\n%s", err, logOf(err))
				}
				tx, err := wire.ParseBase64(l.Prepared.Transaction)
				if err != nil {
					t.Fatal(err)
				}
				first := tx.Message().Instructions()[0]
				onBlockhash, advances := l.Prepared.LastValidBlockHeight > 0, systemprogram.IsAdvanceNonce(first.ProgramID, first.Data)
				if onBlockhash != (lifetime == launch.OnBlockhash) || advances == onBlockhash {
					t.Fatalf("it uses a blockhash: %v; it advances a nonce: %v", onBlockhash, advances)
				}
				result, err := l.Client.SubmitToken(t.Context(), client.Submission{
					TransactionID:     l.Prepared.TransactionID,
					SignedTransaction: peertest.Sign(t, signer, l.Prepared.Transaction, l.Wallet.Key()),
				})
				if err != nil {
					t.Fatalf("%v\n%s", err, logOf(err))
				}
				if result.Status != client.TokenConfirmed || !result.Success {
					t.Errorf("the launch is %+v", result)
				}
			})
		}
	}
}
