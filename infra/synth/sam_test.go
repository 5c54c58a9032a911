package main

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"tokenlaunch.example/service/infra/stack"
	"tokenlaunch.example/service/infra/stages"
)

// parsed is a template as both tools write it.
type parsed struct {
	Mappings  object              `yaml:"Mappings"`
	Resources map[string]resource `yaml:"Resources"`
}

type resource struct {
	Type                string `yaml:"Type"`
	DeletionPolicy      string `yaml:"DeletionPolicy"`
	UpdateReplacePolicy string `yaml:"UpdateReplacePolicy"`
	Properties          object `yaml:"Properties"`
}

// made are the kinds that SAM makes of an HttpApi and of events, of which none keeps anything.
var made = []string{
	"AWS::ApiGatewayV2::Api", "AWS::ApiGatewayV2::Authorizer", "AWS::ApiGatewayV2::Integration", "AWS::ApiGatewayV2::Route",
	"AWS::ApiGatewayV2::Stage", "AWS::Lambda::Permission",
}

// inFolder has the rest of a test run where the command does, in the folder of the CDK app.
func inFolder(t *testing.T) {
	t.Helper()
	t.Chdir("..")
}

func readTemplate(t *testing.T, path string) (p parsed, text string) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(content, &p); err != nil { // JSON is YAML
		t.Fatal(err)
	}
	return p, string(content)
}

// ofCDK is the template that CDK makes by the same settings.
func ofCDK(t *testing.T, given map[string]string) parsed {
	t.Helper()
	functions, err := stubs(filepath.Join(t.TempDir(), "functions"))
	if err != nil {
		t.Fatal(err)
	}
	context := map[string]string{"functionsDir": functions}
	maps.Copy(context, always)
	maps.Copy(context, given)
	context, err = stages.With(context)
	if err != nil {
		t.Fatal(err)
	}
	settings, err := stack.ReadSettings(context)
	if err != nil {
		t.Fatal(err)
	}
	flags, err := readFlags()
	if err != nil {
		t.Fatal(err)
	}
	content, err := synthesize(t.TempDir(), settings, flags)
	if err != nil {
		t.Fatal(err)
	}
	var p parsed
	if err := json.Unmarshal(content, &p); err != nil {
		t.Fatal(err)
	}
	return p
}

// keepsTheSame holds SAM's template against CDK's: what is kept of each resource when it or
// the stack is deleted, and the logs.
func keepsTheSame(t *testing.T, sam, cdk parsed) {
	t.Helper()
	logs, functions := 0, 0
	for id, want := range cdk.Resources {
		got, ok := sam.Resources[cdkHash.ReplaceAllString(id, "")]
		if !ok {
			got, ok = sam.Resources[id]
		}
		if !ok {
			if !slices.Contains(made, want.Type) || want.DeletionPolicy != "" {
				t.Errorf("%s, %s, is not there", id, want.Type)
			}
			continue
		}
		if got.DeletionPolicy != want.DeletionPolicy || got.UpdateReplacePolicy != want.UpdateReplacePolicy {
			t.Errorf("%s: kept by %q and %q, CDK says %q and %q", id,
				got.DeletionPolicy, got.UpdateReplacePolicy, want.DeletionPolicy, want.UpdateReplacePolicy)
		}
		switch want.Type {
		case "AWS::Logs::LogGroup":
			logs++
			if got, want := asJSON(t, got.Properties), asJSON(t, want.Properties); got != want {
				t.Errorf("%s: %s, CDK says %s", id, got, want)
			}
		case "AWS::Lambda::Function":
			functions++
			group := func(r resource) string {
				return cdkHash.ReplaceAllString(refOf(r.Properties["LoggingConfig"], "LogGroup"), "")
			}
			if group(want) == "" || group(got) != group(want) {
				t.Errorf("%s logs to %q, CDK says %q", id, group(got), group(want))
			}
		}
	}
	if functions == 0 || logs != functions+1 {
		t.Errorf("%d log groups for %d functions and the API", logs, functions)
	}
	if !reflect.DeepEqual(sam.Mappings, cdk.Mappings) {
		t.Errorf("mappings %v, CDK says %v", sam.Mappings, cdk.Mappings)
	}
}

func refOf(of any, key string) string {
	config, _ := of.(object)
	ref, _ := config[key].(object)
	id, _ := ref["Ref"].(string)
	return id
}

func asJSON(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestTemplateRetainsSameResources(t *testing.T) {
	inFolder(t)
	sam, text := readTemplate(t, "../template.yaml")
	keepsTheSame(t, sam, ofCDK(t, map[string]string{"stage": stack.StageDev, "publicUrl": "https://api.example.com"}))
	if !strings.HasPrefix(text, samHeader) {
		t.Error("what SAM cannot say is not at its top")
	}
}

// TestProdTemplateRetainsSameResources tests the template as an operator configures it, with every
// option.
func TestProdTemplateRetainsSameResources(t *testing.T) {
	inFolder(t)
	given := map[string]string{"stage": stack.StageProd, "network": "mainnet", "replicaRegion": always["replicaRegion"], "reportAddress": always["reportAddress"]}
	maps.Copy(given, told[stack.StageProd])
	path := filepath.Join(t.TempDir(), "template.yaml")
	if err := writeSAM(path, given); err != nil {
		t.Fatal(err)
	}
	sam, _ := readTemplate(t, path)
	cdk := ofCDK(t, given)
	if len(cdk.Mappings) == 0 {
		t.Error("CDK makes no mapping any more: the test shows less than it says")
	}
	keepsTheSame(t, sam, cdk)
}
