package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/jsii-runtime-go"

	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/token/content"
)

const (
	// backgroundTimeoutSeconds is longer than an attempt to pin.
	backgroundTimeoutSeconds = httpTimeoutSeconds
	// reconcilerTimeoutSeconds exceeds the duration of a reconciliation, which is index.Within. The
	// duration must stay below 80 % of the timeout, where the alarm fires.
	reconcilerTimeoutSeconds = 75
	// pinBatch is the number of files that an invocation of the pinner pins concurrently.
	pinBatch = 5
	// pinConcurrency is the maximum concurrency of the pinner, the minimum that AWS offers. After
	// an outage, the pinning service must not be overloaded.
	pinConcurrency = 2
	// noticeBatch and noticeConcurrency respect Telegram's limit for bots, some 30 messages a
	// second.
	noticeBatch       = 10
	noticeConcurrency = 2
)

var (
	removeFiles = []string{"s3:DeleteObject"}
	getFiles    = []string{"s3:GetObject"}
	// Without the right to list, S3 responds with 403 for a missing object, and not with 404.
	listFiles = []string{"s3:ListBucket"}
	readQueue = []string{
		"sqs:ChangeMessageVisibility", "sqs:DeleteMessage", "sqs:GetQueueAttributes", "sqs:ReceiveMessage",
	}
)

// newBackground creates the background functions with their queues and schedules.
func (s service) newBackground(signer awslambda.IFunction, publicURL *string) {
	dispatcher := s.newFunction(s.dispatcher())
	notifier := s.newFunction(s.notifier(publicURL))
	s.newSchedules(s.newFunction(s.reconciler()), dispatcher, s.newFunction(s.monitor()), notifier)
	// Only long shards have messages. The money queues keep a maximum concurrency: with only a
	// reservation, Lambda would throttle the messages of a slot, and each throttled message loses
	// an attempt.
	s.feed(s.queues.dispatch, dispatcher, "Shards", 1, unbounded)
	s.feed(s.queues.runs, s.newFunction(s.distributor(signer)), "Runs", runBatch, float64(s.settings.RunConcurrency))
	s.feed(s.queues.payouts, s.newFunction(s.payer(signer)), "Batches", payoutBatch, float64(s.settings.PayoutConcurrency))
	s.feed(s.queues.notices, notifier, "Notices", noticeBatch, s.bound(noticeConcurrency))
	s.feed(s.queues.pins, s.newFunction(s.pinner()), "Pins", pinBatch, s.bound(pinConcurrency))
}

// bound returns the maximum concurrency of a queue, or unbounded for a small service.
func (s service) bound(calls float64) float64 {
	if !s.settings.size().bounded {
		return unbounded
	}
	return calls
}

func (s service) reconciler() function {
	env := map[string]*string{
		"LAUNCH_TABLE":   s.store.launch.TableName(),
		"ASSET_BUCKET":   s.store.assets.BucketName(),
		"NONCE_KEY_ID":   s.keys.nonce.id,
		"NONCE_POOL_MIN": number(s.settings.NoncePoolMin),
		"NONCE_POOL_MAX": number(s.settings.NoncePoolMax),

		"MARKETS_NETWORK": s.marketsNetwork(),
	}
	s.pinning(env)
	return function{
		name: "reconciler", construct: "Reconciler", about: "Brings records and the chain together, every minute",
		memoryMB: 512, timeoutSeconds: reconcilerTimeoutSeconds,
		env: s.node(env),
		may: []awsiam.PolicyStatement{
			allow(readRecords, s.store.launch.TableArn()),
			within(s.store.launch, keepMarkets, schema.Writes["reconciler"]),
			allow(query, concat(s.store.launch.TableArn(), "/index/"+schema.DueLaunches.Name)),
			// Only the reconciler deletes files. It must not delete proofs.
			allow(removeFiles, s.folder(content.Image), s.folder(content.Metadata)),
			allow(sign, s.keys.nonce.arn),
		},
	}
}

func (s service) pinner() function {
	env := map[string]*string{
		"ASSET_BUCKET":              s.store.assets.BucketName(),
		"PIN_QUEUE_URL":             s.queues.pins.queue.QueueUrl(),
		"PIN_DEAD_LETTER_QUEUE_URL": s.queues.pins.dead.QueueUrl(),
	}
	s.pinning(env)
	return function{
		name: "pinner", construct: "Pinner", about: "Pins files whose pinning was deferred",
		memoryMB: 512, timeoutSeconds: backgroundTimeoutSeconds,
		env: env,
		may: []awsiam.PolicyStatement{
			allow(listFiles, s.store.assets.BucketArn()),
			allow(getFiles, s.folder(content.Image), s.folder(content.Metadata), s.folder(content.ProofManifest)),
			allow(readQueue, s.queues.pins.queue.QueueArn()),
			allow(enqueue, s.queues.pins.dead.QueueArn()),
		},
	}
}

// notifier sends notices to Telegram groups and digests to private chats, and reads the messages of
// administrators and holders to the bot. No run waits for the notifier.
func (s service) notifier(publicURL *string) function {
	env := s.node(map[string]*string{
		"LAUNCH_TABLE":                 s.store.launch.TableName(),
		"SETTINGS_TABLE":               s.store.settings.TableName(),
		"LEDGER_TABLE":                 s.store.ledger.TableName(),
		"ASSET_BUCKET":                 s.store.assets.BucketName(),
		"PUBLIC_URL":                   publicURL,
		"PRIORITY_FEE_MICROLAMPORTS":   number(s.settings.PriorityFeeMicrolamports),
		"WINDOW_TABLE":                 s.store.window.TableName(),
		"NOTICE_QUEUE_URL":             s.queues.notices.queue.QueueUrl(),
		"NOTICE_DEAD_LETTER_QUEUE_URL": s.queues.notices.dead.QueueUrl(),
		"TELEGRAM_API_URL":             jsii.String(s.settings.TelegramAPIURL),
	})
	s.setSecrets(env, secretsOfNotices)
	return function{
		name: "notifier", construct: "Notifier", about: "Tells Telegram groups and holders about distributions, and reads whether they agree",
		memoryMB: 512, timeoutSeconds: backgroundTimeoutSeconds,
		env: env,
		may: []awsiam.PolicyStatement{
			within(s.store.window, update, []string{schema.RateWindows, schema.Notices}),
			within(s.store.launch, readMany, []string{schema.Groups + "*", schema.Tokens + "*"}),
			within(s.store.launch, putOrUpdate, schema.Writes["notifier"]),
			allow(query, concat(s.store.launch.TableArn(), "/index/"+schema.DueLaunches.Name)),
			allow(query, s.store.settings.TableArn()),
			allow(readLedger, s.store.ledger.TableArn()),
			allow([]string{"dynamodb:BatchGetItem"}, s.store.ledger.TableArn()),
			allow(listFiles, s.store.assets.BucketArn()),
			allow(getFiles, s.folder(content.ProofManifest)),
			allow(readQueue, s.queues.notices.queue.QueueArn()),
			allow(enqueue, s.queues.notices.queue.QueueArn(), s.queues.notices.dead.QueueArn()),
		},
	}
}
