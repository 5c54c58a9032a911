package stack_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"go.yaml.in/yaml/v3"
)

// deployed is template.yaml with these parameters: its conditions and mappings are
// worked out, and what is then without a value is not there.
type deployed struct {
	parameters map[string]string
	mappings   map[string]any
	conditions map[string]any
}

func readSAMWith(t *testing.T, parameters map[string]string) template {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(root, "template.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var document yaml.Node
	if err := yaml.Unmarshal(content, &document); err != nil {
		t.Fatal(err)
	}
	whole := plain(t, document.Content[0])
	d := deployed{parameters: parameters}
	d.mappings, _ = at(whole, "Mappings").(map[string]any)
	d.conditions, _ = at(whole, "Conditions").(map[string]any)
	sam := readSAM(t)
	for name, r := range sam.Resources {
		r.Properties, _ = d.value(t, r.Properties).(map[string]any)
		sam.Resources[name] = r
	}
	return sam
}

// absent stands for AWS::NoValue.
type absent struct{}

func (d deployed) value(t *testing.T, value any) any {
	t.Helper()
	switch v := value.(type) {
	case []any:
		var out []any
		for _, item := range v {
			if item = d.value(t, item); item != any(absent{}) {
				out = append(out, item)
			}
		}
		return out
	case map[string]any:
		if ref, ok := v["Ref"].(string); ok {
			if ref == "AWS::NoValue" {
				return absent{}
			}
			if given, ok := d.parameters[ref]; ok {
				return given
			}
			return v
		}
		if branches, ok := v["If"].([]any); ok {
			condition := d.conditions[fmt.Sprint(branches[0])]
			if condition == nil {
				t.Fatalf("template.yaml has no condition %v", branches[0])
			}
			if holds, known := d.holds(t, condition); known && holds {
				return d.value(t, branches[1])
			} else if known {
				return d.value(t, branches[2])
			}
			return v
		}
		if path, ok := v["FindInMap"].([]any); ok {
			found := at(d.mappings, fmt.Sprint(path[0]), fmt.Sprint(d.value(t, path[1])), fmt.Sprint(path[2]))
			if found == nil {
				t.Fatalf("template.yaml has nothing at %v", path)
			}
			return found
		}
		out := map[string]any{}
		for key, item := range v {
			if item = d.value(t, item); item != any(absent{}) {
				out[key] = item
			}
		}
		return out
	}
	return value
}

// holds works a condition out; it is not known when parameters are missing.
func (d deployed) holds(t *testing.T, condition any) (holds, known bool) {
	t.Helper()
	if sides := list(at(condition, "Equals")); len(sides) == 2 {
		left, right := d.value(t, sides[0]), d.value(t, sides[1])
		_, open := left.(map[string]any)
		return fmt.Sprint(left) == fmt.Sprint(right), !open
	}
	if inner := list(at(condition, "Not")); len(inner) == 1 {
		holds, known = d.holds(t, inner[0])
		return !holds, known
	}
	if any := list(at(condition, "Or")); len(any) > 0 {
		known = true
		for _, one := range any {
			h, k := d.holds(t, one)
			holds, known = holds || h, known && k
		}
		return holds, known
	}
	t.Fatalf("template.yaml has a condition that this test does not read: %v", condition)
	return false, false
}

// What a stage gets is said twice: in the table of profiles and in the mappings and
// conditions of template.yaml.
func TestSAMStagesGetTheSame(t *testing.T) {
	for _, d := range []struct{ stage, network string }{{"dev", "devnet"}, {"staging", "devnet"}, {"prod", "devnet"}, {"dev", "mainnet"}} {
		s := settings(t, d.stage)
		s.Network = d.network
		cdk := synthesizeOnce(t, s)
		sam := readSAMWith(t, map[string]string{"Stage": d.stage, "Network": d.network})
		name := d.stage + " on " + d.network + " "

		for log, r := range sam.of("AWS::Logs::LogGroup") {
			wantEqual(t, name+log, text(r.at("RetentionInDays")), text(cdk.of("AWS::Logs::LogGroup")[log].at("RetentionInDays")))
		}
		for table, r := range sam.of("AWS::DynamoDB::Table") {
			want := cdk.of("AWS::DynamoDB::GlobalTable")[table]
			replica := list(want.at("Replicas"))[0]
			wantEqual(t, name+table+" deletion protection", r.at("DeletionProtectionEnabled") == true, at(replica, "DeletionProtectionEnabled") == true)
			wantEqual(t, name+table+" recovery", text(r.at("PointInTimeRecoverySpecification", "RecoveryPeriodInDays")),
				text(at(replica, "PointInTimeRecoverySpecification", "RecoveryPeriodInDays")))
			wantEqual(t, name+table+" encryption", r.at("SSESpecification", "SSEEnabled"), want.at("SSESpecification", "SSEEnabled"))
		}
		versions := func(tpl template) string {
			if status := text(tpl.of("AWS::S3::Bucket")["AssetBucket"].at("VersioningConfiguration", "Status")); status != "Suspended" {
				return status
			}
			return ""
		}
		wantEqual(t, name+"versions", versions(sam), versions(cdk))
		for function, r := range sam.of("AWS::Serverless::Function") {
			want := cdk.of("AWS::Lambda::Function")[function]
			wantEqual(t, name+function+" reserved", text(r.at("ReservedConcurrentExecutions")), text(want.at("ReservedConcurrentExecutions")))
			wantEqual(t, name+function+" traces", text(r.at("Tracing")), text(want.at("TracingConfig", "Mode")))
		}
		api, stage := sam.Resources["HttpApi"], cdk.of("AWS::ApiGatewayV2::Stage")["ApiStage"]
		wantEqual(t, name+"throttle", written(api.at("DefaultRouteSettings")), written(stage.at("DefaultRouteSettings")))
		wantEqual(t, name+"dear routes", written(api.at("RouteSettings")), written(stage.at("RouteSettings")))
		wantEqual(t, name+"access log", written(api.at("AccessLogSettings")), written(stage.at("AccessLogSettings")))
	}
}
