package stack_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"tokenlaunch.example/service/infra/stack"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/distribution/dispatch"
	"tokenlaunch.example/service/pkg/token/content"
)

// describe writes a table of package schema in the words of tableOf.
func describe(table schema.Table) []string {
	lines := []string{
		"key HASH " + schema.PartitionKey + " S", "key RANGE " + schema.SortKey + " S", "expires " + schema.ExpiresAt,
	}
	for _, index := range table.Indexes {
		lines = append(lines, index.Name+" HASH "+index.PartitionKey+" S", index.Name+" RANGE "+index.SortKey+" N",
			index.Name+" holds "+strings.Join(index.Holds, " "))
	}
	return lines
}

// tableOf writes what a table resource holds.
func tableOf(r resource) []string {
	kinds := map[string]string{}
	for _, a := range list(r.at("AttributeDefinitions")) {
		kinds[text(at(a, "AttributeName"))] = text(at(a, "AttributeType"))
	}
	keys := func(prefix string, schema any) (lines []string) {
		for _, k := range list(schema) {
			name := text(at(k, "AttributeName"))
			lines = append(lines, prefix+" "+text(at(k, "KeyType"))+" "+name+" "+kinds[name])
		}
		return lines
	}
	lines := keys("key", r.at("KeySchema"))
	for _, index := range list(r.at("GlobalSecondaryIndexes")) {
		name := text(at(index, "IndexName"))
		lines = append(lines, keys(name, at(index, "KeySchema"))...)
		var holds []string
		for _, attribute := range list(at(index, "Projection", "NonKeyAttributes")) {
			holds = append(holds, text(attribute))
		}
		whole := text(at(index, "Projection", "ProjectionType")) == "ALL"
		if whole == (holds != nil) {
			lines = append(lines, name+" is of a kind that the schema does not have")
		}
		lines = append(lines, name+" holds "+strings.Join(holds, " "))
	}
	if r.at("TimeToLiveSpecification", "Enabled") == true {
		lines = append(lines, "expires "+text(r.at("TimeToLiveSpecification", "AttributeName")))
	}
	return lines
}

func TestTablesMatchSchema(t *testing.T) {
	for _, stage := range []string{"dev", "prod"} {
		tables := synthesize(t, stage).of("AWS::DynamoDB::GlobalTable")
		wantEqual(t, "tables", len(tables), len(schema.Tables()))
		for _, table := range schema.Tables() {
			name := strings.ToUpper(table.Name[:1]) + table.Name[1:] + "Table"
			r := tables[name]
			wantLines(t, name, tableOf(r), describe(table))
			wantEqual(t, name+" BillingMode", text(r.at("BillingMode")), "PAY_PER_REQUEST")
			replica := list(r.at("Replicas"))[0]
			protected := stage == "prod" && table.Recoverable
			wantEqual(t, stage+" "+name+" deletion protection", at(replica, "DeletionProtectionEnabled") == true, protected)
			wantEqual(t, stage+" "+name+" point-in-time recovery",
				at(replica, "PointInTimeRecoverySpecification", "PointInTimeRecoveryEnabled") == true, protected)
		}
	}
}

// Data outlives the stack in production, and nowhere else. A failed creation deletes it again,
// except what no caller may delete.
func TestProductionKeepsItsData(t *testing.T) {
	kinds := []string{"AWS::DynamoDB::GlobalTable", "AWS::KMS::Key", "AWS::S3::Bucket", "AWS::S3::BucketPolicy", "AWS::Logs::LogGroup", "AWS::Backup::BackupVault"}
	for stage, want := range map[string]string{"local": "Delete", "dev": "Delete", "prod": "Retain"} {
		for _, kind := range kinds {
			for name, r := range synthesize(t, stage).of(kind) {
				if name == "WalletKey" {
					continue // TestWalletKeyIsNeverReplaced
				}
				deletion := want
				if stage == "prod" && !isProtected(r) {
					deletion = "RetainExceptOnCreate"
				}
				wantEqual(t, stage+" "+name+" DeletionPolicy", r.DeletionPolicy, deletion)
				wantEqual(t, stage+" "+name+" UpdateReplacePolicy", r.UpdateReplacePolicy, want)
			}
		}
	}
}

