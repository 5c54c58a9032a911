package stack

import (
	"fmt"

	"github.com/aws/aws-cdk-go/awscdk/v2/awsevents"
	"github.com/aws/aws-cdk-go/awscdk/v2/awseventstargets"
	"github.com/aws/jsii-runtime-go"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/client/canary"
)

const (
	// usualCanaryMinutes is the default for stages with a front. maxCanaryMinutes keeps the
	// alarms' evaluation within CloudWatch's maximum of a day.
	usualCanaryMinutes, maxCanaryMinutes = 10, 60
	// canaryTimeoutSeconds is longer than a check, which takes at most 100 seconds.
	canaryTimeoutSeconds = 120
)

// canaryOf reads the settings of the canary.
func (r *reader) canaryOf(s *Settings) {
	usual := 0
	if s.profile().front {
		usual = s.size().canaryMinutes
	}
	s.CanaryMinutes = r.number("canaryMinutes", usual)
	if s.CanaryMinutes > maxCanaryMinutes {
		r.fail("canaryMinutes is %d: it must be %d at most, and 0 for no canary", s.CanaryMinutes, maxCanaryMinutes)
	}
	s.CanaryMint = r.text("canaryMint", "")
	if _, err := solana.PublicKeyFromBase58(s.CanaryMint); err != nil && s.CanaryMint != "" {
		r.fail("canaryMint is %q: it must be the address of a token's mint", s.CanaryMint)
	}
}

// newCanary creates the function that checks the service from outside, and its schedule, unless the
// settings disable the canary. The function's only right is to read the address of the nodes.
func (s service) newCanary(publicURL *string) {
	if s.settings.CanaryMinutes == 0 {
		return
	}
	env := s.node(map[string]*string{"PUBLIC_URL": publicURL})
	set(env, "CANARY_MINT", s.settings.CanaryMint)
	made := s.newFunction(function{
		name: "canary", construct: "Canary", about: "Does what a caller does, from outside, and verifies a proof",
		memoryMB: 512, timeoutSeconds: canaryTimeoutSeconds, env: env,
	})
	awsevents.NewRule(s.stack, jsii.String("EveryCheck"), &awsevents.RuleProps{
		Description: jsii.String("Starts the canary"),
		Schedule:    awsevents.Schedule_Expression(jsii.String(fmt.Sprintf("rate(%d minute%s)", s.settings.CanaryMinutes, plural(s.settings.CanaryMinutes)))),
		Enabled:     jsii.Bool(!s.settings.Paused),
		Targets:     &[]awsevents.IRuleTarget{awseventstargets.NewLambdaFunction(made, nil)},
	})
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

// canaryAlarms fire after two failed checks, and if checks are missing.
func (s service) canaryAlarms() []alarm {
	if s.settings.CanaryMinutes == 0 {
		return nil
	}
	const checks = 2
	periods := float64(checks * ((s.settings.CanaryMinutes + alarmMinutes - 1) / alarmMinutes))
	return []alarm{
		{
			name: "CanaryFailed", severity: page, state: "The canary failed twice: it does what callers do",
			impact: "Callers probably cannot use the service", first: "read the canary's log: the line names the step",
			metric: measured(canary.CanaryFailures, "Sum"), breaching: checks, periods: periods,
		},
		{
			name: "ProofRefuted", severity: page, state: "A published proof does not verify",
			impact: "Amounts or payments may be wrong", first: "verify the proof from another machine. If this fails, too, run operate pause",
			metric: measured(canary.ProofsRefuted, "Sum"), breaching: checks, periods: periods,
		},
		{
			name: "CanarySilent", severity: page, state: "The canary does not run",
			impact: "Failures that only callers see stay unnoticed", first: "run operate resume, and read the canary's log",
			metric: noted(measured(canary.CanaryFailures, "SampleCount")), comparison: below, limit: 1,
			breaching: periods, periods: periods, silence: true,
		},
	}
}
