package telemetry_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"testing"

	"github.com/aws/aws-lambda-go/lambdacontext"

	"tokenlaunch.example/service/pkg/telemetry"
)

func TestLines(t *testing.T) {
	ctx := lambdacontext.NewContext(t.Context(), &lambdacontext.LambdaContext{AwsRequestID: "invocation-1"})
	var out bytes.Buffer
	log := telemetry.New(&out, slog.LevelInfo).With("requestId", "request-1").WithGroup("pin")
	log.DebugContext(ctx, "below the level")
	log.InfoContext(ctx, "pinned", "cid", "bafy", "pinataJWT", "hunter2", "Authorization", "hunter2", "rewardToken", "SOL")

	var line map[string]any
	if err := json.Unmarshal(out.Bytes(), &line); err != nil {
		t.Fatalf("not one line of JSON: %v: %s", err, out.String())
	}
	pin, _ := line["pin"].(map[string]any)
	for name, want := range map[string]any{"level": "INFO", "msg": "pinned", "requestId": "request-1"} {
		if line[name] != want {
			t.Errorf("%s = %v, want %v", name, line[name], want)
		}
	}
	for name, want := range map[string]any{"cid": "bafy", "pinataJWT": "***", "Authorization": "***", "rewardToken": "SOL", "invocationId": "invocation-1"} {
		if pin[name] != want {
			t.Errorf("pin.%s = %v, want %v", name, pin[name], want)
		}
	}
}

func TestOutsideAnInvocation(t *testing.T) {
	var out bytes.Buffer
	telemetry.New(&out, slog.LevelInfo).InfoContext(t.Context(), "started")
	if bytes.Contains(out.Bytes(), []byte("invocationId")) {
		t.Errorf("line %s", out.String())
	}
}
