package stack_test

import (
	"slices"
	"strings"
	"testing"

	"tokenlaunch.example/service/pkg/api/route"
)

// rights lists what each function may do, one "action resource" a line.
func (tpl template) rights(t *testing.T) map[string][]string {
	t.Helper()
	return tpl.rightsWith(t, func(any) string { return "" })
}

// keysOf are the keys to which a statement is bound.
func keysOf(statement any) (keys string) {
	for _, key := range texts(at(statement, "Condition", "ForAllValues:StringLike", "dynamodb:LeadingKeys")) {
		keys += " " + key
	}
	return keys
}

// rightsWith is rights with something more of each statement.
func (tpl template) rightsWith(t *testing.T, more func(statement any) string) map[string][]string {
	t.Helper()
	rights := map[string][]string{}
	for name, r := range tpl.of("AWS::IAM::Policy") {
		roles := texts(r.at("Roles"))
		if len(roles) != 1 {
			t.Fatalf("%s is of the roles %v", name, roles)
		}
		if strings.Contains(roles[0], "CopierRole") {
			continue // of no function: TestCopiersOnlyCopy has them
		}
		for _, statement := range list(r.at("PolicyDocument", "Statement")) {
			wantEqual(t, name+" Effect", text(at(statement, "Effect")), "Allow")
			for _, action := range texts(at(statement, "Action")) {
				for _, on := range texts(at(statement, "Resource")) {
					rights[functionOf(roles[0])] = append(rights[functionOf(roles[0])], action+" "+on+more(statement))
				}
			}
		}
	}
	return rights
}

// each puts the actions before one resource.
func each(on string, actions ...string) []string {
	var out []string
	for _, action := range actions {
		out = append(out, action+" "+on)
	}
	return out
}

// reads are the secrets that a function may read, by the context values' names.
func reads(secrets ...string) (rights []string) {
	for _, name := range secrets {
		rights = append(rights, "secretsmanager:GetSecretValue arn:AWS::Partition:secretsmanager:AWS::Region:AWS::AccountId:secret:"+name+"-??????")
	}
	return rights
}

// keep lists the actions on the ledger of a function that moves money.
func keep(table string) []string {
	return each(table, "dynamodb:ConditionCheckItem", "dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:Query", "dynamodb:UpdateItem")
}

// receive lists the actions of a function on a queue that it reads.
func receive(queue string) []string {
	return each(queue, "sqs:ChangeMessageVisibility", "sqs:DeleteMessage", "sqs:GetQueueAttributes", "sqs:ReceiveMessage")
}

// behindFront are the functions that the gateway calls, and readsOrigin is how they know
// the CloudFront before it.
var behindFront = []string{"auth", "tokens", "images", "docs", "distribution", "burns", "dex", "launchpad", "featured", "webhooks"}

const readsOrigin = "secretsmanager:GetSecretValue OriginSecret"

// webhookItems lists the actions of functions on webhooks and messages to them.
var webhookItems = each("WebhookTable.Arn", "dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:Query", "dynamodb:UpdateItem")

// secretsDerive is the right to derive the secrets of webhooks, by a key of their own.
const secretsDerive = "kms:GenerateMac WebhookKey.Arn"

// listen lists Lambda's actions on a stream for a function.
func listen(stream string) []string {
	return each(stream, "dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator", "dynamodb:ListStreams")
}

