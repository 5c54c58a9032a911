package stack

import (
	"maps"

	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/jsii-runtime-go"

	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/distribution/dispatch"
	"tokenlaunch.example/service/pkg/token/content"
	"tokenlaunch.example/service/pkg/token/terms"
)

// The timeouts of the functions between a schedule and the payments.
const (
	// dispatcherTimeoutSeconds suffices for some 50,000 tokens. A larger shard continues in another
	// invocation.
	dispatcherTimeoutSeconds = 60
	// distributorTimeoutSeconds suffices for the longest step of a run, the snapshot of a million
	// holders.
	distributorTimeoutSeconds = 300
	// distributorScratchMB suffices to sort 25 million holders. A snapshot stores 40 bytes for each
	// holder's balance, and 40 bytes for the withheld tax (package snapshot).
	distributorScratchMB = 2048
	// payerTimeoutSeconds is more than twice the duration of a batch's step with a slow node.
	payerTimeoutSeconds = 60
)

// The messages of an invocation, and the reserved concurrency. A run uses the whole memory of its
// function. A batch mostly waits for the node, whose capacity limits the number of batches.
//
// Stages that reserve give each function the concurrency of its queue. A flood of requests then
// cannot delay payments, and no message waits for an invocation after Lambda has received the
// message:
//
//	distributor  50, or runConcurrency
//	payer        20, or payoutConcurrency
//	signer       80 = one call of each distributor and payer + 10 for new wallets' addresses
//	dispatcher   25 = 16 shards + 8 schedules at midnight + the sweep of the minute
//	in all      175, and AWS requires 100 unreserved: an account needs 275
//
// With the small profile these are 2, 2, 14 and 25: an account needs 143.
//
// An account begins with 1,000, a new account with as few as 10. docs/operations.md describes how
// to raise the quota. Other functions, including the authorizer, share the rest. A reservation
// would also be their maximum, and they would return 5xx before the account reaches its quota.
const (
	runBatch    = 1
	payoutBatch = 10
)

// dispatcherConcurrency returns the maximum number of invocations that the queue and the rules can
// start at a time.
func dispatcherConcurrency() float64 {
	return float64(dispatch.Shards + len(terms.Intervals()) + 1)
}

// Folders of the ledger's bucket. Files there are written once.
const (
	snapshots = "snapshots"
	plans     = "plans"
	collect   = "collect"
	journal   = "journal"
)

var (
	// keepLedger are the rights on the ledger of functions that move money.
	keepLedger = []string{
		"dynamodb:ConditionCheckItem", "dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:Query", "dynamodb:UpdateItem",
	}
	useWallets = []string{"kms:GenerateMac"}
	invoke     = []string{"lambda:InvokeFunction"}
)

// distributor opens and advances runs. The signer signs its transactions.
func (s service) distributor(signer awslambda.IFunction) function {
	env := map[string]*string{
		"LAUNCH_TABLE":            s.store.launch.TableName(),
		"SETTINGS_TABLE":          s.store.settings.TableName(),
		"ASSET_BUCKET":            s.store.assets.BucketName(),
		"PIN_QUEUE_URL":           s.queues.pins.queue.QueueUrl(),
		"WALLET_FUNDING_LAMPORTS": number(s.settings.WalletFundingLamports),
		"PAYOUT_VERSION":          jsii.String(s.settings.PayoutVersion),
		"MARKETS_NETWORK":         s.marketsNetwork(),
	}
	maps.Copy(env, s.moving(signer))
	set(env, "EXCHANGES", s.settings.Exchanges)
	set(env, "EXCHANGE_URL", s.settings.ExchangeURL)
	s.setSecrets(env, secretsOfVenues)
	s.setSecrets(env, secretsOfHolders)
	return function{
		name: "distributor", construct: "Distributor", about: "Opens runs and advances them",
		// One whole processor, for sorting and hashing a million holders.
		memoryMB: 1769, timeoutSeconds: distributorTimeoutSeconds, scratchMB: distributorScratchMB, alarming: true, calls: float64(s.settings.RunConcurrency),
		// A run advances by messages that distributor and payer send to each other and to
		// themselves, some twenty in a chain. The loop is safe without Lambda's limit: each step is
		// a conditional write, a run ends at its deadline, and the queue bounds the concurrency.
		loops: true,
		env:   env,
		may: []awsiam.PolicyStatement{
			allow(readItems, s.store.launch.TableArn()),
			// A run opens only if the token's settings have not changed since the read.
			allow([]string{"dynamodb:ConditionCheckItem", "dynamodb:GetItem"}, s.store.settings.TableArn()),
			allow(keepLedger, s.store.ledger.TableArn()),
			// A claim deletes the orders.
			within(s.store.ledger, []string{"dynamodb:DeleteItem"}, []string{schema.Claims}),
			allow(listFiles, s.store.books.BucketArn(), s.store.assets.BucketArn()),
			allow([]string{"s3:GetObject", "s3:PutObject"}, s.books(snapshots), s.books(plans), s.books(collect), s.books(journal),
				s.folder(content.ProofManifest)),
			// The settings of launches.
			allow(getFiles, s.folder(content.Metadata)),
			allow(readQueue, s.queues.runs.queue.QueueArn()),
			allow(s.enqueueMany(), s.queues.runs.queue.QueueArn(), s.queues.payouts.queue.QueueArn(),
				s.queues.pins.queue.QueueArn()),
			allow(invoke, signer.FunctionArn()),
		},
	}
}

