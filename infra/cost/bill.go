package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tokenlaunch.example/service/infra/document"
	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/client/canary"
	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/distribution/payout"
	distribution "tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/distribution/signing"
	"tokenlaunch.example/service/pkg/distribution/webhook"
	"tokenlaunch.example/service/pkg/launch/reconcile"
	"tokenlaunch.example/service/pkg/market/index"
	"tokenlaunch.example/service/pkg/platform/metric"
)

// The resources that an idle stage uses without callers.
const (
	// pollers is the number of long polls that Lambda keeps open on a queue. busyPollers is the
	// number for a queue whose mapping has a maximum concurrency (AWS Lambda Developer Guide,
	// "Scaling behavior for Amazon SQS event source mappings").
	pollers, busyPollers = 2.0, 5.0
	// pollSeconds is the duration of a long poll without messages (Amazon SQS Developer Guide,
	// "Amazon SQS short and long polling").
	pollSeconds = 20.0
	// replicationMetrics is the number of metrics of a replication rule with metrics (Amazon S3
	// User Guide, "Using S3 Replication metrics"): bytes, operations and time pending, and
	// failures.
	replicationMetrics = 4.0
	// The duration in seconds and the read units of a scheduled call without work.
	scheduledSeconds, scheduledReads = 0.3, 20.0
	// checkDollars is the price of the requests of a canary's check (docs/operations.md, "Canary").
	checkDollars = 0.00013
)

// inventory is the resources of all templates of a stage, by logical ID.
type inventory map[string]resource

type resource struct {
	Type       string
	Properties map[string]any
}

// readInventory reads the templates of a directory, the output of `make template`. Logical IDs are
// unique only within a template, so the template's name is part of each ID.
func readInventory(folder string) (inventory, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.template.json"))
	if err == nil && len(files) == 0 {
		err = errors.New("no templates: run make .build/templates")
	}
	all := inventory{}
	for _, file := range files {
		if err != nil {
			break
		}
		var text []byte
		if text, err = os.ReadFile(file); err != nil { //nolint:gosec // a folder of this repository
			break
		}
		var template struct{ Resources inventory }
		err = json.Unmarshal(text, &template)
		for id, r := range template.Resources {
			all[filepath.Base(file)+"/"+id] = r
		}
	}
	if err != nil {
		return nil, fmt.Errorf("read the templates in %s: %w", folder, err)
	}
	return all, nil
}

// sum returns the sum of of(r) over the resources of a type.
func (i inventory) sum(kind string, of func(resource) float64) (n float64) {
	for _, r := range i {
		if r.Type == kind {
			n += of(r)
		}
	}
	return n
}

func one(resource) float64 { return 1 }

// idle returns the monthly bill of the stage without callers and tokens.
func (i inventory) idle() []line {
	calls, checks := i.calls()
	perCall := priceInvocation + scheduledSeconds*usualGB*priceGBSecond + scheduledReads*priceRead + scheduledLine*logByte
	return []line{
		{"KMS keys and their replicas", i.sum("AWS::KMS::Key", one) + i.sum("AWS::KMS::ReplicaKey", one), priceKey},
		{"secrets that functions read", i.secrets(), priceSecret},
		{"web ACL of the front", i.sum("AWS::WAFv2::WebACL", one), priceACL},
		{"rules of the web ACL", i.sum("AWS::WAFv2::WebACL", rules), priceRule},
		{"metrics of alarms", i.sum("AWS::CloudWatch::Alarm", func(r resource) float64 { return float64(len(r.metrics())) }), priceAlarm},
		{"composite alarms", i.sum("AWS::CloudWatch::CompositeAlarm", one), pricePage},
		{"metrics of the service that have data", i.ownMetrics(unused), priceMetric},
		{"metrics of replication", i.sum("AWS::S3::Bucket", replicated), priceMetric},
		{"dashboards", i.sum("AWS::CloudWatch::Dashboard", one), priceDashboard},
		{"scheduled calls", calls, perCall},
		{"checks of the canary", checks, checkDollars},
		{"polls of empty queues", i.sum("AWS::Lambda::EventSourceMapping", i.polls), priceMessage},
	}
}