func TestFunctionRights(t *testing.T) {
	count := []string{"dynamodb:UpdateItem WindowTable.Arn"}
	want := map[string][]string{
		"authorizer": append(each("TokenKey.Arn", "kms:GetPublicKey"), "dynamodb:Query WindowTable.Arn"),
		"auth": slices.Concat(count,
			each("WindowTable.Arn", "dynamodb:DeleteItem", "dynamodb:GetItem", "dynamodb:PutItem"),
			each("TokenKey.Arn", "kms:GetPublicKey", "kms:Sign")),
		"docs": slices.Concat(count, each("WindowTable.Arn", "dynamodb:GetItem"), each("TokenKey.Arn", "kms:GetPublicKey"),
			each("LaunchTable.Arn", "dynamodb:BatchGetItem", "dynamodb:GetItem"), each("AssetBucket.Arn/images/*", "s3:GetObject")),
		"monitor": slices.Concat(
			each("LaunchTable.Arn", "dynamodb:BatchGetItem", "dynamodb:GetItem"),
			each("LaunchTable.Arn/index/due", "dynamodb:Query"), each("LedgerTable.Arn/index/due", "dynamodb:Query"),
			each("WindowTable.Arn", "dynamodb:GetItem", "dynamodb:PutItem"),
			each("NonceKey.Arn", "kms:GetPublicKey"),
			each("NoticeQueue.Arn", "sqs:GetQueueAttributes"), each("PinQueue.Arn", "sqs:GetQueueAttributes"),
			each("DispatchDeadLetterQueue.Arn", "sqs:GetQueueAttributes"), each("RunDeadLetterQueue.Arn", "sqs:GetQueueAttributes"),
			each("PayoutDeadLetterQueue.Arn", "sqs:GetQueueAttributes"), each("NoticeDeadLetterQueue.Arn", "sqs:GetQueueAttributes"),
			each("PinDeadLetterQueue.Arn", "sqs:GetQueueAttributes"), each("WebhookDeadLetterQueue.Arn", "sqs:GetQueueAttributes"),
			reads("RpcSecret")),
		"images": slices.Concat(count,
			each("LaunchTable.Arn", "dynamodb:GetItem", "dynamodb:UpdateItem"),
			each("AssetBucket.Arn/images/*", "s3:PutObject"),
			each("PinQueue.Arn", "sqs:SendMessage"),
			reads("PinataSecret")),
		"tokens": slices.Concat(count,
			each("LaunchTable.Arn", "dynamodb:BatchGetItem", "dynamodb:GetItem",
				"dynamodb:PutItem", "dynamodb:Query", "dynamodb:UpdateItem"),
			each("LaunchTable.Arn/index/due", "dynamodb:Query"),
			each("AssetBucket.Arn/metadata/*", "s3:PutObject"),
			each("PinQueue.Arn", "sqs:SendMessage"),
			each("DeriverFunction.Arn", "lambda:InvokeFunction"),
			each("NonceKey.Arn", "kms:GetPublicKey", "kms:Sign"),
			each("MintKey.Arn", "kms:GenerateMac"),
			reads("PinataSecret", "RpcSecret")),
		"distribution": slices.Concat(count,
			each("LaunchTable.Arn", "dynamodb:BatchGetItem", "dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:UpdateItem"),
			each("SettingsTable.Arn", "dynamodb:GetItem", "dynamodb:Query", "dynamodb:UpdateItem"),
			each("LedgerTable.Arn", "dynamodb:BatchGetItem", "dynamodb:ConditionCheckItem", "dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:Query"),
			each("AssetBucket.Arn", "s3:ListBucket"), each("AssetBucket.Arn/proofs/*", "s3:GetObject"),
			each("NoticeQueue.Arn", "sqs:SendMessage"), each("RunQueue.Arn", "sqs:SendMessage"),
			reads("RpcSecret")),
		"burns": slices.Concat(count,
			each("LaunchTable.Arn", "dynamodb:GetItem"), each("LedgerTable.Arn", "dynamodb:GetItem", "dynamodb:Query"),
			reads("RpcSecret")),
		"dex": slices.Concat(count, each("LaunchTable.Arn", "dynamodb:PutItem"),
			reads("RpcSecret")),
		"launchpad": slices.Concat(count,
			each("LaunchTable.Arn", "dynamodb:BatchGetItem", "dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:Query"),
			reads("RpcSecret")),
		"featured": slices.Concat(count,
			each("LaunchTable.Arn", "dynamodb:BatchGetItem", "dynamodb:GetItem", "dynamodb:PutItem"),
			each("LaunchTable.Arn/index/due", "dynamodb:Query"),
			reads("RpcSecret")),
		"webhooks": slices.Concat(count, each("LaunchTable.Arn", "dynamodb:GetItem"), webhookItems,
			each("WebhookTable.Arn", "dynamodb:DeleteItem"), each("WebhookQueue.Arn", "sqs:SendMessage"), []string{secretsDerive}),
		"announcer": slices.Concat(each("LaunchTable.Arn", "dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:UpdateItem"), webhookItems,
			listen("LaunchTable.StreamArn"), listen("LedgerTable.StreamArn"),
			each("NoticeQueue.Arn", "sqs:SendMessage"), each("WebhookQueue.Arn", "sqs:SendMessage"),
			each("WebhookDeadLetterQueue.Arn", "sqs:GetQueueAttributes", "sqs:GetQueueUrl", "sqs:SendMessage", "sqs:SendMessage")),
		"courier": slices.Concat(webhookItems, each("WebhookTable.Arn", "dynamodb:DeleteItem"), each("WebhookTable.Arn/index/due", "dynamodb:Query"),
			receive("WebhookQueue.Arn"), each("WebhookQueue.Arn", "sqs:SendMessage"), each("WebhookDeadLetterQueue.Arn", "sqs:SendMessage"),
			[]string{secretsDerive}),
		"canary":  reads("RpcSecret"),
		"deriver": each("SignerFunction.Arn", "lambda:InvokeFunction"),
		"dispatcher": slices.Concat(
			each("LaunchTable.Arn", "dynamodb:Query"), each("LedgerTable.Arn/index/due", "dynamodb:Query"),
			receive("DispatchQueue.Arn"), each("DispatchQueue.Arn", "sqs:SendMessage"), each("RunQueue.Arn", "sqs:SendMessage"),
			// events of rules that failed
			each("DispatchDeadLetterQueue.Arn", "sqs:SendMessage")),
		"distributor": slices.Concat(
			each("LaunchTable.Arn", "dynamodb:GetItem"), each("SettingsTable.Arn", "dynamodb:ConditionCheckItem", "dynamodb:GetItem"),
			keep("LedgerTable.Arn"), each("LedgerTable.Arn", "dynamodb:DeleteItem"),
			each("LedgerBucket.Arn", "s3:ListBucket"), each("AssetBucket.Arn", "s3:ListBucket"),
			each("LedgerBucket.Arn/snapshots/*", "s3:GetObject", "s3:PutObject"), each("LedgerBucket.Arn/plans/*", "s3:GetObject", "s3:PutObject"),
			each("LedgerBucket.Arn/collect/*", "s3:GetObject", "s3:PutObject"), each("LedgerBucket.Arn/journal/*", "s3:GetObject", "s3:PutObject"),
			each("AssetBucket.Arn/proofs/*", "s3:GetObject", "s3:PutObject"), each("AssetBucket.Arn/metadata/*", "s3:GetObject"),
			receive("RunQueue.Arn"), each("RunQueue.Arn", "sqs:SendMessage"), each("PayoutQueue.Arn", "sqs:SendMessage"),
			each("PinQueue.Arn", "sqs:SendMessage"),
			each("SignerFunction.Arn", "lambda:InvokeFunction"),
			reads("ExchangeSecret", "GuardianSecret", "HeliusSecret", "RpcSecret", "RpcSecret2")),
		"notifier": slices.Concat(
			count,
			each("LaunchTable.Arn", "dynamodb:BatchGetItem", "dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:UpdateItem"),
			each("LaunchTable.Arn/index/due", "dynamodb:Query"), each("SettingsTable.Arn", "dynamodb:Query"),
			each("LedgerTable.Arn", "dynamodb:BatchGetItem", "dynamodb:GetItem", "dynamodb:Query"),
			each("AssetBucket.Arn", "s3:ListBucket"), each("AssetBucket.Arn/proofs/*", "s3:GetObject"),
			receive("NoticeQueue.Arn"), each("NoticeQueue.Arn", "sqs:SendMessage"), each("NoticeDeadLetterQueue.Arn", "sqs:SendMessage"),
			reads("RpcSecret", "TelegramSecret")),
		"payer": slices.Concat(
			keep("LedgerTable.Arn"), each("LedgerBucket.Arn", "s3:ListBucket"),
			each("LedgerBucket.Arn/plans/*", "s3:GetObject"), each("LedgerBucket.Arn/collect/*", "s3:GetObject"),
			each("LedgerBucket.Arn/journal/*", "s3:GetObject", "s3:PutObject"),
			receive("PayoutQueue.Arn"), each("PayoutQueue.Arn", "sqs:SendMessage"), each("RunQueue.Arn", "sqs:SendMessage"),
			each("SignerFunction.Arn", "lambda:InvokeFunction"),
			reads("GuardianSecret", "RpcSecret", "RpcSecret2")),
		"signer": slices.Concat(
			each("LedgerTable.Arn", "dynamodb:GetItem"), each("LedgerBucket.Arn/plans/*", "s3:GetObject"),
			each("CapsTable.Arn", "dynamodb:BatchGetItem", "dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:UpdateItem"),
			each("WalletKey.Arn", "kms:GenerateMac"),
			reads("RpcSecret")),
		"reconciler": slices.Concat(
			each("LaunchTable.Arn", "dynamodb:BatchGetItem", "dynamodb:DeleteItem", "dynamodb:GetItem",
				"dynamodb:PutItem", "dynamodb:Query", "dynamodb:UpdateItem"),
			each("LaunchTable.Arn/index/due", "dynamodb:Query"),
			each("AssetBucket.Arn/images/*", "s3:DeleteObject"),
			each("AssetBucket.Arn/metadata/*", "s3:DeleteObject"),
			each("NonceKey.Arn", "kms:GetPublicKey", "kms:Sign"),
			reads("PinataSecret", "RpcSecret")),
		"pinner": slices.Concat(
			each("AssetBucket.Arn", "s3:ListBucket"),
			each("AssetBucket.Arn/images/*", "s3:GetObject"),
			each("AssetBucket.Arn/metadata/*", "s3:GetObject"),
			each("AssetBucket.Arn/proofs/*", "s3:GetObject"),
			receive("PinQueue.Arn"),
			each("PinDeadLetterQueue.Arn", "sqs:SendMessage"),
			reads("PinataSecret")),
	}
	for _, stage := range []string{"dev", "staging", "prod"} {
		rights := synthesize(t, stage).rights(t)
		for _, name := range functionNames {
			log := strings.ToUpper(name[:1]) + name[1:] + "Log.Arn"
			may := slices.Concat(want[name], each(log, "logs:CreateLogStream", "logs:PutLogEvents"))
			if stage != "dev" && slices.Contains(behindFront, name) {
				may = append(may, readsOrigin)
			}
			wantLines(t, stage+" "+name, rights[name], may)
		}
		wantEqual(t, stage+": functions with rights", len(rights), len(functionNames))
	}
}

