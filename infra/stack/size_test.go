package stack_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/constructs-go/constructs/v10"

	"tokenlaunch.example/service/infra/stack"
	"tokenlaunch.example/service/infra/stages"
	"tokenlaunch.example/service/pkg/testkit/figures"
)

// smallSettings are the settings of prod on mainnet with the profile for one operator, who is
// notified by mail.
func smallSettings(t *testing.T) stack.Settings {
	t.Helper()
	of := settings(t, "prod")
	s, err := stack.ReadSettings(map[string]string{
		"stage": "prod", "network": "mainnet", "profile": "small", "functionsDir": of.FunctionsDir,
		"rpcSecret": "rpc", "pinataSecret": "pinata", "treasuryAddress": treasury, "reportAddress": "abuse@api.example",
		"publicUrl": "https://api.example", "alarmEmail": "ops@example.com", "trail": "existing", "replicaRegion": replicaRegion,
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSmallProfileResources tests that the resources with a monthly cost are those that one
// operator needs, and that the account's concurrency quota may be 150.
func TestSmallProfileResources(t *testing.T) {
	s := smallSettings(t)
	tpl := synthesizeWith(t, s)
	for _, kind := range []string{"AWS::CloudWatch::CompositeAlarm", "AWS::CloudWatch::Dashboard", "AWS::WAFv2::WebACL"} {
		wantEqual(t, kind, len(tpl.of(kind)), 0)
	}
	wantEqual(t, "web ACL before CloudFront", at(front(t, tpl), "WebACLId"), any(nil))
	if edge := stack.NewEdge(nil, s); edge != nil {
		t.Error("an edge without a web ACL")
	}
	reserved := 100.0 // of which Lambda lets none be reserved
	for _, r := range tpl.of("AWS::Lambda::Function") {
		calls, _ := r.at("ReservedConcurrentExecutions").(float64)
		reserved += calls
	}
	if reserved <= 100 || reserved > 150 {
		t.Errorf("an account needs %v concurrent executions", reserved)
	}
	for name, r := range tpl.of("AWS::S3::Bucket") {
		for _, rule := range list(r.at("ReplicationConfiguration", "Rules")) {
			wantEqual(t, name+" is replicated", text(at(rule, "Status")), "Enabled")
			wantEqual(t, name+" measures", at(rule, "Destination", "Metrics"), any(nil))
			wantEqual(t, name+" hurries", at(rule, "Destination", "ReplicationTime"), any(nil))
		}
	}
	var bounded []string
	for _, r := range tpl.of("AWS::Lambda::EventSourceMapping") {
		if r.at("ScalingConfig", "MaximumConcurrency") != nil {
			bounded = append(bounded, text(r.at("FunctionName")))
		}
	}
	wantLines(t, "queues that Lambda reads often", bounded, []string{"DistributorFunction", "PayerFunction"})
	// A web ACL by choice.
	s.WAF = true
	edge := synthesizeStack(t, s, stack.NewEdge)
	wantEqual(t, "web ACLs", len(edge.of("AWS::WAFv2::WebACL")), 1)
	wantEqual(t, "topics of the edge", len(edge.of("AWS::SNS::Topic")), 0)
	wantEqual(t, "alarms of the edge", len(edge.of("AWS::CloudWatch::Alarm")), 0)
}

// TestSmallProfileHasOneTopic tests that the topic is notified of the key in both Regions: the
// replica's Region forwards to the rules of the stack, by the ID that both keys have.
func TestSmallProfileHasOneTopic(t *testing.T) {
	s := smallSettings(t)
	tpl, replica := synthesizeWith(t, s), synthesizeStack(t, s, stack.NewReplica)
	wantEqual(t, "topics", len(tpl.of("AWS::SNS::Topic")), 1)
	wantEqual(t, "topics of the replica", len(replica.of("AWS::SNS::Topic")), 0)
	wantEqual(t, "alarms of the replica", len(replica.of("AWS::CloudWatch::Alarm")), 0)
	for name := range tpl.of("AWS::CloudWatch::Alarm") {
		wantLines(t, name+" tells", texts(tpl.notifier(name).at("AlarmActions")), []string{"AlarmTopic"})
	}
	rules := replica.of("AWS::Events::Rule")
	for _, name := range []string{"WalletKeyChanged", "WalletKeyUsed"} {
		there := rules[name]
		target := list(there.at("Targets"))[0]
		if arn := text(at(target, "Arn")); !strings.HasSuffix(arn, ":event-bus/default") || !strings.Contains(arn, "PrimaryKeyArn") {
			t.Errorf("%s goes to %s", name, arn)
		}
		wantEqual(t, name+" by", text(at(target, "RoleArn")), "ForwarderRole.Arn")
		wantEqual(t, name+" state", text(there.at("State")), text(tpl.of("AWS::Events::Rule")[name].at("State")))
		for where, rule := range map[string]resource{"here": tpl.of("AWS::Events::Rule")[name], "there": there} {
			if pattern := written(rule.at("EventPattern")); !strings.Contains(pattern, "{suffix: :key/WalletKey}") || strings.Contains(pattern, "WalletKey.Arn") {
				t.Errorf("%s %s matches only one key: %s", name, where, pattern)
			}
		}
	}
}

// TestSmallProfileMetricsMatchAlarms tests that only the metrics of alarms exist, because each
// metric has a monthly cost.
func TestSmallProfileMetricsMatchAlarms(t *testing.T) {
	tpl := synthesizeWith(t, smallSettings(t))
	reads := map[string]bool{}
	note := func(metric any) {
		if name := text(at(metric, "MetricName")); text(at(metric, "Namespace")) == "AWS::StackName" && tpl.of("AWS::Logs::MetricFilter")[name].Type == "" {
			reads[name] = true
		}
	}
	for _, r := range tpl.of("AWS::CloudWatch::Alarm") {
		note(r.Properties)
		for _, query := range list(r.at("Metrics")) {
			note(at(query, "MetricStat", "Metric"))
		}
	}
	for name, r := range tpl.of("AWS::Lambda::Function") {
		variables, _ := r.at("Environment", "Variables").(map[string]any)
		if variables["METRIC_NAMESPACE"] == nil {
			continue // it measures nothing
		}
		wantLines(t, name+" METRICS", strings.Split(text(variables["METRICS"]), ","), slices.Collect(maps.Keys(reads)))
	}
	if other := synthesize(t, "prod").of("AWS::Lambda::Function")["TokensFunction"].at("Environment", "Variables", "METRICS"); other != nil {
		t.Errorf("standard measures only %v", other)
	}
}

// TestGuideNamesSmallProfileAlarms tests that the guide names them in one paragraph.
func TestGuideNamesSmallProfileAlarms(t *testing.T) {
	content, err := os.ReadFile(filepath.Join(root, "docs", "operations.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, paragraph, found := strings.Cut(string(content), "\nWith `profile=small` there are these alarms alone:")
	paragraph, _, ended := strings.Cut(paragraph, "\n\n")
	if !found || !ended {
		t.Fatal("docs/operations.md does not say which alarms the small profile has")
	}
	var names []string
	for _, name := range alarmName.FindAllStringSubmatch(paragraph, -1) {
		names = append(names, name[1])
	}
	wantLines(t, "docs/operations.md", names, slices.Collect(maps.Keys(synthesizeWith(t, smallSettings(t)).of("AWS::CloudWatch::Alarm"))))
}

// TestStacksHaveRoom tests CloudFormation's limits of 500 resources, 200 parameters and 200 outputs
// in a stack (CloudFormation User Guide, "Quotas"), less a reserve, so that a growing stack fails
// here long before a deployment does. The lower bounds show that the numbers are of whole stacks.
// The joined template is a single stack of SAM, and has only CloudFormation's limits.
func TestStacksHaveRoom(t *testing.T) {
	const maxResources, maxNames, maxJoined = 350, 150, 500
	adders := map[string]func(constructs.Construct, stack.Settings) awscdk.Stack{
		"": stack.NewService, "-edge": stack.NewEdge, "-copies": stack.NewCopies, "-replica": stack.NewReplica,
	}
	floors := map[string]int{"": 200, stages.AlarmsSuffix: 20, "-edge": 1, "-copies": 3, "-replica": 5}
	largest, in := 0, ""
	mainnet := func(s stack.Settings) stack.Settings { s.Network = "mainnet"; return s }
	for name, test := range map[string]struct {
		settings stack.Settings
		stacks   int
	}{
		"local":                          {settings(t, "local"), 2},
		"dev":                            {settings(t, "dev"), 3},
		"dev on mainnet":                 {mainnet(settings(t, "dev")), 4},
		"staging":                        {settings(t, "staging"), 4},
		"prod":                           {settings(t, "prod"), 5},
		"prod, small":                    {smallSettings(t), 4},
		"prod with every setting":        {everySetting(t, "standard"), 5},
		"prod with every setting, small": {everySetting(t, "small"), 5},
	} {
		have := map[string]size{}
		for suffix, add := range adders {
			tpl := synthesizeStack(t, test.settings, add)
			if len(tpl.Resources) > maxJoined {
				t.Errorf("%s: the joined template has %d resources, want at most %d", name, len(tpl.Resources), maxJoined)
			}
			for of, is := range tpl.sizes {
				have[suffix+of] = is
			}
		}
		wantEqual(t, name+": stacks", len(have), test.stacks)
		t.Logf("%s: stacks %+v", name, have)
		for suffix, is := range have {
			if is.resources < floors[suffix] || is.resources > maxResources {
				t.Errorf("%s: stack%s has %d resources, want %d to %d", name, suffix, is.resources, floors[suffix], maxResources)
			}
			if is.parameters > maxNames || is.outputs > maxNames {
				t.Errorf("%s: stack%s has %d parameters and %d outputs, want at most %d", name, suffix, is.parameters, is.outputs, maxNames)
			}
			if is.resources > largest {
				largest, in = is.resources, "stack"+suffix+" of "+name
			}
		}
		if names := have[stages.AlarmsSuffix].parameters; names < 5 {
			t.Errorf("%s: the alarms name %d parts of the service", name, names)
		}
	}
	figures.Show(t, "the largest of all stacks, %s, has %d of %d resources", in, largest, maxResources)
}

// everySetting are those of prod on mainnet with everything that adds resources.
func everySetting(t *testing.T, profile string) stack.Settings {
	t.Helper()
	s := settings(t, "prod")
	s.Profile, s.Network = profile, "mainnet"
	s.AlarmTopic, s.EdgeAlarmTopic, s.AlarmEmail, s.MonthlyBudget = "", "", "ops@example.com", 60
	s.PublicURL, s.DomainName, s.CertificateARN = "", "api.example.com", "arn:aws:acm:us-east-1:000000000000:certificate/api"
	s.ImageDomain, s.ImageCertificateARN = "images.example.com", "arn:aws:acm:us-east-1:000000000000:certificate/images"
	s.HostedZoneID, s.HostedZoneName = "Z0123456789", "example.com"
	s.Trail, s.CopyVaultARN, s.TokenKeys = true, "arn:aws:backup:eu-west-1:111122223333:backup-vault:far", "TokenKey,TokenKey2"
	return s
}

// TestAlarmsBlockNoUpdate tests that the service's stack exports nothing and the alarms import
// nothing, because an export that another stack imports can neither change nor be removed.
func TestAlarmsBlockNoUpdate(t *testing.T) {
	made := synthesize(t, "prod")
	for _, banned := range []string{`"Export"`, "Fn::ImportValue", "Fn::GetStackOutput"} {
		if strings.Contains(made.text, banned) {
			t.Errorf("%s is in the templates", banned)
		}
	}
}
