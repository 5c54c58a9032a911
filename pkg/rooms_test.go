// Package pkg_test holds the rooms of the house, and the rule between them.
package pkg_test

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const modulePath = "tokenlaunch.example/service/"

// rule is the text of a failure.
const rule = "imports go platform ← solana ← token ← proof ← {launch, distribution ← market} ← {aws, provider, api}; " +
	"client uses proof, token, solana and platform, its command provider too; web uses token and platform, and api serves it; " +
	"nothing in production imports testkit"

// room is a folder under pkg, or another place that imports from there.
type room struct {
	name string
	// imports are the other rooms that it builds on.
	imports []string
	// network reports that it may name net and net/http. The domain leaves both to
	// adapters, and declares an interface with what it needs.
	network bool
	// modules are the third-party modules that all of its packages may use, in addition to everywhere;
	// a slash at the end means a tree.
	modules []string
}

// rooms has a row for each. A room comes after those that it imports, so there is no
// circle.
var rooms = []room{
	{name: "platform", network: true, modules: []string{"golang.org/x/sync/", "github.com/golang-jwt/jwt/v5"}},
	{name: "solana", imports: []string{"platform"}},
	{name: "token", imports: []string{"platform", "solana"}},
	{name: "proof", imports: []string{"platform", "solana", "token"}},
	{name: "launch", imports: []string{"platform", "solana", "token", "proof"}},
	{name: "distribution", imports: []string{"platform", "solana", "token", "proof"}},
	{name: "market", imports: []string{"platform", "solana", "token", "proof", "distribution"}},
	{name: "web", imports: []string{"platform", "token"}},
	{name: "aws", network: true, imports: domain, modules: []string{"golang.org/x/sync/", "github.com/aws/smithy-go/", awsSDK, awsSDK + "/aws/"}},
	{name: "provider", network: true, imports: domain},
	{name: "api", network: true, imports: append([]string{"web"}, domain...), modules: []string{"github.com/aws/aws-lambda-go/"}},
	{name: "client", network: true, imports: []string{"platform", "solana", "token", "proof"}},
	{name: "testkit", network: true, imports: append([]string{"aws", "provider", "api", "web"}, domain...), modules: []string{"github.com/aws/"}},
}

// domain are the rooms with the rules of the service. What is outside reaches them by
// interfaces that they declare.
var domain = []string{"platform", "solana", "token", "proof", "launch", "distribution", "market"}

// functions wire what is in the rooms, and import each other's shared wiring.
var functions = room{
	name: "functions", network: true, imports: append([]string{"aws", "provider", "api", "web", "functions"}, domain...),
	modules: []string{"github.com/aws/", "github.com/caarlos0/env/v11", "golang.org/x/sync/"},
}

// command is the one package of the client's room that reads a chain, and canary the one
// function that is a client.
const (
	command = "pkg/client/tokenlaunch"
	canary  = "functions/canary"
)

const awsSDK = "github.com/aws/aws-sdk-go-v2"

// everywhere are the modules that every package may use: the chain's types and
// identifiers.
var everywhere = []string{"github.com/gagliardetto/solana-go", "github.com/gagliardetto/solana-go/base58", "github.com/google/uuid"}

// dynamodb are the modules of the client of the tables.
var dynamodb = []string{awsSDK + "/feature/dynamodb/", awsSDK + "/service/dynamodb/"}

// owners are the packages that alone use a module of others.
var owners = map[string][]string{
	"pkg/api/apigw":                   {"github.com/awslabs/aws-lambda-go-api-proxy/"},
	"pkg/api/endpoint/docs":           {"go.yaml.in/yaml/v3"}, // the generator of the document
	"pkg/aws/awsconfig":               {awsSDK + "/config", awsSDK + "/credentials"},
	"pkg/aws/capstable":               dynamodb,
	"pkg/aws/dynamo":                  dynamodb,
	"pkg/aws/guardiantable":           dynamodb,
	"pkg/aws/kms":                     {awsSDK + "/service/kms/"},
	"pkg/aws/lambdafn":                {awsSDK + "/service/lambda/"},
	"pkg/aws/launchtable":             dynamodb,
	"pkg/aws/ledgertable":             dynamodb,
	"pkg/aws/s3store":                 {awsSDK + "/service/s3/"},
	"pkg/aws/secretsmanager":          {awsSDK + "/service/secretsmanager/"},
	"pkg/aws/sqsqueue":                {awsSDK + "/service/sqs/"},
	"pkg/aws/webhooktable":            dynamodb,
	"pkg/aws/windowtable":             dynamodb,
	"pkg/client":                      {"github.com/failsafe-go/failsafe-go/", "github.com/standard-webhooks/"},
	"pkg/client/agent":                {"github.com/modelcontextprotocol/go-sdk/", "github.com/google/jsonschema-go/"},
	command:                           {"github.com/alecthomas/kong", "github.com/schollz/progressbar/v3", "go.yaml.in/yaml/v3", "golang.org/x/term"},
	"pkg/distribution/holder":         {"golang.org/x/sync/"},
	"pkg/distribution/webhook":        {"golang.org/x/net/publicsuffix"},
	"pkg/platform/auth/ed25519strict": {"filippo.io/edwards25519"},
	"pkg/platform/telemetry":          {"github.com/aws/aws-lambda-go/"},
	"pkg/provider/receiver":           {"github.com/standard-webhooks/"},
	"pkg/provider/solanarpc":          {"github.com/failsafe-go/failsafe-go/"},
	"pkg/provider/telegram":           {"github.com/go-telegram/bot/"},
	"pkg/testkit/docstest":            {"github.com/getkin/kin-openapi/"},
	"pkg/launch/image":                {"golang.org/x/image/"},
	"pkg/token/visible":               {"github.com/rivo/uniseg", "golang.org/x/text/cases", "golang.org/x/text/unicode/norm"},
	"pkg/launch/unused":               {"golang.org/x/sync/"},
	"pkg/web/card":                    {"golang.org/x/image/"},
}

