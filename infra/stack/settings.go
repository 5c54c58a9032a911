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
)

// Networks of the ledger.
const (
	networkLocal   = "localnet"
	networkDevnet  = "devnet"
	networkMainnet = "mainnet"
)

// mostSpreadSeconds is the longest delay that SQS gives a message.
const mostSpreadSeconds = int(dispatch.MostSpread / time.Second)

// What SQS takes as the most calls that a queue starts at a time (AWS Lambda Developer
// Guide, "Maximum concurrency").
const leastConcurrency, mostConcurrency = 2, 1000

// devnetRPC is the public endpoint of Solana's devnet.
const devnetRPC = "https://api.devnet.solana.com"

// mainnetRPC is that of Solana's mainnet. It is for people who look at the page, and not
// for functions: it takes few calls.
const mainnetRPC = "https://api.mainnet-beta.solana.com"

// Settings is what differs from one deployment to the next. Each field is a
// context value of the same name in camel case (cdk deploy -c stage=prod).
type Settings struct {
	Stage   string // default dev
	Profile string // standard or small; default standard
	Network string // localnet, devnet or mainnet; default devnet, on the local stage localnet
	// Arch of the functions, arm64 or x86_64. Locally they run on the host, so there
	// it is the host's. Default arm64.
	Arch string
	// RPCURL is the address of Solana nodes that is no secret. Default on devnet, where
	// there is no RPCSecret, the public endpoint.
	RPCURL  string
	Secrets Secrets
	// IPFSAPIURL is the RPC API of a Kubo node; it or the secret with Pinata's token is
	// needed.
	IPFSAPIURL string
	// Pins are the services that pin each file, pinata and kubo, with a comma between. By
	// default the functions take pinata if it has a secret, otherwise kubo.
	Pins           string
	IPFSGatewayURL string // default https://ipfs.io
	// TreasuryAddress is the wallet to which featured placement is paid.
	TreasuryAddress string
	// PublicURL is the address that callers use; sign-in messages name its host.
	// Default: https://DomainName, or the API's own address.
	PublicURL string
	// AllowedOrigins are those of third-party pages, with commas between, whose domains
	// sign-in messages name that they ask for. Default none.
	AllowedOrigins string
	// ReportURL is where a token, a picture or a name is reported, from reportAddress, a mail
	// address or an https one. Required on mainnet.
	ReportURL string
	// DomainName is a name of the API's own, CertificateARN its certificate in the
	// stack's region. Default none.
	DomainName     string
	CertificateARN string
	// ImageDomain and ImageCertificateARN are the same for pictures; CloudFront wants
	// its certificates in us-east-1. Default a name of CloudFront's.
	ImageDomain         string
	ImageCertificateARN string
	// HostedZoneID and HostedZoneName are the zone of Route 53 that gets the records of
	// both names. Default none: the outputs of the stack say where names have to point.
	HostedZoneID   string
	HostedZoneName string
	// FunctionsDir holds <function>.zip for every function. Default
	// ../.build/functions, where make build puts them.
	FunctionsDir string
	// CodeBucket receives the zips on the local stage, in place of the bucket of a
	// bootstrapped account; it must exist. Default cdk-assets.
	CodeBucket string
	LogLevel   string // debug, info, warn or error; default info
	// TokenKeys names the keys of the callers' tokens, with commas between: the
	// first signs, all verify. A name is TokenKey with any number after it, and a new
	// name is a new key: docs/operations.md says how to rotate. Default TokenKey.
	TokenKeys string

	// Exchanges are the venues at which tax is sold for the reward, with commas between and
	// the preferred one first: jupiter, pools (the token's own) and maker (the local stack's
	// own market). Default none: only the token itself is paid out.
	Exchanges      string
	ExchangeURL    string
	TelegramAPIURL string // default https://api.telegram.org
	// AlarmTopic is the ARN of the SNS topic that hears alarms, AlarmEmail the address
	// of an operator who hears them by a topic of the stack's own. Default none: they show
	// in CloudWatch only.
	AlarmTopic string
	AlarmEmail string
	// MonthlyBudget is what the account may cost in a month, in whole US dollars: AlarmTopic or
	// AlarmEmail hears when it costs more, or will. Default 0: there is no budget.
	MonthlyBudget int
	// AccountConcurrency is the account's quota of concurrent executions in the Region, of which an
	// alarm looks at 80 percent. Default 1000, as AWS has it for an account that is not new.
	AccountConcurrency int

	// ReplicaRegion is another Region, where a stack of its own keeps a replica of the
	// wallets' key, and where the stage is protected another one copies of what has data. Required where the stack is protected, unless the key is adopted.
	// Default none.
	ReplicaRegion string
	// CopyVaultARN is a vault of AWS Backup in another account, which gets a copy of the tables
	// once a day. Default none.
	CopyVaultARN string
	// LedgerCopies is how often the ledger is copied to the second Region, daily or hourly. Default
	// daily: with the journal, which is replicated, an older copy is brought up to date.
	LedgerCopies string
	// ReplicaAlarmTopic is as AlarmTopic, for the alarms in that Region; the small profile has none.
	ReplicaAlarmTopic string
	// KeyAdminRole is the name of the role that may change the policy of the wallets'
	// key, beside CloudFormation. It may be made on the day that it is needed. Default
	// token-launch-key-admin.
	KeyAdminRole string
	// Trail makes a trail of the account's calls (true), for an account that has none. On
	// mainnet one is required: existing says that the account, or its organization, has one.
	Trail bool

	// Qualifier is that of CDK's bootstrap, which names the role by which CloudFormation
	// deploys. Default CDK's own.
	Qualifier string
	// WalletStack is another stack whose functions may use the wallets' key, with its
	// Region, such as token-launch-prod-2/eu-west-1: one that adopted the key. Default none.
	WalletStack string
	// Front puts CloudFront before the API. Default on staging, prod and mainnet.
	Front bool
	// WAF puts a web ACL before the front. Default with a front, and not with the small profile.
	WAF bool
	// EdgeAlarmTopic is a topic in us-east-1, which hears what rings there: IAM is there.
	// Default AlarmTopic where that is in us-east-1.
	EdgeAlarmTopic string

	// Name of the stack, when another one of the stage is there already. Default
	// token-launch-<stage>.
	Name string
	// Paused leaves the schedules and the queues' readers of a new stack off, so that
	// nothing moves before an operator says so. Default false.
	Paused bool
	// Release names what is deployed, for operate status; make assemble gives it the stage
	// and the commit. Default none.
	Release string
	// Version is that of the release, for GET /health; make assemble gives it what git says of
	// the commit. Default none.
	Version string
	// Adopted is what exists already.
	Adopted Adopted

	// PageRPCURL is the node that the page's visitors ask, without a key: it is on the page.
	// Default the public endpoint of devnet or mainnet.
	PageRPCURL string
	// PageBurner lets the page make wallets whose keys are in the browser; on the local
	// stage only.
	PageBurner bool
	// PageMarkets are the keys, with commas between, that the page takes for markets when it
	// verifies a proof; on the local stage alone.
	PageMarkets string

	// WebhookLoopback allows webhooks on the machine itself, http too; on the local stage alone.
	WebhookLoopback bool

	// CanaryMinutes is how often the canary looks, 60 at most; 0 for no canary. Default 10
	// where there is a front, and 0.
	CanaryMinutes int
	// CanaryMint is a token whose newest proof the canary verifies. Default none.
	CanaryMint string

	LeasesPerIP int // live token creations for each address; default 20
	// LaunchLifetime is what launches use: nonce, while the network has durable nonces,
	// or blockhash. Default nonce, and a blockhash where there is none to be had.
	LaunchLifetime           string
	NoncePoolMax             int // nonce accounts at most; default 200
	NoncePoolMin             int // nonce accounts kept ready; default 5
	WalletFundingLamports    int // what a creation puts into its distribution wallet; default 20,000,000
	PriorityFeeMicrolamports int // the least that is offered for a compute unit; default 10,000
	// PriorityFeeMaxMicrolamports is the most; default 1,000,000.
	PriorityFeeMaxMicrolamports int
	// PayoutVersion is the version of transactions that holders are paid by, legacy or 1.
	PayoutVersion string
	SpreadSeconds int // over which the runs of a slot begin; default 900, the most there is
	// RunConcurrency and PayoutConcurrency are how many calls of distributor and payer
	// there are at a time, 2 to 1,000 (SQS's bounds); default 50 and 20.
	RunConcurrency    int
	PayoutConcurrency int
	// The limits of what leaves distribution wallets beyond what came in lately: SOL in a run,
	// from a wallet in a day and from all wallets in a day; of a token, basis points of its
	// supply. The defaults are signing.DefaultLimits.
	SignerRunSOL             int
	SignerWalletDaySOL       int
	SignerDaySOL             int
	SignerRunSupplyBps       int
	SignerWalletDaySupplyBps int
}

