package stack_test

import (
	"slices"
	"strings"
	"testing"

	"tokenlaunch.example/service/infra/stack"
)

// recovering are the functions that move money, which wait until wallets are compared.
var recovering = []string{"distributor", "payer", "signer"}

// TestRecoveredStackHasTime tests a stack that pays from wallets of another stack.
func TestRecoveredStackHasTime(t *testing.T) {
	const since = "2026-11-24T05:57:00Z"
	s := settings(t, "prod")
	s.Adopted = stack.Adopted{WalletKeyARN: walletKey, Recovered: since}
	told := 0
	for name, r := range synthesizeWith(t, s).of("AWS::Lambda::Function") {
		value := r.at("Environment", "Variables", "RECOVERED")
		if want := slices.Contains(recovering, functionOf(name)); want != (value == since) {
			t.Errorf("%s: RECOVERED = %v, want it set: %t", name, value, want)
		} else if want {
			told++
		}
	}
	wantEqual(t, "functions that are told", told, len(recovering))
	s.Adopted.Recovered = stack.NotRecovered
	for name, r := range synthesizeWith(t, s).of("AWS::Lambda::Function") {
		wantEqual(t, name+" RECOVERED", r.at("Environment", "Variables", "RECOVERED"), any(nil))
	}
}

// TestDataIsCopied tests that data is copied if the stage is protected and has a second Region, and
// nowhere else.
func TestDataIsCopied(t *testing.T) {
	for _, test := range []struct {
		stage, region string
		copied        bool
	}{{"prod", replicaRegion, true}, {"dev", replicaRegion, false}, {"staging", replicaRegion, false}, {"local", "", false}} {
		s := settings(t, test.stage)
		tpl := synthesizeWith(t, s)
		for name, r := range tpl.of("AWS::S3::Bucket") {
			if !slices.Contains([]string{"AssetBucket", "LedgerBucket"}, constructName(name)) {
				continue
			}
			rules := list(r.at("ReplicationConfiguration", "Rules"))
			wantEqual(t, test.stage+" "+name+" is copied", len(rules) == 1, test.copied)
			for _, rule := range rules {
				wantEqual(t, name+" Status", text(at(rule, "Status")), "Enabled")
				wantEqual(t, name+" within", at(rule, "Destination", "ReplicationTime", "Time", "Minutes"), any(15.0))
				deletes := map[bool]string{true: "Enabled", false: "Disabled"}[name == "AssetBucket"]
				wantEqual(t, name+" deletes", text(at(rule, "DeleteMarkerReplication", "Status")), deletes)
			}
		}
		wantEqual(t, test.stage+" plans of backups", len(tpl.of("AWS::Backup::BackupPlan")), map[bool]int{true: 2}[test.copied])
		if copies := stack.NewCopies(nil, withoutScope(s, test.copied)); !test.copied && copies != nil {
			t.Errorf("%s has copies", test.stage)
		}
	}
}

// withoutScope leaves no Region to settings whose stack would be made, because there is no app.
func withoutScope(s stack.Settings, copied bool) stack.Settings {
	if copied {
		s.ReplicaRegion = ""
	}
	return s
}

// only returns the only resource of its type.
func only(t *testing.T, resources map[string]resource) (r resource) {
	t.Helper()
	wantEqual(t, "resources", len(resources), 1)
	for _, r = range resources {
		break
	}
	return r
}

// TestTablesAreBackedUp tests that launches and settings are backed up every hour, and the ledger
// once a day unless the settings want more; the small profile backs everything up once a day. The
// vault allows no deletion, and a copy goes to another account's vault once a day.
func TestTablesAreBackedUp(t *testing.T) {
	s := settings(t, "prod")
	s.CopyVaultARN = "arn:aws:backup:eu-west-1:111122223333:backup-vault:far"
	tpl := synthesizeWith(t, s)
	for name, near := range map[string]struct{ schedule, days string }{
		"Copies": {"cron(0 * * * ? *)", "1"}, "DailyCopies": {"cron(10 0 * * ? *)", "3"},
	} {
		for n, want := range []struct{ schedule, to, days string }{
			{near.schedule, "CopyVaultArn", near.days}, {"cron(30 1 * * ? *)", s.CopyVaultARN, "35"},
		} {
			rule := list(tpl.of("AWS::Backup::BackupPlan")[name].at("BackupPlan", "BackupPlanRule"))[n]
			wantEqual(t, name+" schedule", text(at(rule, "ScheduleExpression")), want.schedule)
			action := list(at(rule, "CopyActions"))[0]
			wantEqual(t, name+" copied to", text(at(action, "DestinationBackupVaultArn")), want.to)
			wantEqual(t, name+" kept", written(at(action, "Lifecycle", "DeleteAfterDays")), want.days)
		}
	}
	often := settings(t, "prod")
	often.LedgerCopies = "hourly"
	for what, test := range map[string]struct {
		settings      stack.Settings
		hourly, daily []string
	}{
		"standard":       {s, []string{"LaunchTable.Arn", "SettingsTable.Arn"}, []string{"LedgerTable.Arn"}},
		"hourly for all": {often, []string{"LaunchTable.Arn", "SettingsTable.Arn", "LedgerTable.Arn"}, nil},
		"small":          {smallSettings(t), nil, []string{"LaunchTable.Arn", "SettingsTable.Arn", "LedgerTable.Arn"}},
	} {
		var hourly, daily []string
		for _, r := range synthesizeWith(t, test.settings).of("AWS::Backup::BackupSelection") {
			tables := texts(r.at("BackupSelection", "Resources"))
			if text(r.at("BackupPlanId")) == "DailyCopies.BackupPlanId" {
				daily = append(daily, tables...)
			} else {
				hourly = append(hourly, tables...)
			}
		}
		wantLines(t, what+" every hour", hourly, test.hourly)
		wantLines(t, what+" once a day", daily, test.daily)
	}
	for name, r := range tpl.of("AWS::Backup::BackupVault") {
		if !strings.Contains(written(r.at("AccessPolicy")), "backup:DeleteRecoveryPoint") || r.DeletionPolicy != "RetainExceptOnCreate" {
			t.Errorf("%s may lose backups: %v", name, r.at("AccessPolicy"))
		}
	}
	for name, r := range tpl.of("AWS::DynamoDB::GlobalTable") {
		wantEqual(t, name+" replicas", len(list(r.at("Replicas"))), 1)
	}
}

