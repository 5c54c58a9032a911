package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsdynamodb"
	"github.com/aws/aws-cdk-go/awscdk/v2/awss3"
	"github.com/aws/jsii-runtime-go"

	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
)

// store is the service's tables and buckets.
type store struct {
	launch, settings, ledger, caps, webhook, window awsdynamodb.ITableV2
	// assets has the public files. books has the files of runs: holders, planned payments, and
	// signed transactions.
	assets, books awss3.IBucket
}

// files is the definition of a bucket.
type files struct {
	construct string
	versioned bool
	// locked reports whether versions cannot be deleted before lockedDays.
	locked bool
	aging  []*awss3.LifecycleRule
	// copy is the parameter with the ARN of the bucket's copy in the second Region, or empty.
	// deletes reports whether deletions are replicated.
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
		// Objects are named by their content and never change. On stages with recovery, versions
		// restore an overwritten or deleted object.
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

// The life cycle of files. The files of runs never expire.
const (
	// abandonedDays is the age at which the parts of an unfinished upload are deleted.
	abandonedDays = 1
	// mistakeDays is the time for which an overwritten or deleted public file can be restored.
	mistakeDays = 30
	// snapshotDays is the age at which snapshots move to cheap storage, whose reads are expensive
	// and equally fast. Only an operator's investigation reads old snapshots. The value is the
	// minimum billed time of that storage.
	snapshotDays = 90
)

func days(n float64) awscdk.Duration { return awscdk.Duration_Days(jsii.Number(n)) }

// agingAssets returns the life cycle of public files.
func agingAssets() []*awss3.LifecycleRule {
	return []*awss3.LifecycleRule{
		{Id: jsii.String("abandoned"), AbortIncompleteMultipartUploadAfter: days(abandonedDays)},
		{
			Id: jsii.String("mistakes"), NoncurrentVersionExpiration: days(mistakeDays),
			// A marker remains of a deleted file without versions.
			ExpiredObjectDeleteMarker: jsii.Bool(true),
		},
	}
}

// agingBooks returns the life cycle of the runs' files. No current file expires. Copies of runs and
// heads are overwritten, and their old versions are useless after the lock.
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

// onlyTLS rejects plain HTTP. The local stage is an exception, because MiniStack only supports
// HTTP, and enforces policies.
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
		// DynamoDB rejects the deletion of a protected table, and a rollback that tries the
		// deletion ends in ROLLBACK_FAILED. A remaining empty table has a unique name, and costs
		// nothing.
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

// tableEncryption returns AWS's managed key of the account. In contrast to DynamoDB's default key,
// its uses are in CloudTrail. In contrast to a customer key, it cannot be deleted, which would
// destroy the ledger, too.
func (s service) tableEncryption() awsdynamodb.TableEncryptionV2 {
	if s.settings.Local() {
		return nil
	}
	return awsdynamodb.TableEncryptionV2_AwsManagedKey()
}

// newBucket creates a private bucket.
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
		// Not in governance mode: an attacker with an administrator's role could lift the lock, and
		// delete the journal, which prevents double payments after restoring an old ledger.
		props.ObjectLockEnabled = jsii.Bool(true)
		props.ObjectLockDefaultRetention = awss3.ObjectLockRetention_Compliance(days(lockedDays))
	}
	grant := s.replicate(f, props)
	bucket := awss3.NewBucket(s.stack, jsii.String(f.construct), props)
	grant(bucket)
	// A retained bucket keeps its policy.
	if policy := bucket.Policy(); policy != nil {
		policy.ApplyRemovalPolicy(s.keep())
	}
	s.output(f.construct+"Name", bucket.BucketName())
	return bucket
}
