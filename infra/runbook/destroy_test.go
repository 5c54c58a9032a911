package runbook_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tokenlaunch.example/service/pkg/testkit/must"
)

// used has what may stop a deletion: a bucket that is full, one that is kept, a table that is protected,
// a key whose policy denies its deletion, and a vault with the name of another one.
const used = `{"Resources": {
	"Full": {"Type": "AWS::S3::Bucket", "Properties": {"BucketName": "full", "VersioningConfiguration": {"Status": "Enabled"}}},
	"Kept": {"Type": "AWS::S3::Bucket", "Properties": {"BucketName": "kept"}, "DeletionPolicy": "Retain"},
	"Table": {"Type": "AWS::DynamoDB::Table", "Properties": {
		"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}], "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
		"BillingMode": "PAY_PER_REQUEST", "DeletionProtectionEnabled": PROTECTED}},
	"Key": {"Type": "AWS::KMS::Key", "Properties": {"KeyPolicy": {"Version": "2012-10-17", "Statement": [
		{"Effect": "Allow", "Principal": {"AWS": "arn:aws:iam::000000000000:root"}, "Action": "kms:*", "Resource": "*"},
		{"Effect": "DENY", "Principal": "*", "Action": ["kms:ScheduleKeyDeletion"], "Resource": "*"}]}}},
	"Vault": {"Type": "AWS::Backup::BackupVault", "Properties": {"BackupVaultName": "VAULT"}}
}}`

// TestDestroyUsedStack destroys a stack with everything in its buckets, versions and markers
// included, except the retained resources. A resource that cannot be deleted for another reason is
// named, and destroying a missing stack succeeds.
func TestDestroyUsedStack(t *testing.T) {
	if testing.Short() {
		t.Skip("starts the local AWS, which short mode leaves out")
	}
	w := newShell(t)
	folder := t.TempDir()
	create := func(stack string, parts ...string) string {
		path := filepath.Join(folder, stack+".json")
		must.Do(t, os.WriteFile(path, []byte(strings.NewReplacer(parts...).Replace(used)), 0o600))
		return "aws cloudformation create-stack --stack-name " + stack + " --template-body file://" + path + " && aws cloudformation wait stack-create-complete --stack-name " + stack
	}
	destroy := func(stack string) string { return "sh infra/tools/destroy.sh " + stack + " " + region }

	w.do("echo used >" + folder + "/file")
	w.do(create("free", "PROTECTED", "false", "DENY", "Allow"))
	w.do("aws s3 cp " + folder + "/file \"s3://full/with 'quotes' and spaces\"; aws s3 cp " + folder + "/file s3://full/gone; aws s3 cp " + folder + "/file s3://full/gone; aws s3 rm s3://full/gone; aws s3 cp " + folder + "/file s3://kept/file")
	if said := w.do(destroy("free")); strings.Count(said, "empties") != 1 {
		t.Errorf("output: %s", said)
	}
	if left := w.do("aws s3api list-buckets --query 'Buckets[].Name' --output text; aws s3 ls s3://kept"); !strings.HasPrefix(left, "kept\n") || !strings.Contains(left, "file") {
		t.Errorf("of buckets are left %s", left)
	}
	w.do(destroy("free"))
	w.do("aws s3 rb --force s3://kept")

	w.do(create("held", "PROTECTED", "true", "DENY", "Deny"))
	said := w.do("if " + destroy("held") + "; then exit 1; fi; " + reasons("held", "DELETE_FAILED"))
	for _, why := range []string{"no bucket is the reason", "Table is protected against deletion", "not authorized to perform: kms:ScheduleKeyDeletion"} {
		if !strings.Contains(said, why) {
			t.Errorf("%q is not in %s", why, said)
		}
	}
	w.do("aws s3 rb --force s3://kept; aws backup create-backup-vault --backup-vault-name VAULT")
	w.do("if " + create("again", "PROTECTED", "false", "DENY", "Allow") + "; then exit 1; fi")
	if said := w.do(reasons("again", "CREATE_FAILED")); !strings.Contains(said, "already exists") {
		t.Errorf("a vault with a used name: %s", said)
	}
}

// reasons prints why resources of a stack have the status.
func reasons(stack, status string) string {
	return "aws cloudformation describe-stack-events --stack-name " + stack + " --output text --query \"StackEvents[?ResourceStatus=='" + status + "'].ResourceStatusReason\""
}
