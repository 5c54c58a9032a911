// Command verifywallets shows that a wallet key is the key from which the wallets of the launched
// tokens derive, for example the replica in another Region, or a restored key.
//
//	LAUNCH_TABLE=… go run -C infra ./operate/verifywallets -function NAME [-region REGION] [-tokens N | MINT…]
//	LAUNCH_TABLE=… go run -C infra ./operate/verifywallets -key ARN[,ARN…] [-region REGION] [-tokens N | MINT…]
//
// The command derives the wallets' addresses, compares the derived with the recorded addresses,
// prints the number of equal addresses, and ends with 1 if any address differs. With -function a
// deriver derives the addresses, and returns only addresses. With -key this command derives the
// addresses, for a caller who may use the key. No caller may use the key of a deployed stack, or
// its replica. The command never prints a wallet's key. The table is read in the Region of the
// caller's own configuration.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	awskms "github.com/aws/aws-sdk-go-v2/service/kms"
	awslambda "github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/infra/operate/internal/program"
	"tokenlaunch.example/service/pkg/aws/awsconfig/profile"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/kms"
	"tokenlaunch.example/service/pkg/aws/lambdafn"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/wallet"
)

// maxTokens is the size of a page of the list of tokens, and the maximum number of tokens in a
// call without mints.
const maxTokens = 100

func main() { program.Main("verifywallets", run) }

// options is the parsed command line.
type options struct {
	function, key, region string
	tokens                int64
	mints                 []solana.PublicKey
}

func readOptions(arguments []string) (o options, err error) {
	flags := flag.NewFlagSet("verifywallets", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&o.function, "function", "", "name of the deriver that derives")
	flags.StringVar(&o.key, "key", "", "ids or ARNs of the roots' keys with which this command derives, oldest first")
	flags.StringVar(&o.region, "region", "", "Region of the function or key")
	flags.Int64Var(&o.tokens, "tokens", 20, "how many of the newest tokens to look at")
	if err := flags.Parse(arguments); err != nil {
		return o, err
	}
	if (o.function == "") == (o.key == "") {
		return o, errors.New("give one of -function, the name of a deriver, and -key, the id or ARN of a key")
	}
	if o.tokens < 1 || o.tokens > maxTokens {
		return o, fmt.Errorf("-tokens is %d: it must be from 1 to %d", o.tokens, maxTokens)
	}
	for _, text := range flags.Args() {
		mint, err := solana.PublicKeyFromBase58(text)
		if err != nil {
			return o, fmt.Errorf("%q is not the address of a mint", text)
		}
		o.mints = append(o.mints, mint)
	}
	return o, nil
}

func run(ctx context.Context, arguments []string, out io.Writer) error {
	o, err := readOptions(arguments)
	if err != nil {
		return err
	}
	table := os.Getenv("LAUNCH_TABLE")
	if table == "" {
		return errors.New("LAUNCH_TABLE is not set: it must be the name of the launch table")
	}
	config, err := profile.Config(ctx)
	if err != nil {
		return err
	}
	records, err := tokens(ctx, launchtable.Tokens{Client: dynamo.New(config), Table: table}, o)
	if err != nil {
		return err
	}
	return compare(ctx, out, deriver(config, o), records)
}

// deriver returns the deriver that the options select.
func deriver(config aws.Config, o options) wallet.Deriver {
	config = config.Copy()
	if o.region != "" {
		config.Region = o.region
	}
	if o.function != "" {
		return lambdafn.Deriver{Client: awslambda.NewFromConfig(config), FunctionName: o.function}
	}
	client, roots := awskms.NewFromConfig(config), strings.Split(o.key, ",")
	return wallet.FromKeys(func(keyID string) wallet.MAC { return kms.HMAC{Client: client, KeyID: keyID} }, roots[0], roots[1:]...)
}

// tokens returns the tokens with the given mints, or the newest tokens if there are no mints.
func tokens(ctx context.Context, store launchtable.Tokens, o options) ([]token.Record, error) {
	if len(o.mints) == 0 {
		records, _, err := store.List(ctx, 1, o.tokens)
		return records, err
	}
	var records []token.Record
	for _, mint := range o.mints {
		record, err := store.Token(ctx, mint)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", mint, err)
		}
		records = append(records, record)
	}
	return records, nil
}

// compare derives the wallet of each token again. An empty list is a failure, too, because such a
// call proves nothing.
func compare(ctx context.Context, out io.Writer, deriver wallet.Deriver, records []token.Record) error {
	differ := 0
	for _, record := range records {
		address, err := deriver.Address(ctx, wallet.Path(record.Wallet.ID, record.Wallet.Root))
		if err != nil {
			return fmt.Errorf("token %s: %w", record.Mint, err)
		}
		if address != record.Wallet.Address {
			differ++
			_, _ = fmt.Fprintf(out, "%s: wallet %s is recorded with the address %s, and this key derives %s\n",
				record.Mint, record.Wallet.ID, record.Wallet.Address, address)
		}
	}
	_, _ = fmt.Fprintf(out, "%d of %d wallets have the address that is recorded\n", len(records)-differ, len(records))
	switch {
	case len(records) == 0:
		return errors.New("there is no token to look at: this shows nothing")
	case differ > 0:
		return fmt.Errorf("%d wallets derive to another address: this is not their key", differ)
	}
	return nil
}
