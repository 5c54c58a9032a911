package runner

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"
)

// Names of the local stack's secrets. Its functions read them as those of any other
// stage read theirs.
const (
	rpcSecret      = "local/solana-rpc" // #nosec G101 -- a name
	pinataSecret   = "local/pinata"     // #nosec G101 -- a name
	telegramSecret = "local/telegram"   // #nosec G101 -- a name
)

// PlantedKey stands in the address of the node as a provider's key does. Tests look for
// it where no secret may be.
const PlantedKey = "planted-key-of-the-node" // #nosec G101 -- no key

// secrets are the values of those that there are, by their context values' names.
func (s *Stack) secrets() map[string]struct{ name, value string } {
	values := map[string]struct{ name, value string }{"rpcSecret": {rpcSecret, s.Chain.RPCURL + "/?api-key=" + PlantedKey}}
	if s.options.IPFS.PinataJWT != "" {
		values["pinataSecret"] = struct{ name, value string }{pinataSecret, s.options.IPFS.PinataJWT}
	}
	if s.options.TelegramToken != "" {
		values["telegramSecret"] = struct{ name, value string }{telegramSecret, s.options.TelegramToken}
	}
	return values
}

// createSecrets puts the secrets into Secrets Manager, where an operator would have
// put them before the deployment.
func (s *Stack) createSecrets(ctx context.Context) error {
	client := secretsmanager.NewFromConfig(s.AWS.Config())
	for _, secret := range s.secrets() {
		_, err := client.CreateSecret(ctx, &secretsmanager.CreateSecretInput{
			Name: aws.String(secret.name), SecretString: aws.String(secret.value),
		})
		if err != nil {
			return fmt.Errorf("create the secret %s: %w", secret.name, err)
		}
	}
	return nil
}
