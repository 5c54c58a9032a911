package lambdafn_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/aws/aws-sdk-go-v2/service/lambda/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/api/endpoint/deriver"
	"tokenlaunch.example/service/pkg/aws/lambdafn"
	"tokenlaunch.example/service/pkg/platform/apperr"
)

const id = "7b0f4f3a-6a0e-4a53-9d0e-3f6f9a7d1c11"

// runtime invokes a handler as Lambda does: it hands over JSON, and an error of
// the handler is a response with that error.
type runtime struct {
	handler func(context.Context, deriver.Request) (deriver.Answer, error)
	asked   *lambda.InvokeInput
}

func (r *runtime) Invoke(ctx context.Context, in *lambda.InvokeInput, _ ...func(*lambda.Options)) (*lambda.InvokeOutput, error) {
	r.asked = in
	var request deriver.Request
	if err := json.Unmarshal(in.Payload, &request); err != nil {
		return nil, err
	}
	answer, err := r.handler(ctx, request)
	if err != nil {
		payload, _ := json.Marshal(map[string]string{"errorMessage": err.Error()})
		return &lambda.InvokeOutput{StatusCode: 200, FunctionError: aws.String("Unhandled"), Payload: payload}, nil
	}
	payload, err := json.Marshal(answer)
	return &lambda.InvokeOutput{StatusCode: 200, Payload: payload}, err
}

// derivation returns one address for every wallet, or an error.
type derivation struct {
	address solana.PublicKey
	err     error
}

func (d derivation) Address(context.Context, string) (solana.PublicKey, error) {
	return d.address, d.err
}

func TestBothEndsUnderstandEachOther(t *testing.T) {
	want := solana.NewWallet().PublicKey()
	r := &runtime{handler: deriver.Handler(derivation{address: want})}
	got, err := lambdafn.Deriver{Client: r, FunctionName: "deriver-1"}.Address(t.Context(), id)
	if err != nil || got != want {
		t.Errorf("Address = %s, %v; want %s", got, err, want)
	}
	if aws.ToString(r.asked.FunctionName) != "deriver-1" || string(r.asked.Payload) != `{"walletId":"`+id+`"}` {
		t.Errorf("asked %s with %s", aws.ToString(r.asked.FunctionName), r.asked.Payload)
	}
	if r.asked.InvocationType != "" && r.asked.InvocationType != types.InvocationTypeRequestResponse {
		t.Errorf("invocation type %s does not wait for the answer", r.asked.InvocationType)
	}
}

func TestDeriverFailureIsUnavailable(t *testing.T) {
	r := &runtime{handler: deriver.Handler(derivation{err: errors.New("no key")})}
	_, err := lambdafn.Deriver{Client: r}.Address(t.Context(), id)
	if apperr.KindOf(err) != apperr.Unavailable || !strings.Contains(err.Error(), "no key") {
		t.Errorf("Address = %v, want it unavailable, with the cause for the log", err)
	}
}

// fixed answers every invocation alike.
type fixed struct {
	payload string
	err     error
}

func (f fixed) Invoke(context.Context, *lambda.InvokeInput, ...func(*lambda.Options)) (*lambda.InvokeOutput, error) {
	return &lambda.InvokeOutput{StatusCode: 200, Payload: []byte(f.payload)}, f.err
}

func TestWrongAnswersAreRefused(t *testing.T) {
	good := solana.NewWallet().PublicKey().String()
	for name, f := range map[string]fixed{
		"no response":         {err: errors.New("down")},
		"nothing":             {},
		"null":                {payload: "null"},
		"not JSON":            {payload: "x"},
		"of another wallet":   {payload: `{"walletId":"00000000-0000-4000-8000-000000000000","address":"` + good + `"}`},
		"no address":          {payload: `{"walletId":"` + id + `"}`},
		"not an address":      {payload: `{"walletId":"` + id + `","address":"x"}`},
		"a zero address":      {payload: `{"walletId":"` + id + `","address":"11111111111111111111111111111111"}`},
		"a program's address": {payload: `{"walletId":"` + id + `","address":"` + offCurve(t) + `"}`},
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := (lambdafn.Deriver{Client: f}).Address(t.Context(), id); apperr.KindOf(err) != apperr.Unavailable {
				t.Errorf("Address = %s, %v; want it unavailable", got, err)
			}
		})
	}
}

func offCurve(t *testing.T) string {
	t.Helper()
	address, _, err := solana.FindProgramAddress([][]byte{[]byte("x")}, solana.SystemProgramID)
	if err != nil {
		t.Fatal(err)
	}
	return address.String()
}
