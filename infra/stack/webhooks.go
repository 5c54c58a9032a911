package stack

import (
	"encoding/json"
	"strconv"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsevents"
	"github.com/aws/aws-cdk-go/awscdk/v2/awseventstargets"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambdaeventsources"
	"github.com/aws/jsii-runtime-go"

	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
)

const (
	// courierTimeoutSeconds is longer than a visit. webhook.Lease is longer than the timeout.
	courierTimeoutSeconds = 60
	// courierConcurrency is the maximum number of concurrent visits. At most four visits are to the
	// same destination, and at most half are to failing destinations.
	courierConcurrency = 20
	// webhookReceives is the maximum number of attempts of a visit that fails in our service.
	webhookReceives = 5
	// webhookLateSeconds is longer than the usual wait.
	webhookLateSeconds = 15 * 60
	// eventCalls is the concurrency for each shard of a stream. At midnight the runs of all tokens
	// end within minutes.
	eventCalls = 10
	// eventBatch is the maximum number of writes in an invocation of the announcer.
	eventBatch = 25
)

// readStream are Lambda's rights on a table's stream for a function. listStreams is restricted to
// the stream as in SAM's DynamoDBStreamReadPolicy, although the action has no resource.
var (
	readStream  = []string{"dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator"}
	listStreams = []string{"dynamodb:ListStreams"}
)

// webhooks stores creators' webhooks. It derives a webhook's secret once, to show the secret.
func (s service) webhooks() function {
	return function{
		name: route.FunctionWebhooks, construct: "Webhooks", about: "Keeps where creators want to be told of their tokens",
		memoryMB: 512, timeoutSeconds: httpTimeoutSeconds,
		env: map[string]*string{
			"LAUNCH_TABLE":      s.store.launch.TableName(),
			"WEBHOOK_TABLE":     s.store.webhook.TableName(),
			"WINDOW_TABLE":      s.store.window.TableName(),
			"WEBHOOK_QUEUE_URL": s.queues.webhooks.queue.QueueUrl(),
			"WEBHOOK_KEY_ID":    s.keys.webhook.id,
			"WEBHOOK_LOOPBACK":  s.loopback(),
		},
		may: []awsiam.PolicyStatement{
			s.counts(),
			within(s.store.launch, readItems, []string{schema.Tokens + "*"}),
			within(s.store.webhook, keepWebhooks, []string{schema.WebhookOwners, schema.Webhooks}),
			allow(s.enqueueMany(), s.queues.webhooks.queue.QueueArn()),
			allow(deriveSecrets, s.keys.webhook.arn),
		},
	}
}

var (
	keepWebhooks  = []string{"dynamodb:DeleteItem", "dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:Query", "dynamodb:UpdateItem"}
	deriveSecrets = []string{"kms:GenerateMac"}
)

// announcer reports the events in the tables' streams, and counts them.
func (s service) announcer(publicURL *string) function {
	return function{
		name: "announcer", construct: "Announcer", about: "Tells Telegram groups and webhooks what happened, by their queues, and counts what holders were paid",
		memoryMB: 512, timeoutSeconds: backgroundTimeoutSeconds,
		env: map[string]*string{
			"LAUNCH_TABLE":                s.store.launch.TableName(),
			"WEBHOOK_TABLE":               s.store.webhook.TableName(),
			"NOTICE_QUEUE_URL":            s.queues.notices.queue.QueueUrl(),
			"WEBHOOK_QUEUE_URL":           s.queues.webhooks.queue.QueueUrl(),
			"EVENT_DEAD_LETTER_QUEUE_URL": s.queues.webhooks.dead.QueueUrl(),
			"PUBLIC_URL":                  publicURL,
			"IPFS_GATEWAY_URL":            jsii.String(s.settings.IPFSGatewayURL),
		},
		may: []awsiam.PolicyStatement{
			within(s.store.launch, readItems, []string{schema.Tokens + "*", schema.Figures + "*", schema.Groups + "*"}),
			within(s.store.launch, putOrUpdate, schema.Writes["announcer"]),
			within(s.store.webhook, []string{"dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:Query", "dynamodb:UpdateItem"},
				[]string{schema.WebhookOwners, schema.Webhooks}),
			allow(s.enqueueMany(), s.queues.notices.queue.QueueArn(), s.queues.webhooks.queue.QueueArn(), s.queues.webhooks.dead.QueueArn()),
		},
	}
}

// courier is the only function that connects to addresses by third parties.
func (s service) courier() function {
	return function{
		name: "courier", construct: "Courier", about: "Delivers messages to the webhooks of creators",
		memoryMB: 256, timeoutSeconds: courierTimeoutSeconds,
		env: map[string]*string{
			"WEBHOOK_TABLE":                 s.store.webhook.TableName(),
			"WEBHOOK_QUEUE_URL":             s.queues.webhooks.queue.QueueUrl(),
			"WEBHOOK_DEAD_LETTER_QUEUE_URL": s.queues.webhooks.dead.QueueUrl(),
			"WEBHOOK_KEY_ID":                s.keys.webhook.id,
			"WEBHOOK_LOOPBACK":              s.loopback(),
		},
		may: []awsiam.PolicyStatement{
			within(s.store.webhook, keepWebhooks, []string{schema.WebhookOwners, schema.Webhooks, schema.WebhookHosts}),
			allow(query, concat(s.store.webhook.TableArn(), "/index/"+schema.DueWebhooks.Name)),
			allow(readQueue, s.queues.webhooks.queue.QueueArn()),
			allow(s.enqueueMany(), s.queues.webhooks.queue.QueueArn(), s.queues.webhooks.dead.QueueArn()),
			allow(deriveSecrets, s.keys.webhook.arn),
		},
	}
}

