package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awsbudgets"
	"github.com/aws/jsii-runtime-go"
)

// newBudget creates the account's budget. AWS notifies the alarms' subscribers when a month's cost,
// or the forecast, exceeds the budget. A mail of AWS Budgets needs no confirmation. The policy of a
// topic in the settings must let budgets.amazonaws.com publish.
func (s service) newBudget() {
	if s.settings.MonthlyBudget == 0 || s.settings.Local() {
		return
	}
	subscriber := awsbudgets.CfnBudget_SubscriberProperty{SubscriptionType: jsii.String("SNS"), Address: jsii.String(s.settings.AlarmTopic)}
	if s.settings.AlarmEmail != "" {
		subscriber = awsbudgets.CfnBudget_SubscriberProperty{SubscriptionType: jsii.String("EMAIL"), Address: jsii.String(s.settings.AlarmEmail)}
	}
	var told []awsbudgets.CfnBudget_NotificationWithSubscribersProperty
	for _, kind := range []string{"ACTUAL", "FORECASTED"} {
		told = append(told, awsbudgets.CfnBudget_NotificationWithSubscribersProperty{
			Notification: awsbudgets.CfnBudget_NotificationProperty{
				NotificationType: jsii.String(kind), ComparisonOperator: jsii.String("GREATER_THAN"),
				Threshold: jsii.Number(100), ThresholdType: jsii.String("PERCENTAGE"),
			},
			Subscribers: []any{subscriber},
		})
	}
	awsbudgets.NewCfnBudget(s.stack, jsii.String("MonthlyBudget"), &awsbudgets.CfnBudgetProps{
		Budget: awsbudgets.CfnBudget_BudgetDataProperty{
			BudgetType: jsii.String("COST"), TimeUnit: jsii.String("MONTHLY"),
			BudgetLimit: awsbudgets.CfnBudget_SpendProperty{Amount: jsii.Number(s.settings.MonthlyBudget), Unit: jsii.String("USD")},
		},
		NotificationsWithSubscribers: told,
	})
}
