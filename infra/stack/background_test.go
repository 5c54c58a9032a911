package stack_test

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/distribution/dispatch"
	"tokenlaunch.example/service/pkg/token/terms"
)

// schedules are the rules by their constructs.
var schedules = map[string]string{
	"Every5m":     "cron(0/5 * * * ? *)",
	"Every10m":    "cron(0/10 * * * ? *)",
	"Every15m":    "cron(0/15 * * * ? *)",
	"Every30m":    "cron(0/30 * * * ? *)",
	"Every1h":     "cron(0 * * * ? *)",
	"Every6h":     "cron(0 0/6 * * ? *)",
	"Every12h":    "cron(0 0/12 * * ? *)",
	"Every24h":    "cron(0 0 * * ? *)",
	"EveryMinute": "rate(1 minute)",
	"EveryCheck":  "rate(10 minutes)",
	"WebhooksDue": "rate(1 minute)",
}

// schedules are the rules that time starts.
func (tpl template) schedules() map[string]resource {
	rules := tpl.of("AWS::Events::Rule")
	maps.DeleteFunc(rules, func(_ string, r resource) bool { return r.at("ScheduleExpression") == nil })
	return rules
}

// message is the message of a target for an event of this time, in the words of the
// dispatcher.
func message(t *testing.T, target any, at string) (dispatch.Message, error) {
	t.Helper()
	transformer, _ := target.(map[string]any)["InputTransformer"].(map[string]any)
	wantEqual(t, "paths", written(transformer["InputPathsMap"]), written(map[string]any{"time": "$.time"}))
	body := strings.ReplaceAll(text(transformer["InputTemplate"]), "<time>", `"`+at+`"`)
	if !json.Valid([]byte(body)) {
		t.Errorf("%s is not JSON", body)
	}
	return dispatch.Read([]byte(body), time.Date(2026, 3, 29, 12, 0, 0, 0, time.UTC))
}

func TestRulesStartTheirFunctions(t *testing.T) {
	tpl := synthesize(t, "dev")
	rules := tpl.schedules()
	wantEqual(t, "rules", len(rules), len(schedules))
	wantEqual(t, "intervals", len(terms.Intervals()), len(schedules)-3)
	for name, expression := range schedules {
		rule := rules[name]
		wantEqual(t, name+" schedule", text(rule.at("ScheduleExpression")), expression)
		wantEqual(t, name+" state", text(rule.at("State")), "ENABLED")
	}
	for _, interval := range terms.Intervals() {
		name := "Every" + string(interval)
		targets := list(rules[name].at("Targets"))
		wantEqual(t, name+" targets", len(targets), 1)
		wantEqual(t, name+" target", text(at(targets[0], "Arn")), "DispatcherFunction.Arn")
		m, err := message(t, targets[0], "2026-03-29T00:00:00Z")
		if err != nil || m.Task != dispatch.TaskSlot || m.Slot.Interval != interval || m.Slot.At.Format(time.RFC3339) != "2026-03-29T00:00:00Z" {
			t.Errorf("%s opens %+v, %v", name, m, err)
		}
	}
	minute := list(rules["EveryMinute"].at("Targets"))
	wantEqual(t, "targets", len(minute), 4)
	wantEqual(t, "first target", text(at(minute[0], "Arn")), "ReconcilerFunction.Arn")
	wantEqual(t, "second target", text(at(minute[1], "Arn")), "DispatcherFunction.Arn")
	wantEqual(t, "third target", text(at(minute[2], "Arn")), "MonitorFunction.Arn")
	wantEqual(t, "fourth target", text(at(minute[3], "Arn")), "NotifierFunction.Arn")
	check := list(rules["EveryCheck"].at("Targets"))
	wantEqual(t, "targets of the check", len(check), 1)
	wantEqual(t, "target of the check", text(at(check[0], "Arn")), "CanaryFunction.Arn")
	if m, err := message(t, minute[1], "2026-03-29T12:00:00Z"); err != nil || m.Task != dispatch.TaskSweep {
		t.Errorf("every minute: %+v, %v", m, err)
	}
}

func TestOnlyRulesInvokeTheirFunctions(t *testing.T) {
	tpl := synthesize(t, "dev")
	callers := map[string][]string{}
	for _, r := range tpl.of("AWS::Lambda::Permission") {
		if text(r.at("Principal")) == "events.amazonaws.com" {
			called := text(r.at("FunctionName"))
			callers[called] = append(callers[called], text(r.at("SourceArn")))
		}
	}
	var all []string
	for name := range schedules {
		if name != "EveryCheck" && name != "WebhooksDue" {
			all = append(all, name+".Arn")
		}
	}
	wantLines(t, "who may call the dispatcher", callers["DispatcherFunction.Arn"], all)
	wantLines(t, "who may call the reconciler", callers["ReconcilerFunction.Arn"], []string{"EveryMinute.Arn"})
	wantLines(t, "who may call the monitor", callers["MonitorFunction.Arn"], []string{"EveryMinute.Arn"})
	wantLines(t, "who may call the canary", callers["CanaryFunction.Arn"], []string{"EveryCheck.Arn"})
	wantLines(t, "who may call the courier", callers["CourierFunction.Arn"], []string{"WebhooksDue.Arn"})
	wantLines(t, "who may call the notifier", callers["NotifierFunction.Arn"], []string{"EveryMinute.Arn"})
	wantEqual(t, "functions that rules call", len(callers), 6)
}

