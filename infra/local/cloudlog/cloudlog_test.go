package cloudlog_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"tokenlaunch.example/service/infra/local/cloudlog"
	"tokenlaunch.example/service/pkg/testkit/localnet"
)

// logsAPI calls CloudWatch Logs.
func logsAPI(t *testing.T, endpoint, action string, input map[string]any) {
	t.Helper()
	body, err := json.Marshal(input)
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, endpoint, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-amz-json-1.1")
	request.Header.Set("X-Amz-Target", "Logs_20140328."+action)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(response.Body)
		t.Fatalf("%s: %s %s", action, response.Status, text)
	}
}

// invocation logs as MiniStack does for a call: a new stream, all lines at once.
func invocation(t *testing.T, endpoint, group, stream string, at time.Time, lines ...string) {
	t.Helper()
	logsAPI(t, endpoint, "CreateLogStream", map[string]any{"logGroupName": group, "logStreamName": stream})
	events := make([]map[string]any, len(lines))
	for i, line := range lines {
		events[i] = map[string]any{"timestamp": at.UnixMilli(), "message": line}
	}
	logsAPI(t, endpoint, "PutLogEvents", map[string]any{"logGroupName": group, "logStreamName": stream, "logEvents": events})
}

func TestEveryLineIsCopiedOnce(t *testing.T) {
	endpoint := localnet.AWS(t).Endpoint
	const group = "/aws/lambda/tokens"
	logsAPI(t, endpoint, "CreateLogGroup", map[string]any{"logGroupName": group})
	file := filepath.Join(t.TempDir(), "tokens.log")
	now := time.Now()
	invocation(t, endpoint, group, "before", now, "one", "two")

	f, err := cloudlog.Follow(t.Context(), endpoint, map[string]string{group: file})
	if err != nil {
		t.Fatal(err)
	}
	want := "one\ntwo\n"
	check := func() {
		t.Helper()
		f.Flush()
		f.Flush()
		got, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want {
			t.Fatalf("the file has %q, want %q", got, want)
		}
	}
	check()
	for i := range 3 { // in the same millisecond
		line := fmt.Sprintf("call %d", i)
		invocation(t, endpoint, group, fmt.Sprint("same-", i), now.Add(time.Second), line)
		want += line + "\n"
		check()
	}
	invocation(t, endpoint, group, "late", now.Add(500*time.Millisecond), "late")
	want += "late\n"
	check()
	invocation(t, endpoint, group, "last", now.Add(time.Minute), "last")
	want += "last\n"
	f.Stop()
	if got, err := os.ReadFile(file); err != nil || string(got) != want {
		t.Errorf("the file has %q (%v), want %q", got, err, want)
	}
}
