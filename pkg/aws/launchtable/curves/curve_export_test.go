package curves

import (
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/market"
)

// Completion returns the write of a completed curve about its duration.
func Completion(table string, pool solana.PublicKey, took time.Duration) []types.TransactWriteItem {
	return []types.TransactWriteItem{speed(table, pool, took)}
}

// CurveItems returns the items of a curve that is on the chain.
func CurveItems(c market.Curve) ([]map[string]types.AttributeValue, error) {
	curve, err := dynamo.NewItem(curveKey(c.Mint), newCurveItem(c))
	if err != nil {
		return nil, err
	}
	followCurve(curve, c.CreatedAt)
	entry := dynamo.Key(curvesPk, curveEntry(c))
	entry["mint"] = dynamo.Binary(c.Mint[:])
	return []map[string]types.AttributeValue{curve, entry}, nil
}
