package main

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"tokenlaunch.example/service/infra/stack"
)

// bounded are the functions in a loop whose chains end long before Lambda would drop an
// invocation, so they keep the default: the limit stops their errors.
var bounded = map[string]string{
	"Courier":    "only its rule makes it send (webhook.Courier.Sweep), so a chain invokes it twice",
	"Dispatcher": "it sends the rest of a shard, once in some 50,000 tokens (dispatch.Dispatcher.QueueShard)",
	"Notifier":   "only its rule makes it send (digest.Digests.Work), so a chain invokes it twice",
}

// calls lists what each function of a template may invoke, directly or through a queue: by
// the rights of its role and by the queues that functions read.
func calls(p parsed) map[string][]string {
	name := func(id, kind string) string { return strings.TrimSuffix(cdkHash.ReplaceAllString(id, ""), kind) }
	attribute := func(value any) string { // of {"Fn::GetAtt": ["X", "Arn"]}
		of, _ := value.(object)
		path, _ := of["Fn::GetAtt"].([]any)
		if len(path) == 0 {
			return ""
		}
		id, _ := path[0].(string)
		return cdkHash.ReplaceAllString(id, "")
	}
	readers := map[string][]string{} // of a queue or a function: what receives its messages
	for id, r := range p.Resources {
		switch r.Type {
		case "AWS::Lambda::EventSourceMapping":
			function, _ := r.Properties["FunctionName"].(object)["Ref"].(string)
			queue := attribute(r.Properties["EventSourceArn"])
			readers[queue] = append(readers[queue], name(function, "Function"))
		case "AWS::Lambda::Function", "AWS::Serverless::Function":
			readers[cdkHash.ReplaceAllString(id, "")] = []string{name(id, "Function")}
		}
	}
	out := map[string][]string{}
	for _, r := range p.Resources {
		if r.Type != "AWS::IAM::Policy" {
			continue
		}
		document, _ := r.Properties["PolicyDocument"].(object)
		for _, s := range items(document["Statement"]) {
			statement, _ := s.(object)
			sends := slices.ContainsFunc(items(statement["Action"]), func(action any) bool {
				return action == "sqs:SendMessage" || action == "lambda:InvokeFunction"
			})
			if !sends {
				continue
			}
			for _, role := range items(r.Properties["Roles"]) {
				of, _ := role.(object)["Ref"].(string)
				for _, on := range items(statement["Resource"]) {
					out[name(of, "Role")] = append(out[name(of, "Role")], readers[attribute(on)]...)
				}
			}
		}
	}
	return out
}

// items returns a list, also of a single value.
func items(value any) []any {
	if all, ok := value.([]any); ok {
		return all
	}
	return []any{value}
}

// looping lists the functions that may invoke themselves, through whatever others.
func looping(calls map[string][]string) []string {
	var all []string
	for start := range calls {
		reached, next := map[string]bool{}, slices.Clone(calls[start])
		for len(next) > 0 {
			f := next[0]
			next = next[1:]
			if !reached[f] {
				reached[f] = true
				next = append(next, calls[f]...)
			}
		}
		if reached[start] {
			all = append(all, start)
		}
	}
	return slices.Sorted(slices.Values(all))
}

// Lambda drops the messages of a function that invokes itself, about 16 invocations into a
// chain, unless the function allows loops. So each function in a loop allows it or names what
// bounds its chains, and no other function allows it.
func TestLoopingFunctionsAllowLoops(t *testing.T) {
	inFolder(t)
	sam, _ := readTemplate(t, "../template.yaml")
	prod := map[string]string{"stage": stack.StageProd, "network": "mainnet", "replicaRegion": always["replicaRegion"], "reportAddress": always["reportAddress"]}
	maps.Copy(prod, told[stack.StageProd])
	for of, p := range map[string]parsed{
		"template.yaml": sam, "dev": ofCDK(t, map[string]string{"stage": stack.StageDev, "publicUrl": "https://api.example.com"}), "prod": ofCDK(t, prod),
	} {
		var allowed []string
		for id, r := range p.Resources {
			switch value := r.Properties["RecursiveLoop"]; value {
			case nil:
			case "Allow":
				allowed = append(allowed, strings.TrimSuffix(cdkHash.ReplaceAllString(id, ""), "Function"))
			default:
				t.Errorf("%s: %s has RecursiveLoop %v", of, id, value)
			}
		}
		slices.Sort(allowed)
		want := slices.DeleteFunc(looping(calls(p)), func(f string) bool { return bounded[f] != "" })
		if !slices.Equal(allowed, want) {
			t.Errorf("%s: %v allow loops; %v loop without a bound", of, allowed, want)
		}
		if !slices.Equal(want, []string{"Distributor", "Payer"}) {
			t.Errorf("%s: %v loop without a bound: allow it and say in infra/stack why that is safe, or add the bound to this test", of, want)
		}
		for f := range bounded {
			if !slices.Contains(looping(calls(p)), f) {
				t.Errorf("%s: %s is in no loop any more", of, f)
			}
		}
	}
}
