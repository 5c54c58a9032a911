// Package schema describes the DynamoDB tables: their keys, indexes and time to
// live. The CDK stack deploys them and the tests create them from this one
// description. It imports nothing, so that the stack does not pull in the SDK.
package schema

// Attribute names that every table uses.
const (
	PartitionKey = "pk"
	SortKey      = "sk"
	// ExpiresAt holds Unix seconds. DynamoDB deletes late (up to days), so whoever
	// reads an item checks the time itself.
	ExpiresAt = "expiresAt"
)

// Table is one on-demand table with a string partition key and a string sort
// key. Name is the logical name: the stack makes the physical one.
type Table struct {
	Name    string
	Indexes []Index
	// Recoverable asks for point-in-time recovery and protection from deletion.
	Recoverable bool
}

// Index is a global secondary index that holds whole items.
type Index struct {
	Name         string
	PartitionKey string // a string attribute
	SortKey      string // a number attribute
}

// DueIndex finds items by when something is due for them, in Unix milliseconds:
// free nonce accounts by the end of their lease, launches by when the reconciler
// looks at them next, active runs by when they are overdue.
var DueIndex = Index{Name: "due", PartitionKey: "duePk", SortKey: "dueAt"}

// The tables, split by who may write them.
var (
	// Launch: wallets, images, prepared transactions, nonce accounts, tokens, lists.
	Launch = Table{Name: "launch", Indexes: []Index{DueIndex}, Recoverable: true}
	// Ledger: runs, intents, lanes, burns: where money went. Only what moves money
	// writes it.
	Ledger = Table{Name: "ledger", Indexes: []Index{DueIndex}, Recoverable: true}
	// Window: rate windows and sign-in challenges; everything in it expires.
	Window = Table{Name: "window"}
)

// Tables lists them all.
func Tables() []Table { return []Table{Launch, Ledger, Window} }