// A caller that may use the wallet key holds every distribution wallet. Only the signer may, and no
// route leads to the signer or to its callers.
var (
	holders = []string{"signer"}
	askers  = []string{"deriver", "distributor", "payer"}
)

// mintsDerive is the right to derive the keys of mints that are to be, by a key of their own.
const mintsDerive = "kms:GenerateMac MintKey.Arn"

func TestOnlyTokensDerivesMints(t *testing.T) {
	for name, rights := range synthesize(t, "prod").rights(t) {
		for _, right := range rights {
			if strings.Contains(right, "MintKey") && (name != route.FunctionTokens || right != mintsDerive) {
				t.Errorf("%s may %s", name, right)
			}
		}
	}
}

func TestWalletKeyUsers(t *testing.T) {
	tpl := synthesize(t, "prod")
	for name, rights := range tpl.rights(t) {
		for _, right := range rights {
			uses := strings.Contains(right, "WalletKey") || strings.HasPrefix(right, "kms:GenerateMac") && right != mintsDerive && right != secretsDerive
			if uses && !slices.Contains(holders, name) {
				t.Errorf("%s may %s", name, right)
			}
		}
	}
	for name, rights := range tpl.rights(t) {
		if slices.Contains(rights, "lambda:InvokeFunction SignerFunction.Arn") != slices.Contains(askers, name) {
			t.Errorf("%s may %v", name, rights)
		}
	}
	for key, leadsTo := range tpl.routes(t) {
		if function, _, _ := strings.Cut(leadsTo, " "); slices.Contains(holders, function) || slices.Contains(askers, function) {
			t.Errorf("%s leads to the %s", key, function)
		}
	}
	for _, r := range tpl.of("AWS::Lambda::Permission") {
		if function := functionOf(strings.TrimSuffix(text(r.at("FunctionName")), ".Arn")); slices.Contains(holders, function) {
			t.Errorf("%s may call the %s", text(r.at("Principal")), function)
		}
	}
}

