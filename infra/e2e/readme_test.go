package e2e_test

import (
	"crypto/ed25519"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/infra/document"
	"tokenlaunch.example/service/infra/local/runner"
	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

// readme has the blocks of shell of README.md that are below a heading.
func readme(t *testing.T, heading string) []string {
	t.Helper()
	blocks := document.Blocks(fileOf(t, "README.md"), heading, "sh")
	if len(blocks) == 0 {
		t.Fatalf("README.md has no shell below %q", heading)
	}
	return blocks
}

// shell carries blocks out, as a reader would, with the directory of this stack in place of make
// run's. It returns the output.
func shell(t *testing.T, env []string, blocks ...string) string {
	t.Helper()
	root, err := project.Find()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(strings.Join(blocks, ""), ".local/tokenlaunch") {
		built(t, folder, "pkg/client/tokenlaunch") // as make run builds it
	}
	script := strings.NewReplacer("./.local/", folder+"/", ".local/", folder+"/").
		Replace("set -eo pipefail\n" + strings.Join(blocks, ""))
	command := exec.CommandContext(t.Context(), "bash", "-c", script)
	command.Dir = root.Path(".")
	command.Env = append(os.Environ(), env...)
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v of\n%s\nwhich prints\n%s", err, script, out)
	}
	return string(out)
}

const commandLine = "## Launch a token"

// TestReadmeCommandsLaunch carries out the commands of README.md.
func TestReadmeCommandsLaunch(t *testing.T) {
	s := deployed(t)
	commands := readme(t, commandLine)
	before := commands[:len(commands)-1] // the last one is about what was distributed
	out := shell(t, nil, append(before, "\necho launched by $WALLET\n")...)
	_, address, _ := strings.Cut(out, "launched by ")
	creator := solana.MustPublicKeyFromBase58(strings.TrimSpace(address))
	var launched []client.Token
	for token, err := range newLaunch(t, s).Client.AllTokens(t.Context(), creator) {
		if err != nil {
			t.Fatal(err)
		}
		launched = append(launched, token)
	}
	if len(launched) != 1 || launched[0].Name != "Paper Crane" {
		t.Fatalf("launched %+v", launched)
	}
	if set := launched[0].Settings; set.BurnPercent != client.MustPercent("25") || set.DistributionInterval != client.Every6Hours || set.TelegramGroupID != "@paper_cranes" {
		t.Errorf("the settings are %+v", set)
	}
	for _, want := range []string{"Interval                     6h", "Nothing was distributed yet.", "due "} {
		if !strings.Contains(out, want) {
			t.Errorf("it does not print %q:\n%s", want, out)
		}
	}
}

// TestCurlShowsRefusals tests that a reader who has used up the hourly creations sees the reason in
// the walk of docs/integrate.md, and that the later steps end with this reason.
func TestCurlShowsRefusals(t *testing.T) {
	deployed(t)
	walk := append(integrate(t, "## Prerequisites", "sh"), integrate(t, "## curl", "sh")...)
	prepare, submit := walk[len(walk)-2], walk[len(walk)-1]
	if !strings.Contains(prepare, "/tokens/create-unsigned") || !strings.Contains(submit, "sign-transaction") {
		t.Fatalf("the walk ends with\n%s\n%s", prepare, submit)
	}
	out := shell(t, nil, append(walk[:len(walk)-2], strings.Repeat(prepare, 5), "\nset +e\n", prepare, submit, "\necho the last status is $?\n")...)
	_, refused, found := strings.Cut(out, "rate_limit_exceeded: ")
	if !found || strings.Contains(out, "undefined") {
		t.Errorf("the sixth creation is rejected, and the walk prints\n%s", out)
	}
	for _, want := range []string{"Standard input is no transaction.", "validation_failed: "} {
		if !strings.Contains(refused, want) {
			t.Errorf("the walk continues without %q:\n%s", want, refused)
		}
	}
}

// witnessed has a witness attest the proof of a token's only run, a reader who names their key
// read that, and another follow the proofs to the first.
func witnessed(t *testing.T, s *runner.Stack, mint solana.PublicKey) {
	t.Helper()
	witness := solana.NewWallet()
	key, err := keygen(ed25519.PrivateKey(witness.PrivateKey))
	if err != nil {
		t.Fatal(err)
	}
	keypair, attestation := filepath.Join(t.TempDir(), "witness.json"), filepath.Join(t.TempDir(), "attestation.json")
	if err := os.WriteFile(keypair, key, 0o600); err != nil {
		t.Fatal(err)
	}
	verify := "\ntokenlaunch verify " + mint.String() + " --rpc " + s.Chain.RPCURL + " --market " + s.Market.String()
	out := shell(t, []string{"API=" + s.APIURL}, readme(t, commandLine)[0],
		verify+" --sign "+keypair+" --out "+attestation, verify+" --attested-by "+witness.PublicKey().String()+" --attestation "+attestation, verify+" --all\n")
	for _, want := range []string{witness.PublicKey().String() + " signed that they rebuilt this proof", ") are good, and complete"} {
		if !strings.Contains(out, want) {
			t.Errorf("it does not print %q:\n%s", want, out)
		}
	}
}

// readmeVerifies does what README.md says of a token with a proven distribution, whose creator
// is a holder.
func readmeVerifies(t *testing.T, s *runner.Stack, mint, creator solana.PublicKey) {
	t.Helper()
	if err := s.Record(mint); err != nil {
		t.Fatal(err)
	}
	commands := readme(t, commandLine)
	out := shell(t, nil, commands[0], commands[len(commands)-1])
	for _, want := range []string{"proven on the chain    history", "proven on the chain    books on chain", "what was asked for", "The proof is good, and complete", creator.String() + ":\n  SOL: balance", "under the root"} {
		if !strings.Contains(out, want) {
			t.Errorf("it does not print %q:\n%s", want, out)
		}
	}
}
