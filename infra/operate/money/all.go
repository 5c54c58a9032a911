package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/distribution/unstick"
	"tokenlaunch.example/service/pkg/token"
)

// atOnce is how many tokens are resolved at the same time: each asks the node one thing at a
// time.
const atOnce = 8

// errOpen: something of some tokens is open.
var errOpen = errors.New("tokens are open, see above; money why MINT says more")

// resolveAll resolves every token that was launched. One that fails keeps none from it.
func resolveAll(ctx context.Context, tokens launchtable.Tokens, desk unstick.Desk, out io.Writer) error {
	mints, err := launched(ctx, tokens)
	if err != nil {
		return err
	}
	var open atomic.Int64
	var printing sync.Mutex
	places := make(chan struct{}, atOnce)
	var all sync.WaitGroup
	for _, mint := range mints {
		places <- struct{}{}
		all.Go(func() {
			defer func() { <-places }()
			said, done := resolveOne(ctx, tokens, desk, mint)
			if !done {
				open.Add(1)
			}
			if said != "" {
				printing.Lock()
				defer printing.Unlock()
				_, _ = fmt.Fprintln(out, said) // what cannot be printed is asked for again
			}
		})
	}
	all.Wait()
	if _, err := fmt.Fprintf(out, "%d of %d tokens are resolved\n", len(mints)-int(open.Load()), len(mints)); err != nil {
		return err
	}
	if open.Load() > 0 {
		return errOpen
	}
	return nil
}

// resolveOne says what is open of a token, or was entered; done says that nothing is open
// which does not go on by itself.
func resolveOne(ctx context.Context, tokens launchtable.Tokens, desk unstick.Desk, mint solana.PublicKey) (said string, done bool) {
	record, err := tokens.Token(ctx, mint)
	if err == nil && record.Status != token.Confirmed {
		return "", true // nothing is distributed
	}
	var c unstick.Case
	if err == nil {
		c, err = desk.Resolve(ctx, mint, record.Wallet, unstick.Order{})
	}
	if err != nil {
		return fmt.Sprintf("token %s: %v", mint, err), false
	}
	done = c.Frozen == "" && !c.Behind && !c.Uncompared && len(c.Lacks) == 0 && len(c.Unknown) == 0
	if done && c.Entered == 0 {
		return "", true
	}
	return strings.TrimSuffix(c.String(), "\n"), done
}

// launched lists the mints of the launch table.
func launched(ctx context.Context, tokens launchtable.Tokens) (mints []solana.PublicKey, err error) {
	pages := dynamodb.NewScanPaginator(tokens.Client, &dynamodb.ScanInput{
		TableName: &tokens.Table, ConsistentRead: aws.Bool(true), ProjectionExpression: aws.String(schema.PartitionKey),
		FilterExpression: aws.String("begins_with(" + schema.PartitionKey + ", :tokens) AND " + schema.SortKey + " = :record"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":tokens": &types.AttributeValueMemberS{Value: schema.Tokens}, ":record": &types.AttributeValueMemberS{Value: launchtable.TokenRecord},
		},
	})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, fmt.Errorf("list the tokens: %w", err)
		}
		for _, item := range page.Items {
			key, _ := item[schema.PartitionKey].(*types.AttributeValueMemberS)
			mint, err := solana.PublicKeyFromBase58(strings.TrimPrefix(key.Value, schema.Tokens))
			if err != nil {
				return nil, fmt.Errorf("read the key %q: %w", key.Value, err)
			}
			mints = append(mints, mint)
		}
	}
	return mints, nil
}
