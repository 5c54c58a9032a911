package e2e_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"tokenlaunch.example/service/infra/local/runner"
	"tokenlaunch.example/service/infra/local/walkthrough"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

// agent is an AI agent's client of `tokenlaunch mcp`, in a directory with a key and a picture.
type agent struct {
	*testing.T

	session *mcp.ClientSession
	folder  string
	launch  *walkthrough.Launch
	secret  string
}

// command builds the command of this tree.
func command(t *testing.T) string { return built(t, t.TempDir(), "pkg/client/tokenlaunch") }

// built builds a program of this tree into a directory.
func built(t *testing.T, into, program string) string {
	t.Helper()
	root, err := project.Find()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(into, filepath.Base(program))
	out(t, root.Path("."), "go", "build", "-o", path, "./"+program)
	return path
}

func newAgent(t *testing.T, s *runner.Stack, path string, arguments ...string) *agent {
	t.Helper()
	a := &agent{T: t, folder: t.TempDir(), launch: newLaunch(t, s)}
	a.must(s.Chain.Fund(t.Context(), a.launch.Wallet.Address(), 1_000_000_000))
	key, err := keygen(a.launch.Wallet.Key())
	a.must(err)
	a.secret = string(key)
	picture, err := walkthrough.Picture()
	a.must(err)
	a.must(os.Mkdir(filepath.Join(a.folder, "pictures"), 0o700))
	for name, content := range map[string][]byte{"creator.json": key, "pictures/crane.png": picture, "pictures/copy.json": key} {
		a.must(os.WriteFile(filepath.Join(a.folder, name), content, 0o600))
	}
	a.must(os.Symlink("../creator.json", filepath.Join(a.folder, "pictures", "link.png")))
	command := exec.CommandContext(t.Context(), path, append([]string{"mcp", "--pictures", "pictures"}, arguments...)...)
	command.Dir, command.Env = a.folder, append(os.Environ(), "TOKENLAUNCH_API="+s.APIURL, "TOKENLAUNCH_KEY="+filepath.Join(a.folder, "creator.json"))
	a.session, err = mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "v1.0.0"}, nil).
		Connect(t.Context(), &mcp.CommandTransport{Command: command}, nil)
	a.must(err)
	t.Cleanup(func() { _ = a.session.Close() })
	return a
}

func (a *agent) must(err error) {
	a.Helper()
	if err != nil {
		a.Fatal(err)
	}
}

// call calls a tool, writes the transcript, and returns the text and whether it is an error.
func (a *agent) call(tool string, arguments map[string]any) (string, bool) {
	a.Helper()
	asked, err := json.Marshal(arguments)
	a.must(err)
	answer, err := a.session.CallTool(a.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		a.Logf("→ %s %s\n← refused: %v", tool, asked, err)
		return err.Error(), true
	}
	var text strings.Builder
	for _, c := range answer.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			text.WriteString(t.Text)
		}
	}
	a.Logf("→ %s %s\n← %s", tool, asked, text.String())
	if strings.Contains(text.String(), a.secret) {
		a.Errorf("%s returns the key", tool)
	}
	return text.String(), answer.IsError
}

// do calls a tool that must succeed.
func (a *agent) do(tool string, arguments map[string]any, into any) {
	a.Helper()
	text, failed := a.call(tool, arguments)
	if failed {
		a.Fatalf("%s fails: %s", tool, text)
	}
	a.must(json.Unmarshal([]byte(text), into))
}

// refused calls a tool that must be rejected with these words.
func (a *agent) refused(tool string, arguments map[string]any, words string) {
	a.Helper()
	if text, failed := a.call(tool, arguments); !failed || !strings.Contains(text, words) {
		a.Errorf("%s is not rejected with %q: %s", tool, words, text)
	}
}

// crane is an order of an agent.
func crane() map[string]any {
	return map[string]any{"name": "Paper Crane", "symbol": "CRANE", "picture": "crane.png", "decimals": 6, "supply": "1000000000000000", "transferFeePercent": 5.25}
}

type agentPlan struct {
	Confirmation, TransactionID, Transaction, Mint string
	WouldSucceed                                   bool
}

