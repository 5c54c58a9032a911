package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awsdynamodb"
	"github.com/aws/aws-cdk-go/awscdk/v2/awss3"
	"github.com/aws/jsii-runtime-go"

	"tokenlaunch.example/service/pkg/dynamo/schema"
)

// store is what keeps records and files.
type store struct {
	launch, ledger, window awsdynamodb.ITableV2
	// assets are the files that anybody may read, books those of the runs: who holds
	// what, who is to be paid, and what was signed.
	assets, books awss3.IBucket
}

func (s service) newStore() store {
	adopted := s.settings.Adopted
	return store{
		launch: s.table("LaunchTable", schema.Launch, adopted.LaunchTable),
		ledger: s.table("LedgerTable", schema.Ledger, adopted.LedgerTable),
		window: s.newTable("WindowTable", schema.Window),
		// Objects are named by their content and never change; where tables can be
		// restored an overwritten or deleted object can still be had back.
		assets: s.bucket("AssetBucket", s.settings.profile().recoveryDays > 0, adopted.AssetBucket),
		books:  s.bucket("LedgerBucket", true, adopted.LedgerBucket),
	}
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
		indexes = append(indexes, &awsdynamodb.GlobalSecondaryIndexPropsV2{
			IndexName:    jsii.String(index.Name),
			PartitionKey: attribute(index.PartitionKey, awsdynamodb.AttributeType_STRING),
			SortKey:      attribute(index.SortKey, awsdynamodb.AttributeType_NUMBER),
		})
	}
	p := s.settings.profile()
	recovery := &awsdynamodb.PointInTimeRecoverySpecification{PointInTimeRecoveryEnabled: jsii.Bool(false)}
	if table.Recoverable && p.recoveryDays > 0 {
		recovery = &awsdynamodb.PointInTimeRecoverySpecification{
			PointInTimeRecoveryEnabled: jsii.Bool(true), RecoveryPeriodInDays: jsii.Number(p.recoveryDays),
		}
	}
	made := awsdynamodb.NewTableV2(s.stack, jsii.String(name), &awsdynamodb.TablePropsV2{
		PartitionKey:           attribute(schema.PartitionKey, awsdynamodb.AttributeType_STRING),
		SortKey:                attribute(schema.SortKey, awsdynamodb.AttributeType_STRING),
		GlobalSecondaryIndexes: &indexes,
		TimeToLiveAttribute:    jsii.String(schema.ExpiresAt),
		DeletionProtection:     jsii.Bool(table.Recoverable && p.protects),
		RemovalPolicy:          s.keep(),

		PointInTimeRecoverySpecification: recovery,
	})
	s.output(name+"Name", made.TableName())
	return made
}

// newBucket makes a bucket that nobody else can read.
func (s service) newBucket(name string, versioned bool) awss3.Bucket {
	bucket := awss3.NewBucket(s.stack, jsii.String(name), &awss3.BucketProps{
		BlockPublicAccess: awss3.BlockPublicAccess_BLOCK_ALL(),
		EnforceSSL:        s.onlyTLS(),
		Encryption:        awss3.BucketEncryption_S3_MANAGED,
		Versioned:         jsii.Bool(versioned),
		RemovalPolicy:     s.keep(),
	})
	s.output(name+"Name", bucket.BucketName())
	return bucket
}
