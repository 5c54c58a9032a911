package ledgertable

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/token/handover"
)

// Handovers stores the hand-overs of tokens, next to the claims of the token: the function that
// responds to requests writes no other item of the ledger. The state is a hint, because the signer
// checks the order itself.
type Handovers struct {
	Client *dynamodb.Client
	Table  string
}

const (
	handoverSort = "HANDOVER"
	// handoversDue is the partition of the due index with the outstanding hand-overs.
	handoversDue = "HANDOVER"
)

func handoverKey(mint solana.PublicKey) map[string]types.AttributeValue {
	return dynamo.Key(claimPrefix+mint.String(), handoverSort)
}

// Handover returns the newest order of a token; see run.Handovers.
func (s Handovers) Handover(ctx context.Context, mint solana.PublicKey) (handover.State, error) {
	var state handover.State
	item, version, err := getFacts(ctx, s.Client, s.Table, handoverKey(mint), &state)
	if err != nil {
		return handover.State{}, fmt.Errorf("read the hand-over of %s: %w", mint, err)
	}
	if item != nil {
		state.Version = version
	}
	return state, nil
}

// SaveHandover replaces the state; see run.Handovers. A cancelled order stays on the list until the
// signer has recorded the cancellation.
func (s Handovers) SaveHandover(ctx context.Context, mint solana.PublicKey, state handover.State, next time.Time) error {
	version := state.Version
	state.Version = 0
	e := entry{key: handoverKey(mint), facts: state, version: version}
	if !next.IsZero() {
		e.attributes = map[string]types.AttributeValue{"duePk": dynamo.Text(handoversDue), "dueAt": dynamo.Number(next.UnixMilli())}
	}
	err := write(ctx, s.Client, s.Table, handover.ErrConflict, e)
	return unlessIs(err, handover.ErrConflict, "save the hand-over of %s", mint)
}

// handoversDue lists at most limit tokens whose hand-over is due for a step, the longest wait first.
func (s Runs) handoversDue(ctx context.Context, now time.Time, limit int) ([]solana.PublicKey, error) {
	query := dynamo.DueQuery(s.Table, schema.DueRuns, handoversDue, now)
	query.ProjectionExpression = new("pk, sk, dueAt")
	query.Limit = dynamo.PageLimit(limit)
	out, err := s.Client.Query(ctx, query)
	if err != nil {
		return nil, dynamo.Unavailable(fmt.Errorf("list the hand-overs that are due: %w", err))
	}
	var mints []solana.PublicKey
	for _, item := range out.Items {
		if mint, err := solana.PublicKeyFromBase58(strings.TrimPrefix(dynamo.IDOf(item).Partition, claimPrefix)); err == nil {
			mints = append(mints, mint)
		}
	}
	return mints, nil
}
