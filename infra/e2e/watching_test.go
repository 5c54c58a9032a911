package e2e_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/lambda"

	"tokenlaunch.example/service/infra/cloudwatch"
	"tokenlaunch.example/service/infra/local/runner"
	"tokenlaunch.example/service/pkg/testkit/localnet/ministack"
)

// watch reads, for one alarm of the deployed stack, what CloudWatch would have been given
// since the watch began: it plays the part of those who give it.
type watch struct {
	t     *testing.T
	stack *runner.Stack
	alarm cloudwatch.Alarm
	// clock is the time at which values are kept, whenever they came, so that nothing
	// waits for a period to end. since is when the watch began, by the real one.
	clock, since time.Time
	// put are values that no part of the local stack reports.
	put []cloudwatch.Datum
	// answers are those of the API.
	answers []answered
	// refused are calls of functions that Lambda did not let through.
	refused int
	// idle: nothing happens any more.
	idle bool
	// forgiven are failures of calls that were before, in the second of since.
	forgiven float64
	// undone has the steps that end the condition, the last first.
	undone []func(ctx context.Context)
}

type answered struct {
	status int
	took   time.Duration
}

// reset forgets what was written until now. Logs are read by the millisecond.
func (w *watch) reset() {
	for w.since = time.Now().Add(time.Millisecond); time.Now().Before(w.since); {
		runtime.Gosched()
	}
}

// later records what undoes a step of the condition.
func (w *watch) later(undo func(ctx context.Context)) { w.undone = append(w.undone, undo) }

// undo ends the condition, once.
func (w *watch) undo() {
	for ; len(w.undone) > 0; w.undone = w.undone[:len(w.undone)-1] {
		w.undone[len(w.undone)-1](context.WithoutCancel(w.t.Context()))
	}
}

// end ends the condition and forgets all that it brought.
func (w *watch) end() {
	w.t.Helper()
	w.undo()
	w.put, w.answers, w.refused, w.idle = nil, nil, 0, false
	w.reset()
	for _, m := range w.metrics() {
		if m.Namespace == "AWS/Lambda" && m.Name == "Errors" {
			for _, d := range w.invocations(m) { // read by the second
				w.forgiven += d.Value
			}
		}
	}
}

// verdict reads everything and evaluates the alarm after the clock's period. A value that lasts for
// several periods is read once, and used for each of them.
func (w *watch) verdict() cloudwatch.Verdict {
	w.t.Helper()
	store := &cloudwatch.Store{}
	var data []cloudwatch.Datum
	if !w.idle {
		data = w.collect()
	}
	const period = 5 * time.Minute
	last := w.clock.Truncate(period).Add(time.Minute)
	for i := range w.alarm.EvaluationPeriods {
		for _, d := range data {
			d.At = last.Add(-period * time.Duration(i))
			store.Put(d)
		}
	}
	v, err := store.Evaluate(w.alarm, last.Add(period))
	if err != nil {
		w.t.Fatal(err)
	}
	return v
}

// metrics that the alarm reads.
func (w *watch) metrics() []cloudwatch.Metric {
	var all []cloudwatch.Metric
	add := func(namespace, name string, dimensions []cloudwatch.Dimension) {
		m := cloudwatch.Metric{Namespace: namespace, Name: name, Dimensions: map[string]string{}}
		for _, d := range dimensions {
			m.Dimensions[d.Name] = d.Value
		}
		all = append(all, m)
	}
	if len(w.alarm.Metrics) == 0 {
		add(w.alarm.Namespace, w.alarm.MetricName, w.alarm.Dimensions)
	}
	for _, q := range w.alarm.Metrics {
		if q.MetricStat != nil {
			add(q.MetricStat.Metric.Namespace, q.MetricStat.Metric.MetricName, q.MetricStat.Metric.Dimensions)
		}
	}
	return all
}

// collect returns the values of the metrics that the alarm reads, and of whatever comes with
// them: only the evaluation decides which of them count.
func (w *watch) collect() []cloudwatch.Datum {
	w.t.Helper()
	data := append([]cloudwatch.Datum{}, w.put...)
	var logs bool
	for _, m := range w.metrics() {
		switch m.Namespace {
		case "AWS/Lambda":
			data = append(data, w.invocations(m)...)
		case "AWS/SQS":
			data = append(data, w.messages(m)...)
		case "AWS/ApiGateway":
			data = append(data, w.requests(m)...)
		case "AWS/DynamoDB":
		default:
			logs = true
		}
	}
	if logs {
		for _, function := range functionsOf(w.stack) {
			data = append(data, w.logged(logGroup(w.t, w.stack, function))...)
		}
	}
	return data
}

var reported = regexp.MustCompile(`^REPORT RequestId: \S+\tDuration: ([0-9.]+) ms`)

