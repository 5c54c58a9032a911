package metric_test

import (
	"log/slog"
	"reflect"
	"testing"

	"tokenlaunch.example/service/pkg/platform/metric"
	"tokenlaunch.example/service/pkg/testkit/telemetrytest"
)

// The values that a client of nodes would measure.
var (
	rpcCalls   = metric.New("RPCCalls", metric.Count, "calls")
	rpcErrors  = metric.New("RPCErrors", metric.Count, "errors")
	rpcLatency = metric.New("RPCLatency", metric.Milliseconds, "time")
)

func TestMeterWritesLinePerDimension(t *testing.T) {
	var log telemetrytest.Log
	logger := log.Logger(slog.LevelError)
	m := &metric.Meter{}
	for i := range int64(130) {
		m.Note(metric.By(metric.Node, "1"), rpcCalls.Is(1), rpcLatency.Is(i))
	}
	m.Note(metric.By(metric.Node, "0"), rpcCalls.Is(1), rpcErrors.Is(1), rpcLatency.Is(5))
	m.Flush(t.Context(), logger)
	m.Flush(t.Context(), logger) // there is nothing left
	lines := log.Lines(t)
	if len(lines) != 3 {
		t.Fatalf("%d lines, want one of the node 0 and two of the node 1: %v", len(lines), lines)
	}
	if got, want := lines[0].Metrics(), (map[string][]float64{"RPCCalls": {1}, "RPCErrors": {1}, "RPCLatency": {5}}); !reflect.DeepEqual(got, want) || lines[0].Text("Node") != "0" {
		t.Errorf("%v, want %v", lines[0], want)
	}
	first, second := lines[1].Metrics(), lines[2].Metrics()
	if len(first["RPCLatency"]) != 100 || len(second["RPCLatency"]) != 30 || second["RPCLatency"][29] != 129 {
		t.Errorf("latencies %v and %v", first["RPCLatency"], second["RPCLatency"])
	}
	if !reflect.DeepEqual(first["RPCCalls"], []float64{130}) || second["RPCCalls"] != nil {
		t.Errorf("calls %v and %v, want all in the first line", first["RPCCalls"], second["RPCCalls"])
	}
}

func TestNilMeterCountsNothing(t *testing.T) {
	var m *metric.Meter
	m.Note(metric.By(metric.Node, "0"), rpcCalls.Is(1))
	m.Flush(t.Context(), slog.New(slog.DiscardHandler))
}
