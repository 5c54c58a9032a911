package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/jsii-runtime-go"

	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
)

// keepMarkets are the reconciler's rights on the market records: it completes transactions, counts
// trades, and writes pools and promotions into the records of tokens.
var keepMarkets = []string{"dynamodb:DeleteItem", "dynamodb:PutItem", "dynamodb:UpdateItem"}

// marketsNetwork returns the network of the program addresses: devnet, or mainnet for every other
// chain. Other chains have mainnet's addresses, or lack the programs.
func (s service) marketsNetwork() *string {
	if s.settings.Network == networkDevnet {
		return jsii.String(networkDevnet)
	}
	return jsii.String(networkMainnet)
}

// preparing returns the variables of functions that prepare transactions.
func (s service) preparing() map[string]*string {
	return s.node(map[string]*string{
		"LAUNCH_TABLE":                   s.store.launch.TableName(),
		"WINDOW_TABLE":                   s.store.window.TableName(),
		"PRIORITY_FEE_MICROLAMPORTS":     number(s.settings.PriorityFeeMicrolamports),
		"PRIORITY_FEE_MAX_MICROLAMPORTS": number(s.settings.PriorityFeeMaxMicrolamports),
	})
}

func (s service) dex() function {
	env := s.preparing()
	env["MARKETS_NETWORK"] = s.marketsNetwork()
	return function{
		name: route.FunctionDex, construct: "Dex", about: "Prepares pools",
		memoryMB: 512, timeoutSeconds: httpTimeoutSeconds,
		env: env,
		may: []awsiam.PolicyStatement{
			s.answers(),
			within(s.store.launch, put, schema.Writes[route.FunctionDex]),
		},
	}
}

// launchpad prepares bonding curves and trades on curves, and shows the state of curves.
func (s service) launchpad(publicURL *string) function {
	env := s.preparing()
	env["IPFS_GATEWAY_URL"] = s.imageCDN
	env["PUBLIC_URL"] = publicURL
	return function{
		name: route.FunctionLaunchpad, construct: "Launchpad", about: "Prepares bonding curves and trades on them, and shows curves",
		memoryMB: 512, timeoutSeconds: httpTimeoutSeconds,
		env: env,
		may: []awsiam.PolicyStatement{
			s.answers(),
			allow(readRecords, s.store.launch.TableArn()),
			within(s.store.launch, put, schema.Writes[route.FunctionLaunchpad]),
		},
	}
}

// featured lists promotions and prepares their payments.
func (s service) featured() function {
	env := s.preparing()
	env["IPFS_GATEWAY_URL"] = s.imageCDN
	env["TREASURY_ADDRESS"] = jsii.String(s.settings.TreasuryAddress)
	return function{
		name: route.FunctionFeatured, construct: "Featured", about: "Lists the featured tokens and prepares payments of promotions",
		memoryMB: 512, timeoutSeconds: httpTimeoutSeconds,
		env: env,
		may: []awsiam.PolicyStatement{
			s.answers(),
			allow([]string{"dynamodb:BatchGetItem", "dynamodb:GetItem"}, s.store.launch.TableArn()),
			within(s.store.launch, put, schema.Writes[route.FunctionFeatured]),
			allow(query, concat(s.store.launch.TableArn(), "/index/"+schema.DueLaunches.Name)),
		},
	}
}
