package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsdynamodb"
	"github.com/aws/aws-cdk-go/awscdk/v2/awss3"
	"github.com/aws/jsii-runtime-go"

	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
)

// store is what keeps records and files.
type store struct {
	launch, settings, ledger, caps, webhook, window awsdynamodb.ITableV2
	// assets are the files that anyone may read, books those of the runs: who holds
	// what, who is to be paid, and what was signed.
	assets, books awss3.IBucket
}

// files is what a bucket keeps.
type files struct {
	construct string
	versioned bool
	// locked: no version can be deleted before lockedDays are over.
	locked bool
	aging  []*awss3.LifecycleRule
	// copy is the parameter with the ARN of its copy in the second Region; empty where there
	// is none. deletes: what is deleted is deleted there, too.
	copy    string
	deletes bool
}

func (s service) newStore() store {
	adopted := s.settings.Adopted
	return store{
		launch:   s.table("LaunchTable", schema.Launch, adopted.LaunchTable),
		settings: s.table("SettingsTable", schema.Settings, adopted.SettingsTable),
		ledger:   s.table("LedgerTable", schema.Ledger, adopted.LedgerTable),
		caps:     s.newTable("CapsTable", schema.Caps),
		webhook:  s.newTable("WebhookTable", schema.Webhook),
		window:   s.newTable("WindowTable", schema.Window),
		// Objects are named by their content and never change; where tables can be
		// restored an overwritten or deleted object can still be had back.
		assets: s.bucket(files{
			construct: "AssetBucket", versioned: s.settings.profile().recoveryDays > 0, aging: agingAssets(),
			copy: "AssetCopyArn", deletes: true,
		}, adopted.AssetBucket),
		books: s.bucket(files{
			construct: "LedgerBucket", versioned: true, locked: s.settings.profile().protects, aging: s.agingBooks(),
			copy: "LedgerCopyArn",
		}, adopted.LedgerBucket),
	}
}

// What becomes of files in time. Those of the runs are kept for good.
const (
	// abandonedDays is when the parts of an unfinished upload are removed.
	abandonedDays = 1
	// mistakeDays is how long a public file that was overwritten or deleted can still
	// be had back.
	mistakeDays = 30
	// snapshotDays is when who held what moves to where keeping is cheap and reading
	// is not: it is as quick there, and read again only when an operator looks into a run.
	// It is the least that is paid for there.
	snapshotDays = 90
)

func days(n float64) awscdk.Duration { return awscdk.Duration_Days(jsii.Number(n)) }

// agingAssets is what becomes of public files.
func agingAssets() []*awss3.LifecycleRule {
	return []*awss3.LifecycleRule{
		{Id: jsii.String("abandoned"), AbortIncompleteMultipartUploadAfter: days(abandonedDays)},
		{
			Id: jsii.String("mistakes"), NoncurrentVersionExpiration: days(mistakeDays),
			// A marker is what is left of a deleted file when its versions are gone.
			ExpiredObjectDeleteMarker: jsii.Bool(true),
		},
	}
}

// agingBooks is what becomes of the files of the runs: none expires. Copies of runs and heads
// are overwritten, and what they were is of no use once its lock is over.
func (s service) agingBooks() []*awss3.LifecycleRule {
	rules := []*awss3.LifecycleRule{
		{Id: jsii.String("abandoned"), AbortIncompleteMultipartUploadAfter: days(abandonedDays)},
		{
			Id: jsii.String("snapshots"), Prefix: jsii.String(snapshots + "/"),
			Transitions: &[]*awss3.Transition{{
				StorageClass: awss3.StorageClass_GLACIER_INSTANT_RETRIEVAL(), TransitionAfter: days(snapshotDays),
			}},
		},
	}
	if s.settings.profile().protects {
		rules = append(rules, &awss3.LifecycleRule{
			Id: jsii.String("overwritten"), Prefix: jsii.String(journal + "/"), NoncurrentVersionExpiration: days(lockedDays + 1),
		})
	}
	return rules
}

// onlyTLS closes what holds data to plain HTTP. MiniStack speaks nothing else and
// enforces policies, so locally it is left out.
func (s service) onlyTLS() *bool { return jsii.Bool(!s.settings.Local()) }

