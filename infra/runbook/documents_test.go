package runbook_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/infra/runbook"
	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/aws/lambdafn"
	"tokenlaunch.example/service/pkg/testkit/localnet/ministack"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/testkit/nightly"
)

// documents are carried out one after the other, in one shell; missing documents are left out. The
// part below the heading last is run after all of them.
var documents = []string{"docs/operations.md", "docs/recovery.md"}

const last = "Destroy"

// The values that the document's first block leaves to its reader.
const (
	stackName = "token-launch-prod"
	region    = "eu-central-1"
	domain    = "api.example.com"
)

// outcome is the text that, according to a document, its reader sees for a block with these words.
type outcome struct {
	of      string
	below   string   // the heading, where the words are in several
	prints  []string // by the block, or by what looks after it
	look    string
	without string // is not printed
	nightly bool
}

var outcomes = []outcome{
	{of: "cdk bootstrap", prints: []string{"/eu-central-1 bootstrapped", "/eu-west-1 bootstrapped", "/us-east-1 bootstrapped"}},
	{of: "make deploy DRY_RUN=1\nmake deploy", prints: []string{
		"preflight: nothing is missing", "DRY_RUN: nothing was deployed", "✅  token-launch-prod-edge", "✅  token-launch-prod-copies", "✅  token-launch-prod\n", "✅  token-launch-prod-alarms", "✅  token-launch-prod-replica",
	}},
	{of: "tools/alarms.sh", prints: []string{"✅  token-launch-prod-alarms"}},
	{of: "curl -fsS \"$API/health\"\ncurl", prints: []string{"CREATE_COMPLETE", "release prod-", `"keys":[{`}, without: "deploy them:"},
	{of: "operate authority", look: "aws kms describe-key --key-id \"$(output NonceKeyId)\"", prints: []string{"ECC_NIST_EDWARDS25519"}},
	{of: "BEFORE=$RELEASE", look: "test \"$BEFORE\" != \"$RELEASE\" && ls \"$BEFORE\"/manifest.json", prints: []string{"DRY_RUN", "manifest.json"}},
	{of: "operate status", below: "Upgrade", prints: []string{"UPDATE_COMPLETE", "-2\n"}},
	{of: "operate rollback", without: "deploy them:", look: "go run -C infra ./operate status \"$STACK\"; test \"$(basename \"$BEFORE\")\" = \"$(output Release)\" && echo it is the one before", prints: []string{"is deployed", "it is the one before"}},
	{of: "rotate-origin", prints: []string{"the functions learn a new secret"}},
	{of: "put-secret-value", look: "aws secretsmanager get-secret-value --secret-id token-launch/prod/solana-rpc", prints: []string{"next.example.com"}},
	{of: "verifywallets", prints: []string{"1 of 1 wallets have the address that is recorded"}},
	{of: "describe-key --key-id \"$(output WalletKeyArn)\" --query", prints: []string{"Enabled"}},
	{of: "keys TokenKey,TokenKey2", nightly: true, prints: []string{"✅  token-launch-prod\n", "},{"}},
	{of: "keys TokenKey2\n", nightly: true, prints: []string{"✅  token-launch-prod\n"}, without: "},{"},
	{of: "operate revoke", prints: []string{"tokens issued until"}},
	{of: "operate/takedown", prints: []string{"report 17", "report 18", "report 19", "not for the front page"}},
	{of: "caps lift", look: "go run -C infra ./operate/caps show \"WALLET#$WALLET\"", prints: []string{"a large day, run checked"}},
	{of: "sqs receive-message", prints: []string{"a message that was given up"}},
	{of: "operate pause", look: rules, prints: []string{"are off", "DISABLED", "ENABLED_WITH_ALL_CLOUDTRAIL_MANAGEMENT_EVENTS"}},
	{of: "operate resume", look: rules, prints: []string{"are on", "ENABLED_WITH_ALL_CLOUDTRAIL_MANAGEMENT_EVENTS"}, without: "DISABLED"},
	{of: "operate stop", look: concurrency, prints: []string{"is stopped", "\nreserved 0"}},
	{of: "operate release", look: concurrency, prints: []string{"\nreserved 20"}},
	{of: "list-stacks", prints: []string{"ACTIVE\nEnabled"}, without: stackName},
}

