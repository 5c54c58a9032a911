package e2e_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
)

func TestRecordLinksEveryPart(t *testing.T) {
	s := deployed(t)
	text, err := os.ReadFile(filepath.Join(folder, "stack.json"))
	if err != nil {
		t.Fatal(err)
	}
	var record struct {
		APIURL, RPCURL, WSURL, AWSEndpoint, IPFSGateway, Region string
		Tables, Functions, Queues                               map[string]string
		PIDs                                                    map[string]int
	}
	if err := json.Unmarshal(text, &record); err != nil {
		t.Fatal(err)
	}
	if record.APIURL != s.APIURL || record.RPCURL != s.Chain.RPCURL || record.WSURL != s.Chain.WSURL ||
		record.AWSEndpoint != s.AWS.Endpoint || record.IPFSGateway == "" || record.Region != "us-east-1" {
		t.Errorf("stack.json is %s", text)
	}
	tables := dynamodb.NewFromConfig(s.AWS.Config())
	for _, name := range []string{"launch", "window"} {
		physical := record.Tables[name]
		if _, err := tables.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: &physical}); err != nil {
			t.Errorf("table %s: %v", name, err)
		}
	}
	functions := lambda.NewFromConfig(s.AWS.Config())
	for _, name := range []string{"authorizer", "auth", "tokens", "images", "deriver", "docs"} {
		physical := record.Functions[name]
		if _, err := functions.GetFunction(t.Context(), &lambda.GetFunctionInput{FunctionName: &physical}); err != nil {
			t.Errorf("function %s: %v", name, err)
		}
	}
	queues := sqs.NewFromConfig(s.AWS.Config())
	for _, name := range []string{"pin", "pinDeadLetter"} {
		url := record.Queues[name]
		if _, err := queues.GetQueueAttributes(t.Context(), &sqs.GetQueueAttributesInput{QueueUrl: &url}); err != nil {
			t.Errorf("queue %s: %v", name, err)
		}
	}
	for name, pid := range record.PIDs {
		if err := syscall.Kill(pid, 0); err != nil {
			t.Errorf("process %s (%d): %v", name, pid, err)
		}
	}
}

func TestRequestIDIsInLogs(t *testing.T) {
	s := deployed(t)
	a := call(t, http.MethodGet, s.APIURL+"/tokens/nonsense", "", nil)
	p := checkProblem(t, a, http.StatusNotFound, "token_not_found")
	if log := s.LogOf(p.RequestID); !strings.HasPrefix(log, "tokens: {") {
		t.Errorf("the logs have %q of request %s", log, p.RequestID)
	}
}
