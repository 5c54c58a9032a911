package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"
)

// What the tools print: govulncheck 1.9, npm 10, pip-audit 2.10.
const (
	goFound = `{"config":{"protocol_version":"v1.0.0"}}
{"osv":{"id":"GO-2026-4503","summary":"Wrong points"}}
{"finding":{"osv":"GO-2026-5841","trace":[{"module":"m","version":"v1.0.0"}]}}
{"finding":{"osv":"GO-2026-4503","fixed_version":"v1.1.1","trace":[{"module":"filippo.io/edwards25519","version":"v1.0.0","package":"filippo.io/edwards25519"}]}}
`
	npmFound   = `{"auditReportVersion":2,"vulnerabilities":{"a":{"via":["b"]},"b":{"via":[{"title":"Bad","url":"https://x/advisories/GHSA-1"}]}}}`
	npmRefused = `{"message":"405 Method Not Allowed - POST /-/npm/v1/security/advisories/bulk","statusCode":405,"error":{"summary":""}}`
	pipFound   = `{"dependencies":[{"name":"a","version":"1","vulns":[{"id":"PYSEC-1","description":"Bad\nvery"}]}]}`
	pipSkipped = `{"dependencies":[{"name":"a","skip_reason":"Dependency not found on PyPI and could not be audited: a (1)"},{"name":"b","version":"1","vulns":[]}]}`
)

func TestAnswersOfTools(t *testing.T) {
	for name, c := range map[string]struct {
		got        outcome
		findings   string
		notChecked string
	}{
		"go: a built package":     {readGo([]byte(goFound), nil), "GO-2026-4503 filippo.io/edwards25519 v1.0.0", ""},
		"go: broken off":          {readGo([]byte(goFound), []byte("no such module")), "GO-2026-4503 filippo.io/edwards25519 v1.0.0", "no such module"},
		"go: nothing":             {readGo(nil, []byte("exec: not found")), "", "exec: not found"},
		"go: cut":                 {readGo([]byte(goFound[:60]), nil), "", "govulncheck"},
		"go: nothing found":       {readGo([]byte(`{"config":{}}`), nil), "", ""},
		"npm: found":              {readNPM([]byte(npmFound), nil), "GHSA-1 b", ""},
		"npm: refused":            {readNPM([]byte(npmRefused), nil), "", "405 Method Not Allowed"},
		"npm: nothing":            {readNPM(nil, []byte("npm warn Unknown user config\nnetwork")), "", "network"},
		"npm: nothing found":      {readNPM([]byte(`{"auditReportVersion":2,"vulnerabilities":{}}`), nil), "", ""},
		"pip: found":              {readPip([]byte(pipFound), nil), "PYSEC-1 a 1", ""},
		"pip: says well, but not": {readPip([]byte(pipSkipped), []byte("No known vulnerabilities found")), "", "1 of 2 packages"},
		"pip: nothing":            {readPip(nil, []byte("no network")), "", "no network"},
	} {
		var found []string
		for _, f := range c.got.findings {
			found = append(found, f.ID+" "+f.Part)
		}
		if got := strings.Join(found, ", "); got != c.findings {
			t.Errorf("%s: found %q, want %q", name, got, c.findings)
		}
		if (c.notChecked == "") != (c.got.notChecked == "") || !strings.Contains(c.got.notChecked, c.notChecked) {
			t.Errorf("%s: not checked %q, want %q", name, c.got.notChecked, c.notChecked)
		}
	}
}

func TestWhatFails(t *testing.T) {
	now := time.Date(2026, 11, 22, 23, 0, 0, 0, time.UTC)
	found := outcome{findings: []finding{{"X-1", "a", "bad"}}}
	for name, c := range map[string]struct {
		outcome  outcome
		accepted string
		strict   bool
		ok       bool
		says     string
	}{
		"nothing":             {outcome{}, `[]`, true, true, "1 audits ran, 0 were not checked, 0 findings"},
		"a finding":           {found, `[]`, false, false, "FOUND: X-1 in a: bad"},
		"an accepted one":     {found, `[{"id":"X-1","reason":"why","until":"2026-11-22"}]`, true, true, "accepted until 2026-11-22: X-1 in a: why"},
		"one that was":        {found, `[{"id":"X-1","reason":"why","until":"2026-11-21"}]`, false, false, "WHICH IS OVER: X-1"},
		"not checked":         {outcome{notChecked: "away"}, `[]`, false, true, "not checked: it: away"},
		"not checked, strict": {outcome{notChecked: "away"}, `[]`, true, false, "1 were not checked"},
	} {
		accepted, err := readAccepted([]byte(c.accepted))
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		ok := report(t.Context(), []audit{{"it", func(context.Context) outcome { return c.outcome }}}, accepted, now, c.strict, &out)
		if ok != c.ok || !strings.Contains(out.String(), c.says) {
			t.Errorf("%s: %v\n%s", name, ok, &out)
		}
	}
	for _, bad := range []string{`{`, `[{"id":"X","reason":"r"}]`, `[{"id":"X","until":"2026-11-21"}]`, `[{"reason":"r","until":"2026-11-21"}]`} {
		if _, err := readAccepted([]byte(bad)); err == nil {
			t.Errorf("accepted.json %s is taken", bad)
		}
	}
	if _, err := readAccepted(acceptedFile); err != nil {
		t.Error(err)
	}
}

// Every module and lock file of the repository has its audit.
func TestEveryPartIsAudited(t *testing.T) {
	audits, err := all("../..")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, a := range audits {
		names = append(names, a.name)
	}
	for _, want := range []string{
		"Go module go.mod", "Go module infra/go.mod", "npm infra/local/package-lock.json", "npm infra/lint/package-lock.json",
		"npm infra/peer/package-lock.json", "npm infra/bench/node/package-lock.json", "npm infra/browser/package-lock.json", "npm pkg/web/page/web/package-lock.json", "pip infra/local/requirements.txt", "pip infra/contract/requirements.txt", "pip infra/tools/sam-requirements.txt",
	} {
		if !strings.Contains(strings.Join(names, "\n"), want) {
			t.Errorf("no audit of %s among\n%s", want, strings.Join(names, "\n"))
		}
	}
}
