// Command synth writes the templates of every stage on every network into a folder, as
// they would be deployed from an account that there is not: for checkers, and to read.
//
//	synth FOLDER
//	synth -sam FILE [name=value...]
//
// With -sam it writes the template of one stage in the words of the SAM command line.
//
// It runs in the folder of the CDK app.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/jsii-runtime-go"

	"tokenlaunch.example/service/infra/stack"
	"tokenlaunch.example/service/infra/stages"
)

// always has the settings of a deployment on every stage.
var always = map[string]string{
	"rpcSecret": "solana-rpc", "pinataSecret": "pinata", "replicaRegion": "eu-west-1", "trail": "existing",
	"reportAddress":   "abuse@token-launch.example",
	"treasuryAddress": "BtM3wbRDTBVn4GzLby4TgwNb4e1Kmr5zP9nEz89CtXKL",
}

// told has the further settings of each stage. Prod has all that there can be.
var told = map[string]map[string]string{
	stack.StageDev:     {"alarmTopic": "arn:aws:sns:us-east-1:000000000000:alarms", "publicUrl": "https://api.example.com"},
	stack.StageStaging: {"alarmTopic": "arn:aws:sns:us-east-1:000000000000:alarms", "publicUrl": "https://api.example.com"},
	stack.StageProd: { //nolint:gosec // names of secrets, and not secrets
		"alarmEmail": "ops@example.com", "trail": "true", "rpcSecret2": "solana-rpc-2", "heliusSecret": "helius", "telegramSecret": "telegram",
		"exchanges": "jupiter", "exchangeUrl": "https://exchange.example", "exchangeSecret": "exchange",
		"domainName": "api.example.com", "certificateArn": "arn:aws:acm:us-east-1:000000000000:certificate/api",
		"imageDomain": "images.example.com", "imageCertificateArn": "arn:aws:acm:us-east-1:000000000000:certificate/images",
		"hostedZoneId": "Z0123456789", "hostedZoneName": "example.com",
	},
}

// small has one operator's settings of a service on mainnet.
var small = map[string]string{
	"stage": stack.StageProd, "network": "mainnet", "profile": "small", "alarmEmail": "ops@example.com",
	"domainName": "api.example.com", "certificateArn": "arn:aws:acm:us-east-1:000000000000:certificate/api",
}

//go:generate sh -c "cd .. && go run ./synth -sam ../template.yaml"

func main() {
	sam := flag.String("sam", "", "write SAM's template into this file, by the context values that follow as name=value")
	flag.Parse()
	err := errUsage
	switch {
	case *sam != "":
		given := map[string]string{}
		for _, argument := range flag.Args() {
			name, value, _ := strings.Cut(argument, "=")
			given[name] = value
		}
		err = writeSAM(*sam, given)
	case flag.NArg() == 1:
		err = run(flag.Arg(0))
	}
	jsii.Close()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

var errUsage = errors.New("say which folder gets the templates of all stages, or -sam FILE")

func run(folder string) error {
	if err := os.RemoveAll(folder); err != nil {
		return fmt.Errorf("empty the folder of templates: %w", err)
	}
	functions, err := stubs(filepath.Join(folder, "functions"))
	if err != nil {
		return err
	}
	flags, err := readFlags()
	if err != nil {
		return err
	}
	// What CDK finds in a template is an error here, even what CDK calls a warning, and a warning elsewhere.
	flags["@aws-cdk/core:validateAgainstDefaultRules"] = true
	flags["@aws-cdk/core:strictCfnValidateErrors"] = true
	for stage := range told {
		for _, network := range []string{"devnet", "mainnet"} {
			context := map[string]string{"stage": stage, "network": network, "functionsDir": functions}
			maps.Copy(context, always)
			maps.Copy(context, told[stage])
			if err := write(filepath.Join(folder, stage+"-"+network), context, flags); err != nil {
				return fmt.Errorf("%s on %s: %w", stage, network, err)
			}
		}
	}
	context := map[string]string{"functionsDir": functions}
	maps.Copy(context, always)
	maps.Copy(context, small)
	if err := write(filepath.Join(folder, "prod-small-mainnet"), context, flags); err != nil {
		return fmt.Errorf("small on mainnet: %w", err)
	}
	return nil
}

func write(folder string, context map[string]string, flags map[string]any) error {
	context, err := stages.With(context)
	if err != nil {
		return err
	}
	settings, err := stack.ReadSettings(context)
	if err != nil {
		return err
	}
	app := awscdk.NewApp(&awscdk.AppProps{Outdir: &folder, Context: &flags})
	stack.NewEdge(app, settings)
	stack.NewService(app, settings)
	stack.NewCopies(app, settings)
	stack.NewReplica(app, settings)
	app.Synth(nil)
	return nil
}

func readFlags() (map[string]any, error) {
	content, err := os.ReadFile("cdk.json")
	if err != nil {
		return nil, fmt.Errorf("read CDK's flags: %w", err)
	}
	var app struct{ Context map[string]any }
	if err := json.Unmarshal(content, &app); err != nil {
		return nil, fmt.Errorf("read CDK's flags in cdk.json: %w", err)
	}
	return app.Context, nil
}

// stubs writes a file for each function: no template holds any code.
func stubs(folder string) (string, error) {
	mains, err := filepath.Glob("../functions/*/main.go")
	if err == nil && len(mains) == 0 {
		err = errors.New("there are none: is this the folder of the CDK app?")
	}
	if err == nil {
		err = os.MkdirAll(folder, 0o750)
	}
	for _, path := range mains {
		if err == nil {
			name := filepath.Base(filepath.Dir(path))
			err = os.WriteFile(filepath.Join(folder, name+".zip"), []byte(name), 0o600)
		}
	}
	if err != nil {
		return "", fmt.Errorf("stand in for the functions: %w", err)
	}
	return folder, nil
}
