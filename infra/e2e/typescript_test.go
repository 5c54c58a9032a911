package e2e_test

import (
	"crypto/ed25519"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/infra/document"
	"tokenlaunch.example/service/infra/local/runner"
	"tokenlaunch.example/service/infra/local/walkthrough"
	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

// packageFolder is a directory with only the installed package of TypeScript, a key file with SOL
// and a picture.
type packageFolder struct {
	path   string
	node   string // Node 22
	wallet solana.PublicKey
	blocks map[string][]string // of its README, by headings
	fill   *strings.Replacer
	took   time.Duration // to pack and install
}

// packed creates such a directory, as a reader of the README does.
func packed(t *testing.T, s *runner.Stack) packageFolder {
	t.Helper()
	root, err := project.Find()
	if err != nil {
		t.Fatal(err)
	}
	out(t, root.Path("."), "sh", "infra/local/tools.sh", "pkg/client/typescript", "infra/node22")
	text := fileOf(t, "pkg/client/typescript/README.md")
	f := packageFolder{
		path: t.TempDir(), node: "node", blocks: map[string][]string{},
		fill: strings.NewReplacer("https://launch.example", s.APIURL, "https://rpc.example", s.Chain.RPCURL),
	}
	if runtime.GOOS == "linux" && runtime.GOARCH == "amd64" {
		f.node = root.Path("infra/node22/node_modules/.bin/node")
	}
	for _, heading := range []string{"## Launch a token", "## Every operation", "## Lists", "## Options", "## Markets"} {
		f.blocks[heading] = document.Blocks(text, heading, "js")
	}
	if len(f.blocks["## Launch a token"]) != 2 || len(f.blocks["## Every operation"]) != 2 || len(f.blocks["## Markets"]) != 2 {
		t.Fatalf("the README has %v", f.blocks)
	}
	wallet := solana.NewWallet()
	key, err := keygen(ed25519.PrivateKey(wallet.PrivateKey))
	if err != nil {
		t.Fatal(err)
	}
	picture, err := walkthrough.Picture()
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"key.json": key, "picture.png": picture} {
		if err := os.WriteFile(filepath.Join(f.path, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	f.wallet = wallet.PublicKey()
	if err := s.Chain.Fund(t.Context(), f.wallet.String(), 5*solana.LAMPORTS_PER_SOL); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	out(t, root.Path("."), "sh", "infra/tools/pack.sh", f.path)
	f.took = time.Since(began)
	return f
}

// run runs blocks as one program.
func (f packageFolder) run(t *testing.T, blocks ...string) (string, error) {
	t.Helper()
	return f.runWith(t, nil, blocks...)
}

// runWith runs blocks as one program with arguments.
func (f packageFolder) runWith(t *testing.T, arguments []string, blocks ...string) (string, error) {
	t.Helper()
	program := filepath.Join(f.path, "program.mjs")
	if err := os.WriteFile(program, []byte(f.fill.Replace(strings.Join(blocks, "\n"))), 0o600); err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), f.node, append([]string{program}, arguments...)...) // #nosec G204 -- the README's own lines
	command.Dir = f.path
	said, err := command.CombinedOutput()
	return string(said), err
}

// out runs a command that has to succeed.
func out(t *testing.T, folder, name string, arguments ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), name, arguments...)
	command.Dir = folder
	said, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, arguments, err, said)
	}
	return string(said)
}

// typescriptVerifies has the package's verifier check a proof as its README says, also against the
// chain, and returns the checks.
func typescriptVerifies(t *testing.T, s *runner.Stack, anchor *client.Anchor) string {
	t.Helper()
	f := packed(t, s)
	verify := document.Blocks(fileOf(t, "pkg/client/typescript/README.md"), "## Verify a proof", "js")[0]
	arguments := []string{anchor.Transaction.URL, anchor.Transaction.CID, s.Chain.RPCURL, s.Market.String()}
	said, err := f.runWith(t, arguments, verify)
	if err != nil || strings.Contains(said, "FAILED") || strings.Contains(said, "not complete") || !strings.Contains(said, "proven on the chain: history") {
		t.Errorf("the TypeScript verifier: %v\n%s", err, said)
	}
	return said
}

// TestTypeScriptPackageLaunches begins with an empty directory, and follows the package's README,
// in Node 22.
func TestTypeScriptPackageLaunches(t *testing.T) {
	s := deployed(t)
	f := packed(t, s)
	if version := out(t, f.path, f.node, "--version"); !strings.HasPrefix(version, "v22.") && f.node != "node" {
		t.Fatalf("Node is %s", version)
	}
	began := time.Now()
	launch := f.blocks["## Launch a token"]
	said, err := f.run(t, launch[0])
	if err != nil || !strings.Contains(said, " confirmed") {
		t.Fatalf("launch sample: %v: %s; want confirmed", err, said)
	}
	t.Logf("from an empty folder: packed and installed in %.1f s, launched in %.1f s by %d lines",
		f.took.Seconds(), time.Since(began).Seconds(), strings.Count(launch[0], "\n"))

	all := slices.Concat(launch, f.blocks["## Every operation"], f.blocks["## Lists"], f.blocks["## Options"][:1])
	if said, err = f.run(t, append(all, f.blocks["## Markets"][0])...); err != nil {
		t.Fatalf("samples: %v: %s", err, said)
	}
	for _, want := range []string{"Sending your launch", "Creates the mint account", "\ntrue\n", "Burn: 2500 basis points", "\n25 true\n", "\nCRANE\n", " requests left", "\npaid "} {
		if !strings.Contains(said, want) {
			t.Errorf("it does not print %q:\n%s", want, said)
		}
	}
	names := map[string]int{}
	for token, err := range newLaunch(t, s).Client.AllTokens(t.Context(), f.wallet) {
		if err != nil {
			t.Fatal(err)
		}
		if token.Status != client.TokenConfirmed {
			t.Errorf("%s is %s", token.Name, token.Status)
		}
		names[token.Name]++
	}
	if len(names) != 2 || names["Paper Crane"] != 2 || names["Paper Boat"] != 1 {
		t.Errorf("launched %v", names)
	}

	// The service's transaction for a curve passes the check and is signed; the chain here has no
	// program for it.
	if said, err = f.run(t, launch[0], f.blocks["## Markets"][1]); err == nil || !strings.Contains(said, "The network rejected it: InvalidProgramForExecution") {
		t.Errorf("markets sample without the programs: %v: %s; want a rejection by the network", err, said)
	}
}