// The checks after blocks.
const (
	rules       = `aws events list-rules --query 'Rules[].[Name,State]' --output text`
	concurrency = `echo; echo "reserved $(aws lambda get-function-concurrency --function-name "$(output PayerFunctionName)" --query ReservedConcurrentExecutions --output text)"`
)

// TestDocumentsAreCarriedOut does what the documents of operators say, block after block, with
// the real command lines of CDK and AWS, on the local AWS: the stage prod on mainnet, in two
// Regions and the edge's, from the bootstrap to the end of the last stack.
//
// The local AWS judges no policy here (infra/e2e does, on the local stage), and stands in for
// CloudFront by a server that adds the origin secret.
func TestDocumentsAreCarriedOut(t *testing.T) {
	if testing.Short() {
		t.Skip("deploys the whole stack, which short mode leaves out")
	}
	w := start(t)
	whole := nightly.Whole(t)
	var report strings.Builder
	table := tabwriter.NewWriter(&report, 0, 0, 2, ' ', 0)
	defer func() {
		_ = table.Flush()
		t.Logf("the blocks:\n%s", report.String())
	}()
	began := time.Now()
	seen := map[string]bool{}
	for _, b := range w.blocks() {
		if b.Excuse != "" || b.Nightly && !whole {
			_, _ = fmt.Fprintf(table, "%s\tnot run\t%s\n", b, orElse(b.Excuse, "by day"))
			continue
		}
		at := time.Now()
		w.do(b, seen)
		_, _ = fmt.Fprintf(table, "%s\t%.1f s\t%s\n", b, time.Since(at).Seconds(), firstCommand(b.Commands))
	}
	_, _ = fmt.Fprintf(table, "all\t%.1f s\n", time.Since(began).Seconds())
	for _, o := range outcomes {
		if !seen[o.of] && (whole || !o.nightly) {
			t.Errorf("no block that was carried out has %q", o.of)
		}
	}
}

func orElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

func firstCommand(commands string) string {
	for line := range strings.Lines(commands) {
		if !strings.HasPrefix(line, "#") {
			return strings.TrimSuffix(line, "\n")
		}
	}
	return ""
}

// fixture is an account with nothing in it, and a shell of its administrator.
type fixture struct {
	*testing.T

	root  project.Folder
	aws   *ministack.Server
	shell *runbook.Shell
}

func start(t *testing.T) *fixture {
	t.Helper()
	root, err := project.Find()
	must.Do(t, err)
	w := &fixture{T: t, root: root}
	w.aws, err = ministack.Start(context.WithoutCancel(t.Context()), root, ministack.Options{Log: filepath.Join(t.TempDir(), "ministack.log")})
	must.Do(t, err)
	t.Cleanup(w.aws.Stop)
	w.shell, err = runbook.NewShell(context.WithoutCancel(t.Context()), root.Path("."), w.environment())
	must.Do(t, err)
	t.Cleanup(w.shell.Close)
	_, err = w.shell.Do("CERTIFICATE=$(aws acm request-certificate --region us-east-1 --domain-name \"$DOMAIN\" --query CertificateArn --output text)\n")
	must.Do(t, err)
	return w
}

