package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awsdynamodb"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/jsii-runtime-go"

	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
)

// within permits the actions on those items of a table whose partition keys match one of
// the patterns. DynamoDB gives the keys of every item that is read or written by its key,
// those of a transaction among them; MiniStack does not read this condition.
func within(table awsdynamodb.ITableV2, actions, keys []string) awsiam.PolicyStatement {
	statement := allow(actions, table.TableArn())
	statement.AddCondition(jsii.String("ForAllValues:StringLike"), map[string]any{"dynamodb:LeadingKeys": keys})
	return statement
}

// counts permits to count requests.
func (s service) counts() awsiam.PolicyStatement {
	return within(s.store.window, update, []string{schema.RateWindows})
}

// answers permits to count requests, and to keep the answers of those that may be
// repeated.
func (s service) answers() awsiam.PolicyStatement {
	return within(s.store.window, update, []string{schema.Answers, schema.RateWindows})
}
