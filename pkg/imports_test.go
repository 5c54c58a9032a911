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
	awsHTTP        = modulePath + "pkg/awshttp"

	outboundHTTP = modulePath + "pkg/outbound"
)

// packages lists every package: one that is missing here fails the test.
var packages = map[string]rules{
	"pkg/allocation":           is(domain),
	"pkg/apperr":               is(domain),
	"pkg/asset":                is(domain),
	"pkg/auth":                 is(domain),
	"pkg/auth/jwt":             is(domain, "github.com/golang-jwt/jwt/v5"),
	"pkg/auth/siws":            is(domain),
	"pkg/card":                 is(domain, "golang.org/x/image/"),
	"pkg/decimal":              is(domain),
	"pkg/dispatch":             is(domain),
	"pkg/books":                is(domain),
	"pkg/distribution":         is(domain),
	"pkg/exchange":             is(domain),
	"pkg/dynamo/meter":         is(support, "github.com/aws/aws-sdk-go-v2/service/dynamodb/", "github.com/aws/smithy-go/middleware"),
	"pkg/dynamo/schema":        is(domain),
	"pkg/idempotency":          is(domain),
	"pkg/image":                is(domain),
	"pkg/inflate":              is(domain),
	"pkg/journal":              is(domain),
	"pkg/jpegplane":            is(domain),
	"pkg/launch":               is(domain),
	"pkg/featured":             is(domain),
	"pkg/market":               is(domain),
	"pkg/market/cpmm":          is(domain),
	"pkg/market/curve":         is(domain),
	"pkg/market/index":         is(domain),
	"pkg/market/launchpad":     is(domain),
	"pkg/market/venue":         is(domain),
	"pkg/watch":                is(domain),
	"pkg/solana/meteora":       is(domain),
	"pkg/solana/raydium":       is(domain),
	"pkg/metric":               is(domain),
	"pkg/monitor":              is(domain),
	"pkg/merkle":               is(domain),
	"pkg/nonce":                is(domain),
	"pkg/notice":               is(domain),
	"pkg/payout":               is(domain),
	"pkg/pngrows":              is(domain),
	"pkg/page":                 is(domain),
	"pkg/proof":                is(domain),
	"pkg/preview":              is(domain),
	"pkg/radix":                is(domain),
	"pkg/ratelimit":            is(domain),
	"pkg/reconcile":            is(domain),
	"pkg/resample":             is(domain),
	"pkg/route":                is(domain, "net/http"), // for the names of methods
	"pkg/run":                  is(domain),
	"pkg/snapshot":             is(domain),
	"pkg/secret":               is(domain, "golang.org/x/sync/singleflight"),
	"pkg/settings":             is(domain),
	"pkg/subject":              is(domain),
	"pkg/solana/base58":        is(domain),
	"pkg/solana/computebudget": is(domain),
	"pkg/solana/creation":      is(domain),
	"pkg/solana/curve":         is(domain, "filippo.io/edwards25519/field"),
	"pkg/solana/programerror":  is(domain),
	"pkg/solana/systemprogram": is(domain),
	"pkg/solana/token2022":     is(domain),
	"pkg/solana/wire":          is(domain),
	"pkg/token":                is(domain),
	"pkg/transaction":          is(domain),
	"pkg/wallet":               is(domain),

	"pkg/apigw":           is(adapter, awsLambda, "github.com/awslabs/aws-lambda-go-api-proxy/"),
	"pkg/apigw/body":      is(adapter),
	"pkg/apigw/contract":  is(adapter, modulePath+"pkg/apigw/"),
	"pkg/client":          is(adapter, outboundHTTP, "github.com/failsafe-go/failsafe-go/"),
	"pkg/client/bundle":   is(adapter, outboundHTTP),
	"pkg/awshttp":         is(adapter, awsCore, awsSDK, awsCredentials, "github.com/aws/smithy-go/logging"),
	"pkg/awshttp/profile": is(adapter, awsCore, awsConfig, awsHTTP),
	"pkg/batch":           is(adapter, awsLambda),
	"pkg/outbound":        is(adapter),
	"pkg/chain":           is(adapter, outboundHTTP, "github.com/failsafe-go/failsafe-go/"),
	"pkg/helius":          is(adapter, outboundHTTP),
	"pkg/ipfs":            is(adapter, outboundHTTP, "github.com/multiformats/go-multibase"),
	"pkg/kms":             is(adapter, awsCore, awsSDK, "github.com/aws/aws-sdk-go-v2/service/kms/", "golang.org/x/sync/errgroup"),
	"pkg/exchange/rest":   is(adapter, outboundHTTP),
	"pkg/jupiter":         is(adapter, modulePath+"pkg/exchange/rest"),
	"pkg/maker":           is(adapter, modulePath+"pkg/exchange/rest"),
	"pkg/lambdafn":        is(adapter, awsCore, awsSDK, "github.com/aws/aws-sdk-go-v2/service/lambda/"),
	"pkg/objectstore":     is(adapter, awsCore, awsSDK, "github.com/aws/aws-sdk-go-v2/service/s3/"),
	"pkg/queue":           is(adapter, awsCore, awsSDK, "github.com/aws/aws-sdk-go-v2/service/sqs/", "golang.org/x/sync/errgroup"),
	"pkg/secretsmanager":  is(adapter, awsCore, "github.com/aws/aws-sdk-go-v2/service/secretsmanager/"),
	"pkg/telegram":        is(adapter, outboundHTTP, "github.com/go-telegram/bot/"),
	"pkg/telemetry":       is(adapter, awsLambda),
	"pkg/dynamo": is(adapter, awsCore, awsSDK,
		"github.com/aws/aws-sdk-go-v2/feature/dynamodb/", "github.com/aws/aws-sdk-go-v2/service/dynamodb/",
		"github.com/aws/smithy-go/"),

	"pkg/endpoint/auth":         is(endpoint, modulePath+"pkg/apigw/"),
	"pkg/endpoint/authorizer":   is(endpoint, modulePath+"pkg/apigw/", awsLambda),
	"pkg/endpoint/burns":        is(endpoint, modulePath+"pkg/apigw/"),
	"pkg/endpoint/deriver":      is(endpoint),
	"pkg/endpoint/dex":          is(endpoint, modulePath+"pkg/apigw/"),
	"pkg/endpoint/featured":     is(endpoint, modulePath+"pkg/apigw/"),
	"pkg/endpoint/launchpad":    is(endpoint, modulePath+"pkg/apigw/"),
	"pkg/endpoint/distribution": is(endpoint, modulePath+"pkg/apigw/"),
	"pkg/endpoint/dispatcher":   is(endpoint, awsLambda),
	"pkg/endpoint/distributor":  is(endpoint, modulePath+"pkg/batch"),
	"pkg/endpoint/payer":        is(endpoint, modulePath+"pkg/batch"),
	"pkg/endpoint/docs":         is(endpoint, modulePath+"pkg/apigw/"),
	"pkg/endpoint/docs/page":    is(tool),
	"pkg/endpoint/images":       is(endpoint, modulePath+"pkg/apigw/"),
	"pkg/endpoint/monitor":      is(endpoint, awsLambda),
	"pkg/endpoint/notifier":     is(endpoint, awsLambda, modulePath+"pkg/batch"),
	"pkg/endpoint/pinner":       is(endpoint, awsLambda, modulePath+"pkg/batch"),
	"pkg/endpoint/reconciler":   is(endpoint, awsLambda),
	"pkg/endpoint/tokens":       is(endpoint, modulePath+"pkg/apigw/"),

	"pkg/journal/restore":    is(function, awsCore, awsSDK, "github.com/aws/aws-sdk-go-v2/service/s3/", "github.com/caarlos0/env/"),
	"pkg/client/tokenlaunch": is(function, "github.com/alecthomas/kong", "github.com/schollz/progressbar/v3", "go.yaml.in/yaml/v3", "golang.org/x/term"),
	"pkg/wallet/drill":       is(function, awsCore, "github.com/aws/aws-sdk-go-v2/service/kms/", "github.com/aws/aws-sdk-go-v2/service/lambda/"),
	"pkg/token/hide":         is(function, "github.com/caarlos0/env/"),

	"pkg/endpoint/docs/openapi":          is(tool, "go.yaml.in/yaml/v3"),
	"pkg/endpoint/docs/openapi/generate": is(tool),

	"pkg/auth/authtest":               is(support),
	"pkg/endpoint/docs/docstest":      is(support, "github.com/getkin/kin-openapi/"),
	"pkg/fault":                       is(support),
	"pkg/fault/function":              is(support),
	"pkg/figures":                     is(support),
	"pkg/launch/launchtest":           is(support, "github.com/aws/aws-sdk-go-v2/"),
	"pkg/localnet":                    is(support, "github.com/aws/aws-sdk-go-v2/"),
	"pkg/payout/payouttest":           is(support, "github.com/aws/aws-sdk-go-v2/"),
	"pkg/localnet/child":              is(support),
	"pkg/localnet/maker":              is(support),
	"pkg/localnet/dex":                is(support),
	"pkg/localnet/ministack":          is(support, "github.com/aws/aws-sdk-go-v2/"),
	"pkg/localnet/project":            is(support),
	"pkg/localnet/surfpool":           is(support),
	"pkg/idempotency/idempotencytest": is(support),
	"pkg/ratelimit/ratelimittest":     is(support),
	"pkg/run/runtest":                 is(support),
	"pkg/run/runworld":                is(support, "github.com/aws/aws-sdk-go-v2/"),
	"pkg/settings/settingstest":       is(support),
	"pkg/telemetry/telemetrytest":     is(support),
	"pkg/solana/peertest":             is(support),
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
		{"pkg/token", modulePath + "pkg/apperr", false},
		{"pkg/token", "github.com/gagliardetto/solana-go", false},
		{"pkg/token", "github.com/gagliardetto/solana-go/rpc", true},
		{"pkg/token", "net/http", true},
		{"pkg/token", "net/url", false},
		{"pkg/token", modulePath + "pkg/dynamo", true},
		{"pkg/token", modulePath + "pkg/localnet", true},
		{"pkg/token", "github.com/aws/aws-sdk-go-v2/service/dynamodb", true},
		{"pkg/route", "net/http", false},
		{"pkg/dynamo", modulePath + "pkg/token", false},
		{"pkg/dynamo", "github.com/aws/aws-sdk-go-v2/service/dynamodb/types", false},
		{"pkg/dynamo", "github.com/aws/aws-sdk-go-v2/service/kms", true},
		{"pkg/dynamo", modulePath + "pkg/chain", true},
		{"pkg/chain", "net/http", false},
		{"pkg/endpoint/tokens", modulePath + "pkg/apigw/body", false},
		{"pkg/endpoint/tokens", modulePath + "pkg/dynamo", true},
		{"pkg/endpoint/tokens", modulePath + "pkg/endpoint/images", true},
		{"functions/tokens", modulePath + "pkg/dynamo", false},
		{"functions/tokens", modulePath + "pkg/localnet/ministack", true},
		{"functions/tokens", modulePath + "pkg/endpoint/docs/openapi", true},
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