// An event that failed three times is stored, and not repeated endlessly before.
func TestFailedEventsAreSetAside(t *testing.T) {
	functions := synthesize(t, "dev").of("AWS::Lambda::Function")
	wantEqual(t, "set aside", text(functions["DispatcherFunction"].at("DeadLetterConfig", "TargetArn")), "DispatchDeadLetterQueue.Arn")
}

// source has the settings with which a function reads its queue.
type source struct{ queue, messages, batch, concurrency string }

// sources are those of the functions with a queue.
var sources = map[string]source{
	"Dispatcher":  {"Dispatch", "Shards", "1", ""},
	"Distributor": {"Run", "Runs", "1", "50"},
	"Payer":       {"Payout", "Batches", "10", "20"},
	"Notifier":    {"Notice", "Notices", "10", "2"},
	"Pinner":      {"Pin", "Pins", "5", "2"},
	"Courier":     {"Webhook", "Webhooks", "1", "20"},
}

// streams lists the announcer's sources: a table's stream, and of what it has.
var streams = []string{
	`LedgerTable.StreamArn {"dynamodb":{"Keys":{"pk":{"S":[{"prefix":"CLAIMS#"}]},"sk":{"S":["HANDOVER"]}}},"eventName":["MODIFY","INSERT"]}`,
	`LedgerTable.StreamArn {"dynamodb":{"Keys":{"pk":{"S":[{"prefix":"MINT#"}]},"sk":{"S":[{"prefix":"RUN#"}]}},"NewImage":{"endedAt":{"N":[{"exists":true}]}}},"eventName":["MODIFY","INSERT"]}`,
	`LaunchTable.StreamArn {"dynamodb":{"Keys":{"pk":{"S":[{"prefix":"TOKEN#"}]}}},"eventName":["MODIFY"]}`,
	`LaunchTable.StreamArn {"dynamodb":{"Keys":{"pk":{"S":[{"prefix":"PROMOTION#"}]}},"NewImage":{"paidBy":{"B":[{"exists":true}]}}},"eventName":["MODIFY"]}`,
}

// Writes to the tables are announced from the first write on, in order, as long as the streams
// retain them; events that cannot be announced in this time are set aside.
func TestStreamsAreAnnounced(t *testing.T) {
	var listens []string
	for name, r := range synthesize(t, "dev").of("AWS::Lambda::EventSourceMapping") {
		if text(r.at("StartingPosition")) == "" {
			continue
		}
		wantEqual(t, name+" starts", text(r.at("StartingPosition")), "TRIM_HORIZON")
		wantEqual(t, name+" function", text(r.at("FunctionName")), "AnnouncerFunction")
		wantLines(t, name+" answers", texts(r.at("FunctionResponseTypes")), []string{"ReportBatchItemFailures"})
		wantEqual(t, name+" gives up by time alone", r.at("MaximumRetryAttempts"), nil)
		wantEqual(t, name+" sets aside", text(r.at("DestinationConfig", "OnFailure", "Destination")), "WebhookDeadLetterQueue.Arn")
		listens = append(listens, text(r.at("EventSourceArn"))+" "+text(at(list(r.at("FilterCriteria", "Filters"))[0], "Pattern")))
	}
	wantLines(t, "streams", listens, streams)
}

// A failed message stays in the queue; the other messages of its batch do not.
func TestFunctionsReadTheirQueues(t *testing.T) {
	tpl := synthesize(t, "dev")
	mappings := tpl.of("AWS::Lambda::EventSourceMapping")
	wantEqual(t, "sources", len(mappings), len(sources)+len(streams))
	for _, r := range mappings {
		if text(r.at("StartingPosition")) != "" {
			continue // TestStreamsAreAnnounced
		}
		name := strings.TrimSuffix(text(r.at("FunctionName")), "Function")
		want := sources[name]
		wantEqual(t, name+" queue", text(r.at("EventSourceArn")), want.queue+"Queue.Arn")
		wantLines(t, name+" answers", texts(r.at("FunctionResponseTypes")), []string{"ReportBatchItemFailures"})
		wantEqual(t, name+" batch", text(r.at("BatchSize")), want.batch)
		wantEqual(t, name+" concurrency", text(r.at("ScalingConfig", "MaximumConcurrency")), want.concurrency)
		wantEqual(t, name+" is the reader of", lines[want.queue].function, name)
		// AWS advises six times the function's time.
		visible, _ := tpl.of("AWS::SQS::Queue")[want.queue+"Queue"].at("VisibilityTimeout").(float64)
		seconds, _ := tpl.of("AWS::Lambda::Function")[name+"Function"].at("Timeout").(float64)
		if seconds == 0 || visible < 6*seconds {
			t.Errorf("messages come back to the %s after %v seconds, and it has %v", name, visible, seconds)
		}
	}
}