// environment returns the variables that the documents assume, and those that lead to the local AWS.
func (w *fixture) environment() []string {
	w.Helper()
	folder := w.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(folder, name)
		must.Do(w, os.MkdirAll(filepath.Dir(path), 0o700))
		must.Do(w, os.WriteFile(path, []byte(text), mode))
		return path
	}
	for name, value := range map[string]string{
		"rpc.txt": "https://node.example.com", "rpc-next.txt": "https://next.example.com", "pinata.txt": "token",
	} {
		write("values/"+name, value, 0o600)
	}
	front := httptest.NewTLSServer(http.HandlerFunc(w.front))
	w.Cleanup(front.Close)
	write("curl/.curlrc", fmt.Sprintf("connect-to = \"%s:443:%s\"\ninsecure\nnoproxy = \"*\"\n", domain, front.Listener.Addr()), 0o600)

	bin := filepath.Join(folder, "bin")
	must.Do(w, os.Mkdir(bin, 0o700))
	env, err := runbook.Environment(w.root, w.aws, bin)
	must.Do(w, err)
	wallet := solana.NewWallet().PublicKey()
	return append(env,
		"TREASURY="+wallet.String(), "WALLET="+wallet.String(), "MINT="+wallet.String(), "CID="+cid,
		"REPORTS=abuse@example.com", "ALARMS=ops@example.com", "DOMAIN="+domain,
		"VALUES="+filepath.Join(folder, "values"), "CURL_HOME="+filepath.Join(folder, "curl"),
		// The releases are this test's, and their functions run on this machine.
		"RELEASES="+filepath.Join(folder, "releases"), "MAKEFLAGS=-- TARGET=",
	)
}

// cid is some picture's.
const cid = "bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy"

// front hands requests to the API as CloudFront does, with the secret by which the functions know
// it.
func (w *fixture) front(out http.ResponseWriter, in *http.Request) {
	outputs, err := w.outputs(in.Context())
	if err != nil {
		http.Error(out, err.Error(), http.StatusBadGateway)
		return
	}
	stored, err := secretsmanager.NewFromConfig(w.config()).GetSecretValue(in.Context(), &secretsmanager.GetSecretValueInput{SecretId: aws.String(outputs["OriginSecretArn"])})
	if err != nil {
		http.Error(out, err.Error(), http.StatusBadGateway)
		return
	}
	secret, err := apigw.ParseOriginSecret(aws.ToString(stored.SecretString))
	if err != nil {
		http.Error(out, err.Error(), http.StatusBadGateway)
		return
	}
	target, _ := url.Parse(w.aws.Endpoint) // our own address
	(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target)
		r.Out.URL.Path = "/$default" + r.In.URL.Path
		r.Out.Host = outputs["apiId"] + ".execute-api." + target.Host
		r.Out.Header.Set(apigw.SecretHeader, secret.Current)
		r.Out.Header.Set(apigw.AddressHeader, "192.0.2.1")
	}}).ServeHTTP(out, in)
}

func (w *fixture) config() aws.Config {
	config := w.aws.Config()
	config.Region = region
	return config
}

// outputs are those of the service's stack, and the id of its API.
func (w *fixture) outputs(ctx context.Context) (map[string]string, error) {
	client := cloudformation.NewFromConfig(w.config())
	described, err := client.DescribeStacks(ctx, &cloudformation.DescribeStacksInput{StackName: aws.String(stackName)})
	if err != nil {
		return nil, fmt.Errorf("read the stack's outputs: %w", err)
	}
	all := map[string]string{}
	for _, o := range described.Stacks[0].Outputs {
		all[aws.ToString(o.OutputKey)] = aws.ToString(o.OutputValue)
	}
	resources, err := client.DescribeStackResources(ctx, &cloudformation.DescribeStackResourcesInput{StackName: aws.String(stackName)})
	if err != nil {
		return nil, fmt.Errorf("read the stack's resources: %w", err)
	}
	for _, r := range resources.StackResources {
		if aws.ToString(r.ResourceType) == "AWS::ApiGatewayV2::Api" {
			all["apiId"] = aws.ToString(r.PhysicalResourceId)
		}
	}
	return all, nil
}

// blocks are those of all documents.
func (w *fixture) blocks() []runbook.Block {
	w.Helper()
	var all []runbook.Block
	for _, document := range documents {
		text, err := os.ReadFile(w.root.Path(document))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		must.Do(w, err)
		blocks, err := runbook.Blocks(document, string(text))
		must.Do(w, err)
		all = append(all, blocks...)
	}
	early := slices.DeleteFunc(slices.Clone(all), func(b runbook.Block) bool { return b.Heading == last })
	late := slices.DeleteFunc(all, func(b runbook.Block) bool { return b.Heading != last })
	return append(early, late...)
}

