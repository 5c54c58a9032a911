package stack_test

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"tokenlaunch.example/service/infra/stack"
)

// walletRules are those that hear of calls to the key of the wallets.
var walletRules = []string{"WalletKeyChanged", "WalletKeyUsed"}

// The addresses of all wallets derive from this key. Another logical ID, or another value of one of
// these properties, would create another key: this is the only test that must never be adapted to
// the stack.
func TestWalletKeyIsNeverReplaced(t *testing.T) {
	want := map[string]any{"KeySpec": "HMAC_512", "KeyUsage": "GENERATE_VERIFY_MAC", "MultiRegion": true, "Origin": nil}
	for _, stage := range []string{"local", "dev", "staging", "prod"} {
		key, ok := synthesize(t, stage).Resources["WalletKey"]
		if !ok || key.Type != "AWS::KMS::Key" {
			t.Fatalf("%s: no key has the logical ID WalletKey", stage)
		}
		for name, value := range want {
			wantEqual(t, stage+" "+name, key.Properties[name], value)
		}
		kept := "Retain"
		if stage == "local" || stage == "dev" { // TestDisposableWalletKeyIsDeleted
			kept = "Delete"
		}
		wantEqual(t, stage+" DeletionPolicy", key.DeletionPolicy, kept)
		wantEqual(t, stage+" UpdateReplacePolicy", key.UpdateReplacePolicy, kept)
		wantEqual(t, stage+" days", key.Properties["PendingWindowInDays"], any(float64(30)))
		wantEqual(t, stage+" Enabled", key.Properties["Enabled"], nil)
	}
}

