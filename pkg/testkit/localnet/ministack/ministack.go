// Package ministack runs MiniStack, which serves the service's AWS APIs on a loopback port. Every
// start is empty.
package ministack

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	sdkhttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/credentials"

	"tokenlaunch.example/service/pkg/aws/awsconfig"
	"tokenlaunch.example/service/pkg/testkit/localnet/child"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

// Region is the region of the local stack; MiniStack accepts any.
const Region = "us-east-1"

// AccountID is the account ID of MiniStack.
const AccountID = "000000000000"

// Credentials are the credentials of the account itself, with all permissions.
var Credentials = aws.Credentials{AccessKeyID: "test", SecretAccessKey: "test"}

// startTimeout bounds a start, which takes under a second on an idle machine.
const startTimeout = 60 * time.Second

// Server is a running MiniStack.
type Server struct {
	Endpoint string // http://127.0.0.1:<port>
	Process  *child.Process

	scratch string
}

// Options are the options of a start. Every field may be zero.
type Options struct {
	Log  string            // file for the output; a temporary file if empty
	Env  map[string]string // more variables, for MiniStack and for the functions
	Port int               // a free port if zero
}

// Start runs a MiniStack and waits until MiniStack responds.
func Start(ctx context.Context, folder project.Folder, o Options) (*Server, error) {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	python, err := folder.Python()
	if err != nil {
		return nil, err
	}
	scratch, err := os.MkdirTemp("", "ministack-")
	if err != nil {
		return nil, fmt.Errorf("make MiniStack's scratch folder: %w", err)
	}
	if o.Log == "" {
		o.Log = filepath.Join(scratch, "ministack.log")
	}
	process, err := child.Start(ctx, child.Command{
		Name: "MiniStack",
		Path: python,
		Args: []string{"-u", folder.Path("infra/local/ministack_host.py")},
		Env:  environment(scratch, o),
		Dir:  scratch,
		Log:  o.Log,
	})
	if err != nil {
		_ = os.RemoveAll(scratch)
		return nil, err
	}
	s := &Server{Process: process, scratch: scratch}
	var bound struct{ Port int }
	if err := json.Unmarshal(process.Ready, &bound); err != nil {
		s.Stop()
		return nil, fmt.Errorf("read MiniStack's port: %w", err)
	}
	s.Endpoint = fmt.Sprintf("http://127.0.0.1:%d", bound.Port)
	if err := process.AwaitHealthy(ctx, s.healthy); err != nil {
		s.Stop()
		return nil, err
	}
	return s, nil
}

// passed are the variables of this process that MiniStack and the functions see: variables for
// finding programs and for the network, but no settings of the service.
var passed = []string{
	"PATH", "LANG", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY",
	"http_proxy", "https_proxy", "no_proxy", "SSL_CERT_FILE", "SSL_CERT_DIR",
}

func environment(scratch string, o Options) []string {
	env := []string{
		"HOME=" + scratch,
		"TMPDIR=" + scratch,
		"SCRATCH_FOLDER=" + scratch, // which MiniStack removes when it exits
		"STATE_DIR=" + filepath.Join(scratch, "state"),
		"S3_DATA_DIR=" + filepath.Join(scratch, "s3"),
		"BIND_HOST=127.0.0.1",
		"MINISTACK_HOST=127.0.0.1",
		fmt.Sprintf("GATEWAY_PORT=%d", o.Port),
		"AWS_ACCESS_KEY_ID=test",
		"AWS_SECRET_ACCESS_KEY=test",
		"AWS_REGION=" + Region,
		"AWS_DEFAULT_REGION=" + Region,
		"PYTHONDONTWRITEBYTECODE=1",
		// Disable listeners and daemons that the service does not use. A Docker daemon is not used,
		// because MiniStack removes containers of other MiniStacks.
		"IOT_MTLS_ENABLED=0",
		"SFTP_ENABLED=0",
		"DOCKER_HOST=unix://" + filepath.Join(scratch, "no-docker.sock"),
	}
	for _, name := range passed {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	for name, value := range o.Env {
		env = append(env, name+"="+value)
	}
	return env
}

func (s *Server) healthy(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.Endpoint+"/_ministack/ready", http.NoBody)
	if err != nil {
		return fmt.Errorf("ask MiniStack: %w", err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("ask MiniStack: %w", err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("MiniStack answers %s", response.Status)
	}
	return nil
}

// Config returns an AWS configuration with this server's endpoint.
func (s *Server) Config() aws.Config {
	return aws.Config{
		Region:       Region,
		Credentials:  credentials.StaticCredentialsProvider{Value: Credentials},
		BaseEndpoint: aws.String(s.Endpoint),
		HTTPClient:   awsconfig.Client{Next: sdkhttp.NewBuildableClient()},
	}
}

// Stop ends the server and the server's functions, and removes the written files.
func (s *Server) Stop() {
	s.Process.Stop()
	_ = os.RemoveAll(s.scratch)
}
