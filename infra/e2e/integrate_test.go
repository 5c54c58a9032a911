package e2e_test

import (
	"bufio"
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/infra/document"
	"tokenlaunch.example/service/infra/local/walkthrough"
	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

// integrate has the blocks of docs/integrate.md below a heading.
func integrate(t *testing.T, heading, language string) []string {
	t.Helper()
	blocks := document.Blocks(fileOf(t, "docs/integrate.md"), heading, language)
	if len(blocks) == 0 {
		t.Fatalf("docs/integrate.md has no %s below %q", language, heading)
	}
	return blocks
}

func fileOf(t *testing.T, name string) string {
	t.Helper()
	root, err := project.Find()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(root.Path(name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestIntegrateSamplesAreTested tests that the TypeScript, Go and agent samples of
// docs/integrate.md are, to the letter, those that other tests run.
func TestIntegrateSamplesAreTested(t *testing.T) {
	program := func(file string) string {
		_, code, _ := strings.Cut(fileOf(t, file), "\npackage main\n")
		return "package main\n" + code
	}
	readme := fileOf(t, "pkg/client/typescript/README.md")
	for heading, want := range map[string]struct {
		language string
		tried    []string
	}{
		"## TypeScript": {"js", []string{document.Blocks(readme, "## Launch a token", "js")[0], document.Blocks(readme, "## Markets", "js")[0]}},
		"## Go":         {"go", []string{program("pkg/client/example/main.go"), program("pkg/client/example/feature/main.go")}},
		"## Webhooks":   {"go", []string{program("pkg/client/example/receiver/main.go")}},
		"## Agents":     {"json", document.Blocks(fileOf(t, "docs/command-line.md"), "## Agents", "json")[:1]},
	} {
		shown := integrate(t, heading, want.language)
		if !slices.EqualFunc(shown, want.tried, func(a, b string) bool { return strings.TrimSpace(a) == strings.TrimSpace(b) }) {
			t.Errorf("%s shows\n%q\nand a test runs\n%q", heading, shown, want.tried)
		}
	}
}

// TestCurlLaunches does what docs/integrate.md says below curl.
func TestCurlLaunches(t *testing.T) {
	deployed(t)
	out := strings.Fields(shell(t, nil, append(integrate(t, "## Prerequisites", "sh"), integrate(t, "## curl", "sh")...)...))
	if mint, err := solana.PublicKeyFromBase58(out[len(out)-1]); err != nil {
		t.Errorf("it ends with %v: %v", mint, err)
	}
}

// TestPythonLaunches runs the program of docs/integrate.md by the Python of the local stack, which has
// the package that signs.
func TestPythonLaunches(t *testing.T) {
	s := deployed(t)
	home := t.TempDir()
	key := filepath.Join(home, "key.pem")
	root, err := project.Find()
	if err != nil {
		t.Fatal(err)
	}
	picture, err := walkthrough.Picture()
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"launch.py": []byte(integrate(t, "## Python", "python")[0]), "crane.png": picture} {
		if err := os.WriteFile(filepath.Join(home, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	address := strings.TrimSpace(out(t, root.Path("."), "node", "docs/wallet.mjs", "address", key))
	if err := s.Chain.Fund(t.Context(), address, solana.LAMPORTS_PER_SOL); err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), root.Path(".local/venv/bin/python"), "launch.py")
	command.Dir, command.Env = home, append(os.Environ(), "TOKENLAUNCH_API="+s.APIURL, "TOKENLAUNCH_KEY="+key)
	said, err := command.CombinedOutput()
	words := strings.Fields(string(said))
	if err != nil || len(words) == 0 {
		t.Fatalf("%v\n%s", err, said)
	}
	confirmed(t, s.APIURL, solana.MustPublicKeyFromBase58(words[len(words)-1]))
}

// TestReceiverGetsWebhooks runs the receiver of docs/integrate.md, and registers it as described
// there.
func TestReceiverGetsWebhooks(t *testing.T) {
	s := deployed(t)
	root, err := project.Find()
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	_ = listener.Close()
	built(t, folder, "pkg/client/tokenlaunch")
	l := newLaunch(t, s)
	key, err := keygen(l.Wallet.Key())
	if err != nil {
		t.Fatal(err)
	}
	keyFile := filepath.Join(t.TempDir(), "key.json")
	if err := os.WriteFile(keyFile, key, 0o600); err != nil {
		t.Fatal(err)
	}
	said, into, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = said.Close() })
	const background = ".local/receiver &\n"
	block := integrate(t, "## Webhooks", "sh")[0]
	if !strings.Contains(block, background) {
		t.Fatalf("it starts no receiver: %s", block)
	}
	// The receiver writes into the pipe, and ends with the test.
	pid := filepath.Join(t.TempDir(), "pid")
	block = strings.Replace(block, background, ".local/receiver >&3 2>&1 &\necho $! >"+pid+"\n", 1)
	t.Cleanup(func() {
		if number, err := os.ReadFile(pid); err == nil {
			_ = exec.Command("kill", strings.TrimSpace(string(number))).Run() // #nosec G204 -- that of the process that was started
		}
	})
	script := "set -eo pipefail\nfield() { node docs/wallet.mjs field \"$1\"; }\n" +
		strings.NewReplacer("./.local/", folder+"/", ".local/", folder+"/").Replace(block)
	command := exec.CommandContext(t.Context(), "bash", "-c", script) // #nosec G204 -- the document's own lines
	command.Dir, command.ExtraFiles = root.Path("."), []*os.File{into}
	command.Env = append(os.Environ(), "API="+s.APIURL, "KEY="+keyFile, "WEBHOOK_ADDRESS="+address)
	output, err := command.Output()
	if err != nil {
		t.Fatalf("%v of\n%s\n%s", err, script, output)
	}
	_ = into.Close()
	// It is active when it has answered its challenge; then a test is a message.
	var hook client.CreatedWebhook
	if content, err := os.ReadFile(filepath.Join(folder, "hook.json")); err != nil || json.Unmarshal(content, &hook) != nil || !strings.HasPrefix(hook.Secret, "whsec_") {
		t.Fatalf("hook.json: %v", err)
	}
	becomesActive(t, l.Client)
	if _, err := l.Client.TestWebhook(t.Context(), hook.WebhookID); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(said).ReadString('\n')
	if err != nil || !strings.Contains(line, " webhook.test ") {
		t.Errorf("the receiver prints %q: %v", line, err)
	}
}
