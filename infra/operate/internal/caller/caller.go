// Package caller identifies the caller of an operator's command, for the records of the command.
package caller

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sts"
)

// ARN returns the AWS identity of a configuration's credentials.
func ARN(ctx context.Context, config aws.Config) (string, error) {
	who, err := sts.NewFromConfig(config).GetCallerIdentity(ctx, &sts.GetCallerIdentityInput{})
	if err != nil {
		return "", fmt.Errorf("ask AWS who calls: %w", err)
	}
	return aws.ToString(who.Arn), nil
}