// payer advances batches, chunk by chunk. The signer signs its transactions.
func (s service) payer(signer awslambda.IFunction) function {
	return function{
		name: "payer", construct: "Payer", about: "Advances batches of payments and collections",
		memoryMB: 512, timeoutSeconds: payerTimeoutSeconds, alarming: true, calls: float64(s.settings.PayoutConcurrency),
		loops: true, // see distributor
		env:   s.moving(signer),
		may: []awsiam.PolicyStatement{
			allow(keepLedger, s.store.ledger.TableArn()),
			allow(listFiles, s.store.books.BucketArn()),
			allow(getFiles, s.books(plans), s.books(collect), s.books(journal)),
			allow(putFiles, s.books(journal)),
			allow(readQueue, s.queues.payouts.queue.QueueArn()),
			allow(s.enqueueMany(), s.queues.payouts.queue.QueueArn(), s.queues.runs.queue.QueueArn()),
			allow(invoke, signer.FunctionArn()),
		},
	}
}

// moving returns the common variables of distributor and payer.
func (s service) moving(signer awslambda.IFunction) map[string]*string {
	env := map[string]*string{
		"LEDGER_TABLE":                   s.store.ledger.TableName(),
		"LEDGER_BUCKET":                  s.store.books.BucketName(),
		"RUN_QUEUE_URL":                  s.queues.runs.queue.QueueUrl(),
		"PAYOUT_QUEUE_URL":               s.queues.payouts.queue.QueueUrl(),
		"SIGNER_FUNCTION":                signer.FunctionName(),
		"PRIORITY_FEE_MICROLAMPORTS":     number(s.settings.PriorityFeeMicrolamports),
		"PRIORITY_FEE_MAX_MICROLAMPORTS": number(s.settings.PriorityFeeMaxMicrolamports),
	}
	s.setSecrets(env, secretsOfCheck)
	set(env, "GUARDIAN_URL", s.settings.GuardianURL)
	s.setSecrets(env, secretsOfGuardian)
	set(env, "RECOVERED", s.settings.Adopted.since())
	return s.node(env)
}

// enqueueMany returns the rights to send batches of messages. AWS has one right for batches and
// single messages. MiniStack requires a separate right.
func (s service) enqueueMany() []string {
	if s.settings.Local() {
		return append([]string{"sqs:SendMessageBatch"}, enqueue...)
	}
	return enqueue
}

// set sets a variable, unless the value is empty.
func set(env map[string]*string, name, value string) {
	if value != "" {
		env[name] = jsii.String(value)
	}
}

// books returns the ARN pattern of a directory in the ledger's bucket.
func (s service) books(folder string) *string {
	return concat(s.store.books.BucketArn(), "/"+folder+"/*")
}

// dispatcher converts schedules into messages. It moves no money and reads no key.
func (s service) dispatcher() function {
	return function{
		name: "dispatcher", construct: "Dispatcher", about: "Opens the slots of the schedules and queues the due runs",
		memoryMB: 512, timeoutSeconds: dispatcherTimeoutSeconds, calls: dispatcherConcurrency(),
		env: map[string]*string{
			"LAUNCH_TABLE":       s.store.launch.TableName(),
			"LEDGER_TABLE":       s.store.ledger.TableName(),
			"DISPATCH_QUEUE_URL": s.queues.dispatch.queue.QueueUrl(),
			"RUN_QUEUE_URL":      s.queues.runs.queue.QueueUrl(),
			"SPREAD_SECONDS":     number(s.settings.SpreadSeconds),
		},
		may: []awsiam.PolicyStatement{
			allow(query, s.store.launch.TableArn()),
			allow(query, concat(s.store.ledger.TableArn(), "/index/"+schema.DueRuns.Name)),
			allow(readQueue, s.queues.dispatch.queue.QueueArn()),
			allow(s.enqueueMany(), s.queues.dispatch.queue.QueueArn(), s.queues.runs.queue.QueueArn()),
		},
		givenUp: s.queues.dispatch.dead,
	}
}
