package sample

import (
	"errors"
	"fmt"
	"go/format"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	clientPath = "tokenlaunch.example/service/pkg/client"
	solanaPath = "github.com/gagliardetto/solana-go"
)

// goProgram returns a complete program that calls the operation and prints the response. The
// program uses the client if the client has a method for the operation.
func goProgram(o Operation, c *Client) (string, error) {
	p := program{imports: []string{"fmt", "log"}}
	m, ok := c.method(o.ID)
	switch {
	case !ok && o.Method != "GET":
		return "", fmt.Errorf("the client has no method for %s", o.ID)
	case !ok:
		p.plain(o)
		return p.source()
	}
	p.imports = append(p.imports, "context", clientPath)
	signer := ""
	if o.NeedsToken {
		p.line("wallet, _, err := client.LoadKey(%q)", "creator.pem")
		p.check()
		signer = ", client.WithSigner(wallet)"
	}
	if o.File != "" {
		p.imports = append(p.imports, "os")
		p.line("picture, err := os.ReadFile(%q)", picture)
		p.check()
	}
	p.line("c, err := client.New(%q%s)", Address, signer)
	p.check()
	arguments := []string{"context.Background()"}
	given := o.Parameters
	for _, kind := range m.parameters {
		switch {
		case kind == "[]byte":
			arguments = append(arguments, "picture")
		case c.structs[kind] == nil: // parameters of the path or the query
			if len(given) == 0 {
				return "", fmt.Errorf("%s takes more than the operation has", m.name)
			}
			argument, err := p.value(c, kind, given[0].Example)
			if err != nil {
				return "", fmt.Errorf("%s: %w", given[0].Name, err)
			}
			arguments, given = append(arguments, argument), given[1:]
		case o.Body != nil:
			body, err := p.value(c, kind, o.Body)
			if err != nil {
				return "", fmt.Errorf("the body: %w", err)
			}
			arguments = append(arguments, body)
		default: // optional parameters of a query
			arguments = append(arguments, "client."+kind+"{}")
		}
	}
	p.line("answer, err := c.%s(%s)", m.name, strings.Join(arguments, ", "))
	p.check()
	verb := "%+v"
	if m.answer == "json.RawMessage" {
		verb = "%s"
	}
	p.line("fmt.Printf(%q, answer)", verb+"\n")
	return p.source()
}

// program is a program under construction.
type program struct {
	imports []string
	body    strings.Builder
}

func (p *program) line(layout string, values ...any) { fmt.Fprintf(&p.body, layout+"\n", values...) }

func (p *program) check() { p.line("if err != nil {\nlog.Fatal(err)\n}") }

// plain adds a call of a route for browsers, for which the client has no method.
func (p *program) plain(o Operation) {
	p.imports = append(p.imports, "net/http", "io")
	p.line("answer, err := http.Get(%q)", o.url())
	p.check()
	p.line("defer answer.Body.Close()")
	p.line("body, err := io.ReadAll(answer.Body)")
	p.check()
	p.line(`fmt.Println(answer.Status, answer.Header.Get("Content-Type"), len(body), "bytes")`)
}

func (p *program) source() (string, error) {
	slices.Sort(p.imports)
	var groups [2]string
	for _, path := range slices.Compact(p.imports) {
		group := 0
		if strings.Contains(path, ".") {
			group = 1
		}
		groups[group] += strconv.Quote(path) + "\n"
	}
	text := fmt.Sprintf("package main\n\nimport (\n%s\n%s)\n\nfunc main() {\n%s}\n", groups[0], groups[1], p.body.String())
	formatted, err := format.Source([]byte(text))
	return strings.TrimSuffix(string(formatted), "\n"), err
}

// constructors are the client's functions that convert a count to an amount.
var constructors = map[string]string{"Amount": "BaseUnits", "Lamports": "LamportsOf"}

// value formats an example as a Go value of a client type.
func (p *program) value(c *Client, kind string, v Value) (string, error) {
	if inner, ok := strings.CutPrefix(kind, "*"); ok {
		written, err := p.value(c, inner, v)
		if err == nil && c.structs[inner] == nil && c.kinds[inner] != "" {
			written = "client." + inner + "(" + written + ")"
		}
		return "new(" + written + ")", err
	}
	if inner, ok := strings.CutPrefix(kind, "[]"); ok {
		return p.list(c, inner, v)
	}
	object, isObject := v.(Object)
	switch said, isText := v.(string); {
	case isObject && c.structs[kind] != nil:
		return p.object(c, kind, object)
	case (kind == "solana.PublicKey" || kind == "solana.Signature") && isText:
		p.imports = append(p.imports, solanaPath)
		return "solana.Must" + strings.TrimPrefix(kind, "solana.") + "FromBase58(" + strconv.Quote(said) + ")", nil
	case kind == "Time" && isText:
		at, err := time.Parse(time.RFC3339, said)
		p.imports = append(p.imports, "time")
		return fmt.Sprintf("client.Time{Time: time.Unix(%d, 0)}", at.Unix()), err
	case (kind == "Percent" || kind == "Factor") && !isText:
		return "client.Must" + kind + "(" + strconv.Quote(text(v)) + ")", nil
	case (kind == "string" || c.kinds[kind] == "string") && isText:
		return strconv.Quote(said), nil
	case constructors[kind] != "" && isText:
		digits, err := grouped(said)
		return "client." + constructors[kind] + "(" + digits + ")", err
	case (kind == "int" || kind == "bool") && !isText:
		return text(v), nil
	default:
		return "", fmt.Errorf("no %s is written as %s", kind, text(v))
	}
}

func (p *program) list(c *Client, kind string, v Value) (string, error) {
	items, ok := v.(List)
	if !ok {
		return "", fmt.Errorf("no list is written as %s", text(v))
	}
	named := kind
	if c.structs[kind] != nil || c.kinds[kind] != "" {
		named = "client." + kind
	}
	written := make([]string, len(items))
	for i, item := range items {
		var err error
		if written[i], err = p.value(c, kind, item); err != nil {
			return "", err
		}
	}
	return "[]" + named + "{" + strings.Join(written, ", ") + "}", nil
}

func (p *program) object(c *Client, kind string, object Object) (string, error) {
	if len(object) == 0 {
		return "client." + kind + "{}", nil
	}
	var out strings.Builder
	for _, m := range object {
		f, ok := c.structs[kind][m.Name]
		if !ok {
			return "", fmt.Errorf("%s has no field for %s", kind, m.Name)
		}
		written, err := p.value(c, f.kind, m.Value)
		if err != nil {
			return "", fmt.Errorf("%s: %w", m.Name, err)
		}
		fmt.Fprintf(&out, "%s: %s,\n", f.name, written)
	}
	return "client." + kind + "{\n" + out.String() + "}", nil
}

// grouped formats digits in groups of three.
func grouped(digits string) (string, error) {
	if _, err := strconv.ParseUint(digits, 10, 64); err != nil {
		return "", errors.New(digits + " is no whole number")
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "_" + digits[i:]
	}
	return digits, nil
}
