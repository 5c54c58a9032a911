package launchpad_test

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/binary"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/launchtable/curves"
	"tokenlaunch.example/service/pkg/aws/launchtable/issued"
	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/market/launchpad"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/localnet/surfpool"
)

const (
	sol = 1_000_000_000
	// supply of a test token, of six decimals.
	supply = 1_000_000_000_000_000
	taxBps = 500
)

// fixture is the service over a chain and a table of its own.
type fixture struct {
	*localnet.Ledger

	node    *solanarpc.Client
	db      *dynamodb.Client
	table   string
	store   curves.Store
	service launchpad.Service
	now     time.Time
}

func newFixture(t testing.TB, ledger *localnet.Ledger) *fixture {
	t.Helper()
	stack := localnet.AWS(t)
	node, err := solanarpc.New(ledger.RPCURL)
	if err != nil {
		t.Fatal(err)
	}
	w := &fixture{
		Ledger: ledger, node: node, db: dynamo.New(stack.Config(context.Background())), table: stack.CreateTable(t, schema.Launch),
		now: time.Now().UTC().Truncate(time.Millisecond),
	}
	w.store = curves.Store{Client: w.db, Table: w.table}
	clock := func() time.Time { return w.now }
	w.service = launchpad.Service{
		Store: w.store, Issued: issued.Store{Client: w.db, Table: w.table}, Chain: node,
		Preparer: transaction.Preparer{Chain: node, Price: computebudget.Bounds{Floor: 10_000, Cap: 1_000_000}, Now: clock, NewID: uuid.NewString},
		Random:   rand.Reader, Now: clock,
	}
	return w
}

// wallet is a new key with ten thousand SOL.
func (w *fixture) wallet(t testing.TB) solana.PrivateKey {
	t.Helper()
	key := solana.NewWallet().PrivateKey
	w.Fund(t, key.PublicKey().String(), 10_000*sol)
	return key
}

// mint creates a token with a tax, all of it the owner's.
func (w *fixture) mint(t testing.TB, owner solana.PrivateKey, bps uint16) solana.PublicKey {
	t.Helper()
	key, wallet := solana.NewWallet().PrivateKey, owner.PublicKey()
	mint := key.PublicKey()
	open, account, err := token2022.CreateAssociatedIdempotent{Payer: wallet, Wallet: wallet, Mint: mint}.Instruction()
	must.Do(t, err)
	space, list := uint64(82), []solana.Instruction{}
	if bps > 0 {
		space = 166 + 4 + 108
		list = append(list, token2022.InitializeTransferFeeConfig{
			Mint: mint, WithdrawWithheldAuthority: wallet, BasisPoints: bps, MaximumFee: 1<<64 - 1,
		}.Instruction())
	}
	list = append([]solana.Instruction{systemprogram.CreateAccount{
		Payer: wallet, Account: mint, Lamports: 10_000_000, Space: space, Owner: solana.Token2022ProgramID,
	}.Instruction()}, append(list,
		token2022.InitializeMint2{Mint: mint, Decimals: 6, MintAuthority: wallet}.Instruction(), open,
		token2022.MintTo{Mint: mint, Account: account, Authority: wallet, Amount: supply}.Instruction())...)
	w.execute(t, list, owner, key)
	return mint
}

// execute lands instructions; the first signer pays.
func (w *fixture) execute(t testing.TB, list []solana.Instruction, signers ...solana.PrivateKey) {
	t.Helper()
	recent, err := w.node.LatestBlockhash(t.Context())
	must.Do(t, err)
	message, err := wire.Compile(signers[0].PublicKey(), recent, list)
	must.Do(t, err)
	w.land(t, wire.NewTransaction(message).Bytes(), signers...)
}

// try executes instructions that may fail.
func (w *fixture) try(t testing.TB, list []solana.Instruction, signer solana.PrivateKey) error {
	t.Helper()
	recent, err := w.node.LatestBlockhash(t.Context())
	must.Do(t, err)
	message, err := wire.Compile(signer.PublicKey(), recent, list)
	must.Do(t, err)
	tx := wire.NewTransaction(message)
	must.Do(t, tx.Sign(ed25519.PrivateKey(signer)))
	return w.node.Execute(t.Context(), tx.Bytes())
}

