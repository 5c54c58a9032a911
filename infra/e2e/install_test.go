package e2e_test

import (
	"crypto/ed25519"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/infra/document"
	"tokenlaunch.example/service/infra/local/walkthrough"
	"tokenlaunch.example/service/infra/release"
	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
	"tokenlaunch.example/service/pkg/testkit/nightly"
)

// TestGoInstallsTheModule is an integrator with only Go and a version of the module: they install
// the command and launch a token with it, and launch another by the ten lines of
// pkg/client/example, each in an empty directory.
func TestGoInstallsTheModule(t *testing.T) {
	s := deployed(t)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	root, err := project.Find()
	must(err)
	source := t.TempDir()
	must(release.Copy(t.Context(), root.Path("."), source))
	proxy, err := release.NewProxy(source, "v0.2.0", t.TempDir())
	must(err)
	home := t.TempDir()
	env, err := proxy.Environment(t.Context(), home)
	must(err)
	wallet := newLaunch(t, s).Wallet
	must(s.Chain.Fund(t.Context(), wallet.Address(), 1_000_000_000))
	key, err := keygen(wallet.Key())
	must(err)
	picture, err := walkthrough.Picture()
	must(err)
	for name, content := range map[string][]byte{"creator.json": key, "crane.png": picture} {
		must(os.WriteFile(filepath.Join(home, name), content, 0o600))
	}
	env = append(env, "PATH="+filepath.Join(home, "bin")+":"+os.Getenv("PATH"), "TOKENLAUNCH_API="+s.APIURL, "TOKENLAUNCH_KEY="+filepath.Join(home, "creator.json"))
	if nightly.Whole(t) { // nothing of it was built before, either
		env = append(env, "GOCACHE="+filepath.Join(home, "built"))
	}
	in := func(folder, command string, arguments ...string) string {
		t.Helper()
		out, err := release.Run(t.Context(), folder, env, command, arguments...)
		must(err)
		return out
	}

	began := time.Now()
	manual, err := os.ReadFile(root.Path("docs/command-line.md"))
	must(err)
	install := document.Blocks(string(manual), "# The command line", "sh")[0]
	if got := in(t.TempDir(), "bash", "-euc", install); got != "tokenlaunch 0.2.0\n" {
		t.Errorf("%s\nprints %q", install, got)
	}
	t.Logf("go install took %s", time.Since(began).Round(100*time.Millisecond))
	command := filepath.Join(home, "bin", "tokenlaunch")
	var launched struct{ Token client.Token }
	must(json.Unmarshal([]byte(in(home, command, "launch", "--name", "Paper Crane", "--symbol", "CRANE", "--supply", "1000000",
		"--tax", "5", "--image", "crane.png", "--yes", "--json")), &launched))
	confirmed(t, s.APIURL, launched.Token.MintAddress)

	empty := t.TempDir()
	must(os.Link(filepath.Join(home, "crane.png"), filepath.Join(empty, "crane.png")))
	began = time.Now()
	in(empty, "go", "mod", "init", "bot.example/launch")
	in(empty, "go", "get", proxy.Module.Path+"/pkg/client@v0.2.0")
	example, err := os.ReadFile(root.Path("pkg/client/example/main.go"))
	must(err)
	must(os.WriteFile(filepath.Join(empty, "main.go"), example, 0o600))
	in(empty, "go", "build", ".")
	built := time.Now()
	mint, err := solana.PublicKeyFromBase58(strings.TrimSpace(in(empty, "./launch")))
	must(err)
	t.Logf("ten lines of Go from an empty folder: ready after %s, and the token is launched %s later",
		built.Sub(began).Round(100*time.Millisecond), time.Since(built).Round(100*time.Millisecond))
	confirmed(t, s.APIURL, mint)
	feature, err := os.ReadFile(root.Path("pkg/client/example/feature/main.go"))
	must(err)
	must(os.Mkdir(filepath.Join(empty, "feature"), 0o700))
	must(os.WriteFile(filepath.Join(empty, "feature", "main.go"), feature, 0o600))
	env = append(env, "RPC_URL="+s.Chain.RPCURL)
	if said := in(empty, "go", "run", "./feature", mint.String()); !strings.Contains(said, "\nconfirmed ") {
		t.Errorf("the example that pays for a placement prints %q", said)
	}
	if mint.Equals(launched.Token.MintAddress) {
		t.Error("it is the token of before")
	}
	// The zip has the page without the files that make page builds.
	in(empty, "go", "get", proxy.Module.Path+"/pkg/web/page@v0.2.0")
	in(empty, "go", "build", proxy.Module.Path+"/pkg/web/page")
}

// confirmed reads a token back.
func confirmed(t *testing.T, api string, mint solana.PublicKey) {
	t.Helper()
	c, err := client.New(api)
	if err != nil {
		t.Fatal(err)
	}
	token, err := c.GetToken(t.Context(), mint)
	if err != nil || token.Status != client.TokenConfirmed || token.Name != "Paper Crane" {
		t.Errorf("%s is %+v, %v", mint, token, err)
	}
}

// keygen is a key as solana-keygen writes it.
func keygen(key ed25519.PrivateKey) ([]byte, error) {
	numbers := make([]int, len(key))
	for i, b := range key {
		numbers[i] = int(b)
	}
	return json.Marshal(numbers)
}
