package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	cloudformationtypes "github.com/aws/aws-sdk-go-v2/service/cloudformation/types"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	cloudwatchtypes "github.com/aws/aws-sdk-go-v2/service/cloudwatch/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/eventbridge"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	sqstypes "github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/aws/smithy-go"

	"tokenlaunch.example/service/infra/stages"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/ledgertable"
	"tokenlaunch.example/service/pkg/aws/windowtable/statusrecord"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/distribution/status"
	"tokenlaunch.example/service/pkg/platform/decimal"
	"tokenlaunch.example/service/pkg/token/terms"
)

// overview shows the state of a stack: the deployment, alarms, queues, frozen tokens, stopped
// parts, and the money in flight. It changes nothing.
type overview struct {
	stacks    *cloudformation.Client
	alarms    cloudwatch.DescribeAlarmsAPIClient
	rules     *eventbridge.Client
	functions *lambda.Client
	queues    *sqs.Client
	db        *dynamodb.Client
	now       func() time.Time
	out       io.Writer
}

func newOverview(config aws.Config, out io.Writer) overview {
	return overview{
		cloudformation.NewFromConfig(config), cloudwatch.NewFromConfig(config), eventbridge.NewFromConfig(config),
		lambda.NewFromConfig(config), sqs.NewFromConfig(config), dynamo.New(config), time.Now, out,
	}
}

// maxRuns is the maximum number of active runs that are read and listed, the longest silent first.
const maxRuns = 50

// show writes the overview, a line for each item, with the item's kind in the first column.
func (o overview) show(ctx context.Context, stack string) error {
	described, err := o.stacks.DescribeStacks(ctx, &cloudformation.DescribeStacksInput{StackName: &stack})
	if err != nil {
		return fmt.Errorf("read stack %s: %w", stack, err)
	}
	made := described.Stacks[0]
	outputs := outputsOf(made)
	changed := made.LastUpdatedTime
	if changed == nil {
		changed = made.CreationTime
	}
	table := tabwriter.NewWriter(o.out, 0, 0, 2, ' ', 0)
	line := func(kind, format string, args ...any) { _, _ = fmt.Fprintf(table, kind+"\t"+format+"\n", args...) }
	line("stack", "%s since %s, release %s", made.StackStatus, aws.ToTime(changed).UTC().Format(time.RFC3339), cmp.Or(outputs["Release"], "unknown"))
	for _, part := range []func() error{
		func() error { return o.condition(ctx, outputs["WindowTableName"], line) },
		func() error { return o.watching(ctx, stack, outputs, line) },
		func() error { return o.firing(ctx, stack, line) },
		func() error { return o.waiting(ctx, outputs, line) },
		func() error { return o.stopped(ctx, stack, outputs, line) },
		func() error { return o.money(ctx, outputs["LedgerTableName"], line) },
	} {
		if err := part(); err != nil {
			return err
		}
	}
	return table.Flush() //nolint:wrapcheck // of the terminal
}

type writeLine func(kind, format string, args ...any)

// condition shows the monitor's last result.
func (o overview) condition(ctx context.Context, table string, line writeLine) error {
	record, err := statusrecord.Store{Client: o.db, Table: table}.Status(ctx)
	if err != nil {
		return fmt.Errorf("read what the monitor found: %w", err)
	}
	page := status.Evaluate(record, o.now())
	line("status", "%s, measured %s ago", page.State, page.Age.Round(time.Second))
	for _, reason := range page.Reasons {
		line("", "%s", reason)
	}
	if c := page.Record.Chain; c != nil {
		line("chain", "slot %d, %d s old", c.Slot, c.LagSeconds)
	}
	if l := page.Record.Launches; l != nil {
		authority := "unknown"
		if l.AuthorityLamports != nil {
			authority = decimal.SOL(*l.AuthorityLamports) + " SOL"
		}
		line("launches", "the oldest is %d s late, %d of %d nonces are free, the authority has %s", l.LateSeconds, l.NoncesFree, l.Nonces, authority)
	}
	if q := page.Record.Queues; q != nil {
		line("queues", "%d notices and %d files wait, %d messages were given up", q.Notices, q.Pins, q.GivenUp)
	}
	return nil
}

