// Package schema describes the DynamoDB tables: their keys, indexes and time to
// live. The CDK stack deploys them and the tests create them from this one
// description. It imports nothing, so that the stack does not pull in the SDK.
package schema

// Attribute names that every table uses.
const (
	PartitionKey = "pk"
	SortKey      = "sk"
	// ExpiresAt holds Unix seconds. DynamoDB deletes late (up to days), so the caller that
	// reads an item checks the time itself.
	ExpiresAt = "expiresAt"
)

// Status is the partition of the window table that the public page of the status is made
// from: what the monitor writes and function docs reads. Their roles name it.
const Status = "STATUS"

// Revoked is the partition of the window table of the wallets whose tokens operators
// revoked: the authorizer reads it, and no function writes it.
const Revoked = "REVOKED"

// Counted are the patterns of the partition keys of the caps table that the signer writes:
// the others are operators'.
var Counted = []string{"DAY#*", "MESSAGE#*", "RUN#*", "WALLET#*"}

// Tokens is how the partitions of the launch table begin that have the records of tokens,
// and nothing else: the docs function may read them for the page, and no other ones there.
const Tokens = "TOKEN#"

// Figures is how the partitions of the launch table begin that have what was counted of tokens
// and of what their holders were paid; the docs function may read them, too.
const Figures = "FIGURES#"

// Patterns of partition keys of the window table, for the roles of those who write there.
const (
	RateWindows = "RATE#*"
	Challenges  = "CHALLENGE#*"
	Answers     = "ANSWER#*"
	Notices     = "NOTICE#*"
)

// Claims is the pattern of the ledger's partition keys that the API writes: orders of claims.
const Claims = "CLAIMS#*"

// Patterns of partition keys of the webhook table, likewise.
const (
	WebhookOwners = "OWNER#*"
	Webhooks      = "HOOK#*"
	WebhookHosts  = "HOST#*"
)

// Writes are the patterns of the partition keys that each function writes in the launch
// table, and all that its role lets it write there; a function that is not here writes
// nothing there. What operations took down (NAME#, TAKEDOWN) no function writes.
var Writes = map[string][]string{
	// Of a picture's record the tokens function counts launches.
	"tokens": {"CALLER#*", "DUE#*", "IMAGE#*", "LIST#*", "NONCE#*", "NONCEPOOL", "SEARCH#*", "TOKEN#*", "TOKENID#*", "TX#*", "WALLET#*"},
	"images": {"IMAGE#*"},
	// Of a token's record the copy of its settings, which lists and pages show.
	"distribution": {"DUE#*", "ISSUED#*", "TOKEN#*"},
	"dex":          {"ISSUED#*", "POOL#*"},
	"launchpad":    {"CURVE#*", "ISSUED#*"},
	"featured":     {"ISSUED#*", "PROMOTION#*"},
	"reconciler": {
		"CANDLES#*", "CURVE#*", "CURVES", "CURVESPEED", "DUE#*", "FEATURED#*", "FIGURES", "FIGURES#*", "IMAGE#*", "ISSUED#*", "LIST#*", "NONCE#*",
		"NONCEPOOL", "PAYMENT#*", "PROMOTION#*", "SEARCH#*", "TOKEN#*", "TRADES#*", "TX#*", "WALLET#*",
	},
	"announcer": {"FIGURES#*"},
}

// Table is one on-demand table with a string partition key and a string sort
// key. Name is the logical name: the stack makes the physical one.
type Table struct {
	Name    string
	Indexes []Index
	// Streams has what is written told to the announcer, in the order of an item's writes.
	Streams bool
	// Recoverable asks for point-in-time recovery and protection from deletion.
	Recoverable bool
}

// Index is a global secondary index.
type Index struct {
	Name         string
	PartitionKey string // a string attribute
	SortKey      string // a number attribute
	// Holds are the attributes that it has of an item besides the keys; nil for all.
	Holds []string
}

// An index of what is due finds items by when something is due for them, in Unix
// milliseconds. Each entry that comes, goes or moves is written, and billed for its whole
// size: so it holds no more than what its readers list, and what they need beside they
// read from the table.
const (
	duePartition = "duePk"
	dueSort      = "dueAt"
)

// DueLaunches is that of the launch table: launches and other transactions by when the
// reconciler looks at them next, placements by their end. What was counted is there by how much
// it is, too, so that the most can be listed.
var DueLaunches = Index{
	Name: "due", PartitionKey: duePartition, SortKey: dueSort,
	Holds: []string{"signature", "mint", "promotionId", "startsAt"},
}

// DueRuns is that of the ledger: active runs by when they are overdue, and the heads of
// tokens with something undecided.
var DueRuns = Index{
	Name: "due", PartitionKey: duePartition, SortKey: dueSort,
	Holds: []string{RunStatus, Frozen, ReservedLamports},
}

// DueWebhooks is that of the webhook table: webhooks by when they are visited next.
var DueWebhooks = Index{Name: "due", PartitionKey: duePartition, SortKey: dueSort, Holds: []string{"failures"}}

// What the monitor reads of the ledger's due index.
const (
	RunStatus        = "runStatus"        // what a run is doing
	Frozen           = "frozen"           // why a token is frozen
	ReservedLamports = "reservedLamports" // what is set aside of a token, when anything is
)

// The tables, split by who may write them.
var (
	// Launch: wallets, images, prepared transactions, nonce accounts, tokens, lists. What a
	// token's record says of its settings is for lists and pages.
	Launch = Table{Name: "launch", Indexes: []Index{DueLaunches}, Streams: true, Recoverable: true}
	// Settings: what creators have ordered since their launches, by which runs go. Only the
	// distribution function writes it.
	Settings = Table{Name: "settings", Recoverable: true}
	// Ledger: runs, payments, burns: where money went. Only what moves money
	// writes it.
	Ledger = Table{Name: "ledger", Indexes: []Index{DueRuns}, Streams: true, Recoverable: true}
	// Caps: what left the distribution wallets lately, and what operators let leave beside.
	// Only the signer counts in it.
	Caps = Table{Name: "caps"}
	// Webhook: where creators want to be told of their tokens, and the messages to there.
	Webhook = Table{Name: "webhook", Indexes: []Index{DueWebhooks}, Recoverable: true}
	// Window: rate windows and sign-in challenges; everything in it expires.
	Window = Table{Name: "window"}
)

// Tables lists them all.
func Tables() []Table { return []Table{Launch, Settings, Ledger, Caps, Webhook, Window} }
