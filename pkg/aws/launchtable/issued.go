package launchtable

import (
	"bytes"
	"context"
	"fmt"
	"reflect"
	"time"

	"tokenlaunch.example/service/pkg/token"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

// A transaction that its caller sends is one item:
//
//	ISSUED#<id>  ISSUED  the record; while its end is looked for: duePk = MARKET, or
//	                     PROMOTION for payments, and dueAt; it expires a week later
const (
	issuedSort   = "ISSUED"
	marketDue    = "MARKET"
	promotionDue = "PROMOTION"
)

// keepIssued is how long a record stays after its transaction was made.
const keepIssued = 7 * 24 * time.Hour

func issuedKey(id string) map[string]types.AttributeValue {
	return dynamo.Key("ISSUED#"+id, issuedSort)
}

// issuedDue is the list on which transactions of a kind wait to be looked at.
func issuedDue(k transaction.Kind) string {
	if k == transaction.KindPromotion {
		return promotionDue
	}
	return marketDue
}

// issuedItem is how a record is stored. Times are Unix milliseconds.
type issuedItem struct {
	ID        string         `dynamodbav:"id"`
	Kind      string         `dynamodbav:"kind"`
	Caller    []byte         `dynamodbav:"caller"`
	Mint      []byte         `dynamodbav:"mint"`
	Subject   []byte         `dynamodbav:"subject,omitempty"`
	Message   []byte         `dynamodbav:"message"`
	Cosigned  []cosignedItem `dynamodbav:"cosigned,omitempty"`
	LastValid uint64         `dynamodbav:"lastValid"`
	CreatedAt int64          `dynamodbav:"createdAt"`
	ValidTill int64          `dynamodbav:"validUntil"`
	Fate      string         `dynamodbav:"fate"`
	DuePk     string         `dynamodbav:"duePk,omitempty"`
	DueAt     int64          `dynamodbav:"dueAt,omitempty"`
	ExpiresAt int64          `dynamodbav:"expiresAt"` // schema.ExpiresAt, in seconds
}

func newIssuedItem(i transaction.Issued) issuedItem {
	item := issuedItem{
		ID: i.ID, Kind: string(i.Kind), Caller: i.Caller[:], Mint: i.Mint[:], Message: i.Message,
		LastValid: i.LastValid, CreatedAt: i.CreatedAt.UnixMilli(), ValidTill: i.ExpiresAt.UnixMilli(),
		Fate: string(i.Fate), ExpiresAt: i.CreatedAt.Add(keepIssued).Unix(),
	}
	if !i.Subject.IsZero() {
		item.Subject = i.Subject[:]
	}
	item.Cosigned = newCosignedItems(i.Cosigned)
	if !i.DueAt.IsZero() {
		item.DuePk, item.DueAt = issuedDue(i.Kind), i.DueAt.UnixMilli()
	}
	return item
}

func (i issuedItem) issued() transaction.Issued {
	issued := transaction.Issued{
		ID: i.ID, Kind: transaction.Kind(i.Kind), Caller: dynamo.PublicKey(i.Caller), Mint: dynamo.PublicKey(i.Mint),
		Subject: dynamo.PublicKey(i.Subject), Message: i.Message, LastValid: i.LastValid,
		CreatedAt: time.UnixMilli(i.CreatedAt).UTC(), ExpiresAt: time.UnixMilli(i.ValidTill).UTC(),
		Fate: transaction.Fate(i.Fate),
	}
	issued.Cosigned = cosignatures(i.Cosigned)
	if i.DueAt != 0 {
		issued.DueAt = time.UnixMilli(i.DueAt).UTC()
	}
	return issued
}

// Issued keeps transactions that their callers send themselves in the launch table.
type Issued struct {
	Client *dynamodb.Client
	Table  string
}

// Record keeps a transaction that was made for a caller. What they get is thus
// known, whatever becomes of the answer; a record whose answer was lost is just not
// used. Recording the same one again changes nothing.
func (s Issued) Record(ctx context.Context, i transaction.Issued) error {
	item, err := dynamo.NewItem(issuedKey(i.ID), newIssuedItem(i))
	if err != nil {
		return fmt.Errorf("record the %s transaction %s: %w", i.Kind, i.ID, err)
	}
	taken, err := dynamo.PutOnce(ctx, s.Client, s.Table, item)
	if err != nil || taken == nil {
		return err
	}
	var found issuedItem
	if err := attributevalue.UnmarshalMap(taken, &found); err != nil {
		return fmt.Errorf("decode the transaction %s: %w", i.ID, err)
	}
	if !bytes.Equal(found.Message, i.Message) {
		return fmt.Errorf("record the %s transaction %s: another one has its id", i.Kind, i.ID)
	}
	return nil
}

// recordWith keeps a transaction, and before it the item with what is to follow from it,
// which bears the transaction's id. So no caller is told of a transaction from which nothing
// would follow; and an item whose transaction was not kept is one that no caller was told of,
// and expires. A transaction of both writes would cost twice as much.
func (s Issued) recordWith(ctx context.Context, i transaction.Issued, item map[string]types.AttributeValue) error {
	taken, err := dynamo.PutOnce(ctx, s.Client, s.Table, item)
	if err != nil {
		return fmt.Errorf("record what follows from the %s transaction %s: %w", i.Kind, i.ID, err)
	}
	if taken != nil && !reflect.DeepEqual(taken, item) {
		return fmt.Errorf("record what follows from the %s transaction %s: another one has its id", i.Kind, i.ID)
	}
	return s.Record(ctx, i)
}

// poolItem is how a pool is stored, in a token's record and elsewhere.
type poolItem struct {
	Kind       string `dynamodbav:"kind"`
	Address    []byte `dynamodbav:"address"`
	Mint       []byte `dynamodbav:"mint"`
	Creator    []byte `dynamodbav:"creator"`
	TokenVault []byte `dynamodbav:"tokenVault"`
	SOLVault   []byte `dynamodbav:"solVault"`
	Authority  []byte `dynamodbav:"authority"`
	LPMint     []byte `dynamodbav:"lpMint,omitempty"`
	CreatedAt  int64  `dynamodbav:"createdAt,omitempty"` // Unix milliseconds
}

func newPoolItem(p token.Pool) poolItem {
	item := poolItem{
		Kind: string(p.Kind), Address: p.Address[:], Mint: p.Mint[:], Creator: p.Creator[:],
		TokenVault: p.TokenVault[:], SOLVault: p.SOLVault[:], Authority: p.Authority[:], LPMint: bytesOf(p.LPMint),
	}
	if !p.CreatedAt.IsZero() {
		item.CreatedAt = p.CreatedAt.UnixMilli()
	}
	return item
}

func (i poolItem) pool() token.Pool {
	p := token.Pool{
		Kind: token.PoolKind(i.Kind), Address: dynamo.PublicKey(i.Address), Mint: dynamo.PublicKey(i.Mint), Creator: dynamo.PublicKey(i.Creator),
		TokenVault: dynamo.PublicKey(i.TokenVault), SOLVault: dynamo.PublicKey(i.SOLVault), Authority: dynamo.PublicKey(i.Authority), LPMint: dynamo.PublicKey(i.LPMint),
	}
	if i.CreatedAt != 0 {
		p.CreatedAt = time.UnixMilli(i.CreatedAt).UTC()
	}
	return p
}

// poolAttribute is where a token's record has its pool of a kind: there is at most
// one of each, for the programs derive a pool's address from its mints.
func poolAttribute(k token.PoolKind) string {
	if k == token.RaydiumCPMM {
		return "cpmm"
	}
	return "damm"
}

func bytesOf(k solana.PublicKey) []byte {
	if k.IsZero() {
		return nil
	}
	return k[:]
}
