// Package caller says who runs an operator's command, for what the command writes down.
package caller

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sts"
)

// ARN asks AWS whose credentials a configuration has.
func ARN(ctx context.Context, config aws.Config) (string, error) {
	who, err := sts.NewFromConfig(config).GetCallerIdentity(ctx, &sts.GetCallerIdentityInput{})
	if err != nil {
		return "", fmt.Errorf("ask AWS who calls: %w", err)
	}
	return aws.ToString(who.Arn), nil
}
