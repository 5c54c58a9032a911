package runbook_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tokenlaunch.example/service/pkg/testkit/must"
)

// account is what the stand-in keeps: a stack, and what its buckets hold, by version.
type account struct {
	Stack   string // its status, or nothing when it is gone
	Buckets map[string][]object
	Kept    []string // buckets that CloudFormation does not delete
}

type object struct{ Key, VersionID string }

// standIn is an AWS command line of one account in a file. It deletes a stack as CloudFormation
// does, which fails at the first bucket that holds anything: the local AWS deletes such buckets.
const standIn = `#!/usr/bin/env node
const fs = require("node:fs");
const args = process.argv.slice(2);
const of = (name) => args[args.indexOf("--" + name) + 1];
const a = JSON.parse(fs.readFileSync(process.env.ACCOUNT, "utf8"));
const end = (out, status = 0, why = "") => {
  fs.writeFileSync(process.env.ACCOUNT, JSON.stringify(a));
  if (why) console.error(why);
  if (out !== undefined) console.log(typeof out === "string" ? out : JSON.stringify(out));
  process.exit(status);
};
if (of("region") !== "eu-west-1") end(undefined, 1, "wrong Region");
const full = Object.keys(a.Buckets).filter((name) => !a.Kept.includes(name) && a.Buckets[name].length > 0);
if (args.includes("describe-stacks")) a.Stack ? end("arn:the-stack") : end(undefined, 254, "Stack with id used does not exist");
if (args.includes("update-termination-protection")) { a.Protected = false; end("arn:the-stack"); }
if (args.includes("delete-stack")) {
  if (a.Protected !== false) end(undefined, 254, "is protected");
  for (const name of Object.keys(a.Buckets)) if (!a.Kept.includes(name) && !full.includes(name)) delete a.Buckets[name];
  a.Stack = full.length > 0 ? "DELETE_FAILED" : "";
  end();
}
if (args.includes("stack-delete-complete")) a.Stack ? end(undefined, 255, "Waiter encountered a terminal failure state") : end();
if (args.includes("list-stack-resources")) end(of("query").includes("AWS::S3::Bucket") ? full.join("\t") || "None" : "Broken\twhy");
if (args.includes("list-object-versions"))
  end({ Objects: a.Buckets[of("bucket")].slice(0, 2).map(({ Key, VersionID }) => ({ Key, VersionId: VersionID })), Quiet: true });
if (args.includes("delete-objects")) {
  const gone = JSON.parse(fs.readFileSync(0, "utf8")).Objects;
  a.Buckets[of("bucket")] = a.Buckets[of("bucket")].filter((o) => !gone.some((g) => g.Key === o.Key && g.VersionId === o.VersionID));
  end("None");
}
end(undefined, 255, "no answer to " + args.join(" "));
`

// destroy destroys the stack of the account, and gives what is left and what was said.
func destroy(t *testing.T, before account) (after account, said string, err error) {
	t.Helper()
	folder := t.TempDir()
	path := filepath.Join(folder, "account.json")
	text, err := json.Marshal(before)
	must.Do(t, err)
	must.Do(t, os.WriteFile(path, text, 0o600))
	must.Do(t, os.WriteFile(filepath.Join(folder, "aws"), []byte(standIn), 0o700)) // #nosec G306 -- a command
	command := exec.CommandContext(t.Context(), "sh", "../tools/destroy.sh", "used", "eu-west-1")
	command.Env = append(os.Environ(), "PATH="+folder+":"+os.Getenv("PATH"), "ACCOUNT="+path)
	out, failed := command.CombinedOutput()
	text, err = os.ReadFile(path) // #nosec G304 -- this test's
	must.Do(t, err)
	must.Do(t, json.Unmarshal(text, &after))
	return after, string(out), failed
}

// TestAUsedStackIsDestroyed with all that its buckets hold, versions and markers included, except
// what is kept. A stack that cannot be deleted for another reason says so, and one that is not there
// is none to delete.
func TestAUsedStackIsDestroyed(t *testing.T) {
	used := account{
		Stack: "CREATE_COMPLETE", Kept: []string{"kept"},
		Buckets: map[string][]object{
			"assets": {{"images/a", "1"}, {"images/a", "2"}, {"images/a", "marker"}, {`with "quotes" and spaces`, "null"}},
			"books":  {{"plans/a", "1"}}, "empty": {}, "kept": {{"journal/a", "1"}},
		},
	}
	after, said, err := destroy(t, used)
	if err != nil || after.Stack != "" || strings.Count(said, "empties") != 2 {
		t.Errorf("the stack is %q, and it says %s: %v", after.Stack, said, err)
	}
	if left := after.Buckets["kept"]; len(after.Buckets) != 1 || len(left) != 1 {
		t.Errorf("of buckets are left: %v", after.Buckets)
	}
	if after, said, err := destroy(t, account{Stack: "CREATE_COMPLETE", Kept: []string{}, Buckets: map[string][]object{"empty": {}}}); err != nil || after.Stack != "" {
		t.Errorf("an empty one: %s: %v", said, err)
	}
	if _, said, err := destroy(t, account{Buckets: map[string][]object{}}); err != nil || said != "" {
		t.Errorf("one that is not there: %s: %v", said, err)
	}
}
