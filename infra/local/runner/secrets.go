package runner

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"
)

// PlantedKey is in the address of the node, like a provider's key. Tests search for PlantedKey in
// places where secrets must not be.
const PlantedKey = "planted-key-of-the-node" // #nosec G101 -- no key

// secrets returns the values of the secrets by context value. Functions read the secrets as on
// other stages.
func (s *Stack) secrets() map[string]string {
	values := map[string]string{"rpcSecret": s.Chain.RPCURL + "/?api-key=" + PlantedKey}
	if s.Guardian != nil {
		values["guardianSecret"] = s.Guardian.Token
	}
	for name, value := range s.options.Secrets {
		if value != "" {
			values[name] = value
		}
	}
	return values
}

// secretName returns the name of the secret for a context value.
func secretName(contextValue string) string { return "local/" + contextValue }

// createSecrets stores the secrets in Secrets Manager, as an operator does before a deployment.
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
