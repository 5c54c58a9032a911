package launchtable

import (
	"context"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/visible"
)

// Tokens are found by the beginning of the name or symbol. A visible token has an entry for the
// name and an entry for the symbol, or one entry if both are the same. The entries are written
// together with the token's places in the lists:
//
//	SEARCH#<first character>  <visible.Key of the name or symbol> NUL <created, 13 digits>#<mint>  mint
//
// So a name precedes longer names with the same beginning, and the oldest token of the same name is
// first. Copies of a name do not push the original out of the result.
const (
	searchPrefix = "SEARCH#"
	// searchKeyMax is the maximum length of a key in bytes. A name of 32 characters is shorter,
	// except with characters that NFKC expands to up to 18 characters. A sort key has at most 1,024
	// bytes.
	searchKeyMax = 512
	// searchMax is the maximum number of tokens in a search result. A token has at most two
	// entries.
	searchMax = 100
)

// searchKey returns the part of a name that is compared; empty if the name has no visible
// character.
func searchKey(name string) string {
	key := visible.Key(name)
	for len(key) > searchKeyMax {
		_, size := utf8.DecodeLastRuneInString(key)
		key = key[:len(key)-size]
	}
	return key
}

func searchPartition(key string) string {
	first, _ := utf8.DecodeRuneInString(key)
	return searchPrefix + string(first)
}

// searchEntries returns the keys of a token's entries.
func searchEntries(name, symbol string, created time.Time, mint solana.PublicKey) (entries []map[string]types.AttributeValue) {
	keys := []string{searchKey(name), searchKey(symbol)}
	for i, key := range keys {
		if key != "" && !slices.Contains(keys[:i], key) {
			entries = append(entries, dynamo.Key(searchPartition(key), fmt.Sprintf("%s\x00%013d#%s", key, created.UnixMilli(), mint)))
		}
	}
	return entries
}

// findable returns the writes that add a token to the search, or remove a token.
func findable(table string, found bool, name, symbol string, created time.Time, mint solana.PublicKey) (writes []types.TransactWriteItem) {
	for _, entry := range searchEntries(name, symbol, created, mint) {
		if !found {
			writes = append(writes, types.TransactWriteItem{Delete: &types.Delete{TableName: &table, Key: entry}})
			continue
		}
		entry["mint"] = dynamo.Binary(mint[:])
		writes = append(writes, types.TransactWriteItem{Put: &types.Put{TableName: &table, Item: entry}})
	}
	return writes
}

// Search returns one page of the visible tokens whose name or symbol begins with beginning, in the
// order of names, and the total number of these tokens, at most 100. beginning must have a visible
// character.
func (t Tokens) Search(ctx context.Context, beginning string, page, limit int64) ([]token.Record, int64, error) {
	key := searchKey(beginning)
	out, err := t.Client.Query(ctx, &dynamodb.QueryInput{
		TableName: &t.Table, Limit: new(int32(2 * searchMax)),
		KeyConditionExpression: new("pk = :first AND begins_with(sk, :key)"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":first": dynamo.Text(searchPartition(key)), ":key": dynamo.Text(key),
		},
	})
	if err != nil {
		return nil, 0, dynamo.Unavailable(fmt.Errorf("search for tokens: %w", err))
	}
	var found []solana.PublicKey
	seen := map[solana.PublicKey]bool{}
	for _, item := range out.Items {
		mint, err := readMint(item)
		if err != nil {
			return nil, 0, err
		}
		if !seen[mint] && len(found) < searchMax {
			seen[mint] = true
			found = append(found, mint)
		}
	}
	return t.SomeOf(ctx, found, page, limit)
}

// SomeOf reads one page of the given tokens. Tokens that were hidden in the meantime are left out.
func (t Tokens) SomeOf(ctx context.Context, all []solana.PublicKey, page, limit int64) ([]token.Record, int64, error) {
	total := int64(len(all))
	if page-1 > total/limit {
		return nil, total, nil
	}
	from := min(total, (page-1)*limit)
	records, err := t.TokensOf(ctx, all[from:min(total, from+limit)])
	return slices.DeleteFunc(records, func(r token.Record) bool { return !r.Visible }), total, err
}

func readMint(item map[string]types.AttributeValue) (solana.PublicKey, error) {
	var stored struct {
		Mint []byte `dynamodbav:"mint"`
	}
	if err := attributevalue.UnmarshalMap(item, &stored); err != nil {
		return solana.PublicKey{}, fmt.Errorf("decode the item %v: %w", dynamo.IDOf(item), err)
	}
	return dynamo.PublicKey(stored.Mint), nil
}
