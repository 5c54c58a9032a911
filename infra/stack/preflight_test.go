package stack_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-cdk-go/awscdk/v2"

	"tokenlaunch.example/service/infra/stack"
)

// standIn is an AWS command line that prints the first of its answers whose words are all in the
// call. A line has the words, a tab, and the output, or AWS' error after a "!".
const standIn = `#!/usr/bin/env node
const fs = require("node:fs");
const call = process.argv.slice(2).join(" ");
for (const line of fs.readFileSync(process.env.ANSWERS, "utf8").split("\n")) {
  const [words, answer] = line.split("\t");
  if (!words.split(" ").every((word) => call.includes(word))) continue;
  if (!answer.startsWith("!")) { console.log(answer); process.exit(0); }
  console.error(answer.slice(1));
  process.exit(254);
}
console.error("no answer to " + call);
process.exit(255);
`

// releaseOf creates the release of all stacks, and returns the service's.
func releaseOf(t *testing.T, s stack.Settings) (string, awscdk.Stack) {
	t.Helper()
	folder := t.TempDir()
	app := awscdk.NewApp(&awscdk.AppProps{Outdir: &folder})
	stack.NewEdge(app, s)
	stack.NewCopies(app, s)
	made := stack.NewService(app, s)
	stack.NewReplica(app, s)
	app.Synth(nil)
	return folder, made
}

// TestPreflightNamesMissingQuotas tests the check that runs before a deployment, by the templates
// of a release, and that skips questions that the account does not answer.
func TestPreflightNamesMissingQuotas(t *testing.T) {
	const certificate = "arn:aws:acm:us-east-1:000000000000:certificate/12345678-1234-1234-1234-123456789012"
	s := settings(t, "prod")
	s.DomainName, s.CertificateARN, s.Front = "api.example", certificate, true
	release, made := releaseOf(t, s)
	small, _ := releaseOf(t, smallSettings(t))
	reserved := 0.0
	for _, r := range templateOf(t, made).of("AWS::Lambda::Function") {
		calls, _ := r.at("ReservedConcurrentExecutions").(float64)
		reserved += calls
	}
	deployed, err := json.Marshal(map[string]any{"Resources": map[string]any{"F": map[string]any{
		"Type": "AWS::Lambda::Function", "Properties": map[string]any{"ReservedConcurrentExecutions": reserved},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	limits := func(all, free float64) string {
		text, _ := json.Marshal(map[string]float64{"ConcurrentExecutions": all, "UnreservedConcurrentExecutions": free})
		return "get-account-settings\t" + string(text)
	}
	// The responses of an account that is ready, and that was deployed to before.
	well := []string{
		"get-parameter /cdk-bootstrap/\t\"30\"", limits(1000, 1000), "get-template\t!An error occurred (ValidationError): Stack does not exist",
		"describe-certificate " + certificate + " us-east-1\t\"ISSUED\"", "describe-secret\t\"arn\"", "describe-region-settings\t{\"DynamoDB\": true}",
	}
	for _, test := range []struct {
		name   string
		answer string // in place of what an account answers in which all is well
		wants  []string
		fails  bool
		small  bool // the release of the small profile
	}{
		{name: "all is well", wants: []string{"preflight: nothing is missing\n"}},
		{
			name: "a new account", answer: limits(10, 10), fails: true,
			wants: []string{"missing: The reserved concurrency of token-launch-prod is 175", "quota L-B99A9384", "request 275 of", "AccountBusyAlarm cannot ring: the account has 10"},
		},
		{name: "room to the last call", answer: limits(275, 275)},
		{name: "a quota at which the alarm just fires", answer: limits(800, 800), wants: []string{"preflight: nothing is missing\n"}},
		{name: "one call too few", answer: limits(274, 274), wants: []string{"request 275 of"}, fails: true},
		{name: "a small profile in a small account", answer: limits(143, 143), small: true},
		{
			name: "one call too few for the small profile", answer: limits(142, 142), small: true, fails: true,
			wants: []string{"missing: The reserved concurrency of token-launch-prod is 43", "request 143 of"},
		},
		{name: "what others reserved is taken", answer: limits(1000, 274), wants: []string{"request 1001 of"}, fails: true},
		{name: "what this stack reserved is not", answer: limits(275, 100) + "\nget-template\t" + string(deployed)},
		{
			name: "a certificate that waits", answer: "describe-certificate\t\"PENDING_VALIDATION\"", fails: true,
			wants: []string{"missing: The certificate " + certificate + " is PENDING_VALIDATION"},
		},
		{
			name: "no certificate", answer: "describe-certificate\t!An error occurred (ResourceNotFoundException): no", fails: true,
			wants: []string{"missing: The certificate " + certificate + " is not there"},
		},
		{
			name: "no secret", answer: "describe-secret " + secretVariables["TELEGRAM_SECRET"] + "\t!An error occurred (ResourceNotFoundException): no", fails: true,
			wants: []string{"missing: The secret " + secretVariables["TELEGRAM_SECRET"] + " is not there"},
		},
		{
			name: "no bootstrap in the second Region", answer: "get-parameter " + replicaRegion + "\t!An error occurred (ParameterNotFound): no", fails: true,
			wants: []string{"missing: CDK's bootstrap in " + replicaRegion + " is not there", "cdk bootstrap aws://ACCOUNT/" + replicaRegion},
		},
		{
			name: "an old bootstrap of the edge", answer: "get-parameter us-east-1\t\"3\"", fails: true,
			wants: []string{"missing: CDK's bootstrap in us-east-1 is version 3"},
		},
		{
			name: "no opt-in", answer: "describe-region-settings\t{\"DynamoDB\": false}", fails: true,
			wants: []string{"missing: AWS Backup's opt-in for DynamoDB is off", "update-region-settings"},
		},
		{
			name: "a caller who may not look", answer: "describe-secret\t!An error occurred (AccessDeniedException): not authorized",
			wants: []string{"not checked: The secret ", "AccessDeniedException", "preflight: nothing is missing of what could be checked"},
		},
	} {
		folder := t.TempDir()
		answers := filepath.Join(folder, "answers")
		for path, text := range map[string]string{answers: strings.Trim(test.answer+"\n"+strings.Join(well, "\n"), "\n"), filepath.Join(folder, "aws"): standIn} {
			if err := os.WriteFile(path, []byte(text), 0o700); err != nil { // #nosec G306 -- one of them is a command
				t.Fatal(err)
			}
		}
		of := release
		if test.small {
			of = small
		}
		command := exec.CommandContext(t.Context(), "node", "../tools/preflight.mjs", of)
		command.Env = append(os.Environ(), "PATH="+folder+":"+os.Getenv("PATH"), "ANSWERS="+answers)
		out, err := command.CombinedOutput()
		if failed := err != nil; failed != test.fails {
			t.Errorf("%s: %v\n%s", test.name, err, out)
		}
		for _, want := range test.wants {
			if !strings.Contains(string(out), want) {
				t.Errorf("%s: %q is not in\n%s", test.name, want, out)
			}
		}
		if strings.Count(string(out), "missing: ") > 1 {
			t.Errorf("%s: more than one line\n%s", test.name, out)
		}
	}
}
