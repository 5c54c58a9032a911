package walkthrough_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/mr-tron/base58"

	"tokenlaunch.example/service/infra/local/walkthrough"
)

// transfer is an unsigned transaction that needs these signatures, the first as
// payer.
func transfer(t *testing.T, payer, other solana.PublicKey) []byte {
	t.Helper()
	tx, err := solana.NewTransaction(
		[]solana.Instruction{
			system.NewTransferInstruction(1, other, payer).Build(),
			system.NewTransferInstruction(1, payer, other).Build(),
		},
		solana.Hash{1}, solana.TransactionPayer(payer),
	)
	if err != nil {
		t.Fatal(err)
	}
	tx.Signatures = make([]solana.Signature, tx.Message.Header.NumRequiredSignatures)
	for i := range tx.Signatures {
		tx.Signatures[i] = solana.Signature{9, 9, 9}
	}
	raw, err := tx.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func TestSigningTouchesNothingButTheOwnSignature(t *testing.T) {
	wallet, err := walkthrough.NewWallet()
	if err != nil {
		t.Fatal(err)
	}
	own := solana.MustPublicKeyFromBase58(wallet.Address())
	service := solana.NewWallet().PublicKey()
	raw := transfer(t, service, own) // the wallet is the second signer
	signed, err := wallet.SignTransaction(base64.StdEncoding.EncodeToString(raw))
	if err != nil {
		t.Fatal(err)
	}
	got, err := base64.StdEncoding.DecodeString(signed)
	if err != nil {
		t.Fatal(err)
	}
	message := raw[1+2*ed25519.SignatureSize:]
	if !ed25519.Verify(own[:], message, got[1+ed25519.SignatureSize:1+2*ed25519.SignatureSize]) {
		t.Error("the wallet's signature is not in its place")
	}
	if !bytes.Equal(got[:1+ed25519.SignatureSize], raw[:1+ed25519.SignatureSize]) || !bytes.HasSuffix(got, message) {
		t.Error("more than the wallet's signature has changed")
	}
	stranger, err := walkthrough.NewWallet()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := stranger.SignTransaction(base64.StdEncoding.EncodeToString(raw)); err == nil {
		t.Error("a wallet signed a transaction that does not ask for it")
	}
}

func TestMessagesAreSignedAsTheyAre(t *testing.T) {
	wallet, err := walkthrough.NewWallet()
	if err != nil {
		t.Fatal(err)
	}
	signature, err := base58.Decode(wallet.SignMessage("sign in, größer"))
	if err != nil {
		t.Fatal(err)
	}
	key := solana.MustPublicKeyFromBase58(wallet.Address())
	if !ed25519.Verify(key[:], []byte("sign in, größer"), signature) {
		t.Error("the signature is not over the text's UTF-8 bytes")
	}
}