// isProtected reports whether DynamoDB protects the table from deletion.
func isProtected(r resource) bool {
	replicas := list(r.at("Replicas"))
	return len(replicas) > 0 && at(replicas[0], "DeletionProtectionEnabled") == true
}

// A retained resource keeps its name permanently, so a stack that is created again, after a
// rollback or a deletion, needs other names.
func TestRetainedResourcesHaveUniqueNames(t *testing.T) {
	s := settings(t, "prod")
	kept := 0
	for _, tpl := range []template{synthesize(t, "prod"), synthesizeStack(t, s, stack.NewCopies), synthesizeStack(t, s, stack.NewReplica)} {
		for id, r := range tpl.Resources {
			if r.DeletionPolicy != "Retain" && r.DeletionPolicy != "RetainExceptOnCreate" {
				continue
			}
			kept++
			for property, value := range r.Properties {
				if strings.HasSuffix(property, "Name") && !strings.Contains(written(value), "AWS::StackId") {
					t.Errorf("%s, a %s, is retained under a name that the next stack would use too: %s is %s", id, r.Type, property, written(value))
				}
			}
		}
	}
	if kept == 0 {
		t.Error("no resource is retained")
	}
}

func TestKeys(t *testing.T) {
	want := map[string]string{
		"WalletKey": "HMAC_512 GENERATE_VERIFY_MAC",
		"TokenKey":  "ECC_NIST_P256 SIGN_VERIFY",
		"NonceKey":  "ECC_NIST_EDWARDS25519 SIGN_VERIFY",
		"MintKey":   "HMAC_512 GENERATE_VERIFY_MAC",

		"WebhookKey": "HMAC_512 GENERATE_VERIFY_MAC",
	}
	keys := synthesize(t, "prod").of("AWS::KMS::Key")
	wantEqual(t, "keys", len(keys), len(want))
	for name, r := range keys {
		wantEqual(t, name, text(r.at("KeySpec"))+" "+text(r.at("KeyUsage")), want[name])
		wantEqual(t, name+" PendingWindowInDays", text(r.at("PendingWindowInDays")), "30")
	}
}

// lines are the queues by the constructs of their functions, and how often each
// message is tried.
var lines = map[string]struct {
	function string
	receives int
}{
	"Pin":      {"Pinner", content.PinAttempts},
	"Dispatch": {"Dispatcher", 5},
	"Run":      {"Distributor", dispatch.Receives},
	"Payout":   {"Payer", dispatch.Receives},
	"Notice":   {"Notifier", 10},
	"Webhook":  {"Courier", 5},
}

func TestFailedMessagesAreSetAside(t *testing.T) {
	queues := synthesize(t, "dev").of("AWS::SQS::Queue")
	wantEqual(t, "queues", len(queues), 2*len(lines))
	for name, line := range lines {
		queue := queues[name+"Queue"]
		wantEqual(t, name+" dead letters", text(queue.at("RedrivePolicy", "deadLetterTargetArn")), name+"DeadLetterQueue.Arn")
		wantEqual(t, name+" attempts", text(queue.at("RedrivePolicy", "maxReceiveCount")), strconv.Itoa(line.receives))
	}
	for name, r := range queues {
		wantEqual(t, name+" seconds", r.at("MessageRetentionPeriod"), any(float64(14*24*60*60)))
		wantEqual(t, name+" encrypted", r.at("SqsManagedSseEnabled"), any(true))
	}
}

