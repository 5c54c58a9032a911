package stack_test

import (
	"testing"
)

func TestTheReconcilerRunsEveryMinute(t *testing.T) {
	tpl := synthesize(t, "dev")
	rules := tpl.of("AWS::Events::Rule")
	wantEqual(t, "rules", len(rules), 1)
	rule := rules["EveryMinute"]
	wantEqual(t, "schedule", text(rule.at("ScheduleExpression")), "rate(1 minute)")
	wantEqual(t, "state", text(rule.at("State")), "ENABLED")
	targets := list(rule.at("Targets"))
	wantEqual(t, "targets", len(targets), 1)
	wantEqual(t, "target", text(at(targets[0], "Arn")), "ReconcilerFunction.Arn")
	allowed := 0
	for _, r := range tpl.of("AWS::Lambda::Permission") {
		if text(r.at("FunctionName")) == "ReconcilerFunction.Arn" {
			allowed++
			wantEqual(t, "principal", text(r.at("Principal")), "events.amazonaws.com")
			wantEqual(t, "source", text(r.at("SourceArn")), "EveryMinute.Arn")
		}
	}
	wantEqual(t, "who may call it", allowed, 1)
}

// A file that fails stays in the queue alone.
func TestThePinnerReadsItsQueue(t *testing.T) {
	tpl := synthesize(t, "dev")
	sources := tpl.of("AWS::Lambda::EventSourceMapping")
	wantEqual(t, "sources", len(sources), 1)
	for _, r := range sources {
		wantEqual(t, "queue", text(r.at("EventSourceArn")), "PinQueue.Arn")
		wantEqual(t, "function", text(r.at("FunctionName")), "PinnerFunction")
		wantLines(t, "answers", texts(r.at("FunctionResponseTypes")), []string{"ReportBatchItemFailures"})
		wantEqual(t, "batch", text(r.at("BatchSize")), "5")
		wantEqual(t, "concurrency", text(r.at("ScalingConfig", "MaximumConcurrency")), "2")
	}
	// AWS advises six times the function's time.
	visible, _ := tpl.of("AWS::SQS::Queue")["PinQueue"].at("VisibilityTimeout").(float64)
	seconds, _ := tpl.of("AWS::Lambda::Function")["PinnerFunction"].at("Timeout").(float64)
	if seconds == 0 || visible < 6*seconds {
		t.Errorf("messages come back after %v seconds, and the function has %v", visible, seconds)
	}
}

func TestSAMStartsTheSameInTheBackground(t *testing.T) {
	functions := readSAM(t).of("AWS::Serverless::Function")
	minute := functions["ReconcilerFunction"].at("Events", "EveryMinute")
	wantEqual(t, "reconciler", written(minute), written(map[string]any{
		"Type": "Schedule", "Properties": map[string]any{
			"Description": "Starts the reconciler", "Schedule": "rate(1 minute)",
		},
	}))
	for _, r := range synthesize(t, "dev").of("AWS::Lambda::EventSourceMapping") {
		wantEqual(t, "pinner", written(functions["PinnerFunction"].at("Events", "Pins")), written(map[string]any{
			"Type": "SQS", "Properties": map[string]any{
				"Queue": text(r.at("EventSourceArn")), "BatchSize": r.at("BatchSize"),
				"FunctionResponseTypes": r.at("FunctionResponseTypes"), "ScalingConfig": r.at("ScalingConfig"),
			},
		}))
	}
}
