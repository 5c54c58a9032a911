// Package pkg_test holds the direction of imports: functions → domain, adapters
// and endpoints; adapters → domain and one outside thing; domain → domain.
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

// class is what a package is for; it decides what the package may import.
type class string

const (
	// domain packages hold the rules of the service. They import each other, the
	// standard library without the network, and the few modules that they name.
	domain class = "domain package"
	// An adapter speaks to one outside thing in the words of the domain.
	adapter class = "adapter"
	// An endpoint turns requests into calls of the domain.
	endpoint class = "endpoint"
	// A function wires the others together.
	function class = "function"
	// A tool runs while the project is built.
	tool class = "build tool"
	// Test support is for tests, here and in infra.
	support class = "test support"
)

// mayImport says which of our own packages each class builds on.
var mayImport = map[class][]class{
	domain:   {domain},
	adapter:  {domain},
	endpoint: {domain},
	function: {domain, adapter, endpoint, function},
	tool:     {domain, tool},
	support:  {domain, adapter, endpoint, tool, support},
}

// everywhere are the modules that every package may use: types of the ledger and
// identifiers.
var everywhere = []string{"github.com/gagliardetto/solana-go", "github.com/google/uuid"}

// offLimits is what the domain leaves to adapters, of the standard library.
var offLimits = []string{"database/sql", "net", "net/http", "os/exec"}

// rules of one package. outside lists what it may import beyond its class: an
// import path, or a tree of them with a slash at the end.
type rules struct {
	class   class
	outside []string
}

func is(c class, outside ...string) rules { return rules{class: c, outside: outside} }

const (
	awsSDK         = "github.com/aws/aws-sdk-go-v2/aws/"
	awsCore        = "github.com/aws/aws-sdk-go-v2/aws"
	awsCredentials = "github.com/aws/aws-sdk-go-v2/credentials"
	awsConfig      = "github.com/aws/aws-sdk-go-v2/config"
	awsLambda      = "github.com/aws/aws-lambda-go/"
	awsHTTP        = modulePath + "pkg/aws/awsconfig"

	outboundHTTP = modulePath + "pkg/platform/httpclient"
)

