package checks_test

import (
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"tokenlaunch.example/service/infra/runbook"
	"tokenlaunch.example/service/pkg/testkit/eventtest"
)

// carriedOut are the documents whose blocks a test runs: infra/runbook and infra/e2e.
var carriedOut = []string{"README.md", "docs/operations.md", "docs/recovery.md", "docs/integrate.md", "pkg/client/typescript/README.md"}

// carriedOutBelow are the headings whose blocks a test runs, by the document: infra/release and
// infra/e2e.
var carriedOutBelow = map[string]string{"docs/develop.md": "Releases", "docs/command-line.md": "The command line"}

var (
	span     = regexp.MustCompile("`([^`]+)`")
	link     = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	title    = regexp.MustCompile(`(?m)^#+ (.+)$`)
	place    = regexp.MustCompile(`^(pkg|infra|functions|events|docs)/[\w./-]*[\w/]$`)
	declared = regexp.MustCompile(`\.[A-Z]\w*$`) // by the package before it
	tested   = regexp.MustCompile(`^(Test|Fuzz|Benchmark)[A-Z]\w+$`)
	set      = regexp.MustCompile(`^[A-Z_]+=`)
	goal     = regexp.MustCompile(`(?m)^([a-z-]+):`)
)

// TestWhatTheDocumentsNameIsThere: links and their anchors, paths, tests and commands. A block of
// commands that a test does not carry out has only commands that are checked here, or the reason
// why it is not run.
func TestWhatTheDocumentsNameIsThere(t *testing.T) {
	root := filepath.Join("..", "..")
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(root, name)) // #nosec G304 -- a document of the project
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	d := checker{T: t, root: root, tests: testsOf(sources(t)), makefile: read("Makefile"), client: sync.OnceValue(func() string { return build(t, root) })}
	documents, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"README.md", "infra/browser/README.md", "pkg/client/typescript/README.md"}
	for _, file := range documents {
		names = append(names, "docs/"+filepath.Base(file))
	}
	for _, name := range names {
		d.document, d.text = name, read(name)
		d.links(read)
		blocks, err := runbook.Blocks(name, d.text)
		if err != nil {
			t.Error(err)
		}
		for _, b := range blocks {
			if slices.Contains(carriedOut, name) || carriedOutBelow[name] == b.Heading || b.Excuse != "" {
				continue
			}
			for line := range strings.Lines(strings.ReplaceAll(b.Commands, "\\\n", " ")) {
				if command, _, _ := strings.Cut(strings.TrimSpace(line), " #"); command != "" && !d.command(command) {
					t.Errorf("%s: no test runs %q, and no reason is given", b, command)
				}
			}
		}
		for _, found := range span.FindAllStringSubmatch(regexp.MustCompile("(?s)```.*?```").ReplaceAllString(d.text, ""), -1) {
			d.named(strings.Join(strings.Fields(found[1]), " "))
		}
	}
}

type checker struct {
	*testing.T
	root, document, text, makefile string
	tests                          map[string][]string
	client                         func() string
}

func (d checker) exists(name string) bool {
	_, err := os.Stat(filepath.Join(d.root, filepath.FromSlash(name)))
	return err == nil
}

// links checks the document's links to files here.
func (d checker) links(read func(string) string) {
	for _, found := range link.FindAllStringSubmatch(d.text, -1) {
		file, anchor, hasAnchor := strings.Cut(found[1], "#")
		if strings.Contains(file, "://") {
			continue
		}
		if file = path.Join(path.Dir(d.document), file); strings.HasPrefix(found[1], "#") {
			file = d.document
		}
		if !d.exists(file) {
			d.Errorf("%s links to %s, which is not there", d.document, found[1])
		} else if hasAnchor && !slices.ContainsFunc(title.FindAllStringSubmatch(read(file), -1), func(of []string) bool { return slug(of[1]) == anchor }) {
			d.Errorf("%s links to %s: %s has no such heading", d.document, found[1], file)
		}
	}
}

// slug is a heading's anchor, as GitHub makes it.
func slug(heading string) string {
	heading = link.ReplaceAllString(strings.ToLower(heading), "]")
	return strings.ReplaceAll(regexp.MustCompile(`[^\p{L}\p{N}_ -]`).ReplaceAllString(heading, ""), " ", "-")
}

// named checks what is between two backticks, if it is of a kind that can be.
func (d checker) named(text string) {
	switch {
	case place.MatchString(text) && !d.exists(declared.ReplaceAllString(text, "")):
		d.Errorf("%s names %s, which is not there", d.document, text)
	case tested.MatchString(text) && !d.function(func(string) bool { return true }, "^"+text):
		d.Errorf("%s names %s, and no test is called so", d.document, text)
	default:
		d.command(text)
	}
}

// command checks a command's line, and reports whether it is of a kind that can be checked.
func (d checker) command(text string) bool {
	words := strings.Fields(strings.NewReplacer("[", "", "]", "", "'", "", `"`, "").Replace(text))
	for len(words) > 0 && set.MatchString(words[0]) {
		words = words[1:]
	}
	switch {
	case len(words) < 2:
		return false
	case words[0] == "make":
		d.make(words[1:])
	case words[0] == "go" && words[1] == "test":
		d.test(text, words[2:])
	case words[0] == "go" && words[1] == "run" && words[2] == "-C":
		if folder := path.Join(words[3], words[4]); !d.exists(folder) {
			d.Errorf("%s: %s: there is no folder %s", d.document, text, folder)
		}
	case words[0] == "tokenlaunch": // it parses the call before it prints help
		words = strings.Fields(strings.ReplaceAll(strings.Join(words, " "), " FILE", " "+os.DevNull))
		command := exec.CommandContext(d.Context(), d.client(), append(words[1:], "--help")...) // #nosec G204 -- from our documents
		if out, err := command.CombinedOutput(); err != nil {
			d.Errorf("%s: %s: %v: %s", d.document, text, err, out)
		}
	default:
		return false
	}
	return true
}