// Only what moves money writes where money went.
func TestLedgerWriters(t *testing.T) {
	for name, rights := range synthesize(t, "prod").rights(t) {
		for _, right := range rights {
			action, on, _ := strings.Cut(right, " ")
			// A check of a condition writes nothing.
			reads := slices.Contains(listen(on), right) || slices.Contains([]string{"dynamodb:BatchGetItem", "dynamodb:ConditionCheckItem", "dynamodb:GetItem", "dynamodb:Query", "s3:GetObject", "s3:ListBucket"}, action)
			// Orders of claims, whose keys TestEachRoleWritesItsKeysOnly holds.
			orders := name == "distribution" && right == "dynamodb:PutItem LedgerTable.Arn"
			if strings.HasPrefix(on, "Ledger") && !reads && !orders && name != "distributor" && name != "payer" {
				t.Errorf("%s may %s", name, right)
			}
			if strings.HasPrefix(on, "LedgerBucket") && strings.HasPrefix(action, "s3:Delete") {
				t.Errorf("%s may %s", name, right)
			}
		}
	}
}

// A wildcard covers the objects of a single prefix.
func TestNoRightIsWiderThanAName(t *testing.T) {
	folders := []string{
		"AssetBucket.Arn/images/*", "AssetBucket.Arn/metadata/*", "AssetBucket.Arn/proofs/*",
		"LedgerBucket.Arn/snapshots/*", "LedgerBucket.Arn/plans/*", "LedgerBucket.Arn/collect/*", "LedgerBucket.Arn/journal/*",
	}
	for name, rights := range synthesize(t, "dev").rights(t) {
		for _, right := range rights {
			action, on, _ := strings.Cut(right, " ")
			if strings.Contains(action, "*") || strings.Contains(on, "*") && !slices.Contains(folders, on) {
				t.Errorf("%s may %s", name, right)
			}
		}
	}
	for name, r := range synthesize(t, "dev").of("AWS::IAM::Role") {
		if r.at("ManagedPolicyArns") != nil || r.at("Policies") != nil {
			t.Errorf("%s has rights that this test does not read", name)
		}
		wantLines(t, name, texts(at(list(r.at("AssumeRolePolicyDocument", "Statement"))[0], "Principal", "Service")),
			[]string{"lambda.amazonaws.com"})
	}
}

