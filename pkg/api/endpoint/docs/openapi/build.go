// Package openapi builds the API's document from the hand-written source. It adds the parts that
// would be repeated or could contradict the code: the error responses of each operation, the
// rate-limit headers of every response, and the limits from the table of routes. The result depends
// only on the source and the routes, to the byte.
package openapi

import (
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"tokenlaunch.example/service/pkg/api/endpoint/docs/sample"
	"tokenlaunch.example/service/pkg/api/route"
)

// Build builds the JSON document. It returns an error if the source and the routes do not name the
// same operations, or if an operation names a code that is missing in x-error-codes. client is the
// client for the samples in Go, and may be nil.
func Build(source []byte, routes []route.Route, client *sample.Client) ([]byte, error) {
	root, err := read(source)
	if err != nil {
		return nil, err
	}
	root = resolve(root)
	b := builder{codes: map[string]code{}, used: map[string]bool{}, routes: map[string]route.Route{}, client: client}
	if components := get(root, "components"); components != nil {
		b.parameters = get(components, "parameters")
	}
	for _, r := range routes {
		b.routes[strings.ToLower(r.Method)+" "+r.Path] = r
	}
	if err := b.readCodes(get(root, "x-error-codes")); err != nil {
		return nil, err
	}
	if err := b.paths(get(root, "paths")); err != nil {
		return nil, err
	}
	if err := b.addExamples(root); err != nil {
		return nil, err
	}
	closeRequests(root)
	moveWebhooks(root)
	for key := range b.routes {
		return nil, fmt.Errorf("%s: a route without an operation in the source", key)
	}
	return encode(root)
}

// code is one row of x-error-codes.
type code struct {
	Code    string `yaml:"code"`
	Status  int    `yaml:"status"`
	Meaning string `yaml:"meaning"`
}

// builder is the state of Build: the codes by name and in the order of the table, and the codes
// that operations use. routes are the remaining routes, by "get /path". client and parameters, the
// parameters of components, are for the samples.
type builder struct {
	codes  map[string]code
	order  []code
	used   map[string]bool
	routes map[string]route.Route

	client     *sample.Client
	parameters *yaml.Node
}

func (b *builder) readCodes(table *yaml.Node) error {
	if table == nil {
		return errors.New("the source has no x-error-codes")
	}
	if err := table.Decode(&b.order); err != nil {
		return fmt.Errorf("read x-error-codes: %w", err)
	}
	for _, c := range b.order {
		if _, twice := b.codes[c.Code]; twice {
			return fmt.Errorf("x-error-codes lists %s twice", c.Code)
		}
		b.codes[c.Code] = c
	}
	return nil
}

func (b *builder) paths(paths *yaml.Node) error {
	if paths == nil {
		return errors.New("the source has no paths")
	}
	for path, item := range pairs(paths) {
		for method, operation := range pairs(item) {
			key := method + " " + path
			r, known := b.routes[key]
			if !known {
				return fmt.Errorf("%s: an operation without a route", key)
			}
			delete(b.routes, key)
			if err := b.operation(operation, r); err != nil {
				return fmt.Errorf("%s: %w", key, err)
			}
		}
	}
	return nil
}

func (b *builder) operation(op *yaml.Node, r route.Route) error {
	responses := get(op, "responses")
	if responses == nil {
		return errors.New("no responses")
	}
	var names []string
	if list := get(op, "x-errors"); list != nil {
		if err := list.Decode(&names); err != nil {
			return fmt.Errorf("read x-errors: %w", err)
		}
	}
	idempotent := get(op, "x-idempotent") != nil
	if idempotent {
		names = append(names, keyReused, keyInProgress)
	}
	byStatus, err := b.group(names)
	if err != nil {
		return err
	}
	for _, group := range byStatus {
		put(responses, fmt.Sprint(group[0].Status), errorResponse(group))
	}
	for status, response := range pairs(responses) {
		addHeaders(response, status)
		if idempotent {
			addReplay(response, status)
		}
	}
	if idempotent {
		addKey(op)
	}
	remove(op, "x-errors")
	addLimits(op, r)
	return b.addSamples(op, r)
}

// group sorts an operation's codes by the order of the table, and groups the codes by status.
func (b *builder) group(names []string) ([][]code, error) {
	wanted := map[string]bool{}
	for _, name := range names {
		if _, known := b.codes[name]; !known {
			return nil, fmt.Errorf("x-errors names %s, which x-error-codes does not list", name)
		}
		wanted[name], b.used[name] = true, true
	}
	var groups [][]code
	for _, c := range b.order {
		if !wanted[c.Code] {
			continue
		}
		if last := len(groups) - 1; last >= 0 && groups[last][0].Status == c.Status {
			groups[last] = append(groups[last], c)
			continue
		}
		groups = append(groups, []code{c})
	}
	return groups, nil
}
