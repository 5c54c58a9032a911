// Package lambdafn invokes the service's internal functions and waits for the responses.
package lambdafn

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
)

// API is the part of the Lambda client that this package calls.
type API interface {
	Invoke(ctx context.Context, in *lambda.InvokeInput, opts ...func(*lambda.Options)) (*lambda.InvokeOutput, error)
}

var _ API = (*lambda.Client)(nil)

// Deriver requests addresses from the deriver function. It implements wallet.Deriver. Every error
// is an upstream error.
type Deriver struct {
	Client       API
	FunctionName string
}

type deriveRequest struct {
	WalletID string `json:"walletId"`
}

type deriveAnswer struct {
	WalletID string `json:"walletId"`
	Address  string `json:"address"`
}

// Address returns the address of the wallet with the given ID, which must be a UUID in lower case.
func (d Deriver) Address(ctx context.Context, walletID string) (solana.PublicKey, error) {
	address, err := d.derive(ctx, walletID)
	if err != nil {
		return solana.PublicKey{}, apperr.Upstream("The wallet service", fmt.Errorf("derive address of %s: %w", walletID, err))
	}
	return address, nil
}

func (d Deriver) derive(ctx context.Context, walletID string) (address solana.PublicKey, err error) {
	payload, err := json.Marshal(deriveRequest{WalletID: walletID})
	if err != nil {
		return address, fmt.Errorf("encode request: %w", err)
	}
	out, err := d.Client.Invoke(ctx, &lambda.InvokeInput{FunctionName: aws.String(d.FunctionName), Payload: payload})
	if err != nil {
		return address, fmt.Errorf("invoke %s: %w", d.FunctionName, err)
	}
	if out.FunctionError != nil {
		return address, fmt.Errorf("function %s failed (%s): %.500s", d.FunctionName, *out.FunctionError, out.Payload)
	}
	var answer deriveAnswer
	if err := json.Unmarshal(out.Payload, &answer); err != nil {
		return address, fmt.Errorf("decode answer: %w", err)
	}
	if answer.WalletID != walletID {
		return address, fmt.Errorf("answer is for wallet %.50q", answer.WalletID)
	}
	address, err = solana.PublicKeyFromBase58(answer.Address)
	if err != nil {
		return address, fmt.Errorf("decode address: %w", err)
	}
	if address.IsZero() || !address.IsOnCurve() {
		return address, fmt.Errorf("%s is not the address of a key", address)
	}
	return address, nil
}