// vague names say nothing about what a package is for.
var vague = []string{"utils", "util", "common", "types", "models", "helpers", "helper", "misc"}

// roomOf returns the room that a folder of the repository belongs to.
func roomOf(folder string) (room, bool) {
	if strings.HasPrefix(folder, "functions/") {
		return functions, true
	}
	parts := strings.Split(folder, "/")
	i := slices.IndexFunc(rooms, func(r room) bool { return len(parts) > 1 && parts[0] == "pkg" && r.name == parts[1] })
	if i < 0 {
		return room{}, false
	}
	return rooms[i], true
}

// refuse returns the reason why a package in a folder may not import a path, or an empty string.
func refuse(folder, importPath string) string {
	r, ok := roomOf(folder)
	if !ok {
		return folder + " is in no room: see rooms in pkg/rooms_test.go"
	}
	if target, ours := strings.CutPrefix(importPath, modulePath); ours {
		to, ok := roomOf(target)
		switch {
		case !ok:
			return target + " is in no room"
		case to.name == r.name, slices.Contains(r.imports, to.name), folder == command && to.name == "provider", folder == canary && to.name == "client":
			return ""
		}
		return fmt.Sprintf("%s does not import %s: %s", r.name, to.name, rule)
	}
	if !strings.Contains(strings.SplitN(importPath, "/", 2)[0], ".") { // the standard library
		if !r.network && slices.Contains([]string{"database/sql", "net", "net/http", "os/exec"}, importPath) {
			return r.name + " leaves that to an adapter: declare an interface with what is needed"
		}
		return ""
	}
	allowed := slices.Concat(everywhere, r.modules)
	for owner, modules := range owners {
		if folder == owner || strings.HasPrefix(folder, owner+"/") {
			allowed = append(allowed, modules...)
		}
	}
	for _, a := range allowed {
		if importPath == strings.TrimSuffix(a, "/") || strings.HasSuffix(a, "/") && strings.HasPrefix(importPath, a) {
			return ""
		}
	}
	return folder + " has no business with that module: leave it to the package whose it is, or see owners in pkg/rooms_test.go"
}

// sources lists the Go files of the module, without tests, by their folder.
func sources(t *testing.T) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	for _, top := range []string{"pkg", "functions"} {
		err := fs.WalkDir(os.DirFS(".."), top, func(name string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == "node_modules") {
				return fs.SkipDir
			}
			if strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
				found[path.Dir(name)] = append(found[path.Dir(name)], name)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return found
}

func imports(t *testing.T, name string) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", filepath.FromSlash(name)), nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, spec := range file.Imports {
		importPath, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, importPath)
	}
	return paths
}

// Imports keep to the rule, and every room states its purpose.
func TestRooms(t *testing.T) {
	found := sources(t)
	for folder, files := range found {
		if slices.Contains(vague, path.Base(folder)) {
			t.Errorf("%s: the name does not say what the package is for", folder)
		}
		for _, file := range files {
			for _, importPath := range imports(t, file) {
				if why := refuse(folder, importPath); why != "" {
					t.Errorf("%s imports %s: %s", file, importPath, why)
				}
			}
		}
	}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if _, ok := roomOf("pkg/" + e.Name()); e.IsDir() && !ok {
			t.Errorf("pkg/%s is no room", e.Name())
		}
	}
	if len(rooms) > 13 {
		t.Errorf("%d rooms: the house has thirteen at most", len(rooms))
	}
	for i, r := range rooms {
		text, err := os.ReadFile(filepath.Join(r.name, "doc.go"))
		if err != nil {
			t.Errorf("%s does not say what lives there: %v", r.name, err)
		}
		for _, other := range r.imports {
			if j := slices.IndexFunc(rooms, func(o room) bool { return o.name == other }); j < 0 || j >= i {
				t.Errorf("%s imports %s, which does not come before it", r.name, other)
			}
			if !strings.Contains(string(text), other) {
				t.Errorf("pkg/%s/doc.go does not say that the room imports %s", r.name, other)
			}
		}
	}
	for folder := range owners {
		if len(found[folder]) == 0 {
			t.Errorf("%s owns modules and holds no code", folder)
		}
	}
}

