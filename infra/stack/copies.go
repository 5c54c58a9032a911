package stack

import (
	"regexp"
	"strings"
	"time"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsbackup"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsdynamodb"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsevents"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awskms"
	"github.com/aws/aws-cdk-go/awscdk/v2/awss3"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"
)

// The second Region has copies of all data. Buckets are replicated object by object. AWS Backup
// copies small tables once an hour, and the ledger once a day: a backup is always complete, and the
// ledger grows with every run. The replicated journal brings an older ledger up to date. No table
// is a global table, because the ledger's transactions would be replicated item by item.

// copiesSuffix is the suffix of the copies' stack.
const copiesSuffix = "-copies"

const (
	// copiedDays is the retention of an hourly backup, the minimum of AWS Backup. Only the newest
	// backup is useful after the loss of a Region.
	copiedDays = 1
	// dailyDays is the retention of a daily backup. If a backup fails, the previous backup remains.
	dailyDays = 3
	// farDays is the retention of a daily backup in another account, equal to the tables'
	// point-in-time recovery.
	farDays = maxRecoveryDays
	// copySilence is the number of alarm periods without a copy before the alarm fires, because AWS
	// Backup begins an hourly job within an hour. daysSilence is the number of periods of an hour
	// for daily copies: CloudWatch evaluates more than a day only with periods of an hour or
	// longer.
	copySilence, daysSilence = 3 * 60 / alarmMinutes, 30
	// replicationMinutes is the maximum duration of a copy under S3's replication time control.
	replicationMinutes = 15
	// lockedDays is the time for which no object version in the ledger's bucket can be deleted. It
	// exceeds the age of the oldest restorable ledger, which needs the journal since then.
	lockedDays = maxRecoveryDays + 5
)

// Values of ledgerCopies.
const copiedDaily, copiedHourly = "daily", "hourly"

// copies reports whether data is copied to the second Region.
func (s Settings) copies() bool { return s.profile().protects && s.ReplicaRegion != "" }

// NewCopies adds the stack with the copies in the second Region, <name of the service's
// stack>-copies. It returns nil without copies. Deploy this stack before the service's stack, which
// needs the ARNs: S3 cannot replicate to a missing bucket.
func NewCopies(scope constructs.Construct, settings Settings) awscdk.Stack {
	if !settings.copies() {
		return nil
	}
	s := service{settings: settings, watched: &watched{}, stack: awscdk.NewStack(scope, jsii.String(settings.Name+copiesSuffix), &awscdk.StackProps{
		Description: jsii.String("Copies of what the token launch service keeps, in a second Region, " + settings.Stage),
		Tags:        &map[string]*string{"service": jsii.String("token-launch"), "stage": jsii.String(settings.Stage)},
		Env:         &awscdk.Environment{Region: jsii.String(settings.ReplicaRegion)},

		TerminationProtection: jsii.Bool(settings.profile().protects),
	})}
	s.output("AssetCopyArn", s.newBucket(files{construct: "AssetCopy", versioned: true, aging: agingAssets()}).BucketArn())
	s.output("LedgerCopyArn", s.newBucket(files{construct: "LedgerCopy", versioned: true, locked: true, aging: s.agingBooks()}).BucketArn())
	s.output("CopyVaultArn", s.newVault("CopyVault").BackupVaultArn())
	return s.stack
}

