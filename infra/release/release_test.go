package release_test

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"tokenlaunch.example/service/infra/release"
	"tokenlaunch.example/service/infra/runbook"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/testkit/nightly"
)

// repository is one of this work tree, in a folder, with two commits and the tag v0.1.0 on
// the first.
type repository struct {
	*testing.T

	folder string
	env    []string
}

func newRepository(t *testing.T) repository {
	t.Helper()
	if testing.Short() {
		t.Skip("builds a release, which short mode leaves out")
	}
	root, err := project.Find()
	must.Do(t, err)
	r := repository{T: t, folder: t.TempDir()}
	r.env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull, "TZ=Pacific/Auckland",
		"GIT_AUTHOR_NAME=t", "GIT_AUTHOR_EMAIL=t@example.com", "GIT_COMMITTER_NAME=t", "GIT_COMMITTER_EMAIL=t@example.com",
		"GIT_COMMITTER_DATE=2026-03-02T12:00:00Z")
	must.Do(t, release.Copy(t.Context(), root.Path("."), r.folder))
	r.run("git", "init", "--quiet")
	r.run("git", "add", "--all")
	r.run("git", "commit", "--quiet", "--message", "Begin")
	r.run("git", "tag", "v0.1.0")
	r.commit("Fix crane: both wings fold\n\nSecurity: a bent wing let paper out")
	r.commit("Add crane")
	r.commit("Fold the crane")
	// What is installed into ignored folders is not installed again.
	must.Do(t, os.Symlink(root.Path(".local"), filepath.Join(r.folder, ".local")))
	return r
}

func (r repository) run(command string, arguments ...string) string {
	r.Helper()
	out, err := release.Run(r.Context(), r.folder, r.env, command, arguments...)
	must.Do(r, err)
	return out
}

func (r repository) commit(subject string) {
	r.Helper()
	r.run("git", "commit", "--quiet", "--allow-empty", "--message", subject)
}

// documented carries out what docs/develop.md says below a heading.
func (r repository) documented(heading string) {
	r.Helper()
	text, err := os.ReadFile(filepath.Join(r.folder, "docs/develop.md"))
	must.Do(r, err)
	blocks, err := runbook.Blocks("docs/develop.md", string(text))
	must.Do(r, err)
	carried := 0
	for _, b := range blocks {
		if b.Heading == heading && b.Excuse == "" {
			r.Log(r.run("bash", "-euc", b.Commands))
			carried++
		}
	}
	if carried == 0 {
		r.Fatalf("docs/develop.md has no commands below %q", heading)
	}
}

// files reads the files of a release.
func (r repository) files() map[string][]byte {
	r.Helper()
	files := map[string][]byte{}
	entries, err := os.ReadDir(filepath.Join(r.folder, ".build/release/v0.2.0"))
	must.Do(r, err)
	for _, entry := range entries {
		files[entry.Name()], err = os.ReadFile(filepath.Join(r.folder, ".build/release/v0.2.0", entry.Name()))
		must.Do(r, err)
	}
	return files
}

