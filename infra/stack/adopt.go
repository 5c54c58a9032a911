package stack

import (
	"regexp"
	"time"

	"github.com/aws/aws-cdk-go/awscdk/v2/awsdynamodb"
	"github.com/aws/aws-cdk-go/awscdk/v2/awss3"
	"github.com/aws/jsii-runtime-go"

	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
)

// Adopted names what exists already, and what a stack uses in place of making its
// own: a table that was restored, or what a stack left behind that is gone. A field
// that is empty adopts nothing. The stack gives its functions the same rights to what
// it adopted and the same outputs, and changes nothing of it: docs/operations.md says
// what has to be set on a table that was restored.
//
// The window table is never adopted, for everything in it expires, and the keys of the
// callers' tokens neither: callers sign in again.
type Adopted struct {
	LaunchTable   string // name, in the stack's account and Region
	SettingsTable string // likewise
	LedgerTable   string // likewise
	// LaunchStreamARN and LedgerStreamARN are the streams of those tables: a table that was
	// restored has none until an operator makes one. Without them nothing that happens is told,
	// neither to Telegram groups nor to webhooks.
	LaunchStreamARN string
	LedgerStreamARN string
	AssetBucket     string // name, likewise
	LedgerBucket    string // name, likewise
	// WalletKeyARN is the key from which the distribution wallets derive, or its replica
	// in the stack's Region; the ARN of the key and not of an alias, for rights name it.
	WalletKeyARN string
	NonceKeyARN  string // of the nonce authority, likewise
	// Recovered is since when no other stack signs for the wallets, as RFC 3339: tokens of
	// before pay no holder until their wallets are compared with ledger and journal, which may
	// be older than the chain. NotRecovered says that LedgerBucket is no copy, and whole. One
	// of them is required with a wallets' key or a ledger's bucket.
	Recovered string
}

var (
	tableName  = regexp.MustCompile(`^[a-zA-Z0-9_.-]{3,255}$`)
	streamARN  = regexp.MustCompile(`^arn:aws[a-z-]*:dynamodb:[a-z0-9-]+:[0-9]{12}:table/[a-zA-Z0-9_.-]+/stream/[0-9T:.-]+$`)
	bucketName = regexp.MustCompile(`^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$`)
	keyARN     = regexp.MustCompile(`^arn:aws[a-z-]*:kms:[a-z0-9-]+:[0-9]{12}:key/[a-zA-Z0-9-]+$`)
)

func readAdopted(r *reader) Adopted {
	return Adopted{
		LaunchTable:     r.named("launchTable", tableName, "the name of a table"),
		SettingsTable:   r.named("settingsTable", tableName, "the name of a table"),
		LedgerTable:     r.named("ledgerTable", tableName, "the name of a table"),
		LaunchStreamARN: r.named("launchStreamArn", streamARN, "the ARN of a table's stream"),
		LedgerStreamARN: r.named("ledgerStreamArn", streamARN, "the ARN of a table's stream"),
		AssetBucket:     r.named("assetBucket", bucketName, "the name of a bucket"),
		LedgerBucket:    r.named("ledgerBucket", bucketName, "the name of a bucket"),
		WalletKeyARN:    r.named("walletKeyArn", keyARN, "the ARN of a KMS key, and not of an alias"),
		NonceKeyARN:     r.named("nonceKeyArn", keyARN, "the ARN of a KMS key, and not of an alias"),
		Recovered:       r.text("recovered", ""),
	}
}

// NotRecovered is what Recovered is where nothing was recovered from copies.
const NotRecovered = "no"

// checkRecovered refuses a stack that pays from wallets of another one and does not say since
// when that one is stopped.
func (r *reader) checkRecovered(a Adopted) {
	_, err := time.Parse(time.RFC3339, a.Recovered)
	switch {
	case a.Recovered == "" && (a.WalletKeyARN != "" || a.LedgerBucket != ""):
		r.fail("recovered is not set: with walletKeyArn or ledgerBucket say since when no other stack signs for the wallets, such as 2026-11-24T05:57:00Z, or %q where the bucket is no copy", NotRecovered)
	case a.Recovered != "" && a.Recovered != NotRecovered && err != nil:
		r.fail("recovered is %q: it must be a time such as 2026-11-24T05:57:00Z, or %q", a.Recovered, NotRecovered)
	}
}

// since is Recovered as functions are told it.
func (a Adopted) since() string {
	if a.Recovered == NotRecovered {
		return ""
	}
	return a.Recovered
}

// named reads a name that may be missing.
func (r *reader) named(name string, form *regexp.Regexp, what string) string {
	value := r.text(name, "")
	if value != "" && !form.MatchString(value) {
		r.fail("%s is %q: it must be %s", name, value, what)
	}
	return value
}

// table is the one that was adopted, or else a new one.
func (s service) table(construct string, table schema.Table, adopted string) awsdynamodb.ITableV2 {
	if adopted == "" {
		return s.newTable(construct, table)
	}
	s.output(construct+"Name", &adopted)
	return awsdynamodb.TableV2_FromTableName(s.stack, jsii.String(construct), &adopted)
}

// streamOf is the stream of a table of the stack's own, or the one of an adopted table; nil when
// that has none.
func (s service) streamOf(table awsdynamodb.ITableV2, adopted, stream string) *string {
	if adopted == "" {
		return table.TableStreamArn()
	}
	if stream == "" {
		return nil
	}
	return &stream
}

// bucket is the one that was adopted, or else a new one.
func (s service) bucket(f files, adopted string) awss3.IBucket {
	if adopted == "" {
		return s.newBucket(f)
	}
	s.output(f.construct+"Name", &adopted)
	return awss3.Bucket_FromBucketName(s.stack, jsii.String(f.construct), &adopted)
}

// orAdopted is the key that was adopted, or else a new one. KMS takes an ARN
// wherever it takes an id.
func (s service) orAdopted(arn, construct, spec, usage, about string) key {
	if arn == "" {
		return s.newKey(construct, spec, usage, about)
	}
	return s.adoptedKey(construct, arn)
}

func (s service) adoptedKey(construct, arn string) key {
	s.output(construct+"Id", &arn)
	return key{id: &arn, arn: &arn}
}