// newVault creates a vault whose backups cannot be deleted early. CloudFormation requires a name,
// and a retained vault keeps its name forever. The name includes the ID of the stack, so that a
// later stack of the same name can create a vault. Copies to another account need a key that can be
// shared with the account.
func (s service) newVault(name string) awsbackup.BackupVault {
	id := awscdk.Fn_Select(jsii.Number(idOfStackID), awscdk.Fn_Split(jsii.String("/"), awscdk.Aws_STACK_ID(), nil))
	props := &awsbackup.BackupVaultProps{
		BackupVaultName:            concat(jsii.String(name+"-"), *id),
		BlockRecoveryPointDeletion: jsii.Bool(true),
		RemovalPolicy:              s.keep(),
	}
	if account := s.settings.farAccount(); account != "" {
		key := awskms.NewKey(s.stack, jsii.String(name+"Key"), &awskms.KeyProps{
			Description: jsii.String("Encrypts backups"), EnableKeyRotation: jsii.Bool(true), RemovalPolicy: s.keep(),
			PendingWindow: days(keyWindowDays),
		})
		other := awsiam.NewAccountPrincipal(account)
		key.GrantEncryptDecrypt(other)
		key.Grant(other, jsii.String("kms:CreateGrant"), jsii.String("kms:DescribeKey"))
		props.EncryptionKey = key
	}
	return awsbackup.NewBackupVault(s.stack, jsii.String(name), props)
}

// Indexes of parts: the account in an ARN, the name in a bucket's ARN, and the unique part of a
// stack's ID.
const accountOfARN, nameOfARN, idOfStackID = 4, 5, 2

var vaultARN = regexp.MustCompile(`^arn:aws[a-z-]*:backup:[a-z0-9-]+:[0-9]{12}:backup-vault:[a-zA-Z0-9_-]{2,50}$`)

// farAccount returns the account whose vault gets additional copies, or an empty text.
func (s Settings) farAccount() string {
	if s.CopyVaultARN == "" {
		return ""
	}
	return strings.Split(s.CopyVaultARN, ":")[accountOfARN]
}

// copyOf returns a parameter with the ARN of a resource in the copies' stack.
func (s service) copyOf(name, pattern string) *string {
	return awscdk.NewCfnParameter(s.stack, jsii.String(name), &awscdk.CfnParameterProps{
		Description:           jsii.String("Output " + name + " of the copies' stack"),
		AllowedPattern:        jsii.String(pattern),
		ConstraintDescription: jsii.String("the ARN of what is in the second Region"),
	}).ValueAsString()
}

// backUp backs up the restorable tables and copies the backups. The backups are separate from the
// point-in-time recovery, which cannot be copied to another Region.
func (s service) backUp() {
	if !s.settings.copies() {
		return
	}
	vault := s.newVault("Vault")
	var far awsbackup.IBackupVault
	if s.settings.CopyVaultARN != "" {
		far = awsbackup.BackupVault_FromBackupVaultArn(s.stack, jsii.String("FarVault"), jsii.String(s.settings.CopyVaultARN))
	}
	second := awsbackup.BackupVault_FromBackupVaultArn(s.stack, jsii.String("SecondVault"),
		s.copyOf("CopyVaultArn", `^arn:aws[a-z-]*:backup:[a-z0-9-]+:[0-9]{12}:backup-vault:.+$`))
	rules := func(rule *awsbackup.BackupPlanRuleProps, kept float64) *[]awsbackup.BackupPlanRule {
		rule.BackupVault, rule.DeleteAfter = vault, days(kept)
		rule.StartWindow, rule.CompletionWindow = awscdk.Duration_Hours(jsii.Number(1)), awscdk.Duration_Hours(jsii.Number(2))
		rule.CopyActions = &[]*awsbackup.BackupPlanCopyActionProps{{DestinationBackupVault: second, DeleteAfter: days(kept)}}
		made := []awsbackup.BackupPlanRule{awsbackup.NewBackupPlanRule(rule)}
		if far != nil {
			made = append(made, awsbackup.NewBackupPlanRule(&awsbackup.BackupPlanRuleProps{
				RuleName: jsii.String("far"), BackupVault: vault,
				ScheduleExpression: awsevents.Schedule_Cron(&awsevents.CronOptions{Minute: jsii.String("30"), Hour: jsii.String("1")}),
				DeleteAfter:        days(copiedDays),
				CopyActions:        &[]*awsbackup.BackupPlanCopyActionProps{{DestinationBackupVault: far, DeleteAfter: days(farDays)}},
			}))
		}
		return &made
	}
	hourly, daily := s.copiedTables()
	for _, plan := range []struct {
		construct, suffix string
		tables            []awsdynamodb.ITableV2
		rule              *awsbackup.BackupPlanRuleProps
		kept              float64
	}{
		{"Copies", "-copies", hourly, &awsbackup.BackupPlanRuleProps{
			RuleName: jsii.String("hourly"), ScheduleExpression: awsevents.Schedule_Cron(&awsevents.CronOptions{Minute: jsii.String("0")}),
		}, copiedDays},
		{"DailyCopies", "-daily-copies", daily, &awsbackup.BackupPlanRuleProps{
			RuleName:           jsii.String("daily"),
			ScheduleExpression: awsevents.Schedule_Cron(&awsevents.CronOptions{Minute: jsii.String("10"), Hour: jsii.String("0")}),
		}, dailyDays},
	} {
		if len(plan.tables) == 0 {
			continue
		}
		made := awsbackup.NewBackupPlan(s.stack, jsii.String(plan.construct), &awsbackup.BackupPlanProps{
			BackupPlanName: s.inRegion(plan.suffix), BackupPlanRules: rules(plan.rule, plan.kept),
		})
		var tables []awsbackup.BackupResource
		for _, table := range plan.tables {
			tables = append(tables, awsbackup.BackupResource_FromArn(table.TableArn()))
		}
		made.AddSelection(jsii.String("Tables"), &awsbackup.BackupSelectionOptions{Resources: &tables})
	}
}

