package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
)

// rollback deploys a kept release again, unless the deployment would replace or remove a resource
// that has data.
type rollback struct {
	stacks *cloudformation.Client
	// deploy deploys the stack from a cloud assembly.
	deploy func(ctx context.Context, stack, assembly string) error
	out    io.Writer
}

func newRollback(config aws.Config, out io.Writer) rollback {
	return rollback{cloudformation.NewFromConfig(config), deployAssembly, out}
}

// stateful are the types of resources that have data or unique rights.
var stateful = []string{"AWS::DynamoDB::Table", "AWS::DynamoDB::GlobalTable", "AWS::S3::Bucket", "AWS::KMS::Key", "AWS::SQS::Queue"}

var (
	errNoRelease = errors.New("the folder holds no template of the stack: name one that make assemble wrote")
	errState     = errors.New("the release has not all of what has data in the stack: roll forward instead")
)

// to deploys the release in a directory, and its alarms.
func (r rollback) to(ctx context.Context, stack, folder string) error {
	assembly, err := filepath.Abs(folder)
	if err != nil {
		return fmt.Errorf("find the folder of the release: %w", err)
	}
	wanted, err := os.ReadFile(filepath.Join(assembly, stack+".template.json")) //nolint:gosec // the operator names it
	if err != nil {
		return fmt.Errorf("%w: %w", errNoRelease, err)
	}
	deployed, err := r.stacks.GetTemplate(ctx, &cloudformation.GetTemplateInput{StackName: &stack})
	if err != nil {
		return fmt.Errorf("read the template of stack %s: %w", stack, err)
	}
	before, err := statefulOf([]byte(aws.ToString(deployed.TemplateBody)))
	if err != nil {
		return fmt.Errorf("read the template of stack %s: %w", stack, err)
	}
	after, err := statefulOf(wanted)
	if err != nil {
		return fmt.Errorf("read the template of the release: %w", err)
	}
	var lost []string
	for _, resource := range before {
		if !slices.Contains(after, resource) {
			lost = append(lost, resource)
		}
	}
	if len(lost) > 0 {
		return fmt.Errorf("%w: %s", errState, strings.Join(lost, ", "))
	}
	if err := r.deploy(ctx, stack, assembly); err != nil {
		return fmt.Errorf("deploy %s: %w", filepath.Base(assembly), err)
	}
	_, err = fmt.Fprintf(r.out, "%s: %s is deployed\n", stack, filepath.Base(assembly))
	return err //nolint:wrapcheck // of the terminal
}

// statefulOf lists the resources with data in a template, by logical ID, type and the properties
// whose change makes CloudFormation replace the resource.
func statefulOf(template []byte) ([]string, error) {
	var t struct {
		Resources map[string]struct {
			Type       string
			Properties struct {
				TableName, BucketName, QueueName, KeySchema, KeySpec, KeyUsage, MultiRegion any
			}
		}
	}
	if err := json.Unmarshal(template, &t); err != nil {
		return nil, err //nolint:wrapcheck // to says of what
	}
	var found []string
	for id, resource := range t.Resources {
		if !slices.Contains(stateful, resource.Type) {
			continue
		}
		fixed, err := json.Marshal(resource.Properties)
		if err != nil {
			return nil, err //nolint:wrapcheck // to says of what
		}
		found = append(found, fmt.Sprintf("%s (%s, %s)", id, resource.Type, fixed))
	}
	slices.Sort(found)
	return found, nil
}

// cdk is the path of the command line that make tools installs, relative to infra.
const cdk = "local/node_modules/.bin/cdk"

func deployAssembly(ctx context.Context, stack, assembly string) error {
	//nolint:gosec // the project's own CDK command line, and no shell
	command := exec.CommandContext(ctx, cdk, "deploy", stack, "--exclusively", "--app", assembly, "--require-approval", "never", "--no-notices")
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := command.Run(); err != nil {
		return err //nolint:wrapcheck // to says of what
	}
	// The alarms of the newer release may watch parts that the older release does not have.
	//nolint:gosec // the project's own script, and no shell expands its arguments
	command = exec.CommandContext(ctx, "sh", "tools/alarms.sh", stack, assembly)
	command.Env = append(os.Environ(), "APPROVAL=never")
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := command.Run(); err != nil {
		return fmt.Errorf("the stack is deployed, and its alarms are not: run sh tools/alarms.sh %s %s: %w", stack, assembly, err)
	}
	return nil
}
