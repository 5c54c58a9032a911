package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssqs"
	"github.com/aws/jsii-runtime-go"

	"tokenlaunch.example/service/pkg/distribution/dispatch"
	"tokenlaunch.example/service/pkg/token/content"
)

// queues are the service's queues, by kind of work.
type queues struct {
	pins, dispatch, runs, payouts, notices, webhooks workQueue
}

// workQueue is a queue with its dead-letter queue.
type workQueue struct {
	name        string
	lateSeconds float64 // the age at which the oldest message is late
	queue, dead awssqs.Queue
}

const (
	// queueDays is the retention of messages, the maximum of SQS.
	queueDays = 14
	// visibilityTimes is the ratio of the visibility timeout to the function's timeout, as AWS
	// advises.
	visibilityTimes = 6
	// dispatchReceives and noticeReceives are the maximum numbers of attempts for a message.
	dispatchReceives = 5
	noticeReceives   = 10
)

func (s service) newQueues() queues {
	return queues{
		pins:     s.newWorkQueue("Pin", backgroundTimeoutSeconds, content.PinAttempts, pinLateSeconds),
		dispatch: s.newWorkQueue("Dispatch", dispatcherTimeoutSeconds, dispatchReceives, dispatchLateSeconds),
		runs:     s.newWorkQueue("Run", distributorTimeoutSeconds, dispatch.Receives, runLateSeconds),
		payouts:  s.newWorkQueue("Payout", payerTimeoutSeconds, dispatch.Receives, runLateSeconds),
		webhooks: s.newWorkQueue("Webhook", courierTimeoutSeconds, webhookReceives, webhookLateSeconds),
		notices:  s.newWorkQueue("Notice", backgroundTimeoutSeconds, noticeReceives, noticeLateSeconds),
	}
}

// newWorkQueue creates a queue with its dead-letter queue. timeoutSeconds is the timeout of the
// function, receives the maximum number of attempts, and lateSeconds the age at which the oldest
// message is late.
func (s service) newWorkQueue(name string, timeoutSeconds float64, receives int, lateSeconds float64) workQueue {
	days := awscdk.Duration_Days(jsii.Number(queueDays))
	dead := awssqs.NewQueue(s.stack, jsii.String(name+"DeadLetterQueue"), &awssqs.QueueProps{
		EnforceSSL: s.onlyTLS(), Encryption: awssqs.QueueEncryption_SQS_MANAGED, RetentionPeriod: days,
	})
	queue := awssqs.NewQueue(s.stack, jsii.String(name+"Queue"), &awssqs.QueueProps{
		EnforceSSL:        s.onlyTLS(),
		Encryption:        awssqs.QueueEncryption_SQS_MANAGED,
		RetentionPeriod:   days,
		VisibilityTimeout: awscdk.Duration_Seconds(jsii.Number(visibilityTimes * timeoutSeconds)),
		DeadLetterQueue:   &awssqs.DeadLetterQueue{Queue: dead, MaxReceiveCount: jsii.Number(receives)},
	})
	s.output(name+"QueueUrl", queue.QueueUrl())
	s.output(name+"DeadLetterQueueUrl", dead.QueueUrl())
	made := workQueue{name: name, lateSeconds: lateSeconds, queue: queue, dead: dead}
	s.watched.lines = append(s.watched.lines, made)
	return made
}

// The ages at which the oldest message of a queue is late. Runs and batches may wait for 15 minutes
// by their own delays, which count.
const (
	dispatchLateSeconds = 5 * 60
	runLateSeconds      = 30 * 60
	noticeLateSeconds   = 60 * 60
	pinLateSeconds      = 6 * 60 * 60
)

// unbounded means no maximum concurrency, for a queue whose work bounds the concurrency. Lambda
// reads an idle queue with two pollers, or with five if the queue has a maximum concurrency (AWS
// Lambda Developer Guide, "Configuring scaling behavior for SQS event source mappings").
const unbounded = 0

// feed lets a function read a queue. messages is the maximum number of messages in an invocation,
// calls the maximum concurrency, and name the name of the messages in the function's input.
func (s service) feed(q workQueue, f awslambda.Function, name string, messages, calls float64) {
	options := &awslambda.EventSourceMappingOptions{
		EventSourceArn: q.queue.QueueArn(), BatchSize: jsii.Number(messages),
		ReportBatchItemFailures: jsii.Bool(true),
	}
	if calls != unbounded {
		options.MaxConcurrency = jsii.Number(calls)
	}
	if s.settings.Paused {
		options.Enabled = jsii.Bool(false)
	}
	f.AddEventSourceMapping(jsii.String(name), options)
}
