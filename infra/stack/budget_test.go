package stack_test

import (
	"strings"
	"testing"

	"tokenlaunch.example/service/infra/stack"
)

// TestBudgetNotifies tests that the recipients of alarms are notified when a month's cost exceeds
// the budget or is forecast to. No budget exists without an amount, or on the local stage.
func TestBudgetNotifies(t *testing.T) {
	for _, test := range []struct {
		stage, email string
		dollars      int
		want         string // the subscriber
	}{
		{stage: "prod"},
		{stage: "local", dollars: 60},
		{stage: "prod", dollars: 60, want: "SNS arn:aws:sns:us-east-1:000000000000:alarms"},
		{stage: "dev", dollars: 60, email: "ops@example.com", want: "EMAIL ops@example.com"},
	} {
		s := settings(t, test.stage)
		s.MonthlyBudget = test.dollars
		if test.email != "" {
			s.AlarmTopic, s.AlarmEmail = "", test.email
		}
		budgets := synthesizeWith(t, s).of("AWS::Budgets::Budget")
		if test.want == "" {
			wantEqual(t, test.stage+": budgets", len(budgets), 0)
			continue
		}
		budget := only(t, budgets)
		wantEqual(t, "limit", written(budget.at("Budget", "BudgetLimit")), written(map[string]any{"Amount": 60.0, "Unit": "USD"}))
		var kinds []string
		for _, told := range list(budget.at("NotificationsWithSubscribers")) {
			kinds = append(kinds, text(at(told, "Notification", "NotificationType"))+" "+text(at(told, "Notification", "Threshold")))
			who := list(at(told, "Subscribers"))[0]
			wantEqual(t, "subscriber", text(at(who, "SubscriptionType"))+" "+text(at(who, "Address")), test.want)
		}
		wantLines(t, "notifications", kinds, []string{"ACTUAL 100", "FORECASTED 100"})
	}
	_, err := stack.ReadSettings(map[string]string{"stage": "dev", "treasuryAddress": treasury, "monthlyBudget": "60"})
	if err == nil || !strings.Contains(err.Error(), "monthlyBudget is 60, and no subscriber is notified of it") {
		t.Errorf("a budget without a subscriber: %v", err)
	}
}