// clock is the chain's (sysvar Clock: unix_timestamp at 32).
func (w *fixture) clock(t testing.TB) time.Time {
	t.Helper()
	stored, _, err := w.node.Account(t.Context(), solana.SysVarClockPubkey)
	must.Do(t, err)
	return time.Unix(int64(binary.LittleEndian.Uint64(stored.Data[32:])), 0)
}

// land signs a transaction and lands it.
func (w *fixture) land(t testing.TB, unsigned []byte, signers ...solana.PrivateKey) {
	t.Helper()
	tx, err := wire.ParseTransaction(unsigned)
	must.Do(t, err)
	for _, s := range signers {
		must.Do(t, tx.Sign(ed25519.PrivateKey(s)))
	}
	must.Do(t, w.node.Execute(t.Context(), tx.Bytes()))
}

func (w *fixture) lamports(t testing.TB, address solana.PublicKey) uint64 {
	t.Helper()
	n, err := w.node.Balance(t.Context(), address)
	must.Do(t, err)
	return n
}

// tokens returns the balance of a wallet's associated account; zero without the account.
func (w *fixture) tokens(t testing.TB, owner, mint solana.PublicKey) uint64 {
	t.Helper()
	address, err := token2022.AssociatedAddress(owner, mint, solana.Token2022ProgramID)
	must.Do(t, err)
	stored, found, err := w.node.Account(t.Context(), address)
	must.Do(t, err)
	if !found {
		return 0
	}
	account, err := token2022.DecodeAccount(stored.Owner, stored.Data)
	must.Do(t, err)
	return account.Amount
}

// pool is the state of a mint's pool.
func (w *fixture) pool(t testing.TB, mint solana.PublicKey) meteora.Pool {
	t.Helper()
	address, err := meteora.PoolAddress(mint, solana.WrappedSol)
	must.Do(t, err)
	stored, _, err := w.node.Account(t.Context(), address)
	must.Do(t, err)
	p, err := meteora.DecodePool(stored.Owner, stored.Data)
	must.Do(t, err)
	return p
}

// record sets the state of a curve's record, as the index does.
func (w *fixture) record(t testing.TB, mint solana.PublicKey, s token.CurveState, index market.Index) {
	t.Helper()
	values := map[string]types.AttributeValue{":state": &types.AttributeValueMemberS{Value: string(s)}}
	set := "SET #state = :state"
	for name, n := range map[string]uint64{
		"bought": index.Bought, "sold": index.Sold, "paid": index.Paid, "received": index.Received, "trades": index.Trades, "buyers": index.Buyers,
	} {
		if n > 0 {
			set += ", " + name + " = :" + name
			values[":"+name] = &types.AttributeValueMemberN{Value: market.Decimal(int64(n), 0)}
		}
	}
	_, err := w.db.UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
		TableName: &w.table, UpdateExpression: &set, ExpressionAttributeValues: values,
		ExpressionAttributeNames: map[string]string{"#state": "state"},
		Key: map[string]types.AttributeValue{
			schema.PartitionKey: &types.AttributeValueMemberS{Value: "CURVE#" + mint.String()},
			schema.SortKey:      &types.AttributeValueMemberS{Value: "CURVE"},
		},
	})
	must.Do(t, err)
}

// deploy records that a created curve is on the chain.
func (w *fixture) deploy(t testing.TB, c launchpad.Created, at time.Time) {
	t.Helper()
	c.Curve.CreatedAt = at
	must.Do(t, w.store.Deploy(t.Context(), c.Curve, c.ID))
}

// plant writes an account to the chain.
func (w *fixture) plant(t testing.TB, address, owner solana.PublicKey, data []byte) {
	t.Helper()
	w.SetAccount(t, address.String(), surfpool.Account{Lamports: 20_000_000, Owner: owner.String(), Data: data})
}

// refused checks that a call failed with a code.
func refused(t testing.TB, what string, err error, kind apperr.Kind, code string) {
	t.Helper()
	if apperr.KindOf(err) != kind || apperr.CodeOf(err) != code {
		t.Errorf("%v: %v, want %v %v", what, err, kind, code)
	}
}

// draft asks for a curve of 800 million tokens that raises 100 SOL.
func draft(mint solana.PublicKey) launchpad.Draft {
	return launchpad.Draft{
		Mint: mint, Tokens: 800_000_000_000_000, TargetLamports: 100 * sol,
		Multiplier: launchpad.DefaultMultiplier, Locked: true, FeeBps: launchpad.DefaultFeeBps,
	}
}