// secrets returns the number of different secrets in policies.
func (i inventory) secrets() float64 {
	found := map[string]bool{}
	for _, r := range i {
		if r.Type != "AWS::IAM::Policy" {
			continue
		}
		for _, statement := range list(at(r.Properties, "PolicyDocument", "Statement")) {
			for _, action := range list(at(statement, "Action")) {
				if action == "secretsmanager:GetSecretValue" {
					for _, secret := range list(at(statement, "Resource")) {
						found[fmt.Sprint(secret)] = true
					}
				}
			}
		}
	}
	return float64(len(found))
}

func rules(r resource) float64 { return float64(len(list(r.Properties["Rules"]))) }

func replicated(r resource) (n float64) {
	for _, rule := range list(at(r.Properties, "ReplicationConfiguration", "Rules")) {
		if at(rule, "Destination", "Metrics", "Status") == "Enabled" {
			n += replicationMetrics
		}
	}
	return n
}

// metrics returns the metrics of an alarm.
func (r resource) metrics() (found []any) {
	if r.Properties["MetricName"] != nil {
		return []any{r.Properties}
	}
	for _, query := range list(r.Properties["Metrics"]) {
		if metric := at(query, "MetricStat", "Metric"); metric != nil {
			found = append(found, metric)
		}
	}
	return found
}

// busy are the service's metrics that only have data with callers, launches or distributions.
// CloudWatch bills a metric in the hours with data.
var busy = namesOf(
	apigw.Requests, apigw.Latency, apigw.Limited, apigw.ServerErrors,
	reconcile.LaunchesFinal, distribution.RunsEnded, distribution.RunSeconds, distribution.WalletLamports, payout.HoldersPaid, payout.PaymentsLanded, index.TradesUnreadable,
	webhook.WebhooksDelivered, webhook.WebhooksRetried, webhook.WebhooksFailed, webhook.WebhooksCrowded, canary.ProofsRefuted,
)

// broken are the metrics that only have data after a failure, including the two metrics of the log
// filters of distributor and payer.
var broken = append(namesOf(payout.UndecidedAmounts, signing.SigningRefused, signing.SigningCapped, exchange.ExchangeUnreadable),
	"DistributorAlarms", "PayerAlarms")

func namesOf(metrics ...metric.Metric) (names []string) {
	for _, m := range metrics {
		names = append(names, m.Name)
	}
	return names
}

// unused reports whether a metric has data without callers and tokens. used reports whether a
// metric has data only with callers and tokens.
func unused(name string) bool { return !slices.Contains(busy, name) && !slices.Contains(broken, name) }
func used(name string) bool   { return slices.Contains(busy, name) }

// ownMetrics returns the number of the service's metrics that satisfy has. AWS bills these metrics.
func (i inventory) ownMetrics(has func(name string) bool) float64 {
	found := map[string]bool{}
	add := func(namespace, name, dimensions any) {
		if of := fmt.Sprint(namespace); !strings.HasPrefix(of, "AWS/") && has(fmt.Sprint(name)) {
			found[fmt.Sprint(name, dimensions)] = true
		}
	}
	for _, r := range i {
		switch r.Type {
		case "AWS::CloudWatch::Alarm":
			for _, metric := range r.metrics() {
				add(at(metric, "Namespace"), at(metric, "MetricName"), list(at(metric, "Dimensions")))
			}
		case "AWS::CloudWatch::Dashboard":
			for _, widget := range widgets(r) {
				for _, metric := range list(at(widget, "properties", "metrics")) {
					// [namespace, name, dimension, value, ..., options]; an expression only has
					// options.
					if cells := list(metric); len(cells) > 2 {
						add(cells[0], cells[1], cells[2:len(cells)-1])
					}
				}
			}
		}
	}
	return float64(len(found))
}

