package peertest_test

import (
	"crypto/ed25519"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/creation"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/peertest"
)

func newKey(g generator) (solana.PublicKey, ed25519.PrivateKey) {
	seed := g.key()
	private := ed25519.NewKeyFromSeed(seed[:])
	return solana.PublicKeyFromBytes(private[ed25519.PublicKeySize:]), private
}

// What a wallet sends back has the same message and the caller's signature,
// whatever it did to the others; with those added again it is complete.
func TestAcceptWalletSignatures(t *testing.T) {
	g := newGenerator(4)
	payer, payerKey := newKey(g)
	mint, mintKey := newKey(g)
	authority, authorityKey := newKey(g)
	message := compile(t, creation.Creation{
		Payer: payer, Mint: mint, DistributionWallet: g.key(),
		Name: "Zoë 🚀", Symbol: "ZOË", URI: "ipfs://x", Decimals: 9, Supply: 1, TransferFeeBps: 100,
		MintRentLamports: 1, FundingLamports: 1,
	}, transaction.NonceUse{Nonce: transaction.Nonce{Account: g.key(), Value: solana.Hash(g.key())}, Authority: authority}, 60_000, 0)
	issued := wire.NewTransaction(message)
	if err := issued.Sign(mintKey); err != nil {
		t.Fatal(err)
	}
	for _, client := range peertest.Clients() {
		t.Run(string(client), func(t *testing.T) {
			returned, err := wire.ParseBase64(peertest.Sign(t, client, issued.Base64(), payerKey))
			if err != nil {
				t.Fatal(err)
			}
			if !returned.Message().Equal(message) {
				t.Error("the message has changed")
			}
			if err := returned.VerifySignature(payer); err != nil {
				t.Error(err)
			}
			if err := returned.Sign(mintKey); err != nil {
				t.Error(err)
			}
			if err := returned.Sign(authorityKey); err != nil {
				t.Error(err)
			}
			if missing := returned.Missing(); len(missing) > 0 {
				t.Errorf("still missing: %v", missing)
			}
		})
	}
}