// copiedTables returns the tables that are copied hourly, and the tables that are copied daily.
func (s service) copiedTables() (hourly, daily []awsdynamodb.ITableV2) {
	small := []awsdynamodb.ITableV2{s.store.launch, s.store.settings}
	if s.settings.size().hourly {
		hourly = small
	} else {
		daily = small
	}
	if s.settings.LedgerCopies == copiedHourly {
		return append(hourly, s.store.ledger), daily
	}
	return hourly, append(daily, s.store.ledger)
}

// replicate replicates a bucket's objects. Deletions in the ledger's bucket are not replicated,
// because only a mistake or an attacker deletes there. Deletions of public files are replicated. It
// returns a function that adds the rights of the role after the creation of the bucket.
func (s service) replicate(f files, props *awss3.BucketProps) (grant func(awss3.Bucket)) {
	if f.copy == "" || !s.settings.copies() {
		return func(awss3.Bucket) {}
	}
	destination := s.copyOf(f.copy, `^arn:aws[a-z-]*:s3:::[a-z0-9.-]{3,63}$`)
	role := awsiam.NewRole(s.stack, jsii.String(f.construct+"CopierRole"), &awsiam.RoleProps{
		AssumedBy: awsiam.NewServicePrincipal(jsii.String("s3.amazonaws.com"), nil),
	})
	props.ReplicationRole = role
	rule := &awss3.ReplicationRule{
		Id: jsii.String(secondRegion), Priority: jsii.Number(1),
		Destination:             awss3.Bucket_FromBucketArn(s.stack, jsii.String(f.copy+"Bucket"), destination),
		DeleteMarkerReplication: jsii.Bool(f.deletes),
	}
	if s.settings.size().timed {
		rule.ReplicationTimeControl = awss3.ReplicationTimeValue_FIFTEEN_MINUTES()
		rule.Metrics = awss3.ReplicationTimeValue_FIFTEEN_MINUTES()
	}
	props.ReplicationRules = &[]*awss3.ReplicationRule{rule}
	reads := []string{"s3:GetObjectVersionAcl", "s3:GetObjectVersionForReplication", "s3:GetObjectVersionTagging"}
	writes := []string{"s3:ReplicateObject", "s3:ReplicateTags"}
	if f.locked {
		reads = append(reads, "s3:GetObjectLegalHold", "s3:GetObjectRetention")
	}
	if f.deletes {
		writes = append(writes, "s3:ReplicateDelete")
	}
	return func(bucket awss3.Bucket) {
		role.AddToPolicy(allow([]string{"s3:GetReplicationConfiguration", "s3:ListBucket"}, bucket.BucketArn()))
		role.AddToPolicy(allow(reads, concat(bucket.BucketArn(), "/*")))
		role.AddToPolicy(allow(writes, concat(destination, "/*")))
	}
}

