package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// goDatabase is where govulncheck looks, unless VULNDB names another place.
const goDatabase = "https://vuln.go.dev"

// patience bounds one audit.
const patience = 10 * time.Minute

// all lists the audits: a part that is added to the repository is in it.
func all(root string) ([]audit, error) {
	listed, err := exec.CommandContext(context.Background(), "git", "-C", root, "ls-files", "-co", "--exclude-standard").Output() // #nosec G204 -- the project's folder
	if err != nil {
		return nil, fmt.Errorf("list the project's files: %w", err)
	}
	var audits []audit
	for _, file := range strings.Fields(string(listed)) {
		folder := filepath.Join(root, filepath.FromSlash(path.Dir(file)))
		if _, err := os.Stat(filepath.Join(folder, path.Base(file))); err != nil {
			continue // removed, and git does not know yet
		}
		switch {
		case file == "infra/tools/go.mod": // the checkers themselves: nothing of the product
		case path.Base(file) == "go.mod":
			audits = append(audits, audit{"Go module " + file, func(ctx context.Context) outcome { return goModule(ctx, root, folder) }})
		case path.Base(file) == "package-lock.json":
			audits = append(audits, audit{"npm " + file, func(ctx context.Context) outcome { return npm(ctx, folder) }})
		case strings.HasSuffix(file, "requirements.txt"):
			audits = append(audits, audit{"pip " + file, func(ctx context.Context) outcome {
				return pip(ctx, root, filepath.Join(root, filepath.FromSlash(file)))
			}})
		}
	}
	if len(audits) == 0 {
		return nil, errors.New("there is nothing to audit: is -root the project's folder?")
	}
	return audits, nil
}

// output runs a program and gives what it wrote. Its status is not looked at: they
// fail both when they find something and when they cannot look.
func output(ctx context.Context, folder, program string, arguments ...string) (out, complaint []byte) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, arguments...) // #nosec G204 G702 -- the tools that the project installs
	cmd.Dir = folder
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		_, _ = fmt.Fprintf(&said, "\n%v", err)
	}
	return out, said.Bytes()
}

func goModule(ctx context.Context, root, folder string) outcome {
	database := os.Getenv("VULNDB")
	if database == "" {
		database = goDatabase
	}
	if err := reachable(ctx, database); err != nil {
		return outcome{notChecked: err.Error()}
	}
	out, complaint := output(ctx, folder, filepath.Join(root, ".local", "bin", "govulncheck"), "-db", database, "-format", "json", "./...")
	return readGo(out, complaint)
}

func reachable(ctx context.Context, database string) error {
	if !strings.HasPrefix(database, "http") {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, database+"/index/db.json", nil) // #nosec G704 -- the operator's database
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request) // #nosec G107 G704 -- the operator's database
	if err != nil {
		return fmt.Errorf("the database is not reachable: %w", err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the database answers with status %d", response.StatusCode)
	}
	return nil
}

// readGo reads govulncheck's JSON. A fault counts when a package that has it is built
// into something here, whether or not a call of it is found; that a module which is
// only required has one in another package does not.
func readGo(out, complaint []byte) outcome {
	var o outcome
	summaries, began := map[string]string{}, false
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var message struct {
			Config *struct{} `json:"config"`
			OSV    *struct {
				ID      string `json:"id"`
				Summary string `json:"summary"`
			} `json:"osv"`
			Finding *struct {
				OSV   string `json:"osv"`
				Fixed string `json:"fixed_version"`
				Trace []struct {
					Module  string `json:"module"`
					Version string `json:"version"`
					Package string `json:"package"`
				} `json:"trace"`
			} `json:"finding"`
		}
		err := decoder.Decode(&message)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return outcome{notChecked: "govulncheck: " + brief(complaint, out)}
		}
		began = began || message.Config != nil
		if message.OSV != nil {
			summaries[message.OSV.ID] = message.OSV.Summary
		}
		if f := message.Finding; f != nil && len(f.Trace) > 0 && f.Trace[0].Package != "" {
			fixed := "no version without it"
			if f.Fixed != "" {
				fixed = "mended in " + f.Fixed
			}
			o.findings = append(o.findings, finding{
				f.OSV, f.Trace[0].Module + " " + f.Trace[0].Version, summaries[f.OSV] + " (" + fixed + ")",
			})
		}
	}
	// It ends well only without findings, and with them in text alone: in JSON any
	// complaint means that it broke off.
	if !began || len(bytes.TrimSpace(complaint)) > 0 {
		o.notChecked = "govulncheck: " + brief(complaint, out)
	}
	return o
}

