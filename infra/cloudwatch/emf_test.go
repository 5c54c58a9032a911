package cloudwatch_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"tokenlaunch.example/service/infra/cloudwatch"
	"tokenlaunch.example/service/pkg/platform/metric"
	"tokenlaunch.example/service/pkg/platform/telemetry"
	"tokenlaunch.example/service/pkg/testkit/telemetrytest"
)

// Every metric of the service is written as CloudWatch reads it, as a whole and by its
// dimension.
func TestServiceMetricsAreRead(t *testing.T) {
	for _, m := range telemetrytest.Metrics(t) {
		var line bytes.Buffer
		log := telemetry.New(&line, slog.LevelError, "stack").With("run", "r").WithGroup("g")
		metric.Emit(t.Context(), log, []metric.Value{m.Is(7)}, metric.By(metric.Node, "0"))
		data, err := cloudwatch.ReadEMF(line.Bytes(), time.Now())
		if err != nil {
			t.Fatalf("%s: %v", line.String(), err)
		}
		var read []string
		for _, d := range data {
			read = append(read, fmt.Sprintf("%s %v", d.Metric, d.Value))
		}
		want := []string{"stack " + m.Name + "{} 7", "stack " + m.Name + "{Node=0} 7"}
		if !slices.Equal(read, want) {
			t.Errorf("read %q, want %q", read, want)
		}
	}
}

func TestWhatCloudWatchDropsIsAnError(t *testing.T) {
	now := time.UnixMilli(1_795_330_000_000)
	line := func(change ...string) string {
		return strings.NewReplacer(change...).Replace(
			`{"_aws":{"Timestamp":1795330000000,"CloudWatchMetrics":[{"Namespace":"n","Dimensions":[["Route"]],"Metrics":[{"Name":"Latency","Unit":"Milliseconds"}]}]},"Route":"r","Latency":1.5}`)
	}
	if data, err := cloudwatch.ReadEMF([]byte(line()), now); err != nil || len(data) != 1 || data[0].Value != 1.5 {
		t.Fatalf("%v, %v", data, err)
	}
	for _, none := range []string{"", "START RequestId: 1", `{"msg":"no metric"}`, `["_aws"]`} {
		if data, err := cloudwatch.ReadEMF([]byte(none), now); err != nil || data != nil {
			t.Errorf("%s: %v, %v", none, data, err)
		}
	}
	many := strings.Repeat(`{"Name":"Latency"},`, 100)
	for name, broken := range map[string]string{
		"no time":           line(`"Timestamp":1795330000000,`, ``),
		"text for a time":   line(`"Timestamp":1795330000000`, `"Timestamp":"now"`),
		"too old":           line(`1795330000000`, `1794100000000`),
		"too far ahead":     line(`1795330000000`, `1795340000000`),
		"no namespace":      line(`"n"`, `""`),
		"no dimensions":     line(`"Dimensions":[["Route"]],`, ``),
		"flat dimensions":   line(`[["Route"]]`, `["Route"]`),
		"31 dimensions":     line(`["Route"]`, `["Route"`+strings.Repeat(`,"Route"`, 30)+`]`),
		"no such dimension": line(`"Route":"r",`, ``),
		"empty dimension":   line(`"Route":"r"`, `"Route":""`),
		"number for one":    line(`"Route":"r"`, `"Route":1`),
		"twice the same":    line(`["Route"]`, `["Route","Route"]`),
		"101 metrics":       line(`"Metrics":[`, `"Metrics":[`+many),
		"no such member":    line(`,"Latency":1.5`, ``),
		"text for a value":  line(`"Latency":1.5`, `"Latency":"1.5"`),
		"null for a value":  line(`"Latency":1.5`, `"Latency":null`),
		"no number at all":  line(`"Latency":1.5`, `"Latency":[]`),
		"out of range":      line(`"Latency":1.5`, `"Latency":1e200`),
		"unknown unit":      line(`Milliseconds`, `Lamports`),
		"unknown member":    line(`"Unit"`, `"unit_":"","Unit"`),
		"odd resolution":    line(`"Unit"`, `"StorageResolution":5,"Unit"`),
	} {
		if data, err := cloudwatch.ReadEMF([]byte(broken), now); err == nil {
			t.Errorf("%s: read %v out of %s", name, data, broken)
		}
	}
}
