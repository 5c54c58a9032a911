// Command infra is the CDK app: it turns the context values that package stack
// reads into the CloudFormation template of the service.
package main

import (
	"fmt"
	"os"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/jsii-runtime-go"

	"tokenlaunch.example/service/infra/stack"
)

func main() {
	defer jsii.Close()
	app := awscdk.NewApp(nil)
	settings, err := stack.ReadSettings(contextOf(app), os.Getenv)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		jsii.Close()
		os.Exit(1)
	}
	stack.NewService(app, settings)
	app.Synth(nil)
}

// contextOf reads context values as text: they come as strings from the command
// line and as numbers from cdk.json.
func contextOf(app awscdk.App) func(name string) string {
	return func(name string) string {
		value := app.Node().TryGetContext(jsii.String(name))
		if value == nil {
			return ""
		}
		return fmt.Sprint(value)
	}
}
