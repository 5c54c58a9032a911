package runner

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/aws/aws-sdk-go-v2/service/lambda/types"

	"tokenlaunch.example/service/pkg/launch"
)

// LaunchOn sets the lifetime of launches from now on, a durable nonce or a blockhash, like the
// stack's setting launchLifetime.
func (s *Stack) LaunchOn(ctx context.Context, lifetime launch.Lifetime) error {
	client, function := lambda.NewFromConfig(s.AWS.Config()), s.Outputs["TokensFunctionName"]
	is, err := client.GetFunctionConfiguration(ctx, &lambda.GetFunctionConfigurationInput{FunctionName: &function})
	if err != nil {
		return fmt.Errorf("read the settings of %s: %w", function, err)
	}
	variables := is.Environment.Variables
	variables["LAUNCH_LIFETIME"] = string(lifetime)
	_, err = client.UpdateFunctionConfiguration(ctx, &lambda.UpdateFunctionConfigurationInput{
		FunctionName: &function, Environment: &types.Environment{Variables: variables},
	})
	if err != nil {
		return fmt.Errorf("change the settings of %s: %w", function, err)
	}
	return nil
}
