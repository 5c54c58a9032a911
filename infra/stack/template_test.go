package stack_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/assertions"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"

	"tokenlaunch.example/service/infra/stack"
	"tokenlaunch.example/service/infra/stages"
)

// functionNames are all functions, by their folder.
var functionNames = []string{
	"announcer", "auth", "authorizer", "burns", "canary", "courier", "deriver", "dex", "dispatcher", "distribution", "distributor", "docs", "featured", "images",
	"launchpad", "monitor", "notifier", "payer", "pinner", "reconciler", "signer", "tokens", "webhooks",
}

// jsii.Close races with itself, so the Node process is left to end with this one, and its directory
// is made where it can be removed.
func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "stack")
	if err == nil {
		err = errors.Join(os.Setenv("TMPDIR", dir), os.Setenv("CDK_VALIDATION", "false")) // make template checks the templates
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	if err := os.RemoveAll(dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(code)
}

// treasury is some wallet.
const treasury = "BtM3wbRDTBVn4GzLby4TgwNb4e1Kmr5zP9nEz89CtXKL"

// replicaRegion is where the stacks of these tests have a replica.
const replicaRegion = "eu-west-1"

// settings are those of a stage on which everything optional is set.
func settings(t *testing.T, stage string) stack.Settings {
	t.Helper()
	dir := t.TempDir()
	for _, name := range functionNames {
		if err := os.WriteFile(filepath.Join(dir, name+".zip"), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	context := map[string]string{
		"stage": stage, "functionsDir": dir, "ipfsApiUrl": "https://ipfs.example", "pins": "pinata,kubo",
		"exchanges": "jupiter", "exchangeUrl": "https://exchange.example",
		"guardianKey": treasury, "guardianUrl": "https://guardian.example",
		"canaryMinutes": "10", "canaryMint": treasury, "version": "1.2.0",
		"treasuryAddress": treasury, "reportAddress": "abuse@api.example", "alarmTopic": "arn:aws:sns:us-east-1:000000000000:alarms",
	}
	for _, secret := range stack.SecretRows {
		context[secret.Context] = secretVariables[secret.Variable]
	}
	if stage == "prod" {
		context["network"], context["publicUrl"] = "devnet", "https://api.example"
	}
	if stage != stack.StageLocal {
		context["replicaRegion"] = replicaRegion
	}
	s, err := stack.ReadSettings(context)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// template is CloudFormation's input.
type template struct {
	Resources map[string]resource
	Outputs   map[string]struct{ Value any }
	// sizes are those of the stack, under "", and of the alarms' stack of a service.
	sizes map[string]size
	text  string // of the stacks
}

type resource struct {
	Type                string
	Properties          map[string]any
	DeletionPolicy      string
	UpdateReplacePolicy string
	DependsOn           []string
}

var (
	templates     = map[string]template{}
	templatesLock sync.Mutex
)

// synthesize creates the template of a stage.
func synthesize(t *testing.T, stage string) template {
	t.Helper()
	return synthesizeWith(t, settings(t, stage))
}

func synthesizeWith(t *testing.T, s stack.Settings) template {
	t.Helper()
	return synthesizeStack(t, s, stack.NewService)
}

// size is the numbers of a template that CloudFormation limits.
type size struct{ resources, parameters, outputs int }

// measured is the template of a stack, and its size.
func measured(t *testing.T, of awscdk.Stack) ([]byte, size) {
	t.Helper()
	var part struct{ Resources, Parameters, Outputs map[string]any }
	text, err := json.Marshal(assertions.Template_FromStack(of, nil).ToJSON())
	if err == nil {
		err = json.Unmarshal(text, &part)
	}
	if err != nil {
		t.Fatal(err)
	}
	return text, size{len(part.Resources), len(part.Parameters), len(part.Outputs)}
}

// joined is the template of the service with its alarms, and the sizes of both stacks.
func joined(t *testing.T, service, alarms awscdk.Stack) template {
	t.Helper()
	parts := map[string][]byte{}
	sizes := map[string]size{}
	for name, of := range map[string]awscdk.Stack{"": service, stages.AlarmsSuffix: alarms} {
		parts[name], sizes[name] = measured(t, of)
	}
	text, err := stack.Join(parts[""], parts[stages.AlarmsSuffix])
	if err != nil {
		t.Fatal(err)
	}
	tpl := template{sizes: sizes, text: string(parts[""]) + string(parts[stages.AlarmsSuffix])}
	if err := json.Unmarshal(text, &tpl); err != nil {
		t.Fatal(err)
	}
	return tpl
}

// synthesizeStack returns the template of the stack that add adds to an app, created once for all
// tests. Tests must not change the shared template. The template is empty if add adds no stack.
func synthesizeStack(t *testing.T, s stack.Settings, add func(constructs.Construct, stack.Settings) awscdk.Stack) template {
	t.Helper()
	templatesLock.Lock()
	defer templatesLock.Unlock()
	of := s
	of.FunctionsDir = ""
	key := fmt.Sprintf("%p %+v", add, of)
	made, ok := templates[key]
	if !ok {
		made = newTemplate(t, s, add)
		templates[key] = made
	}
	return made
}

func newTemplate(t *testing.T, s stack.Settings, add func(constructs.Construct, stack.Settings) awscdk.Stack) template {
	t.Helper()
	context, err := os.ReadFile("../cdk.json")
	if err != nil {
		t.Fatal(err)
	}
	var flags struct{ Context map[string]any }
	if err := json.Unmarshal(context, &flags); err != nil {
		t.Fatal(err)
	}
	app := awscdk.NewApp(&awscdk.AppProps{Context: &flags.Context, Outdir: jsii.String(t.TempDir())})
	made := add(app, s)
	if made == nil {
		return template{}
	}
	if alarms, ok := app.Node().TryFindChild(jsii.String(s.Name + stages.AlarmsSuffix)).(awscdk.Stack); ok {
		return joined(t, made, alarms)
	}
	return templateOf(t, made)
}

func templateOf(t *testing.T, made awscdk.Stack) template {
	t.Helper()
	text, sized := measured(t, made)
	tpl := template{sizes: map[string]size{"": sized}, text: string(text)}
	if err := json.Unmarshal(text, &tpl); err != nil {
		t.Fatal(err)
	}
	return tpl
}

// of lists the resources of a type, by their construct's name.
func (tpl template) of(kind string) map[string]resource {
	found := map[string]resource{}
	for id, r := range tpl.Resources {
		if r.Type == kind {
			found[constructName(id)] = r
		}
	}
	return found
}

var hashSuffix = regexp.MustCompile(`[0-9A-F]{8}$`)

// constructName takes the hash off a logical id.
func constructName(id string) string { return hashSuffix.ReplaceAllString(id, "") }

// text writes a value in one line: a reference is the construct's name, an
// attribute "name.Attribute".
func text(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case map[string]any:
		if ref, ok := v["Ref"]; ok {
			return constructName(fmt.Sprint(ref))
		}
		if parts, ok := v["Fn::GetAtt"].([]any); ok {
			return constructName(fmt.Sprint(parts[0])) + "." + fmt.Sprint(parts[1])
		}
		if join, ok := v["Fn::Join"].([]any); ok {
			var out []string
			for _, part := range list(join[1]) {
				out = append(out, text(part))
			}
			return strings.Join(out, fmt.Sprint(join[0]))
		}
		return fmt.Sprint(v)
	default:
		return fmt.Sprint(v)
	}
}

// list returns a list, also of a single value.
func list(value any) []any {
	switch v := value.(type) {
	case nil:
		return nil
	case []any:
		return v
	default:
		return []any{v}
	}
}

func texts(value any) []string {
	var out []string
	for _, v := range list(value) {
		out = append(out, text(v))
	}
	return out
}

// at follows keys into nested maps; nil when one is missing.
func at(value any, keys ...string) any {
	for _, key := range keys {
		m, ok := value.(map[string]any)
		if !ok {
			return nil
		}
		value = m[key]
	}
	return value
}

func (r resource) at(keys ...string) any { return at(map[string]any(r.Properties), keys...) }

// functionOf finds in a name like TokensFunction or TokensRole the function.
func functionOf(name string) string {
	for _, suffix := range []string{"Function", "Role", "Log"} {
		if base, ok := strings.CutSuffix(name, suffix); ok {
			return strings.ToLower(base)
		}
	}
	return name
}

func wantEqual[T comparable](t *testing.T, what string, have, want T) {
	t.Helper()
	if have != want {
		t.Errorf("%s: %v, want %v", what, have, want)
	}
}

func wantLines(t *testing.T, what string, have, want []string) {
	t.Helper()
	have, want = slices.Sorted(slices.Values(have)), slices.Sorted(slices.Values(want))
	for _, line := range have {
		if !slices.Contains(want, line) {
			t.Errorf("%s: %q is too wide", what, line)
		}
	}
	for _, line := range want {
		if !slices.Contains(have, line) {
			t.Errorf("%s: %q is missing", what, line)
		}
	}
}

// written writes a value with its keys in order; one thing and a list of it are
// the same.
func written(value any) string {
	if m, ok := value.(map[string]any); ok && m["Ref"] == nil && m["Fn::GetAtt"] == nil && m["Fn::Join"] == nil {
		var lines []string
		for key, value := range m {
			if key != "Tags" {
				lines = append(lines, key+": "+written(value))
			}
		}
		slices.Sort(lines)
		return "{" + strings.Join(lines, ", ") + "}"
	}
	if l, ok := value.([]any); ok {
		var items []string
		for _, item := range l {
			items = append(items, written(item))
		}
		return strings.Join(items, " | ")
	}
	return text(value)
}
