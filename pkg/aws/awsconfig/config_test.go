package awsconfig_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"

	"tokenlaunch.example/service/pkg/aws/awsconfig"
	"tokenlaunch.example/service/pkg/aws/awsconfig/profile"
)

// lambdaGives is Lambda's part of a function's environment, and the local stack's
// endpoint.
func lambdaGives(t *testing.T) {
	t.Helper()
	for name, value := range map[string]string{
		"AWS_REGION": "eu-west-1", "AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "key", "AWS_SESSION_TOKEN": "token",
		"AWS_ENDPOINT_URL": "http://127.0.0.1:1", "AWS_CONFIG_FILE": "/dev/null", "AWS_SHARED_CREDENTIALS_FILE": "/dev/null",
	} {
		t.Setenv(name, value)
	}
}

// Config must equal the SDK's own reading of the same environment.
func TestConfigIsTheSDKs(t *testing.T) {
	for _, endpoint := range []string{"http://127.0.0.1:1", ""} {
		lambdaGives(t)
		t.Setenv("AWS_ENDPOINT_URL", endpoint)
		ours, err := awsconfig.Config()
		if err != nil {
			t.Fatal(err)
		}
		sdks, err := profile.Config(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []aws.Config{ours, sdks} {
			if _, wrapped := c.HTTPClient.(awsconfig.Client); !wrapped {
				t.Errorf("calls are sent through %T", c.HTTPClient)
			}
		}
		mine, err := ours.Credentials.Retrieve(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		theirs, err := sdks.Credentials.Retrieve(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		mine.Source, theirs.Source = "", ""
		if mine != theirs || mine.SessionToken != "token" {
			t.Errorf("credentials %+v, the SDK's are %+v", mine, theirs)
		}
		if got, theirs := aws.ToString(ours.BaseEndpoint), aws.ToString(sdks.BaseEndpoint); got != endpoint || theirs != endpoint {
			t.Errorf("endpoint %q, the SDK's %q, want %q", got, theirs, endpoint)
		}
		// These fields were compared, or are only used for other ways to sign in.
		for _, c := range []*aws.Config{&ours, &sdks} {
			c.Credentials, c.HTTPClient, c.Logger, c.ConfigSources, c.BaseEndpoint, c.RestrictFilePermissions = nil, nil, nil, nil, nil, ""
		}
		if got, want := fmt.Sprintf("%+v", ours), fmt.Sprintf("%+v", sdks); got != want {
			t.Errorf("at %q:\n%s\nthe SDK's:\n%s", endpoint, got, want)
		}
	}
}

func TestConfigNamesMissingVariables(t *testing.T) {
	for _, name := range []string{"AWS_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"} {
		lambdaGives(t)
		t.Setenv(name, "")
		if _, err := awsconfig.Config(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("without %s: %v", name, err)
		}
	}
}
