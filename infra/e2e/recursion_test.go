package e2e_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/aws/aws-sdk-go-v2/service/lambda/types"
)

// The local AWS drops loops by what the stack deploys, so a distribution here shows that its
// functions may loop. infra/synth holds the templates to the same list.
func TestDeployedFunctionsAllowLoops(t *testing.T) {
	s := deployed(t)
	for construct, physical := range s.Outputs.Functions() {
		got, err := lambdas(s).GetFunctionRecursionConfig(t.Context(), &lambda.GetFunctionRecursionConfigInput{FunctionName: &physical})
		if err != nil {
			t.Fatal(err)
		}
		want := types.RecursiveLoopTerminate
		if construct == "distributor" || construct == "payer" {
			want = types.RecursiveLoopAllow
		}
		if got.RecursiveLoop != want {
			t.Errorf("recursion config of %s = %s, want %s", construct, got.RecursiveLoop, want)
		}
	}
}
