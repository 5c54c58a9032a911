package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/lambda"

	"tokenlaunch.example/service/pkg/localnet/project"
)

// TestMain is also the function that TestStartOnce starts.
func TestMain(m *testing.M) {
	if os.Getenv("AWS_LAMBDA_RUNTIME_API") != "" {
		lambda.Start(func(_ context.Context, event json.RawMessage) (string, error) {
			switch string(event) {
			case `"exit"`:
				os.Exit(3)
			case `"fail"`:
				return "", errors.New("no")
			}
			return "saw " + string(event) + os.Getenv("SETTING"), nil
		})
	}
	os.Exit(m.Run())
}

func TestStartOnce(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	env := environment{"SETTING": " and a setting"}.list()
	got, err := startOnce(t.Context(), self, env, []byte(`{"a":1}`))
	if err != nil || string(got.answer) != `"saw {\"a\":1} and a setting"` {
		t.Fatalf("%s, %v", got.answer, err)
	}
	if got.ready <= 0 || got.answered <= got.ready {
		t.Errorf("ready after %s, answered after %s", got.ready, got.answered)
	}
	for event, says := range map[string]string{`"exit"`: "exit status 3", `"fail"`: "errorString: no"} {
		if _, err := startOnce(t.Context(), self, env, []byte(event)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", event, err)
		}
	}
}

func TestFiguresOfATest(t *testing.T) {
	folder, err := project.Find()
	if err != nil {
		t.Fatal(err)
	}
	m := measurement{folder: "pkg/figures", test: "^TestNoSuch$"}
	if _, err := m.take(t.Context(), folder, filepath.Join(t.TempDir(), "figures")); err == nil || !strings.Contains(err.Error(), "no figures") {
		t.Errorf("a test without figures: %v", err)
	}
}

func TestChosen(t *testing.T) {
	for only, want := range map[string]int{"": len(sections), "cold": 1, "routes,cold": 2} {
		if list, err := chosen(only); err != nil || len(list) != want {
			t.Errorf("%q: %d sections, %v", only, len(list), err)
		}
	}
	if _, err := chosen("cold,warm"); err == nil || !strings.Contains(err.Error(), "the sections are cold, ") {
		t.Errorf("an unknown one: %v", err)
	}
	stack := true
	for _, s := range sections {
		if s.onStack && !stack {
			t.Errorf("%s needs the stack, and comes after it was stopped", s.name)
		}
		stack = s.onStack
	}
}