// packages lists every package: one that is missing here fails the test.
var packages = map[string]rules{
	"pkg/proof/allocation":      is(domain),
	"pkg/platform/apperr":       is(domain),
	"pkg/token/content":         is(domain),
	"pkg/platform/auth":         is(domain),
	"pkg/platform/auth/jwt":     is(domain, "github.com/golang-jwt/jwt/v5"),
	"pkg/platform/auth/siws":    is(domain),
	"pkg/web/card":              is(domain, "golang.org/x/image/"),
	"pkg/platform/decimal":      is(domain),
	"pkg/distribution/dispatch": is(domain),
	"pkg/distribution/books":    is(domain),
	"pkg/token/terms":           is(domain),
	"pkg/distribution/exchange": is(domain),
	"pkg/aws/dynamo/meter":      is(support, "github.com/aws/aws-sdk-go-v2/service/dynamodb/", "github.com/aws/smithy-go/middleware"),
	"pkg/aws/dynamo/schema":     is(domain),
	"pkg/platform/idempotency":  is(domain),
	"pkg/launch/image":          is(domain),
	"pkg/inflate":               is(domain),
	"pkg/distribution/journal":  is(domain),
	"pkg/jpegplane":             is(domain),
	"pkg/launch":                is(domain),
	"pkg/market/featured":       is(domain),
	"pkg/market":                is(domain),
	"pkg/market/cpmm":           is(domain),
	"pkg/market/bonding":        is(domain),
	"pkg/market/index":          is(domain),
	"pkg/market/launchpad":      is(domain),
	"pkg/market/venue":          is(domain),
	"pkg/market/watch":          is(domain),
	"pkg/solana/meteora":        is(domain),
	"pkg/solana/raydium":        is(domain),
	"pkg/platform/metric":       is(domain),
	"pkg/platform/status":       is(domain),
	"pkg/proof/merkle":          is(domain),
	"pkg/launch/nonce":          is(domain),
	"pkg/distribution/notice":   is(domain),
	"pkg/distribution/payout":   is(domain),
	"pkg/pngrows":               is(domain),
	"pkg/web/page":              is(domain),
	"pkg/proof":                 is(domain),
	"pkg/distribution/preview":  is(domain),
	"pkg/radix":                 is(domain),
	"pkg/platform/ratelimit":    is(domain),
	"pkg/launch/reconcile":      is(domain),
	"pkg/resample":              is(domain),
	"pkg/api/route":             is(domain, "net/http"), // for the names of methods
	"pkg/distribution/run":      is(domain),
	"pkg/proof/snapshot":        is(domain),
	"pkg/platform/secret":       is(domain, "golang.org/x/sync/singleflight"),
	"pkg/distribution/settings": is(domain),
	"pkg/platform/logctx":       is(domain),
	"pkg/solana/base58":         is(domain),
	"pkg/solana/computebudget":  is(domain),
	"pkg/solana/creation":       is(domain),
	"pkg/solana/ed25519curve":   is(domain, "filippo.io/edwards25519/field"),
	"pkg/solana/programerror":   is(domain),
	"pkg/solana/systemprogram":  is(domain),
	"pkg/solana/token2022":      is(domain),
	"pkg/solana/wire":           is(domain),
	"pkg/token":                 is(domain),
	"pkg/solana/transaction":    is(domain),
	"pkg/token/wallet":          is(domain),

	"pkg/api/apigw":             is(adapter, awsLambda, "github.com/awslabs/aws-lambda-go-api-proxy/"),
	"pkg/api/apigw/body":        is(adapter),
	"pkg/api/apigw/contract":    is(adapter, modulePath+"pkg/api/apigw/"),
	"pkg/client":                is(adapter, outboundHTTP, "github.com/failsafe-go/failsafe-go/"),
	"pkg/client/bundle":         is(adapter, outboundHTTP),
	"pkg/aws/awsconfig":         is(adapter, awsCore, awsSDK, awsCredentials, "github.com/aws/smithy-go/logging"),
	"pkg/aws/awsconfig/profile": is(adapter, awsCore, awsConfig, awsHTTP),
	"pkg/api/batch":             is(adapter, awsLambda),
	"pkg/platform/httpclient":   is(adapter),
	"pkg/provider/solanarpc":    is(adapter, outboundHTTP, "github.com/failsafe-go/failsafe-go/"),
	"pkg/provider/helius":       is(adapter, outboundHTTP),
	"pkg/provider/ipfs":         is(adapter, outboundHTTP, "github.com/multiformats/go-multibase"),
	"pkg/aws/kms":               is(adapter, awsCore, awsSDK, "github.com/aws/aws-sdk-go-v2/service/kms/", "golang.org/x/sync/errgroup"),
	"pkg/provider/rest":         is(adapter, outboundHTTP),
	"pkg/provider/jupiter":      is(adapter, modulePath+"pkg/provider/rest"),
	"pkg/provider/marketmaker":  is(adapter, modulePath+"pkg/provider/rest"),
	"pkg/aws/lambdafn":          is(adapter, awsCore, awsSDK, "github.com/aws/aws-sdk-go-v2/service/lambda/"),
	"pkg/aws/s3store":           is(adapter, awsCore, awsSDK, "github.com/aws/aws-sdk-go-v2/service/s3/"),
	"pkg/aws/sqsqueue":          is(adapter, awsCore, awsSDK, "github.com/aws/aws-sdk-go-v2/service/sqs/", "golang.org/x/sync/errgroup"),
	"pkg/aws/secretsmanager":    is(adapter, awsCore, "github.com/aws/aws-sdk-go-v2/service/secretsmanager/"),
	"pkg/provider/telegram":     is(adapter, outboundHTTP, "github.com/go-telegram/bot/"),
	"pkg/platform/telemetry":    is(adapter, awsLambda),
	"pkg/aws/dynamo": is(adapter, awsCore, awsSDK,
		"github.com/aws/aws-sdk-go-v2/feature/dynamodb/", "github.com/aws/aws-sdk-go-v2/service/dynamodb/",
		"github.com/aws/smithy-go/"),

	"pkg/api/endpoint/auth":         is(endpoint, modulePath+"pkg/api/apigw/"),
	"pkg/api/endpoint/authorizer":   is(endpoint, modulePath+"pkg/api/apigw/", awsLambda),
	"pkg/api/endpoint/burns":        is(endpoint, modulePath+"pkg/api/apigw/"),
	"pkg/api/endpoint/deriver":      is(endpoint),
	"pkg/api/endpoint/dex":          is(endpoint, modulePath+"pkg/api/apigw/"),
	"pkg/api/endpoint/featured":     is(endpoint, modulePath+"pkg/api/apigw/"),
	"pkg/api/endpoint/launchpad":    is(endpoint, modulePath+"pkg/api/apigw/"),
	"pkg/api/endpoint/distribution": is(endpoint, modulePath+"pkg/api/apigw/"),
	"pkg/api/endpoint/dispatcher":   is(endpoint, awsLambda),
	"pkg/api/endpoint/distributor":  is(endpoint, modulePath+"pkg/api/batch"),
	"pkg/api/endpoint/payer":        is(endpoint, modulePath+"pkg/api/batch"),
	"pkg/api/endpoint/docs":         is(endpoint, modulePath+"pkg/api/apigw/"),
	"pkg/api/endpoint/docs/page":    is(tool),
	"pkg/api/endpoint/images":       is(endpoint, modulePath+"pkg/api/apigw/"),
	"pkg/api/endpoint/monitor":      is(endpoint, awsLambda),
	"pkg/api/endpoint/notifier":     is(endpoint, awsLambda, modulePath+"pkg/api/batch"),
	"pkg/api/endpoint/pinner":       is(endpoint, awsLambda, modulePath+"pkg/api/batch"),
	"pkg/api/endpoint/reconciler":   is(endpoint, awsLambda),
	"pkg/api/endpoint/tokens":       is(endpoint, modulePath+"pkg/api/apigw/"),

	"infra/operate/restore":       is(function, awsCore, awsSDK, "github.com/aws/aws-sdk-go-v2/service/s3/", "github.com/caarlos0/env/"),
	"pkg/client/tokenlaunch":      is(function, "github.com/alecthomas/kong", "github.com/schollz/progressbar/v3", "go.yaml.in/yaml/v3", "golang.org/x/term"),
	"infra/operate/verifywallets": is(function, awsCore, "github.com/aws/aws-sdk-go-v2/service/kms/", "github.com/aws/aws-sdk-go-v2/service/lambda/"),
	"infra/operate/hide":          is(function, "github.com/caarlos0/env/"),

	"pkg/api/endpoint/docs/openapi":          is(tool, "go.yaml.in/yaml/v3"),
	"pkg/api/endpoint/docs/openapi/generate": is(tool),

	"pkg/testkit/authtest":             is(support),
	"pkg/testkit/docstest":             is(support, "github.com/getkin/kin-openapi/"),
	"pkg/testkit/fault":                is(support),
	"pkg/testkit/fault/function":       is(support),
	"pkg/testkit/figures":              is(support),
	"pkg/testkit/launchtest":           is(support, "github.com/aws/aws-sdk-go-v2/"),
	"pkg/testkit/localnet":             is(support, "github.com/aws/aws-sdk-go-v2/"),
	"pkg/testkit/payouttest":           is(support, "github.com/aws/aws-sdk-go-v2/"),
	"pkg/testkit/localnet/child":       is(support),
	"pkg/testkit/localnet/marketmaker": is(support),
	"pkg/testkit/localnet/dex":         is(support),
	"pkg/testkit/localnet/ministack":   is(support, "github.com/aws/aws-sdk-go-v2/"),
	"pkg/testkit/localnet/project":     is(support),
	"pkg/testkit/localnet/surfpool":    is(support),
	"pkg/testkit/idempotencytest":      is(support),
	"pkg/testkit/ratelimittest":        is(support),
	"pkg/testkit/runtest":              is(support),
	"pkg/testkit/runworld":             is(support, "github.com/aws/aws-sdk-go-v2/"),
	"pkg/testkit/settingstest":         is(support),
	"pkg/testkit/telemetrytest":        is(support),
	"pkg/testkit/peertest":             is(support),
}