// secondRegion is the name of the buckets' replication rule.
const secondRegion = "second-region"

// copyAlarms fire when copies are late, because no other symptom shows before the loss of the
// Region.
func (s service) copyAlarms() []alarm {
	if !s.settings.copies() {
		return nil
	}
	metric := func(namespace, name string, dimensions map[string]*string) awscloudwatch.IMetric {
		options := over("Maximum") // also for jobs: a period with a job is above 0
		return awscloudwatch.NewMetric(&awscloudwatch.MetricProps{
			Namespace: jsii.String(namespace), MetricName: jsii.String(name), DimensionsMap: &dimensions,
			Statistic: options.Statistic, Period: options.Period,
		})
	}
	var all []alarm
	for _, b := range []struct {
		name, construct string
		bucket          awss3.IBucket
	}{{"AssetCopy", "AssetBucket", s.store.assets}, {"LedgerCopy", "LedgerBucket", s.store.books}} {
		copied := s.stack.Node().TryFindChild(jsii.String(b.name + "Arn"))
		if copied == nil || !s.settings.watches(b.name+"Behind") {
			continue // the bucket was adopted
		}
		arn := copied.(awscdk.CfnParameter).ValueAsString() //nolint:forcetypeassert // made here
		all = append(all, alarm{
			name: b.name + "Behind", severity: ticket, state: "Objects reach the second Region late",
			impact: "More is lost if the Region is lost", first: "check the replication metrics of the bucket",
			metric: metric("AWS/S3", "ReplicationLatency", map[string]*string{
				"SourceBucket": s.refer(b.construct+"Name", b.bucket.BucketName()), "RuleId": jsii.String(secondRegion),
				"DestinationBucket": s.refer(b.name+"Name", awscdk.Fn_Select(jsii.Number(nameOfARN), awscdk.Fn_Split(jsii.String(":"), arn, nil))),
			}),
			limit: (replicationMinutes * time.Minute).Seconds(), breaching: 3, periods: 3,
		})
	}
	tables := map[string]*string{"ResourceType": jsii.String("DynamoDB")}
	silence := alarm{
		// If AWS Backup is not enabled for DynamoDB, no copy is made and no job fails.
		name: "TableCopySilent", severity: ticket, state: "No table backup reaches the second Region",
		impact: "If the Region is lost, all data since the last copy is lost", first: "check that AWS Backup is enabled for DynamoDB: aws backup describe-region-settings",
		metric: noted(metric("AWS/Backup", "NumberOfCopyJobsCompleted", tables)), comparison: below, limit: 1,
		breaching: copySilence, periods: copySilence, silence: true,
	}
	if hourly, _ := s.copiedTables(); len(hourly) == 0 {
		silence.breaching, silence.periods = daysSilence, daysSilence
		silence.metric = awscloudwatch.NewMathExpression(&awscloudwatch.MathExpressionProps{
			Expression: jsii.String("FILL(heard, 0)"), Period: awscdk.Duration_Hours(jsii.Number(1)),
			UsingMetrics: &map[string]awscloudwatch.IMetric{"heard": metric("AWS/Backup", "NumberOfCopyJobsCompleted", tables)},
		})
	}
	return append(all, alarm{
		name: "TableCopyFailed", severity: ticket, state: "A table backup was not copied to the second Region",
		impact: "The newest copy there is older than planned", first: "read the failed job in AWS Backup",
		metric: metric("AWS/Backup", "NumberOfCopyJobsFailed", tables),
	}, silence)
}
