// Command infra is the CDK app: it turns the context values that package stack
// reads, and those of the stage in package stages, into the CloudFormation template of the service.
package main

import (
	"fmt"
	"os"
	"strconv"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/jsii-runtime-go"

	"tokenlaunch.example/service/infra/stack"
	"tokenlaunch.example/service/infra/stages"
)

func main() {
	defer jsii.Close()
	app := awscdk.NewApp(nil)
	settings, err := readSettings(app)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		jsii.Close()
		os.Exit(1)
	}
	stack.NewEdge(app, settings)
	stack.NewCopies(app, settings)
	stack.NewService(app, settings)
	stack.NewReplica(app, settings)
	app.Synth(nil)
}

// readSettings reads the command line, and where that says nothing the stage's file.
func readSettings(app awscdk.App) (stack.Settings, error) {
	context, err := stages.With(contextOf(app))
	if err != nil {
		return stack.Settings{}, err
	}
	if context["region"] == "" {
		context["region"] = os.Getenv("CDK_DEFAULT_REGION") // by the CDK command line
	}
	return stack.ReadSettings(context)
}

// contextOf reads context values as text: they come as strings from the command
// line and as numbers from cdk.json.
func contextOf(app awscdk.App) map[string]string {
	values := map[string]string{}
	all, _ := app.Node().GetAllContext(nil).(map[string]any)
	for name, value := range all {
		if n, ok := value.(float64); ok {
			values[name] = strconv.FormatFloat(n, 'f', -1, 64)
			continue
		}
		values[name] = fmt.Sprint(value)
	}
	return values
}