// loopback returns whether receivers may be on the local machine.
func (s service) loopback() *string {
	return jsii.String(strconv.FormatBool(s.settings.WebhookLoopback))
}

// webhookLoopback reads whether webhooks may be on the local machine.
func (r *reader) webhookLoopback(s Settings) bool {
	loopback := r.oneOf("webhookLoopback", "false", "true") == "true"
	if loopback && !s.Local() {
		r.fail("webhookLoopback is true: receivers on the machine itself are for the local stage")
	}
	return loopback
}

// newWebhooks creates the functions that report and deliver events.
func (s service) newWebhooks(publicURL *string) {
	announcer, adopted := s.newFunction(s.announcer(publicURL)), s.settings.Adopted
	launched := s.streamOf(s.store.launch, adopted.LaunchTable, adopted.LaunchStreamARN)
	// Writes to runs and hand-overs in the ledger, and to tokens and promotions in the launch table. A filter that
	// matches too many writes only costs invocations, because the announcer checks each write.
	s.listen(announcer, "Runs", s.streamOf(s.store.ledger, adopted.LedgerTable, adopted.LedgerStreamARN), filter("MODIFY", "INSERT"),
		map[string]any{"pk": prefixed("MINT#"), "sk": prefixed("RUN#")}, map[string]any{"endedAt": there("N")})
	s.listen(announcer, "Handovers", s.streamOf(s.store.ledger, adopted.LedgerTable, adopted.LedgerStreamARN), filter("MODIFY", "INSERT"),
		map[string]any{"pk": prefixed("CLAIMS#"), "sk": map[string]any{"S": []any{"HANDOVER"}}}, nil)
	s.listen(announcer, "Tokens", launched, filter("MODIFY"), map[string]any{"pk": prefixed(schema.Tokens)}, nil)
	s.listen(announcer, "Promotions", launched, filter("MODIFY"),
		map[string]any{"pk": prefixed("PROMOTION#")}, map[string]any{"paidBy": there("B")})

	courier := s.newFunction(s.courier())
	s.feed(s.queues.webhooks, courier, "Webhooks", 1, s.bound(courierConcurrency))
	awsevents.NewRule(s.stack, jsii.String("WebhooksDue"), &awsevents.RuleProps{
		Description: jsii.String("Starts the look for webhooks that are due"),
		Schedule:    awsevents.Schedule_Rate(awscdk.Duration_Minutes(jsii.Number(1))),
		Enabled:     jsii.Bool(!s.settings.Paused),
		Targets:     &[]awsevents.IRuleTarget{awseventstargets.NewLambdaFunction(courier, nil)},
	})
}

// eventLateMillis is the age at which an unreported write is late. A stream stores writes for a
// day.
const eventLateMillis = 15 * 60 * 1000

// eventAlarms fire if events are not reported. After a day without reports, events are lost.
func (s service) eventAlarms() []alarm {
	var all []alarm
	for _, f := range s.watched.functions {
		if f.construct == "Announcer" {
			all = append(all, alarm{
				name: "EventsLate", severity: ticket, state: "Events of tokens are not reported to Telegram groups and webhooks",
				impact: "After 24 hours these events are lost", first: "read the announcer's log: the line \"event not told\" names the cause",
				metric: s.ofFunction(f, "IteratorAge", "Maximum"), limit: eventLateMillis,
			})
		}
	}
	return all
}

// Parts of a stream's filter (AWS Lambda Developer Guide, "Control which events Lambda sends to
// your function").

func filter(names ...string) []string { return names }

func prefixed(text string) any { return map[string]any{"S": []any{map[string]any{"prefix": text}}} }

func there(kind string) any { return map[string]any{kind: []any{map[string]any{"exists": true}}} }

// listen lets a function read the matching writes of a table's stream. A stream stores writes for a
// day.
func (s service) listen(f awslambda.Function, name string, stream *string, names []string, keys, after map[string]any) {
	if stream == nil {
		return
	}
	f.AddToRolePolicy(allow(readStream, stream))
	f.AddToRolePolicy(allow(listStreams, stream))
	record := map[string]any{"Keys": keys}
	if after != nil {
		record["NewImage"] = after
	}
	pattern, err := json.Marshal(map[string]any{"eventName": names, "dynamodb": record})
	if err != nil {
		panic(err) // texts are always valid JSON
	}
	options := &awslambda.EventSourceMappingOptions{
		EventSourceArn: stream, StartingPosition: awslambda.StartingPosition_TRIM_HORIZON, BatchSize: jsii.Number(eventBatch),
		BisectBatchOnError: jsii.Bool(true), ReportBatchItemFailures: jsii.Bool(true),
		// Writes to the same item stay in order.
		ParallelizationFactor: jsii.Number(eventCalls),
		Filters:               &[]*map[string]any{{"pattern": jsii.String(string(pattern))}},
		OnFailure:             awslambdaeventsources.NewSqsDlq(s.queues.webhooks.dead),
	}
	if s.settings.Paused {
		options.Enabled = jsii.Bool(false)
	}
	f.AddEventSourceMapping(jsii.String(name), options)
}
