package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/kms/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/testkit/localnet"
)

// The address is the key's last 32 bytes (RFC 8410), in base58.
func TestAuthorityAddressIsOfItsKey(t *testing.T) {
	keys := kms.NewFromConfig(localnet.AWS(t).Config(t.Context()))
	made, err := keys.CreateKey(t.Context(), &kms.CreateKeyInput{KeySpec: types.KeySpecEccNistEdwards25519, KeyUsage: types.KeyUsageTypeSignVerify})
	if err != nil {
		t.Fatal(err)
	}
	public, err := keys.GetPublicKey(t.Context(), &kms.GetPublicKeyInput{KeyId: made.KeyMetadata.KeyId})
	if err != nil {
		t.Fatal(err)
	}
	s := deployWith(t, "funded", map[string]string{"NonceKeyId": aws.ToString(made.KeyMetadata.KeyId)})
	var out bytes.Buffer
	s.must(printAuthority(t.Context(), s.config, &out, s.name))
	want := solana.PublicKeyFromBytes(public.PublicKey[len(public.PublicKey)-solana.PublicKeyLength:])
	if have := strings.TrimSpace(out.String()); have != want.String() {
		t.Errorf("the address is %s, want %s", have, want)
	}
	if err := printAuthority(t.Context(), s.config, &out, deploy(t, "unfunded").name); !errors.Is(err, errNoAuthority) {
		t.Errorf("of a stack without the key: %v", err)
	}
}
