// Package schema describes the DynamoDB tables: the keys, the indexes and the time to live. Both
// the CDK stack and the tests create the tables from this description. The package imports nothing,
// so that the stack does not link the SDK.
package schema

// Attribute names that every table uses.
const (
	PartitionKey = "pk"
	SortKey      = "sk"
	// ExpiresAt holds Unix seconds. DynamoDB deletes late (up to days), so readers of an item check
	// the time.
	ExpiresAt = "expiresAt"
)

// Status is the partition of the window table with the record of the public status page. The
// monitor writes the record, and function docs reads the record. The roles of both functions name
// the partition.
const Status = "STATUS"

// Revoked is the partition of the window table with the wallets whose access tokens operators
// revoked. The authorizer reads the partition. No function writes there.
const Revoked = "REVOKED"

// Counted is the patterns of the partition keys of the caps table that the signer writes. Only
// operators write the other partitions.
var Counted = []string{"DAY#*", "HANDOVER#*", "MESSAGE#*", "RUN#*", "WALLET#*"}

// Tokens is the prefix of the partitions of the launch table that have the records of tokens, and
// no other records. The docs function may read only the partitions of Tokens and Figures in the
// launch table.
const Tokens = "TOKEN#"

// Figures is the prefix of the partitions of the launch table with the statistics of tokens and of
// payments to holders. The docs function may read these partitions.
const Figures = "FIGURES#"

// Groups is the prefix of the partitions of the launch table with the codes and links of Telegram
// groups and private chats.
const Groups = "TELEGRAM#"

// Patterns of partition keys of the window table, for the roles of the functions that write there.
const (
	RateWindows = "RATE#*"
	Challenges  = "CHALLENGE#*"
	Answers     = "ANSWER#*"
	Notices     = "NOTICE#*"
)

// Claims is the pattern of the ledger's partition keys that the API writes, for holders' claim
// orders.
const Claims = "CLAIMS#*"

// Patterns of partition keys of the webhook table, for the same roles.
const (
	WebhookOwners = "OWNER#*"
	Webhooks      = "HOOK#*"
	WebhookHosts  = "HOST#*"
)

// Writes has the patterns of the launch table's partition keys that each function writes. A
// function's role permits writes only to these partitions. A function that is missing here writes
// nothing in the table. No function writes the takedowns of operators (NAME#, TAKEDOWN).
var Writes = map[string][]string{
	// In the record of a picture, the tokens function counts launches.
	"tokens": {"CALLER#*", "DUE#*", "IMAGE#*", "LIST#*", "NONCE#*", "NONCEPOOL", "SEARCH#*", "TOKEN#*", "TOKENID#*", "TX#*", "WALLET#*"},
	"images": {"IMAGE#*"},
	// In the record of a token, the distribution function writes the copy of the settings that
	// lists and pages show. In the record of a group or wallet, it writes the code that waits to be posted.
	"distribution": {"DUE#*", "ISSUED#*", "TELEGRAM#*", "TOKEN#*"},
	"dex":          {"ISSUED#*", "POOL#*"},
	"launchpad":    {"CURVE#*", "ISSUED#*"},
	"featured":     {"ISSUED#*", "PROMOTION#*"},
	"reconciler": {
		"CANDLES#*", "CURVE#*", "CURVES", "CURVESPEED", "DUE#*", "FEATURED#*", "FIGURES", "FIGURES#*", "IMAGE#*", "ISSUED#*", "LIST#*", "NONCE#*",
		"NONCEPOOL", "PAYMENT#*", "PROMOTION#*", "SEARCH#*", "TOKEN#*", "TRADES#*", "TX#*", "WALLET#*",
	},
	// The announcer takes tokens that were handed over off the lists of the schedules.
	"announcer": {"DUE#*", "FIGURES#*"},
	"notifier":  {"TELEGRAM#*"},
}

// Table is one on-demand table with a string partition key and a string sort key. Name is the
// logical name; the stack creates the physical name.
type Table struct {
	Name    string
	Indexes []Index
	// Streams sends the changes of items to the announcer, in the order of an item's writes.
	Streams bool
	// Recoverable enables point-in-time recovery and protection from deletion.
	Recoverable bool
}

// Index is a global secondary index.
type Index struct {
	Name         string
	PartitionKey string // a string attribute
	SortKey      string // a number attribute
	// Holds is the attributes of an item that the index has in addition to the keys; nil for all
	// attributes.
	Holds []string
}

// A due index finds items by the time at which the next step is due, in Unix milliseconds. Every
// entry that is added, removed or moved is a write, and is billed for the entry's whole size. So
// the index holds only the attributes that readers list. Readers get other attributes from the
// table.
const (
	duePartition = "duePk"
	dueSort      = "dueAt"
)

// DueLaunches is the due index of the launch table: launches and other transactions by the time of
// the reconciler's next check, and placements by the end of the placement. The index also has
// statistics by amount, so that the highest can be listed.
var DueLaunches = Index{
	Name: "due", PartitionKey: duePartition, SortKey: dueSort,
	Holds: []string{"signature", "mint", "promotionId", "startsAt"},
}

// DueRuns is the due index of the ledger: active runs by the time at which a run is overdue, and
// the heads of tokens with an undecided payment.
var DueRuns = Index{
	Name: "due", PartitionKey: duePartition, SortKey: dueSort,
	Holds: []string{RunStatus, Frozen, ReservedLamports},
}

// DueWebhooks is the due index of the webhook table: webhooks by the time of the next visit.
var DueWebhooks = Index{Name: "due", PartitionKey: duePartition, SortKey: dueSort, Holds: []string{"failures"}}

// Attributes that the monitor reads from the ledger's due index.
const (
	RunStatus        = "runStatus"        // the status of a run
	Frozen           = "frozen"           // the reason why a token is frozen
	ReservedLamports = "reservedLamports" // the lamports that are reserved for a token, if any
)

// The tables, split by writers.
var (
	// Launch: wallets, images, prepared transactions, nonce accounts, tokens, lists, links of
	// Telegram groups. The settings in a token's record are only for lists and pages.
	Launch = Table{Name: "launch", Indexes: []Index{DueLaunches}, Streams: true, Recoverable: true}
	// Settings: the settings that creators have ordered since their launches. Runs follow these
	// settings. Only the distribution function writes the table.
	Settings = Table{Name: "settings", Recoverable: true}
	// Ledger: runs, payments and burns. Only functions that move money write the table, except
	// holders' claim orders, which the API writes.
	Ledger = Table{Name: "ledger", Indexes: []Index{DueRuns}, Streams: true, Recoverable: true}
	// Caps: the amounts that recently left the distribution wallets, and the operators' exceptions.
	// Only the signer writes the counters.
	Caps = Table{Name: "caps"}
	// Webhook: the creators' webhooks, and the messages to the webhooks.
	Webhook = Table{Name: "webhook", Indexes: []Index{DueWebhooks}, Recoverable: true}
	// Window: rate windows and sign-in challenges. Every item expires, except the record of the
	// status page.
	Window = Table{Name: "window"}
)

// Guardian has the orders of hand-overs that the guardian has seen. The table is in the guardian's own
// account.
var Guardian = Table{Name: "guardian", Recoverable: true}

// Tables returns all tables of the service's stack.
func Tables() []Table { return []Table{Launch, Settings, Ledger, Caps, Webhook, Window} }