// TestReleaseIsReproducible makes a release twice as docs/develop.md describes: both have the same
// bytes.
func TestReleaseIsReproducible(t *testing.T) {
	r := newRepository(t)
	platforms := []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64"}
	host := runtime.GOOS + "/" + runtime.GOARCH
	if !nightly.Whole(t) {
		platforms = []string{host}
		r.env = append(r.env, "PLATFORMS="+host)
	}
	began := time.Now()
	r.documented("Releases")
	t.Logf("a release for %v took %s", platforms, time.Since(began).Round(time.Second))
	first := r.files()

	want := []string{"SHA256SUMS", "licences.txt", "notes.md", "tokenlaunch-0.2.0.tgz", "tokenlaunch-0.2.0.tgz.cdx.json"}
	for _, p := range platforms {
		name := "tokenlaunch-v0.2.0-" + strings.ReplaceAll(p, "/", "-")
		want = append(want, name, name+".cdx.json")
	}
	slices.Sort(want)
	if got := slices.Sorted(maps.Keys(first)); !slices.Equal(got, want) {
		t.Errorf("the release has %v, want %v", got, want)
	}
	if sums := strings.Count(string(first["SHA256SUMS"]), "\n"); sums != len(want)-1 {
		t.Errorf("%d files have sums, want %d", sums, len(want)-1)
	}
	commit := strings.TrimSpace(r.run("git", "rev-parse", "v0.2.0^{commit}"))
	short := func(revision string) string {
		return strings.TrimSpace(r.run("git", "rev-parse", "--short=12", revision))
	}
	fix, added, other := short("v0.2.0~2"), short("v0.2.0~1"), short("v0.2.0^{commit}")
	notes := "# v0.2.0\n\n2026-03-02, commit " + commit + ", after v0.1.0\n" +
		"\n## Security\n\n- a bent wing let paper out (" + fix + ")\n" +
		"\n## Fix\n\n- Fix crane: both wings fold (" + fix + ")\n" +
		"\n## Add\n\n- Add crane (" + added + ")\n" +
		"\n## Other\n\n- Fold the crane (" + other + ")\n"
	if got := string(first["notes.md"]); got != notes {
		t.Errorf("notes.md is\n%s\nwant\n%s", got, notes)
	}
	command := filepath.Join(r.folder, ".build/release/v0.2.0/tokenlaunch-v0.2.0-"+strings.ReplaceAll(host, "/", "-"))
	if got, want := r.run(command, "version"), "tokenlaunch 0.2.0 "+commit+" 2026-03-02T12:00:00Z\n"; got != want {
		t.Errorf("the command says %q, want %q", got, want)
	}
	r.checkBills(first)
	for _, part := range []string{"== go@go1.", "== github.com/gagliardetto/solana-go@v"} {
		if !strings.Contains(string(first["licences.txt"]), part) {
			t.Errorf("there is no licence of %q", part)
		}
	}
	if packed := r.run("tar", "-xzOf", ".build/release/v0.2.0/tokenlaunch-0.2.0.tgz", "package/package.json"); !strings.Contains(packed, `"version": "0.2.0"`) {
		t.Errorf("the TypeScript package has %s", packed)
	}

	// Again, from a work tree that has gone on, and built in another folder.
	r.commit("Unfold it")
	must.Do(t, os.WriteFile(filepath.Join(r.folder, "pkg/client/client.go"), []byte("package broken"), 0o600))
	r.run("make", "release", "VERSION=v0.2.0")
	second := r.files()
	for name, content := range first {
		if !bytes.Equal(second[name], content) {
			t.Errorf("%s has other bytes the second time", name)
		}
	}
	if len(second) != len(first) {
		t.Errorf("%d files the second time, %d the first", len(second), len(first))
	}
}

// checkBills reads the bills of materials: each names what it is of, and parts of it.
func (r repository) checkBills(files map[string][]byte) {
	r.Helper()
	for name, content := range files {
		if !strings.HasSuffix(name, ".cdx.json") {
			continue
		}
		var bill struct {
			BomFormat  string
			Metadata   struct{ Component struct{ Version string } }
			Components []struct{ Name string }
		}
		must.Do(r, json.Unmarshal(content, &bill))
		part := map[bool]string{true: "@noble/curves", false: "github.com/gagliardetto/solana-go"}[strings.Contains(name, ".tgz.")]
		named := slices.ContainsFunc(bill.Components, func(c struct{ Name string }) bool { return c.Name == part })
		if bill.BomFormat != "CycloneDX" || strings.TrimPrefix(bill.Metadata.Component.Version, "v") != "0.2.0" || !named {
			r.Errorf("%s is %+v, want CycloneDX of 0.2.0 with %s", name, bill, part)
		}
	}
}

