package launchtable

import (
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"
)

// Completion is what a completed curve writes of the time that it took.
func Completion(table string, pool solana.PublicKey, took time.Duration) []types.TransactWriteItem {
	return []types.TransactWriteItem{speed(table, pool, took)}
}