// do carries a block out, and looks for what its reader is to see.
func (w *fixture) do(b runbook.Block, seen map[string]bool) {
	w.Helper()
	switch {
	case strings.Contains(b.Commands, "BEFORE=$RELEASE"):
		// The upgrade changes a setting, because the local AWS ignores a release that differs only
		// in its name.
		_, err := w.shell.Do("CONTEXT=\"$CONTEXT -c logLevel=debug\"\n")
		must.Do(w, err)
	case strings.Contains(b.Commands, "verifywallets"):
		w.launched()
	case strings.Contains(b.Commands, "sqs receive-message"):
		w.givenUp()
	}
	out, err := w.shell.Do(b.Commands)
	if err != nil {
		w.Fatalf("%s: %v; it prints\n%s\nof\n%s", b, err, tail(out), b.Commands)
	}
	for _, o := range outcomes {
		if !strings.Contains(b.Commands, o.of) || o.below != "" && o.below != b.Heading {
			continue
		}
		seen[o.of] = true
		if o.look != "" {
			more, err := w.shell.Do(o.look)
			if err != nil {
				w.Fatalf("%s: look by %s: %v\n%s", b, o.look, err, more)
			}
			out += more
		}
		for _, want := range o.prints {
			if !strings.Contains(out, want) {
				w.Errorf("%s: %q is not in\n%s", b, want, tail(out))
			}
		}
		if o.without != "" && strings.Contains(out, o.without) {
			w.Errorf("%s: %q is in\n%s", b, o.without, tail(out))
		}
	}
}

// tail is the end of what was printed: deployments print thousands of lines.
func tail(out string) string {
	lines := strings.Split(out, "\n")
	return strings.Join(lines[max(0, len(lines)-60):], "\n")
}

// launched puts the token MINT on the list, with the wallet that the key derives.
func (w *fixture) launched() {
	w.Helper()
	outputs, err := w.outputs(w.Context())
	must.Do(w, err)
	printed, err := w.shell.Do("echo $MINT\n")
	must.Do(w, err)
	mint := solana.MustPublicKeyFromBase58(strings.TrimSpace(printed))
	id := uuid.NewString()
	address, err := lambdafn.Deriver{Client: lambda.NewFromConfig(w.config()), FunctionName: outputs["DeriverFunctionName"]}.Address(w.Context(), id)
	must.Do(w, err)
	text := func(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }
	number := func(s string) types.AttributeValue { return &types.AttributeValueMemberN{Value: s} }
	key := &types.AttributeValueMemberB{Value: mint[:]}
	for _, item := range []map[string]types.AttributeValue{
		{
			"pk": text("TOKEN#" + mint.String()), "sk": text("TOKEN"), "mint": key, "creator": key, "id": text(id), "status": text("confirmed"),
			"visible": &types.AttributeValueMemberBOOL{Value: true}, "name": text("A"), "symbol": text("A"), "imageCid": text(cid), "metadataCid": text(cid),
			"walletId": text(id), "walletAddress": &types.AttributeValueMemberB{Value: address[:]}, "listEntry": number("0"), "creatorEntry": number("0"),
		},
		{"pk": text("LIST#ALL"), "sk": text("HEAD"), "next": number("1")},
		{"pk": text("LIST#ALL#0"), "sk": text("000000000000"), "mint": key},
		{"pk": text("LIST#" + mint.String()), "sk": text("HEAD"), "next": number("1")},
		{"pk": text("LIST#" + mint.String() + "#0"), "sk": text("000000000000"), "mint": key},
	} {
		_, err := dynamodb.NewFromConfig(w.config()).PutItem(w.Context(), &dynamodb.PutItemInput{TableName: aws.String(outputs["LaunchTableName"]), Item: item})
		must.Do(w, err)
	}
}

// givenUp puts a message into a dead-letter queue.
func (w *fixture) givenUp() {
	w.Helper()
	outputs, err := w.outputs(w.Context())
	must.Do(w, err)
	_, err = sqs.NewFromConfig(w.config()).SendMessage(w.Context(), &sqs.SendMessageInput{
		QueueUrl: aws.String(outputs["RunDeadLetterQueueUrl"]), MessageBody: aws.String("a message that was given up"),
	})
	must.Do(w, err)
}
