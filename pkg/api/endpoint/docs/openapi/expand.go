package openapi

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/platform/idempotency"
)

// everywhere are the headers of every response, from components/headers.
var everywhere = []string{"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-RateLimit-Window", "X-Request-Id"}

func addHeaders(response *yaml.Node, status string) {
	headers := get(response, "headers")
	if headers == nil {
		headers = object()
		put(response, "headers", headers)
	}
	names := everywhere
	switch status {
	case "401":
		names = append([]string{"WWW-Authenticate"}, names...)
	case "429", "503":
		names = append([]string{"Retry-After"}, names...)
	}
	for _, name := range names {
		put(headers, name, reference("headers", name))
	}
}

// Codes of an operation that accepts an Idempotency-Key.
const (
	keyReused     = "idempotency_key_reused"
	keyInProgress = "idempotency_in_progress"
)

// addKey adds the Idempotency-Key to an operation.
func addKey(op *yaml.Node) {
	parameters := get(op, "parameters")
	if parameters == nil {
		parameters = array()
		put(op, "parameters", parameters)
	}
	parameters.Content = append(parameters.Content, reference("parameters", "IdempotencyKey"))
	remove(op, "x-idempotent")
}

// addReplay adds the headers of a replay to a response. A response that is not stored is not
// replayed (idempotency.Final).
func addReplay(response *yaml.Node, status string) {
	headers := get(response, "headers")
	code, err := strconv.Atoi(status)
	if err == nil && idempotency.Final(code) {
		put(headers, idempotency.ReplayedHeader, reference("headers", idempotency.ReplayedHeader))
	}
	if code == http.StatusConflict {
		put(headers, "Retry-After", reference("headers", "Retry-After-In-Progress"))
	}
}

func reference(kind, name string) *yaml.Node {
	return object("$ref", text("#/components/"+kind+"/"+name))
}

// errorResponse returns the response of one status, with the given codes.
func errorResponse(codes []code) *yaml.Node {
	lines, names, examples := make([]string, 0, len(codes)), array(), object()
	for _, c := range codes {
		lines = append(lines, fmt.Sprintf("- `%s`: %s", c.Code, c.Meaning))
		names.Content = append(names.Content, text(c.Code))
		put(examples, c.Code, reference("examples", c.Code))
	}
	// Narrow only the code, and not the status, because generators lose schemas that are narrowed
	// twice. Without a type, generators would accept a code of any type.
	narrowed := object("properties", object("code", object("type", text("string"), "enum", names)))
	return object(
		"description", text(strings.Join(lines, "\n")),
		"content", object("application/problem+json", object(
			"schema", object("allOf", array(reference("schemas", "Problem"), narrowed)),
			"examples", examples,
		)),
	)
}

// addExamples adds an example of a problem to components, for every code that an operation uses.
func (b *builder) addExamples(root *yaml.Node) error {
	components := get(root, "components")
	if components == nil {
		return errors.New("the source has no components")
	}
	examples := object()
	for _, c := range b.order {
		if !b.used[c.Code] {
			continue
		}
		words := strings.ReplaceAll(c.Code, "_", " ")
		value := object(
			"type", text("/docs#"+c.Code),
			"title", text(strings.ToUpper(words[:1])+words[1:]),
			"status", number(int64(c.Status)),
			"detail", text(strings.ReplaceAll(c.Meaning, "`", "")),
			"code", text(c.Code),
			"requestId", text("9f0c6a1e-7f0b-4a0c-9c55-6f8a3f3b7a42"),
		)
		switch {
		case c.Code == "validation_failed":
			put(value, "errors", array(object(
				"field", text("limit"), "code", text("out_of_range"), "message", text("Must be between 1 and 100."),
			)))
		case c.Status == http.StatusTooManyRequests, c.Status == http.StatusServiceUnavailable:
			put(value, "retryAfter", number(12))
		case c.Code == keyInProgress:
			put(value, "retryAfter", number(1))
		}
		put(examples, c.Code, object("value", value))
	}
	put(components, "examples", examples)
	return nil
}

// addLimits adds the rate limit and the body limit of the operation.
func addLimits(op *yaml.Node, r route.Route) {
	limits := "Not counted towards any limit."
	if r.Rule.Counted() {
		counted, key := "per IP address", "ip"
		if r.NeedsToken() {
			counted, key = "per wallet", "wallet"
		}
		put(op, "x-rate-limit", object(
			"bucket", text(r.Rule.Name),
			"limit", number(int64(r.Rule.Limit)),
			"windowSeconds", number(int64(r.Rule.Window/time.Second)),
			"per", text(key),
		))
		limits = fmt.Sprintf("Rate limit: %d per %s %s (bucket `%s`).", r.Rule.Limit, r.Rule.Period(), counted, r.Rule.Name)
	}
	if get(op, "requestBody") != nil {
		put(op, "x-max-body-bytes", number(r.MaxBody))
	}
	description := limits
	if d := get(op, "description"); d != nil {
		description = strings.TrimSpace(d.Value) + "\n\n" + limits
	}
	put(op, "description", text(description))
}

// moveWebhooks moves each message of the section webhooks to a callback of the operation that adds
// a webhook. openapi-generator 7.26 converts the section to methods that do not compile, and
// oapi-codegen 2.8 drops schemas that are not reachable from a path.
func moveWebhooks(root *yaml.Node) {
	operation := get(get(get(root, "paths"), "/webhooks"), "post")
	if operation == nil {
		return
	}
	callbacks := object()
	for kind, hook := range pairs(get(root, "webhooks")) {
		put(callbacks, kind, object("{$request.body#/url}", hook))
	}
	put(operation, "callbacks", callbacks)
	remove(root, "webhooks")
}

// closeRequests adds additionalProperties: false to the objects that occur only in requests. The
// service rejects unknown fields in requests, but responses may get new fields.
func closeRequests(root *yaml.Node) {
	schemas := get(get(root, "components"), "schemas")
	requests, responses := map[*yaml.Node]bool{}, map[*yaml.Node]bool{}
	for _, path := range pairs(get(root, "paths")) {
		for _, operation := range pairs(path) {
			reach(get(operation, "requestBody"), schemas, requests)
			reach(get(operation, "responses"), schemas, responses)
		}
	}
	reach(get(root, "webhooks"), schemas, responses)
	for n := range requests {
		if !responses[n] && value(n, "type") == "object" && get(n, "properties") != nil && get(n, "additionalProperties") == nil {
			put(n, "additionalProperties", &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: "false"})
		}
	}
}

// reach adds a node to the set, with all nodes that the node contains or refers to.
func reach(n, schemas *yaml.Node, to map[*yaml.Node]bool) {
	if n == nil || to[n] {
		return
	}
	to[n] = true
	if name := referenced(n); name != "" {
		reach(get(schemas, name), schemas, to)
	}
	for _, child := range n.Content {
		reach(child, schemas, to)
	}
}