// TestInvalidGoVersionIsRejected before anything is built.
func TestInvalidGoVersionIsRejected(t *testing.T) {
	r := newRepository(t)
	for version, says := range map[string]string{
		"":        `VERSION is "": it must be a version with a v, as in VERSION=v1.2.0`,
		"1.2.0":   `VERSION is "1.2.0"`,
		"v1.2":    `VERSION is "v1.2"`,
		"v1.02.0": `VERSION is "v1.02.0"`,
		"v2.0.0":  "whose path ends with /v2",
	} {
		_, err := release.Run(t.Context(), r.folder, r.env, "make", "release", "VERSION="+version)
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("VERSION=%s: %v, want %q", version, err, says)
		}
	}
	if left, err := filepath.Glob(filepath.Join(r.folder, ".build/release/*")); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}

// TestStackHasVersion tests that a stage's release has the version that git describe prints.
func TestStackHasVersion(t *testing.T) {
	r := newRepository(t)
	root, err := project.Find()
	must.Do(t, err)
	for _, installed := range []string{".build", "infra/local/node_modules"} {
		must.Do(t, os.Symlink(root.Path(installed), filepath.Join(r.folder, installed)))
	}
	commit := strings.TrimSpace(r.run("git", "rev-parse", "--short=12", "HEAD"))
	r.env = append(r.env, "STAGE=dev", "RELEASES="+t.TempDir(),
		"CONTEXT=-c treasuryAddress=11111111111111111111111111111112 -c ipfsApiUrl=https://ipfs.example")
	made := strings.Split(strings.TrimSpace(r.run("sh", "infra/tools/assemble.sh")), "\n")
	text, err := os.ReadFile(filepath.Join(made[len(made)-1], "token-launch-dev.template.json"))
	must.Do(t, err)
	if want := `"VERSION": "0.1.0-3-g` + commit + `"`; strings.Count(string(text), want) != 1 {
		t.Errorf("%v has no %s", made, want)
	}
}

// TestModulePathCanChange: one step of docs/develop.md renames it, and every import is found
// under the new path. By night the renamed command is built and everything is compiled, because all
// of it is compiled again.
func TestModulePathCanChange(t *testing.T) {
	r := newRepository(t)
	old := strings.TrimSpace(r.run("go", "list", "-m"))
	r.documented("Change the path of the Go module")
	now := strings.TrimSpace(r.run("go", "list", "-m"))
	if now == old {
		t.Fatalf("the module is still %s", now)
	}
	if left, err := grep(t.Context(), r.folder, old); err != nil || left != "" {
		t.Errorf("%s is still written in\n%s%v", old, left, err)
	}
	if unformatted := r.run("gofmt", "-l", "."); unformatted != "" {
		t.Errorf("not formatted any more:\n%s", unformatted)
	}
	for _, module := range []string{".", "infra"} {
		if listed := r.run("go", "-C", module, "list", "-deps", "-test", "-f", "{{.ImportPath}}{{range .DepsErrors}} {{.}}{{end}}", "./..."); !strings.Contains(listed, now+"/pkg/client\n") || strings.Contains(listed, old) {
			t.Errorf("the packages of %s are\n%s", module, listed)
		}
	}
	if nightly.Whole(t) {
		built := filepath.Join(r.folder, "tokenlaunch")
		r.run("go", "build", "-trimpath", "-buildvcs=false", "-o", built, "./pkg/client/tokenlaunch")
		if got := r.run("go", "version", "-m", built); !strings.Contains(got, "\tpath\t"+now+"/pkg/client/tokenlaunch\n") {
			t.Errorf("the command is of %s", got)
		}
		r.run("go", "vet", "./...")
		r.run("go", "-C", "infra", "vet", "./...")
	}
}

// grep lists the files that have a text.
func grep(ctx context.Context, folder, text string) (string, error) {
	c := exec.CommandContext(ctx, "git", "grep", "-lF", text)
	c.Dir = folder
	out, err := c.Output()
	if c.ProcessState != nil && c.ProcessState.ExitCode() == 1 { // none
		err = nil
	}
	return string(out), err
}
