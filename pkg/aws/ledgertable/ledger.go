// Package ledgertable implements the stores of the ledger table: runs, payments and burns, which
// record all transfers of money.
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
//	MINT#<mint>    HEAD                                  active, lastSlot, frozen, burned; while money is undecided
//	                                                     duePk, dueAt, reservedLamports
//	MINT#<mint>    RUN#<slot, 12 digits>                 runStatus, endedAt; until then duePk, dueAt
//	MINT#<mint>    BURN#<slot, 12 digits>#<run id>       amount, signature, chainSlot, at, run
//	CLAIMS#<mint>  <wallet>                              at, duePk, dueAt, expiresAt: a holder's claim order
//	CLAIMS#<mint>  HANDOVER                              the newest hand-over; while outstanding duePk, dueAt
//	RUNID#<run id> RUNID                                 mint, slot
//	RUN#<run id>   <KIND>#<leg>#<batch, 8 digits>#<part> state
//	RUN#<run id>#<1 to 31, 2 digits>                     the same, for later batches: partitionOf
//	RUN#<run id>   <KIND>#<leg>#!                        marks a leg with payments in other partitions
//	RUN#<run id>   DONE#<kind>#<leg>#<chunk>
//
// A head, run or payment has all facts as one JSON document, doc, and a version. The other
// attributes repeat the facts that conditions and queries need. The JSON is the encoding of the
// domain's structs, so the structs' field names are a stored format.
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

// rule is a condition on the stored item. The condition writes attributes as #name, so that no name
// is a reserved word of DynamoDB.
type rule struct {
	text   string
	values map[string]types.AttributeValue
}

var placeholder = regexp.MustCompile(`#\w+`)

// namesIn returns the attributes of an expression's placeholders.
func namesIn(expression string) map[string]string {
	names := map[string]string{}
	for _, name := range placeholder.FindAllString(expression, -1) {
		names[name] = name[1:]
	}
	return names
}

// entry is an item of the ledger that is always written as a whole.
type entry struct {
	key        map[string]types.AttributeValue
	facts      any // become the document, with version zero
	version    int64
	attributes map[string]types.AttributeValue
	// rules must hold for the item that the entry replaces, if there is one.
	rules []rule
}

// part is one of the writes of a transaction.
type part interface {
	write(table string) (types.TransactWriteItem, error)
}

// ready is a complete write.
type ready types.TransactWriteItem

func (r ready) write(string) (types.TransactWriteItem, error) { return types.TransactWriteItem(r), nil }

// write returns the write that replaces the stored item of the entry's version, or stores a new
// item if the version is zero. The stored version is one higher.
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

// item returns the stored form of the entry with a version.
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

// readFacts decodes the document of an item, and returns the version. An unknown field is an error,
// because the next write would lose the field.
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

// getFacts reads the item under a key consistently. The returned item is nil if the key has no
// item.
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

// write writes all parts in one transaction. It returns conflict if a condition fails or another
// transaction intervenes. A single part is a transaction, too, because the SDK sends a token with every
// transaction: a retry after a lost response then does not conflict with the first try.
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

// unlessIs wraps an error with the failed operation, except the sentinel.
func unlessIs(err, sentinel error, format string, args ...any) error {
	if err == nil || errors.Is(err, sentinel) {
		return err
	}
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), err)
}

// amount returns a number of up to 64 bits as an attribute.
func amount(n uint64) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatUint(n, 10)}
}
