package runner

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"tokenlaunch.example/service/infra/stack"
	"tokenlaunch.example/service/infra/stages"
	"tokenlaunch.example/service/pkg/testkit/localnet/child"
	"tokenlaunch.example/service/pkg/testkit/localnet/ministack"
)

// stackName is package stack's name for the local stage's stack.
const stackName = "token-launch-" + stack.StageLocal

// leasesPerIP is high, because locally all callers have the same address.
const leasesPerIP = 1000

// spreadSeconds is short, because locally few tokens are due together.
const spreadSeconds = 2

// architectures are AWS's names of Go's architectures.
var architectures = map[string]string{"amd64": "x86_64", "arm64": "arm64"}

// Deployment is the options of a deployment.
type Deployment struct {
	// Values are context values that replace or extend the values of the local stack. With another
	// stackName, the deployment creates another stack, which is then served. The stack before
	// stays.
	Values map[string]string
	// Assembly is the directory of an earlier deployment's assembly, which is deployed unchanged.
	// If Assembly is empty, an assembly is created from the values, in Output.
	Assembly string
	// Output is the directory of the assembly; default the stack's cdk.out.
	Output string
}

// Deploy deploys the stack again in place, or another stack.
func (s *Stack) Deploy(ctx context.Context, d Deployment) error {
	before := s.name
	if err := s.deploy(ctx, d); err != nil {
		return err
	}
	if s.name == before {
		return s.repairCORS(ctx)
	}
	s.logs.Stop()
	return s.open(ctx)
}

// deploy runs cdk deploy of the real stack into MiniStack.
func (s *Stack) deploy(ctx context.Context, d Deployment) error {
	began := time.Now()
	name := s.name
	if other := d.Values["stackName"]; other != "" {
		name = other
	}
	switch {
	case d.Assembly != "":
		d.Output = d.Assembly
	case d.Output == "":
		d.Output = filepath.Join(s.options.Folder, "cdk.out")
	}
	if err := s.cdk(ctx, s.deployArguments(name, d)); err != nil {
		return err
	}
	if err := s.readOutputs(name); err != nil {
		return err
	}
	if s.options.Alarms {
		if err := s.deployAlarms(ctx, name, d.Output); err != nil {
			return err
		}
	}
	s.name, s.assembly = name, d.Output
	s.options.Progress.Done("CDK stack deployed", name+took(began))
	return nil
}

// deployAlarms deploys the stack of the alarms, with the stack's outputs as parameters.
func (s *Stack) deployAlarms(ctx context.Context, name, assembly string) error {
	alarms := name + stages.AlarmsSuffix
	text, err := os.ReadFile(filepath.Join(assembly, alarms+".template.json"))
	if err != nil {
		return fmt.Errorf("read the alarms' template: %w", err)
	}
	var template struct{ Parameters map[string]any }
	if err := json.Unmarshal(text, &template); err != nil {
		return fmt.Errorf("read the alarms' template: %w", err)
	}
	arguments := append(s.commonArguments(alarms), "--exclusively", "--app", assembly)
	for parameter := range template.Parameters {
		value, err := s.Outputs.get(parameter)
		if err != nil {
			return err
		}
		arguments = append(arguments, "--parameters", alarms+":"+parameter+"="+value)
	}
	return s.cdk(ctx, arguments)
}

// cdk runs the CDK command line.
func (s *Stack) cdk(ctx context.Context, arguments []string) error {
	cdk, err := s.options.Project.CDK()
	if err != nil {
		return err
	}
	// #nosec G204 -- the project's own CDK command line
	cmd := exec.CommandContext(ctx, cdk, arguments...)
	cmd.Dir = s.options.Project.Path("infra")
	cmd.Env = s.deployEnvironment()
	// The command line runs the app, and the app runs Node. A process group ends all processes
	// together.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	cmd.WaitDelay = 5 * time.Second
	log, err := os.Create(s.log("cdk"))
	if err != nil {
		return fmt.Errorf("open the log of the deployment: %w", err)
	}
	defer func() { _ = log.Close() }() // lost output is acceptable
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return fmt.Errorf("deploy the stack: %w", ctx.Err())
		}
		return fmt.Errorf("cdk deploy failed (%w):\n%s", err, child.Tail(s.log("cdk"), 30))
	}
	return nil
}

func (s *Stack) commonArguments(name string) []string {
	return []string{
		"deploy", name,
		"--method", "direct",
		"--require-approval", "never",
		"--progress", "events",
		"--ci", "--no-color", "--no-notices",
	}
}

