// Package deploy_test deploys the real stack by the real cdk, updates it in place, and
// rolls it back, once by CloudFormation and once as an operator does.
package deploy_test

import (
	"archive/zip"
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	sqstypes "github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"tokenlaunch.example/service/infra/local/progress"
	"tokenlaunch.example/service/infra/local/runner"
	"tokenlaunch.example/service/infra/runbook"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
	"tokenlaunch.example/service/pkg/testkit/must"
)

const stackName = "token-launch-local"

// fixture is the deployed service.
type fixture struct {
	*testing.T

	stack  *runner.Stack
	root   project.Folder
	folder string
}

// TestReleaseDeployUpdateRollback deploys, updates and rolls back a release: data and the API's
// address stay, requests get responses, and no message is lost.
func TestReleaseDeployUpdateRollback(t *testing.T) {
	if testing.Short() {
		t.Skip("deploys the whole stack, which short mode leaves out")
	}
	root, err := project.Find()
	must.Do(t, err)
	w := &fixture{T: t, root: root, folder: t.TempDir()}
	w.stack, err = runner.Start(context.WithoutCancel(t.Context()), runner.Options{
		Project: root, Folder: w.folder, Offline: true, SlotTime: runner.TestSlotTime, Alarms: true, Progress: progress.New(io.Discard),
	})
	must.Do(t, err)
	t.Cleanup(w.stack.Stop)

	outputs := maps.Clone(w.stack.Outputs)
	w.write()
	first := w.code("DocsFunctionName")
	stop := w.probe()

	// An update in place: other code of a function, another setting.
	release2 := filepath.Join(w.folder, "release-2")
	must.Do(t, w.stack.Deploy(t.Context(), runner.Deployment{
		Values: map[string]string{"logLevel": "debug", "version": "1.2.0", "functionsDir": w.otherCode("docs")}, Output: release2,
	}))
	w.same("after the update", outputs)
	second := w.code("DocsFunctionName")
	if second.sha == first.sha || second.level != "debug" || second.version != "1.2.0" {
		t.Errorf("after the update the docs function is %+v", second)
	}
	if other := w.code("BurnsFunctionName"); other.level != "debug" {
		t.Errorf("after the update the burns function is %+v", other)
	}

	// An update that fails when all functions were changed.
	release3 := filepath.Join(w.folder, "release-3")
	must.Do(t, runbook.Break(release2, release3, stackName))
	if err := w.stack.Deploy(t.Context(), runner.Deployment{Assembly: release3}); err == nil {
		t.Fatal("an update that cannot succeed was deployed")
	}
	if status := w.status(); status != "UPDATE_ROLLBACK_COMPLETE" {
		t.Errorf("after an update that failed the stack is %s", status)
	}
	w.same("after an update that failed", outputs)
	if now := w.code("DocsFunctionName"); now != second {
		t.Errorf("after an update that failed the docs function is %+v, want %+v", now, second)
	}

	// An operator's rollback: the assembly of the release before.
	must.Do(t, w.stack.Deploy(t.Context(), runner.Deployment{Assembly: filepath.Join(w.folder, "cdk.out")}))
	w.same("after the rollback", outputs)
	if now := w.code("DocsFunctionName"); now != first {
		t.Errorf("after the rollback the docs function is %+v, want %+v", now, first)
	}
	stop()
}

// write puts something into what has data.
func (w *fixture) write() {
	w.Helper()
	for _, table := range []string{"LaunchTableName", "SettingsTableName", "LedgerTableName", "WindowTableName"} {
		_, err := dynamodb.NewFromConfig(w.stack.AWS.Config()).PutItem(w.Context(), &dynamodb.PutItemInput{
			TableName: aws.String(w.stack.Outputs[table]), Item: item(),
		})
		must.Do(w, err)
	}
	for _, bucket := range []string{"AssetBucketName", "LedgerBucketName"} {
		_, err := w.files().PutObject(w.Context(), &s3.PutObjectInput{
			Bucket: aws.String(w.stack.Outputs[bucket]), Key: aws.String("kept"), Body: strings.NewReader("kept"),
		})
		must.Do(w, err)
	}
}

