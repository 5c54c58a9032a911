package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The table of parsers in docs/security.md has every target there is, and no other.
func TestEveryParserIsListed(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "security.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "\n## Parsers\n")
	table, _, _ = strings.Cut(table, "\n## ")
	var listed []string
	for _, match := range regexp.MustCompile("`((?:pkg|functions|infra)/[a-z0-9/]+\\.Fuzz\\w+)`").FindAllStringSubmatch(table, -1) {
		listed = append(listed, match[1])
	}
	packages, err := find(filepath.Join("..", ".."), regexp.MustCompile(""))
	if err != nil {
		t.Fatal(err)
	}
	var there []string
	for _, p := range packages {
		for _, target := range p.targets {
			there = append(there, filepath.ToSlash(p.path)+"."+target)
		}
	}
	for _, target := range there {
		if !slices.Contains(listed, target) {
			t.Errorf("%s is not in the table of parsers of docs/security.md", target)
		}
	}
	for _, target := range listed {
		if !slices.Contains(there, target) {
			t.Errorf("docs/security.md names %s, which is not there", target)
		}
	}
}

// After so many days every package has had its turn, once.
func TestEveryPackageHasItsDay(t *testing.T) {
	var packages []folder
	for i := range 10 {
		packages = append(packages, folder{path: strconv.Itoa(i)})
	}
	turns := map[string]int{}
	for day := range 3 {
		for _, p := range today(packages, 3, time.Unix(int64(day)*24*60*60, 0)) {
			turns[p.path]++
		}
	}
	for _, p := range packages {
		if turns[p.path] != 1 {
			t.Errorf("package %s has %d turns", p.path, turns[p.path])
		}
	}
}

// decoders are what reads bytes that somebody else wrote. encoding/hex and base58 make
// bytes that another one reads.
var decoders = regexp.MustCompile(`\bjson\.(?:Unmarshal|NewDecoder)\(|\bbinary\.(?:Little|Big)Endian\.Uint|\bimage\.Decode|\bmultipart\.NewReader\(|\basn1\.Unmarshal\(`)

// trusted decode what only we write, or hand it to a package with a target; each with why.
var trusted = map[string]string{
	"pkg/client":                  "answers of the service that its user names, and his own key, by encoding/json",
	"pkg/client/tokenlaunch":      "its user's own order, and what it kept of a launch itself, by encoding/json",
	"pkg/aws/ledgertable":         "items of our tables",
	"pkg/aws/windowtable":         "items of our tables",
	"pkg/api/endpoint/dispatcher": "events of our queue and rules; package dispatch reads the messages",
	"pkg/api/endpoint/docs":       "our own OpenAPI document",
	"pkg/api/endpoint/docs/page":  "our own OpenAPI document",
	"pkg/distribution/journal":    "our own copies in the ledger's bucket",
	"pkg/aws/lambdafn":            "answers of our own deriver",
	"pkg/provider/marketmaker":    "our own quote, as it was stored; exchange/rest reads the answers",
	"pkg/web/page":                "the manifest of our own build, which is embedded",
	"pkg/distribution/payout":     "instructions that we made",
	"pkg/aws/sqsqueue":            "our own queues",
	"pkg/provider/telegram":       "one field of an answer, by encoding/json",
}

// A package that decodes has a fuzz target, or a reason in trusted.
func TestDecodersHaveTargets(t *testing.T) {
	root := filepath.Join("..", "..")
	packages, err := find(root, regexp.MustCompile(""))
	if err != nil {
		t.Fatal(err)
	}
	fuzzed := map[string]bool{}
	for _, p := range packages {
		fuzzed[filepath.ToSlash(p.path)] = true
	}
	decode := map[string]bool{}
	for _, pattern := range []string{"pkg/*/*.go", "pkg/*/*/*.go", "pkg/*/*/*/*.go", "functions/*/*.go"} {
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			folder, err := filepath.Rel(root, filepath.Dir(file))
			if err != nil {
				t.Fatal(err)
			}
			folder = filepath.ToSlash(folder)
			if strings.HasSuffix(file, "_test.go") || support.MatchString(folder) {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if decoders.Match(text) {
				decode[folder] = true
			}
		}
	}
	for folder := range decode {
		if !fuzzed[folder] && trusted[folder] == "" {
			t.Errorf("%s decodes bytes and has no fuzz target: write one, or say in trusted why not", folder)
		}
	}
	for folder := range trusted {
		if !decode[folder] {
			t.Errorf("%s is in trusted and decodes nothing", folder)
		}
	}
}

// support are packages for tests and for building.
var support = regexp.MustCompile(`^pkg/(localnet|fault|figures)(/|$)|test$|payouttest|runworld|/generate$|/openapi$`)
