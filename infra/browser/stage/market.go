package stage

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/infra/local/curves"
	"tokenlaunch.example/service/infra/local/runner"
	"tokenlaunch.example/service/infra/local/walkthrough"
	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/testkit/localnet/dex"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

// bought is the price of a buyer's tokens on the curve, 25 SOL of its target of 100.
const bought = 25 * solana.LAMPORTS_PER_SOL

// market launches a token, pays for a day in the list of featured ones, and puts half of
// it on a curve. The chain has no program for that: it is written down as if it had.
func (s *Stage) market(ctx context.Context) (any, error) {
	l, err := s.newLaunch()
	if err != nil {
		return nil, err
	}
	if err := l.Run(ctx); err != nil {
		return nil, err
	}
	if err := l.Markets(ctx); err != nil {
		return nil, err
	}
	mint, err := solana.PublicKeyFromBase58(tokenOf(l).MintAddress)
	if err != nil {
		return nil, fmt.Errorf("read the mint's address: %w", err)
	}
	if _, err := s.curves().Deploy(ctx, mint, l.Wallet.PublicKey(), bought); err != nil {
		return nil, err
	}
	return tokenOf(l), awaitFeatured(ctx, s.stack, mint)
}

// curve has the curve of a mint that was prepared last on the chain, as far as the service knows:
// with a stranger's purchase, written down as market does.
func (s *Stage) curve(ctx context.Context, mint solana.PublicKey) error {
	buyer, err := walkthrough.NewWallet()
	if err != nil {
		return err
	}
	_, err = s.curves().Deploy(ctx, mint, buyer.PublicKey(), bought)
	return err
}

func (s *Stage) curves() curves.Store {
	return curves.Store{Client: dynamodb.NewFromConfig(s.stack.AWS.Config()), Table: s.stack.Outputs["LaunchTableName"]}
}

// exchanges puts the exchanges' own programs on the chain, out of the folder that DEX_PROGRAMS_DIR
// names, and reports whether there is one. From then on curves are on the chain or not at all.
func (s *Stage) exchanges(ctx context.Context) (any, error) {
	folder, named := dex.Folder()
	if !named {
		return false, nil
	}
	if err := dex.Put(ctx, s.stack.Chain, folder); err != nil {
		return nil, err
	}
	return true, dex.PutLocker(ctx, s.stack.Chain, folder)
}

// awaitFeatured waits until a payment is final and the token is featured.
func awaitFeatured(ctx context.Context, stack *runner.Stack, mint solana.PublicKey) error {
	return await(ctx, stack, mint, "featured", func(t client.Token) bool { return t.FeaturedUntil != nil })
}

// awaitCurve waits until the service has seen the token's curve on the chain.
func awaitCurve(ctx context.Context, stack *runner.Stack, mint solana.PublicKey) error {
	return await(ctx, stack, mint, "on a curve", func(t client.Token) bool { return t.Launchpad != nil })
}

// await lets the reconciler look, as its schedule does each minute, until a token is something.
func await(ctx context.Context, stack *runner.Stack, mint solana.PublicKey, what string, is func(client.Token) bool) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Minute)
	defer cancel()
	api, err := client.New(stack.APIURL)
	if err != nil {
		return err
	}
	for {
		if err := reconcile(ctx, stack); err != nil {
			return err
		}
		record, err := api.GetToken(ctx, mint)
		if err != nil {
			return err
		}
		if is(record) {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s is not %s: %w", mint, what, ctx.Err())
		case <-time.After(2 * time.Second):
		}
	}
}

func reconcile(ctx context.Context, stack *runner.Stack) error {
	root, err := project.Find()
	if err != nil {
		return err
	}
	event, err := os.ReadFile(root.Path("events/reconciler-minute.json"))
	if err != nil {
		return fmt.Errorf("read the rule's message: %w", err)
	}
	name := stack.Outputs["ReconcilerFunctionName"]
	out, err := lambda.NewFromConfig(stack.AWS.Config()).Invoke(ctx, &lambda.InvokeInput{FunctionName: &name, Payload: event})
	if err != nil {
		return fmt.Errorf("call the reconciler: %w", err)
	}
	if out.FunctionError != nil {
		return fmt.Errorf("the reconciler fails: %s: %s", aws.ToString(out.FunctionError), out.Payload)
	}
	return nil
}
