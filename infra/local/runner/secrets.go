package runner

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"
)

// PlantedKey stands in the address of the node as a provider's key does. Tests look for
// it where no secret may be.
const PlantedKey = "planted-key-of-the-node" // #nosec G101 -- no key

// secrets are the values of the secrets by context value. Functions read the secrets as on other
// stages.
func (s *Stack) secrets() map[string]string {
	values := map[string]string{"rpcSecret": s.Chain.RPCURL + "/?api-key=" + PlantedKey}
	for name, value := range s.options.Secrets {
		if value != "" {
			values[name] = value
		}
	}
	return values
}

// secretName is the name of the secret that a context value names.
func secretName(contextValue string) string { return "local/" + contextValue }

// createSecrets puts the secrets into Secrets Manager, where an operator would have
// put them before the deployment.
func (s *Stack) createSecrets(ctx context.Context) error {
	client := secretsmanager.NewFromConfig(s.AWS.Config())
	for name, value := range s.secrets() {
		_, err := client.CreateSecret(ctx, &secretsmanager.CreateSecretInput{
			Name: aws.String(secretName(name)), SecretString: aws.String(value),
		})
		if err != nil {
			return fmt.Errorf("create the secret %s: %w", secretName(name), err)
		}
	}
	return nil
}