// TestCopiersOnlyCopy tests the rights of S3's replication roles.
func TestCopiersOnlyCopy(t *testing.T) {
	may := map[string][]string{}
	for name, r := range synthesize(t, "prod").of("AWS::IAM::Policy") {
		if role := texts(r.at("Roles"))[0]; strings.Contains(role, "CopierRole") {
			for _, statement := range list(r.at("PolicyDocument", "Statement")) {
				for _, action := range texts(at(statement, "Action")) {
					may[constructName(name)] = append(may[constructName(name)], action+" "+text(at(statement, "Resource")))
				}
			}
		}
	}
	each := func(bucket, to string, more ...string) []string {
		lines := []string{
			"s3:GetReplicationConfiguration " + bucket, "s3:ListBucket " + bucket, "s3:ReplicateObject " + to + "/*", "s3:ReplicateTags " + to + "/*",
		}
		for _, action := range []string{"s3:GetObjectVersionAcl", "s3:GetObjectVersionForReplication", "s3:GetObjectVersionTagging"} {
			lines = append(lines, action+" "+bucket+"/*")
		}
		return append(lines, more...)
	}
	wantEqual(t, "copiers", len(may), 2)
	wantLines(t, "AssetBucket", may["AssetBucketCopierRoleDefaultPolicy"], each("AssetBucket.Arn", "AssetCopyArn", "s3:ReplicateDelete AssetCopyArn/*"))
	wantLines(t, "LedgerBucket", may["LedgerBucketCopierRoleDefaultPolicy"], each("LedgerBucket.Arn", "LedgerCopyArn",
		"s3:GetObjectLegalHold LedgerBucket.Arn/*", "s3:GetObjectRetention LedgerBucket.Arn/*"))
}

// TestJournalIsLocked tests that the journal is locked for longer than the age of the oldest ledger
// that can be restored, here and in its copy; on a stage that may be deleted it is not locked.
func TestJournalIsLocked(t *testing.T) {
	s := settings(t, "prod")
	copies := synthesizeStack(t, s, stack.NewCopies)
	for where, buckets := range map[string]map[string]resource{
		"prod": synthesize(t, "prod").of("AWS::S3::Bucket"), "its copies": copies.of("AWS::S3::Bucket"), "dev": synthesize(t, "dev").of("AWS::S3::Bucket"),
	} {
		for name, r := range buckets {
			lock := r.at("ObjectLockConfiguration", "Rule", "DefaultRetention")
			want := where != "dev" && strings.HasPrefix(name, "Ledger")
			wantEqual(t, where+" "+name+" is locked", lock != nil, want)
			if want {
				wantEqual(t, name+" Mode", text(at(lock, "Mode")), "COMPLIANCE")
				wantEqual(t, name+" Days", written(at(lock, "Days")), "40")
				wantEqual(t, name+" expires", strings.Contains(written(r.at("LifecycleConfiguration")), `41`), true)
			}
			if where == "its copies" {
				wantEqual(t, name+" versions", text(r.at("VersioningConfiguration", "Status")), "Enabled")
				wantEqual(t, name+" is closed", r.at("PublicAccessBlockConfiguration", "RestrictPublicBuckets"), any(true))
				wantEqual(t, name+" outlives the stack", r.DeletionPolicy, "RetainExceptOnCreate")
			}
		}
	}
	for name, r := range copies.of("AWS::S3::BucketPolicy") {
		if !strings.Contains(written(r.at("PolicyDocument")), "aws:SecureTransport") {
			t.Errorf("%s lets plain HTTP in", name)
		}
	}
	wantEqual(t, "policies of copies", len(copies.of("AWS::S3::BucketPolicy")), 2)
}
