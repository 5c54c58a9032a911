package sqsqueue

import (
	"context"
	"fmt"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

// Depths counts the messages that wait in queues. It implements status.Backlog.
type Depths struct {
	Client *sqs.Client
	// Notices and Pins are URLs of queues. GivenUp is the URLs of the dead-letter queues.
	Notices, Pins string
	GivenUp       []string
}

// Waiting returns the numbers of waiting messages. SQS counts approximately.
func (d Depths) Waiting(ctx context.Context) (notices, pins, givenUp int, err error) {
	if notices, err = d.depth(ctx, d.Notices); err != nil {
		return 0, 0, 0, err
	}
	if pins, err = d.depth(ctx, d.Pins); err != nil {
		return 0, 0, 0, err
	}
	for _, url := range d.GivenUp {
		n, err := d.depth(ctx, url)
		if err != nil {
			return 0, 0, 0, err
		}
		givenUp += n
	}
	return notices, pins, givenUp, nil
}

func (d Depths) depth(ctx context.Context, url string) (int, error) {
	const visible = types.QueueAttributeNameApproximateNumberOfMessages
	out, err := d.Client.GetQueueAttributes(ctx, &sqs.GetQueueAttributesInput{QueueUrl: &url, AttributeNames: []types.QueueAttributeName{visible}})
	if err != nil {
		return 0, fmt.Errorf("read how many messages wait: %w", err)
	}
	n, err := strconv.Atoi(out.Attributes[string(visible)])
	if err != nil {
		return 0, fmt.Errorf("read how many messages wait: %w", err)
	}
	return n, nil
}
