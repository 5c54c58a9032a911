package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudfront"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslogs"
)

// Stages. Any other name is a developer's stage with the properties of StageDev.
const (
	// StageLocal is the stack inside MiniStack. It leaves no resources behind and needs no
	// bootstrapped account.
	StageLocal = "local"
	// StageDev is temporary, and runs in a new account with AWS's initial quotas.
	StageDev = "dev"
	// StageStaging rehearses prod, with data that may be lost.
	StageStaging = "staging"
	// StageProd keeps its data, even after the deletion of the stack.
	StageProd = "prod"
)

// profile is the properties of a stage. The table of profiles has every difference between the
// stages.
type profile struct {
	// keeps reports whether tables, buckets, keys and logs outlive the stack.
	keeps bool
	// keepsWallets reports whether the wallets' key outlives the stack. The key's policy then
	// forbids the deletion.
	keepsWallets bool
	// protects reports whether tables and the stack can be deleted only after an operator has
	// disabled their protection.
	protects bool
	// recoveryDays is the period of point-in-time recovery of tables; zero means no recovery. A
	// positive period also enables versions of public files.
	recoveryDays float64
	// logs is the retention of the functions' logs. accessLog is the retention of logs with
	// addresses of callers: the gateway's log, and the logs of functions with routes. If accessLog
	// is empty, the gateway writes no log.
	logs, accessLog awslogs.RetentionDays
	// reserves reports whether functions that move money have reserved concurrency.
	reserves bool
	// explicit reports whether network, address and receivers of alarms are required settings.
	explicit bool
	// requests is the gateway's total throttle. dear is the throttle of each route that prepares a
	// transaction or stores an image.
	requests, dear throttle
	// front is the default of CloudFront in front of the API.
	front bool
	// images are CloudFront's edges for images and for the API.
	images awscloudfront.PriceClass
}

// throttle is the gateway's rate in a second, with its burst.
type throttle struct{ rate, burst float64 }

// Edges of CloudFront. The cheap edges are in North America, Europe and Israel.
const (
	edgesNone  awscloudfront.PriceClass = ""
	edgesCheap                          = awscloudfront.PriceClass_PRICE_CLASS_100
	edgesAll                            = awscloudfront.PriceClass_PRICE_CLASS_ALL
)

// profiles are the stages. docs/operations.md has the table in words.
var profiles = map[string]profile{
	// MiniStack has no edges, and the proxy in front of MiniStack logs every request.
	StageLocal: {
		logs:     awslogs.RetentionDays_ONE_WEEK,
		requests: throttle{rate: 500, burst: 1000}, dear: throttle{rate: 100, burst: 200},
	},
	// A new account has a concurrency of 10, which cannot be reserved.
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
		keeps: true, keepsWallets: true, protects: true, recoveryDays: maxRecoveryDays,
		logs: awslogs.RetentionDays_THREE_MONTHS, accessLog: awslogs.RetentionDays_ONE_MONTH,
		reserves: true, explicit: true,
		requests: throttle{rate: 500, burst: 1000}, dear: throttle{rate: 100, burst: 200},
		images: edgesAll,
	},
}

// maxRecoveryDays is DynamoDB's maximum.
const maxRecoveryDays = 35

// profile returns the properties of the settings' stage. On mainnet, wallets hold money on every
// stage. Keys and records are then kept and protected as on prod, functions that move money have
// reserved concurrency, and an operator receives the alarms.
func (s Settings) profile() profile {
	p, ok := profiles[s.Stage]
	if !ok {
		p = profiles[StageDev]
	}
	if s.Network == networkMainnet && !s.Local() {
		p.keeps, p.keepsWallets, p.protects, p.recoveryDays = true, true, true, maxRecoveryDays
		p.reserves, p.explicit, p.front = true, true, true
	}
	if throttles := s.size().throttles; throttles != nil {
		p.requests, p.dear = throttles[0], throttles[1]
	}
	return p
}

// keep returns the removal policy of resources with data. A rollback of the creation deletes such a
// resource, so that the creation can be repeated.
func (s service) keep() awscdk.RemovalPolicy {
	if s.settings.profile().keeps {
		return awscdk.RemovalPolicy_RETAIN_ON_UPDATE_OR_DELETE
	}
	return awscdk.RemovalPolicy_DESTROY
}