// Each queue has an alarm on its oldest message and on its dead letters, and none on a metric that
// is never sent.
func TestEveryQueueHasItsAlarms(t *testing.T) {
	tpl := synthesize(t, "prod")
	alarms := tpl.of("AWS::CloudWatch::Alarm")
	for name := range lines {
		for alarm, want := range map[string]struct{ metric, queue string }{
			name + "GivenUpAlarm": {"ApproximateNumberOfMessagesVisible", name + "DeadLetterQueue"},
			name + "LateAlarm":    {"ApproximateAgeOfOldestMessage", name + "Queue"},
		} {
			r := alarms[alarm]
			dimensions := list(r.at("Dimensions"))
			wantEqual(t, alarm+" dimensions", len(dimensions), 1)
			wantEqual(t, alarm, text(r.at("Namespace"))+" "+text(r.at("MetricName"))+" "+text(r.at("Statistic"))+" "+
				text(at(dimensions[0], "Name"))+"="+text(at(dimensions[0], "Value")),
				"AWS/SQS "+want.metric+" Maximum QueueName="+want.queue+".QueueName")
			limit, _ := r.at("Threshold").(float64)
			if given := strings.HasSuffix(alarm, "GivenUpAlarm"); given != (limit == 0) || text(r.at("ComparisonOperator")) != "GreaterThanThreshold" {
				t.Errorf("%s fires when it is %s %v", alarm, text(r.at("ComparisonOperator")), limit)
			}
			wantEqual(t, alarm+" without data", text(r.at("TreatMissingData")), "notBreaching")
			wantLines(t, alarm+" tells", texts(tpl.notifier(alarm).at("AlarmActions")), []string{"arn:aws:sns:us-east-1:000000000000:alarms"})
		}
	}
}

// whoMoveMoney are the constructs of the functions that sign for wallets.
var whoMoveMoney = []string{"Distributor", "Payer"}

// An unknown outcome is a log line of a function that moves money, and triggers an alarm.
func TestUndecidedMoneyAlarms(t *testing.T) {
	tpl := synthesize(t, "prod")
	filters := tpl.of("AWS::Logs::MetricFilter")
	wantEqual(t, "filters", len(filters), len(whoMoveMoney))
	for _, name := range whoMoveMoney {
		filter, alarm := filters[name+"Alarms"], tpl.of("AWS::CloudWatch::Alarm")[name+"UndecidedAlarm"]
		wantEqual(t, name+" reads", text(filter.at("LogGroupName")), name+"Log")
		wantEqual(t, name+" finds", text(filter.at("FilterPattern")), `{ $.msg = "ALARM*" }`)
		counted := list(filter.at("MetricTransformations"))[0]
		wantEqual(t, name+" metric", text(alarm.at("MetricName")), text(at(counted, "MetricName")))
		wantEqual(t, name+" where", text(alarm.at("Namespace")), text(at(counted, "MetricNamespace")))
		wantEqual(t, name+" at once", alarm.at("Threshold"), any(float64(0)))
	}
}

func TestBucketsAreClosed(t *testing.T) {
	tpl := synthesize(t, "prod")
	wantEqual(t, "buckets", len(tpl.of("AWS::S3::Bucket")), 2)
	for name, r := range tpl.of("AWS::S3::Bucket") {
		for _, block := range []string{"BlockPublicAcls", "BlockPublicPolicy", "IgnorePublicAcls", "RestrictPublicBuckets"} {
			wantEqual(t, name+" "+block, r.at("PublicAccessBlockConfiguration", block), any(true))
		}
		wantEqual(t, name+" versions", text(r.at("VersioningConfiguration", "Status")), "Enabled")
		encrypted := list(r.at("BucketEncryption", "ServerSideEncryptionConfiguration"))
		wantEqual(t, name+" encrypted", text(at(encrypted[0], "ServerSideEncryptionByDefault", "SSEAlgorithm")), "AES256")
	}
	books := synthesize(t, "dev").of("AWS::S3::Bucket")["LedgerBucket"]
	wantEqual(t, "the ledger's versions elsewhere", text(books.at("VersioningConfiguration", "Status")), "Enabled")
}

// Requests to the bucket and the queues are encrypted.
func TestOnlyTLS(t *testing.T) {
	tpl := synthesize(t, "prod")
	var have []string
	for _, kind := range []string{"AWS::S3::BucketPolicy", "AWS::SQS::QueuePolicy"} {
		for _, r := range tpl.of(kind) {
			for _, statement := range list(r.at("PolicyDocument", "Statement")) {
				if text(at(statement, "Effect")) == "Allow" {
					continue // TestCloudFrontReadsPicturesAndProofs
				}
				line := text(at(statement, "Effect")) + " " + text(at(statement, "Action")) +
					" secure=" + text(at(statement, "Condition", "Bool", "aws:SecureTransport"))
				for _, on := range texts(at(statement, "Resource")) {
					have = append(have, line+" "+on)
				}
			}
		}
	}
	want := []string{
		"Deny s3:* secure=false AssetBucket.Arn", "Deny s3:* secure=false AssetBucket.Arn/*",
		"Deny s3:* secure=false LedgerBucket.Arn", "Deny s3:* secure=false LedgerBucket.Arn/*",
	}
	for name := range lines {
		want = append(want, "Deny sqs:* secure=false "+name+"Queue.Arn", "Deny sqs:* secure=false "+name+"DeadLetterQueue.Arn")
	}
	wantLines(t, "policies", have, want)
}