// The rule itself: which imports it must reject, and which it must accept.
func TestLayerRule(t *testing.T) {
	tests := []struct {
		folder, imports string
		refused         bool
	}{
		{"pkg/token", modulePath + "pkg/platform/apperr", false},
		{"pkg/token", modulePath + "pkg/token/terms", false},
		{"pkg/token", modulePath + "pkg/market", true},
		{"pkg/token", "github.com/gagliardetto/solana-go", false},
		{"pkg/token", "github.com/gagliardetto/solana-go/rpc", true},
		{"pkg/token", "net/http", true},
		{"pkg/token", "net/url", false},
		{"pkg/token", modulePath + "pkg/aws/dynamo", true},
		{"pkg/token", "github.com/aws/aws-sdk-go-v2/service/dynamodb", true},
		{"pkg/proof", modulePath + "pkg/distribution/run", true},
		{"pkg/launch", modulePath + "pkg/distribution/run", true},
		{"pkg/distribution/run", modulePath + "pkg/market/venue", true},
		{"pkg/market/venue", modulePath + "pkg/distribution/exchange", false},
		{"pkg/launch", modulePath + "pkg/testkit/launchtest", true},
		{"pkg/api/route", "net/http", false},
		{"pkg/aws/dynamo", modulePath + "pkg/token", false},
		{"pkg/aws/dynamo", "github.com/aws/aws-sdk-go-v2/service/dynamodb/types", false},
		{"pkg/aws/dynamo", "github.com/aws/aws-sdk-go-v2/service/kms", true},
		{"pkg/aws/dynamo", modulePath + "pkg/provider/solanarpc", true},
		{"pkg/provider/solanarpc", "net/http", false},
		{"pkg/api/endpoint/tokens", modulePath + "pkg/api/apigw/body", false},
		{"pkg/api/endpoint/tokens", modulePath + "pkg/aws/dynamo", true},
		{"pkg/web/page", modulePath + "pkg/launch", true},
		{"pkg/client", modulePath + "pkg/provider/solanarpc", true},
		{command, modulePath + "pkg/provider/solanarpc", false},
		{command, modulePath + "pkg/aws/kms", true},
		{"functions/tokens", modulePath + "pkg/aws/dynamo", false},
		{"functions/tokens", modulePath + "pkg/testkit/localnet", true},
		{"functions/tokens", modulePath + "pkg/client", true},
	}
	for _, test := range tests {
		if why := refuse(test.folder, test.imports); (why != "") != test.refused {
			t.Errorf("%s imports %s: refused %q, want refused %v", test.folder, test.imports, why, test.refused)
		}
	}
}

// links returns the packages that some link, each with the way to it, and calls visit with
// every import.
func links(t *testing.T, starts []string, visit func(file, importPath, way string)) map[string]string {
	t.Helper()
	found, ways := sources(t), map[string]string{}
	var follow func(folder, way string)
	follow = func(folder, way string) {
		if _, seen := ways[folder]; seen {
			return
		}
		ways[folder] = way
		for _, file := range found[folder] {
			for _, importPath := range imports(t, file) {
				visit(file, importPath, way)
				if ours, ok := strings.CutPrefix(importPath, modulePath); ok {
					follow(ours, way+", "+ours)
				}
			}
		}
	}
	for _, start := range starts {
		follow(start, start)
	}
	if len(ways) < 10 {
		t.Errorf("only %d packages were checked", len(ways))
	}
	return ways
}

// A program that uses the client, or the command, links no package of AWS.
func TestClientLinksNoAWS(t *testing.T) {
	links(t, []string{"pkg/client", "pkg/client/tokenlaunch"}, func(file, importPath, way string) {
		if strings.HasPrefix(importPath, "github.com/aws/") || strings.HasPrefix(importPath, "github.com/awslabs/") {
			t.Errorf("%s imports %s, by way of %s", file, importPath, way)
		}
	})
}

// The function that signs in links nothing of the domain except how a transaction is written,
// by which some wallets sign in; what the tables share links nothing of it.
func TestSigningInNeedsNoDomain(t *testing.T) {
	format := []string{"pkg/solana/signin", "pkg/solana/wire"}
	ways := links(t, []string{"functions/auth", "pkg/aws/dynamo"}, func(string, string, string) {})
	for folder, way := range ways {
		if r, _ := roomOf(folder); r.name != "platform" && slices.Contains(domain, r.name) && !slices.Contains(format, folder) {
			t.Errorf("%s is linked, by way of %s", folder, way)
		}
	}
}
