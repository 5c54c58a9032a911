package main

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	cftypes "github.com/aws/aws-sdk-go-v2/service/cloudformation/types"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch/types"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/infra/stages"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/ledgertable"
	"tokenlaunch.example/service/pkg/aws/windowtable/statusrecord"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/distribution/status"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/token/terms"
)

// alarmsOf stands in for CloudWatch: MiniStack does not answer it in the protocol that the
// SDK speaks.
type alarmsOf struct {
	t       *testing.T
	stack   string
	ringing []types.MetricAlarm
	pages   []types.CompositeAlarm
}

func (a *alarmsOf) DescribeAlarms(_ context.Context, in *cloudwatch.DescribeAlarmsInput, _ ...func(*cloudwatch.Options)) (*cloudwatch.DescribeAlarmsOutput, error) {
	if aws.ToString(in.AlarmNamePrefix) != a.stack+"-" || in.StateValue != types.StateValueAlarm {
		a.t.Errorf("asked for %q in state %s", aws.ToString(in.AlarmNamePrefix), in.StateValue)
	}
	return &cloudwatch.DescribeAlarmsOutput{MetricAlarms: a.ringing, CompositeAlarms: a.pages}, nil
}

// An operator sees at a glance what is wrong: each line is one thing that was provoked.
func TestStatusNamesWhatIsWrong(t *testing.T) {
	local := localnet.AWS(t)
	db := dynamo.New(local.Config(t.Context()))
	now := time.Now().UTC().Truncate(time.Second)
	ledger := ledgertable.Runs{Client: db, Table: local.CreateTable(t, schema.Ledger), Now: func() time.Time { return now }}
	window := statusrecord.Store{Client: db, Table: local.CreateTable(t, schema.Window)}
	s := deployWith(t, "looked-at", map[string]string{"LedgerTableName": ledger.Table, "WindowTableName": window.Table, "Release": "prod-1067cf5"})

	alarms := &alarmsOf{t: t, stack: s.name}
	var shown string
	show := func() string {
		t.Helper()
		var out bytes.Buffer
		o := newOverview(s.config, &out)
		o.alarms = alarms
		o.now = func() time.Time { return now }
		s.must(o.show(t.Context(), s.name))
		return out.String()
	}
	s.must(window.PutStatus(t.Context(), status.Record{
		At: now, Chain: &status.Chain{Slot: 7, LagSeconds: 2}, Launches: &status.Launches{Nonces: 9, NoncesFree: 9},
		Runs: &status.Runs{}, Queues: &status.Queues{},
	}))
	// Without the alarms' stack no alarm can fire.
	if shown = show(); !strings.Contains(shown, "missing: no alarm can fire") {
		t.Errorf("no word of the missing alarms in\n%s", shown)
	}
	s.watch(map[string]string{"PayerFunctionName": "an older function", "WorkQueueUrl": s.outputs["WorkQueueUrl"], "GoneTableName": "gone"})
	shown = show()
	for _, want := range []string{"PayerFunctionName watch an older function, and the stack has " + s.outputs["PayerFunctionName"], "GoneTableName watch gone, and the stack has none"} {
		if !strings.Contains(shown, want) {
			t.Errorf("%q is missing in\n%s", want, shown)
		}
	}
	if strings.Contains(shown, "WorkQueueUrl") {
		t.Errorf("a name that is up to date in\n%s", shown)
	}
	s.watch(map[string]string{"PayerFunctionName": s.outputs["PayerFunctionName"]})
	for _, want := range []string{"CREATE_COMPLETE", "release prod-1067cf5", "ok, measured 0s ago", "none fires", "0 at work"} {
		if shown = show(); !strings.Contains(shown, want) {
			t.Errorf("%q is missing in\n%s", want, shown)
		}
	}
	for _, not := range []string{"stopped", "frozen", "queue ", "waits", "missing", "out of date", "not deployed"} {
		if strings.Contains(shown, not) {
			t.Errorf("%q in\n%s", not, shown)
		}
	}

	mint := solana.NewWallet().PublicKey()
	slot := now.Add(-time.Minute)
	s.must(ledger.Open(t.Context(), run.Head{Mint: mint, Active: slot, LastSlot: slot}, run.Run{ID: "r", Mint: mint, Slot: slot, OpenedAt: now}))
	frozen := solana.NewWallet().PublicKey()
	s.must(ledger.SaveHead(t.Context(), run.Head{Mint: frozen, Frozen: "books do not balance", Debts: run.Debts{Reserved: map[terms.Asset]uint64{terms.SOL: 1_500_000_000}}}))
	s.must(window.PutStatus(t.Context(), status.Record{At: now, Chain: &status.Chain{Slot: 7, LagSeconds: 200}}))
	alarms.ringing = append(alarms.ringing, types.MetricAlarm{
		AlarmName: aws.String(s.name + "-NodeErrorsAlarm"), AlarmDescription: aws.String("page: the nodes"), StateUpdatedTimestamp: &now,
	})
	alarms.pages = append(alarms.pages, types.CompositeAlarm{
		AlarmName: aws.String(s.name + "-RunsOverduePage"), ActionsSuppressedBy: types.ActionsSuppressedByAlarm,
	}, types.CompositeAlarm{AlarmName: aws.String(s.name + "-RunsCause")})
	_, err := sqs.NewFromConfig(s.config).SendMessage(t.Context(), &sqs.SendMessageInput{
		QueueUrl: aws.String(s.outputs["WorkQueueUrl"]), MessageBody: aws.String("work"), DelaySeconds: 900,
	})
	s.must(err)
	s.operate("stop", s.name, "payer")
	s.operate("pause", s.name)

	shown = show()
	for _, want := range []string{
		"degraded", "200 seconds old", "NodeErrorsAlarm", "page: the nodes", "RunsOverduePage does not notify", "Work: 0 wait, 0 are in hand, 1 are for later", "function payer", "schedule ", "reader of ",
		frozen.String() + ": books do not balance", "1.5 SOL", mint.String() + " of ", "opened", "1 at work",
	} {
		if !strings.Contains(shown, want) {
			t.Errorf("%q is missing in\n%s", want, shown)
		}
	}
	if strings.Contains(shown, "RunsCause") {
		t.Errorf("a cause next to its alarms in\n%s", shown)
	}
}

// watch deploys a stack of alarms with the parameters, in place of an earlier one.
func (s operatedStack) watch(parameters map[string]string) {
	s.Helper()
	client, name := cloudformation.NewFromConfig(s.config), aws.String(s.name+stages.AlarmsSuffix)
	_, err := client.DeleteStack(s.Context(), &cloudformation.DeleteStackInput{StackName: name})
	s.must(err)
	s.must(cloudformation.NewStackDeleteCompleteWaiter(client).Wait(s.Context(), &cloudformation.DescribeStacksInput{StackName: name}, within))
	declared, given := map[string]any{}, []cftypes.Parameter(nil)
	for key, value := range parameters {
		declared[key] = map[string]string{"Type": "String"}
		given = append(given, cftypes.Parameter{ParameterKey: aws.String(key), ParameterValue: aws.String(value)})
	}
	body, err := json.Marshal(map[string]any{"Parameters": declared, "Resources": map[string]any{"Topic": map[string]string{"Type": "AWS::SNS::Topic"}}})
	s.must(err)
	_, err = client.CreateStack(s.Context(), &cloudformation.CreateStackInput{StackName: name, TemplateBody: aws.String(string(body)), Parameters: given})
	s.must(err)
	s.must(cloudformation.NewStackCreateCompleteWaiter(client).Wait(s.Context(), &cloudformation.DescribeStacksInput{StackName: name}, within))
}
