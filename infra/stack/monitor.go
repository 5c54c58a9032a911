package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"

	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
)

var (
	readStatus  = []string{"dynamodb:GetItem"}
	keepStatus  = []string{"dynamodb:GetItem", "dynamodb:PutItem"}
	countQueued = []string{"sqs:GetQueueAttributes"}
)

// monitor measures the service every minute. It only reads, except for one record.
func (s service) monitor() function {
	arns := []*string{s.queues.notices.queue.QueueArn(), s.queues.pins.queue.QueueArn()}
	for _, l := range []workQueue{s.queues.dispatch, s.queues.runs, s.queues.payouts, s.queues.notices, s.queues.pins, s.queues.webhooks} {
		arns = append(arns, l.dead.QueueArn())
	}
	return function{
		name: "monitor", construct: "Monitor", about: "Measures what waits, every minute, and keeps the public status",
		memoryMB: 512, timeoutSeconds: backgroundTimeoutSeconds,
		env: s.node(map[string]*string{
			"LAUNCH_TABLE":     s.store.launch.TableName(),
			"LEDGER_TABLE":     s.store.ledger.TableName(),
			"WINDOW_TABLE":     s.store.window.TableName(),
			"NONCE_KEY_ID":     s.keys.nonce.id,
			"NOTICE_QUEUE_URL": s.queues.notices.queue.QueueUrl(),
			"PIN_QUEUE_URL":    s.queues.pins.queue.QueueUrl(),

			"DISPATCH_DEAD_LETTER_QUEUE_URL": s.queues.dispatch.dead.QueueUrl(),
			"RUN_DEAD_LETTER_QUEUE_URL":      s.queues.runs.dead.QueueUrl(),
			"PAYOUT_DEAD_LETTER_QUEUE_URL":   s.queues.payouts.dead.QueueUrl(),
			"NOTICE_DEAD_LETTER_QUEUE_URL":   s.queues.notices.dead.QueueUrl(),
			"WEBHOOK_DEAD_LETTER_QUEUE_URL":  s.queues.webhooks.dead.QueueUrl(),
			"PIN_DEAD_LETTER_QUEUE_URL":      s.queues.pins.dead.QueueUrl(),
		}),
		may: []awsiam.PolicyStatement{
			allow([]string{"dynamodb:BatchGetItem", "dynamodb:GetItem"}, s.store.launch.TableArn()),
			allow(query,
				concat(s.store.launch.TableArn(), "/index/"+schema.DueLaunches.Name), concat(s.store.ledger.TableArn(), "/index/"+schema.DueRuns.Name)),
			s.allowStatus(keepStatus),
			allow(readPublicKey, s.keys.nonce.arn),
			allow(countQueued, arns...),
		},
	}
}

// allowStatus permits actions on the monitor's record in the window table.
func (s service) allowStatus(actions []string) awsiam.PolicyStatement {
	return within(s.store.window, actions, []string{schema.Status})
}
