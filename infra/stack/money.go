package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/jsii-runtime-go"

	"tokenlaunch.example/service/pkg/dynamo/schema"
)

// The times of the functions on the way from a schedule to the holders.
const (
	// dispatcherTimeoutSeconds is enough for some 50,000 tokens; a shard with more
	// goes on in another call.
	dispatcherTimeoutSeconds = 60
	// distributorTimeoutSeconds is enough for the longest step of a run, the snapshot
	// of a million holders.
	distributorTimeoutSeconds = 300
	// payerTimeoutSeconds is more than twice what a step of a batch takes with a node
	// that is slow.
	payerTimeoutSeconds = 60
)

// dispatcher turns schedules into messages. It moves no money and reads no key.
func (s service) dispatcher() function {
	return function{
		name: "dispatcher", construct: "Dispatcher", about: "Opens the slots of the schedules and queues the due runs",
		memoryMB: 512, timeoutSeconds: dispatcherTimeoutSeconds,
		env: map[string]*string{
			"LOG_LEVEL":          jsii.String(s.settings.LogLevel),
			"LAUNCH_TABLE":       s.store.launch.TableName(),
			"LEDGER_TABLE":       s.store.ledger.TableName(),
			"DISPATCH_QUEUE_URL": s.queues.dispatch.queue.QueueUrl(),
			"RUN_QUEUE_URL":      s.queues.runs.queue.QueueUrl(),
			"SPREAD_SECONDS":     number(s.settings.SpreadSeconds),
		},
		may: []awsiam.PolicyStatement{
			allow(query, s.store.launch.TableArn()),
			allow(query, concat(s.store.ledger.TableArn(), "/index/"+schema.DueIndex.Name)),
			allow(readQueue, s.queues.dispatch.queue.QueueArn()),
			allow(enqueue, s.queues.dispatch.queue.QueueArn(), s.queues.runs.queue.QueueArn()),
		},
		givenUp: s.queues.dispatch.dead,
	}
}
