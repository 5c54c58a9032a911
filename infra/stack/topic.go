package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssns"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssnssubscriptions"
	"github.com/aws/jsii-runtime-go"
)

// newAlarmTopic returns the topic for alarms: the topic of the settings, a new topic for the mail
// address, or nil. The topic is not encrypted, because CloudWatch cannot use AWS's key, and alarms
// contain no secrets.
func (s service) newAlarmTopic() awssns.ITopic {
	switch {
	case s.settings.AlarmTopic != "":
		return awssns.Topic_FromTopicArn(s.stack, jsii.String("AlarmTopic"), jsii.String(s.settings.AlarmTopic))
	case s.settings.AlarmEmail != "":
		topic := awssns.NewTopic(s.stack, jsii.String("AlarmTopic"), &awssns.TopicProps{
			DisplayName: jsii.String("token-launch-" + s.settings.Stage), EnforceSSL: s.onlyTLS(),
		})
		// A topic with a policy loses the default policy, which admits the account. EventBridge
		// does not support conditions in a topic's policy (User Guide, "Using resource-based
		// policies", Amazon SNS permissions): with a condition, events are lost silently.
		topic.AddToResourcePolicy(publishTo(topic, "cloudwatch", &map[string]any{"ArnLike": map[string]*string{
			"aws:SourceArn": s.stack.FormatArn(&awscdk.ArnComponents{
				Service: jsii.String("cloudwatch"), Resource: jsii.String("alarm:*"), ArnFormat: awscdk.ArnFormat_NO_RESOURCE_NAME,
			}),
		}}))
		topic.AddToResourcePolicy(publishTo(topic, "events", nil))
		topic.AddSubscription(awssnssubscriptions.NewEmailSubscription(jsii.String(s.settings.AlarmEmail), nil))
		s.output("AlarmTopicArn", topic.TopicArn())
		return topic
	default:
		return nil
	}
}

func publishTo(topic awssns.Topic, service string, conditions *map[string]any) awsiam.PolicyStatement {
	return awsiam.NewPolicyStatement(&awsiam.PolicyStatementProps{
		Principals: &[]awsiam.IPrincipal{awsiam.NewServicePrincipal(jsii.String(service+".amazonaws.com"), nil)},
		Actions:    jsii.Strings("sns:Publish"), Resources: &[]*string{topic.TopicArn()},
		Conditions: conditions,
	})
}
