package e2e_test

import (
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"
)

// TestFunctionsHaveNamesOfSecretsOnly tests that a user who may describe the deployed functions
// sees the name of the secret, and not the node's address.
func TestFunctionsHaveNamesOfSecretsOnly(t *testing.T) {
	s := deployed(t)
	functions, store := lambda.NewFromConfig(s.AWS.Config()), secretsmanager.NewFromConfig(s.AWS.Config())
	names := map[string]bool{}
	for output, name := range s.Outputs {
		if !strings.HasSuffix(output, "FunctionName") {
			continue
		}
		f, err := functions.GetFunctionConfiguration(t.Context(), &lambda.GetFunctionConfigurationInput{FunctionName: &name})
		if err != nil {
			t.Fatal(err)
		}
		if f.Environment == nil {
			continue
		}
		for variable, value := range f.Environment.Variables {
			// The page's node has no key, by a check of the stack and of the function.
			if strings.Contains(value, s.Chain.RPCURL) && variable != "PAGE_RPC_URL" {
				t.Errorf("%s has the node's address in %s", output, variable)
			}
			if variable == "RPC_SECRET" {
				names[value] = true
			}
		}
	}
	if len(names) != 1 {
		t.Fatalf("the secrets of the node are %v, want one", names)
	}
	for name := range names {
		secret, err := store.GetSecretValue(t.Context(), &secretsmanager.GetSecretValueInput{SecretId: &name})
		if err != nil || !strings.HasPrefix(*secret.SecretString, s.Chain.RPCURL+"/?api-key=") {
			t.Errorf("GetSecretValue(%s) = %v, want the node's address with its key", name, err)
		}
	}
}
