package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/jsii-runtime-go"

	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/token/content"
)

// readLedger are the rights on the ledger of functions that move no money.
var readLedger = []string{"dynamodb:GetItem", "dynamodb:Query"}

// readMany are the rights of distribution to read many tokens: a page of a holder's ledger.
var readMany = []string{"dynamodb:BatchGetItem", "dynamodb:GetItem"}

// keepSettings are the rights of distribution on the settings. No other function writes settings.
var keepSettings = []string{"dynamodb:GetItem", "dynamodb:Query", "dynamodb:UpdateItem"}

// distribution shows and changes the distribution of a token's tax, and shows past distributions.
func (s service) distribution(publicURL *string) function {
	return function{
		name: route.FunctionDistribution, construct: "Distribution", about: "Shows and changes how tax is distributed",
		memoryMB: 512, timeoutSeconds: httpTimeoutSeconds,
		env: s.node(map[string]*string{
			"LAUNCH_TABLE":                   s.store.launch.TableName(),
			"SETTINGS_TABLE":                 s.store.settings.TableName(),
			"LEDGER_TABLE":                   s.store.ledger.TableName(),
			"WINDOW_TABLE":                   s.store.window.TableName(),
			"ASSET_BUCKET":                   s.store.assets.BucketName(),
			"NOTICE_QUEUE_URL":               s.queues.notices.queue.QueueUrl(),
			"RUN_QUEUE_URL":                  s.queues.runs.queue.QueueUrl(),
			"IPFS_GATEWAY_URL":               jsii.String(s.settings.IPFSGatewayURL),
			"PUBLIC_URL":                     publicURL,
			"PRIORITY_FEE_MICROLAMPORTS":     number(s.settings.PriorityFeeMicrolamports),
			"PRIORITY_FEE_MAX_MICROLAMPORTS": number(s.settings.PriorityFeeMaxMicrolamports),
			"HANDOVER_DELAY":                 s.handoverDelay(),
		}),
		may: []awsiam.PolicyStatement{
			s.answers(),
			allow(readMany, s.store.launch.TableArn()),
			within(s.store.launch, putOrUpdate, schema.Writes[route.FunctionDistribution]),
			allow(keepSettings, s.store.settings.TableArn()),
			// Settings change only for slots without an opened run.
			allow([]string{"dynamodb:ConditionCheckItem"}, s.store.ledger.TableArn()),
			allow(readLedger, s.store.ledger.TableArn()),
			allow([]string{"dynamodb:BatchGetItem"}, s.store.ledger.TableArn()),
			// Only orders of claims and of hand-overs.
			within(s.store.ledger, []string{"dynamodb:PutItem"}, []string{schema.Claims}),
			allow(listFiles, s.store.assets.BucketArn()),
			allow(getFiles, s.folder(content.ProofManifest)),
			allow(enqueue, s.queues.notices.queue.QueueArn(), s.queues.runs.queue.QueueArn()),
		},
	}
}

func (s service) burns() function {
	return function{
		name: route.FunctionBurns, construct: "Burns", about: "Shows what was burned",
		memoryMB: 512, timeoutSeconds: httpTimeoutSeconds,
		env: s.node(map[string]*string{
			"LAUNCH_TABLE": s.store.launch.TableName(),
			"LEDGER_TABLE": s.store.ledger.TableName(),
			"WINDOW_TABLE": s.store.window.TableName(),
		}),
		may: []awsiam.PolicyStatement{
			s.counts(),
			allow(readItems, s.store.launch.TableArn()),
			allow(readLedger, s.store.ledger.TableArn()),
		},
	}
}