// Local says whether this is the stack inside MiniStack.
func (s Settings) Local() bool { return s.Stage == StageLocal }

var (
	stageName = regexp.MustCompile(`^[a-z][a-z0-9-]{0,19}$`)
	// With the longest name of a Region, -replica and -Deriver it is the name of a role,
	// which has 64 letters at most.
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

// ReadSettings reads the settings from the context's values; an empty value is one that
// is not set. The error names everything that is wrong, values that nothing reads among
// it.
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
		SpreadSeconds:               r.number("spreadSeconds", mostSpreadSeconds),
		SignerRunSOL:                r.number("signerRunSol", wholeSOL(signing.DefaultLimits.RunLamports)),
		SignerWalletDaySOL:          r.number("signerWalletDaySol", wholeSOL(signing.DefaultLimits.WalletDayLamports)),
		SignerDaySOL:                r.number("signerDaySol", wholeSOL(signing.DefaultLimits.DayLamports)),
		SignerRunSupplyBps:          r.number("signerRunSupplyBps", int(signing.DefaultLimits.RunSupplyBps)),             //nolint:gosec // basis points
		SignerWalletDaySupplyBps:    r.number("signerWalletDaySupplyBps", int(signing.DefaultLimits.WalletDaySupplyBps)), //nolint:gosec // basis points
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
	if s.PriorityFeeMaxMicrolamports < s.PriorityFeeMicrolamports {
		r.fail("priorityFeeMaxMicrolamports is %d: it must be priorityFeeMicrolamports, %d, or more", s.PriorityFeeMaxMicrolamports, s.PriorityFeeMicrolamports)
	}
	if s.SpreadSeconds > mostSpreadSeconds {
		r.fail("spreadSeconds is %d: it must be %d at most", s.SpreadSeconds, mostSpreadSeconds)
	}
	for name, calls := range map[string]int{"runConcurrency": s.RunConcurrency, "payoutConcurrency": s.PayoutConcurrency} {
		if calls < leastConcurrency || calls > mostConcurrency {
			r.fail("%s is %d: it must be %d to %d", name, calls, leastConcurrency, mostConcurrency)
		}
	}
	if s.Network == networkMainnet && !s.Local() && r.text("trail", trailNone) == trailNone {
		r.fail("trail is not set: on mainnet calls to the wallets' key must be heard. %q makes a trail, %q says that the account has one", trailOwn, trailThere)
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
