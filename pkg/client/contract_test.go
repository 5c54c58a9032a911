package client_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/getkin/kin-openapi/openapi3"

	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/testkit/docstest"
)

func document(t *testing.T) *openapi3.T {
	t.Helper()
	d, err := docstest.Document()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// operation is an operation of the document whose response is JSON. Programs call these: pages and
// pictures are for browsers.
type operation struct {
	*openapi3.Operation

	method, path string
}

func operations(t *testing.T) (list []operation) {
	t.Helper()
	for path, item := range document(t).Paths.Map() {
		for method, op := range item.Operations() {
			if answer := success(op); answer != nil && answer.Value.Content["application/json"] != nil {
				list = append(list, operation{op, method, path})
			}
		}
	}
	if len(list) < 30 {
		t.Fatalf("the document has %d operations", len(list))
	}
	return list
}

// success is the response of an operation that did what it is for.
func success(op *openapi3.Operation) *openapi3.ResponseRef {
	if answer := op.Responses.Value("200"); answer != nil {
		return answer
	}
	return op.Responses.Value("202")
}

// methodOf is the client's method of an operation.
func methodOf(t *testing.T, c *client.Client, id string) reflect.Value {
	t.Helper()
	m := reflect.ValueOf(c).MethodByName(strings.ToUpper(id[:1]) + id[1:])
	if !m.IsValid() {
		t.Errorf("the client has no method for the operation %s", id)
	}
	return m
}

// examples are those of a body.
func examples(content openapi3.Content) (list []any) {
	for _, media := range content {
		if media == nil {
			continue
		}
		if media.Example != nil {
			list = append(list, media.Example)
		}
		for _, e := range media.Examples {
			list = append(list, e.Value.Value)
		}
	}
	return list
}

// parameter finds a parameter of an operation.
func (o operation) parameters(in string) (list []*openapi3.Parameter) {
	for _, p := range o.Parameters {
		if p.Value.In == in {
			list = append(list, p.Value)
		}
	}
	return list
}

const bearer = "a.session.token"

// Every operation has a method, which sends the documented request and reads the documented
// response. Encoding the read value returns the same response.
func TestEveryOperationIsCalledAsDescribed(t *testing.T) {
	for _, op := range operations(t) {
		t.Run(op.OperationID, func(t *testing.T) {
			requests, answers := []any{nil}, []any{}
			if op.RequestBody != nil && op.OperationID != "uploadImage" {
				if given := examples(op.RequestBody.Value.Content); len(given) > 0 {
					requests = given
				}
			}
			for status, response := range op.Responses.Map() {
				if status[0] == '2' {
					// The client asks for JSON, and not for the same as a file.
					answers = append(answers, examples(openapi3.Content{"": response.Value.Content["application/json"]})...)
				}
			}
			if len(answers) == 0 {
				t.Fatal("no response is described")
			}
			for _, request := range requests {
				for _, answer := range answers {
					op.try(t, request, answer)
				}
			}
		})
	}
}

// try calls an operation with one request, and answers it so.
func (o operation) try(t *testing.T, request, answer any) {
	t.Helper()
	called := false
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		called = true
		o.check(t, r, request)
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(answer)
	}))
	defer server.Close()
	c, err := client.New(server.URL, client.WithAttempts(1), client.WithSession(client.Session{
		Token: bearer, ExpiresAt: client.Time{Time: time.Now().Add(time.Hour)},
	}))
	if err != nil {
		t.Fatal(err)
	}
	m := methodOf(t, c, o.OperationID)
	if !m.IsValid() {
		return
	}
	out := m.Call(o.arguments(t, m.Type(), request))
	if err, _ := out[len(out)-1].Interface().(error); err != nil || !called {
		t.Fatalf("called %v: %v", called, err)
	}
	again, err := json.Marshal(out[0].Interface())
	if err != nil {
		t.Fatal(err)
	}
	if got, want := normal(t, again), plain(t, answer); !reflect.DeepEqual(got, want) {
		t.Errorf("the response was read as\n%v\nand is\n%v", got, want)
	}
}

// values stand in for query parameters.
var values = map[string]string{
	"page": "3", "limit": "7", "cursor": "MTc", "creator": "8sLhuH3TKG1tao2fvqFrd2agZMkELDAoawpjvF5LaEtx", "amount": "1000", "interval": "5m",
	"mint": "93mCveArZRPXZqVkPmHBnNrmP27tyed2H5geuJkskxsp", "mints": "8sLhuH3TKG1tao2fvqFrd2agZMkELDAoawpjvF5LaEtx", "q": "tid", "sort": "paid",
}

var file = []byte("\x89PNG\r\n\x1a\n and so on")

