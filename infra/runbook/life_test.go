package runbook_test

import (
	"context"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/infra/runbook"
	"tokenlaunch.example/service/infra/stages"
	"tokenlaunch.example/service/pkg/testkit/localnet/ministack"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/testkit/nightly"
)

const replicaRegion = "eu-west-1"

// The outputs that name resources with data.
var (
	tables  = []string{"LaunchTableName", "SettingsTableName", "LedgerTableName", "WindowTableName"}
	buckets = []string{"AssetBucketName", "LedgerBucketName"}
)

// account is a local AWS account, and the shell of its administrator.
type account struct {
	*testing.T

	root  project.Folder
	aws   *ministack.Server
	shell *runbook.Shell
	// before lists the account's resources without the stage.
	before []string
}

// TestStagesComeAndGo takes a stage through a failed creation, a creation, use, a deletion, and
// another creation, with the operators' scripts. The local AWS rejects what AWS rejects:
// infra/local/ministack_host.py has the rules and their sources.
func TestStagesComeAndGo(t *testing.T) {
	if testing.Short() {
		t.Skip("deploys whole stages, which short mode leaves out")
	}
	whole := nightly.Whole(t)
	wallets := "key Derives the distribution wallets"
	// DynamoDB deletes no protected table, so a rollback leaves the empty tables.
	var protected []string
	for _, table := range []string{"Launch", "Ledger", "Settings", "Webhook"} {
		protected = append(protected, "table token-launch-prod-"+table+"Table*")
	}
	for _, stage := range []struct {
		name    string
		context []string
		// failed lists the types that a failed creation leaves, kept are the types that a deletion leaves.
		failed, kept []string
		protected    bool
	}{
		{name: "dev"},
		{name: "staging", context: []string{"replicaRegion=" + replicaRegion}, failed: []string{wallets}, kept: []string{"key"}},
		{
			name: "prod", protected: true, failed: append([]string{wallets}, protected...), kept: []string{"bucket", "key", "log", "table", "vault"},
			context: []string{
				"network=mainnet", "publicUrl=https://" + domain, "trail=existing", "replicaRegion=" + replicaRegion, "rpcSecret=rpc",
				"reportAddress=abuse@example.com", "alarmEmail=ops@example.com",
			},
		},
	} {
		t.Run(stage.name, func(t *testing.T) {
			// By day only prod runs, which has all special cases of a stage.
			// TestProductionKeepsItsData and TestWalletKeyIsNeverReplaced of infra/stack assert on
			// dev's template that dev retains nothing.
			if stage.name != "prod" && !whole {
				t.Skip("by night")
			}
			w := newAccount(t)
			stack := "token-launch-" + stage.name
			release := w.assemble(stage.name, stage.context)

			broken := filepath.Join(t.TempDir(), "release")
			must.Do(t, runbook.Break(release, broken, stack))
			w.do("if RELEASE=" + broken + " sh infra/tools/deploy.sh; then exit 1; fi")
			if status := w.stack(stack).StackStatus; status != "ROLLBACK_COMPLETE" {
				t.Fatalf("a creation that fails leaves the stack %s", status)
			}
			if left := slices.DeleteFunc(w.left(), earlier.MatchString); !slices.Equal(left, stage.failed) {
				t.Errorf("a creation that fails leaves %q, want %q", left, stage.failed)
			}

			deploy := "RELEASE=" + release + " sh infra/tools/deploy.sh"
			if stage.protected {
				w.do("if " + deploy + "; then exit 1; fi") // CDK cannot delete what is left of the stack
				w.do("sh infra/tools/destroy.sh " + stack + " " + region)
			}
			// The alarms are a stack of their own, whose creation is repeated by the next deployment.
			silent := filepath.Join(t.TempDir(), "release")
			must.Do(t, runbook.Break(release, silent, stack+stages.AlarmsSuffix))
			w.do("if RELEASE=" + silent + " sh infra/tools/deploy.sh; then exit 1; fi")
			if status := w.stack(stack + stages.AlarmsSuffix).StackStatus; status != "ROLLBACK_COMPLETE" {
				t.Errorf("a creation that fails leaves the alarms' stack %s", status)
			}
			w.do(deploy)
			first := w.use(stack)
			w.watches(stack)

			// Alarms block no replacement of what they watch, and watch the new resource.
			replaced := filepath.Join(t.TempDir(), "release")
			must.Do(t, runbook.Replace(release, replaced, stack, "DispatchQueue"))
			w.do("RELEASE=" + replaced + " sh infra/tools/deploy.sh")
			if next := w.stack(stack).outputs["DispatchQueueName"]; next == first["DispatchQueueName"] {
				t.Errorf("the queue %s is not replaced", next)
			}
			w.watches(stack)
			for _, each := range [][2]string{{"-replica", replicaRegion}, {stages.AlarmsSuffix, region}, {"", region}, {"-copies", replicaRegion}, {"-edge", "us-east-1"}} {
				w.do("sh infra/tools/destroy.sh " + stack + each[0] + " " + each[1])
			}
			left := w.left()
			var kinds []string
			for _, thing := range left {
				kind, _, _ := strings.Cut(thing, " ")
				kinds = append(kinds, kind)
			}
			if kinds = slices.Compact(kinds); !slices.Equal(kinds, stage.kept) {
				t.Errorf("the deletion leaves %q, want %q: %q", kinds, stage.kept, left)
			}

			w.do(deploy)
			if next := w.use(stack); slices.ContainsFunc(tables, func(name string) bool { return next[name] == first[name] }) {
				t.Errorf("the stage after it has its tables: %v", next)
			}
		})
	}
}

