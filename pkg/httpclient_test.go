package pkg_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// dialers are the standard library's ways to open a connection without package httpclient.
var dialers = map[string][]string{
	"net/http": {"Client", "Transport", "DefaultClient", "DefaultTransport", "Get", "Head", "Post", "PostForm"},
	"net":      {"Dial", "DialTimeout", "Dialer", "DialTCP", "DialUDP", "DialIP", "DialUnix"},
	"crypto/tls": {
		"Dial", "DialWithDialer", "Dialer", "Client",
	},
}

// mayDial lists what each package may name of it, and why.
var mayDial = map[string][]string{
	"pkg/platform/httpclient": {"Client", "Transport", "Dialer"}, // is the one that does
	"pkg/aws/awsconfig":       {"Transport", "Dialer"},           // bounds the SDK's own client; AWS says where its services are

	// It runs at a caller's, who says where the API is and which proxy leads there.
	"pkg/client": {"Client", "DefaultTransport"},

	// These hold a client of httpclient.
	"pkg/provider/solanarpc": {"Client"}, "pkg/provider/helius": {"Client"}, "pkg/provider/rest": {"Client"},
	"pkg/provider/telegram": {"Client"}, "pkg/client/bundle": {"Client"}, "pkg/provider/receiver": {"Client"},
}

// mayAsk are the packages that make requests. Each joins what it asks for to the
// address of a setting, which TestStrangersWordsAreNoAddresses tries; except for receiver,
// whose addresses are third parties', by httpclient.NewForUntrustedHosts.
var mayAsk = []string{"pkg/provider/receiver", "pkg/provider/solanarpc", "pkg/client", "pkg/client/bundle", "pkg/provider/rest", "pkg/provider/helius", "pkg/provider/ipfs", "pkg/provider/telegram"}

// Every outgoing network call goes through package httpclient.
func TestCallsGoThroughHTTPClient(t *testing.T) {
	asked := map[string]bool{}
	for folder, files := range sources(t) {
		if strings.HasPrefix(folder, "pkg/testkit/") {
			continue
		}
		for _, file := range files {
			for _, use := range networkUses(t, file) {
				if use == "NewRequest" || use == "NewRequestWithContext" {
					asked[folder] = true
					if !slices.Contains(mayAsk, folder) {
						t.Errorf("%s makes a request: who says where it goes? See mayAsk in pkg/httpclient_test.go", file)
					}
					continue
				}
				if !slices.Contains(mayDial[folder], use) {
					t.Errorf("%s uses %s of the standard library: call others by a client of pkg/platform/httpclient", file, use)
				}
			}
		}
	}
	for _, folder := range mayAsk {
		if !asked[folder] {
			t.Errorf("%s is in mayAsk and makes no request", folder)
		}
	}
}

// networkUses lists what a file names of dialers, and of what makes requests.
func networkUses(t *testing.T, file string) []string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", filepath.FromSlash(file)), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{}
	for _, i := range parsed.Imports {
		path := strings.Trim(i.Path.Value, `"`)
		name := path[strings.LastIndex(path, "/")+1:]
		if i.Name != nil {
			name = i.Name.Name
		}
		names[name] = path
	}
	var uses []string
	ast.Inspect(parsed, func(n ast.Node) bool {
		selected, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		from, ok := selected.X.(*ast.Ident)
		if !ok || from.Obj != nil {
			return true
		}
		path, name := names[from.Name], selected.Sel.Name
		if slices.Contains(dialers[path], name) || path == "net/http" && strings.HasPrefix(name, "NewRequest") {
			uses = append(uses, name)
		}
		return true
	})
	return uses
}
