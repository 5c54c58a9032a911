package main

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation/types"
	"github.com/aws/aws-sdk-go-v2/service/eventbridge"
	"github.com/aws/aws-sdk-go-v2/service/lambda"

	"tokenlaunch.example/service/pkg/testkit/localnet"
)

// operated is a stack with what operators' commands touch, and what they must not.
const operated = `{"Resources": {
	"Role": {"Type": "AWS::IAM::Role", "Properties": {"AssumeRolePolicyDocument": {"Version": "2012-10-17", "Statement": []}}},
	"Queue": {"Type": "AWS::SQS::Queue"},
	"Payer": {"Type": "AWS::Lambda::Function", "Properties": {
		"Runtime": "python3.12", "Handler": "index.handler", "Role": {"Fn::GetAtt": ["Role", "Arn"]},
		"Code": {"ZipFile": "def handler(event, context): pass"}, "ReservedConcurrentExecutions": 20}},
	"Tokens": {"Type": "AWS::Lambda::Function", "Properties": {
		"Runtime": "python3.12", "Handler": "index.handler", "Role": {"Fn::GetAtt": ["Role", "Arn"]},
		"Code": {"ZipFile": "def handler(event, context): pass"}}},
	"Reader": {"Type": "AWS::Lambda::EventSourceMapping", "Properties": {
		"EventSourceArn": {"Fn::GetAtt": ["Queue", "Arn"]}, "FunctionName": {"Ref": "Payer"}}},
	"Every": {"Type": "AWS::Events::Rule", "Properties": {"ScheduleExpression": "rate(1 minute)", "State": "ENABLED"}},
	"Watch": {"Type": "AWS::Events::Rule", "Properties": {
		"EventPattern": {"source": ["aws.kms"]}, "State": "ENABLED_WITH_ALL_CLOUDTRAIL_MANAGEMENT_EVENTS"}}
}, "Outputs": {
	"PayerFunctionName": {"Value": {"Ref": "Payer"}}, "TokensFunctionName": {"Value": {"Ref": "Tokens"}},
	"WorkQueueUrl": {"Value": {"Ref": "Queue"}}, "Every": {"Value": {"Ref": "Every"}}, "Watch": {"Value": {"Ref": "Watch"}}
}}`

type operatedStack struct {
	*testing.T

	name    string
	config  aws.Config
	outputs map[string]string
}

func deploy(t *testing.T, name string) operatedStack {
	t.Helper()
	return deployWith(t, name, nil)
}

// deployWith adds outputs of fixed values.
func deployWith(t *testing.T, name string, values map[string]string) operatedStack {
	t.Helper()
	outputs := `"Outputs": {`
	for key, value := range values {
		outputs += fmt.Sprintf("%q: {\"Value\": %q}, ", key, value)
	}
	s := operatedStack{t, name, localnet.AWS(t).Config(t.Context()), map[string]string{}}
	client := cloudformation.NewFromConfig(s.config)
	_, err := client.CreateStack(t.Context(), &cloudformation.CreateStackInput{
		StackName: &name, TemplateBody: aws.String(strings.Replace(operated, `"Outputs": {`, outputs, 1)), Capabilities: []types.Capability{types.CapabilityCapabilityIam},
	})
	s.must(err)
	made := &cloudformation.DescribeStacksInput{StackName: &name}
	s.must(cloudformation.NewStackCreateCompleteWaiter(client).Wait(t.Context(), made, within))
	described, err := client.DescribeStacks(t.Context(), made)
	s.must(err)
	for _, o := range described.Stacks[0].Outputs {
		s.outputs[*o.OutputKey] = *o.OutputValue
	}
	return s
}

const within = readerWithin

func (s operatedStack) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

func (s operatedStack) operate(arguments ...string) {
	s.Helper()
	do, err := parse(arguments)
	s.must(err)
	s.must(do(s.Context(), s.config, &bytes.Buffer{}))
}

func (s operatedStack) rule(output string) string {
	s.Helper()
	out, err := eventbridge.NewFromConfig(s.config).DescribeRule(s.Context(), &eventbridge.DescribeRuleInput{Name: aws.String(s.outputs[output])})
	s.must(err)
	return string(out.State)
}

// reserved is -1 where nothing is.
func (s operatedStack) reserved(function string) int32 {
	s.Helper()
	out, err := lambda.NewFromConfig(s.config).GetFunctionConcurrency(s.Context(), &lambda.GetFunctionConcurrencyInput{
		FunctionName: aws.String(s.outputs[function+outputSuffix]),
	})
	s.must(err)
	if out.ReservedConcurrentExecutions == nil {
		return -1
	}
	return *out.ReservedConcurrentExecutions
}

// A rule that watches the key of all wallets continues while the stack is paused, and hears
// afterwards what it heard before: EnableRule would have left out CloudTrail's reads.
func TestPauseTouchesOnlySchedules(t *testing.T) {
	s := deploy(t, "paused")
	watching := s.rule("Watch")
	for _, step := range []struct{ do, want string }{{"pause", "DISABLED"}, {"resume", "ENABLED"}} {
		s.operate(step.do, s.name)
		if have := s.rule("Every"); have != step.want {
			t.Errorf("after %s the schedule is %s, want %s", step.do, have, step.want)
		}
		if have := s.rule("Watch"); have != watching || have == "DISABLED" {
			t.Errorf("after %s the rule that watches is %s, and was %s", step.do, have, watching)
		}
	}
}

// What the stack reserves comes back: without, the queue of a crowded account would wait.
func TestReleasePutsBackWhatTheStackReserves(t *testing.T) {
	s := deploy(t, "stopped")
	s.operate("stop", s.name, "payer", "tokens")
	if payer, tokens := s.reserved("Payer"), s.reserved("Tokens"); payer != 0 || tokens != 0 {
		t.Errorf("stopped functions have %d and %d calls", payer, tokens)
	}
	s.operate("release", s.name, "payer", "tokens")
	if payer, tokens := s.reserved("Payer"), s.reserved("Tokens"); payer != 20 || tokens != -1 {
		t.Errorf("released functions have %d and %d calls, want 20 and what is left", payer, tokens)
	}
}

func TestStopNamesTheFunctionsThatThereAre(t *testing.T) {
	s := deploy(t, "misspelt")
	before := s.reserved("Payer")
	do, err := parse([]string{"stop", s.name, "payer", "pyer"})
	s.must(err)
	err = do(t.Context(), s.config, &bytes.Buffer{})
	if !errors.Is(err, errNoFunction) || !strings.Contains(err.Error(), "payer, tokens") {
		t.Errorf("%v", err)
	}
	if have := s.reserved("Payer"); have != before {
		t.Errorf("a command that failed left %d calls, and there were %d", have, before)
	}
}
