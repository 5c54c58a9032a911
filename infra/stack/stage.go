package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudfront"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslogs"
)

// Stages. Any other name is a stage for developers, with what StageDev gets.
const (
	// StageLocal is the stack inside MiniStack: it leaves nothing behind and needs no
	// bootstrapped account.
	StageLocal = "local"
	// StageDev comes and goes, and runs in a new account as AWS hands it out.
	StageDev = "dev"
	// StageStaging rehearses prod, with data that may be lost.
	StageStaging = "staging"
	// StageProd keeps its data, whatever happens to the stack.
	StageProd = "prod"
)

// profile is what a stage gets. Everything that differs from one stage to the next
// is in the table of profiles, and nowhere else.
type profile struct {
	// keeps: tables, buckets, keys and logs outlive the stack.
	keeps bool
	// keepsWallets: the wallets' key outlives the stack, and its policy lets no one delete it.
	keepsWallets bool
	// protects: tables and the stack itself are deleted only after an operator has
	// switched their protection off.
	protects bool
	// recoveryDays is how far back a table can be restored to any second; none with
	// zero. With them come versions of the files that anyone may read.
	recoveryDays float64
	// logs is how long the functions' lines are kept, accessLog the same for the gateway's
	// and those of functions with routes, which have the addresses of callers; the gateway
	// writes none when it is empty.
	logs, accessLog awslogs.RetentionDays
	// reserves: functions that move money have their concurrency to themselves.
	reserves bool
	// explicit: network, address and who hears alarms must be said.
	explicit bool
	// requests is what the gateway lets through at all, dear the same for each route
	// that prepares a transaction or keeps a picture.
	requests, dear throttle
	// front: CloudFront stands before the API, unless the settings say no.
	front bool
	// images are the edges from which CloudFront serves pictures, and the API.
	images awscloudfront.PriceClass
}

// throttle is what the gateway lets through a second, and at once.
type throttle struct{ rate, burst float64 }

// Edges of CloudFront's. The cheap ones are in North America, Europe and Israel.
const (
	edgesNone  awscloudfront.PriceClass = ""
	edgesCheap                          = awscloudfront.PriceClass_PRICE_CLASS_100
	edgesAll                            = awscloudfront.PriceClass_PRICE_CLASS_ALL
)

// profiles are the stages. docs/operations.md has the table in words.
var profiles = map[string]profile{
	// MiniStack has no edges, and the proxy before MiniStack prints a line of each request.
	StageLocal: {
		logs:     awslogs.RetentionDays_ONE_WEEK,
		requests: throttle{rate: 500, burst: 1000}, dear: throttle{rate: 100, burst: 200},
	},
	// A new account has 10 calls at a time in all, of which none can be reserved.
	StageDev: {
		logs: awslogs.RetentionDays_ONE_WEEK, accessLog: awslogs.RetentionDays_ONE_WEEK,
		requests: throttle{rate: 50, burst: 100}, dear: throttle{rate: 10, burst: 20},
		images: edgesCheap,
	},
	StageStaging: {
		front:        true,
		keepsWallets: true, recoveryDays: 7,
		logs: awslogs.RetentionDays_ONE_MONTH, accessLog: awslogs.RetentionDays_TWO_WEEKS,
		reserves: true,
		requests: throttle{rate: 200, burst: 400}, dear: throttle{rate: 40, burst: 80},
		images: edgesCheap,
	},
	StageProd: {
		front: true,
		keeps: true, keepsWallets: true, protects: true, recoveryDays: mostRecoveryDays,
		logs: awslogs.RetentionDays_THREE_MONTHS, accessLog: awslogs.RetentionDays_ONE_MONTH,
		reserves: true, explicit: true,
		requests: throttle{rate: 500, burst: 1000}, dear: throttle{rate: 100, burst: 200},
		images: edgesAll,
	},
}

// mostRecoveryDays is the most that DynamoDB offers.
const mostRecoveryDays = 35

// profile is what the stack of these settings gets. On mainnet wallets hold money
// whatever the stage is called: what they derive from, and what is owed, is kept and
// protected as in prod, who moves it has its concurrency, and an operator hears the alarms.
func (s Settings) profile() profile {
	p, ok := profiles[s.Stage]
	if !ok {
		p = profiles[StageDev]
	}
	if s.Network == networkMainnet && !s.Local() {
		p.keeps, p.keepsWallets, p.protects, p.recoveryDays = true, true, true, mostRecoveryDays
		p.reserves, p.explicit, p.front = true, true, true
	}
	if throttles := s.size().throttles; throttles != nil {
		p.requests, p.dear = throttles[0], throttles[1]
	}
	return p
}

// keep returns the removal policy of what holds data. A rollback of the creation deletes it
// again, so that the creation can be repeated.
func (s service) keep() awscdk.RemovalPolicy {
	if s.settings.profile().keeps {
		return awscdk.RemovalPolicy_RETAIN_ON_UPDATE_OR_DELETE
	}
	return awscdk.RemovalPolicy_DESTROY
}
