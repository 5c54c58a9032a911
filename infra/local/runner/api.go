package runner

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/lambda"

	"tokenlaunch.example/service/infra/local/cloudlog"
	"tokenlaunch.example/service/pkg/testkit/localnet/child"
)

// apiTimeout bounds the wait for the first response, which starts two functions.
const apiTimeout = 30 * time.Second

// awaitAPI waits until the deployed API is healthy.
func (s *Stack) awaitAPI(ctx context.Context) error {
	began := time.Now()
	ctx, cancel := context.WithTimeout(ctx, apiTimeout)
	defer cancel()
	for {
		said, err := health(ctx, s.APIURL)
		if err == nil {
			s.options.Progress.Done("API", s.APIURL+took(began))
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the API is not healthy: %w\n%s", err, s.explain(said))
		case <-time.After(100 * time.Millisecond):
		}
	}
}

func health(ctx context.Context, api string) (string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, api+"/health", http.NoBody)
	if err != nil {
		return "", fmt.Errorf("ask for health: %w", err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", fmt.Errorf("ask for health: %w", err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, 1<<16))
	if err != nil {
		return "", fmt.Errorf("ask for health: %w", err)
	}
	if response.StatusCode != http.StatusOK {
		return string(text), fmt.Errorf("GET /health answers %s", response.Status)
	}
	return string(text), nil
}

// startLogs starts to copy the functions' logs into a file for each function.
func (s *Stack) startLogs(ctx context.Context) (err error) {
	client := lambda.NewFromConfig(s.AWS.Config())
	files, prefix := map[string]string{}, ""
	if s.name != stackName {
		prefix = s.name + "-"
	}
	for logical, physical := range s.Outputs.Functions() {
		config, err := client.GetFunctionConfiguration(ctx, &lambda.GetFunctionConfigurationInput{FunctionName: &physical})
		if err != nil {
			return fmt.Errorf("find the log of %s: %w", logical, err)
		}
		group := "/aws/lambda/" + physical
		if config.LoggingConfig != nil && config.LoggingConfig.LogGroup != nil {
			group = *config.LoggingConfig.LogGroup
		}
		files[group] = s.log(prefix + logical)
	}
	s.logs, err = cloudlog.Follow(ctx, s.AWS.Endpoint, files)
	return err
}

// explain returns a response with the ends of the logs that may explain the response.
func (s *Stack) explain(said string) string {
	s.logs.Flush()
	return said + "\n" + child.Tail(s.log("docs"), 10) + "\n" + child.Tail(s.log("ministack"), 10)
}

// LogOf returns the functions' log lines with a text, such as a request ID: at most the last 20
// lines, each after the function's name. It returns "" if there are no such lines.
func (s *Stack) LogOf(text string) string {
	if text == "" {
		return ""
	}
	s.logs.Flush()
	files, err := filepath.Glob(s.log("*"))
	if err != nil {
		return ""
	}
	var found []string
	for _, file := range files {
		lines, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(lines)) {
			if strings.Contains(line, text) {
				name := strings.TrimSuffix(filepath.Base(file), ".log")
				found = append(found, name+": "+strings.TrimSpace(line))
			}
		}
	}
	return strings.Join(found[max(0, len(found)-20):], "\n")
}
