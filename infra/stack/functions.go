package stack

import (
	"strconv"

	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/jsii-runtime-go"

	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/token/content"
)

// httpTimeoutSeconds is one second below API Gateway's maximum, so that the timeout shows in the
// function. Handlers stop at 25 seconds.
const httpTimeoutSeconds = 29

// jwtAudience is the "aud" of access tokens.
const jwtAudience = "token-launch"

// The rights of functions on tables. No function may scan.
var (
	readItems      = []string{"dynamodb:GetItem"}
	keepChallenges = []string{"dynamodb:DeleteItem", "dynamodb:GetItem", "dynamodb:PutItem"}
	readRecords    = []string{"dynamodb:BatchGetItem", "dynamodb:GetItem", "dynamodb:Query"}
	put            = []string{"dynamodb:PutItem"}
	update         = []string{"dynamodb:UpdateItem"}
	putOrUpdate    = []string{"dynamodb:PutItem", "dynamodb:UpdateItem"}
	query          = []string{"dynamodb:Query"}
	putFiles       = []string{"s3:PutObject"}
	enqueue        = []string{"sqs:SendMessage"}
	readPublicKey  = []string{"kms:GetPublicKey"}
	sign           = []string{"kms:GetPublicKey", "kms:Sign"}
)

// functions are the API's functions, by the names in package route, and the authorizer.
type functions struct {
	signer     awslambda.Function
	authorizer awslambda.Function
	byName     map[string]awslambda.Function
}

// newFunctions creates the API's functions. publicURL is the public address of the API.
func (s service) newFunctions(publicURL *string) functions {
	signer := s.newFunction(s.signer())
	deriver := s.newFunction(s.deriver(signer))
	return functions{
		signer:     signer,
		authorizer: s.newFunction(s.authorizer(publicURL)),
		byName: map[string]awslambda.Function{
			route.FunctionAuth:   s.newFunction(s.behindFront(s.auth(publicURL))),
			route.FunctionTokens: s.newFunction(s.behindFront(s.tokens(deriver))),
			route.FunctionImages: s.newFunction(s.behindFront(s.images())),
			route.FunctionDocs:   s.newFunction(s.behindFront(s.docs(publicURL))),

			route.FunctionDistribution: s.newFunction(s.behindFront(s.distribution(publicURL))),
			route.FunctionBurns:        s.newFunction(s.behindFront(s.burns())),

			route.FunctionDex:       s.newFunction(s.behindFront(s.dex())),
			route.FunctionLaunchpad: s.newFunction(s.behindFront(s.launchpad(publicURL))),
			route.FunctionFeatured:  s.newFunction(s.behindFront(s.featured())),
			route.FunctionWebhooks:  s.newFunction(s.behindFront(s.webhooks())),
		},
	}
}

// deriver returns the address of a distribution wallet's ID, which the signer derives. No route
// invokes the deriver.
func (s service) deriver(signer awslambda.IFunction) function {
	return function{
		name: "deriver", construct: "Deriver", about: "Derives the addresses of distribution wallets (internal)",
		memoryMB: 256, timeoutSeconds: 10,
		silent: true,
		env:    map[string]*string{"SIGNER_FUNCTION": signer.FunctionName()},
		may:    []awsiam.PolicyStatement{allow(invoke, signer.FunctionArn())},
	}
}

// authorizer describes the caller, and rejects no caller.
func (s service) authorizer(publicURL *string) function {
	return function{
		name: "authorizer", construct: "Authorizer", about: "Says who the caller is",
		memoryMB: 512, timeoutSeconds: 5,
		env: map[string]*string{
			"JWT_KEY_IDS":  s.keys.tokenIDs(),
			"JWT_ISSUER":   publicURL,
			"JWT_AUDIENCE": jsii.String(jwtAudience),
			"WINDOW_TABLE": s.store.window.TableName(),
		},
		may: []awsiam.PolicyStatement{
			within(s.store.window, query, []string{schema.Revoked}),
			allow(readPublicKey, s.keys.tokenARNs()...),
		},
	}
}

func (s service) auth(publicURL *string) function {
	env := map[string]*string{
		"NETWORK":      jsii.String(s.settings.Network),
		"WINDOW_TABLE": s.store.window.TableName(),
		"JWT_KEY_IDS":  s.keys.tokenIDs(),
		"JWT_ISSUER":   publicURL,
		"JWT_AUDIENCE": jsii.String(jwtAudience),
		"PUBLIC_URL":   publicURL,
	}
	set(env, "ALLOWED_ORIGINS", s.settings.AllowedOrigins)
	return function{
		name: route.FunctionAuth, construct: "Auth", about: "Signs callers in",
		memoryMB: 512, timeoutSeconds: httpTimeoutSeconds,
		env: env,
		may: []awsiam.PolicyStatement{
			s.counts(),
			within(s.store.window, keepChallenges, []string{schema.Challenges}),
			allow(readPublicKey, s.keys.tokenARNs()...),
			allow([]string{"kms:Sign"}, s.keys.tokens[0].arn),
		},
	}
}

