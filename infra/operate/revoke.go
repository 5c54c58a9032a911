package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/middleware"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/infra/operate/internal/caller"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/windowtable"
	"tokenlaunch.example/service/pkg/platform/auth/jwt"
)

// revoking signs wallets out: the authorizer rejects every access token that was issued until now.
type revoking struct {
	config aws.Config
	out    io.Writer
}

func newRevoking(config aws.Config, out io.Writer) revoking { return revoking{config, out} }

func (r revoking) revoke(ctx context.Context, stack string, wallets []string) error {
	for _, wallet := range wallets {
		if _, err := solana.PublicKeyFromBase58(wallet); err != nil {
			return fmt.Errorf("%q is not the address of a wallet: nothing was revoked", wallet)
		}
	}
	described, err := cloudformation.NewFromConfig(r.config).DescribeStacks(ctx, &cloudformation.DescribeStacksInput{StackName: &stack})
	if err != nil {
		return fmt.Errorf("read stack %s: %w", stack, err)
	}
	// Use AWS's time, because AWS issues the access tokens and this machine's clock may be wrong.
	now, told := middleware.GetServerTime(described.ResultMetadata)
	if !told {
		now = time.Now()
	}
	by, err := caller.ARN(ctx, r.config)
	if err != nil {
		return err
	}
	store := windowtable.Revocations{Client: dynamo.New(r.config), Table: outputsOf(described.Stacks[0])["WindowTableName"]}
	for _, wallet := range wallets {
		if err := store.Revoke(ctx, wallet, now, by); err != nil {
			return err
		}
		if _, err := fmt.Fprintf(r.out, "%s: tokens issued until %s are refused, everywhere within %s\n",
			wallet, now.UTC().Format(time.RFC3339), jwt.RevokedWithin); err != nil {
			return err //nolint:wrapcheck // of the terminal
		}
	}
	return nil
}

// outputsOf returns the values of a stack's outputs by name.
func outputsOf(stack types.Stack) map[string]string {
	outputs := map[string]string{}
	for _, output := range stack.Outputs {
		outputs[aws.ToString(output.OutputKey)] = aws.ToString(output.OutputValue)
	}
	return outputs
}
