package stack

import (
	"maps"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsevents"
	"github.com/aws/aws-cdk-go/awscdk/v2/awseventstargets"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/jsii-runtime-go"

	"tokenlaunch.example/service/pkg/asset"
	"tokenlaunch.example/service/pkg/dynamo/schema"
)

const (
	// backgroundTimeoutSeconds is more than a reconciling run takes, and more than
	// one attempt to pin.
	backgroundTimeoutSeconds = httpTimeoutSeconds
	// pinBatch is how many files one call of the pinner pins, all at once.
	pinBatch = 5
	// pinConcurrency bounds the calls at one time, the least that AWS offers: after
	// an outage the pinning service is not to be run down.
	pinConcurrency = 2
)

var (
	keepLaunches = []string{"dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:UpdateItem"}
	removeFiles  = []string{"s3:DeleteObject"}
	getFiles     = []string{"s3:GetObject"}
	// Without listing, S3 answers 403 where there is no object, and not 404.
	listFiles = []string{"s3:ListBucket"}
	readQueue = []string{
		"sqs:ChangeMessageVisibility", "sqs:DeleteMessage", "sqs:GetQueueAttributes", "sqs:ReceiveMessage",
	}
)

// newBackground makes the functions that no caller waits for, and what starts
// them.
func (s service) newBackground() {
	awsevents.NewRule(s.stack, jsii.String("EveryMinute"), &awsevents.RuleProps{
		Description: jsii.String("Starts the reconciler"),
		Schedule:    awsevents.Schedule_Rate(awscdk.Duration_Minutes(jsii.Number(1))),
		Targets: &[]awsevents.IRuleTarget{
			awseventstargets.NewLambdaFunction(s.newFunction(s.reconciler()), nil),
		},
	})
	s.newFunction(s.pinner()).AddEventSourceMapping(jsii.String("Pins"), &awslambda.EventSourceMappingOptions{
		EventSourceArn: s.store.pins.QueueArn(), BatchSize: jsii.Number(pinBatch),
		MaxConcurrency: jsii.Number(pinConcurrency), ReportBatchItemFailures: jsii.Bool(true),
	})
}

func (s service) reconciler() function {
	return function{
		name: "reconciler", construct: "Reconciler", about: "Brings records and the chain together, every minute",
		memoryMB: 512, timeoutSeconds: backgroundTimeoutSeconds,
		env: map[string]*string{
			"LOG_LEVEL":      jsii.String(s.settings.LogLevel),
			"LAUNCH_TABLE":   s.store.launch.TableName(),
			"ASSET_BUCKET":   s.store.assets.BucketName(),
			"NONCE_KEY_ID":   s.keys.nonce.id,
			"RPC_URL":        jsii.String(s.settings.RPCURL),
			"NONCE_POOL_MIN": number(s.settings.NoncePoolMin),
			"NONCE_POOL_MAX": number(s.settings.NoncePoolMax),
		},
		may: []awsiam.PolicyStatement{
			allow(keepLaunches, s.store.launch.TableArn()),
			allow(query, concat(s.store.launch.TableArn(), "/index/"+schema.DueIndex.Name)),
			allow(removeFiles, s.folder(asset.Metadata)),
			allow(sign, s.keys.nonce.arn),
		},
	}
}

func (s service) pinner() function {
	env := map[string]*string{
		"LOG_LEVEL":                 jsii.String(s.settings.LogLevel),
		"ASSET_BUCKET":              s.store.assets.BucketName(),
		"PIN_QUEUE_URL":             s.store.pins.QueueUrl(),
		"PIN_DEAD_LETTER_QUEUE_URL": s.store.deadPins.QueueUrl(),
	}
	maps.Copy(env, s.pinning())
	return function{
		name: "pinner", construct: "Pinner", about: "Pins files whose pinning was put off",
		memoryMB: 512, timeoutSeconds: backgroundTimeoutSeconds,
		env: env,
		may: []awsiam.PolicyStatement{
			allow(listFiles, s.store.assets.BucketArn()),
			allow(getFiles, s.folder(asset.Image), s.folder(asset.Metadata)),
			allow(readQueue, s.store.pins.QueueArn()),
			allow(enqueue, s.store.deadPins.QueueArn()),
		},
	}
}
