package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	"github.com/aws/aws-sdk-go-v2/service/eventbridge"
	eventbridgetypes "github.com/aws/aws-sdk-go-v2/service/eventbridge/types"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/aws/aws-sdk-go-v2/service/lambda/types"
)

// toggle stops and starts the automatic work of a stack: the rules of its schedules, and the
// readers of its queues.
type toggle struct {
	stacks  *cloudformation.Client
	rules   *eventbridge.Client
	readers *lambda.Client
	out     io.Writer
}

func newSwitch(config aws.Config, out io.Writer) toggle {
	return toggle{cloudformation.NewFromConfig(config), eventbridge.NewFromConfig(config), lambda.NewFromConfig(config), out}
}

const (
	ruleType   = "AWS::Events::Rule"
	readerType = "AWS::Lambda::EventSourceMapping"
)

// turn turns all rules and readers on or off, and returns when the readers have changed.
func (t toggle) turn(ctx context.Context, stack string, on bool) error {
	found, err := t.resources(ctx, stack)
	if err != nil {
		return err
	}
	// Start readers first, so that new work finds its readers. Stop rules first, so that no new
	// work starts.
	kinds := []string{ruleType, readerType}
	if on {
		slices.Reverse(kinds)
	}
	for _, kind := range kinds {
		for _, p := range found[kind] {
			if err := t.set(ctx, kind, p.id, on); err != nil {
				return fmt.Errorf("%s: %w", p.id, err)
			}
		}
	}
	for _, p := range found[readerType] {
		if err := t.await(ctx, p.id, on); err != nil {
			return err
		}
	}
	state := "off: calls that are under way end within 5 minutes"
	if on {
		state = "on"
	}
	_, err = fmt.Fprintf(t.out, "%s: %d rules and %d readers of queues are %s\n", stack, len(found[ruleType]), len(found[readerType]), state)
	return err //nolint:wrapcheck // of the terminal
}

var errNothing = errors.New("it has no schedules, or nothing that reads its queues: is that the name of the service's stack?")

// part is a rule or a reader of a stack, by its physical ID. off reports whether a rule is off.
type part struct {
	id  string
	off bool
}

// resources lists the rules with a schedule and the readers of a stack. Rules that match events
// start no work and stay on: they raise alarms. Enabling such a rule again would also lose its
// selection of CloudTrail's events.
func (t toggle) resources(ctx context.Context, stack string) (map[string][]part, error) {
	found := map[string][]part{}
	pages := cloudformation.NewListStackResourcesPaginator(t.stacks, &cloudformation.ListStackResourcesInput{StackName: &stack})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, fmt.Errorf("list the resources of stack %s: %w", stack, err)
		}
		for _, r := range page.StackResourceSummaries {
			kind, p := aws.ToString(r.ResourceType), part{id: aws.ToString(r.PhysicalResourceId)}
			if kind == ruleType {
				rule, err := t.rules.DescribeRule(ctx, &eventbridge.DescribeRuleInput{Name: &p.id})
				if err != nil {
					return nil, fmt.Errorf("read rule %s: %w", p.id, err)
				}
				if aws.ToString(rule.ScheduleExpression) == "" {
					continue
				}
				p.off = rule.State == eventbridgetypes.RuleStateDisabled
			}
			found[kind] = append(found[kind], p)
		}
	}
	if len(found[ruleType]) == 0 || len(found[readerType]) == 0 {
		return nil, fmt.Errorf("stack %s: %w", stack, errNothing)
	}
	return found, nil
}

func (t toggle) set(ctx context.Context, kind, id string, on bool) error {
	switch {
	case kind == readerType:
		_, err := t.readers.UpdateEventSourceMapping(ctx, &lambda.UpdateEventSourceMappingInput{UUID: &id, Enabled: &on})
		var changing *types.ResourceInUseException
		if errors.As(err, &changing) { // since the last call
			if err = t.settled(ctx, id); err == nil {
				return t.set(ctx, kind, id, on)
			}
		}
		return err //nolint:wrapcheck // turn says of what
	case on:
		_, err := t.rules.EnableRule(ctx, &eventbridge.EnableRuleInput{Name: &id})
		return err //nolint:wrapcheck // turn says of what
	}
	_, err := t.rules.DisableRule(ctx, &eventbridge.DisableRuleInput{Name: &id})
	return err //nolint:wrapcheck // turn says of what
}

// Lambda needs some seconds, sometimes a minute, to start or stop a reader.
const (
	readerWithin = 5 * time.Minute
	readerPause  = time.Second
)

var errReader = errors.New("it does not come to the state that was asked for")

// await waits until a reader has the requested state.
func (t toggle) await(ctx context.Context, id string, on bool) error {
	want := "Disabled"
	if on {
		want = "Enabled"
	}
	return t.until(ctx, id, func(state string) bool { return state == want })
}

// settled waits until a reader's state is not changing.
func (t toggle) settled(ctx context.Context, id string) error {
	return t.until(ctx, id, func(state string) bool { return state == "Enabled" || state == "Disabled" })
}

func (t toggle) until(ctx context.Context, id string, good func(state string) bool) error {
	ctx, cancel := context.WithTimeout(ctx, readerWithin)
	defer cancel()
	for {
		reader, err := t.readers.GetEventSourceMapping(ctx, &lambda.GetEventSourceMappingInput{UUID: &id})
		if err != nil {
			return fmt.Errorf("read the reader %s: %w", id, err)
		}
		if good(aws.ToString(reader.State)) {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("reader %s is %s: %w", id, aws.ToString(reader.State), errors.Join(errReader, ctx.Err()))
		case <-time.After(readerPause):
		}
	}
}
