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

// The times of the functions on the way from a schedule to the holders.
const (
	// dispatcherTimeoutSeconds is enough for some 50,000 tokens; a shard with more
	// goes on in another call.
	dispatcherTimeoutSeconds = 60
	// distributorTimeoutSeconds is enough for the longest step of a run, the snapshot
	// of a million holders.
	distributorTimeoutSeconds = 300
	// distributorScratchMB is enough to sort 25 million holders: a snapshot sets aside 40
	// bytes of each, for balances and once more for what is withheld (package snapshot).
	distributorScratchMB = 2048
	// payerTimeoutSeconds is more than twice what a step of a batch takes with a node
	// that is slow.
	payerTimeoutSeconds = 60
)

// How many messages a call of the functions takes, and how many calls there are at
// a time. A run has the whole of its function's memory to itself; a batch mostly
// waits for the node, whose patience bounds how many there are.
//
// Stages that reserve give each function as many calls as its queue may start, so
// that no flood of requests holds up money that is on its way, and none waits for a
// call that its queue has taken a message for:
//
//	distributor  50, or runConcurrency
//	payer        20, or payoutConcurrency
//	signer       80 = one call of each distributor and payer + 10 for new wallets' addresses
//	dispatcher   25 = 16 shards + 8 schedules at midnight + the sweep of the minute
//	in all      175, and AWS wants 100 left for the others: an account needs 275
//
// With the small profile these are 2, 2, 14 and 25: an account needs 143.
//
// An account begins with 1,000, a new one with as few as 10: docs/operations.md says
// how to have that raised. The others, the authorizer among them, share what is left.
// To reserve for them would bound them too, and bounded they would answer 5xx before
// the account is at its end.
const (
	runBatch    = 1
	payoutBatch = 10
)

// dispatcherConcurrency is what its queue and the rules may start at one time.
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
	// keepLedger is what those do with the ledger who move money.
	keepLedger = []string{
		"dynamodb:ConditionCheckItem", "dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:Query", "dynamodb:UpdateItem",
	}
	useWallets = []string{"kms:GenerateMac"}
	invoke     = []string{"lambda:InvokeFunction"}
)

// distributor opens and advances runs. The signer signs for it.
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
		// One processor: a million holders are sorted and hashed here.
		memoryMB: 1769, timeoutSeconds: distributorTimeoutSeconds, scratchMB: distributorScratchMB, alarming: true, calls: float64(s.settings.RunConcurrency),
		// A run advances by messages that distributor and payer send to their own and to each
		// other's queue, some twenty in one chain. The loop is safe without Lambda's limit:
		// each step is a conditional write, a run ends at its deadline, and the queue's
		// concurrency bounds the invocations at a time.
		loops: true,
		env:   env,
		may: []awsiam.PolicyStatement{
			allow(readItems, s.store.launch.TableArn()),
			// A run opens only while the token's settings are as they were read.
			allow([]string{"dynamodb:ConditionCheckItem", "dynamodb:GetItem"}, s.store.settings.TableArn()),
			allow(keepLedger, s.store.ledger.TableArn()),
			// A claim takes the orders.
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

// payer advances batches, stripe by stripe. The signer signs for it.
func (s service) payer(signer awslambda.IFunction) function {
	return function{
		name: "payer", construct: "Payer", about: "Advances batches of payments and collections",
		memoryMB: 512, timeoutSeconds: payerTimeoutSeconds, alarming: true, calls: float64(s.settings.PayoutConcurrency),
		loops: true, // as distributor
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

// moving are the variables of both functions that move money.
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
	set(env, "RECOVERED", s.settings.Adopted.since())
	return s.node(env)
}

// enqueueMany is what those do with queues who send many messages by one call. AWS
// has one right for that and for single messages; MiniStack wants its own.
func (s service) enqueueMany() []string {
	if s.settings.Local() {
		return append([]string{"sqs:SendMessageBatch"}, enqueue...)
	}
	return enqueue
}

// set sets a variable unless the value is empty.
func set(env map[string]*string, name, value string) {
	if value != "" {
		env[name] = jsii.String(value)
	}
}

// books names the files of the ledger's bucket in a folder.
func (s service) books(folder string) *string {
	return concat(s.store.books.BucketArn(), "/"+folder+"/*")
}

// dispatcher turns schedules into messages. It moves no money and reads no key.
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