// functionRules hold for every folder of functions: wiring takes what it wires.
var functionRules = is(function, "github.com/aws/", "github.com/caarlos0/env/v11", "golang.org/x/sync/errgroup")

// vague names say nothing about what a package is for.
var vague = []string{"utils", "util", "common", "types", "models", "helpers", "helper", "misc"}

func rulesOf(folder string) (rules, bool) {
	if strings.HasPrefix(folder, "functions/") {
		return functionRules, true
	}
	r, ok := packages[folder]
	return r, ok
}

// refuse says why a package with these rules may not import path, or nothing.
func (r rules) refuse(importPath string) string {
	for _, allowed := range r.outside {
		if importPath == strings.TrimSuffix(allowed, "/") || strings.HasSuffix(allowed, "/") && strings.HasPrefix(importPath, allowed) {
			return ""
		}
	}
	folder, ours := strings.CutPrefix(importPath, modulePath)
	standard := !strings.Contains(strings.SplitN(importPath, "/", 2)[0], ".")
	switch {
	case ours:
		imported, ok := rulesOf(folder)
		if ok && !slices.Contains(mayImport[r.class], imported.class) {
			return fmt.Sprintf("that is %s, and %s may not build on it", article(imported.class), article(r.class))
		}
		return ""
	case standard && r.class == domain && slices.Contains(offLimits, importPath):
		return "a domain package leaves that to an adapter: declare an interface with what is needed"
	case standard, slices.Contains(everywhere, importPath):
		return ""
	default:
		return fmt.Sprintf("%s uses no module that its rules do not name: leave it to the adapter whose business it is, or list it in pkg/imports_test.go", article(r.class))
	}
}

