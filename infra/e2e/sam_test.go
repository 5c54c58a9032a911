package e2e_test

import (
	"encoding/json"
	"net/http/httptest"
	"net/http/httputil"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	functions "tokenlaunch.example/service/infra/local/deployed"
	"tokenlaunch.example/service/infra/local/runner"
	"tokenlaunch.example/service/infra/runtimeapi"
	"tokenlaunch.example/service/pkg/aws/awsconfig"
	"tokenlaunch.example/service/pkg/testkit/eventtest"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

// samEnvironment returns the environment that SAM's own code would put into each function's container, by
// the logical ids.
func samEnvironment(t *testing.T) map[string]map[string]string {
	t.Helper()
	root, err := project.Find()
	if err != nil {
		t.Fatal(err)
	}
	python := root.Path(".local/sam/bin/python")
	if _, err := os.Stat(python); err != nil {
		t.Skip("the SAM command line is not installed: run make template")
	}
	cmd := exec.CommandContext(t.Context(), python, root.Path("infra/local/sam_env.py"),
		root.Path("template.yaml"), filepath.Join(folder, "env.json"))
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "SAM_CLI_TELEMETRY=0",
		"AWS_SHARED_CREDENTIALS_FILE=" + filepath.Join(folder, "credentials"), "AWS_CONFIG_FILE=" + os.DevNull,
	}
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, said.String())
	}
	var all map[string]map[string]string
	if err := json.Unmarshal(out, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// A function in SAM's container has the deployed function's environment, except for this machine's
// name there.
func TestSAMEnvironmentMatchesDeployed(t *testing.T) {
	s := deployed(t)
	all, err := functions.Functions(t.Context(), s.AWS.Config(), s.Outputs.Functions())
	if err != nil {
		t.Fatal(err)
	}
	delete(all, "canary") // template.yaml is for the stage dev, which has none
	sam := samEnvironment(t)
	if len(sam) != len(all) {
		t.Errorf("SAM has %d functions, the stack %d", len(sam), len(all))
	}
	for name, f := range all {
		have := sam[f.LogicalID]
		want := f.ContainerVariables(s.AWS.Endpoint, s.Chain.RPCURL)
		for variable, value := range want {
			// These belong to the local stage, for which template.yaml is not made.
			if variable == "PAGE_MARKETS" || strings.HasPrefix(variable, "GUARDIAN") {
				continue
			}
			if got, ok := have[variable]; !ok || got != value {
				t.Errorf("%s %s is %q, want %q", name, variable, got, value)
			}
		}
		for variable, value := range have {
			// The other variables are set by Lambda, or are only in template.yaml and must be
			// empty.
			if _, ok := want[variable]; !ok && !strings.HasPrefix(variable, "AWS_") && value != "" {
				t.Errorf("%s has %s=%q, which the deployed function lacks", name, variable, value)
			}
		}
		// A function connects to nothing inside its own container.
		for variable, value := range have {
			callers := []string{"PUBLIC_URL", "JWT_ISSUER", "IPFS_GATEWAY_URL"}
			inside := strings.Contains(value, "127.0.0.1") || strings.Contains(value, "localhost")
			if inside && !slices.Contains(callers, variable) && !strings.HasSuffix(variable, "_QUEUE_URL") {
				t.Errorf("%s %s is %s", name, variable, value)
			}
		}
	}
}

// A binary with only this environment responds. A proxy that knows the machine by its name in
// containers takes the place of the container's network.
func TestBinaryRunsInSAMEnvironment(t *testing.T) {
	s := deployed(t)
	sam := samEnvironment(t)
	calls := make(chan string, 1000)
	network := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		calls <- r.In.URL.Host
		r.Out.URL.Host = strings.Replace(r.Out.URL.Host, functions.ContainerHost, "127.0.0.1", 1)
	}})
	defer network.Close()
	for event, want := range map[string]string{
		"tokens-list":    `"statusCode":200`, // the table
		"docs-jwks":      `"statusCode":200`, // a key
		"deriver-wallet": `"address"`,
	} {
		name, _, _ := strings.Cut(event, "-")
		answer := inContainer(t, s, sam, name, event, network)
		if !strings.Contains(answer, want) {
			t.Errorf("%s = %s", event, answer)
		}
	}
	network.Close()
	close(calls)
	total := 0
	for host := range calls {
		if total++; !strings.HasPrefix(host, functions.ContainerHost+":") {
			t.Errorf("called %s", host)
		}
	}
	if total == 0 {
		t.Error("no function was called")
	}
}

func inContainer(t *testing.T, s *runner.Stack, sam map[string]map[string]string, name, event string, network *httptest.Server) string {
	t.Helper()
	root, err := project.Find()
	if err != nil {
		t.Fatal(err)
	}
	all, err := functions.Functions(t.Context(), s.AWS.Config(), s.Outputs.Functions())
	if err != nil {
		t.Fatal(err)
	}
	f := all[name]
	env := functions.List(sam[f.LogicalID])
	p, err := runtimeapi.Start(t.Context(), runtimeapi.Options{
		Binary: f.Binary(root.Path(".build/functions")), Env: append(env, "HTTP_PROXY="+network.URL), Timeout: f.Timeout,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Stop()
	text, err := eventtest.Event(event)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := p.Invoke(t.Context(), runtimeapi.Event{Payload: text})
	if err != nil {
		t.Fatal(err)
	}
	return string(answer)
}

// SAM declares AWS_ENDPOINT_URL without a value, because only declared variables can be set. The
// AWS SDK treats an empty value as no endpoint.
func TestEmptyEndpointIsIgnored(t *testing.T) {
	cfg := emptyEndpoint(t)
	client := dynamodb.NewFromConfig(cfg)
	if cfg.BaseEndpoint != nil || client.Options().BaseEndpoint != nil {
		t.Errorf("an empty AWS_ENDPOINT_URL is the endpoint %v", client.Options().BaseEndpoint)
	}
}

func emptyEndpoint(t *testing.T) aws.Config {
	t.Helper()
	for name, value := range map[string]string{
		"AWS_ENDPOINT_URL": "", "AWS_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "key",
		"AWS_CONFIG_FILE": os.DevNull, "AWS_SHARED_CREDENTIALS_FILE": os.DevNull,
	} {
		t.Setenv(name, value)
	}
	cfg, err := awsconfig.Config()
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}
