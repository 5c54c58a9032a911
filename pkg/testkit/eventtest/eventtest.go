// Package eventtest builds the sample events of the Lambda functions, for tests and for `make
// invoke`. An event is a file in events/, or a request of an operation. A request is the envelope
// of events/tokens-list.json with the parameters and the body of the OpenAPI document's examples.
package eventtest

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io/fs"
	"maps"
	"mime/multipart"
	"net/textproto"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-lambda-go/events"
	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/testkit/docstest"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

// Wallet is the caller of the requests with an access token: the wallet of the document's examples.
const Wallet = "8sLhuH3TKG1tao2fvqFrd2agZMkELDAoawpjvF5LaEtx"

// ErrUnknown is returned for a name without an event.
var ErrUnknown = errors.New("no event has this name")

// Event returns the event with the given name: a file in events/, a name of Requests or the
// operationId of an operation.
func Event(name string) ([]byte, error) {
	for _, r := range Requests() {
		if r.Name == name || r.Operation == name && r.change == (change{}) {
			return r.Event()
		}
	}
	content, err := file(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%q: %w", name, ErrUnknown)
	}
	return content, err
}

// Names lists the events, without duplicates: the files in events/ and the requests.
func Names() ([]string, error) {
	files, err := Files()
	for _, r := range Requests() {
		files = append(files, r.Name)
	}
	slices.Sort(files)
	return slices.Compact(files), err
}

// Files lists the events that are files.
func Files() ([]string, error) {
	root, err := project.Find()
	if err != nil {
		return nil, err
	}
	files, err := filepath.Glob(root.Path("events/*.json"))
	for i, name := range files {
		files[i] = strings.TrimSuffix(filepath.Base(name), ".json")
	}
	return files, err
}

func file(name string) ([]byte, error) {
	root, err := project.Find()
	if err != nil {
		return nil, err
	}
	return os.ReadFile(root.Path("events/" + name + ".json"))
}

// Function returns the name of the function that handles an event.
func Function(name string) string {
	for _, r := range Requests() {
		if r.Name == name && r.Operation != "" {
			return r.Route().Function
		}
	}
	function, _, _ := strings.Cut(name, "-")
	return function
}

// change is the difference between a request and the document's example.
type change struct {
	// query replaces the query; "?" means no query.
	query string
	// first replaces the first parameter of the path.
	first string
	body  string
	// reason is the reason of the authorizer's rejection.
	reason string
	// pattern replaces method and path, for a request without a route.
	pattern string
}

// Request is a request of an operation, with the response of a stack that has neither its token nor
// its wallet.
type Request struct {
	Name      string
	Operation string // empty for a request without a route
	change
	// Status and Want are the status of the response and a part of its body. A zero Status accepts
	// any response that the document describes.
	Status int
	Want   string
}

// Requests lists the requests: the table, a request for each operation outside the table, and for
// each operation behind the authorizer the same request without an access token.
func Requests() []Request {
	all := slices.Clone(table)
	for _, r := range route.All() {
		first := slices.IndexFunc(all, func(s Request) bool { return s.Operation == r.Operation && s.change == change{} })
		if first < 0 {
			first, all = len(all), append(all, Request{Name: r.Operation, Operation: r.Operation})
		}
		if r.NeedsToken() {
			all = append(all, Request{
				Name: all[first].Name + "-missing-token", Operation: r.Operation, change: change{reason: "missing_token"},
				Status: 401, Want: "missing_token",
			})
		}
	}
	return all
}

// Refused returns the code of a rejection before the operation; empty if the operation is called.
func (r Request) Refused() string {
	if r.Operation == "" {
		return r.Want
	}
	return r.reason
}

// Route returns the route of the request's operation. The zero value means $default.
func (r Request) Route() route.Route {
	all := route.All()
	if i := slices.IndexFunc(all, func(o route.Route) bool { return o.Operation == r.Operation }); i >= 0 {
		return all[i]
	}
	return route.Route{}
}

// Event returns the request as API Gateway sends it.
func (r Request) Event() ([]byte, error) {
	envelope, err := file("tokens-list")
	if err != nil {
		return nil, err
	}
	var event events.APIGatewayV2HTTPRequest
	if err := json.Unmarshal(envelope, &event); err != nil {
		return nil, fmt.Errorf("read events/tokens-list.json: %w", err)
	}
	event.RouteKey = "$default"
	of, pattern := r.Route(), r.pattern
	if r.Operation != "" {
		if err := r.fill(&event); err != nil {
			return nil, fmt.Errorf("%s: %w", r.Name, err)
		}
		pattern = of.Method + " " + event.RawPath
	}
	method, path, _ := strings.Cut(pattern, " ")
	event.RawPath = path
	event.RequestContext.RouteKey = event.RouteKey
	event.RequestContext.HTTP.Method, event.RequestContext.HTTP.Path = method, path
	if of.NeedsToken() && r.Operation != "" {
		described := map[string]any{apigw.AuthorizerWallet: Wallet}
		if r.reason != "" {
			described = map[string]any{"reason": r.reason}
		}
		event.RequestContext.Authorizer = &events.APIGatewayV2HTTPRequestContextAuthorizerDescription{Lambda: described}
		if r.reason != "missing_token" {
			event.Headers["authorization"] = "Bearer of-" + Wallet
		}
	}
	return written(event)
}