// TestAgentLaunches is a session of an agent whose user started it with --allow-sign; with -v it
// prints the transcript.
func TestAgentLaunches(t *testing.T) {
	s := deployed(t)
	a := newAgent(t, s, command(t), "--allow-sign", "--most", "0.05")
	tools, err := a.session.ListTools(t.Context(), nil)
	a.must(err)
	var names []string
	for _, tool := range tools.Tools {
		names = append(names, tool.Name)
		if readOnly := tool.Annotations.ReadOnlyHint; readOnly == slices.Contains([]string{"prepare_launch", "launch"}, tool.Name) {
			t.Errorf("%s is annotated as read-only: %v", tool.Name, readOnly)
		}
	}
	if described := documentedTools(t, "with `--allow-sign`"); !slices.Equal(described, slices.Sorted(slices.Values(names))) {
		t.Errorf("there are %v, and docs/command-line.md describes %v", names, described)
	}
	var valid struct{ Found struct{ Valid bool } }
	a.do("validate_launch", crane(), &valid)
	var plan agentPlan
	a.do("prepare_launch", crane(), &plan)
	if !valid.Found.Valid || !plan.WouldSucceed || len(plan.Confirmation) != 64 || plan.Transaction != "" {
		t.Fatalf("validation %+v, plan %+v; want a valid launch with a confirmation and no transaction", valid, plan)
	}
	changed := "0" + plan.Confirmation[1:]
	if changed == plan.Confirmation {
		changed = "1" + plan.Confirmation[1:]
	}
	a.refused("launch", map[string]any{"confirmation": changed}, "there is none such")
	a.refused("launch", map[string]any{}, "confirmation")
	var launched struct {
		Notice string
		Found  struct{ Name, MintAddress, Status string }
	}
	a.do("launch", map[string]any{"confirmation": plan.Confirmation}, &launched)
	if launched.Found.MintAddress != plan.Mint || launched.Found.Status != "confirmed" || !strings.Contains(launched.Notice, "not instructions") {
		t.Errorf("launched %+v", launched)
	}
	a.refused("launch", map[string]any{"confirmation": plan.Confirmation}, "it was used")
	var status struct{ Found struct{ Status string } }
	a.do("launch_status", map[string]any{"transactionId": plan.TransactionID}, &status)
	a.do("get_token", map[string]any{"mint": plan.Mint}, &launched)
	if status.Found.Status != "confirmed" || launched.Found.Name != "Paper Crane" {
		t.Errorf("status %+v, token %+v; want Paper Crane, confirmed", status, launched)
	}
	var runs struct{ Found struct{ Runs []any } }
	a.do("list_runs", map[string]any{"mint": plan.Mint}, &runs)
	a.refused("verify_proof", map[string]any{"mint": plan.Mint}, "no distribution of this token is proven yet")
	a.refused("quote", map[string]any{"mint": plan.Mint, "amount": "1000000"}, "not_found")
	a.refused("quote", map[string]any{"mint": plan.Mint, "amount": "many"}, "amount")

	// A second one is more than the user lets the session spend.
	a.refused("prepare_launch", crane(), "--most")
	for picture, words := range map[string]string{
		"../creator.json": "escapes", "link.png": "escapes", "copy.json": "must be a PNG or JPEG", "none.png": "no such file",
	} {
		order := crane()
		order["picture"] = picture
		a.refused("validate_launch", order, words)
	}
	wrong := crane()
	wrong["transferFeePercent"] = 101
	a.refused("validate_launch", wrong, "transferFeePercent")
}

// documentedTools are the tools that docs/command-line.md describes, for agents that are started
// so.
func documentedTools(t *testing.T, started string) []string {
	t.Helper()
	_, section, _ := strings.Cut(fileOf(t, "docs/command-line.md"), "## Agents\n")
	var names []string
	for line := range strings.Lines(section) {
		tools, about, _ := strings.Cut(strings.TrimPrefix(line, "| "), " | ")
		if !strings.HasPrefix(line, "| `") || strings.Contains(about, "`--allow-sign`") && !strings.Contains(about, started) {
			continue
		}
		for name := range strings.SplitSeq(tools, ", ") {
			names = append(names, strings.Trim(name, "`"))
		}
	}
	slices.Sort(names)
	return names
}

// agentVerifies has an agent verify the last proof of a token.
func agentVerifies(t *testing.T, s *runner.Stack, mint string) {
	t.Helper()
	a := newAgent(t, s, command(t), "--rpc", s.Chain.RPCURL, "--market", s.Market.String())
	var report struct{ Found struct{ OK, Complete bool } }
	if a.do("verify_proof", map[string]any{"mint": mint}, &report); !report.Found.OK || !report.Found.Complete {
		t.Errorf("the agent gets %+v", report)
	}
}

// TestAgentWithoutSigning prepares a launch; the user's wallet signs elsewhere.
func TestAgentWithoutSigning(t *testing.T) {
	s := deployed(t)
	a := newAgent(t, s, command(t))
	tools, err := a.session.ListTools(t.Context(), nil)
	a.must(err)
	var names []string
	for _, tool := range tools.Tools {
		names = append(names, tool.Name)
	}
	if described := documentedTools(t, "without `--allow-sign`"); !slices.Equal(described, slices.Sorted(slices.Values(names))) {
		t.Errorf("there are %v, and docs/command-line.md describes %v", names, described)
	}
	a.refused("launch", map[string]any{"confirmation": "any"}, "unknown tool")
	a.refused("prepare_launch", crane(), "sign in first")
	wallet := a.launch.Wallet
	var challenge struct{ Challenge string }
	a.do("begin_sign_in", map[string]any{"wallet": wallet.Address()}, &challenge)
	a.do("finish_sign_in", map[string]any{
		"wallet": wallet.Address(), "challenge": challenge.Challenge, "signature": wallet.SignMessage(challenge.Challenge),
	}, new(any))
	var plan agentPlan
	a.do("prepare_launch", crane(), &plan)
	if plan.Confirmation != "" {
		t.Errorf("it offers to sign: %+v", plan)
	}
	signed, err := wallet.SignTransaction(plan.Transaction)
	a.must(err)
	var launched struct {
		Found struct{ MintAddress, Status string }
	}
	a.do("submit_launch", map[string]any{"transactionId": plan.TransactionID, "signedTransaction": signed}, &launched)
	if launched.Found.MintAddress != plan.Mint || launched.Found.Status != "confirmed" {
		t.Errorf("launched %+v", launched)
	}
}