// make checks that the Makefile has the targets, and the files that make invoke is given.
func (d checker) make(words []string) {
	targets := goal.FindAllStringSubmatch(d.makefile, -1)
	for _, word := range words {
		name, value, given := strings.Cut(word, "=")
		switch {
		case name == "FN" && value != "FN" && !d.exists("functions/"+value), name == "EVENT" && value != "EVENT" && path.Ext(value) == "" && !isEvent(value):
			d.Errorf("%s: make %s: there is no %s", d.document, strings.Join(words, " "), word)
		case !given && word == words[0] && !slices.ContainsFunc(targets, func(of []string) bool { return of[1] == word }):
			d.Errorf("%s: the Makefile has no target %s", d.document, word)
		}
	}
}

// isEvent reports whether a sample event has the name.
func isEvent(name string) bool {
	_, err := eventtest.Event(name)
	return err == nil
}

// test checks that the packages of a go test have the tests or benchmarks that it is to run.
func (d checker) test(text string, words []string) {
	pattern, folder := "", ""
	for i, word := range words {
		switch {
		case strings.HasPrefix(word, "./"):
			folder = path.Clean(word)
		case (word == "-run" || word == "-bench") && !slices.Contains([]string{"-", "^$"}, words[i+1]):
			pattern = words[i+1]
		}
	}
	in := func(file string) bool { return path.Dir(file) == folder }
	if strings.HasSuffix(folder, "/...") {
		in = func(file string) bool { return strings.HasPrefix(file, strings.TrimSuffix(folder, "...")) }
	}
	if folder != "" && !d.function(in, pattern) {
		d.Errorf("%s: %s finds no test", d.document, text)
	}
}

// function reports whether the files have a test, a benchmark or a fuzz target of such a name.
func (d checker) function(in func(file string) bool, name string) bool {
	pattern, err := regexp.Compile(strings.Split(name, "/")[0])
	if err != nil {
		d.Error(err)
		return true
	}
	for file, names := range d.tests {
		if in(file) && slices.ContainsFunc(names, pattern.MatchString) {
			return true
		}
	}
	return false
}

// testsOf returns the names of the tests, benchmarks and fuzz targets of each file.
func testsOf(sources map[string]string) map[string][]string {
	tests := map[string][]string{}
	for file, source := range sources {
		if strings.HasSuffix(file, "_test.go") {
			for _, found := range functions.FindAllStringSubmatch(source, -1) {
				tests[file] = append(tests[file], found[1])
			}
		}
	}
	return tests
}

var functions = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)\w+)\(`)

// build returns the path of the command tokenlaunch.
func build(t *testing.T, root string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "tokenlaunch")
	command := exec.CommandContext(t.Context(), "go", "build", "-o", file, "./pkg/client/tokenlaunch") // #nosec G204 -- our own
	command.Dir = root
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return file
}

// TestCitedDecisionsExist: every citation of decisions in a tracked text, such as decision 22, names a
// record of docs/decisions.md, and no two records have one number.
func TestCitedDecisionsExist(t *testing.T) {
	root := filepath.Join("..", "..")
	text, err := os.ReadFile(filepath.Join(root, "docs", "decisions.md"))
	if err != nil {
		t.Fatal(err)
	}
	records := map[string]bool{}
	for _, found := range record.FindAllStringSubmatch(string(text), -1) {
		if records[found[1]] {
			t.Errorf("docs/decisions.md has two records with the number %s", found[1])
		}
		records[found[1]] = true
	}
	command := exec.CommandContext(t.Context(), "git", "grep", "-nIoE", cited)
	command.Dir = root
	lines, err := command.Output()
	if err != nil {
		t.Fatalf("git grep: %v", err)
	}
	for line := range strings.Lines(string(lines)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3) // file, line, citation
		for _, number := range digits.FindAllString(parts[2], -1) {
			if !records[number] {
				t.Errorf("%s:%s: docs/decisions.md has no record %s", parts[0], parts[1], number)
			}
		}
	}
}

// cited matches a citation of records, as git grep reads it.
const cited = `[Dd]ecisions? [0-9]+((, | and )[0-9]+)*`

var (
	record = regexp.MustCompile(`(?m)^\*\*(\d+)\.\*\* `)
	digits = regexp.MustCompile(`\d+`)
)

// TestArchitectureNamesEveryFunction: a function is in the table of docs/architecture.md.
func TestArchitectureNamesEveryFunction(t *testing.T) {
	root := filepath.Join("..", "..")
	text, err := os.ReadFile(filepath.Join(root, "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "\n## Functions\n")
	table, _, _ = strings.Cut(table, "\n## ")
	mains, err := filepath.Glob(filepath.Join(root, "functions", "*", "main.go"))
	if err != nil || len(mains) == 0 {
		t.Fatal(mains, err)
	}
	for _, main := range mains {
		if name := filepath.Base(filepath.Dir(main)); !strings.Contains(table, "`"+name+"`") {
			t.Errorf("the table has no %s", name)
		}
	}
}
