package stack

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"time"

	"tokenlaunch.example/service/pkg/distribution/dispatch"
	"tokenlaunch.example/service/pkg/distribution/signing"
	"tokenlaunch.example/service/pkg/launch"
	"tokenlaunch.example/service/pkg/token/handover"
)

// Networks of the ledger.
const (
	networkLocal   = "localnet"
	networkDevnet  = "devnet"
	networkMainnet = "mainnet"
)

// maxSpreadSeconds is the maximum delay of a message in SQS.
const maxSpreadSeconds = int(dispatch.MaxSpread / time.Second)

// The bounds of a queue's maximum concurrency (AWS Lambda Developer Guide, "Maximum concurrency").
const minConcurrency, maxConcurrency = 2, 1000

// devnetRPC is the public endpoint of Solana's devnet.
const devnetRPC = "https://api.devnet.solana.com"

// mainnetRPC is the public endpoint of Solana's mainnet. It is for the page's visitors, and not for
// functions, because its rate limit is low.
const mainnetRPC = "https://api.mainnet-beta.solana.com"

// Settings are the settings of a deployment. Each field is a context value of the same name in
// camel case (cdk deploy -c stage=prod).
type Settings struct {
	Stage   string // default dev
	Profile string // standard or small; default standard
	Network string // localnet, devnet or mainnet; default devnet, on the local stage localnet
	// Arch is the architecture of the functions, arm64 or x86_64. Default arm64; on the local stage
	// the architecture of the host.
	Arch string
	// RPCURL is the address of Solana nodes without a secret. Default on devnet without RPCSecret:
	// the public endpoint.
	RPCURL  string
	Secrets Secrets
	// IPFSAPIURL is the RPC API of a Kubo node. This value or the secret with Pinata's token is
	// required.
	IPFSAPIURL string
	// Pins are the services that pin each file, pinata and kubo, separated by commas. Default:
	// pinata if it has a secret, otherwise kubo.
	Pins           string
	IPFSGatewayURL string // default https://ipfs.io
	// TreasuryAddress is the wallet that receives payments for featured placement.
	TreasuryAddress string
	// PublicURL is the public address of the API, whose host sign-in messages name. Default:
	// https://DomainName, or the API's own address.
	PublicURL string
	// AllowedOrigins are the origins of third-party pages, separated by commas. Sign-in messages
	// that these pages request name the domain of the page. Default none.
	AllowedOrigins string
	// ReportURL is the address for reports of tokens, images and names, from reportAddress: a mail
	// address or an https address. Required on mainnet.
	ReportURL string
	// DomainName is the API's domain name, CertificateARN the name's certificate in the stack's
	// Region. Default none.
	DomainName     string
	CertificateARN string
	// ImageDomain and ImageCertificateARN are the same for images. CloudFront requires certificates
	// in us-east-1. Default: a name by CloudFront.
	ImageDomain         string
	ImageCertificateARN string
	// HostedZoneID and HostedZoneName are the zone of Route 53 for the records of both names.
	// Default none: the stack's outputs have the targets of the records.
	HostedZoneID   string
	HostedZoneName string
	// FunctionsDir has <function>.zip for every function. Default ../.build/functions, the output
	// of make build.
	FunctionsDir string
	// CodeBucket receives the zips on the local stage, in place of the bucket of a bootstrapped
	// account. The bucket must exist. Default cdk-assets.
	CodeBucket string
	LogLevel   string // debug, info, warn or error; default info
	// TokenKeys are the names of the access tokens' keys, separated by commas. The first key signs,
	// and all keys verify. A name is TokenKey with an optional number, and a new name is a new key.
	// docs/operations.md describes the rotation. Default TokenKey.
	TokenKeys string

	// Exchanges are the venues for selling tax, separated by commas, the preferred venue first:
	// jupiter, pools (the token's own pools) and maker (the local stack's market). Default none:
	// only the token itself is paid out.
	Exchanges   string
	ExchangeURL string
	// GuardianKey is the guardian's key, which launches may name. GuardianURL is the guardian's
	// address, and the secret guardianSecret has the token. Default none: launches name no guardian.
	GuardianKey    string
	GuardianURL    string
	TelegramAPIURL string // default https://api.telegram.org
	// AlarmTopic is the ARN of the SNS topic for alarms. AlarmEmail is an operator's address for a
	// topic of the stack. Default none: alarms are only visible in CloudWatch.
	AlarmTopic string
	AlarmEmail string
	// MonthlyBudget is the account's maximum cost in a month, in whole US dollars. AlarmTopic or
	// AlarmEmail is notified when the cost or the forecast exceeds the budget. Default 0: no
	// budget.
	MonthlyBudget int
	// AccountConcurrency is the account's quota of concurrent executions in the Region. An alarm
	// fires at 80 percent. Default 1000, AWS's quota for an account that is not new, and 150 with the
	// small profile.
	AccountConcurrency int

	// ReplicaRegion is another Region for the stack with the replica of the wallets' key, and on
	// protected stages for the stack with the copies of data. Required on protected stages, unless
	// the key is adopted. Default none.
	ReplicaRegion string
	// CopyVaultARN is a vault of AWS Backup in another account, which gets a daily copy of the
	// tables. Default none.
	CopyVaultARN string
	// LedgerCopies is the interval of copying the ledger to the second Region, daily or hourly.
	// Default daily: the replicated journal brings an older copy up to date.
	LedgerCopies string
	// ReplicaAlarmTopic is AlarmTopic for the alarms in ReplicaRegion. The small profile has no
	// such alarms.
	ReplicaAlarmTopic string
	// KeyAdminRole is the name of the role that may change the policy of the wallets' key, in
	// addition to CloudFormation. The role may be created when needed. Default
	// token-launch-key-admin.
	KeyAdminRole string
	// Trail creates a trail of the account's calls (true), for an account without a trail. Mainnet
	// requires a trail: existing means that the account or its organization has a trail.
	Trail bool

	// Qualifier is the qualifier of CDK's bootstrap, which is part of the name of CloudFormation's
	// role. Default: CDK's own.
	Qualifier string
	// WalletStack is another stack with its Region, such as token-launch-prod-2/eu-west-1, whose
	// functions may use the wallets' key: a stack that adopted the key. Default none.
	WalletStack string
	// Front puts CloudFront in front of the API. Default true on staging, prod and mainnet.
	Front bool
	// WAF puts a web ACL in front of CloudFront. Default true with a front, except for the small
	// profile.
	WAF bool
	// EdgeAlarmTopic is a topic in us-east-1 for the alarms there, because IAM's events are there.
	// Default: AlarmTopic if it is in us-east-1.
	EdgeAlarmTopic string

	// Name is the name of the stack, for a stage with another stack. Default token-launch-<stage>.
	Name string
	// Paused disables the schedules and the readers of queues, so that a new stack moves nothing
	// before an operator decides. Default false.
	Paused bool
	// Release is the name of the deployment for operate status. make assemble sets the stage and
	// the commit. Default none.
	Release string
	// Version is the version of the release for GET /health. make assemble sets git's description
	// of the commit. Default none.
	Version string
	// Adopted names existing resources.
	Adopted Adopted

	// PageRPCURL is the node of the page's visitors, without a key, because the page contains the
	// address. Default: the public endpoint of devnet or mainnet.
	PageRPCURL string
	// PageBurner lets the page create wallets whose keys are in the browser. Only on the local
	// stage.
	PageBurner bool
	// PageMarkets are the market keys for verifying proofs on the page, separated by commas. Only
	// on the local stage.
	PageMarkets string

	// WebhookLoopback allows webhooks on the local machine, also by http. Only on the local stage.
	WebhookLoopback bool

	// CanaryMinutes is the interval of the canary's checks, at most 60; 0 for no canary. Default 10
	// with a front, 60 with a front and the small profile, otherwise 0.
	CanaryMinutes int
	// CanaryMint is a token whose newest proof the canary verifies. Default none.
	CanaryMint string

	LeasesPerIP int // unexpired token creations for each address; default 20
	// LaunchLifetime is nonce or blockhash. Default nonce, with a blockhash if no durable nonce is
	// available.
	LaunchLifetime           string
	NoncePoolMax             int // maximum number of nonce accounts; default 200
	NoncePoolMin             int // minimum number of free nonce accounts; default 5
	WalletFundingLamports    int // lamports that a creation transfers to the distribution wallet; default 20,000,000
	PriorityFeeMicrolamports int // minimum price of a compute unit; default 10,000
	// PriorityFeeMaxMicrolamports is the maximum price of a compute unit; default 1,000,000.
	PriorityFeeMaxMicrolamports int
	// PayoutVersion is the version of payment transactions, legacy or 1.
	PayoutVersion string
	SpreadSeconds int // period over which the runs of a slot begin; default 900, the maximum
	// RunConcurrency and PayoutConcurrency are the maximum concurrency of distributor and payer, 2
	// to 1,000 (SQS's bounds); default 50 and 20, and 2 each with the small profile.
	RunConcurrency    int
	PayoutConcurrency int
	// The limits of outgoing amounts beyond recent income: SOL in a run, from a wallet in a day and
	// from all wallets in a day, and for tokens basis points of the supply. The defaults are
	// signing.DefaultLimits.
	SignerRunSOL             int
	SignerWalletDaySOL       int
	SignerDaySOL             int
	SignerRunSupplyBps       int
	SignerWalletDaySupplyBps int
	// HandoverDelayHours is the time between a creator's order to hand the tax over, and the
	// hand-over.
	HandoverDelayHours int
}

