package stack

import (
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awskms"
	"github.com/aws/jsii-runtime-go"
)

// keys are the KMS keys. No key ever leaves KMS.
type keys struct {
	// wallet is the HMAC-SHA-512 key from which the distribution wallets are derived. A caller of
	// GenerateMac with this key controls all wallets. See wallet.go.
	wallet key
	// tokens are the ECDSA P-256 keys of access tokens. The first key signs, and all keys verify.
	tokens []key
	// nonce is the Ed25519 key of the service's nonce authority, which signs launches last.
	nonce key
	// mint is the HMAC-SHA-512 key from which the keys of future mints are derived. It differs from
	// the wallets' key, so that functions with public routes have no access to the wallets.
	mint key
	// webhook is the HMAC-SHA-512 key from which the secrets of webhooks are derived.
	webhook key
}

type key struct{ id, arn *string }

// tokenIDs returns the IDs of the access tokens' keys in the format of JWT_KEY_IDS.
func (k keys) tokenIDs() *string {
	if len(k.tokens) == 1 {
		return k.tokens[0].id
	}
	var ids []*string
	for _, t := range k.tokens {
		ids = append(ids, t.id)
	}
	return awscdk.Fn_Join(jsii.String(","), &ids)
}

// tokenARNs returns the ARNs of the access tokens' keys, for policies.
func (k keys) tokenARNs() []*string {
	var arns []*string
	for _, t := range k.tokens {
		arns = append(arns, t.arn)
	}
	return arns
}

// keyWindowDays is the delay before KMS deletes a key, KMS's maximum.
const keyWindowDays = 30

func (s service) newKeys() keys {
	var tokens []key
	for _, name := range strings.Split(s.settings.TokenKeys, ",") {
		tokens = append(tokens, s.newKey(name, "ECC_NIST_P256", "SIGN_VERIFY", "Signs the callers' JWTs"))
	}
	return keys{
		wallet: s.walletKey(),
		tokens: tokens,
		nonce:  s.orAdopted(s.settings.Adopted.NonceKeyARN, "NonceKey", "ECC_NIST_EDWARDS25519", "SIGN_VERIFY", "Authority of the durable nonce accounts"),
		mint:   s.newKey("MintKey", "HMAC_512", "GENERATE_VERIFY_MAC", "Derives the keys of mints that are to be"),

		webhook: s.newKey("WebhookKey", "HMAC_512", "GENERATE_VERIFY_MAC", "Derives the secrets of webhooks"),
	}
}

func (s service) newKey(name, spec, usage, about string) key {
	k := awskms.NewCfnKey(s.stack, jsii.String(name), &awskms.CfnKeyProps{
		KeySpec: jsii.String(spec), KeyUsage: jsii.String(usage), Description: jsii.String(about),
		PendingWindowInDays: jsii.Number(keyWindowDays),
	})
	k.ApplyRemovalPolicy(s.keep(), nil)
	s.output(name+"Id", k.Ref())
	return key{id: k.Ref(), arn: k.AttrArn()}
}
