package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awsdynamodb"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/jsii-runtime-go"

	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
)

// within permits actions on the items of a table whose partition keys match a pattern. DynamoDB
// checks the key of every item in a request, including transactions. MiniStack ignores this
// condition.
func within(table awsdynamodb.ITableV2, actions, keys []string) awsiam.PolicyStatement {
	statement := allow(actions, table.TableArn())
	statement.AddCondition(jsii.String("ForAllValues:StringLike"), map[string]any{"dynamodb:LeadingKeys": keys})
	return statement
}

// counts permits counting requests.
func (s service) counts() awsiam.PolicyStatement {
	return within(s.store.window, update, []string{schema.RateWindows})
}

// answers permits counting requests, and storing the responses of idempotent requests.
func (s service) answers() awsiam.PolicyStatement {
	return within(s.store.window, update, []string{schema.Answers, schema.RateWindows})
}
