package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/jsii-runtime-go"
)

// TestGuardianStack: the function signs with the guardian's key, reads its own secrets, and has no
// other right.
func TestGuardianStack(t *testing.T) {
	defer jsii.Close()
	code, out := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(code, "guardian.zip"), []byte("zip"), 0o600); err != nil {
		t.Fatal(err)
	}
	given := map[string]string{
		"network": "mainnet", "functionsDir": code, "rpcSecret": "nodes", "rpcSecret2": "nodes-2", "guardianSecret": "token", "alarmEmail": "ops@example.com",
	}
	for _, name := range []string{"network", "rpcSecret", "rpcSecret2", "guardianSecret", "alarmEmail"} {
		if _, err := readSettings(func(n string) string { return map[bool]string{false: given[n]}[n == name] }); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("without %s: %v", name, err)
		}
	}
	short := func(n string) string { return map[bool]string{false: given[n], true: "1h"}[n == "handoverDelay"] }
	if _, err := readSettings(short); err == nil || !strings.Contains(err.Error(), "handoverDelay") {
		t.Errorf("a delay of one hour: %v", err)
	}
	s, err := readSettings(func(n string) string { return given[n] })
	if err != nil {
		t.Fatal(err)
	}
	app := awscdk.NewApp(&awscdk.AppProps{Outdir: &out})
	newStack(app, s)
	app.Synth(nil)
	content, err := os.ReadFile(filepath.Join(out, "token-guardian.template.json"))
	if err != nil {
		t.Fatal(err)
	}
	var template struct {
		Resources map[string]struct {
			Type           string
			DeletionPolicy string
			Properties     map[string]any
		}
	}
	if err := json.Unmarshal(content, &template); err != nil {
		t.Fatal(err)
	}
	var actions []string
	functions := 0
	for name, r := range template.Resources {
		switch r.Type {
		case "AWS::KMS::Key":
			if r.DeletionPolicy != "Retain" && r.DeletionPolicy != "RetainExceptOnCreate" {
				t.Errorf("the key is deleted with the stack: %s", r.DeletionPolicy)
			}
		case "AWS::DynamoDB::Table":
			if r.DeletionPolicy != "Retain" || r.Properties["DeletionProtectionEnabled"] != true {
				t.Errorf("the table can be deleted: %s, %v", r.DeletionPolicy, r.Properties["DeletionProtectionEnabled"])
			}
		case "AWS::Lambda::Function":
			functions++
			if r.Properties["ReservedConcurrentExecutions"] != float64(calls) {
				t.Errorf("%s has no reserved concurrency", name)
			}
		case "AWS::IAM::Policy":
			document, _ := json.Marshal(r.Properties["PolicyDocument"])
			for _, action := range []string{"kms:Sign", "kms:GetPublicKey", "secretsmanager:GetSecretValue", "kms:*", "dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:DeleteItem", "dynamodb:*", "lambda:Invoke", "s3:"} {
				if strings.Contains(string(document), action) {
					actions = append(actions, action)
				}
			}
		}
	}
	slices.Sort(actions)
	if want := []string{"dynamodb:GetItem", "dynamodb:PutItem", "kms:GetPublicKey", "kms:Sign", "secretsmanager:GetSecretValue"}; functions != 1 || !slices.Equal(actions, want) {
		t.Errorf("%d functions with the rights %v, want one with %v", functions, actions, want)
	}
}
