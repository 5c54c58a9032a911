package stack_test

import (
	"slices"
	"strings"
	"testing"

	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
)

// writers are the actions that change a table.
var writers = []string{"dynamodb:BatchWriteItem", "dynamodb:DeleteItem", "dynamodb:PutItem", "dynamodb:UpdateItem"}

// tableWrites lists what functions may write in a table: "function: keys".
func (tpl template) tableWrites(table string) (lines []string) {
	for _, r := range tpl.of("AWS::IAM::Policy") {
		function := functionOf(texts(r.at("Roles"))[0])
		for _, statement := range list(r.at("PolicyDocument", "Statement")) {
			writes := slices.ContainsFunc(texts(at(statement, "Action")), func(a string) bool { return slices.Contains(writers, a) })
			if writes && slices.Contains(texts(at(statement, "Resource")), table) {
				keys := texts(at(statement, "Condition", "ForAllValues:StringLike", "dynamodb:LeadingKeys"))
				lines = append(lines, function+": "+strings.Join(keys, " "))
			}
		}
	}
	return lines
}

// TestEachRoleWritesItsKeysOnly tests docs/attacks.md, "Inside": a function that is taken over can
// write only its own items, and not, for example, another token's record. The condition is asserted
// on the templates, because MiniStack does not evaluate it; infra/e2e tries that functions may not
// write other tables (TestNoFunctionWritesAnothersTable).
func TestEachRoleWritesItsKeysOnly(t *testing.T) {
	tpl := synthesize(t, "prod")
	var want []string
	for function, keys := range schema.Writes {
		want = append(want, function+": "+strings.Join(keys, " "))
	}
	wantLines(t, "launch table", tpl.tableWrites("LaunchTable.Arn"), want)
	wantLines(t, "settings table", tpl.tableWrites("SettingsTable.Arn"), []string{"distribution: "})
	wantLines(t, "ledger table", tpl.tableWrites("LedgerTable.Arn"), []string{
		"distribution: " + schema.Claims, "distributor: ", "distributor: " + schema.Claims, "payer: ",
	})
	both := schema.Answers + " " + schema.RateWindows
	wantLines(t, "window table", tpl.tableWrites("WindowTable.Arn"), []string{
		"auth: " + schema.Challenges, "auth: " + schema.RateWindows, "docs: " + schema.RateWindows, "burns: " + schema.RateWindows,
		"tokens: " + both, "images: " + both, "distribution: " + both, "dex: " + both, "launchpad: " + both, "featured: " + both,
		"webhooks: " + schema.RateWindows,
		"monitor: " + schema.Status, "notifier: " + schema.RateWindows + " " + schema.Notices,
	})
	owned := schema.WebhookOwners + " " + schema.Webhooks
	wantLines(t, "webhook table", tpl.tableWrites("WebhookTable.Arn"), []string{
		"webhooks: " + owned, "announcer: " + owned, "courier: " + owned + " " + schema.WebhookHosts,
	})
}
