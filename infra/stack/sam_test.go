package stack_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// readSAM reads template.yaml in the form in which CDK writes its templates:
// !Ref and !GetAtt in their long forms, !Sub as the text that it makes.
func readSAM(t *testing.T) template {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(root, "template.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var document yaml.Node
	if err := yaml.Unmarshal(content, &document); err != nil {
		t.Fatal(err)
	}
	whole, ok := plain(t, document.Content[0]).(map[string]any)
	if !ok {
		t.Fatal("template.yaml is not a map")
	}
	globals, _ := at(whole, "Globals", "Function").(map[string]any)
	// Nothing but sam local sets this one, see README.md.
	wantEqual(t, "variables of all functions", written(at(globals, "Environment", "Variables")), "{AWS_ENDPOINT_URL: }")
	wantEqual(t, "architecture", text(list(globals["Architectures"])[0]), "Architecture")
	globals["Architectures"] = []any{at(whole, "Parameters", "Architecture", "Default")}
	sam := template{Resources: map[string]resource{}}
	resources, _ := whole["Resources"].(map[string]any)
	for name, value := range resources {
		properties, _ := at(value, "Properties").(map[string]any)
		r := resource{
			Type: text(at(value, "Type")), Properties: properties,
			DeletionPolicy: text(at(value, "DeletionPolicy")), UpdateReplacePolicy: text(at(value, "UpdateReplacePolicy")),
		}
		if r.Type == "AWS::Serverless::Function" {
			for key, value := range globals {
				if _, own := r.Properties[key]; !own {
					r.Properties[key] = value
				}
			}
		}
		sam.Resources[name] = r
	}
	return sam
}

// plain turns a node into maps, lists and values.
func plain(t *testing.T, node *yaml.Node) any {
	t.Helper()
	switch node.Tag {
	case "!Ref":
		return map[string]any{"Ref": node.Value}
	case "!GetAtt":
		resource, attribute, _ := strings.Cut(node.Value, ".")
		return map[string]any{"Fn::GetAtt": []any{resource, attribute}}
	case "!Sub":
		return strings.NewReplacer("${", "", "}", "").Replace(node.Value)
	}
	switch node.Kind {
	case yaml.MappingNode:
		m := map[string]any{}
		for i := 0; i < len(node.Content); i += 2 {
			m[node.Content[i].Value] = plain(t, node.Content[i+1])
		}
		return m
	case yaml.SequenceNode:
		var l []any
		for _, item := range node.Content {
			l = append(l, plain(t, item))
		}
		if strings.HasPrefix(node.Tag, "!") && !strings.HasPrefix(node.Tag, "!!") {
			return map[string]any{strings.TrimPrefix(node.Tag, "!"): l}
		}
		return l
	case yaml.ScalarNode:
		var value any
		if err := node.Decode(&value); err != nil {
			t.Fatalf("line %d: %v", node.Line, err)
		}
		return value
	case yaml.DocumentNode, yaml.AliasNode:
	}
	t.Fatalf("line %d of template.yaml holds what CloudFormation does not read", node.Line)
	return nil
}

// samRoutes gives the same as template.routes.
func samRoutes(t *testing.T, sam template) map[string]string {
	t.Helper()
	routes := map[string]string{}
	for name, r := range sam.of("AWS::Serverless::Function") {
		events, _ := r.at("Events").(map[string]any)
		for event, value := range events {
			if text(at(value, "Type")) != "HttpApi" {
				continue // TestSAMStartsTheSameInTheBackground has those
			}
			wantEqual(t, event+" ApiId", text(at(value, "Properties", "ApiId")), "HttpApi")
			key := text(at(value, "Properties", "Method")) + " " + text(at(value, "Properties", "Path"))
			if key == " " {
				key = "$default"
			}
			if _, twice := routes[key]; twice {
				t.Errorf("template.yaml has %s twice", key)
			}
			routes[key] = functionOf(name)
			if authorizer := text(at(value, "Properties", "Auth", "Authorizer")); authorizer != "" {
				routes[key] += " +Api" + authorizer
			}
		}
	}
	return routes
}

func TestSAMHasTheSameRoutes(t *testing.T) {
	var have, want []string
	for key, leadsTo := range samRoutes(t, readSAM(t)) {
		have = append(have, key+" → "+leadsTo)
	}
	for key, leadsTo := range synthesize(t, "dev").routes(t) {
		want = append(want, key+" → "+leadsTo)
	}
	wantLines(t, "template.yaml", have, want)
}

func TestSAMHasTheSameFunctions(t *testing.T) {
	about := func(tpl template, kind string) (lines []string) {
		for name, r := range tpl.of(kind) {
			line := name
			for _, key := range []string{"Description", "Runtime", "Handler", "Architectures", "MemorySize", "Timeout"} {
				line += fmt.Sprintf(" %s=%v", key, text(r.Properties[key]))
			}
			line += " scratch=" + fmt.Sprint(r.at("EphemeralStorage", "Size"))
			lines = append(lines, line+" log="+text(r.at("LoggingConfig", "LogGroup")))
		}
		return lines
	}
	wantLines(t, "template.yaml", about(readSAM(t), "AWS::Serverless::Function"),
		about(synthesize(t, "dev"), "AWS::Lambda::Function"))
}

// Values differ where a setting is a parameter; what points at a resource may not.
func TestSAMHasTheSameVariables(t *testing.T) {
	cdk := synthesize(t, "dev")
	variables := func(tpl template, kind string) (lines []string) {
		for name, r := range tpl.of(kind) {
			environment, _ := r.at("Environment", "Variables").(map[string]any)
			for variable, value := range environment {
				// !If [HasRpcSecret, nothing, RpcUrl]: the CDK stack here has the secret.
				if branches := list(at(value, "If")); len(branches) > 0 && text(branches[1]) == "AWS::NoValue" {
					continue
				}
				line := name + " " + variable
				if pointed := text(value); slices.ContainsFunc([]string{"Table", "Bucket", "Queue", "Key", "Function"},
					func(suffix string) bool { return strings.HasSuffix(pointed, suffix) }) {
					line += "=" + pointed
				}
				lines = append(lines, line)
			}
		}
		return lines
	}
	wantLines(t, "template.yaml", variables(readSAM(t), "AWS::Serverless::Function"),
		variables(cdk, "AWS::Lambda::Function"))
}

// SAM itself lets every function write its log, so those rights are left out.
func TestSAMGivesTheSameRights(t *testing.T) {
	want := synthesize(t, "dev").rightsWith(t, keysOf)
	for name, r := range readSAM(t).of("AWS::Serverless::Function") {
		var have []string
		for _, policy := range list(r.at("Policies")) {
			for _, statement := range list(at(policy, "Statement")) {
				// !If [HasSecret, statement, nothing]
				if branches := list(at(statement, "If")); len(branches) > 0 {
					statement = branches[1]
				}
				wantEqual(t, name+" Effect", text(at(statement, "Effect")), "Allow")
				for _, action := range texts(at(statement, "Action")) {
					have = append(have, action+" "+text(at(statement, "Resource"))+keysOf(statement))
				}
			}
		}
		wantLines(t, name, have, slices.DeleteFunc(want[functionOf(name)],
			func(right string) bool { return strings.HasPrefix(right, "logs:") }))
	}
}

// Rules may call the functions that they start, and nobody else may.
func TestSAMLetsTheSameRulesCall(t *testing.T) {
	calls := func(tpl template) (lines []string) {
		for _, r := range tpl.of("AWS::Lambda::Permission") {
			if text(r.at("Principal")) == "events.amazonaws.com" {
				lines = append(lines, text(r.at("SourceArn"))+" "+text(r.at("Action"))+" "+text(r.at("FunctionName")))
			}
		}
		return lines
	}
	wantLines(t, "template.yaml", calls(readSAM(t)), calls(synthesize(t, "dev")))
}

// Nobody reads the files of either bucket but the functions, and the ledger's
// have versions on every stage.
func TestSAMHasTheSameBuckets(t *testing.T) {
	want, have := synthesize(t, "prod").of("AWS::S3::Bucket"), readSAMWith(t, map[string]string{"Stage": "prod", "Network": "devnet"}).of("AWS::S3::Bucket")
	wantEqual(t, "buckets", len(have), len(want))
	for name, r := range have {
		wantEqual(t, name, written(r.Properties), written(want[name].Properties))
	}
}

func TestSAMHasTheSameTables(t *testing.T) {
	want := synthesize(t, "dev").of("AWS::DynamoDB::GlobalTable")
	have := readSAM(t).of("AWS::DynamoDB::Table")
	wantEqual(t, "tables", len(have), len(want))
	for name, r := range have {
		wantLines(t, name, tableOf(r), tableOf(want[name]))
		wantEqual(t, name+" BillingMode", text(r.at("BillingMode")), text(want[name].at("BillingMode")))
	}
}

// Keys, queues, rules and policies are the same resources in both.
func TestSAMHasTheSameResources(t *testing.T) {
	kinds := []string{
		"AWS::KMS::Key", "AWS::SQS::Queue", "AWS::SQS::QueuePolicy", "AWS::S3::BucketPolicy", "AWS::Logs::LogGroup",
		"AWS::Events::Rule", "AWS::Logs::MetricFilter",
	}
	cdk, sam := synthesize(t, "prod"), readSAMWith(t, map[string]string{
		"Stage": "prod", "Network": "devnet", "AlarmTopic": "arn:aws:sns:us-east-1:000000000000:alarms", "ReplicaRegion": replicaRegion,
	})
	for _, kind := range kinds {
		want, have := cdk.of(kind), sam.of(kind)
		wantEqual(t, kind, len(have), len(want))
		for name, r := range have {
			wantEqual(t, name, parameters.Replace(written(r.Properties)), written(want[name].Properties))
		}
	}
}

// parameters gives those of template.yaml that stand in names the values that the
// tests give them in the stack.
var parameters = strings.NewReplacer(
	"token-launch/Stage/", "token-launch/prod/", "role/KeyAdminRole", "role/token-launch-key-admin",
)

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

func TestSAMHasTheSameGateway(t *testing.T) {
	cdk := synthesize(t, "dev")
	var api, stage resource
	for _, r := range cdk.of("AWS::ApiGatewayV2::Api") {
		api = r
	}
	for _, r := range cdk.of("AWS::ApiGatewayV2::Stage") {
		stage = r
	}
	sam := readSAM(t).Resources["HttpApi"]
	wantEqual(t, "CORS", written(sam.at("CorsConfiguration")), written(api.at("CorsConfiguration")))
	wantEqual(t, "stage", text(sam.at("StageName")), text(stage.at("StageName")))
	authorizers, _ := sam.at("Auth", "Authorizers").(map[string]any)
	wantEqual(t, "authorizers", written(authorizers), written(map[string]any{"Caller": map[string]any{
		"FunctionArn":                      "AuthorizerFunction.Arn",
		"AuthorizerPayloadFormatVersion":   "2.0",
		"EnableSimpleResponses":            true,
		"EnableFunctionDefaultPermissions": true,
		"Identity":                         map[string]any{"ReauthorizeEvery": 0},
	}}))
	if sam.at("Auth", "DefaultAuthorizer") != nil {
		t.Error("template.yaml puts the authorizer before every route")
	}
}
