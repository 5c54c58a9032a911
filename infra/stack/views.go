package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/jsii-runtime-go"

	"tokenlaunch.example/service/pkg/route"
)

// distribution shows and changes how a token's tax is distributed.
func (s service) distribution() function {
	return function{
		name: route.FunctionDistribution, construct: "Distribution", about: "Shows and changes how tax is distributed",
		memoryMB: 512, timeoutSeconds: httpTimeoutSeconds,
		env: map[string]*string{
			"LOG_LEVEL":                  jsii.String(s.settings.LogLevel),
			"LAUNCH_TABLE":               s.store.launch.TableName(),
			"WINDOW_TABLE":               s.store.window.TableName(),
			"RPC_URL":                    jsii.String(s.settings.RPCURL),
			"PRIORITY_FEE_MICROLAMPORTS": number(s.settings.PriorityFeeMicrolamports),
		},
		may: []awsiam.PolicyStatement{
			allow(countRequests, s.store.window.TableArn()),
			allow(keepLaunches, s.store.launch.TableArn()),
		},
	}
}

// burns shows what was burned.
func (s service) burns() function {
	return function{
		name: route.FunctionBurns, construct: "Burns", about: "Shows what was burned",
		memoryMB: 512, timeoutSeconds: httpTimeoutSeconds,
		env: map[string]*string{
			"LOG_LEVEL":    jsii.String(s.settings.LogLevel),
			"LAUNCH_TABLE": s.store.launch.TableName(),
			"LEDGER_TABLE": s.store.ledger.TableName(),
			"WINDOW_TABLE": s.store.window.TableName(),
			"RPC_URL":      jsii.String(s.settings.RPCURL),
		},
		may: []awsiam.PolicyStatement{
			allow(countRequests, s.store.window.TableArn()),
			allow([]string{"dynamodb:GetItem"}, s.store.launch.TableArn()),
			allow(query, s.store.ledger.TableArn()),
		},
	}
}
