package stack

import (
	"fmt"
	"time"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsevents"
	"github.com/aws/aws-cdk-go/awscdk/v2/awseventstargets"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/jsii-runtime-go"

	"tokenlaunch.example/service/pkg/distribution/dispatch"
	"tokenlaunch.example/service/pkg/token/terms"
)

// newSchedules creates the rules: a rule for each interval, and a rule for every minute.
func (s service) newSchedules(reconciler, dispatcher, monitor, notifier awslambda.Function) {
	for _, interval := range terms.Intervals() {
		awsevents.NewRule(s.stack, jsii.String("Every"+string(interval)), &awsevents.RuleProps{
			Description: jsii.String("Opens the slots of the tokens that are distributed every " + string(interval)),
			Schedule:    awsevents.Schedule_Expression(jsii.String(cron(interval))),
			Enabled:     jsii.Bool(!s.settings.Paused),
			Targets:     &[]awsevents.IRuleTarget{told(dispatcher, dispatch.TaskSlot, interval)},
		})
	}
	minute := awsevents.NewRule(s.stack, jsii.String("EveryMinute"), &awsevents.RuleProps{
		Description: jsii.String("Starts the reconciler, the sweep of overdue runs, the monitor, and the notifier where there is a bot"),
		Schedule:    awsevents.Schedule_Rate(awscdk.Duration_Minutes(jsii.Number(1))),
		Enabled:     jsii.Bool(!s.settings.Paused),
		Targets: &[]awsevents.IRuleTarget{
			awseventstargets.NewLambdaFunction(reconciler, nil), told(dispatcher, dispatch.TaskSweep, ""),
			awseventstargets.NewLambdaFunction(monitor, nil),
		},
	})
	if s.settings.Secrets[botSecret] != "" {
		minute.AddTarget(awseventstargets.NewLambdaFunction(notifier, nil))
	}
}

// told starts the dispatcher with a message of package dispatch. The time is the time of the event,
// for which the rule fired, even if the event arrives late.
func told(dispatcher awslambda.Function, task dispatch.Task, interval terms.Interval) awsevents.IRuleTarget {
	message := map[string]any{"task": string(task), "time": awsevents.EventField_Time()}
	if interval != "" {
		message["interval"] = string(interval)
	}
	return awseventstargets.NewLambdaFunction(dispatcher, &awseventstargets.LambdaFunctionProps{
		Event: awsevents.RuleTargetInput_FromObject(message),
	})
}

// cron fires on each tick of the interval, counted from midnight UTC. A rate would count from the
// deployment. If a day is not a multiple of the interval, the dispatcher skips the ticks between two slots.
func cron(interval terms.Interval) string {
	switch every := interval.Tick(); {
	case every < time.Hour:
		return fmt.Sprintf("cron(0/%d * * * ? *)", int(every.Minutes()))
	case every == time.Hour:
		return "cron(0 * * * ? *)"
	case every < 24*time.Hour:
		return fmt.Sprintf("cron(0 0/%d * * ? *)", int(every.Hours()))
	}
	return "cron(0 0 * * ? *)"
}
