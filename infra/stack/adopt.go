package stack

import (
	"regexp"
	"time"

	"github.com/aws/aws-cdk-go/awscdk/v2/awsdynamodb"
	"github.com/aws/aws-cdk-go/awscdk/v2/awss3"
	"github.com/aws/jsii-runtime-go"

	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
)

// Adopted names existing resources that the stack uses and does not create: restored tables, and
// the resources of a deleted stack. An empty field adopts nothing. The stack gives its functions
// the same rights and has the same outputs as for its own resources, and does not change adopted
// resources. docs/operations.md lists the settings of a restored table.
//
// The stack never adopts a window table, because every item in that table expires. It adopts no
// keys of access tokens either: callers sign in again.
type Adopted struct {
	LaunchTable   string // name, in the stack's account and Region
	SettingsTable string // likewise
	LedgerTable   string // likewise
	// LaunchStreamARN and LedgerStreamARN are the streams of those tables. A restored table has no
	// stream until an operator creates a stream. Without the streams, neither Telegram groups nor
	// webhooks receive events.
	LaunchStreamARN string
	LedgerStreamARN string
	AssetBucket     string // name, likewise
	LedgerBucket    string // name, likewise
	// WalletKeyARN is the key from which the distribution wallets are derived, or its replica in
	// the stack's Region. It must be the ARN of the key and not of an alias, because policies name
	// the key.
	WalletKeyARN string
	// WalletRootARNs are the keys of the wallets' further roots, oldest first; see wallet.Derivation.
	WalletRootARNs string
	NonceKeyARN    string // of the nonce authority, likewise
	// Recovered is the time after which no other stack signs for the wallets, as RFC 3339. Ledger
	// and journal may be older than the chain. Tokens from before this time therefore pay no holder
	// until their wallets are compared with ledger and journal. NotRecovered means that
	// LedgerBucket is complete and not a copy. A wallets' key or a ledger's bucket requires one of
	// both values.
	Recovered string
}

var (
	tableName  = regexp.MustCompile(`^[a-zA-Z0-9_.-]{3,255}$`)
	streamARN  = regexp.MustCompile(`^arn:aws[a-z-]*:dynamodb:[a-z0-9-]+:[0-9]{12}:table/[a-zA-Z0-9_.-]+/stream/[0-9T:.-]+$`)
	bucketName = regexp.MustCompile(`^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$`)
	keyARNs    = regexp.MustCompile(`^arn:aws[a-z-]*:kms:[a-z0-9-]+:[0-9]{12}:key/[a-zA-Z0-9-]+(,arn:aws[a-z-]*:kms:[a-z0-9-]+:[0-9]{12}:key/[a-zA-Z0-9-]+)*$`)
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
		WalletRootARNs:  r.named("walletRootArns", keyARNs, "the ARNs of KMS keys, and not of aliases, with commas between them"),
		NonceKeyARN:     r.named("nonceKeyArn", keyARN, "the ARN of a KMS key, and not of an alias"),
		Recovered:       r.text("recovered", ""),
	}
}

// NotRecovered is the value of Recovered if no resource was recovered from copies.
const NotRecovered = "no"

// checkRecovered rejects a stack that pays from another stack's wallets without the time at which
// the other stack stopped.
func (r *reader) checkRecovered(a Adopted) {
	_, err := time.Parse(time.RFC3339, a.Recovered)
	switch {
	case a.Recovered == "" && (a.WalletKeyARN != "" || a.LedgerBucket != ""):
		r.fail("recovered is not set: with walletKeyArn or ledgerBucket say since when no other stack signs for the wallets, such as 2026-11-24T05:57:00Z, or %q where the bucket is no copy", NotRecovered)
	case a.Recovered != "" && a.Recovered != NotRecovered && err != nil:
		r.fail("recovered is %q: it must be a time such as 2026-11-24T05:57:00Z, or %q", a.Recovered, NotRecovered)
	}
}

// since returns the value of Recovered for functions.
func (a Adopted) since() string {
	if a.Recovered == NotRecovered {
		return ""
	}
	return a.Recovered
}

// named reads an optional name.
func (r *reader) named(name string, form *regexp.Regexp, what string) string {
	value := r.text(name, "")
	if value != "" && !form.MatchString(value) {
		r.fail("%s is %q: it must be %s", name, value, what)
	}
	return value
}

// table returns the adopted table, or a new table.
func (s service) table(construct string, table schema.Table, adopted string) awsdynamodb.ITableV2 {
	if adopted == "" {
		return s.newTable(construct, table)
	}
	s.output(construct+"Name", &adopted)
	return awsdynamodb.TableV2_FromTableName(s.stack, jsii.String(construct), &adopted)
}

// streamOf returns the stream of the stack's own table or of the adopted table. It returns nil if
// an adopted table has no stream.
func (s service) streamOf(table awsdynamodb.ITableV2, adopted, stream string) *string {
	if adopted == "" {
		return table.TableStreamArn()
	}
	if stream == "" {
		return nil
	}
	return &stream
}

// bucket returns the adopted bucket, or a new bucket.
func (s service) bucket(f files, adopted string) awss3.IBucket {
	if adopted == "" {
		return s.newBucket(f)
	}
	s.output(f.construct+"Name", &adopted)
	return awss3.Bucket_FromBucketName(s.stack, jsii.String(f.construct), &adopted)
}

// orAdopted returns the adopted key, or a new key. KMS accepts an ARN in place of a key ID.
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
