package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"tokenlaunch.example/service/pkg/api/route"
)

// cdkHash ends the ids that CDK makes of its constructs' paths.
var cdkHash = regexp.MustCompile(`[0-9A-F]{8}$`)

type template struct {
	Parameters object
	Mappings   object
	Conditions object
	Resources  map[string]object
	Outputs    object
}

// variables are those of a function.
func variables(r object) object {
	environment, _ := properties(r)["Environment"].(object)
	all, _ := environment["Variables"].(object)
	return all
}

// form turns CDK's template into SAM's.
type form struct {
	resources map[string]object
	// stands has the name of each parameter, by the placeholder of the parameter's value.
	stands map[string]string
}

// samOf writes the template. It drops what SAM makes itself of functions and events: the
// integrations, the routes, the authorizer, the gateway's stage and its permissions.
//
// The functions of the local stage have variables that others lack: SAM sets only what is
// declared, so they are, empty, which is as if they were not there.
func samOf(made, local []byte, stands map[string]string, declared object) ([]byte, error) {
	var whole, here template
	if err := errors.Join(json.Unmarshal(made, &whole), json.Unmarshal(local, &here)); err != nil {
		return nil, fmt.Errorf("read CDK's templates: %w", err)
	}
	if len(whole.Conditions) > 0 {
		return nil, fmt.Errorf("%w: it has conditions", errForm)
	}
	everywhere := object{"AWS_ENDPOINT_URL": ""}
	for id, r := range here.Resources {
		for name := range variables(r) {
			if _, has := variables(whole.Resources[id])[name]; !has {
				everywhere[name] = ""
			}
		}
	}
	ids := map[string]string{}
	for _, id := range slices.Sorted(maps.Keys(whole.Resources)) {
		short := cdkHash.ReplaceAllString(id, "")
		if whole.Resources[id]["Type"] == "AWS::ApiGatewayV2::Api" {
			short = gatewayID
		}
		if slices.Contains(slices.Collect(maps.Values(ids)), short) {
			short = id // CDK's permissions and routes, which nothing asks for by name
		}
		ids[id] = short
	}
	f := form{map[string]object{}, stands}
	for id, r := range whole.Resources {
		f.resources[ids[id]], _ = f.plain(r, ids).(object)
	}
	if err := f.gateway(); err != nil {
		return nil, err
	}
	for id, r := range f.resources {
		if r["Type"] == "AWS::Lambda::Function" {
			f.resources[id] = function(r)
		}
	}
	for name, parameter := range whole.Parameters {
		if name != "BootstrapVersion" { // of CDK's own rules
			declared[name] = parameter
		}
	}
	outputs, _ := f.plain(whole.Outputs, ids).(object)
	sections := []struct {
		name  string
		value any
	}{
		{"AWSTemplateFormatVersion", "2010-09-09"},
		{"Transform", "AWS::Serverless-2016-10-31"},
		{"Description", "Token launch and distribution service"},
		{"Parameters", declared},
		{"Mappings", whole.Mappings},
		{"Globals", object{"Function": object{
			"CodeUri": ".", "Architectures": []any{object{"Ref": "Architecture"}},
			// Empty, which the AWS SDK ignores: --env-vars sets only what is named here, and
			// sam local leads a function to the local stack with it.
			"Environment": object{"Variables": everywhere},
		}}},
		{"Resources", f.resources},
		{"Outputs", outputs},
	}
	text := bytes.NewBufferString(samHeader)
	encoder := yaml.NewEncoder(text)
	encoder.SetIndent(2)
	document := yaml.Node{Kind: yaml.MappingNode}
	for _, s := range sections {
		if mappings, ok := s.value.(object); ok && len(mappings) == 0 {
			continue
		}
		var key, value yaml.Node
		key.SetString(s.name)
		if err := value.Encode(s.value); err != nil {
			return nil, fmt.Errorf("write %s: %w", s.name, err)
		}
		document.Content = append(document.Content, &key, &value)
	}
	if err := encoder.Encode(&document); err != nil {
		return nil, fmt.Errorf("write the template: %w", err)
	}
	return text.Bytes(), nil
}

// plain replaces everything by its short id, and placeholders by their parameters.
func (f form) plain(value any, ids map[string]string) any {
	switch v := value.(type) {
	case string:
		if name, ok := f.stands[v]; ok {
			return object{"Ref": name}
		}
		with := v
		for stand, name := range f.stands {
			with = strings.ReplaceAll(with, stand, "${"+name+"}")
		}
		if with != v {
			return object{"Fn::Sub": with}
		}
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = f.plain(item, ids)
		}
		return out
	case object:
		out := object{}
		for key, item := range v {
			out[key] = f.plain(item, ids)
		}
		if id, ok := v["Ref"].(string); ok && ids[id] != "" {
			return object{"Ref": ids[id]}
		}
		if path, ok := v["Fn::GetAtt"].([]any); ok {
			return object{"Fn::GetAtt": append([]any{ids[path[0].(string)]}, path[1:]...)} //nolint:forcetypeassert // CloudFormation's form
		}
		if _, isResource := v["Type"]; isResource {
			f.rename(out, ids)
		}
		return out
	}
	return value
}

// rename replaces what a resource waits for by its short id.
func (f form) rename(r object, ids map[string]string) {
	waits, _ := r["DependsOn"].([]any)
	for i, id := range waits {
		if text, ok := id.(string); ok && ids[text] != "" {
			waits[i] = ids[text]
		}
	}
}

