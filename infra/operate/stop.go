package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation/types"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
)

// gate blocks all calls of functions of a stack, and allows the calls again. A function is stopped
// by its reserved concurrency. So releasing restores the reserved concurrency of the stack's
// template, instead of removing the reservation.
type gate struct {
	stacks    *cloudformation.Client
	functions *lambda.Client
	out       io.Writer
}

func newGate(config aws.Config, out io.Writer) gate {
	return gate{cloudformation.NewFromConfig(config), lambda.NewFromConfig(config), out}
}

// outputSuffix is the suffix of the outputs with functions' names: TokensFunctionName.
const outputSuffix = "FunctionName"

var errNoFunction = errors.New("the stack has no such function")

func (g gate) stop(ctx context.Context, stack string, names []string) error {
	found, err := g.named(ctx, stack, names)
	if err != nil {
		return err
	}
	for _, f := range found {
		if _, err := g.functions.PutFunctionConcurrency(ctx, &lambda.PutFunctionConcurrencyInput{
			FunctionName: &f.id, ReservedConcurrentExecutions: aws.Int32(0),
		}); err != nil {
			return fmt.Errorf("stop %s: %w", f.name, err)
		}
		if err := g.say("%s: %s is stopped: calls that are under way end by themselves\n", stack, f.name); err != nil {
			return err
		}
	}
	return nil
}

func (g gate) release(ctx context.Context, stack string, names []string) error {
	found, err := g.named(ctx, stack, names)
	if err != nil {
		return err
	}
	reserved, err := g.reserved(ctx, stack)
	if err != nil {
		return err
	}
	for _, f := range found {
		calls, has := reserved[f.id]
		if has {
			_, err = g.functions.PutFunctionConcurrency(ctx, &lambda.PutFunctionConcurrencyInput{
				FunctionName: &f.id, ReservedConcurrentExecutions: &calls,
			})
		} else {
			_, err = g.functions.DeleteFunctionConcurrency(ctx, &lambda.DeleteFunctionConcurrencyInput{FunctionName: &f.id})
		}
		if err != nil {
			return fmt.Errorf("release %s: %w", f.name, err)
		}
		said := "as many calls at once as the account has left"
		if has {
			said = fmt.Sprintf("%d calls at once", calls)
		}
		if err := g.say("%s: %s may have %s\n", stack, f.name, said); err != nil {
			return err
		}
	}
	return nil
}

type namedFunction struct{ name, id string }

// named finds functions by the names of their directories.
func (g gate) named(ctx context.Context, stack string, names []string) ([]namedFunction, error) {
	described, err := g.stacks.DescribeStacks(ctx, &cloudformation.DescribeStacksInput{StackName: &stack})
	if err != nil {
		return nil, fmt.Errorf("read the outputs of stack %s: %w", stack, err)
	}
	all := map[string]string{}
	for _, output := range described.Stacks[0].Outputs {
		if name, ok := strings.CutSuffix(aws.ToString(output.OutputKey), outputSuffix); ok {
			all[strings.ToLower(name)] = aws.ToString(output.OutputValue)
		}
	}
	var found []namedFunction
	for _, name := range names {
		id, ok := all[strings.ToLower(name)]
		if !ok {
			known := make([]string, 0, len(all))
			for name := range all {
				known = append(known, name)
			}
			slices.Sort(known)
			return nil, fmt.Errorf("%s of stack %s: %w: it has %s", name, stack, errNoFunction, strings.Join(known, ", "))
		}
		found = append(found, namedFunction{name, id})
	}
	return found, nil
}

// reserved returns the reserved concurrency in the stack's template, by the functions' own names.
func (g gate) reserved(ctx context.Context, stack string) (map[string]int32, error) {
	got, err := g.stacks.GetTemplate(ctx, &cloudformation.GetTemplateInput{
		StackName: &stack, TemplateStage: types.TemplateStageProcessed,
	})
	if err != nil {
		return nil, fmt.Errorf("read the template of stack %s: %w", stack, err)
	}
	var template struct {
		Resources map[string]struct {
			Properties struct{ ReservedConcurrentExecutions *int32 }
		}
	}
	if err := json.Unmarshal([]byte(aws.ToString(got.TemplateBody)), &template); err != nil {
		return nil, fmt.Errorf("read the template of stack %s: %w", stack, err)
	}
	calls := map[string]int32{}
	pages := cloudformation.NewListStackResourcesPaginator(g.stacks, &cloudformation.ListStackResourcesInput{StackName: &stack})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, fmt.Errorf("list the resources of stack %s: %w", stack, err)
		}
		for _, r := range page.StackResourceSummaries {
			if of := template.Resources[aws.ToString(r.LogicalResourceId)].Properties.ReservedConcurrentExecutions; of != nil {
				calls[aws.ToString(r.PhysicalResourceId)] = *of
			}
		}
	}
	return calls, nil
}

func (g gate) say(format string, args ...any) error {
	_, err := fmt.Fprintf(g.out, format, args...)
	return err //nolint:wrapcheck // of the terminal
}
