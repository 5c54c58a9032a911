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

// What has data is copied to the second Region: buckets by replication, object by object as
// they are written, tables by AWS Backup: the small ones once an hour, the ledger, which grows with
// every run, once a day, because a backup is always a whole one. The journal, which is replicated,
// brings an older ledger up to date. No table is a global one: those of the
// ledger are written in transactions, and would be replicated item by item.

// copiesSuffix ends the name of the stack that has the copies.
const copiesSuffix = "-copies"

const (
	// copiedDays is how long an hourly backup is kept, the least that AWS Backup keeps one:
	// only the newest is of use when the Region is lost.
	copiedDays = 1
	// dailyDays is how long a daily backup is kept: when one fails, the one before is there.
	dailyDays = 3
	// farDays is how long another account keeps a daily one: as far back as a table can be
	// restored by itself.
	farDays = mostRecoveryDays
	// copySilence is how many periods of alarms pass without a copy before that rings: AWS Backup
	// begins an hourly job within an hour. With daily copies alone it is daysSilence periods of an
	// hour: CloudWatch looks back more than a day only by periods of an hour or longer.
	copySilence, daysSilence = 3 * 60 / alarmMinutes, 30
	// replicationMinutes is within what S3's replication time control copies an object.
	replicationMinutes = 15
	// lockedDays is how long no version of an object of the ledger's bucket can be deleted:
	// longer than the oldest ledger that can be restored, which needs the journal since.
	lockedDays = mostRecoveryDays + 5
)

// Values of ledgerCopies.
const copiedDaily, copiedHourly = "daily", "hourly"

// copies says whether what has data is copied to the second Region.
func (s Settings) copies() bool { return s.profile().protects && s.ReplicaRegion != "" }

// NewCopies adds the stack that has the copies in the second Region, <name of the service's
// stack>-copies, and gives nil where there are none. It is deployed before the service's
// stack, which is told their ARNs: S3 replicates to no bucket that does not exist.
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

// newVault makes a vault of backups that cannot be deleted before their time. CloudFormation
// makes no vault without a name, and a kept vault has its name for good: its name has the id of
// the stack, so that a later stack of the same name can make one. Copies to another account need
// a key that can be shared with it.
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

// accountOfARN is where an ARN has its account, nameOfARN where a bucket's has its name, and
// idOfStackID where the id of a stack has what no other stack has.
const accountOfARN, nameOfARN, idOfStackID = 4, 5, 2

var vaultARN = regexp.MustCompile(`^arn:aws[a-z-]*:backup:[a-z0-9-]+:[0-9]{12}:backup-vault:[a-zA-Z0-9_-]{2,50}$`)

// farAccount is the account whose vault gets copies besides; empty when there is none.
func (s Settings) farAccount() string {
	if s.CopyVaultARN == "" {
		return ""
	}
	return strings.Split(s.CopyVaultARN, ":")[accountOfARN]
}

// copyOf is the ARN of what the stack of the copies has, as a parameter.
func (s service) copyOf(name, pattern string) *string {
	return awscdk.NewCfnParameter(s.stack, jsii.String(name), &awscdk.CfnParameterProps{
		Description:           jsii.String("Output " + name + " of the copies' stack"),
		AllowedPattern:        jsii.String(pattern),
		ConstraintDescription: jsii.String("the ARN of what is in the second Region"),
	}).ValueAsString()
}

// backUp has the tables that can be restored backed up, and the backups copied. Point-in-time
// recovery cannot be copied to another Region, so these are backups of their own.
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

// copiedTables are the tables that are copied every hour, and those that are copied once a day.
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

// replicate has a bucket's objects copied to its copy. What is deleted in the ledger's bucket
// stays there: nothing of it is ever deleted but by mistake or by an attacker. A
// public file that was taken down goes from both. It gives the role's rights, which name the
// bucket that is to be made.
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

// secondRegion is the name of the rule by which buckets are replicated.
const secondRegion = "second-region"

// copyAlarms ring when copies fall behind, which shows in nothing else before the Region is lost.
func (s service) copyAlarms() []alarm {
	if !s.settings.copies() {
		return nil
	}
	metric := func(namespace, name string, dimensions map[string]*string) awscloudwatch.IMetric {
		options := over("Maximum") // of jobs too: a period with any is above 0
		return awscloudwatch.NewMetric(&awscloudwatch.MetricProps{
			Namespace: jsii.String(namespace), MetricName: jsii.String(name), DimensionsMap: &dimensions,
			Statistic: options.Statistic, Period: options.Period,
		})
	}
	var all []alarm
	for _, b := range []struct {
		name   string
		bucket awss3.IBucket
	}{{"AssetCopy", s.store.assets}, {"LedgerCopy", s.store.books}} {
		copied := s.stack.Node().TryFindChild(jsii.String(b.name + "Arn"))
		if copied == nil {
			continue // the bucket was adopted
		}
		arn := copied.(awscdk.CfnParameter).ValueAsString() //nolint:forcetypeassert // made here
		all = append(all, alarm{
			name: b.name + "Behind", severity: ticket, about: "Objects are copied late to the second Region",
			metric: metric("AWS/S3", "ReplicationLatency", map[string]*string{
				"SourceBucket": b.bucket.BucketName(), "RuleId": jsii.String(secondRegion),
				"DestinationBucket": awscdk.Fn_Select(jsii.Number(nameOfARN), awscdk.Fn_Split(jsii.String(":"), arn, nil)),
			}),
			limit: (replicationMinutes * time.Minute).Seconds(), breaching: 3, periods: 3,
		})
	}
	tables := map[string]*string{"ResourceType": jsii.String("DynamoDB")}
	silence := alarm{
		// Where AWS Backup is not told to manage DynamoDB nothing is copied, and nothing fails.
		name: "TableCopySilent", severity: ticket, about: "No table's backup reaches the second Region",
		metric: noted(metric("AWS/Backup", "NumberOfCopyJobsCompleted", tables)), rings: below, limit: 1,
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
		name: "TableCopyFailed", severity: ticket, about: "A table's backup was not copied to the second Region",
		metric: metric("AWS/Backup", "NumberOfCopyJobsFailed", tables),
	}, silence)
}