// KMS rejects a policy that its caller could not change again, unless the lockout check is
// bypassed. CDK's deployer could change it; an administrator, as whom `sam deploy` creates the key,
// could not.
func TestAdministratorMayCreateWalletKey(t *testing.T) {
	for _, stage := range []string{"local", "dev", "staging", "prod"} {
		key := synthesize(t, stage).Resources["WalletKey"]
		wantEqual(t, stage+" BypassPolicyLockoutSafetyCheck", key.Properties["BypassPolicyLockoutSafetyCheck"], any(true))
	}
	sam, err := os.ReadFile("../../template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	_, key, _ := strings.Cut(string(sam), "\n  WalletKey:\n")
	if !strings.Contains(key, "      BypassPolicyLockoutSafetyCheck: true\n") {
		t.Error("template.yaml has KMS look for a lockout")
	}
}

// sentences writes the statements of a policy, by their Sid.
func sentences(t *testing.T, policy any) map[string]string {
	t.Helper()
	said := map[string]string{}
	for _, s := range list(at(policy, "Statement")) {
		var actions []string
		for _, action := range texts(at(s, "Action")) {
			actions = append(actions, strings.TrimPrefix(action, "kms:"))
		}
		said[text(at(s, "Sid"))] = text(at(s, "Effect")) + " " + text(at(s, "Principal", "AWS")) + " " + strings.Join(actions, " ") +
			" on " + text(at(s, "Resource")) + " if " + written(at(s, "Condition"))
	}
	return said
}

const account = "arn:AWS::Partition:iam::AWS::AccountId:"

// primaryRegion is, in the replica's template, that of the key which it copies.
const primaryRegion = "map[Fn::Select:[3 map[Fn::Split:[: map[Ref:PrimaryKeyArn]]]]]"

// TestOnlyNamedRolesHaveTheWalletKey tests docs/attacks.md, "Inside": a new role, whatever its
// name, can neither use the key nor change who may.
func TestOnlyNamedRolesHaveTheWalletKey(t *testing.T) {
	s := settings(t, "prod")
	s.WalletStack = "token-launch-prod-2/eu-central-1"
	for _, test := range []struct {
		stack, region string
		tpl           template
	}{
		{"AWS::StackName", "AWS::Region", synthesizeWith(t, s)},
		{"token-launch-prod", primaryRegion, synthesizeStack(t, s, stack.NewReplica)},
	} {
		roles := func(names ...string) string {
			for i, name := range names {
				names[i] = account + "role/" + name
			}
			return "{aws:PrincipalArn: " + strings.Join(names, " | ") + "}"
		}
		here := test.stack + "-" + test.region
		holders := roles(here+"-Signer", test.stack+"-replica-eu-west-1-Deriver", "token-launch-prod-2-eu-central-1-Signer")
		all, deployer := "Deny * ", "cdk-hnb659fds-cfn-exec-role-AWS::AccountId-"
		want := map[string]string{
			"TheAccountAdministers": "Allow " + account + "root CancelKeyDeletion DescribeKey EnableKey GetKeyPolicy GetKeyRotationStatus ListGrants " +
				"ListKeyPolicies ListResourceTags PutKeyPolicy ReplicateKey RetireGrant RevokeGrant TagResource UntagResource UpdateKeyDescription on * if ",
			"WalletFunctionsDerive": "Allow " + account + "root GenerateMac on * if {ArnLike: " + holders + "}",
			"NoOtherDerives":        all + "GenerateMac VerifyMac on * if {ArnNotLike: " + holders + "}",
			"NoOneLosesIt": all +
				"CreateGrant DeleteImportedKeyMaterial DisableKey ImportKeyMaterial ScheduleKeyDeletion UpdatePrimaryRegion on * if ",
			"FewChangeThis": all + "PutKeyPolicy ReplicateKey on * if {ArnNotLike: " +
				roles(deployer+test.region, deployer+"eu-west-1", "token-launch-key-admin") + "}",
			"OneReplica": all + "ReplicateKey on * if {StringNotEquals: {kms:ReplicaRegion: eu-west-1}}",
		}
		have := sentences(t, test.tpl.Resources["WalletKey"].at("KeyPolicy"))
		wantLines(t, "statements", slices.Collect(maps.Keys(have)), slices.Collect(maps.Keys(want)))
		for sid, sentence := range want {
			wantEqual(t, sid, have[sid], sentence)
			if strings.Contains(have[sid], "role/*") || strings.Contains(have[sid], "*-") {
				t.Errorf("%s names roles by a part: %s", sid, have[sid])
			}
		}
	}
}

// On devnet a disposable stage deletes its key: the key's policy lets CloudFormation delete the key
// and its replica. A key that holds money is retained, whatever the stage's name.
func TestDisposableWalletKeyIsDeleted(t *testing.T) {
	for _, test := range []struct {
		stage, network string
		goes           bool
	}{{"dev", "devnet", true}, {"mine", "devnet", true}, {"dev", "mainnet", false}, {"staging", "devnet", false}, {"prod", "devnet", false}} {
		s := settings(t, test.stage)
		s.Network = test.network
		for what, key := range map[string]resource{
			"key":     synthesizeWith(t, s).Resources["WalletKey"],
			"replica": synthesizeStack(t, s, stack.NewReplica).Resources["WalletKey"],
		} {
			of := "the " + what + " of " + test.stage + " on " + test.network
			said := sentences(t, key.at("KeyPolicy"))
			wantEqual(t, of+" is deleted with the stack", key.DeletionPolicy == "Delete", test.goes)
			wantEqual(t, of+" may be deleted", strings.Contains(said["TheAccountAdministers"], "ScheduleKeyDeletion"), test.goes)
			wantEqual(t, of+" may not be deleted", strings.Contains(said["NoOneLosesIt"], "ScheduleKeyDeletion"), !test.goes)
			if !strings.Contains(said["NoOneLosesIt"], "CreateGrant") {
				t.Errorf("%s: its use can be granted: %s", of, said["NoOneLosesIt"])
			}
		}
	}
}

// Without a Region for the replica the key is not a multi-Region key: a replica has a policy of its
// own.
func TestNoReplicaByDefault(t *testing.T) {
	s := settings(t, "dev")
	s.ReplicaRegion = ""
	have := sentences(t, synthesizeWith(t, s).Resources["WalletKey"].at("KeyPolicy"))
	wantEqual(t, "OneReplica", have["OneReplica"], "Deny * ReplicateKey on * if {StringNotEquals: {kms:ReplicaRegion: none}}")
}

// The key's policy names roles: three roles of a stack and the role of the replica's deriver have
// fixed names, and CloudFormation names the others. No name is too long.
func TestOnlyTheHoldersHaveNames(t *testing.T) {
	for _, stage := range []string{"local", "dev", "staging", "prod"} {
		for name, r := range synthesize(t, stage).of("AWS::IAM::Role") {
			want := ""
			if slices.Contains(holders, functionOf(name)) {
				want = "AWS::StackName-AWS::Region-" + strings.TrimSuffix(name, "Role")
			}
			wantEqual(t, stage+" "+name+" RoleName", text(r.at("RoleName")), want)
			wantEqual(t, stage+" "+name+" Path", text(r.at("Path")), "")
		}
	}
	const longestRegion, longestStack = len("ap-southeast-1"), 33
	context := map[string]string{"ipfsApiUrl": "http://ipfs.example:5001", "treasuryAddress": treasury, "stackName": strings.Repeat("a", longestStack)}
	if _, err := read(context); err != nil {
		t.Error(err)
	}
	for _, suffix := range []string{"-Signer", "-replica-Deriver"} {
		if length := longestStack + 1 + longestRegion + len(suffix); length > 64 {
			t.Errorf("a role has %d letters", length)
		}
	}
	context["stackName"] += "a"
	if _, err := read(context); err == nil || !strings.Contains(err.Error(), "33 at most: names of roles have 64 letters") {
		t.Error(err)
	}
}

func TestReplica(t *testing.T) {
	s := settings(t, "prod")
	s.ReplicaAlarmTopic = "arn:aws:sns:eu-west-1:000000000000:alarms"
	tpl := synthesizeStack(t, s, stack.NewReplica)
	key := tpl.Resources["WalletKey"]
	wantEqual(t, "type", key.Type, "AWS::KMS::ReplicaKey")
	wantEqual(t, "of", text(key.at("PrimaryKeyArn")), "PrimaryKeyArn")
	wantEqual(t, "DeletionPolicy", key.DeletionPolicy+" "+key.UpdateReplacePolicy, "Retain Retain")
	wantEqual(t, "days", key.at("PendingWindowInDays"), any(float64(30)))
	// A deriver, which answers addresses, and only the drill calls it.
	functions := tpl.of("AWS::Lambda::Function")
	wantEqual(t, "functions", len(functions), 1)
	wantEqual(t, "derives with", text(functions["DeriverFunction"].at("Environment", "Variables", "WALLET_KEY_ID")), "WalletKey")
	wantLines(t, "deriver", tpl.rights(t)["deriver"],
		append(each("DeriverLog.Arn", "logs:CreateLogStream", "logs:PutLogEvents"), "kms:GenerateMac WalletKey.Arn"))
	wantEqual(t, "roles", len(tpl.of("AWS::IAM::Role")), 1)
	wantEqual(t, "RoleName", text(tpl.of("AWS::IAM::Role")["DeriverRole"].at("RoleName")), "AWS::StackName-AWS::Region-Deriver")
	wantEqual(t, "permissions", len(tpl.of("AWS::Lambda::Permission")), 0)
	// Alarms and events tell a topic of their own Region.
	for _, name := range walletRules {
		rule, alarm := tpl.of("AWS::Events::Rule")[name], tpl.of("AWS::CloudWatch::Alarm")[name+"Alarm"]
		wantEqual(t, name+" tells", text(at(list(rule.at("Targets"))[0], "Arn")), s.ReplicaAlarmTopic)
		wantLines(t, name+"Alarm tells", texts(alarm.at("AlarmActions")), []string{s.ReplicaAlarmTopic})
	}
	for name, value := range map[string]string{"WalletKeyId": "WalletKey", "WalletKeyArn": "WalletKey.Arn", "DeriverFunctionName": "DeriverFunction"} {
		wantEqual(t, name, text(tpl.Outputs[name].Value), value)
	}
	s.ReplicaRegion = ""
	if made := stack.NewReplica(nil, s); made != nil {
		t.Error("a replica without a Region")
	}
}

// An alarm on the events that a rule matched: both need a trail, which the stack creates on
// request.
func TestWalletKeyCallsAlarm(t *testing.T) {
	s := settings(t, "prod")
	s.Trail = true
	tpl := synthesizeWith(t, s)
	for _, name := range walletRules {
		alarm := tpl.of("AWS::CloudWatch::Alarm")[name+"Alarm"]
		wantEqual(t, name, text(alarm.at("Namespace"))+" "+text(alarm.at("MetricName"))+" "+text(alarm.at("Statistic"))+" "+
			written(alarm.at("Dimensions")), "AWS/Events MatchedEvents Sum {Name: RuleName, Value: "+name+"}")
		wantEqual(t, name+" at once", alarm.at("Threshold"), any(float64(0)))
	}
	rules := tpl.of("AWS::Events::Rule")
	wantEqual(t, "changes", text(rules["WalletKeyChanged"].at("State")), "ENABLED")
	// Otherwise the rule does not hear of reads, and a use of a key is one.
	wantEqual(t, "uses", text(rules["WalletKeyUsed"].at("State")), "ENABLED_WITH_ALL_CLOUDTRAIL_MANAGEMENT_EVENTS")
	trail := tpl.of("AWS::CloudTrail::Trail")["Trail"]
	for _, property := range []string{"EnableLogFileValidation", "IncludeGlobalServiceEvents", "IsLogging", "IsMultiRegionTrail"} {
		wantEqual(t, property, trail.at(property), any(true))
	}
	wantEqual(t, "calls", written(trail.at("EventSelectors")), "{IncludeManagementEvents: true, ReadWriteType: All}")
	wantEqual(t, "files", tpl.of("AWS::S3::Bucket")["TrailBucket"].DeletionPolicy, "Retain")
	wantEqual(t, "trails without", len(synthesize(t, "prod").of("AWS::CloudTrail::Trail")), 0)
	wantEqual(t, "rules locally", len(synthesize(t, "local").of("AWS::Events::Rule")), len(synthesize(t, "local").schedules()))
}
