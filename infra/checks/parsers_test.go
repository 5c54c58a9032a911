// Package checks_test holds lists of the repository against its code.
package checks_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var target = regexp.MustCompile(`(?m)^func (Fuzz\w+)\(\w+ \*testing\.F\)`)

// sources returns the text of every Go file of the repository, by its path from there.
func sources(t *testing.T) map[string]string {
	t.Helper()
	root := os.DirFS(filepath.Join("..", ".."))
	texts := map[string]string{}
	for _, module := range []string{"pkg", "functions", "infra"} {
		err := fs.WalkDir(root, module, func(file string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case entry.Name() == "node_modules":
				return fs.SkipDir
			case path.Ext(file) != ".go":
				return nil
			}
			text, err := fs.ReadFile(root, file)
			texts[file] = string(text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return texts
}

// decoders are the functions that read bytes of other parties. encoding/hex and base58 make
// bytes that another one reads.
var decoders = regexp.MustCompile(`\bjson\.(?:Unmarshal|NewDecoder)\(|\bbinary\.(?:Little|Big)Endian\.Uint|\bimage\.Decode|\bmultipart\.NewReader\(|\basn1\.Unmarshal\(`)

// trusted decode what only we write, or hand it to a package with a target; each with why.
var trusted = map[string]string{
	"pkg/client":                       "answers of the service that its user names, and their own key, by encoding/json",
	"pkg/client/tokenlaunch":           "its user's own order, and what it kept of a launch itself, by encoding/json",
	"pkg/aws/launchtable/figures":      "items of our tables",
	"pkg/aws/ledgertable":              "items of our tables",
	"pkg/aws/windowtable/statusrecord": "items of our tables",
	"pkg/aws/dynamo":                   "items of our tables, as their streams have them",
	"pkg/api/endpoint/announcer":       "records of our tables' streams",
	"pkg/api/endpoint/courier":         "events of our queue and rule; package webhook reads the messages",
	"pkg/api/endpoint/dispatcher":      "events of our queue and rules; package dispatch reads the messages",
	"pkg/api/endpoint/notifier":        "events of our queue and rule; package sqsqueue reads the messages",
	"pkg/api/endpoint/docs":            "our own OpenAPI document",
	"pkg/api/endpoint/docs/page":       "our own OpenAPI document",
	"pkg/distribution/journal":         "our own copies in the ledger's bucket",
	"pkg/aws/lambdafn":                 "answers of our own deriver and signer",
	"pkg/provider/marketmaker":         "our own quote, as it was stored; exchange/rest reads the answers",
	"pkg/proof/format":                 "fuzzed by package proof: FuzzLines, FuzzDecodeManifest, FuzzReadAnchor",
	"pkg/web/page":                     "the manifest of our own build, which is embedded",
	"pkg/solana/computebudget":         "fuzzed by package transaction: FuzzChanges",
	"pkg/aws/sqsqueue":                 "our own queues",
}

// A package that decodes has a fuzz target, or a reason in trusted.
func TestDecodersHaveTargets(t *testing.T) {
	fuzzed, decode := map[string]bool{}, map[string]bool{}
	for file, text := range sources(t) {
		folder := path.Dir(file)
		switch {
		case strings.HasSuffix(file, "_test.go"):
			fuzzed[folder] = fuzzed[folder] || target.MatchString(text)
		case !strings.HasPrefix(file, "infra/") && !support.MatchString(folder) && decoders.MatchString(text):
			decode[folder] = true
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
var support = regexp.MustCompile(`^pkg/testkit/|test$|payouttest|runworld|/generate$|/openapi$`)
