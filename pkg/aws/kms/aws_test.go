package kms_test

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/x509"
	"math/big"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	awskms "github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/kms/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/kms"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/token/wallet"
)

func client(t *testing.T) *awskms.Client {
	t.Helper()
	return awskms.NewFromConfig(localnet.AWS(t).Config(t.Context()))
}

func createKey(t *testing.T, c *awskms.Client, spec types.KeySpec, usage types.KeyUsageType) string {
	t.Helper()
	out, err := c.CreateKey(t.Context(), &awskms.CreateKeyInput{KeySpec: spec, KeyUsage: usage})
	if err != nil {
		t.Fatal(err)
	}
	return *out.KeyMetadata.KeyId
}

// importHMAC makes an HMAC key with this material.
func importHMAC(t *testing.T, c *awskms.Client, material []byte) string {
	t.Helper()
	created, err := c.CreateKey(t.Context(), &awskms.CreateKeyInput{
		KeySpec: types.KeySpecHmac512, KeyUsage: types.KeyUsageTypeGenerateVerifyMac, Origin: types.OriginTypeExternal,
	})
	if err != nil {
		t.Fatal(err)
	}
	id := *created.KeyMetadata.KeyId
	parameters, err := c.GetParametersForImport(t.Context(), &awskms.GetParametersForImportInput{
		KeyId: &id, WrappingAlgorithm: types.AlgorithmSpecRsaesOaepSha256, WrappingKeySpec: types.WrappingKeySpecRsa2048,
	})
	if err != nil {
		t.Fatal(err)
	}
	key, err := x509.ParsePKIXPublicKey(parameters.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	wrapped, err := rsa.EncryptOAEP(sha256.New(), rand.Reader, key.(*rsa.PublicKey), material, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.ImportKeyMaterial(t.Context(), &awskms.ImportKeyMaterialInput{
		KeyId: &id, ImportToken: parameters.ImportToken, EncryptedKeyMaterial: wrapped,
		ExpirationModel: types.ExpirationModelTypeKeyMaterialDoesNotExpire,
	})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func TestHMACIsHMACSHA512(t *testing.T) {
	c := client(t)
	material := make([]byte, 64)
	_, _ = rand.Read(material)
	h := kms.HMAC{Client: c, KeyID: importHMAC(t, c, material)}
	own := hmac.New(sha512.New, material)
	own.Write([]byte("message"))
	got, err := h.Sum512(t.Context(), []byte("message"))
	if err != nil || !hmac.Equal(got[:], own.Sum(nil)) {
		t.Errorf("Sum512 = %x, %v; want %x", got, err, own.Sum(nil))
	}
}

// TestAddressOfADistributionWallet computes the address with the service, and from the key material
// with only the standard library.
func TestAddressOfADistributionWallet(t *testing.T) {
	c := client(t)
	material := make([]byte, 64)
	_, _ = rand.Read(material)
	d := wallet.Derivation{MAC: kms.HMAC{Client: c, KeyID: importHMAC(t, c, material)}}

	const id = "7b0f4f3a-6a0e-4a53-9d0e-3f6f9a7d1c11"
	own := hmac.New(sha512.New, material)
	own.Write([]byte("distribution-wallet/v1/" + id))
	want := solana.PublicKey(ed25519.NewKeyFromSeed(own.Sum(nil)[:32]).Public().(ed25519.PublicKey))

	for range 2 {
		if got, err := d.Address(t.Context(), id); err != nil || got != want {
			t.Errorf("Address = %s, %v; want %s", got, err, want)
		}
	}
	generated := wallet.Derivation{MAC: kms.HMAC{
		Client: c, KeyID: createKey(t, c, types.KeySpecHmac512, types.KeyUsageTypeGenerateVerifyMac),
	}}
	if got, err := generated.Address(t.Context(), id); err != nil || got == want {
		t.Errorf("Address by another key = %s, %v; want another address", got, err)
	}
}

func TestP256(t *testing.T) {
	c := client(t)
	var ids []string
	for range 3 {
		ids = append(ids, createKey(t, c, types.KeySpecEccNistP256, types.KeyUsageTypeSignVerify))
	}
	keys, err := (kms.P256Keys{Client: c, IDs: ids}).PublicKeys(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	digest := sha256.Sum256([]byte("message"))
	for i, id := range ids {
		raw, err := kms.P256Signer{Client: c, KeyID: id}.Sign(t.Context(), digest)
		if err != nil {
			t.Fatal(err)
		}
		r, s := new(big.Int).SetBytes(raw[:32]), new(big.Int).SetBytes(raw[32:])
		for j, key := range keys {
			if ecdsa.Verify(key, digest[:], r, s) != (i == j) {
				t.Errorf("signature %d and key %d: the keys are not in the order of the ids", i, j)
			}
		}
	}
}

func TestEd25519(t *testing.T) {
	c := client(t)
	signer := &kms.Ed25519Signer{Client: c, KeyID: createKey(t, c, types.KeySpecEccNistEdwards25519, types.KeyUsageTypeSignVerify)}
	public, err := signer.PublicKey(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	message := make([]byte, 1232) // the longest Solana transaction
	_, _ = rand.Read(message)
	signature, err := signer.Sign(t.Context(), message)
	if err != nil {
		t.Fatal(err)
	}
	if !ed25519.Verify(public[:], message, signature[:]) {
		t.Error("crypto/ed25519 rejects the signature")
	}
}

func TestPublicKeysMissingKey(t *testing.T) {
	c := client(t)
	good := createKey(t, c, types.KeySpecEccNistP256, types.KeyUsageTypeSignVerify)
	if keys, err := (kms.P256Keys{Client: c, IDs: []string{good, "00000000-0000-0000-0000-000000000000"}}).PublicKeys(t.Context()); apperr.KindOf(err) != apperr.Unavailable {
		t.Errorf("PublicKeys = %v, %v; want all or an error", keys, err)
	}
	disabled := createKey(t, c, types.KeySpecHmac512, types.KeyUsageTypeGenerateVerifyMac)
	if _, err := c.DisableKey(t.Context(), &awskms.DisableKeyInput{KeyId: aws.String(disabled)}); err != nil {
		t.Fatal(err)
	}
	if _, err := (kms.HMAC{Client: c, KeyID: disabled}).Sum512(t.Context(), nil); apperr.KindOf(err) != apperr.Unavailable {
		t.Errorf("Sum512 by a disabled key: %v, want it unavailable", err)
	}
}