// newShell starts an account that has nothing.
func newShell(t *testing.T) *account {
	t.Helper()
	root, err := project.Find()
	must.Do(t, err)
	w := &account{T: t, root: root}
	ctx := context.WithoutCancel(t.Context())
	w.aws, err = ministack.Start(ctx, root, ministack.Options{Log: filepath.Join(t.TempDir(), "ministack.log")})
	must.Do(t, err)
	t.Cleanup(w.aws.Stop)
	env, err := runbook.Environment(root, w.aws, t.TempDir())
	must.Do(t, err)
	w.shell, err = runbook.NewShell(ctx, root.Path("."), append(env, "AWS_REGION="+region, "AWS_DEFAULT_REGION="+region))
	must.Do(t, err)
	t.Cleanup(w.shell.Close)
	return w
}

// newAccount starts an account that CDK can deploy into.
func newAccount(t *testing.T) *account {
	t.Helper()
	w := newShell(t)
	w.do("infra/local/node_modules/.bin/cdk bootstrap aws://" + ministack.AccountID + "/" + region + " aws://" + ministack.AccountID + "/" + replicaRegion + " aws://" + ministack.AccountID + "/us-east-1")
	w.do("for name in rpc pinata; do aws secretsmanager create-secret --name $name --secret-string value; done")
	w.before = w.things()
	return w
}

// do carries out commands, which must succeed.
func (w *account) do(commands string) string {
	w.Helper()
	out, err := w.shell.Do(commands)
	if err != nil {
		lines := strings.Split(out, "\n")
		w.Fatalf("%s: %v\n%s", commands, err, strings.Join(lines[max(0, len(lines)-40):], "\n"))
	}
	return out
}

// assemble makes a release of a stage whose functions run on this machine.
func (w *account) assemble(stage string, settings []string) string {
	w.Helper()
	release := filepath.Join(w.TempDir(), "release")
	arch := map[string]string{"amd64": "x86_64", "arm64": "arm64"}[runtime.GOARCH]
	settings = append([]string{
		"stage=" + stage, "arch=" + arch, "functionsDir=" + w.root.Path(".build/functions"),
		"pinataSecret=pinata", "treasuryAddress=" + solana.NewWallet().PublicKey().String(),
	}, settings...)
	w.do("cd infra; local/node_modules/.bin/cdk synth --quiet --no-notices --app ../.build/cdk-app --output " + release + " -c " + strings.Join(settings, " -c ") + "; cd ..")
	return release
}

func (w *account) config() aws.Config {
	config := w.aws.Config()
	config.Region = region
	return config
}

type described struct {
	StackStatus string
	outputs     map[string]string
}

func (w *account) stack(name string) described {
	w.Helper()
	out, err := cloudformation.NewFromConfig(w.config()).DescribeStacks(w.Context(), &cloudformation.DescribeStacksInput{StackName: &name})
	must.Do(w, err)
	d := described{StackStatus: string(out.Stacks[0].StackStatus), outputs: map[string]string{}}
	for _, output := range out.Stacks[0].Outputs {
		d.outputs[aws.ToString(output.OutputKey)] = aws.ToString(output.OutputValue)
	}
	return d
}

