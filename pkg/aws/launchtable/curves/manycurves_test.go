package curves_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/big"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/launchtable/curves"
	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/market/launchpad"
	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/token"
)

// pooled is a node on which each curve's pool and position are as they were made.
type pooled struct {
	launchpad.Chain
	accounts map[solana.PublicKey]*onchain.Account
}

func (p pooled) Accounts(_ context.Context, addresses ...solana.PublicKey) ([]*onchain.Account, error) {
	list := make([]*onchain.Account, len(addresses))
	for i, a := range addresses {
		list[i] = p.accounts[a]
	}
	return list, nil
}

// add puts a curve's pool there (cp-amm, state/pool.rs).
func (p pooled) add(c market.Curve) {
	data := make([]byte, meteora.PoolSize)
	copy(data, []byte{241, 154, 109, 4, 17, 177, 109, 188}) // account:Pool
	little := func(at int, n *big.Int) { n.FillBytes(data[at : at+16]); slices.Reverse(data[at : at+16]) }
	little(152, c.StartSqrtPrice)
	little(360, c.Liquidity)
	little(456, c.StartSqrtPrice)
	binary.LittleEndian.PutUint64(data[680:], c.Tokens)
	p.accounts[c.Address] = &onchain.Account{Owner: meteora.Program, Data: data}
}

// BenchmarkCurves measures a page of 20 curves and the status of a curve among few curves and among
// many: in the service and the store, with a node that responds immediately.
func BenchmarkCurves(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		stack := localnet.AWS(b)
		client, table := dynamo.New(stack.Config(b.Context())), stack.CreateTable(b, schema.Launch)
		node := pooled{accounts: map[solana.PublicKey]*onchain.Account{
			meteora.Program: {}, solana.SysVarClockPubkey: {Owner: solana.SystemProgramID, Data: make([]byte, 40)},
		}}
		mints := fillCurves(b, client, table, node, n)
		service := launchpad.Service{Store: curves.Store{Client: client, Table: table}, Chain: node, Now: func() time.Time { return prepared.Add(time.Hour) }}
		b.Run(fmt.Sprintf("list/%d", n), func(b *testing.B) {
			after := ""
			for b.Loop() {
				page, next, err := service.List(b.Context(), after, 20)
				if err != nil || len(page) != 20 {
					b.Fatal(len(page), err)
				}
				after = next
			}
		})
		b.Run(fmt.Sprintf("status/%d", n), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				if _, err := service.Status(b.Context(), mints[i*7919%n]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// fillCurves puts curves that are on the chain into the table.
func fillCurves(b *testing.B, client *dynamodb.Client, table string, node pooled, n int) (mints []solana.PublicKey) {
	b.Helper()
	var writes []types.WriteRequest
	for i := range n {
		mint := key()
		_, c := candidate(mint, prepared)
		at, err := meteora.Addresses(mint, solana.WrappedSol, c.NFTMint)
		if err != nil {
			b.Fatal(err)
		}
		large := func(n int64) *big.Int { return new(big.Int).Lsh(big.NewInt(n), 60) }
		c.StartSqrtPrice, c.TargetSqrtPrice, c.Liquidity, c.Tokens = large(3), large(12), large(1<<20), 1<<60
		c.Address, c.Position, c.State, c.CreatedAt = at.Pool, at.Position, token.CurveActive, prepared.Add(time.Duration(i)*time.Millisecond)
		items, err := curves.CurveItems(c)
		if err != nil {
			b.Fatal(err)
		}
		for _, item := range items {
			writes = append(writes, types.WriteRequest{PutRequest: &types.PutRequest{Item: item}})
		}
		node.add(c)
		node.accounts[mint] = &onchain.Account{Owner: solana.Token2022ProgramID}
		mints = append(mints, mint)
	}
	batches := make(chan []types.WriteRequest)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for batch := range batches {
				if _, err := client.BatchWriteItem(b.Context(), &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{table: batch}}); err != nil {
					b.Error(err)
				}
			}
		})
	}
	for batch := range slices.Chunk(writes, 25) {
		batches <- batch
	}
	close(batches)
	all.Wait()
	return mints
}