func item() map[string]types.AttributeValue {
	return map[string]types.AttributeValue{"pk": &types.AttributeValueMemberS{Value: "KEPT"}, "sk": &types.AttributeValueMemberS{Value: "KEPT"}}
}

func (w *fixture) files() *s3.Client {
	return s3.NewFromConfig(w.stack.AWS.Config(), func(o *s3.Options) { o.UsePathStyle = true })
}

// same checks that tables, buckets, keys, queues and the API are those of before, with
// what was written.
func (w *fixture) same(when string, outputs runner.Outputs) {
	w.Helper()
	if !maps.Equal(w.stack.Outputs, outputs) {
		w.Errorf("%s the outputs are %v, want %v", when, w.stack.Outputs, outputs)
	}
	for _, table := range []string{"LaunchTableName", "SettingsTableName", "LedgerTableName", "WindowTableName"} {
		out, err := dynamodb.NewFromConfig(w.stack.AWS.Config()).GetItem(w.Context(), &dynamodb.GetItemInput{
			TableName: aws.String(outputs[table]), Key: item(),
		})
		if err != nil || out.Item == nil {
			w.Errorf("%s the item of %s does not exist: %v", when, table, err)
		}
	}
	for _, bucket := range []string{"AssetBucketName", "LedgerBucketName"} {
		if _, err := w.files().HeadObject(w.Context(), &s3.HeadObjectInput{Bucket: aws.String(outputs[bucket]), Key: aws.String("kept")}); err != nil {
			w.Errorf("%s the object of %s does not exist: %v", when, bucket, err)
		}
	}
}

// code is the code of a function.
type code struct{ sha, level, version string }

func (w *fixture) code(output string) code {
	w.Helper()
	out, err := lambda.NewFromConfig(w.stack.AWS.Config()).GetFunctionConfiguration(w.Context(), &lambda.GetFunctionConfigurationInput{
		FunctionName: aws.String(w.stack.Outputs[output]),
	})
	must.Do(w, err)
	variables := out.Environment.Variables
	return code{aws.ToString(out.CodeSha256), variables["LOG_LEVEL"], variables["VERSION"]}
}

// probe requests pages and sends messages until it is stopped, and then checks that all requests
// got a response and all messages were processed. MiniStack ends the process of a function that
// changes, at times during a call, which Lambda does not. Such a request gets an error, and such a
// message is redelivered.
func (w *fixture) probe() (stop func()) {
	ctx, cancel := context.WithCancel(w.Context())
	paths := []string{"/health", "/tokens"}
	var probing sync.WaitGroup
	var rounds, interrupted, sent int
	probing.Go(func() {
		for ; ctx.Err() == nil; rounds++ {
			for _, path := range paths {
				if w.interrupted(path) {
					interrupted++
				}
			}
			pause(ctx, 100*time.Millisecond)
		}
	})
	queues, url := sqs.NewFromConfig(w.stack.AWS.Config()), w.stack.Outputs["DispatchQueueUrl"]
	// Instead of the 6 minutes of the template: a message that was interrupted is waited for.
	_, err := queues.SetQueueAttributes(w.Context(), &sqs.SetQueueAttributesInput{
		QueueUrl: &url, Attributes: map[string]string{string(sqstypes.QueueAttributeNameVisibilityTimeout): "15"},
	})
	must.Do(w, err)
	probing.Go(func() {
		for ; ctx.Err() == nil; sent++ {
			// A part of a slot in which nothing is due.
			_, err := queues.SendMessage(context.WithoutCancel(ctx), &sqs.SendMessageInput{
				QueueUrl: &url, MessageBody: aws.String(`{"task":"shard","interval":"24h","time":"2026-01-01T00:00:00Z","shard":1}`),
			})
			if err != nil {
				w.Errorf("send a message: %v", err)
			}
			pause(ctx, 500*time.Millisecond)
		}
	})
	return func() {
		cancel()
		probing.Wait()
		waiting, hidden := w.messages(queues, url)
		for deadline := time.Now().Add(2 * time.Minute); waiting+hidden > 0; waiting, hidden = w.messages(queues, url) {
			if time.Now().After(deadline) {
				w.Fatalf("%d messages wait, and %d are not done", waiting, hidden)
			}
			pause(w.Context(), 200*time.Millisecond)
		}
		if given, _ := w.messages(queues, w.stack.Outputs["DispatchDeadLetterQueueUrl"]); given > 0 {
			w.Errorf("%d messages were given up", given)
		}
		// The update, the one that fails and its way back, and the rollback change each
		// function; requests of a path are made one after the other.
		const changes = 4
		if interrupted > changes*len(paths) {
			w.Errorf("%d requests were interrupted by %d changes", interrupted, changes)
		}
		w.Logf("%d rounds of requests, %d of them interrupted; %d messages", rounds, interrupted, sent)
	}
}