// written returns an event without the certificate, which aws-lambda-go writes but the gateway does
// not send.
func written(event events.APIGatewayV2HTTPRequest) ([]byte, error) {
	content, err := json.Marshal(event)
	if err != nil {
		return nil, err
	}
	var all map[string]any
	if err := json.Unmarshal(content, &all); err != nil {
		return nil, err
	}
	if inside, ok := all["requestContext"].(map[string]any); ok {
		delete(inside, "authentication")
	}
	return json.MarshalIndent(all, "", "  ")
}

// fill puts the document's examples into an event.
func (r Request) fill(event *events.APIGatewayV2HTTPRequest) error {
	document, err := docstest.Document()
	if err != nil {
		return err
	}
	operation, query := docstest.Operation(document, r.Operation), url.Values{}
	if operation == nil {
		return errors.New("the document lacks " + r.Operation)
	}
	path := r.Route().Path
	for _, p := range operation.Parameters {
		value, given := p.Value.Example.(string)
		switch {
		case p.Value.In == "path":
			if r.first != "" && event.PathParameters == nil {
				value = r.first
			}
			if event.PathParameters == nil {
				event.PathParameters = map[string]string{}
			}
			event.PathParameters[p.Value.Name] = value
			path = strings.Replace(path, "{"+p.Value.Name+"}", value, 1)
		case p.Value.In == "query" && given:
			query.Set(p.Value.Name, value)
		}
	}
	event.RouteKey, event.RawPath = r.Route().Key(), path
	if r.query != "" {
		if query, err = url.ParseQuery(strings.TrimPrefix(r.query, "?")); err != nil {
			return err
		}
	}
	event.RawQueryString = query.Encode()
	for name, values := range query {
		if event.QueryStringParameters == nil {
			event.QueryStringParameters = map[string]string{}
		}
		event.QueryStringParameters[name] = values[0]
	}
	for status, answer := range operation.Responses.Map() {
		if types := slices.Collect(maps.Keys(answer.Value.Content)); status == "200" && len(types) > 0 {
			event.Headers["accept"] = types[0]
		}
	}
	if operation.RequestBody == nil {
		return nil
	}
	if content := operation.RequestBody.Value.Content["application/json"]; content != nil {
		return r.fillJSON(event, content.Example)
	}
	return r.fillForm(event)
}

func (r Request) fillJSON(event *events.APIGatewayV2HTTPRequest, example any) error {
	body := []byte(r.body)
	if len(body) == 0 {
		var err error
		if body, err = json.Marshal(example); err != nil {
			return err
		}
	}
	event.Headers["content-type"], event.Headers["content-length"] = "application/json", strconv.Itoa(len(body))
	event.Body = string(body)
	return nil
}

// boundary separates the parts of a form. The boundary is fixed, so that an event is always the
// same.
const boundary = "----boundary7MA4YWxkTrZu0gW"

func (r Request) fillForm(event *events.APIGatewayV2HTTPRequest) error {
	body, err := form([]byte(r.body))
	if err != nil {
		return err
	}
	event.Headers["content-type"], event.Headers["content-length"] = "multipart/form-data; boundary="+boundary, strconv.Itoa(len(body))
	event.Body, event.IsBase64Encoded = base64.StdEncoding.EncodeToString(body), true
	return nil
}

// form returns a form with a file: a picture if content is empty.
func form(content []byte) ([]byte, error) {
	if len(content) == 0 {
		const side = 32
		picture := image.NewPaletted(image.Rect(0, 0, side, side), color.Palette{color.White, color.RGBA{R: 0x22, G: 0x66, B: 0xcc, A: 0xff}})
		for i := range picture.Pix {
			picture.Pix[i] = uint8(i / side % 2)
		}
		var encoded bytes.Buffer
		if err := png.Encode(&encoded, picture); err != nil {
			return nil, err
		}
		content = encoded.Bytes()
	}
	var out bytes.Buffer
	form := multipart.NewWriter(&out)
	if err := form.SetBoundary(boundary); err != nil {
		return nil, err
	}
	part, err := form.CreatePart(textproto.MIMEHeader{
		"Content-Disposition": {`form-data; name="image"; filename="logo.png"`}, "Content-Type": {"image/png"},
	})
	if err != nil {
		return nil, err
	}
	if _, err := part.Write(content); err != nil {
		return nil, err
	}
	err = form.Close()
	return out.Bytes(), err
}
