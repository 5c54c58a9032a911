package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/infra/bench/growth"
	"tokenlaunch.example/service/infra/bench/report"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
)

// tokensListed are the lengths of the list at which the routes that read it are measured.
// The first is more than what measureRoutes launches.
var tokensListed = []int{25, 250, 2500}

// growing are the operations that are measured so.
var growing = []string{"listTokens", "getToken"}

// grown are the samples at one length of the list.
type grown struct {
	Tokens int
	Taken  samples
}

// measureGrowth lengthens the list of tokens, and takes samples of who reads it.
func (b *session) measureGrowth(ctx context.Context) (list []grown, err error) {
	for n, tokens := range tokensListed {
		if err := b.lengthen(ctx, tokens); err != nil {
			return nil, err
		}
		// The limiter's item of an address grows with its requests: each time another one.
		b.from, b.out = fmt.Sprintf("198.51.100.%d", n), samples{}
		for range pageSize {
			for _, operation := range growing {
				if err := b.call(ctx, operation, "", nil, nil); err != nil {
					return nil, err
				}
			}
		}
		list = append(list, grown{tokens, b.out})
	}
	return list, nil
}

// tokenPage is what is looked at of an answer with tokens.
type tokenPage struct {
	Tokens []struct {
		MintAddress string `json:"mintAddress"`
	} `json:"tokens"`
	Pagination struct {
		Total int `json:"total"`
	} `json:"pagination"`
}

// lengthen makes the list as long as that by copies of the session's newest token, which
// stand under mints of their own as Settle would put them there ("Tables",
// docs/architecture.md). The list is read back, which says that it is as it should be.
func (b *session) lengthen(ctx context.Context, tokens int) error {
	var before, after tokenPage
	if err := b.call(ctx, "listTokens", "", nil, &before); err != nil {
		return err
	}
	store := copier{b.db, b.tokenTable}
	record, err := store.record(ctx, b.mint)
	if err != nil {
		return err
	}
	var puts []types.WriteRequest
	for n := before.Pagination.Total; n < tokens; n++ {
		mint := solana.PublicKey{0: 9, 30: byte(n >> 8), 31: byte(n)} //nolint:gosec // its bytes
		for _, item := range copied(record, mint, n) {
			puts = append(puts, types.WriteRequest{PutRequest: &types.PutRequest{Item: item}})
		}
	}
	if err := store.put(ctx, puts); err != nil {
		return err
	}
	if err := store.advance(ctx, tokens); err != nil {
		return err
	}
	if err := b.call(ctx, "listTokens", "", nil, &after); err != nil {
		return err
	}
	if after.Pagination.Total != tokens || len(after.Tokens) != pageSize {
		return fmt.Errorf("the list was lengthened to %d tokens, and shows %d of %d", tokens, len(after.Tokens), after.Pagination.Total)
	}
	return nil
}

// copier writes tokens into the launch table.
type copier struct {
	client *dynamodb.Client
	table  string
}

type item = map[string]types.AttributeValue

func at(partition, sort string) item {
	return item{
		schema.PartitionKey: &types.AttributeValueMemberS{Value: partition}, schema.SortKey: &types.AttributeValueMemberS{Value: sort},
	}
}

// publicList is the partition of the list's head; a block has blockLength entries.
const (
	publicList  = "LIST#ALL"
	blockLength = 1000
)

func (c copier) record(ctx context.Context, mint string) (item, error) {
	out, err := c.client.GetItem(ctx, &dynamodb.GetItemInput{TableName: &c.table, Key: at(schema.Tokens+mint, "TOKEN")})
	if err != nil {
		return nil, err
	}
	if out.Item == nil {
		return nil, fmt.Errorf("no record of token %s", mint)
	}
	return out.Item, nil
}

// copied are a token's record under another mint, and its entry in the list.
func copied(record item, mint solana.PublicKey, number int) []item {
	key := &types.AttributeValueMemberB{Value: mint[:]}
	token, entry := maps.Clone(record), at(fmt.Sprintf("%s#%d", publicList, number/blockLength), fmt.Sprintf("%012d", number))
	maps.Copy(token, at(schema.Tokens+mint.String(), "TOKEN"))
	token["mint"], entry["mint"] = key, key
	return []item{token, entry}
}

func (c copier) put(ctx context.Context, puts []types.WriteRequest) error {
	const most = 25 // DynamoDB's limit for a batch
	for batch := range slices.Chunk(puts, most) {
		out, err := c.client.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{c.table: batch}})
		if err != nil {
			return err
		}
		if len(out.UnprocessedItems) > 0 {
			return errors.New("the store left items of a batch out")
		}
	}
	return nil
}

// advance says in the head of the list how long it is.
func (c copier) advance(ctx context.Context, length int) error {
	_, err := c.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &c.table, Key: at(publicList, "HEAD"), UpdateExpression: new("SET #next = :length"),
		ExpressionAttributeNames:  map[string]string{"#next": "next"},
		ExpressionAttributeValues: item{":length": &types.AttributeValueMemberN{Value: fmt.Sprint(length)}},
	})
	return err
}

// routeCharts are how the routes grow with the list.
func routeCharts(list []grown) []growth.Chart {
	cpu := growth.Chart{Name: "routes-cpu", Title: "CPU time of a request", Work: "tokens", Unit: "ms"}
	allocations := growth.Chart{Name: "routes-allocations", Title: "Allocations of a request", Work: "tokens", Unit: "allocations"}
	for _, operation := range growing {
		r, _ := find(operation)
		cpu.Lines = append(cpu.Lines, growthLine(list, r, func(s sample) float64 { return float64(s.CPU) / float64(time.Millisecond) }))
		allocations.Lines = append(allocations.Lines, growthLine(list, r, func(s sample) float64 { return float64(s.Allocs) }))
	}
	return []growth.Chart{cpu, allocations}
}

func growthLine(list []grown, r route.Route, value func(sample) float64) growth.Line {
	line := growth.Line{Name: r.Pattern()}
	for _, g := range list {
		line.Points = append(line.Points, growth.Point{
			Work: float64(g.Tokens), Value: report.Median(report.Each(g.Taken[r.Operation], value)),
		})
	}
	return line
}