func article(c class) string {
	switch {
	case c == support:
		return string(c)
	case strings.ContainsRune("ae", rune(c[0])):
		return "an " + string(c)
	default:
		return "a " + string(c)
	}
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
			if entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == "node_modules" || name == "pkg/standin") {
				return fs.SkipDir // the last are modules of their own
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

func TestImportsKeepTheirDirection(t *testing.T) {
	found := sources(t)
	for folder, files := range found {
		r, ok := rulesOf(folder)
		if !ok {
			t.Errorf("%s has no class: add it to the table in pkg/imports_test.go", folder)
			continue
		}
		if slices.Contains(vague, path.Base(folder)) {
			t.Errorf("%s: the name does not say what the package is for", folder)
		}
		for _, file := range files {
			for _, importPath := range imports(t, file) {
				if why := r.refuse(importPath); why != "" {
					t.Errorf("%s imports %s: %s", file, importPath, why)
				}
			}
		}
	}
	for folder := range packages {
		if _, ok := found[folder]; !ok {
			t.Errorf("%s is in the table of pkg/imports_test.go and holds no code", folder)
		}
	}
}

// The rules themselves: what each must refuse, and what it must not.
func TestRulesRefuse(t *testing.T) {
	tests := []struct {
		folder, imports string
		refused         bool
	}{
		{"pkg/token", modulePath + "pkg/platform/apperr", false},
		{"pkg/token", "github.com/gagliardetto/solana-go", false},
		{"pkg/token", "github.com/gagliardetto/solana-go/rpc", true},
		{"pkg/token", "net/http", true},
		{"pkg/token", "net/url", false},
		{"pkg/token", modulePath + "pkg/aws/dynamo", true},
		{"pkg/token", modulePath + "pkg/testkit/localnet", true},
		{"pkg/token", "github.com/aws/aws-sdk-go-v2/service/dynamodb", true},
		{"pkg/api/route", "net/http", false},
		{"pkg/aws/dynamo", modulePath + "pkg/token", false},
		{"pkg/aws/dynamo", "github.com/aws/aws-sdk-go-v2/service/dynamodb/types", false},
		{"pkg/aws/dynamo", "github.com/aws/aws-sdk-go-v2/service/kms", true},
		{"pkg/aws/dynamo", modulePath + "pkg/provider/solanarpc", true},
		{"pkg/provider/solanarpc", "net/http", false},
		{"pkg/api/endpoint/tokens", modulePath + "pkg/api/apigw/body", false},
		{"pkg/api/endpoint/tokens", modulePath + "pkg/aws/dynamo", true},
		{"pkg/api/endpoint/tokens", modulePath + "pkg/api/endpoint/images", true},
		{"functions/tokens", modulePath + "pkg/aws/dynamo", false},
		{"functions/tokens", modulePath + "pkg/testkit/localnet/ministack", true},
		{"functions/tokens", modulePath + "pkg/api/endpoint/docs/openapi", true},
	}
	for _, test := range tests {
		r, ok := rulesOf(test.folder)
		if !ok {
			t.Fatalf("%s has no rules", test.folder)
		}
		if why := r.refuse(test.imports); (why != "") != test.refused {
			t.Errorf("%s imports %s: refused %q, want refused %v", test.folder, test.imports, why, test.refused)
		}
	}
}

// Whoever calls the API by the client, or the command, gets nothing of AWS with it.
func TestTheClientNeedsNoAWS(t *testing.T) {
	found, way := sources(t), map[string]string{}
	var follow func(folder, by string)
	follow = func(folder, by string) {
		if _, seen := way[folder]; seen {
			return
		}
		way[folder] = by
		for _, file := range found[folder] {
			for _, importPath := range imports(t, file) {
				if strings.HasPrefix(importPath, "github.com/aws/") || strings.HasPrefix(importPath, "github.com/awslabs/") {
					t.Errorf("%s imports %s, by way of %s", file, importPath, by)
				}
				if ours, ok := strings.CutPrefix(importPath, modulePath); ok {
					follow(ours, by+", "+ours)
				}
			}
		}
	}
	for _, start := range []string{"pkg/client", "pkg/client/tokenlaunch"} {
		follow(start, start)
	}
	if len(way) < 10 {
		t.Errorf("only %d packages were looked at", len(way))
	}
}