// watching checks that the stack of the alarms is deployed, and that its alarms watch the resources
// that the service's stack has now. Nothing else shows that an alarm is missing.
func (o overview) watching(ctx context.Context, stack string, outputs map[string]string, line writeLine) error {
	const remedy = "deploy them: sh infra/tools/alarms.sh STACK RELEASE"
	name := stack + stages.AlarmsSuffix
	described, err := o.stacks.DescribeStacks(ctx, &cloudformation.DescribeStacksInput{StackName: &name})
	var refused smithy.APIError
	if errors.As(err, &refused) && refused.ErrorCode() == "ValidationError" && strings.Contains(refused.ErrorMessage(), "does not exist") {
		line("alarms", "missing: no alarm can fire, because stack %s does not exist; %s", name, remedy)
		return nil
	}
	if err != nil {
		return fmt.Errorf("read stack %s: %w", name, err)
	}
	made := described.Stacks[0]
	// An update that was rolled back leaves the alarms of the release before.
	if s := made.StackStatus; s != cloudformationtypes.StackStatusCreateComplete && s != cloudformationtypes.StackStatusUpdateComplete {
		line("alarms", "not deployed: stack %s is %s; %s", name, s, remedy)
	}
	for _, p := range made.Parameters {
		key, watched := aws.ToString(p.ParameterKey), aws.ToString(p.ParameterValue)
		if now, ok := outputs[key]; (ok || key != bootstrapVersion) && watched != now {
			line("alarms", "out of date: the alarms of %s watch %s, and the stack has %s; %s", key, watched, cmp.Or(now, "none"), remedy)
		}
	}
	return nil
}

// bootstrapVersion is a parameter by CDK.
const bootstrapVersion = "BootstrapVersion"

// firing lists the stack's alarms that are not OK. The alarms' names begin with the stack's name.
func (o overview) firing(ctx context.Context, stack string, line writeLine) error {
	pages := cloudwatch.NewDescribeAlarmsPaginator(o.alarms, &cloudwatch.DescribeAlarmsInput{
		AlarmNamePrefix: aws.String(stack + "-"), StateValue: cloudwatchtypes.StateValueAlarm,
		AlarmTypes: []cloudwatchtypes.AlarmType{cloudwatchtypes.AlarmTypeMetricAlarm, cloudwatchtypes.AlarmTypeCompositeAlarm},
	})
	firing := 0
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return fmt.Errorf("list the alarms of stack %s: %w", stack, err)
		}
		for _, a := range page.MetricAlarms {
			line("alarm", "%s since %s: %s", aws.ToString(a.AlarmName), since(a.StateUpdatedTimestamp), aws.ToString(a.AlarmDescription))
			firing++
		}
		// A paging alarm repeats its child alarms. List only composite alarms whose actions are
		// suppressed.
		for _, a := range page.CompositeAlarms {
			if a.ActionsSuppressedBy != "" {
				line("waits", "%s does not notify: %s", aws.ToString(a.AlarmName), cmp.Or(aws.ToString(a.ActionsSuppressedReason), "its cause fires"))
			}
		}
	}
	if firing == 0 {
		line("alarms", "none fires")
	}
	return nil
}

func since(at *time.Time) string { return aws.ToTime(at).UTC().Format(time.RFC3339) }

// waiting lists the queues with messages, and the dead-letter queues.
func (o overview) waiting(ctx context.Context, outputs map[string]string, line writeLine) error {
	for _, key := range slices.Sorted(maps.Keys(outputs)) {
		name, ok := strings.CutSuffix(key, "QueueUrl")
		if !ok {
			continue
		}
		read, err := o.queues.GetQueueAttributes(ctx, &sqs.GetQueueAttributesInput{
			QueueUrl: aws.String(outputs[key]), AttributeNames: []sqstypes.QueueAttributeName{sqstypes.QueueAttributeNameAll},
		})
		if err != nil {
			return fmt.Errorf("read the queue %s: %w", name, err)
		}
		count := func(of sqstypes.QueueAttributeName) string { return cmp.Or(read.Attributes[string(of)], "0") }
		wait, work, later := count(sqstypes.QueueAttributeNameApproximateNumberOfMessages),
			count(sqstypes.QueueAttributeNameApproximateNumberOfMessagesNotVisible),
			count(sqstypes.QueueAttributeNameApproximateNumberOfMessagesDelayed)
		if wait+work+later != "000" {
			line("queue", "%s: %s wait, %s are in hand, %s are for later", name, wait, work, later)
		}
	}
	return nil
}

