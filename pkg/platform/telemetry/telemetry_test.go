package telemetry_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/lambdacontext"

	"tokenlaunch.example/service/pkg/platform/metric"
	"tokenlaunch.example/service/pkg/platform/telemetry"
	"tokenlaunch.example/service/pkg/testkit/telemetrytest"
)

func TestLines(t *testing.T) {
	ctx := lambdacontext.NewContext(t.Context(), &lambdacontext.LambdaContext{AwsRequestID: "invocation-1"})
	var out bytes.Buffer
	log := telemetry.New(&out, slog.LevelInfo, "stack").With("requestId", "request-1").WithGroup("pin")
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

// Only the first line of an invocation is marked, whichever logger of the process writes it: lines of
// the start are before it, and a measurement may be the first.
func TestColdStartIsMarkedOnce(t *testing.T) {
	ctx := lambdacontext.NewContext(t.Context(), &lambdacontext.LambdaContext{AwsRequestID: "invocation-1"})
	var out bytes.Buffer
	log := telemetry.New(&out, slog.LevelInfo, "stack")
	log.InfoContext(t.Context(), "started")
	log.DebugContext(ctx, "below the level")
	metric.Emit(ctx, log.With("requestId", "request-1"), []metric.Value{metric.New("Requests", metric.Count, "").Is(1)})
	log.InfoContext(ctx, "next")
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 3 {
		t.Fatalf("lines %q", lines)
	}
	for i, want := range []any{nil, true, nil} {
		var line map[string]any
		if err := json.Unmarshal([]byte(lines[i]), &line); err != nil {
			t.Fatal(err)
		}
		if line["cold_start"] != want || want == true && (line["requestId"] != "request-1" || line["invocationId"] != "invocation-1") {
			t.Errorf("line %d is %s, want cold_start %v", i, lines[i], want)
		}
	}
}

func TestOutsideAnInvocation(t *testing.T) {
	var out bytes.Buffer
	telemetry.New(&out, slog.LevelInfo, "stack").InfoContext(t.Context(), "started")
	if bytes.Contains(out.Bytes(), []byte("invocationId")) {
		t.Errorf("line %s", out.String())
	}
}

// A measurement is at the top of its line at every level, with what the logger was
// given outside of groups.
func TestMeasurementsAreInTheEmbeddedMetricFormat(t *testing.T) {
	var out bytes.Buffer
	log := telemetry.New(&out, slog.LevelError, "stack").With("requestId", "request-1").WithGroup("inner").With("cid", "bafy")
	metric.Emit(t.Context(), log, []metric.Value{metric.New("Requests", metric.Count, "").Is(1), metric.New("Latency", metric.Milliseconds, "").Is(12)}, metric.By(metric.Node, "0"))
	var got map[string]any
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatalf("Unmarshal: %v: %s", err, out.Bytes())
	}
	at, _ := time.Parse(time.RFC3339Nano, got["time"].(string))
	delete(got, "time")
	want := map[string]any{
		"level": "METRIC", "msg": "measured", "requestId": "request-1",
		"Node": "0", "Requests": 1.0, "Latency": 12.0,
		"_aws": map[string]any{
			"Timestamp": float64(at.UnixMilli()),
			"CloudWatchMetrics": []any{map[string]any{
				"Namespace": "stack", "Dimensions": []any{[]any{}, []any{"Node"}},
				"Metrics": []any{map[string]any{"Name": "Requests", "Unit": "Count"}, map[string]any{"Name": "Latency", "Unit": "Milliseconds"}},
			}},
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

// If a stack names the metrics that it reads, no other value becomes a metric, and no value with
// dimensions; the measured values stay in the line.
func TestOnlyNamedValuesBecomeMetrics(t *testing.T) {
	var out bytes.Buffer
	log := telemetry.New(&out, slog.LevelInfo, "stack", "RPCCalls", "RPCErrors")
	calls, latency := metric.New("RPCCalls", metric.Count, ""), metric.New("RPCLatency", metric.Milliseconds, "")
	metric.Emit(t.Context(), log, []metric.Value{calls.Is(2), latency.Is(7)}, metric.By(metric.Node, "0"))
	metric.Emit(t.Context(), log, []metric.Value{latency.Is(7)})
	lines := telemetrytest.Lines(t, out.Bytes())
	if got, want := lines[0].Metrics(), map[string][]float64{"RPCCalls": {2}}; !reflect.DeepEqual(got, want) || lines[0]["RPCLatency"] != 7.0 || lines[0].Text("Node") != "0" {
		t.Errorf("Metrics() of %v = %v, want %v", lines[0], got, want)
	}
	if dimensions := fmt.Sprint(lines[0]["_aws"]); !strings.Contains(dimensions, "Dimensions:[[]]") {
		t.Errorf("split: %s", dimensions)
	}
	if _, is := lines[1]["_aws"]; is || lines[1]["RPCLatency"] != 7.0 {
		t.Errorf("%v is a metric", lines[1])
	}
}

// TestLongValuesAreCut tests docs/attacks.md, "Launching": no third-party string, whatever its
// length and characters, makes a log line longer than the limit.
func TestLongValuesAreCut(t *testing.T) {
	long := strings.Repeat("é", 32<<10)
	for name, value := range map[string]any{
		"a string": long, "an error": errors.New(long),
		"controls": "é" + strings.Repeat("\x01", 32<<10), "no text": "é" + strings.Repeat("\xff", 32<<10), "quotes": "é" + strings.Repeat("\"\n\u2028", 16<<10),
	} {
		var out bytes.Buffer
		telemetry.New(&out, slog.LevelInfo, "stack").Info("request", "value", value)
		var line struct{ Value string }
		if err := json.Unmarshal(out.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		if n := out.Len(); n < 6<<10 || n > 7<<10 || !strings.HasPrefix(line.Value, "é") || !strings.HasSuffix(line.Value, "…") {
			t.Errorf("%s: the line has %d bytes", name, n)
		}
	}
	var out bytes.Buffer
	telemetry.New(&out, slog.LevelInfo, "stack").Info("request", "value", strings.Repeat("x", 6<<10))
	if strings.Contains(out.String(), "…") {
		t.Error("a value within the limit is cut")
	}
}
