// Package generators_test tries the OpenAPI document with the generators that others make clients
// with. Each folder here has a program that calls the service with the client of one generator.
package generators_test

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/infra/local/progress"
	"tokenlaunch.example/service/infra/local/runner"
	"tokenlaunch.example/service/infra/local/walkthrough"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/testkit/nightly"
)

// generator writes a client into the folder of its program.
type generator struct {
	name string
	// install is the command that installs the generator; empty if the Go command does.
	install string
	// steps write the client and compile the program, which run starts.
	steps []string
	run   string
}

const (
	installPython = "sh infra/tools/install.sh generators"
	installNode   = "sh infra/local/tools.sh infra/generators infra/node22"

	openapiGenerator = "$PYTHON/openapi-generator-cli generate -i $DOCUMENT "
	tsc              = "$NODE $MODULES/typescript/bin/tsc --strict --skipLibCheck --target es2022 --module nodenext --outDir out main.ts"
)

var generators = []generator{
	{"oapi-codegen", "", []string{"mkdir client", "go tool oapi-codegen -generate types,client -package client -o client/client.go $DOCUMENT", "go build -o program ."}, "./program"},
	{"ogen", "", []string{"go tool ogen -target client -package client $DOCUMENT", "go build -o program ."}, "./program"},
	{"openapi-generator-go", installPython, []string{openapiGenerator + "-g go -o client -p packageName=client,withGoMod=false", "go build -o program ."}, "./program"},
	{"openapi-generator-python", installPython, []string{openapiGenerator + "-g python -o . --package-name client", "$PYTHON/python -m compileall -q ."}, "$PYTHON/python main.py"},
	{"openapi-generator-typescript-fetch", installPython + "\n" + installNode, []string{openapiGenerator + "-g typescript-fetch -o client", tsc}, "$NODE out/main.js"},
	{"openapi-python-client", installPython, []string{"$PYTHON/openapi-python-client generate --path $DOCUMENT --meta none --output-path client", "$PYTHON/python -m compileall -q ."}, "$PYTHON/python main.py"},
	{"openapi-typescript", installNode, []string{"$NODE $MODULES/openapi-typescript/bin/cli.js $DOCUMENT --default-non-nullable=false -o schema.ts", tsc}, "$NODE out/main.js"},
	{"hey-api", installNode, []string{"$NODE $MODULES/@hey-api/openapi-ts/bin/run.js -i $DOCUMENT -o client", tsc}, "$NODE out/main.js"},
}

// byDay generates and compiles its client by day, too. The check of the TypeScript package does the
// same for openapi-typescript.
const byDay = "oapi-codegen"

// TestGeneratedClients generates a client with each generator and compiles a program with the client.
// By night the program lists tokens, asks for an unknown token and creates a launch on the local
// stack, and prints what it reads in the typed answers.
func TestGeneratedClients(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles a client of 2 MB")
	}
	root, err := project.Find()
	must.Do(t, err)
	whole := nightly.Whole(t)
	var s *runner.Stack
	var mint string
	if whole {
		s, mint = launched(t, root)
	}
	for _, g := range generators {
		t.Run(g.name, func(t *testing.T) {
			if !whole && g.name != byDay {
				t.Skip("generates by night, with NIGHTLY=1")
			}
			began := time.Now()
			w := newWorkshop(t, root, g)
			for _, step := range g.steps {
				w.do(step)
			}
			if !whole {
				return
			}
			compiled := time.Now()
			said := strings.Fields(w.do(g.run, caller(t, s)...))
			if len(said) != 3 || said[0] != mint || said[1] != "token_not_found" || len(said[2]) != len("0b9a3f5e-8c0e-4a63-8a53-2f5d7f0c9e21") {
				t.Errorf("the program reads %q; want the mint %s, token_not_found and the id of a transaction", said, mint)
			}
			t.Logf("generated and compiled in %v, called in %v", compiled.Sub(began).Round(time.Second), time.Since(compiled).Round(time.Millisecond))
		})
	}
}

// launched returns the running stack and the mint of its token.
func launched(t *testing.T, root project.Folder) (*runner.Stack, string) {
	t.Helper()
	s, err := runner.Start(context.WithoutCancel(t.Context()), runner.Options{
		Project: root, Folder: t.TempDir(), Offline: true, SlotTime: runner.TestSlotTime, Progress: progress.New(io.Discard),
	})
	must.Do(t, err)
	t.Cleanup(s.Stop)
	l, err := walkthrough.New(s.APIURL, s.Chain, nil)
	must.Do(t, err)
	must.Do(t, l.Run(t.Context()))
	return s, l.Submitted.MintAddress.String()
}

// caller returns what a program needs of a new wallet that is signed in, as environment variables.
func caller(t *testing.T, s *runner.Stack) []string {
	t.Helper()
	must.Do(t, s.ForgetLimits(t.Context()))
	l, err := walkthrough.New(s.APIURL, s.Chain, nil)
	must.Do(t, err)
	session, err := l.Client.SignIn(t.Context())
	must.Do(t, err)
	wallet, err := l.Client.GenerateDistributionWallet(t.Context())
	must.Do(t, err)
	picture, err := walkthrough.Picture()
	must.Do(t, err)
	image, err := l.Client.UploadImage(t.Context(), picture)
	must.Do(t, err)
	return []string{
		"API=" + s.APIURL, "TOKEN=" + session.Token, "UNKNOWN=" + solana.NewWallet().PublicKey().String(),
		"IMAGE=" + image.ImageURI, "WALLET=" + wallet.WalletID,
	}
}

// workshop is a copy of a generator's folder.
type workshop struct {
	*testing.T

	folder string
	parts  map[string]string
}

// newWorkshop skips the test if the generator cannot be installed here.
func newWorkshop(t *testing.T, root project.Folder, g generator) workshop {
	t.Helper()
	w := workshop{t, t.TempDir(), map[string]string{
		"DOCUMENT": root.Path("pkg/api/endpoint/docs/dist/openapi.json"),
		"PYTHON":   root.Path(".local/generators/bin"),
		"MODULES":  root.Path("infra/generators/node_modules"),
		"NODE":     "node",
	}}
	if runtime.GOOS == "linux" && runtime.GOARCH == "amd64" {
		w.parts["NODE"] = root.Path("infra/node22/node_modules/.bin/node")
	}
	for line := range strings.Lines(g.install) {
		words := strings.Fields(line)
		command := exec.CommandContext(t.Context(), words[0], words[1:]...) // #nosec G204 -- of the table above
		command.Dir = root.Path(".")
		if out, err := command.CombinedOutput(); err != nil {
			t.Skipf("%s is not tried, because %s fails: %v\n%s", g.name, strings.TrimSpace(line), err, out)
		}
	}
	must.Do(t, os.CopyFS(w.folder, os.DirFS(root.Path("infra/generators/"+g.name))))
	must.Do(t, os.Symlink(w.parts["MODULES"], filepath.Join(w.folder, "node_modules")))
	return w
}

// do runs a command in the folder and returns its standard output.
func (w workshop) do(command string, env ...string) string {
	w.Helper()
	words := strings.Fields(os.Expand(command, func(name string) string { return w.parts[name] }))
	cmd := exec.CommandContext(w.Context(), words[0], words[1:]...) // #nosec G204 -- of the table above
	cmd.Dir, cmd.Env = w.folder, append(os.Environ(), env...)
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		w.Fatalf("%s: %v\n%s%s", command, err, out, &said)
	}
	return string(out)
}
