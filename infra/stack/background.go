package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/jsii-runtime-go"

	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/token/content"
)

const (
	// backgroundTimeoutSeconds is more than one attempt to pin takes.
	backgroundTimeoutSeconds = httpTimeoutSeconds
	// reconcilerTimeoutSeconds is more than a reconciling run takes: index.Within, and no
	// more than 80% of it, for what takes longer rings.
	reconcilerTimeoutSeconds = 75
	// pinBatch is how many files one call of the pinner pins, all at once.
	pinBatch = 5
	// pinConcurrency bounds the calls at one time, the least that AWS offers: after
	// an outage the pinning service is not to be run down.
	pinConcurrency = 2
	// noticeBatch and noticeConcurrency keep within what Telegram lets a bot send, some
	// 30 messages a second.
	noticeBatch       = 10
	noticeConcurrency = 2
)

var (
	removeFiles = []string{"s3:DeleteObject"}
	getFiles    = []string{"s3:GetObject"}
	// Without listing, S3 answers 403 where there is no object, and not 404.
	listFiles = []string{"s3:ListBucket"}
	readQueue = []string{
		"sqs:ChangeMessageVisibility", "sqs:DeleteMessage", "sqs:GetQueueAttributes", "sqs:ReceiveMessage",
	}
)

// newBackground makes the functions that no caller waits for, and what starts
// them.
func (s service) newBackground(signer awslambda.IFunction) {
	dispatcher := s.newFunction(s.dispatcher())
	notifier := s.newFunction(s.notifier())
	s.newSchedules(s.newFunction(s.reconciler()), dispatcher, s.newFunction(s.monitor()), notifier)
	// Only long shards have messages. Those of money keep their maximum: a reservation alone would
	// throttle what a slot queues at once, and a throttled message is one attempt less.
	s.feed(s.queues.dispatch, dispatcher, "Shards", 1, unbounded)
	s.feed(s.queues.runs, s.newFunction(s.distributor(signer)), "Runs", runBatch, float64(s.settings.RunConcurrency))
	s.feed(s.queues.payouts, s.newFunction(s.payer(signer)), "Batches", payoutBatch, float64(s.settings.PayoutConcurrency))
	s.feed(s.queues.notices, notifier, "Notices", noticeBatch, s.bound(noticeConcurrency))
	s.feed(s.queues.pins, s.newFunction(s.pinner()), "Pins", pinBatch, s.bound(pinConcurrency))
}

// bound is the calls at a time of a queue that a small service leaves to its work.
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
			// It alone removes files; the proofs of distributions it may not.
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
		name: "pinner", construct: "Pinner", about: "Pins files whose pinning was put off",
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

// notifier tells Telegram groups what happened, and reads what their administrators tell the bot. No
// run waits for it.
func (s service) notifier() function {
	env := map[string]*string{
		"LAUNCH_TABLE":                 s.store.launch.TableName(),
		"WINDOW_TABLE":                 s.store.window.TableName(),
		"NOTICE_QUEUE_URL":             s.queues.notices.queue.QueueUrl(),
		"NOTICE_DEAD_LETTER_QUEUE_URL": s.queues.notices.dead.QueueUrl(),
		"TELEGRAM_API_URL":             jsii.String(s.settings.TelegramAPIURL),
	}
	s.setSecrets(env, secretsOfNotices)
	return function{
		name: "notifier", construct: "Notifier", about: "Tells Telegram groups about distributions, and reads whether they agree",
		memoryMB: 256, timeoutSeconds: backgroundTimeoutSeconds,
		env: env,
		may: []awsiam.PolicyStatement{
			within(s.store.window, update, []string{schema.RateWindows, schema.Notices}),
			within(s.store.launch, readItems, []string{schema.Groups + "*"}),
			within(s.store.launch, putOrUpdate, schema.Writes["notifier"]),
			allow(readQueue, s.queues.notices.queue.QueueArn()),
			allow(enqueue, s.queues.notices.dead.QueueArn()),
		},
	}
}