// Functions that face the internet, and what they must never be able to do.
func TestInternetFacingFunctions(t *testing.T) {
	rights := synthesize(t, "dev").rights(t)
	facing := []string{
		route.FunctionAuth, route.FunctionDocs, route.FunctionImages, route.FunctionTokens, route.FunctionDistribution, route.FunctionBurns,
		route.FunctionDex, route.FunctionLaunchpad, route.FunctionFeatured, route.FunctionWebhooks, "authorizer",
	}
	for _, name := range facing {
		for _, right := range rights[name] {
			for _, never := range []string{"kms:GenerateMac", "kms:CreateGrant", "dynamodb:Scan", "iam:", "s3:DeleteObject", "s3:PutBucketPolicy"} {
				if strings.HasPrefix(right, never) && right != mintsDerive && right != secretsDerive {
					t.Errorf("%s may %s", name, right)
				}
			}
		}
	}
}

// These rights give the two functions that share the status record access to nothing else in the
// window table.
func TestStatusRightsAreOneRecord(t *testing.T) {
	tpl := synthesize(t, "dev")
	want := written(map[string]any{"ForAllValues:StringLike": map[string]any{"dynamodb:LeadingKeys": []any{"STATUS"}}})
	held := 0
	for name, r := range tpl.of("AWS::IAM::Policy") {
		owner := functionOf(texts(r.at("Roles"))[0])
		if owner != "docs" && owner != "monitor" {
			continue
		}
		for _, statement := range list(r.at("PolicyDocument", "Statement")) {
			reads := slices.Contains(texts(at(statement, "Action")), "dynamodb:GetItem")
			if on := texts(at(statement, "Resource")); !reads || !slices.Contains(on, "WindowTable.Arn") {
				continue
			}
			held++
			wantEqual(t, name+" condition", written(at(statement, "Condition")), want)
		}
	}
	wantEqual(t, "rights on the record", held, 2)
}

// The page's function reads token records and their counts in the launch table, and no wallet,
// launch or session.
func TestPageReadsOnlyTokens(t *testing.T) {
	want := written(map[string]any{"ForAllValues:StringLike": map[string]any{"dynamodb:LeadingKeys": []any{"TOKEN#*", "FIGURES#*"}}})
	found := false
	for name, r := range synthesize(t, "dev").of("AWS::IAM::Policy") {
		if functionOf(texts(r.at("Roles"))[0]) != "docs" {
			continue
		}
		for _, statement := range list(r.at("PolicyDocument", "Statement")) {
			if slices.Contains(texts(at(statement, "Resource")), "LaunchTable.Arn") {
				found = true
				wantEqual(t, name+" condition", written(at(statement, "Condition")), want)
			}
		}
	}
	wantEqual(t, "the stack has the right", found, true)
}