func (s *Stack) deployArguments(name string, d Deployment) []string {
	arguments := append(s.commonArguments(name), "--outputs-file", filepath.Join(s.options.Folder, "outputs.json"))
	if d.Assembly != "" {
		return append(arguments, "--app", d.Assembly)
	}
	context := map[string]string{
		"stage":          stack.StageLocal,
		"arch":           architectures[runtime.GOARCH],
		"ipfsApiUrl":     s.options.IPFS.APIURL,
		"pins":           s.options.IPFS.Pins,
		"ipfsGatewayUrl": s.gatewayURL,
		"publicUrl":      s.APIURL,
		"functionsDir":   s.options.Project.Path(functionsFolder),
		"codeBucket":     deploymentBucket,
		"leasesPerIp":    fmt.Sprint(leasesPerIP),
		"exchanges":      "maker",
		"payoutVersion":  cmp.Or(s.options.PayoutVersion, "1"),
		"exchangeUrl":    s.marketURL,
		"allowedOrigins": s.options.AllowedOrigins,
		"spreadSeconds":  fmt.Sprint(spreadSeconds),

		"treasuryAddress": s.Treasury.String(),
		"alarmEmail":      "operator@localhost.example", // MiniStack sends no mail
		"canaryMinutes":   "60",
		"webhookLoopback": "true", // receivers are on this machine
		"pageRpcUrl":      s.Chain.RPCURL,
	}
	// Only a local chain has money for wallets in the browser. The local stage has a local chain
	// unless another network is set.
	if network := d.Values["network"]; network == "" || network == "localnet" {
		context["pageBurner"] = "true"
		context["pageMarkets"] = s.Market.String()
	}
	for name := range s.secrets() {
		context[name] = secretName(name)
	}
	if s.Guardian != nil {
		context["guardianKey"], context["guardianUrl"] = s.Guardian.Key.String(), s.Guardian.URL
	}
	if s.ipfs != nil {
		context["ipfsApiUrl"] = s.ipfs.APIURL
	}
	maps.Copy(context, d.Values)
	arguments = append(arguments, "--app", s.options.Project.Path(".build/cdk-app"), "--output", d.Output)
	for name, value := range context {
		arguments = append(arguments, "--context", name+"="+value)
	}
	return arguments
}

func (s *Stack) deployEnvironment() []string {
	hidden := []string{"AWS_PROFILE", "AWS_SESSION_TOKEN", "AWS_DEFAULT_PROFILE"}
	for _, row := range stack.SecretRows {
		if row.Run != "" {
			hidden = append(hidden, row.Run)
		}
	}
	env := without(os.Environ(), hidden...)
	return append(env,
		"AWS_ACCESS_KEY_ID=test",
		"AWS_SECRET_ACCESS_KEY=test",
		"AWS_REGION="+ministack.Region,
		"AWS_DEFAULT_REGION="+ministack.Region,
		"AWS_ENDPOINT_URL="+s.AWS.Endpoint,
		"AWS_ENDPOINT_URL_S3="+s.AWS.Endpoint,
		"AWS_EC2_METADATA_DISABLED=true",
		// Neither read nor write the user's own configuration.
		"AWS_CONFIG_FILE="+os.DevNull,
		"AWS_SHARED_CREDENTIALS_FILE="+os.DevNull,
		"CDK_HOME="+s.options.Project.Path(".local/cdk"),
		"CDK_DISABLE_CLI_TELEMETRY=true",
		"CDK_VALIDATION=false", // make template checks the templates
		"JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION=true",
	)
}

// Outputs are the outputs of the deployed stack by name.
type Outputs map[string]string

func (s *Stack) readOutputs(name string) error {
	text, err := os.ReadFile(filepath.Join(s.options.Folder, "outputs.json"))
	if err != nil {
		return fmt.Errorf("read the outputs of the stack: %w", err)
	}
	var all map[string]Outputs
	if err := json.Unmarshal(text, &all); err != nil {
		return fmt.Errorf("read the outputs of the stack: %w", err)
	}
	s.Outputs = all[name]
	for _, name := range []string{"ApiUrl", "NonceKeyId"} {
		if _, err := s.Outputs.get(name); err != nil {
			return err
		}
	}
	return nil
}

var errNoOutput = errors.New("the stack has no such output")

func (o Outputs) get(name string) (string, error) {
	value, ok := o[name]
	if !ok {
		return "", fmt.Errorf("output %s: %w", name, errNoOutput)
	}
	return value, nil
}

// apiID returns the gateway's ID of the API, the first label of its address.
func (o Outputs) apiID() string {
	id, _, _ := strings.Cut(host(o["ApiUrl"]), ".")
	return id
}

// Functions returns the names of the deployed functions, by the names of their constructs.
func (o Outputs) Functions() map[string]string { return o.having("FunctionName") }

// having returns the outputs whose names have the suffix, by the prefix of the name with a
// lower-case first letter.
func (o Outputs) having(suffix string) map[string]string {
	out := map[string]string{}
	for name, value := range o {
		if logical, ok := strings.CutSuffix(name, suffix); ok && logical != "" {
			out[strings.ToLower(logical[:1])+logical[1:]] = value
		}
	}
	return out
}
