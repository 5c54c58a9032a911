package metric

// What the gateway's guard measures of every request, as a whole and by route.
var (
	Requests     = Metric{"Requests", Count, "requests that were answered"}
	Latency      = Metric{"Latency", Milliseconds, "time that a request took in its function"}
	Limited      = Metric{"Limited", Count, "requests that were answered 429"}
	ServerErrors = Metric{"ServerErrors", Count, "requests that were answered 500 or above"}
)

// What the chain's client measures, as a whole and by node.
var (
	RPCCalls   = Metric{"RPCCalls", Count, "calls of a Solana node"}
	RPCErrors  = Metric{"RPCErrors", Count, "calls that a node did not answer, or with a failure of its own"}
	RPCLatency = Metric{"RPCLatency", Milliseconds, "time that a call took"}
)

// What happens to launches and money, when it happens.
var (
	Launches    = Metric{"Launches", Count, "launches that are final on the chain"}
	RunsEnded   = Metric{"RunsEnded", Count, "runs that ended, by status"}
	RunSeconds  = Metric{"RunSeconds", Seconds, "time from a run's opening to its end"}
	HoldersPaid = Metric{"HoldersPaid", Count, "payments to holders that are final"}
	Payments    = Metric{"Payments", Count, "transactions of distributions that landed, by kind"}
	// Undecided counts each line that begins with "ALARM": money may or may not have
	// moved.
	Undecided      = Metric{"Undecided", Count, "amounts whose payment may or may not have landed"}
	SigningRefused = Metric{"SigningRefused", Count, "messages that the signer was asked for and does not sign"}
	SigningCapped  = Metric{"SigningCapped", Count, "messages that the signer refuses because more would leave than came in and than its limits leave"}
	// ExchangeUnreadable counts exchanges that wait, or were made elsewhere.
	ExchangeUnreadable = Metric{"ExchangeUnreadable", Count, "times that a venue's accounts or answers could not be read, or were unsafe"}
	TradesUnreadable   = Metric{"TradesUnreadable", Count, "trades on curves whose events are not known, and which do not count"}
	WalletLamports     = Metric{"WalletLamports", None, "lamports of a distribution wallet at the start of its run"}
)

// What becomes of messages to webhooks.
var (
	WebhooksDelivered = Metric{"WebhooksDelivered", Count, "messages that a receiver took"}
	WebhooksRetried   = Metric{"WebhooksRetried", Count, "attempts to deliver a message that a receiver did not take, and that are made again"}
	WebhooksFailed    = Metric{"WebhooksFailed", Count, "messages that no attempt delivered, and that their owner may replay"}
	WebhooksCrowded   = Metric{"WebhooksCrowded", Count, "visits that were put off because their destination has as many as it may"}
)

// What the monitor finds every minute.
var (
	NoncesFree          = Metric{"NoncesFree", Count, "nonce accounts that a launch can have at once"}
	Nonces              = Metric{"Nonces", Count, "nonce accounts"}
	AuthorityLamports   = Metric{"AuthorityLamports", None, "lamports of the nonce authority, which pays for nonce accounts"}
	RunsActive          = Metric{"RunsActive", Count, "runs at work"}
	RunsOverdue         = Metric{"RunsOverdue", Count, "runs of which nothing was heard for longer than they may be silent"}
	OldestRunSeconds    = Metric{"OldestRunSeconds", Seconds, "age of the slot of the oldest run at work"}
	OldestLaunchSeconds = Metric{"OldestLaunchSeconds", Seconds, "how long the reconciler is late with its oldest launch or transaction"}
	SlotLagSeconds      = Metric{"SlotLagSeconds", Seconds, "age of the newest finalized block"}
	GivenUp             = Metric{"GivenUp", Count, "messages in dead-letter queues"}
)

// What the canary finds at each check.
var (
	CanaryFailures = Metric{"CanaryFailures", Count, "steps of a caller that the canary could not do"}
	ProofsRefuted  = Metric{"ProofsRefuted", Count, "published proofs that the canary read and that do not hold"}
)

// All lists every metric.
func All() []Metric {
	return []Metric{
		Requests, Latency, Limited, ServerErrors,
		RPCCalls, RPCErrors, RPCLatency,
		Launches, RunsEnded, RunSeconds, HoldersPaid, Payments, Undecided, SigningRefused, SigningCapped, ExchangeUnreadable, TradesUnreadable, WalletLamports,
		NoncesFree, Nonces, AuthorityLamports, RunsActive, RunsOverdue, OldestRunSeconds, OldestLaunchSeconds, SlotLagSeconds, GivenUp,
		CanaryFailures, ProofsRefuted,
		WebhooksDelivered, WebhooksRetried, WebhooksFailed, WebhooksCrowded,
	}
}