func (s service) newTable(name string, table schema.Table) awsdynamodb.TableV2 {
	attribute := func(name string, kind awsdynamodb.AttributeType) *awsdynamodb.Attribute {
		return &awsdynamodb.Attribute{Name: jsii.String(name), Type: kind}
	}
	var indexes []*awsdynamodb.GlobalSecondaryIndexPropsV2
	for _, index := range table.Indexes {
		made := &awsdynamodb.GlobalSecondaryIndexPropsV2{
			IndexName:    jsii.String(index.Name),
			PartitionKey: attribute(index.PartitionKey, awsdynamodb.AttributeType_STRING),
			SortKey:      attribute(index.SortKey, awsdynamodb.AttributeType_NUMBER),
		}
		if index.Holds != nil {
			made.ProjectionType, made.NonKeyAttributes = awsdynamodb.ProjectionType_INCLUDE, jsii.Strings(index.Holds...)
		}
		indexes = append(indexes, made)
	}
	p := s.settings.profile()
	recovery := &awsdynamodb.PointInTimeRecoverySpecification{PointInTimeRecoveryEnabled: jsii.Bool(false)}
	if table.Recoverable && p.recoveryDays > 0 {
		recovery = &awsdynamodb.PointInTimeRecoverySpecification{
			PointInTimeRecoveryEnabled: jsii.Bool(true), RecoveryPeriodInDays: jsii.Number(p.recoveryDays),
		}
	}
	stream := awsdynamodb.StreamViewType("")
	if table.Streams {
		stream = awsdynamodb.StreamViewType_NEW_AND_OLD_IMAGES
	}
	protected := table.Recoverable && p.protects
	removal := s.keep()
	if protected {
		// DynamoDB refuses to delete a protected table, and a rollback that tries ends in
		// ROLLBACK_FAILED. An empty table that stays has a name of its own, and costs nothing.
		removal = awscdk.RemovalPolicy_RETAIN
	}
	made := awsdynamodb.NewTableV2(s.stack, jsii.String(name), &awsdynamodb.TablePropsV2{
		PartitionKey:           attribute(schema.PartitionKey, awsdynamodb.AttributeType_STRING),
		SortKey:                attribute(schema.SortKey, awsdynamodb.AttributeType_STRING),
		GlobalSecondaryIndexes: &indexes,
		TimeToLiveAttribute:    jsii.String(schema.ExpiresAt),
		DeletionProtection:     jsii.Bool(protected),
		RemovalPolicy:          removal,
		Encryption:             s.tableEncryption(),
		DynamoStream:           stream,

		PointInTimeRecoverySpecification: recovery,
	})
	s.output(name+"Name", made.TableName())
	return made
}

// tableEncryption is by AWS's own key in the account. Its uses are in CloudTrail, which
// those of DynamoDB's default key are not; and it cannot be deleted, which would delete
// the ledger too, as one could with a key of ours.
func (s service) tableEncryption() awsdynamodb.TableEncryptionV2 {
	if s.settings.Local() {
		return nil
	}
	return awsdynamodb.TableEncryptionV2_AwsManagedKey()
}

// newBucket makes a private bucket.
func (s service) newBucket(f files) awss3.Bucket {
	props := &awss3.BucketProps{
		BlockPublicAccess: awss3.BlockPublicAccess_BLOCK_ALL(),
		EnforceSSL:        s.onlyTLS(),
		Encryption:        awss3.BucketEncryption_S3_MANAGED,
		Versioned:         jsii.Bool(f.versioned),
		LifecycleRules:    &f.aging,
		RemovalPolicy:     s.keep(),
	}
	if f.locked {
		// Not by governance: who takes an administrator's role over could lift that, and with
		// the journal goes what keeps an old ledger from paying twice.
		props.ObjectLockEnabled = jsii.Bool(true)
		props.ObjectLockDefaultRetention = awss3.ObjectLockRetention_Compliance(days(lockedDays))
	}
	grant := s.replicate(f, props)
	bucket := awss3.NewBucket(s.stack, jsii.String(f.construct), props)
	grant(bucket)
	// A bucket that is kept stays as closed as it was.
	if policy := bucket.Policy(); policy != nil {
		policy.ApplyRemovalPolicy(s.keep())
	}
	s.output(f.construct+"Name", bucket.BucketName())
	return bucket
}
