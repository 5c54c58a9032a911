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
	// perCall is how many messages one call takes (Amazon SQS, SendMessageBatch).
	perCall = 10
	// callsAtOnce bounds the calls under way at one time.
	callsAtOnce = 16
	// sendTries is how often a message that SQS could not take is sent.
	sendTries = 3
	// MaxDelay is the longest that a message may wait before it is delivered (Amazon
	// SQS, SendMessage, DelaySeconds).
	MaxDelay = 15 * time.Minute
)

// letter is a message to be sent.
type letter struct {
	body  string
	delay time.Duration
}

// seconds is the delay as SQS takes it: whole seconds, no fewer than asked for,
// and MaxDelay at most.
func (l letter) seconds() int32 {
	whole := (min(max(l.delay, 0), MaxDelay) + time.Second - 1) / time.Second
	return int32(whole) // #nosec G115 -- 900 at most
}

// sendBodies puts messages into a queue as send does.
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

// send puts letters into a queue, in calls of ten and many calls at a time. When
// it fails some of them may have been sent; each may arrive more than once.
func send(ctx context.Context, client *sqs.Client, url string, letters []letter) error {
	calls, ctx := errgroup.WithContext(ctx)
	calls.SetLimit(callsAtOnce)
	for batch := range slices.Chunk(letters, perCall) {
		calls.Go(func() error { return sendBatch(ctx, client, url, batch) })
	}
	return calls.Wait()
}

// sendBatch sends at most ten letters by one call, and those again that SQS did
// not take although nothing was wrong with them.
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