// function is a function in SAM's words.
func function(r object) object {
	p := properties(r)
	delete(p, "Code")
	delete(p, "Architectures")
	if dead := properties(object{"Properties": p["DeadLetterConfig"]}); p["DeadLetterConfig"] != nil {
		p["DeadLetterQueue"] = object{"Type": "SQS", "TargetArn": dead["TargetArn"]}
		delete(p, "DeadLetterConfig")
	}
	// It waits for its role anyway.
	if role, ok := p["Role"].(object)["Fn::GetAtt"].([]any); ok {
		waits, _ := r["DependsOn"].([]any)
		r["DependsOn"] = slices.DeleteFunc(waits, func(id any) bool { return id == role[0] })
	}
	r["Type"], r["Metadata"] = "AWS::Serverless::Function", built
	return r
}

// built makes sam build run the root's Makefile in the root. Without WorkingDirectory sam build copies
// CodeUri, which is the whole tree for each function and builds in the copy. With it sam build copies
// ProjectRootDirectory, for which it has no use either.
var built = object{"BuildMethod": "makefile", "ProjectRootDirectory": "functions", "ContextPath": ".", "WorkingDirectory": "."}

func properties(r object) object {
	p, _ := r["Properties"].(object)
	return p
}

// gatewayID is the API's id in template.yaml.
const gatewayID = "HttpApi"

var errForm = errors.New("CDK's template is not as this command reads it")

// gateway makes SAM's API of CDK's, with each route as an event of its function.
func (f form) gateway() error {
	// Integrations lead to functions by their ids.
	integrations := map[string]string{}
	var api, stage, authorizer object
	var routes []object
	for id, r := range f.resources {
		p := properties(r)
		switch r["Type"] {
		case "AWS::ApiGatewayV2::Api":
			api = p
		case "AWS::ApiGatewayV2::Stage":
			stage = p
			delete(f.resources, id)
		case "AWS::ApiGatewayV2::Authorizer":
			authorizer = p
			delete(f.resources, id)
		case "AWS::ApiGatewayV2::Integration":
			target, _ := p["IntegrationUri"].(object)["Fn::GetAtt"].([]any)
			integrations[id], _ = target[0].(string)
			delete(f.resources, id)
		case "AWS::ApiGatewayV2::Route":
			routes = append(routes, p)
			delete(f.resources, id)
		case "AWS::Lambda::Permission":
			if p["Principal"] == "apigateway.amazonaws.com" {
				delete(f.resources, id)
			}
		}
	}
	if api == nil || stage == nil || authorizer == nil {
		return fmt.Errorf("%w: it has no API, no stage or no authorizer", errForm)
	}
	name, _ := authorizer["Name"].(string)
	shape := object{
		"Name": api["Name"], "CorsConfiguration": api["CorsConfiguration"], "StageName": stage["StageName"],
		"Auth": object{"Authorizers": object{name: object{
			"FunctionArn":                      object{"Fn::GetAtt": []any{authorizing(authorizer), "Arn"}},
			"AuthorizerPayloadFormatVersion":   authorizer["AuthorizerPayloadFormatVersion"],
			"EnableSimpleResponses":            authorizer["EnableSimpleResponses"],
			"EnableFunctionDefaultPermissions": true,
			"Identity":                         object{"ReauthorizeEvery": authorizer["AuthorizerResultTtlInSeconds"]},
		}}},
	}
	for _, key := range []string{"DefaultRouteSettings", "RouteSettings", "AccessLogSettings"} {
		if stage[key] != nil {
			shape[key] = stage[key]
		}
	}
	f.resources[gatewayID] = object{"Type": "AWS::Serverless::HttpApi", "Properties": shape}
	operations := map[string]string{}
	for _, r := range route.All() {
		operations[r.Key()] = strings.ToUpper(r.Operation[:1]) + r.Operation[1:]
	}
	for _, p := range routes {
		key, _ := p["RouteKey"].(string)
		join, _ := p["Target"].(object)["Fn::Join"].([]any)
		parts, _ := join[1].([]any)
		integration, _ := parts[1].(object)["Ref"].(string)
		of := f.resources[integrations[integration]]
		if of == nil {
			return fmt.Errorf("%w: the route %s leads to no function", errForm, key)
		}
		event := object{"ApiId": object{"Ref": gatewayID}}
		id := "Default"
		if method, path, ok := strings.Cut(key, " "); ok {
			id, event["Method"], event["Path"] = operations[key], method, path
		}
		if p["AuthorizerId"] != nil {
			event["Auth"] = object{"Authorizer": name}
		}
		events, _ := properties(of)["Events"].(object)
		if events == nil {
			events = object{}
			properties(of)["Events"] = events
		}
		events[id] = object{"Type": "HttpApi", "Properties": event}
	}
	return nil
}

// authorizing is the function that an authorizer calls.
func authorizing(authorizer object) string {
	uri, _ := authorizer["AuthorizerUri"].(object)
	join, _ := uri["Fn::Join"].([]any)
	parts, _ := join[1].([]any)
	for _, part := range parts {
		if target, ok := part.(object); ok {
			if path, ok := target["Fn::GetAtt"].([]any); ok {
				id, _ := path[0].(string)
				return id
			}
		}
	}
	return ""
}