// Local reports whether the stage is the stack inside MiniStack.
func (s Settings) Local() bool { return s.Stage == StageLocal }

var (
	stageName = regexp.MustCompile(`^[a-z][a-z0-9-]{0,19}$`)
	// The longest Region name, -replica and -Deriver follow in the name of a role, which has at
	// most 64 letters.
	stackName      = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9-]{0,32}$`)
	releaseVersion = regexp.MustCompile(`^[0-9]+(\.[0-9]+){2}(-[0-9A-Za-z.-]{1,64})?$`)
	releaseName    = regexp.MustCompile(`^[a-z0-9-]{1,64}$`)
	otherStack     = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9-]{0,32}/[a-z]{2}(-[a-z]+)+-[0-9]$`)
	tokenKeyNames  = regexp.MustCompile(`^TokenKey[0-9]*(,TokenKey[0-9]*)*$`)
)

func repeats(names []string) bool {
	slices.Sort(names)
	many := len(names)
	return len(slices.Compact(names)) != many
}

// ReadSettings reads the settings from the context's values. An empty value is unset. The error
// lists all invalid and all unknown values.
func ReadSettings(context map[string]string) (Settings, error) {
	r := reader{context: context}
	s := Settings{
		Stage:           r.text("stage", StageDev),
		Profile:         r.oneOf("profile", profileStandard, profileSmall),
		Arch:            r.oneOf("arch", "arm64", "x86_64"),
		IPFSAPIURL:      r.address("ipfsApiUrl", ""),
		Pins:            r.pins(),
		IPFSGatewayURL:  r.address("ipfsGatewayUrl", "https://ipfs.io"),
		PublicURL:       r.address("publicUrl", ""),
		AllowedOrigins:  r.origins("allowedOrigins"),
		TreasuryAddress: r.wallet("treasuryAddress"),
		FunctionsDir:    r.text("functionsDir", "../.build/functions"),
		CodeBucket:      r.text("codeBucket", "cdk-assets"),
		LogLevel:        r.oneOf("logLevel", "info", "debug", "warn", "error"),
		TokenKeys:       r.text("tokenKeys", "TokenKey"),

		Secrets:        r.secrets(),
		PayoutVersion:  r.oneOf("payoutVersion", "1", "legacy"),
		Exchanges:      r.exchanges(),
		ExchangeURL:    r.address("exchangeUrl", ""),
		GuardianKey:    r.text("guardianKey", ""),
		GuardianURL:    r.address("guardianUrl", ""),
		TelegramAPIURL: r.address("telegramApiUrl", "https://api.telegram.org"),
		AlarmTopic:     r.text("alarmTopic", ""),
		AlarmEmail:     r.text("alarmEmail", ""),

		MonthlyBudget: r.number("monthlyBudget", 0),

		DomainName:          r.text("domainName", ""),
		CertificateARN:      r.text("certificateArn", ""),
		ImageDomain:         r.text("imageDomain", ""),
		ImageCertificateARN: r.text("imageCertificateArn", ""),
		HostedZoneID:        r.text("hostedZoneId", ""),
		HostedZoneName:      r.text("hostedZoneName", ""),

		ReplicaRegion:     r.named("replicaRegion", regionName, "the name of a Region such as eu-west-1"),
		CopyVaultARN:      r.named("copyVaultArn", vaultARN, "the ARN of a vault of AWS Backup"),
		LedgerCopies:      r.oneOf("ledgerCopies", copiedDaily, copiedHourly),
		ReplicaAlarmTopic: r.text("replicaAlarmTopic", ""),
		KeyAdminRole:      r.role("keyAdminRole", "token-launch-key-admin"),
		Trail:             r.oneOf("trail", trailNone, trailOwn, trailThere) == trailOwn,

		LaunchLifetime:              r.oneOf("launchLifetime", string(launch.OnNonce), string(launch.OnBlockhash)),
		LeasesPerIP:                 r.number("leasesPerIp", 20),
		NoncePoolMax:                r.number("noncePoolMax", 200),
		NoncePoolMin:                r.number("noncePoolMin", 5),
		WalletFundingLamports:       r.number("walletFundingLamports", 20_000_000),
		PriorityFeeMicrolamports:    r.number("priorityFeeMicrolamports", 10_000),
		PriorityFeeMaxMicrolamports: r.number("priorityFeeMaxMicrolamports", 1_000_000),
		SpreadSeconds:               r.number("spreadSeconds", maxSpreadSeconds),
		SignerRunSOL:                r.number("signerRunSol", wholeSOL(signing.DefaultLimits.RunLamports)),
		SignerWalletDaySOL:          r.number("signerWalletDaySol", wholeSOL(signing.DefaultLimits.WalletDayLamports)),
		SignerDaySOL:                r.number("signerDaySol", wholeSOL(signing.DefaultLimits.DayLamports)),
		SignerRunSupplyBps:          r.number("signerRunSupplyBps", int(signing.DefaultLimits.RunSupplyBps)),             //nolint:gosec // basis points
		SignerWalletDaySupplyBps:    r.number("signerWalletDaySupplyBps", int(signing.DefaultLimits.WalletDaySupplyBps)), //nolint:gosec // basis points
		HandoverDelayHours:          r.number("handoverDelayHours", int(handover.DefaultDelay.Hours())),
	}
	s.AccountConcurrency = r.number("accountConcurrency", s.size().accountCalls)
	s.RunConcurrency = r.number("runConcurrency", s.size().runCalls)
	s.PayoutConcurrency = r.number("payoutConcurrency", s.size().payoutCalls)
	s.Name = r.named("stackName", stackName, "letters, digits and hyphens, a letter first, 33 at most: names of roles have 64 letters")
	s.WalletStack = r.named("walletStack", otherStack, "the name of a stack and its Region, such as token-launch-prod-2/eu-west-1")
	s.Qualifier = r.qualifier()
	s.Release = r.named("release", releaseName, "a stage and a commit such as prod-0123456789ab")
	s.Version = r.named("version", releaseVersion, "a version such as 1.2.0")
	s.Paused = r.oneOf("paused", "false", "true") == "true"
	s.Adopted = readAdopted(&r)
	if s.Name == "" {
		s.Name = "token-launch-" + s.Stage
	}
	if !stageName.MatchString(s.Stage) {
		r.fail("stage is %q: it must be a lower-case word of at most 20 letters, digits and hyphens", s.Stage)
	}
	if !tokenKeyNames.MatchString(s.TokenKeys) || repeats(strings.Split(s.TokenKeys, ",")) {
		r.fail("tokenKeys is %q: it must be different names such as TokenKey and TokenKey2, with commas between", s.TokenKeys)
	}
	networks := []string{networkDevnet, networkLocal, networkMainnet}
	if s.Local() {
		networks = []string{networkLocal, networkDevnet, networkMainnet}
	}
	s.Network = r.oneOf("network", networks...)
	s.RPCURL = r.publicNode(s)
	s.ReportURL = r.report(s.Network)
	s.PageRPCURL, s.PageBurner, s.PageMarkets = r.pageNode(s), r.pageBurner(s), r.pageMarkets(s)
	s.WebhookLoopback = r.webhookLoopback(s)
	r.checkVenues(s)
	r.checkGuardian(s)
	if s.PriorityFeeMaxMicrolamports < s.PriorityFeeMicrolamports {
		r.fail("priorityFeeMaxMicrolamports is %d: it must be priorityFeeMicrolamports, %d, or more", s.PriorityFeeMaxMicrolamports, s.PriorityFeeMicrolamports)
	}
	if s.SpreadSeconds > maxSpreadSeconds {
		r.fail("spreadSeconds is %d: it must be %d at most", s.SpreadSeconds, maxSpreadSeconds)
	}
	for name, calls := range map[string]int{"runConcurrency": s.RunConcurrency, "payoutConcurrency": s.PayoutConcurrency} {
		if calls < minConcurrency || calls > maxConcurrency {
			r.fail("%s is %d: it must be %d to %d", name, calls, minConcurrency, maxConcurrency)
		}
	}
	if s.Network == networkMainnet && !s.Local() && r.text("trail", trailNone) == trailNone {
		r.fail("trail is not set: on mainnet calls to the wallets' key must raise alarms. %q makes a trail, %q declares that the account has one", trailOwn, trailThere)
	}
	r.checkAlarms(s)
	r.checkNames(s)
	r.frontOf(&s)
	r.canaryOf(&s)
	r.checkExplicit(s)
	r.checkRecovered(s.Adopted)
	r.checkReplica(s, r.named("region", regionName, "the name of a Region such as eu-west-1"))
	r.checkUnknown()
	return s, errors.Join(r.errs...)
}