func (s service) tokens(deriver awslambda.Function) function {
	env := map[string]*string{
		"LAUNCH_TABLE":                   s.store.launch.TableName(),
		"WINDOW_TABLE":                   s.store.window.TableName(),
		"ASSET_BUCKET":                   s.store.assets.BucketName(),
		"PIN_QUEUE_URL":                  s.queues.pins.queue.QueueUrl(),
		"DERIVER_FUNCTION":               deriver.FunctionName(),
		"NONCE_KEY_ID":                   s.keys.nonce.id,
		"MINT_KEY_ID":                    s.keys.mint.id,
		"LAUNCH_LIFETIME":                jsii.String(s.settings.LaunchLifetime),
		"IPFS_GATEWAY_URL":               s.imageCDN,
		"NONCE_POOL_MAX":                 number(s.settings.NoncePoolMax),
		"LEASES_PER_IP":                  number(s.settings.LeasesPerIP),
		"WALLET_FUNDING_LAMPORTS":        number(s.settings.WalletFundingLamports),
		"PRIORITY_FEE_MICROLAMPORTS":     number(s.settings.PriorityFeeMicrolamports),
		"PRIORITY_FEE_MAX_MICROLAMPORTS": number(s.settings.PriorityFeeMaxMicrolamports),
	}
	set(env, "GUARDIAN", s.settings.GuardianKey)
	if newest := len(s.roots()) - 1; newest > 0 {
		env["WALLET_ROOT"] = number(newest)
	}
	s.pinning(env)
	return function{
		name: route.FunctionTokens, construct: "Tokens", about: "Creates, submits and lists tokens",
		memoryMB: 1024, timeoutSeconds: httpTimeoutSeconds,
		env: s.node(env),
		may: []awsiam.PolicyStatement{
			s.answers(),
			allow(readRecords, s.store.launch.TableArn()),
			within(s.store.launch, putOrUpdate, schema.Writes[route.FunctionTokens]),
			allow(query, concat(s.store.launch.TableArn(), "/index/"+schema.DueLaunches.Name)),
			allow(putFiles, s.folder(content.Metadata)),
			allow(enqueue, s.queues.pins.queue.QueueArn()),
			allow(invoke, deriver.FunctionArn()),
			allow(sign, s.keys.nonce.arn),
			allow([]string{"kms:GenerateMac"}, s.keys.mint.arn),
		},
	}
}

func (s service) images() function {
	env := map[string]*string{
		"LAUNCH_TABLE":  s.store.launch.TableName(),
		"WINDOW_TABLE":  s.store.window.TableName(),
		"ASSET_BUCKET":  s.store.assets.BucketName(),
		"PIN_QUEUE_URL": s.queues.pins.queue.QueueUrl(),
		"LEASES_PER_IP": number(s.settings.LeasesPerIP),
	}
	s.pinning(env)
	return function{
		name: route.FunctionImages, construct: "Images", about: "Stores and pins images",
		// A function with 1,769 MB has one whole processor, which resizing needs.
		memoryMB: 1769, timeoutSeconds: httpTimeoutSeconds,
		env: env,
		may: []awsiam.PolicyStatement{
			s.answers(),
			allow(readItems, s.store.launch.TableArn()),
			within(s.store.launch, update, schema.Writes[route.FunctionImages]),
			allow(putFiles, s.folder(content.Image)),
			allow(enqueue, s.queues.pins.queue.QueueArn()),
		},
	}
}

// pinning sets the variables of the pinning services.
func (s service) pinning(env map[string]*string) {
	set(env, "PINS", s.settings.Pins)
	set(env, "IPFS_API_URL", s.settings.IPFSAPIURL)
	s.setSecrets(env, secretsOfPins)
}

// folder returns the ARN pattern of the objects of a kind.
func (s service) folder(kind content.Kind) *string {
	return concat(s.store.assets.BucketArn(), "/"+kind.Folder+"/*")
}

func number(n int) *string { return jsii.String(strconv.Itoa(n)) }

func concat(arn *string, suffix string) *string { return jsii.String(*arn + suffix) }
