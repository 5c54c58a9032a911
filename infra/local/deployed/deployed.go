// Package deployed returns the environment of the functions of a running local stack: their
// variables, and Lambda's additions. A binary with this environment behaves like the deployed
// function, with the rights of its role.
package deployed

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/google/uuid"
)

// Function is a deployed function.
type Function struct {
	Name      string // our name: the name of its directory in functions/
	LogicalID string // in the templates
	Physical  string // in the stack
	ARN, Role string
	Timeout   time.Duration
	MemoryMB  int32
	// Variables are the variables that the stack sets.
	Variables map[string]string
}

// ErrNoFunctions is returned if the outputs are not from our stack.
var ErrNoFunctions = errors.New("the stack has no functions")

// Functions returns the functions of a stack. names are the physical names by the names of the
// constructs with a lower-case first letter.
func Functions(ctx context.Context, cfg aws.Config, names map[string]string) (map[string]Function, error) {
	client := lambda.NewFromConfig(cfg)
	all := map[string]Function{}
	for construct, physical := range names {
		c, err := client.GetFunctionConfiguration(ctx, &lambda.GetFunctionConfigurationInput{FunctionName: &physical})
		if err != nil {
			return nil, fmt.Errorf("read the settings of %s: %w", construct, err)
		}
		f := Function{
			Name: strings.ToLower(construct), LogicalID: strings.ToUpper(construct[:1]) + construct[1:] + "Function", Physical: physical,
			ARN: aws.ToString(c.FunctionArn), Role: aws.ToString(c.Role),
			Timeout: time.Duration(aws.ToInt32(c.Timeout)) * time.Second, MemoryMB: aws.ToInt32(c.MemorySize),
			Variables: map[string]string{},
		}
		if c.Environment != nil {
			f.Variables = c.Environment.Variables
		}
		all[f.Name] = f
	}
	if len(all) == 0 {
		return nil, ErrNoFunctions
	}
	return all, nil
}

// Environment returns the whole environment of the function's process: the stack's variables,
// Lambda's additions, and credentials. The environment of this process is not included.
func (f Function) Environment(endpoint, region string, c aws.Credentials) []string {
	env := maps.Clone(f.Variables)
	maps.Copy(env, Access(endpoint, region, c))
	maps.Copy(env, map[string]string{
		"AWS_LAMBDA_FUNCTION_NAME":        f.Physical,
		"AWS_LAMBDA_FUNCTION_VERSION":     "$LATEST",
		"AWS_LAMBDA_FUNCTION_MEMORY_SIZE": fmt.Sprint(f.MemoryMB),
		"AWS_LAMBDA_LOG_GROUP_NAME":       "/aws/lambda/" + f.Physical,
		"AWS_LAMBDA_LOG_STREAM_NAME":      uuid.NewString(),
		"_HANDLER":                        "bootstrap",
	})
	return List(env)
}

// Access returns the variables with which a process reaches only the local AWS.
func Access(endpoint, region string, c aws.Credentials) map[string]string {
	env := map[string]string{
		"AWS_ENDPOINT_URL": endpoint, "AWS_REGION": region, "AWS_DEFAULT_REGION": region,
		"AWS_ACCESS_KEY_ID": c.AccessKeyID, "AWS_SECRET_ACCESS_KEY": c.SecretAccessKey,
		"AWS_EC2_METADATA_DISABLED": "true",
		// Exclude the user's own configuration.
		"AWS_CONFIG_FILE": os.DevNull, "AWS_SHARED_CREDENTIALS_FILE": os.DevNull,
	}
	if c.SessionToken != "" {
		env["AWS_SESSION_TOKEN"] = c.SessionToken
	}
	return env
}

// List returns variables in the form NAME=VALUE, sorted.
func List(variables map[string]string) []string {
	var out []string
	for name, value := range variables {
		out = append(out, name+"="+value)
	}
	slices.Sort(out)
	return out
}

// Binary returns the path of the built function, below the functions directory.
func (f Function) Binary(functions string) string {
	return filepath.Join(functions, f.Name, "bootstrap")
}

// CheckLocal rejects an endpoint that is not on this machine.
func CheckLocal(endpoint string) error {
	u, err := url.Parse(endpoint)
	if err != nil || u.Scheme != "http" || u.Host == "" {
		return fmt.Errorf("the AWS endpoint %q is no http address of this machine", endpoint)
	}
	host := u.Hostname()
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("the AWS endpoint %s is not on this machine's loopback: only the local stack is called", u.Host)
	}
	return nil
}