// invocations of a function: MiniStack counts the failures of those that the API of Lambda made,
// the watch counts those that were rejected itself, for MiniStack counts them twice, and each other
// invocation, from any caller, has a report in the log.
func (w *watch) invocations(m cloudwatch.Metric) []cloudwatch.Datum {
	w.t.Helper()
	switch m.Name {
	case "Throttles":
		return []cloudwatch.Datum{{Metric: m, Value: float64(w.refused)}}
	case "Errors":
		var answer struct {
			MetricDataResults []struct{ Values []float64 }
		}
		callAWS(w.t, w.stack, "monitoring", "GraniteServiceVersion20100801.GetMetricData", map[string]any{
			"StartTime": w.since.Unix(), "EndTime": time.Now().Add(time.Minute).Unix(),
			"MetricDataQueries": []any{map[string]any{"Id": "m", "MetricStat": map[string]any{
				"Metric": map[string]any{
					"Namespace": m.Namespace, "MetricName": m.Name,
					"Dimensions": []any{map[string]any{"Name": "FunctionName", "Value": m.Dimensions["FunctionName"]}},
				},
				"Period": 60, "Stat": "Sum",
			}}},
		}, &answer)
		data := []cloudwatch.Datum{{Metric: m, Value: -w.forgiven}}
		for _, value := range answer.MetricDataResults[0].Values {
			data = append(data, cloudwatch.Datum{Metric: m, Value: value})
		}
		return data
	case "Invocations", "Duration":
		var data []cloudwatch.Datum
		for _, line := range logLines(w.t, w.stack, logGroup(w.t, w.stack, m.Dimensions["FunctionName"]), w.since) {
			found := reported.FindStringSubmatch(line)
			if found == nil {
				continue
			}
			value := 1.
			if m.Name == "Duration" {
				if _, err := fmt.Sscan(found[1], &value); err != nil {
					w.t.Fatal(err)
				}
			}
			data = append(data, cloudwatch.Datum{Metric: m, Value: value})
		}
		return data
	default:
		return nil
	}
}

// messages of a queue: how many can be received, and how old the oldest is by the clock.
func (w *watch) messages(m cloudwatch.Metric) []cloudwatch.Datum {
	w.t.Helper()
	var visible, age float64
	for _, message := range waiting(w.t, w.stack, m.Dimensions["QueueName"]) {
		if message.IsVisible {
			visible++
		}
		age = max(age, w.clock.Sub(time.Unix(message.SentTimestamp, 0)).Seconds())
	}
	value := map[string]float64{"ApproximateNumberOfMessagesVisible": visible, "ApproximateAgeOfOldestMessage": age}[m.Name]
	return []cloudwatch.Datum{{Metric: m, Value: value}}
}

// requests that the watch made itself.
func (w *watch) requests(m cloudwatch.Metric) []cloudwatch.Datum {
	var data []cloudwatch.Datum
	for _, a := range w.answers {
		value := map[string]float64{"Count": 1, "Latency": float64(a.took.Milliseconds())}[m.Name]
		if m.Name == "5xx" && a.status >= http.StatusInternalServerError {
			value = 1
		}
		data = append(data, cloudwatch.Datum{Metric: m, Value: value})
	}
	return data
}

// logged are the metrics that CloudWatch extracts from a log, from lines in the embedded metric
// format and by the deployed filters.
func (w *watch) logged(group string) []cloudwatch.Datum {
	w.t.Helper()
	var data []cloudwatch.Datum
	lines := logLines(w.t, w.stack, group, w.since)
	for _, line := range lines {
		read, err := cloudwatch.ReadEMF([]byte(line), time.Now())
		if err != nil {
			w.t.Errorf("CloudWatch would drop a line of %s: %v: %s", group, err, line)
		}
		data = append(data, read...)
	}
	var filters struct {
		MetricFilters []struct {
			FilterPattern         string
			MetricTransformations []struct{ MetricName, MetricNamespace string }
		}
	}
	callAWS(w.t, w.stack, "logs", "Logs_20140328.DescribeMetricFilters", map[string]any{"logGroupName": group}, &filters)
	for _, f := range filters.MetricFilters {
		// MiniStack takes every line for one that fits.
		fits, err := cloudwatch.Filter(f.FilterPattern)
		if err != nil {
			w.t.Fatal(err)
		}
		for _, line := range lines {
			if !fits(line) {
				continue
			}
			for _, made := range f.MetricTransformations {
				m := cloudwatch.Metric{Namespace: made.MetricNamespace, Name: made.MetricName}
				data = append(data, cloudwatch.Datum{Metric: m, Value: 1})
			}
		}
	}
	return data
}

// functionsOf the stack, by the names that AWS has for them.
func functionsOf(s *runner.Stack) []string {
	var names []string
	for output, value := range s.Outputs {
		if strings.HasSuffix(output, "FunctionName") {
			names = append(names, value)
		}
	}
	return names
}

func logGroup(t *testing.T, s *runner.Stack, function string) string {
	t.Helper()
	config, err := lambdas(s).GetFunctionConfiguration(t.Context(), &lambda.GetFunctionConfigurationInput{FunctionName: &function})
	if err != nil {
		t.Fatal(err)
	}
	return *config.LoggingConfig.LogGroup
}

