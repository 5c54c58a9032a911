package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/aws/aws-cdk-go/awscdk/v2"

	"tokenlaunch.example/service/infra/stack"
	"tokenlaunch.example/service/infra/stages"
)

// samHeader begins template.yaml.
const samHeader = `# The service for the SAM command line (make sam-build, then sam deploy --guided
# --capabilities CAPABILITY_IAM CAPABILITY_NAMED_IAM, for the wallets' roles have names, or sam local).
# make generate writes it from the CDK app in infra, which is what the project itself deploys:
# stage dev on devnet. What stack makes depends on other settings, too; with them,
#   cd infra && go run ./synth -sam ../template.yaml stage=prod network=mainnet rpcSecret=... ...
# writes the template of your own. A setting that is given so is no parameter any more.
#
# What it cannot say, and CDK does: the protection of the stack itself from deletion; the check
# that CDK's bootstrap is there, which SAM does not need; and what is a stack in another Region:
# the replica of the wallets' key, and the edge with its web ACL. What SAM makes itself of an
# HttpApi and of events (the API's stage, routes, integrations and authorizer, and permissions)
# is not here, and is deleted with the stack, as CDK's is.
`

type object = map[string]any

// parameter is a setting on which no code branches, so that it may be said when the
// stack is deployed.
type parameter struct {
	name, context, about string
	// of points to its field, a string or an int; nil for a secret.
	of func(s *stack.Settings) any
}

var parameters = []parameter{
	{"PublicUrl", "publicUrl", "The address under which callers reach the API; sign-in messages name its host.", func(s *stack.Settings) any { return &s.PublicURL }},
	{"TreasuryAddress", "treasuryAddress", "The wallet to which featured placement is paid.", func(s *stack.Settings) any { return &s.TreasuryAddress }},
	{"ReportAddress", "reportAddress", "Where tokens and pictures are reported, as https: or mailto: URL.", func(s *stack.Settings) any { return &s.ReportURL }},
	{"RpcSecret", "rpcSecret", "The name of the Secrets Manager secret whose value are the addresses of the nodes.", nil},
	{"PinataSecret", "pinataSecret", "The name of the Secrets Manager secret whose value is a Pinata token. Empty with sam local only.", nil},
	{"IpfsGatewayUrl", "ipfsGatewayUrl", "The public gateway of files that are in none of our buckets.", func(s *stack.Settings) any { return &s.IPFSGatewayURL }},
	{"PageRpcUrl", "pageRpcUrl", "The public node that the page's visitors ask, without a key.", func(s *stack.Settings) any { return &s.PageRPCURL }},
	{"LogLevel", "logLevel", "debug, info, warn or error.", func(s *stack.Settings) any { return &s.LogLevel }},
	{"LaunchLifetime", "launchLifetime", "What launches use, nonce or blockhash.", func(s *stack.Settings) any { return &s.LaunchLifetime }},
	{"PayoutVersion", "payoutVersion", "The version of the transactions that holders are paid by, 1 or legacy.", func(s *stack.Settings) any { return &s.PayoutVersion }},
	{"KeyAdminRole", "keyAdminRole", "The role that may change the policy of the wallets' key.", func(s *stack.Settings) any { return &s.KeyAdminRole }},
	{"NoncePoolMax", "noncePoolMax", "How many nonce accounts there may be.", func(s *stack.Settings) any { return &s.NoncePoolMax }},
	{"NoncePoolMin", "noncePoolMin", "How many nonce accounts are kept ready.", func(s *stack.Settings) any { return &s.NoncePoolMin }},
	{"LeasesPerIp", "leasesPerIp", "How many token creations one address may have under way.", func(s *stack.Settings) any { return &s.LeasesPerIP }},
	{"WalletFundingLamports", "walletFundingLamports", "What a creation puts into its distribution wallet.", func(s *stack.Settings) any { return &s.WalletFundingLamports }},
	{"PriorityFeeMicrolamports", "priorityFeeMicrolamports", "The least that is offered for a compute unit.", func(s *stack.Settings) any { return &s.PriorityFeeMicrolamports }},
	{"PriorityFeeMaxMicrolamports", "priorityFeeMaxMicrolamports", "The most that is offered for a compute unit, whatever others offer.", func(s *stack.Settings) any { return &s.PriorityFeeMaxMicrolamports }},
}

