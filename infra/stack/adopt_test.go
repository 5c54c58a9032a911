package stack_test

import (
	"slices"
	"strings"
	"testing"

	"tokenlaunch.example/service/infra/stack"
)

const (
	walletKey = "arn:aws:kms:eu-west-1:111122223333:key/mrk-1234abcd12ab34cd56ef1234567890ab"
	nonceKey  = "arn:aws:kms:eu-west-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab"
)

// adopted lists the resources that a stack of these tests adopts, by the construct that it then does
// not make.
var adopted = map[string]string{
	"LaunchTable": "launch-restored", "SettingsTable": "settings-restored", "LedgerTable": "ledger-restored",
	"AssetBucket": "old-assets", "LedgerBucket": "old-books",
	"WalletKey": walletKey, "NonceKey": nonceKey,
}

// streamOf is the stream of an adopted table.
func streamOf(construct string) string {
	return "arn:aws:dynamodb:us-east-1:000000000000:table/" + adopted[construct] + "/stream/2026-11-24T00:00:00.000"
}

// A stack that adopts everything differs from a stack that adopts nothing only by the names: it
// creates nothing of its own in their place, and its functions have the same variables, rights and
// outputs.
func TestAdoptingChangesOnlyNames(t *testing.T) {
	s := settings(t, "prod")
	s.Adopted = stack.Adopted{
		LaunchTable: adopted["LaunchTable"], SettingsTable: adopted["SettingsTable"], LedgerTable: adopted["LedgerTable"], AssetBucket: adopted["AssetBucket"],
		LedgerBucket: adopted["LedgerBucket"], WalletKeyARN: walletKey, NonceKeyARN: nonceKey, Recovered: "2026-11-24T05:57:00Z",
		LaunchStreamARN: streamOf("LaunchTable"), LedgerStreamARN: streamOf("LedgerTable"),
	}
	own, other := synthesize(t, "prod"), synthesizeWith(t, s)
	renamed := func(line string) string {
		for construct, name := range adopted {
			arn := name
			switch {
			case strings.HasSuffix(construct, "Table"):
				arn = "arn:AWS::Partition:dynamodb:AWS::Region:AWS::AccountId:table/" + name
			case strings.HasSuffix(construct, "Bucket"):
				arn = "arn:AWS::Partition:s3:::" + name
			}
			line = strings.ReplaceAll(line, construct+".Arn", arn)
			line = strings.ReplaceAll(line, construct+".StreamArn", streamOf(construct))
			if line == construct {
				line = name
			}
		}
		return line
	}
	rights := other.rights(t)
	for name, lines := range own.rights(t) {
		var want []string
		for _, line := range lines {
			want = append(want, renamed(line))
		}
		wantLines(t, name+" may", rights[name], want)
	}
	functions := other.of("AWS::Lambda::Function")
	for name, r := range own.of("AWS::Lambda::Function") {
		variables, _ := r.at("Environment", "Variables").(map[string]any)
		for variable, value := range variables {
			wantEqual(t, name+" "+variable, text(functions[name].at("Environment", "Variables", variable)), renamed(text(value)))
		}
	}
	for name, output := range own.Outputs {
		wantEqual(t, "output "+name, text(other.Outputs[name].Value), renamed(text(output.Value)))
	}
	made := map[string]bool{}
	for id := range other.Resources {
		made[constructName(id)] = true
	}
	for id, r := range own.Resources {
		name := constructName(id)
		gone := adopted[name] != "" || adopted[strings.TrimSuffix(name, "Policy")] != "" ||
			strings.Contains(name, "BucketCopierRole") || strings.HasSuffix(name, "CopyBehindAlarm") // those of the buckets
		if made[name] == gone {
			t.Errorf("%s (%s): created is %v", name, r.Type, made[name])
		}
	}
}

// Nothing in a paused stack starts automatically.
func TestPausedStackStartsNothing(t *testing.T) {
	s := settings(t, "prod")
	s.Paused = true
	paused, running := synthesizeWith(t, s), synthesize(t, "prod")
	for name, r := range paused.schedules() {
		wantEqual(t, name, text(r.at("State")), "DISABLED")
	}
	for name, r := range running.schedules() {
		wantEqual(t, name, text(r.at("State")), "ENABLED")
	}
	mappings := paused.of("AWS::Lambda::EventSourceMapping")
	wantEqual(t, "readers of queues", len(mappings), len(running.of("AWS::Lambda::EventSourceMapping")))
	for name, r := range mappings {
		wantEqual(t, name, text(r.at("Enabled")), "false")
	}
}