func TestFunctionsRunAsBuilt(t *testing.T) {
	for arch, want := range map[string]string{"arm64": "arm64", "x86_64": "x86_64"} {
		s := settings(t, "dev")
		s.Arch = arch
		tpl := synthesizeWith(t, s)
		logs := tpl.of("AWS::Logs::LogGroup")
		for name, r := range tpl.of("AWS::Lambda::Function") {
			wantLines(t, name+" Architectures", texts(r.at("Architectures")), []string{want})
			wantEqual(t, name+" Runtime", text(r.at("Runtime")), "provided.al2023")
			wantEqual(t, name+" Handler", text(r.at("Handler")), "bootstrap")
			wantEqual(t, name+" Role", functionOf(strings.TrimSuffix(text(r.at("Role")), ".Arn")), functionOf(name))
			// API Gateway waits 30 seconds at most, and Lambda a quarter of an hour.
			limit := 29.0
			if slices.Contains([]string{"canary", "courier", "dispatcher", "distributor", "payer", "reconciler"}, functionOf(name)) {
				limit = 900
			}
			if seconds, ok := r.at("Timeout").(float64); !ok || seconds > limit {
				t.Errorf("%s has %v seconds", name, r.at("Timeout"))
			}
			wantEqual(t, name+" LogFormat", text(r.at("LoggingConfig", "LogFormat")), "JSON")
			wantEqual(t, name+" SystemLogLevel", text(r.at("LoggingConfig", "SystemLogLevel")), "WARN")
			log := text(r.at("LoggingConfig", "LogGroup"))
			wantEqual(t, name+" log", functionOf(log), functionOf(name))
			if days, ok := logs[log].at("RetentionInDays").(float64); !ok || days <= 0 {
				t.Errorf("%s never expires", log)
			}
		}
	}
}

// Lambda drops no line that LOG_LEVEL lets a function write, measurements included, which are written at
// every level.
func TestLambdaDropsNoLine(t *testing.T) {
	for level, want := range map[string]string{"debug": "DEBUG", "info": "INFO", "warn": "INFO", "error": "INFO"} {
		s := settings(t, "dev")
		s.LogLevel = level
		for name, r := range synthesizeWith(t, s).of("AWS::Lambda::Function") {
			wantEqual(t, name+" with LOG_LEVEL "+level, text(r.at("LoggingConfig", "ApplicationLogLevel")), want)
		}
	}
}

// The local run finds what it needs under these names.
func TestOutputs(t *testing.T) {
	want := map[string]string{
		"ApiUrl": "Api.ApiEndpoint", "LaunchTableName": "LaunchTable", "WindowTableName": "WindowTable", "CapsTableName": "CapsTable",
		"SettingsTableName": "SettingsTable", "LedgerTableName": "LedgerTable", "AssetBucketName": "AssetBucket", "LedgerBucketName": "LedgerBucket",
		"WalletKeyId": "WalletKey", "WalletKeyArn": "WalletKey.Arn", "TokenKeyId": "TokenKey", "NonceKeyId": "NonceKey", "MintKeyId": "MintKey",
		"WebhookTableName": "WebhookTable", "WebhookKeyId": "WebhookKey",
	}
	for _, name := range functionNames {
		construct := strings.ToUpper(name[:1]) + name[1:] + "Function"
		want[construct+"Name"] = construct
	}
	for name := range lines {
		want[name+"QueueUrl"], want[name+"DeadLetterQueueUrl"] = name+"Queue", name+"DeadLetterQueue"
	}
	outputs := synthesize(t, "local").Outputs
	wantEqual(t, "outputs", len(outputs), len(want))
	for name, output := range outputs {
		wantEqual(t, name, text(output.Value), want[name])
	}
}
