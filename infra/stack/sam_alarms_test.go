package stack_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

var update = flag.Bool("update", false, "write the alarms and the dashboard of template.yaml again")

// generated begins the part of template.yaml that is written by the test below.
const (
	generated    = "  # writes them with the flag -update.\n"
	afterwards   = "\nOutputs:\n"
	tellingTopic = `!If [HasAlarmTopic, [!Ref AlarmTopic], !Ref "AWS::NoValue"]`
)

// TestSAMHasTheSameAlarms compares, and writes when told to: nobody keeps some sixty
// alarms in two places by hand.
func TestSAMHasTheSameAlarms(t *testing.T) {
	file := filepath.Join(root, "template.yaml")
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, found := strings.Cut(string(content), generated)
	have, tail, ended := strings.Cut(rest, afterwards)
	if !found || !ended {
		t.Fatal("template.yaml has no place for the alarms")
	}
	want := samAlarms(t)
	if have == want {
		return
	}
	if !*update {
		t.Fatal("the alarms of template.yaml are not those of the stack: go test ./stack -run TestSAMHasTheSameAlarms -update")
	}
	if err := os.WriteFile(file, []byte(head+generated+want+afterwards+tail), 0o644); err != nil {
		t.Fatal(err)
	}
}

// samAlarms writes the alarms and the dashboard in YAML, under SAM's names.
func samAlarms(t *testing.T) string {
	t.Helper()
	var text strings.Builder
	tpl := synthesize(t, "prod")
	for _, kind := range []string{"AWS::CloudWatch::Alarm", "AWS::CloudWatch::Dashboard"} {
		all := tpl.of(kind)
		for _, name := range slices.Sorted(maps.Keys(all)) {
			properties, ok := samName(all[name].Properties).(map[string]any)
			if !ok {
				t.Fatalf("%s has no properties", name)
			}
			told := properties["AlarmActions"] != nil
			delete(properties, "AlarmActions")
			var out strings.Builder
			encoder := yaml.NewEncoder(&out)
			encoder.SetIndent(2)
			if err := encoder.Encode(properties); err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&text, "\n  %s:\n    Type: %s\n    Properties:\n", name, kind)
			for line := range strings.Lines(out.String()) {
				text.WriteString("      " + line)
			}
			if told {
				text.WriteString("      AlarmActions: " + tellingTopic + "\n")
			}
		}
	}
	return text.String()
}

// samName gives resources the names that they have in template.yaml.
func samName(value any) any {
	switch v := value.(type) {
	case map[string]any:
		named := map[string]any{}
		for key, value := range v {
			switch key {
			case "Ref":
				named[key] = samResource(fmt.Sprint(value))
			case "Fn::GetAtt":
				named[key] = []any{samResource(fmt.Sprint(list(value)[0])), list(value)[1]}
			default:
				named[key] = samName(value)
			}
		}
		return named
	case []any:
		var named []any
		for _, value := range v {
			named = append(named, samName(value))
		}
		return named
	default:
		return value
	}
}

func samResource(id string) string {
	if name := constructName(id); name != "Api" {
		return name
	}
	return "HttpApi"
}
