package sqsqueue

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"golang.org/x/sync/errgroup"
)

const (
	// perCall is the maximum number of messages in one call (Amazon SQS, SendMessageBatch).
	perCall = 10
	// callsAtOnce is the maximum number of concurrent calls.
	callsAtOnce = 16
	// sendTries is the maximum number of sends of a message that SQS rejects.
	sendTries = 3
	// MaxDelay is the maximum delay of a message (Amazon SQS, SendMessage, DelaySeconds).
	MaxDelay = 15 * time.Minute
)

// letter is an outgoing message.
type letter struct {
	body  string
	delay time.Duration
}

// seconds returns the delay in the unit of SQS: whole seconds, rounded up, at most MaxDelay.
func (l letter) seconds() int32 {
	whole := (min(max(l.delay, 0), MaxDelay) + time.Second - 1) / time.Second
	return int32(whole) // #nosec G115 -- 900 at most
}

// sendBodies sends messages as send does.
func sendBodies[M interface{ Body() (string, error) }](ctx context.Context, client *sqs.Client, url string, messages []M) error {
	letters := make([]letter, len(messages))
	for i, m := range messages {
		body, err := m.Body()
		if err != nil {
			return err
		}
		letters[i].body = body
	}
	return send(ctx, client, url, letters)
}

// send sends letters to a queue, in calls of ten letters and several calls at a time. After an
// error, some letters may have been sent. A letter may arrive more than once.
func send(ctx context.Context, client *sqs.Client, url string, letters []letter) error {
	calls, ctx := errgroup.WithContext(ctx)
	calls.SetLimit(callsAtOnce)
	for batch := range slices.Chunk(letters, perCall) {
		calls.Go(func() error { return sendBatch(ctx, client, url, batch) })
	}
	return calls.Wait()
}

// sendBatch sends at most ten letters in one call, and retries letters that SQS rejected without
// blaming the sender.
func sendBatch(ctx context.Context, client *sqs.Client, url string, letters []letter) error {
	for try := 1; ; try++ {
		entries := make([]types.SendMessageBatchRequestEntry, len(letters))
		for i, l := range letters {
			entries[i] = types.SendMessageBatchRequestEntry{
				Id: new(strconv.Itoa(i)), MessageBody: &l.body, DelaySeconds: l.seconds(),
			}
		}
		out, err := client.SendMessageBatch(ctx, &sqs.SendMessageBatchInput{QueueUrl: &url, Entries: entries})
		if err != nil {
			return fmt.Errorf("send %d messages: %w", len(letters), err)
		}
		if len(out.Failed) == 0 {
			return nil
		}
		var left []letter
		var failures []error
		for _, failed := range out.Failed {
			i, err := strconv.Atoi(aws.ToString(failed.Id))
			if err != nil || i < 0 || i >= len(letters) || failed.SenderFault || try == sendTries {
				failures = append(failures, fmt.Errorf("send a message: %s: %s", aws.ToString(failed.Code), aws.ToString(failed.Message)))
				continue
			}
			left = append(left, letters[i])
		}
		if len(failures) > 0 {
			return errors.Join(failures...)
		}
		letters = left
	}
}