// interrupted requests a page and reports whether the function's process ended during the request.
// Any other response than the page or a rate limit (a slow machine takes longer) is an error.
func (w *fixture) interrupted(path string) bool {
	// Not ended with the probe: a response that was begun is to arrive.
	request, err := http.NewRequestWithContext(context.WithoutCancel(w.Context()), http.MethodGet, w.stack.APIURL+path, http.NoBody)
	if err != nil {
		w.Error(err)
		return false
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		w.Errorf("GET %s: %v", path, err)
		return false
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	answered := response.StatusCode == http.StatusOK || response.StatusCode == http.StatusTooManyRequests
	if err != nil || !answered {
		// The local AWS ends processes of the version before, also such as have just begun.
		if strings.Contains(string(body), "Runtime.ExitError") || strings.Contains(string(body), "exited during init") {
			return true
		}
		w.Errorf("GET %s: %d %s %v", path, response.StatusCode, body, err)
	}
	return false
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// messages counts those of a queue that wait, and those that a consumer has and has not
// done.
func (w *fixture) messages(client *sqs.Client, url string) (waiting, hidden int) {
	w.Helper()
	const visible, notVisible = sqstypes.QueueAttributeNameApproximateNumberOfMessages, sqstypes.QueueAttributeNameApproximateNumberOfMessagesNotVisible
	out, err := client.GetQueueAttributes(w.Context(), &sqs.GetQueueAttributesInput{
		QueueUrl: &url, AttributeNames: []sqstypes.QueueAttributeName{visible, notVisible},
	})
	must.Do(w, err)
	must.Do(w, json.Unmarshal([]byte(out.Attributes[string(visible)]), &waiting))
	must.Do(w, json.Unmarshal([]byte(out.Attributes[string(notVisible)]), &hidden))
	return waiting, hidden
}

func (w *fixture) status() string {
	w.Helper()
	out, err := cloudformation.NewFromConfig(w.stack.AWS.Config()).DescribeStacks(w.Context(), &cloudformation.DescribeStacksInput{StackName: aws.String(stackName)})
	must.Do(w, err)
	return string(out.Stacks[0].StackStatus)
}

// otherCode is a directory of the functions in which one has another zip.
func (w *fixture) otherCode(changed string) string {
	w.Helper()
	folder := w.TempDir()
	zips, err := filepath.Glob(w.root.Path(".build/functions/*.zip"))
	must.Do(w, err)
	for _, path := range zips {
		copied := filepath.Join(folder, filepath.Base(path))
		if filepath.Base(path) != changed+".zip" {
			must.Do(w, os.Symlink(path, copied))
			continue
		}
		from, err := zip.OpenReader(path)
		must.Do(w, err)
		file, err := os.Create(copied) // #nosec G304 -- in a folder of this test
		must.Do(w, err)
		to := zip.NewWriter(file)
		for _, entry := range from.File {
			must.Do(w, to.Copy(entry))
		}
		_, err = to.Create("release-2")
		must.Do(w, err)
		must.Do(w, to.Close())
		must.Do(w, file.Close())
		must.Do(w, from.Close())
	}
	return folder
}