// stopped lists the parts that an operator has stopped: disabled schedules and readers, and
// functions without concurrency.
func (o overview) stopped(ctx context.Context, stack string, outputs map[string]string, line writeLine) error {
	paused := toggle{o.stacks, o.rules, o.functions, io.Discard}
	found, err := paused.resources(ctx, stack)
	if err != nil {
		return err
	}
	for _, p := range found[ruleType] {
		if p.off {
			line("stopped", "schedule %s", p.id)
		}
	}
	for _, p := range found[readerType] {
		reader, err := o.functions.GetEventSourceMapping(ctx, &lambda.GetEventSourceMappingInput{UUID: &p.id})
		if err != nil {
			return fmt.Errorf("read the reader %s: %w", p.id, err)
		}
		if state := aws.ToString(reader.State); state != "Enabled" {
			line("stopped", "reader of %s is %s", aws.ToString(reader.EventSourceArn), state)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(outputs)) {
		name, ok := strings.CutSuffix(key, outputSuffix)
		if !ok {
			continue
		}
		calls, err := o.functions.GetFunctionConcurrency(ctx, &lambda.GetFunctionConcurrencyInput{FunctionName: aws.String(outputs[key])})
		if err != nil {
			return fmt.Errorf("read the concurrency of %s: %w", name, err)
		}
		if calls.ReservedConcurrentExecutions != nil && *calls.ReservedConcurrentExecutions == 0 {
			line("stopped", "function %s", strings.ToLower(name))
		}
	}
	return nil
}

// money lists undecided payments, and the active runs.
func (o overview) money(ctx context.Context, table string, line writeLine) error {
	ledger := ledgertable.Runs{Client: o.db, Table: table, Now: o.now}
	undecided, more, err := ledger.Undecided(ctx)
	if err != nil {
		return fmt.Errorf("list what is undecided: %w", err)
	}
	for _, u := range undecided {
		if u.Frozen != "" {
			line("frozen", "%s: %s", u.Mint, u.Frozen)
		}
		if u.Reserved {
			line("undecided", "%s: %s SOL and what its head names of other coins is set aside", u.Mint, decimal.SOL(u.ReservedLamports))
		}
	}
	if more {
		line("undecided", "and more tokens")
	}
	// Each active run is overdue at some time in the future.
	working, err := ledger.Overdue(ctx, o.now().Add(run.OverdueAfter+time.Hour), maxRuns)
	if err != nil {
		return fmt.Errorf("list the runs at work: %w", err)
	}
	for _, w := range working {
		r, err := ledger.Run(ctx, w.Mint, w.Slot)
		if err != nil {
			return fmt.Errorf("read the run of %s at %s: %w", w.Mint, w.Slot.Format(time.RFC3339), err)
		}
		line("run", "%s of %s: %s%s", w.Mint, w.Slot.UTC().Format(time.RFC3339), r.Status(), inFlight(r))
	}
	line("runs", "%d at work", len(working))
	return nil
}

// inFlight describes the tax that a run has collected, and the part that the run distributes.
func inFlight(r run.Run) string {
	var text strings.Builder
	if r.Collecting != nil && r.Collecting.Done {
		fmt.Fprintf(&text, ", %s collected", tokens(r, r.Collecting.Collected))
	}
	if r.Split != nil {
		fmt.Fprintf(&text, ", %s to distribute", tokens(r, r.Split.Slice))
	}
	if p := r.Payment; p != nil {
		fmt.Fprintf(&text, ", %s for holders and %s for the creator", coins(r, p.HoldersShare), coins(r, p.CreatorShare))
	}
	return text.String()
}

func tokens(r run.Run, amount uint64) string {
	return decimal.Text(amount, int(r.Token.Decimals)) + " tokens"
}

func coins(r run.Run, amount uint64) string {
	if r.Reward.Asset == terms.SOL {
		return decimal.SOL(amount) + " SOL"
	}
	return decimal.Text(amount, int(r.Reward.Decimals)) + " of " + r.Reward.Asset.String()
}