// use fills what has data, with versions and a marker of a deletion in each bucket, calls the API,
// and returns the stack's outputs.
func (w *account) use(stack string) map[string]string {
	w.Helper()
	outputs := w.stack(stack).outputs
	item := map[string]types.AttributeValue{"pk": &types.AttributeValueMemberS{Value: "USED"}, "sk": &types.AttributeValueMemberS{Value: "USED"}}
	for _, table := range tables {
		_, err := dynamodb.NewFromConfig(w.config()).PutItem(w.Context(), &dynamodb.PutItemInput{TableName: aws.String(outputs[table]), Item: item})
		must.Do(w, err)
	}
	files := s3.NewFromConfig(w.config(), func(o *s3.Options) { o.UsePathStyle = true })
	for _, bucket := range buckets {
		name, key := aws.String(outputs[bucket]), aws.String("gone")
		for range 2 {
			_, err := files.PutObject(w.Context(), &s3.PutObjectInput{Bucket: name, Key: key, Body: strings.NewReader("used")})
			must.Do(w, err)
		}
		_, err := files.DeleteObject(w.Context(), &s3.DeleteObjectInput{Bucket: name, Key: key})
		must.Do(w, err)
	}
	id := w.do("aws apigatewayv2 get-apis --query 'Items[].ApiId' --output text")
	endpoint, err := url.Parse(w.aws.Endpoint)
	must.Do(w, err)
	request, err := http.NewRequestWithContext(w.Context(), http.MethodGet, w.aws.Endpoint+"/$default/health", http.NoBody)
	must.Do(w, err)
	request.Host = strings.TrimSpace(id) + ".execute-api." + endpoint.Host
	response, err := http.DefaultClient.Do(request)
	must.Do(w, err)
	must.Do(w, response.Body.Close())
	// Behind a front the functions refuse a caller without its secret.
	if want := map[bool]int{true: http.StatusForbidden, false: http.StatusOK}[outputs["OriginSecretArn"] != ""]; response.StatusCode != want {
		w.Errorf("GET /health of %s = %d, want %d", stack, response.StatusCode, want)
	}
	return outputs
}

// watches checks that the alarms are deployed, that their names begin with the name of their stack,
// and that they watch parts of the stack.
func (w *account) watches(stack string) {
	w.Helper()
	name := stack + stages.AlarmsSuffix
	out, err := cloudformation.NewFromConfig(w.config()).DescribeStacks(w.Context(), &cloudformation.DescribeStacksInput{StackName: &name})
	must.Do(w, err)
	outputs, parameters := w.stack(stack).outputs, 0
	for _, p := range out.Stacks[0].Parameters {
		if key := aws.ToString(p.ParameterKey); key != "BootstrapVersion" {
			parameters++
			if value := aws.ToString(p.ParameterValue); value == "" || value != outputs[key] {
				w.Errorf("the alarms of %s watch %q, and the stack has %q", key, value, outputs[key])
			}
		}
	}
	kinds := map[string]int{}
	for _, thing := range w.things() {
		if kind, named, _ := strings.Cut(thing, " "); strings.HasPrefix(named, name+"-") {
			kinds[kind]++
		}
	}
	if parameters < 20 || kinds["alarm"] < 20 || kinds["composite"] < 5 {
		w.Errorf("the alarms have %d parameters, and the account has of their stack %v", parameters, kinds)
	}
	const watched = "DispatchQueueName"
	queue := strings.TrimSpace(w.do("aws cloudwatch describe-alarms --alarm-name-prefix " + name + "-DispatchLateAlarm --query 'MetricAlarms[].Dimensions[].Value' --output text"))
	if queue == "" || queue != outputs[watched] {
		w.Errorf("DispatchLateAlarm watches the queue %q, and the stack has %q", queue, outputs[watched])
	}
}

// things lists what the account has.
func (w *account) things() []string {
	w.Helper()
	out := w.do(w.root.Path(".local/aws/bin/python") + " infra/runbook/inventory.py " + region + " " + replicaRegion + " us-east-1")
	return slices.Sorted(slices.Values(strings.Split(strings.TrimSpace(out), "\n")))
}

// earlier is of the stacks that are created before the service's, and outlive the failure of its creation.
var earlier = regexp.MustCompile(`(?i)-(edge|copies)-|vault CopyVault-`)

// suffix matches CloudFormation's addition to a name.
var suffix = regexp.MustCompile(`(-|[0-9A-F]{8}-|[0-9a-f]{8}-)?[0-9A-Fa-f]{13}$`)

// left lists what the account has more than before the stage.
func (w *account) left() []string {
	w.Helper()
	left, before := []string{}, slices.Clone(w.before)
	for _, thing := range w.things() {
		if at := slices.Index(before, thing); at >= 0 {
			before = slices.Delete(before, at, at+1)
			continue
		}
		left = append(left, suffix.ReplaceAllString(thing, "*"))
	}
	return left
}