// widgets reads a dashboard, whose text is a list of strings and references.
func widgets(r resource) []any {
	joined := list(at(r.Properties, "DashboardBody", "Fn::Join"))
	if len(joined) == 0 {
		return nil
	}
	text := ""
	for _, piece := range list(joined[len(joined)-1]) {
		if said, ok := piece.(string); ok {
			text += said
		} else {
			text += "reference"
		}
	}
	var body struct{ Widgets []any }
	if json.Unmarshal([]byte(text), &body) != nil {
		return nil
	}
	return body.Widgets
}

// calls returns the number of invocations by rules in a month, and separately the number of the
// canary's checks. A slot without tokens is one invocation.
func (i inventory) calls() (calls, checks float64) {
	for _, r := range i {
		expression, _ := r.Properties["ScheduleExpression"].(string)
		if r.Type != "AWS::Events::Rule" || expression == "" {
			continue
		}
		times := daysPerMonth * perDay(expression)
		for _, target := range list(r.Properties["Targets"]) {
			if strings.Contains(fmt.Sprint(target), "CanaryFunction") {
				checks += times
			} else {
				calls += times
			}
		}
	}
	return calls, checks
}

// perDay returns the number of events a day of rate(N minutes) and of cron(minutes hours * * ? *).
func perDay(expression string) float64 {
	kind, inside, _ := strings.Cut(strings.TrimSuffix(expression, ")"), "(")
	fields := strings.Fields(inside)
	if kind == "rate" {
		return secondsPerDay / 60 / value(fields[0])
	}
	times := func(field string, of float64) float64 {
		if field == "*" {
			return of
		}
		if _, step, stepped := strings.Cut(field, "/"); stepped {
			return of / value(step)
		}
		return float64(len(strings.Split(field, ",")))
	}
	return times(fields[0], 60) * times(fields[1], 24)
}

// polls returns the number of Lambda's requests to an empty queue in a month.
func (i inventory) polls(mapping resource) float64 {
	source, _ := at(mapping.Properties, "EventSourceArn", "Fn::GetAtt").([]any)
	if len(source) == 0 || source[1] != "Arn" {
		return 0 // a stream, whose reads by Lambda are free
	}
	open := pollers
	if at(mapping.Properties, "ScalingConfig", "MaximumConcurrency") != nil {
		open = busyPollers
	}
	return open * daysPerMonth * secondsPerDay / pollSeconds
}

// at returns the value at a path of names, or nil.
func at(value any, names ...string) any {
	for _, name := range names {
		members, _ := value.(map[string]any)
		value = members[name]
	}
	return value
}

// list returns the items of a list. A single value is a list with this value.
func list(value any) []any {
	switch items := value.(type) {
	case nil:
		return nil
	case []any:
		return items
	}
	return []any{value}
}

// total returns the sum of a bill, in dollars.
func total(lines []line) (sum float64) {
	for _, l := range lines {
		sum += l.count * l.price
	}
	return sum
}

// stages are the stages with a bill in docs/costs.md.
var stages = []struct{ folder, called string }{
	{"prod-small-mainnet", "small on mainnet"}, {"prod-mainnet", "standard on mainnet"}, {"dev-devnet", "dev on devnet"},
}

// billSmall and billStandard are the indexes of the two profiles' bills on mainnet. maxSmall is
// the maximum of the small profile's monthly bill without callers, in dollars.
const (
	billSmall, billStandard = 0, 1
	maxSmall                = 15.0
)

// fixed returns the table of each stage's bill without callers.
func fixed(bills [][]line) document.Table {
	rows := [][]string{{"what"}}
	last := []string{"**together**"}
	for n, stage := range stages {
		rows[0] = append(rows[0], stage.called, "dollars a month")
		last = append(last, "", fmt.Sprintf("**%.2f**", total(bills[n])))
	}
	for at := range bills[0] {
		row := []string{bills[0][at].what}
		for _, bill := range bills {
			row = append(row, grouped(bill[at].count), fmt.Sprintf("%.2f", bill[at].count*bill[at].price))
		}
		rows = append(rows, row)
	}
	return document.Table{Name: "cost:fixed", Text: document.Markdown(append(rows, last))}
}
