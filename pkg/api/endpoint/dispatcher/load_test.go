package dispatcher_test

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	sqstypes "github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/gagliardetto/solana-go"
	"golang.org/x/sync/errgroup"

	"tokenlaunch.example/service/pkg/api/endpoint/dispatcher"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/aws/sqsqueue"
	"tokenlaunch.example/service/pkg/distribution/dispatch"
	"tokenlaunch.example/service/pkg/testkit/figures"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/token/terms"
)

const (
	// someTokens are due in the test; DUE_TOKENS makes it another number.
	someTokens = 5000
	// timeout is the function's (infra/stack, dispatcherTimeoutSeconds).
	timeout = 60 * time.Second
	// atOnce is the number of concurrent calls of the function: as few as keep
	// both of a small machine's processors at work. AWS has one for each shard.
	atOnce = 2
)

// counting counts the calls of AWS.
type counting struct {
	next  aws.HTTPClient
	calls atomic.Int64
}

func (c *counting) Do(r *http.Request) (*http.Response, error) {
	c.calls.Add(1)
	return c.next.Do(r)
}

// enlist puts tokens on the list of an interval, as package launchtable lays it out.
func enlist(t *testing.T, client *dynamodb.Client, table string, interval terms.Interval, tokens int) {
	t.Helper()
	var batches errgroup.Group
	batches.SetLimit(4)
	const limit = 25 // of a batch (Amazon DynamoDB, BatchWriteItem)
	for from := 0; from < tokens; from += limit {
		batches.Go(func() error {
			var writes []types.WriteRequest
			for n := from; n < min(from+limit, tokens); n++ {
				var mint solana.PublicKey
				binary.BigEndian.PutUint64(mint[:], uint64(n)+1)
				writes = append(writes, types.WriteRequest{PutRequest: &types.PutRequest{Item: map[string]types.AttributeValue{
					"pk":   &types.AttributeValueMemberS{Value: fmt.Sprintf("DUE#%s#%02d", interval, dispatch.ShardOf(mint))},
					"sk":   &types.AttributeValueMemberS{Value: fmt.Sprintf("%s#%013d", mint, 1)},
					"mint": &types.AttributeValueMemberB{Value: mint[:]},
					"from": &types.AttributeValueMemberN{Value: "1"},
				}}})
			}
			_, err := client.BatchWriteItem(t.Context(), &dynamodb.BatchWriteItemInput{
				RequestItems: map[string][]types.WriteRequest{table: writes},
			})
			return err
		})
	}
	if err := batches.Wait(); err != nil {
		t.Fatal(err)
	}
}

func newQueue(t *testing.T, client *sqs.Client, name string) string {
	t.Helper()
	made, err := client.CreateQueue(t.Context(), &sqs.CreateQueueInput{QueueName: &name})
	if err != nil {
		t.Fatal(err)
	}
	return *made.QueueUrl
}

// All tokens that are due at midnight are queued, each once, by calls that end
// long before their time. `make bench` does it with 100,000.
func TestEveryDueTokenIsQueuedInTime(t *testing.T) {
	tokens := someTokens
	if text := os.Getenv("DUE_TOKENS"); text != "" {
		var err error
		if tokens, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	stack := localnet.AWS(t)
	config := stack.Config(t.Context())
	table := stack.CreateTable(t, schema.Launch)
	enlist(t, dynamodb.NewFromConfig(config), table, terms.Every24Hours, tokens)

	calls := &counting{next: config.HTTPClient}
	config.HTTPClient = calls
	messages := sqs.NewFromConfig(config)
	shards, runs := newQueue(t, messages, "dispatch"), newQueue(t, messages, "runs")
	midnight := time.Now().UTC().Truncate(24 * time.Hour)
	endpoint := dispatcher.Endpoint{
		Dispatcher: dispatch.Dispatcher{
			Due:    launchtable.Due{Client: dynamodb.NewFromConfig(config), Table: table},
			Shards: sqsqueue.Shards{Client: messages, URL: shards},
			Runs:   sqsqueue.Runs{Client: messages, URL: runs}, Now: time.Now,
		},
		Now: time.Now, Log: slog.New(slog.DiscardHandler),
	}

	before := calls.calls.Load()
	began := time.Now()
	event := fmt.Sprintf(`{"task":"slot","interval":"24h","time":%q}`, midnight.Format(time.RFC3339))
	if _, err := endpoint.Handle(t.Context(), json.RawMessage(event)); err != nil {
		t.Fatal(err)
	}
	var longest time.Duration
	var invocations int
	for {
		got, err := messages.ReceiveMessage(t.Context(), &sqs.ReceiveMessageInput{QueueUrl: &shards, MaxNumberOfMessages: atOnce})
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Messages) == 0 {
			break
		}
		var lock sync.Mutex
		var all errgroup.Group
		for _, m := range got.Messages {
			all.Go(func() error {
				invoked := time.Now()
				err := invoke(t.Context(), endpoint, *m.Body)
				lock.Lock()
				defer lock.Unlock()
				invocations++
				longest = max(longest, time.Since(invoked))
				return err
			})
		}
		if err := all.Wait(); err != nil {
			t.Fatal(err)
		}
		for _, m := range got.Messages {
			if _, err := messages.DeleteMessage(t.Context(), &sqs.DeleteMessageInput{QueueUrl: &shards, ReceiptHandle: m.ReceiptHandle}); err != nil {
				t.Fatal(err)
			}
		}
	}
	took := time.Since(began)
	if queued := waiting(t, messages, runs); queued != tokens {
		t.Errorf("%d runs are queued, want %d", queued, tokens)
	}
	if longest >= timeout {
		t.Errorf("a call took %s of %s", longest, timeout)
	}
	figures.Show(t, "dispatcher: %d due tokens queued in %.1f s by %d calls of the function (the longest %.1f s of %s) and %d calls of AWS",
		tokens, took.Seconds(), invocations+1, longest.Seconds(), timeout, calls.calls.Load()-before)
}

// invoke calls the function with one message of its queue.
func invoke(ctx context.Context, endpoint dispatcher.Endpoint, body string) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	event, err := json.Marshal(events.SQSEvent{Records: []events.SQSMessage{{MessageId: "1", Body: body}}})
	if err != nil {
		return err
	}
	answer, err := endpoint.Handle(ctx, event)
	if response, ok := answer.(events.SQSEventResponse); err != nil || !ok || len(response.BatchItemFailures) > 0 {
		return fmt.Errorf("%s stays in the queue: %v, %w", body, answer, err)
	}
	return nil
}

// waiting counts the messages of a queue, those with a delay included.
func waiting(t *testing.T, client *sqs.Client, url string) (sum int) {
	t.Helper()
	out, err := client.GetQueueAttributes(t.Context(), &sqs.GetQueueAttributesInput{
		QueueUrl: &url, AttributeNames: []sqstypes.QueueAttributeName{sqstypes.QueueAttributeNameAll},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"ApproximateNumberOfMessages", "ApproximateNumberOfMessagesDelayed"} {
		n, err := strconv.Atoi(out.Attributes[name])
		if err != nil {
			t.Fatal(err)
		}
		sum += n
	}
	return sum
}