func npm(ctx context.Context, folder string) outcome {
	out, complaint := output(ctx, folder, "npm", "audit", "--json", "--package-lock-only")
	return readNPM(out, complaint)
}

func readNPM(out, complaint []byte) outcome {
	var answer struct {
		Report          int    `json:"auditReportVersion"`
		Message         string `json:"message"`
		Vulnerabilities map[string]struct {
			Via []json.RawMessage `json:"via"`
		} `json:"vulnerabilities"`
	}
	if err := json.Unmarshal(out, &answer); err != nil || answer.Report == 0 {
		if answer.Message != "" {
			complaint = []byte(answer.Message)
		}
		return outcome{notChecked: "npm audit: " + brief(complaint, out)}
	}
	var o outcome
	for name, v := range answer.Vulnerabilities {
		for _, raw := range v.Via {
			var via struct {
				Title string `json:"title"`
				URL   string `json:"url"`
			}
			// A word is the name of another package of the report, which has the cause.
			if json.Unmarshal(raw, &via) == nil {
				o.findings = append(o.findings, finding{path.Base(via.URL), name, via.Title})
			}
		}
	}
	return o
}

// pip asks for the first package alone before it asks for all: a source that is away is
// asked package by package, which takes minutes.
func pip(ctx context.Context, root, file string) outcome {
	text, err := os.ReadFile(file) // #nosec G304 -- a file of the project
	if err != nil {
		return outcome{notChecked: err.Error()}
	}
	first, err := os.CreateTemp("", "requirements-*.txt")
	if err != nil {
		return outcome{notChecked: err.Error()}
	}
	defer func() { _ = os.Remove(first.Name()) }()
	_, err = io.WriteString(first, pinned.FindString(string(text)))
	if err := errors.Join(err, first.Close()); err != nil {
		return outcome{notChecked: err.Error()}
	}
	if o := pipAudit(ctx, root, first.Name()); o.notChecked != "" {
		return o
	}
	return pipAudit(ctx, root, file)
}

// pinned is a package of a lock file.
var pinned = regexp.MustCompile(`(?m)^[A-Za-z0-9._-]+==[^ ;\\]+`)

func pipAudit(ctx context.Context, root, file string) outcome {
	out, complaint := output(ctx, root, filepath.Join(root, ".local", "audit", "bin", "pip-audit"),
		"-r", file, "--disable-pip", "--no-deps", "--format", "json", "--progress-spinner", "off", "--timeout", "10")
	return readPip(out, complaint)
}

func readPip(out, complaint []byte) outcome {
	var answer struct {
		Dependencies []struct {
			Name    string `json:"name"`
			Version string `json:"version"`
			Skipped string `json:"skip_reason"`
			Faults  []struct {
				ID          string `json:"id"`
				Description string `json:"description"`
			} `json:"vulns"`
		} `json:"dependencies"`
	}
	if err := json.Unmarshal(out, &answer); err != nil || len(answer.Dependencies) == 0 {
		return outcome{notChecked: "pip-audit: " + brief(complaint, out)}
	}
	var o outcome
	skipped, why := 0, ""
	for _, d := range answer.Dependencies {
		if d.Skipped != "" {
			skipped, why = skipped+1, d.Skipped
		}
		for _, f := range d.Faults {
			o.findings = append(o.findings, finding{f.ID, d.Name + " " + d.Version, brief([]byte(f.Description), nil)})
		}
	}
	if skipped > 0 { // which pip-audit takes for a success
		o.notChecked = fmt.Sprintf("pip-audit: %d of %d packages: %s", skipped, len(answer.Dependencies), why)
	}
	return o
}

// brief is the first line of the texts that says something.
func brief(texts ...[]byte) string {
	for _, text := range texts {
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimSpace(line); line != "" && !strings.Contains(line, "Unknown user config") {
				return line[:min(len(line), 200)]
			}
		}
	}
	return "it said nothing"
}
