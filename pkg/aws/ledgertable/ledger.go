// Package ledgertable keeps what is in the ledger table: runs, payments and burns,
// which say where money went.
package ledgertable

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
)

// The ledger table. Slots are Unix seconds, so keys sort by time.
//
//	MINT#<mint>    HEAD                                  active, lastSlot, frozen, burned; where money is undecided
//	                                                     duePk, dueAt, reservedLamports
//	MINT#<mint>    RUN#<slot, 12 digits>                 runStatus, endedAt; until then duePk, dueAt
//	MINT#<mint>    BURN#<slot, 12 digits>#<run id>       amount, signature, chainSlot, at, run
//	CLAIMS#<mint>  <wallet>                              at, duePk, dueAt, ttl: a holder asks to be paid
//	RUNID#<run id> RUNID                                 mint, slot
//	RUN#<run id>   <KIND>#<leg>#<batch, 8 digits>#<part> state
//	RUN#<run id>#<1 to 31, 2 digits>                     the same, of later batches: partitionOf
//	RUN#<run id>   <KIND>#<leg>#!                        there are some of those
//	RUN#<run id>   DONE#<kind>#<leg>#<stripe>
//
// Heads, runs and payments have all their facts as one JSON document, doc,
// and a version; the other attributes repeat what conditions and queries need. The
// JSON is that of the domain's structs: a field's name there is a stored format.
const (
	ledgerHead = "HEAD"
	runPrefix  = "RUN#"
	burnPrefix = "BURN#"
	runIDSort  = "RUNID"
	donePrefix = "DONE#"
)

const (
	documentName = "doc"
	versionName  = "version"
)

const mintPrefix = "MINT#"

func mintPartition(mint solana.PublicKey) string { return mintPrefix + mint.String() }

// rule is a condition on the stored item. It names attributes as #name, and
// DynamoDB has no reserved word then.
type rule struct {
	text   string
	values map[string]types.AttributeValue
}

var placeholder = regexp.MustCompile(`#\w+`)

// namesIn gives the names that an expression's placeholders stand for.
func namesIn(expression string) map[string]string {
	names := map[string]string{}
	for _, name := range placeholder.FindAllString(expression, -1) {
		names[name] = name[1:]
	}
	return names
}

// entry is an item of the ledger that is written as a whole.
type entry struct {
	key        map[string]types.AttributeValue
	facts      any // become the document, their version zero
	version    int64
	attributes map[string]types.AttributeValue
	// rules hold for the item that it takes the place of, if there is one.
	rules []rule
}

// part is one of the writes of a transaction.
type part interface {
	write(table string) (types.TransactWriteItem, error)
}

// ready is a write that needs nothing more.
type ready types.TransactWriteItem

func (r ready) write(string) (types.TransactWriteItem, error) { return types.TransactWriteItem(r), nil }

// write puts the entry in the place of the stored one of its version, or where
// there is none when that is zero; it counts the version up.
func (e entry) write(table string) (types.TransactWriteItem, error) {
	item, err := e.item(e.version + 1)
	if err != nil {
		return types.TransactWriteItem{}, err
	}
	put := &types.Put{TableName: &table, Item: item}
	if e.version == 0 {
		put.ConditionExpression = new("attribute_not_exists(#pk)")
	} else {
		conditions := []string{"#version = :version"}
		put.ExpressionAttributeValues = map[string]types.AttributeValue{":version": dynamo.Number(e.version)}
		for _, r := range e.rules {
			conditions = append(conditions, "("+r.text+")")
			maps.Copy(put.ExpressionAttributeValues, r.values)
		}
		put.ConditionExpression = new(strings.Join(conditions, " AND "))
	}
	put.ExpressionAttributeNames = namesIn(*put.ConditionExpression)
	return types.TransactWriteItem{Put: put}, nil
}

// item is the entry as it is stored with a version.
func (e entry) item(version int64) (map[string]types.AttributeValue, error) {
	document, err := json.Marshal(e.facts)
	if err != nil {
		return nil, fmt.Errorf("encode item: %w", err)
	}
	item := maps.Clone(e.key)
	maps.Copy(item, e.attributes)
	item[documentName], item[versionName] = dynamo.Text(string(document)), dynamo.Number(version)
	return item, nil
}

// readFacts reads the document of an item, and its version. A fact that this code
// does not know is an error, for the next write would lose it.
func readFacts(item map[string]types.AttributeValue, facts any) (version int64, err error) {
	var stored struct {
		Document string `dynamodbav:"doc"`
		Version  int64  `dynamodbav:"version"`
	}
	if err := attributevalue.UnmarshalMap(item, &stored); err != nil {
		return 0, fmt.Errorf("decode item: %w", err)
	}
	decoder := json.NewDecoder(bytes.NewReader([]byte(stored.Document)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(facts); err != nil {
		return 0, fmt.Errorf("decode the document of an item: %w", err)
	}
	return stored.Version, nil
}

// getFacts reads the item under a key as it is now; nil when there is none.
func getFacts(ctx context.Context, client *dynamodb.Client, table string, key map[string]types.AttributeValue, facts any) (map[string]types.AttributeValue, int64, error) {
	out, err := client.GetItem(ctx, &dynamodb.GetItemInput{TableName: &table, Key: key, ConsistentRead: new(true)})
	if err != nil {
		return nil, 0, dynamo.Unavailable(err)
	}
	if out.Item == nil {
		return nil, 0, nil
	}
	version, err := readFacts(out.Item, facts)
	return out.Item, version, err
}

// write makes parts of the ledger, all or none; it gives conflict when a condition
// of theirs refuses them, or another transaction came between. A single part is a
// transaction as well: the SDK gives each a token of its own, so that a call whose
// answer was lost is repeated without meeting its own effect.
func write(ctx context.Context, client *dynamodb.Client, table string, conflict error, parts ...part) error {
	writes := make([]types.TransactWriteItem, len(parts))
	for i, p := range parts {
		var err error
		if writes[i], err = p.write(table); err != nil {
			return err
		}
	}
	_, err := client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: writes})
	if canceled, ok := errors.AsType[*types.TransactionCanceledException](err); ok {
		for _, reason := range canceled.CancellationReasons {
			switch aws.ToString(reason.Code) {
			case "ConditionalCheckFailed", "TransactionConflict":
				return conflict
			}
		}
	}
	return dynamo.Unavailable(err)
}

// unlessIs says what was tried, of every error but the sentinel itself.
func unlessIs(err, sentinel error, format string, args ...any) error {
	if err == nil || errors.Is(err, sentinel) {
		return err
	}
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), err)
}

// amount is a number that needs all 64 bits.
func amount(n uint64) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatUint(n, 10)}
}
