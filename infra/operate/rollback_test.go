package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A release is deployed again only where every table, bucket, queue and key of the stack
// stays what it is.
func TestRollbackKeepsWhatHasData(t *testing.T) {
	s := deploy(t, "rolled-back")
	var asked []string
	var out bytes.Buffer
	r := newRollback(s.config, &out)
	r.deploy = func(_ context.Context, stack, assembly string) error {
		asked = append(asked, stack+" "+assembly)
		return nil
	}
	for name, test := range map[string]struct {
		template string
		err      error
	}{
		"as-it-was":    {operated, nil},
		"no-queue":     {strings.Replace(operated, `"Queue": {"Type": "AWS::SQS::Queue"}`, `"Gone": {"Type": "AWS::SNS::Topic"}`, 1), errState},
		"other-name":   {strings.Replace(operated, `{"Type": "AWS::SQS::Queue"}`, `{"Type": "AWS::SQS::Queue", "Properties": {"QueueName": "another"}}`, 1), errState},
		"no-such-file": {"", errNoRelease},
	} {
		folder := filepath.Join(t.TempDir(), name)
		s.must(os.Mkdir(folder, 0o700))
		if test.template != "" {
			s.must(os.WriteFile(filepath.Join(folder, s.name+".template.json"), []byte(test.template), 0o600))
		}
		asked = nil
		err := r.to(t.Context(), s.name, folder)
		if !errors.Is(err, test.err) {
			t.Errorf("%s: %v, want %v", name, err, test.err)
		}
		if deployed := len(asked) == 1; deployed != (test.err == nil) {
			t.Errorf("%s: deployed %v", name, asked)
		}
		if errors.Is(err, errState) && !strings.Contains(err.Error(), "Queue (AWS::SQS::Queue") {
			t.Errorf("%s: %v does not name the queue", name, err)
		}
	}
}