// mustBeSaid are the parameters without a default. PinataSecret has an empty one, for sam
// local, where files go to the IPFS node of the local stack.
var mustBeSaid = []string{"PublicUrl", "TreasuryAddress", "RpcSecret"}

// firstNumber is the value of the first parameter that is a number; the others follow.
const firstNumber = 990_000_001

// writeSAM writes the template of the stage that given says, dev when it says none.
func writeSAM(path string, given map[string]string) error {
	work, err := os.MkdirTemp("", "sam")
	if err != nil {
		return fmt.Errorf("make a folder: %w", err)
	}
	defer func() { _ = os.RemoveAll(work) }()
	functions, err := stubs(filepath.Join(work, "functions"))
	if err != nil {
		return err
	}
	flags, err := readFlags()
	if err != nil {
		return err
	}
	context := map[string]string{"stage": stack.StageDev, "functionsDir": functions}
	maps.Copy(context, always)
	delete(context, "replicaRegion") // the other stack's
	delete(context, "reportAddress") // the operator names one
	maps.Copy(context, map[string]string{"publicUrl": "https://api.example.com"})
	maps.Copy(context, given)
	context, err = stages.With(context)
	if err != nil {
		return err
	}
	settings, err := stack.ReadSettings(context)
	if err != nil {
		return err
	}
	declared := object{"Architecture": object{
		"Type": "String", "Default": "arm64", "AllowedValues": []string{"arm64", "x86_64"},
		"Description": "The processor that the functions are built for (make sam-build SAM_ARCH).",
	}}
	stands := map[string]string{}
	for i, p := range parameters {
		if _, said := given[p.context]; said {
			continue
		}
		text, of := "<"+p.name+">", object{"Description": p.about}
		var value any
		if p.of != nil {
			value = p.of(&settings)
		}
		switch field := value.(type) {
		case nil:
			of["Type"], of["Default"], settings.Secrets[p.context] = "String", settings.Secrets[p.context], text
		case *string:
			of["Type"], of["Default"], *field = "String", *field, text
		case *int:
			text = strconv.Itoa(firstNumber + i)
			of["Type"], of["Default"], *field = "Number", *field, firstNumber+i
		}
		if slices.Contains(mustBeSaid, p.name) {
			delete(of, "Default")
		}
		if p.name == "PinataSecret" {
			of["Default"] = ""
		}
		stands[text], declared[p.name] = p.name, of
	}
	content, err := synthesize(filepath.Join(work, "stage"), settings, flags)
	if err != nil {
		return err
	}
	local, err := stack.ReadSettings(map[string]string{
		"stage": stack.StageLocal, "functionsDir": functions, "treasuryAddress": always["treasuryAddress"],
		"rpcUrl": "http://127.0.0.1", "ipfsApiUrl": "http://127.0.0.1", "exchanges": "maker", "exchangeUrl": "http://127.0.0.1",
		"pageRpcUrl": "http://127.0.0.1", "pageBurner": "true",
	})
	if err != nil {
		return err
	}
	here, err := synthesize(filepath.Join(work, "local"), local, flags)
	if err != nil {
		return err
	}
	made, err := samOf(content, here, stands, declared)
	if err != nil {
		return err
	}
	return os.WriteFile(path, made, 0o644) //nolint:gosec,wrapcheck // anyone may read it; the caller's own path is in the error
}

// synthesize returns one template of the service and its alarms: SAM deploys a single stack.
func synthesize(folder string, settings stack.Settings, flags object) ([]byte, error) {
	settings.Name = "sam"
	app := awscdk.NewApp(&awscdk.AppProps{Outdir: &folder, Context: &flags})
	stack.NewService(app, settings)
	app.Synth(nil)
	service, err := os.ReadFile(filepath.Join(folder, settings.Name+".template.json"))                       //nolint:gosec // just made
	alarms, failed := os.ReadFile(filepath.Join(folder, settings.Name+stages.AlarmsSuffix+".template.json")) //nolint:gosec // just made
	if err = errors.Join(err, failed); err != nil {
		return nil, fmt.Errorf("read what CDK made: %w", err)
	}
	return stack.Join(service, alarms)
}
