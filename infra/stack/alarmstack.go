package stack

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsdynamodb"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssns"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"

	"tokenlaunch.example/service/infra/stages"
)

// The alarms and the dashboard are a stack of their own, because CloudFormation accepts 500
// resources in a stack. Their stack has a parameter for each name of the service's stack, and the
// service's stack an output of the same name. The deployment hands the outputs over
// (infra/tools/alarms.sh).
//
// The names are not exports. CloudFormation rejects every update of a stack that changes or removes
// an export while another stack imports the export (CloudFormation User Guide, "Get exports from a
// deployed CloudFormation stack"), so an alarm would block the replacement of a function. A
// parameter blocks nothing, and either stack can be deleted first. CDK's weak references
// (Fn::GetStackOutput) leave an alarm on a resource that was replaced: the template of the alarms
// does not change with the resource, and cdk deploy skips a stack without changes, except changes of
// parameters.

// alarms is the stack that has the alarms, with the topic as that stack refers to the topic. The
// stacks of other Regions have their alarms themselves.
type alarms struct {
	stack awscdk.Stack
	topic awssns.ITopic // nil means no topic
}

// newAlarmsStack adds the alarms' stack, <name of the service's stack>-alarms, in the same Region.
// It is deployed after the service's stack.
func (s service) newAlarmsStack(scope constructs.Construct) alarms {
	props := s.settings.stackProps("The alarms of the token launch service, " + s.settings.Stage)
	// The stack has no data. If the stack were protected, CDK could not delete the remains of a failed
	// creation, and each later deployment would fail.
	props.TerminationProtection = nil
	s.alarms.stack = awscdk.NewStack(scope, jsii.String(s.settings.Name+stages.AlarmsSuffix), props)
	s.refer(serviceName, awscdk.Aws_STACK_NAME())
	if s.alarmTopic != nil {
		arn := jsii.String(s.settings.AlarmTopic)
		if *arn == "" {
			arn = s.refer("AlarmTopicArn", s.alarmTopic.TopicArn())
		}
		s.alarms.topic = awssns.Topic_FromTopicArn(s.alarms.stack, jsii.String("AlarmTopic"), arn)
	}
	return s.alarms
}

// serviceName is the parameter with the name of the service's stack, which is the namespace of the
// metrics.
const serviceName = "ServiceName"

// referred describes the outputs that are only for the alarms' stack.
const referred = "For the stack of the alarms"

// refer returns a value of the service's stack for the alarms' stack: a parameter there, and an
// output of the same name here.
func (s service) refer(name string, value *string) *string {
	if s.stack.Node().TryFindChild(&name) == nil {
		awscdk.NewCfnOutput(s.stack, &name, &awscdk.CfnOutputProps{Value: value, Description: jsii.String(referred)})
	}
	if s.alarms.stack.Node().TryFindChild(&name) == nil {
		awscdk.NewCfnParameter(s.alarms.stack, &name, &awscdk.CfnParameterProps{Description: jsii.String("Output " + name + " of the service's stack")})
	}
	return awscdk.Fn_Ref(&name)
}

// reported returns a metric of AWS with one dimension.
func reported(namespace, name, statistic, dimension string, value *string) awscloudwatch.Metric {
	options := over(statistic)
	return awscloudwatch.NewMetric(&awscloudwatch.MetricProps{
		Namespace: jsii.String(namespace), MetricName: jsii.String(name), DimensionsMap: &map[string]*string{dimension: value},
		Statistic: options.Statistic, Period: options.Period,
	})
}

// ofFunction returns a metric of a function.
func (s service) ofFunction(f watchedFunction, name, statistic string) awscloudwatch.Metric {
	return reported("AWS/Lambda", name, statistic, "FunctionName", s.refer(f.construct+"FunctionName", f.made.FunctionName()))
}

// waitingIn returns the number of messages that wait in a queue.
func (s service) waitingIn(q workQueue) awscloudwatch.Metric {
	return reported("AWS/SQS", "ApproximateNumberOfMessagesVisible", "Maximum", "QueueName", s.refer(q.name+"QueueName", q.queue.QueueName()))
}

// oldestIn returns the age of the oldest message of a queue, in seconds.
func (s service) oldestIn(q workQueue) awscloudwatch.Metric {
	return reported("AWS/SQS", "ApproximateAgeOfOldestMessage", "Maximum", "QueueName", s.refer(q.name+"QueueName", q.queue.QueueName()))
}

// givenUpOf returns the number of messages in the dead-letter queue of a queue.
func (s service) givenUpOf(q workQueue) awscloudwatch.Metric {
	return reported("AWS/SQS", "ApproximateNumberOfMessagesVisible", "Maximum", "QueueName", s.refer(q.name+"DeadLetterQueueName", q.dead.QueueName()))
}

// ofAPI returns a metric of the gateway.
func (s service) ofAPI(name, statistic string) awscloudwatch.Metric {
	return reported("AWS/ApiGateway", name, statistic, "ApiId", s.refer("ApiId", s.watched.api.ApiId()))
}

// ofTable returns the sum of a metric of a table.
func (s service) ofTable(name string, table awsdynamodb.ITableV2, metric string) awscloudwatch.Metric {
	return reported("AWS/DynamoDB", metric, "Sum", "TableName", s.refer(name+"TableName", table.TableName()))
}

var errJoin = errors.New("the templates of the service and of its alarms do not fit together")

// Join returns one template of the service with its alarms, for tools that deploy a single template
// (SAM), from the templates of the two stacks.
func Join(service, alarms []byte) ([]byte, error) {
	var whole, part map[string]any
	if err := errors.Join(json.Unmarshal(service, &whole), json.Unmarshal(alarms, &part)); err != nil {
		return nil, fmt.Errorf("%w: %w", errJoin, err)
	}
	resources, _ := whole["Resources"].(map[string]any)
	outputs, _ := whole["Outputs"].(map[string]any)
	parameters, _ := part["Parameters"].(map[string]any)
	values := map[string]any{}
	for name, parameter := range parameters {
		if about, _ := parameter.(map[string]any); about["Description"] == nil || about["Default"] != nil {
			continue // of CDK's bootstrap
		}
		output, _ := outputs[name].(map[string]any)
		if output == nil {
			return nil, fmt.Errorf("%w: no output has the name of the parameter %s", errJoin, name)
		}
		values[name] = output["Value"]
		if output["Description"] == referred {
			delete(outputs, name)
		}
	}
	added, _ := replaceRefs(part["Resources"], values).(map[string]any)
	for id, resource := range added {
		if resources[id] != nil {
			return nil, fmt.Errorf("%w: both have the resource %s", errJoin, id)
		}
		resources[id] = resource
	}
	return json.Marshal(whole)
}

// replaceRefs returns a part of a template with values in place of references to parameters.
func replaceRefs(part any, values map[string]any) any {
	switch v := part.(type) {
	case map[string]any:
		if name, ok := v["Ref"].(string); ok && values[name] != nil {
			return values[name]
		}
		for key, inner := range v {
			v[key] = replaceRefs(inner, values)
		}
	case []any:
		for i, inner := range v {
			v[i] = replaceRefs(inner, values)
		}
	}
	return part
}
