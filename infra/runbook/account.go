package runbook

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tokenlaunch.example/service/pkg/testkit/localnet/ministack"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

// Environment returns the environment of an administrator's shell whose commands of AWS and of CDK
// call the local AWS, and nothing else. The directory receives the command aws.
func Environment(root project.Folder, server *ministack.Server, directory string) ([]string, error) {
	// Version 1 of the command line has addresses of its own for SQS, whatever AWS_ENDPOINT_URL says.
	command := "#!/bin/sh\nexec " + root.Path(".local/aws/bin/aws") + " --endpoint-url " + server.Endpoint + " \"$@\"\n"
	if err := os.WriteFile(filepath.Join(directory, "aws"), []byte(command), 0o700); err != nil { // #nosec G306 -- a command
		return nil, fmt.Errorf("write the command aws: %w", err)
	}
	env := slices.DeleteFunc(os.Environ(), func(variable string) bool {
		return strings.HasPrefix(variable, "AWS_") || strings.HasPrefix(variable, "MAKE") || strings.HasPrefix(variable, "PATH=")
	})
	return append(env,
		"PATH="+directory+":"+os.Getenv("PATH"),
		"AWS_ACCESS_KEY_ID=test", "AWS_SECRET_ACCESS_KEY=test", "AWS_ENDPOINT_URL="+server.Endpoint, "AWS_ENDPOINT_URL_S3="+server.Endpoint,
		"AWS_EC2_METADATA_DISABLED=true", "AWS_CONFIG_FILE="+os.DevNull, "AWS_SHARED_CREDENTIALS_FILE="+os.DevNull, "AWS_PAGER=",
		"CDK_HOME="+root.Path(".local/cdk"), "CDK_DISABLE_CLI_TELEMETRY=true", "CDK_VALIDATION=false", "JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION=true",
		"APPROVAL=never", "CI=true", "NO_COLOR=1", // nothing asks
	), nil
}
