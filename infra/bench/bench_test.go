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

func TestWrap(t *testing.T) {
	word := strings.Repeat("x", 39)
	for line, want := range map[string]string{
		"- a b":                         "- a b",
		"- " + word + " " + word + " y": "- " + word + " " + word + "\n  y",
		strings.Repeat(word, 3) + " y":  strings.Repeat(word, 3) + "\n  y",
	} {
		if got := wrap(line, "  "); got != want {
			t.Errorf("%q, not %q", got, want)
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

func TestMedian(t *testing.T) {
	if median([]int{5, 1, 3}) != 3 || median([]int{4, 1, 3, 2}) != 2 {
		t.Error("wrong")
	}
}
