package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudtrail"
	"github.com/aws/aws-cdk-go/awscdk/v2/awss3"
	"github.com/aws/jsii-runtime-go"
)

// Values of trail in the context.
const (
	trailNone  = "false"
	trailOwn   = "true"
	trailThere = "existing"
)

// trailDays is the retention of the account's calls.
const trailDays = 400

// newTrail creates a trail of all management calls in all Regions of the account, whose files show
// tampering. The alarms of the wallets' key need a trail. A second trail in the account costs
// money.
func (s service) newTrail() {
	if !s.settings.Trail {
		return
	}
	bucket := awss3.NewBucket(s.stack, jsii.String("TrailBucket"), &awss3.BucketProps{
		BlockPublicAccess: awss3.BlockPublicAccess_BLOCK_ALL(),
		EnforceSSL:        jsii.Bool(true),
		Encryption:        awss3.BucketEncryption_S3_MANAGED,
		Versioned:         jsii.Bool(true),
		RemovalPolicy:     awscdk.RemovalPolicy_RETAIN,
		LifecycleRules: &[]*awss3.LifecycleRule{{
			Expiration:                  awscdk.Duration_Days(jsii.Number(trailDays)),
			NoncurrentVersionExpiration: awscdk.Duration_Days(jsii.Number(1)),
		}},
	})
	awscloudtrail.NewTrail(s.stack, jsii.String("Trail"), &awscloudtrail.TrailProps{
		Bucket: bucket, EnableFileValidation: jsii.Bool(true), IsMultiRegionTrail: jsii.Bool(true),
		IncludeGlobalServiceEvents: jsii.Bool(true), ManagementEvents: awscloudtrail.ReadWriteType_ALL,
	})
}
