package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	awskms "github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/kms"
)

var errNoAuthority = errors.New("it has no output NonceKeyId: is that the name of the service's stack?")

// printAuthority prints the address of the nonce authority, to which an operator sends SOL.
func printAuthority(ctx context.Context, config aws.Config, out io.Writer, stack string) error {
	described, err := cloudformation.NewFromConfig(config).DescribeStacks(ctx, &cloudformation.DescribeStacksInput{StackName: &stack})
	if err != nil {
		return fmt.Errorf("read the outputs of stack %s: %w", stack, err)
	}
	key, found := outputsOf(described.Stacks[0])["NonceKeyId"]
	if !found {
		return fmt.Errorf("stack %s: %w", stack, errNoAuthority)
	}
	signer := kms.Ed25519Signer{Client: awskms.NewFromConfig(config), KeyID: key}
	address, err := signer.PublicKey(ctx)
	if err != nil {
		return fmt.Errorf("read the nonce authority of stack %s: %w", stack, err)
	}
	_, err = fmt.Fprintln(out, solana.PublicKey(address))
	return err //nolint:wrapcheck // of the terminal
}
