package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsdynamodb"
	"github.com/aws/aws-cdk-go/awscdk/v2/awss3"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssqs"
	"github.com/aws/jsii-runtime-go"

	"tokenlaunch.example/service/pkg/asset"
	"tokenlaunch.example/service/pkg/dynamo/schema"
)

// store is what keeps records, files and work to be done.
type store struct {
	launch, window awsdynamodb.TableV2
	assets         awss3.Bucket
	// deadPins receives what pins could not do.
	pins, deadPins awssqs.Queue
}

const (
	// pinVisibilitySeconds is six times what one attempt to pin may take, as AWS
	// advises for queues that a function reads.
	pinVisibilitySeconds = 6 * httpTimeoutSeconds
	// queueDays is how long a message waits: the longest that SQS offers.
	queueDays = 14
)

func (s service) newStore() store {
	pins, deadPins := s.newPinQueue()
	return store{
		launch: s.newTable("LaunchTable", schema.Launch),
		window: s.newTable("WindowTable", schema.Window),
		assets: s.newAssetBucket(),
		pins:   pins, deadPins: deadPins,
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
	protect := table.Recoverable && s.settings.Stage == StageProd
	made := awsdynamodb.NewTableV2(s.stack, jsii.String(name), &awsdynamodb.TablePropsV2{
		PartitionKey:           attribute(schema.PartitionKey, awsdynamodb.AttributeType_STRING),
		SortKey:                attribute(schema.SortKey, awsdynamodb.AttributeType_STRING),
		GlobalSecondaryIndexes: &indexes,
		TimeToLiveAttribute:    jsii.String(schema.ExpiresAt),
		DeletionProtection:     jsii.Bool(protect),
		PointInTimeRecoverySpecification: &awsdynamodb.PointInTimeRecoverySpecification{
			PointInTimeRecoveryEnabled: jsii.Bool(protect),
		},
		RemovalPolicy: s.keep(),
	})
	s.output(name+"Name", made.TableName())
	return made
}

// newAssetBucket makes the bucket of images and metadata. Objects are named by
// their content and never change; in production an overwritten or deleted one
// can still be had back.
func (s service) newAssetBucket() awss3.Bucket {
	bucket := awss3.NewBucket(s.stack, jsii.String("AssetBucket"), &awss3.BucketProps{
		BlockPublicAccess: awss3.BlockPublicAccess_BLOCK_ALL(),
		EnforceSSL:        s.onlyTLS(),
		Encryption:        awss3.BucketEncryption_S3_MANAGED,
		Versioned:         jsii.Bool(s.settings.Stage == StageProd),
		RemovalPolicy:     s.keep(),
	})
	s.output("AssetBucketName", bucket.BucketName())
	return bucket
}

// newPinQueue makes the queue of files that are in the bucket and not yet pinned.
func (s service) newPinQueue() (pins, dead awssqs.Queue) {
	days := awscdk.Duration_Days(jsii.Number(queueDays))
	dead = awssqs.NewQueue(s.stack, jsii.String("PinDeadLetterQueue"), &awssqs.QueueProps{
		EnforceSSL: s.onlyTLS(), RetentionPeriod: days,
	})
	pins = awssqs.NewQueue(s.stack, jsii.String("PinQueue"), &awssqs.QueueProps{
		EnforceSSL:        s.onlyTLS(),
		RetentionPeriod:   days,
		VisibilityTimeout: awscdk.Duration_Seconds(jsii.Number(pinVisibilitySeconds)),
		DeadLetterQueue:   &awssqs.DeadLetterQueue{Queue: dead, MaxReceiveCount: jsii.Number(asset.PinAttempts)},
	})
	s.output("PinQueueUrl", pins.QueueUrl())
	s.output("PinDeadLetterQueueUrl", dead.QueueUrl())
	return pins, dead
}