// lambdas tries nothing twice, because a rejection is the wanted result.
func lambdas(s *runner.Stack) *lambda.Client {
	return lambda.NewFromConfig(s.AWS.Config(), func(o *lambda.Options) { o.Retryer = aws.NopRetryer{} })
}

// logLines of a group since a time.
func logLines(t *testing.T, s *runner.Stack, group string, since time.Time) []string {
	t.Helper()
	var answer struct{ Events []struct{ Message string } }
	callAWS(t, s, "logs", "Logs_20140328.FilterLogEvents", map[string]any{
		"logGroupName": group, "startTime": since.UnixMilli(),
	}, &answer)
	var all []string
	for _, e := range answer.Events {
		all = append(all, e.Message)
	}
	return all
}

// writeLog writes lines as a function writes them.
func writeLog(t *testing.T, s *runner.Stack, group string, lines ...string) {
	t.Helper()
	stream := fmt.Sprintf("test-%d", time.Now().UnixNano())
	callAWS(t, s, "logs", "Logs_20140328.CreateLogStream", map[string]any{"logGroupName": group, "logStreamName": stream}, nil)
	var events []any
	for _, line := range lines {
		events = append(events, map[string]any{"timestamp": time.Now().UnixMilli(), "message": line})
	}
	callAWS(t, s, "logs", "Logs_20140328.PutLogEvents",
		map[string]any{"logGroupName": group, "logStreamName": stream, "logEvents": events}, nil)
}

type waitingMessage struct {
	IsVisible     bool
	SentTimestamp int64
}

// waiting are the messages of a queue. MiniStack shows them without receiving them.
func waiting(t *testing.T, s *runner.Stack, queue string) []waitingMessage {
	t.Helper()
	address := s.AWS.Endpoint + "/" + ministack.AccountID + "/" + queue
	var answer struct {
		Messages map[string]map[string]map[string][]waitingMessage
	}
	body := fetchAWS(t, s.AWS.Endpoint+"/_ministack/sqs/messages?QueueUrl="+url.QueryEscape(address))
	if err := json.Unmarshal(body, &answer); err != nil {
		t.Fatal(err)
	}
	return answer.Messages[ministack.AccountID][ministack.Region][address]
}

func fetchAWS(t *testing.T, address string) []byte {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	return exchange(t, request)
}

// callAWS calls an operation by its JSON protocol: the SDK speaks to CloudWatch in another
// one, which MiniStack has not.
func callAWS(t *testing.T, s *runner.Stack, service, target string, input, output any) {
	t.Helper()
	body, err := json.Marshal(input)
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.AWS.Endpoint, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-amz-json-1.1")
	request.Header.Set("X-Amz-Target", target)
	// MiniStack reads the service out of the signature and does not verify it.
	request.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=test/20260101/"+ministack.Region+"/"+service+"/aws4_request, SignedHeaders=host, Signature=0")
	answer := exchange(t, request)
	if output == nil {
		return
	}
	if err := json.Unmarshal(answer, output); err != nil {
		t.Fatalf("decode the response to %s: %v: %s", target, err, answer)
	}
}

func exchange(t *testing.T, request *http.Request) []byte {
	t.Helper()
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("GET %s = %s %s, %v; want 200", request.URL, response.Status, body, err)
	}
	return body
}

var deployedName = regexp.MustCompile(`-([A-Za-z]+Alarm)[0-9A-F]{8}-[0-9A-F]+$`)

// deployedNotifiers are the composite alarms that page, by the names of what they page for.
func deployedNotifiers(t *testing.T, s *runner.Stack) map[string]string {
	t.Helper()
	var answer struct{ CompositeAlarms []cloudwatch.Composite }
	callAWS(t, s, "monitoring", "GraniteServiceVersion20100801.DescribeAlarms",
		map[string]any{"MaxRecords": 100, "AlarmTypes": []string{"CompositeAlarm"}}, &answer)
	notifiers := map[string]string{}
	for _, c := range answer.CompositeAlarms {
		if c.ActionsSuppressor != "" {
			_, name, _ := strings.Cut(strings.Trim(c.AlarmRule, `")`), ":alarm:")
			notifiers[name] = c.AlarmName
		}
	}
	if len(notifiers) == 0 {
		t.Error("no page waits for a cause")
	}
	return notifiers
}

// deployedAlarms are the alarms that CloudFormation made, by their constructs.
func deployedAlarms(t *testing.T, s *runner.Stack) map[string]cloudwatch.Alarm {
	t.Helper()
	alarms := map[string]cloudwatch.Alarm{}
	input := map[string]any{"MaxRecords": 100}
	for {
		var page struct {
			MetricAlarms []cloudwatch.Alarm
			NextToken    string
		}
		callAWS(t, s, "monitoring", "GraniteServiceVersion20100801.DescribeAlarms", input, &page)
		for _, a := range page.MetricAlarms {
			name := deployedName.FindStringSubmatch(a.AlarmName)
			if name == nil {
				t.Fatalf("%s is not the name of an alarm", a.AlarmName)
			}
			alarms[name[1]] = a
		}
		if page.NextToken == "" {
			return alarms
		}
		input["NextToken"] = page.NextToken
	}
}