// arguments are made of the examples of the path's parameters, the values above and the
// request's example.
func (o operation) arguments(t *testing.T, m reflect.Type, request any) []reflect.Value {
	t.Helper()
	arguments := []reflect.Value{reflect.ValueOf(t.Context())}
	inPath := o.parameters("path")
	for i := 1; i < m.NumIn(); i++ {
		in := reflect.New(m.In(i))
		var text string
		switch into := in.Interface().(type) {
		case *client.Page:
			*into = client.Page{Number: 3, Limit: 7}
			arguments = append(arguments, in.Elem())
			continue
		case *client.TokenQuery:
			*into = client.TokenQuery{Page: client.Page{Number: 3, Limit: 7}, Creator: solana.MustPublicKeyFromBase58(values["creator"]), Beginning: "tid", Sort: client.ByPaid}
			arguments = append(arguments, in.Elem())
			continue
		case *client.LedgerQuery:
			*into = client.LedgerQuery{
				Cursor: client.Cursor{After: values["cursor"], Limit: 7}, Mints: []solana.PublicKey{solana.MustPublicKeyFromBase58(values["mints"])},
			}
			arguments = append(arguments, in.Elem())
			continue
		case *client.PaymentsQuery:
			*into = client.PaymentsQuery{
				Cursor: client.Cursor{After: values["cursor"], Limit: 7}, Mint: solana.MustPublicKeyFromBase58(values["mint"]),
			}
			arguments = append(arguments, in.Elem())
			continue
		case *client.CandleQuery:
			*into = client.CandleQuery{Cursor: client.Cursor{After: values["cursor"], Limit: 7}, Interval: client.CandleInterval(values["interval"])}
			arguments = append(arguments, in.Elem())
			continue
		case *client.Cursor:
			*into = client.Cursor{After: values["cursor"], Limit: 7}
			arguments = append(arguments, in.Elem())
			continue
		case *[]byte:
			*into = file
			arguments = append(arguments, in.Elem())
			continue
		case *client.Amount:
			text = fmt.Sprintf("%q", values["amount"])
		case *string, *solana.PublicKey, *client.SOL:
			text = fmt.Sprintf("%q", inPath[0].Example)
			inPath = inPath[1:]
		default:
			content, err := json.Marshal(request)
			if err != nil {
				t.Fatal(err)
			}
			text = string(content)
		}
		d := json.NewDecoder(strings.NewReader(text))
		d.DisallowUnknownFields()
		if err := d.Decode(in.Interface()); err != nil {
			t.Fatalf("argument %d of %s, %s: %v", i, o.OperationID, text, err)
		}
		arguments = append(arguments, in.Elem())
	}
	return arguments
}

// check holds a request against the operation.
func (o operation) check(t *testing.T, r *http.Request, request any) {
	t.Helper()
	path := o.path
	for _, p := range o.parameters("path") {
		path = strings.Replace(path, "{"+p.Name+"}", fmt.Sprint(p.Example), 1)
	}
	if r.Method != o.method || r.URL.Path != path {
		t.Errorf("it called %s %s, want %s %s", r.Method, r.URL.Path, o.method, path)
	}
	want := url.Values{}
	for _, p := range o.parameters("query") {
		if p.Name != "status" && p.Name != "lamports" { // for which there are ListMyLaunches and GetPriceFor
			want.Set(p.Name, values[p.Name])
		}
	}
	if got := r.URL.Query(); !reflect.DeepEqual(got, want) {
		t.Errorf("the query is %v, want %v", got, want)
	}
	authorization := ""
	if o.Security != nil && len(*o.Security) > 0 {
		authorization = "Bearer " + bearer
	}
	if got := r.Header.Get("Authorization"); got != authorization {
		t.Errorf("Authorization is %q, want %q", got, authorization)
	}
	if got := r.Header.Get("User-Agent"); got != "tokenlaunch-go/devel" {
		t.Errorf("User-Agent is %q, want that of a build of no release", got)
	}
	keyed := slices.ContainsFunc(o.parameters("header"), func(p *openapi3.Parameter) bool { return p.Name == "Idempotency-Key" })
	if got := r.Header.Get("Idempotency-Key") != ""; got != keyed {
		t.Errorf("there is an Idempotency-Key: %v, want %v", got, keyed)
	}
	if o.OperationID == "uploadImage" {
		checkUpload(t, r)
		return
	}
	content, err := io.ReadAll(r.Body)
	if err != nil {
		t.Error(err)
	}
	if request == nil {
		if len(content) > 0 {
			t.Errorf("the body is %s", content)
		}
		return
	}
	if kind := r.Header.Get("Content-Type"); kind != "application/json" {
		t.Errorf("the body is %s", kind)
	}
	if got, want := normal(t, content), plain(t, request); !reflect.DeepEqual(got, want) {
		t.Errorf("the body is\n%v, want\n%v", got, want)
	}
}

func checkUpload(t *testing.T, r *http.Request) {
	t.Helper()
	part, header, err := r.FormFile("image")
	if err != nil {
		t.Error(err)
		return
	}
	content, err := io.ReadAll(part)
	if err != nil || string(content) != string(file) || header.Header.Get("Content-Type") != "image/png" || len(r.MultipartForm.Value) != 0 {
		t.Errorf("upload: %v, content %q, header %v; want only the image as image/png", err, content, header.Header)
	}
}

// plain is a value as it comes out of JSON, with numbers as they are written.
func plain(t *testing.T, v any) any {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return normal(t, text)
}

func normal(t *testing.T, text []byte) any {
	t.Helper()
	var out any
	if err := json.Unmarshal(text, &out); err != nil {
		t.Errorf("%v in %s", err, text)
	}
	return out
}
