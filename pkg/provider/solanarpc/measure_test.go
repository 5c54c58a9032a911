package solanarpc_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/metric"
	"tokenlaunch.example/service/pkg/testkit/telemetrytest"
)

// Each call of a node counts at that node, and is an error when the node is at fault.
func TestCallsAreMeasuredByNode(t *testing.T) {
	first, second := newPeer(t, broken), newPeer(t, balanceAt("9", "7"))
	client, _ := among(t, first, second)
	now := time.Unix(1_000, 0)
	client.Now = func() time.Time { now = now.Add(30 * time.Millisecond); return now }
	client.Meter, client.Label = &metric.Meter{}, "x"
	wantBalance(t, client, 7)
	second.set(refusal(-32602, "Invalid params"))
	if _, err := client.Balance(t.Context(), solana.PublicKey{1}); err == nil {
		t.Error("no refusal")
	}
	var log telemetrytest.Log
	client.Meter.Flush(t.Context(), log.Logger(slog.LevelInfo))
	got := map[string]map[string][]float64{}
	for _, line := range log.Lines(t) {
		got[line.Text("Node")] = line.Metrics()
	}
	for node, errors := range map[string]float64{"x0": 2, "x1": 0} {
		m := got[node]
		if len(m["RPCCalls"]) != 1 || m["RPCCalls"][0] != 2 || m["RPCErrors"][0] != errors || len(m["RPCLatency"]) != 2 || m["RPCLatency"][0] < 30 {
			t.Errorf("node %s: %v, want 2 calls and %v errors", node, m, errors)
		}
	}
}