func TestStackName(t *testing.T) {
	have, err := read(map[string]string{
		"ipfsApiUrl": "http://ipfs.example:5001", "treasuryAddress": treasury, "stackName": "token-launch-dev-2", "paused": "true",
	})
	if err != nil || have.Name != "token-launch-dev-2" || !have.Paused {
		t.Errorf("%q, paused %v, %v", have.Name, have.Paused, err)
	}
}

func TestAdoptedNamesAreChecked(t *testing.T) {
	tests := []struct{ name, value, want string }{
		{"ledgerTable", "arn:aws:dynamodb:us-east-1:000000000000:table/x", "ledgerTable is \"arn:"},
		{"launchTable", "a b", "launchTable is \"a b\": it must be the name of a table"},
		{"assetBucket", "Bucket_1", "assetBucket is \"Bucket_1\": it must be the name of a bucket"},
		{"ledgerBucket", "s3://books", "ledgerBucket is"},
		{"walletKeyArn", "alias/wallet", "walletKeyArn is \"alias/wallet\": it must be the ARN of a KMS key"},
		{"walletKeyArn", "arn:aws:kms:eu-west-1:111122223333:alias/wallet", "walletKeyArn is"},
		{"nonceKeyArn", "1234abcd-12ab-34cd-56ef-1234567890ab", "nonceKeyArn is"},
		{"stackName", "2nd", "stackName is \"2nd\""},
		{"paused", "yes", "paused is \"yes\""},
		{"recovered", "yesterday", "recovered is \"yesterday\": it must be a time"},
		{"walletKeyArn", walletKey, "recovered is not set: with walletKeyArn or ledgerBucket say"},
		{"ledgerBucket", "old-books", "recovered is not set"},
	}
	for _, tt := range tests {
		_, err := read(map[string]string{
			"ipfsApiUrl": "http://ipfs.example:5001", "treasuryAddress": treasury, tt.name: tt.value,
		})
		if err == nil || !strings.Contains(err.Error(), "context value "+tt.want) {
			t.Errorf("%s=%s: %v, want an error of context value %s", tt.name, tt.value, err, tt.want)
		}
	}
}

// TestAdoptedRootsReachFunctions tests that the signer derives from every root, and new wallets
// from the newest. Alarms and the replica's deriver know every root.
func TestAdoptedRootsReachFunctions(t *testing.T) {
	s := settings(t, "prod")
	const root = "arn:aws:kms:us-east-1:111122223333:key/mrk-"
	further := []string{root + "2", root + "3"}
	s.Adopted.WalletRootARNs = strings.Join(further, ",")
	tpl := synthesizeWith(t, s)
	for name, r := range tpl.of("AWS::Lambda::Function") {
		value := r.at("Environment", "Variables", "WALLET_ROOTS")
		if name == "SignerFunction" {
			wantEqual(t, "the signer's further roots", text(value), s.Adopted.WalletRootARNs)
		} else if value != nil {
			t.Errorf("%s has further roots: %v", name, value)
		}
		if root := r.at("Environment", "Variables", "WALLET_ROOT"); (root != nil) != (name == "TokensFunction") || root != nil && text(root) != "2" {
			t.Errorf("%s has the newest root %v", name, root)
		}
	}
	for name, rule := range tpl.of("AWS::Events::Rule") {
		pattern := written(rule.at("EventPattern"))
		for _, arn := range further {
			if named := strings.Count(pattern, arn); slices.Contains(walletRules, name) && named != 3 {
				t.Errorf("%s names %s %d times: as a resource, in the request and in the error: %s", name, arn, named, pattern)
			}
		}
	}
	s.ReplicaRegion = replicaRegion
	replica := synthesizeStack(t, s, stack.NewReplica)
	copies := strings.ReplaceAll(s.Adopted.WalletRootARNs, ":us-east-1:", ":"+replicaRegion+":")
	wantEqual(t, "the replicas of the further roots", text(replica.of("AWS::Lambda::Function")["DeriverFunction"].at("Environment", "Variables", "WALLET_ROOTS")), copies)
	for arn := range strings.SplitSeq(copies, ",") {
		if rights := strings.Join(replica.rights(t)["deriver"], "\n"); !strings.Contains(rights, "kms:GenerateMac "+arn) {
			t.Errorf("the replica's deriver may not use %s: %s", arn, rights)
		}
	}
	for name, lines := range tpl.rights(t) {
		for _, arn := range further {
			if may := strings.Contains(strings.Join(lines, "\n"), arn); may != (name == "signer") {
				t.Errorf("%s may use %s: %v", name, arn, may)
			}
		}
	}
}
