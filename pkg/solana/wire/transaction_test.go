package wire_test

import (
	"crypto/ed25519"
	"errors"
	"slices"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/wire"
)

func newSigner(n byte) (solana.PublicKey, ed25519.PrivateKey) {
	private := ed25519.NewKeyFromSeed(slices.Repeat([]byte{n}, ed25519.SeedSize))
	return solana.PublicKeyFromBytes(private[ed25519.PublicKeySize:]), private
}

func TestSignatures(t *testing.T) {
	payer, payerKey := newSigner(1)
	other, otherKey := newSigner(2)
	stranger, strangerKey := newSigner(3)
	message := compile(t, payer, instruction("pay", solana.NewAccountMeta(other, false, true)))
	tx := wire.NewTransaction(message)

	if missing := tx.Missing(); !slices.Equal(missing, []solana.PublicKey{payer, other}) {
		t.Errorf("missing %v", missing)
	}
	if _, ok := tx.ID(); ok {
		t.Error("an unsigned transaction has an id")
	}
	if err := tx.VerifySignature(payer); !errors.Is(err, wire.ErrUnsigned) {
		t.Errorf("unsigned: %v", err)
	}
	if err := tx.VerifySignature(stranger); !errors.Is(err, wire.ErrNotSigner) {
		t.Errorf("a stranger: %v", err)
	}
	if err := tx.Sign(strangerKey); !errors.Is(err, wire.ErrNotSigner) {
		t.Errorf("a stranger signs: %v", err)
	}
	if err := tx.Sign(payerKey[:31]); err == nil {
		t.Error("half a key signs")
	}
	copied := tx.Clone()
	if err := tx.Sign(payerKey); err != nil {
		t.Fatal(err)
	}
	if _, ok := copied.ID(); ok {
		t.Error("signing changes a clone")
	}
	if err := tx.VerifySignature(payer); err != nil {
		t.Error(err)
	}
	signature, ok := tx.Signature(payer)
	if id, _ := tx.ID(); !ok || id != signature {
		t.Errorf("the id is %s, the payer's signature %s", id, signature)
	}
	if err := tx.SetSignature(other, signature); !errors.Is(err, wire.ErrBadSignature) {
		t.Errorf("another's signature: %v", err)
	}
	if _, ok := tx.Signature(other); ok {
		t.Error("a wrong signature was kept")
	}
	if err := tx.Sign(otherKey); err != nil || len(tx.Missing()) != 0 {
		t.Errorf("%v, missing %v", err, tx.Missing())
	}

	// A signature of the same signer over another message does not fit.
	other2 := wire.NewTransaction(compile(t, payer, instruction("pay more", solana.NewAccountMeta(other, false, true))))
	if err := other2.Sign(payerKey); err != nil {
		t.Fatal(err)
	}
	wrong, _ := other2.Signature(payer)
	if err := tx.SetSignature(payer, wrong); !errors.Is(err, wire.ErrBadSignature) {
		t.Errorf("a signature of another message: %v", err)
	}
}

func TestTransactionsComeBackAsTheyWere(t *testing.T) {
	payer, payerKey := newSigner(1)
	other, _ := newSigner(2)
	tx := wire.NewTransaction(compile(t, payer, instruction("pay", solana.NewAccountMeta(other, true, true))))
	if err := tx.Sign(payerKey); err != nil {
		t.Fatal(err)
	}
	back, err := wire.ParseBase64(tx.Base64())
	if err != nil {
		t.Fatal(err)
	}
	if !back.Message().Equal(tx.Message()) || !slices.Equal(back.Bytes(), tx.Bytes()) {
		t.Error("the transaction has changed")
	}
	if err := back.VerifySignature(payer); err != nil {
		t.Error(err)
	}
	if missing := back.Missing(); !slices.Equal(missing, []solana.PublicKey{other}) {
		t.Errorf("missing %v", missing)
	}
}

func TestZeroValuesDoNotPanic(t *testing.T) {
	var tx wire.Transaction
	_ = tx.Bytes()
	_, _ = tx.ID()
	if err := tx.VerifySignature(solana.PublicKey{}); !errors.Is(err, wire.ErrNotSigner) {
		t.Error(err)
	}
	var m wire.Message
	if !m.FeePayer().IsZero() || len(m.Signers())+len(m.Accounts())+len(m.Instructions()) != 0 {
		t.Error("the zero message has something in it")
	}
}
