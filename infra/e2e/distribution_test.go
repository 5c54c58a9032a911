package e2e_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"tokenlaunch.example/service/infra/local/walkthrough"
	"tokenlaunch.example/service/pkg/distribution"
)

// The tax of a launched token goes from the schedule's message to the holders by
// the deployed functions, with the rights that they have, and is proven. The same
// slot again does nothing.
func TestATokensTaxIsDistributed(t *testing.T) {
	s := deployed(t)
	l := newLaunch(t, s)
	if err := l.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	d := walkthrough.Distribution{
		Launch: l, Schedule: s, RPCURL: s.Chain.RPCURL,
		Table: func(name, value string) { t.Logf("%-14s%s", name, value) },
	}
	if err := d.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	if d.Run.PaidHolders < 20 || d.Run.Burned == "0" || d.Run.Proceeds == "0" || d.Run.CreatorPaid == "0" || !d.Report.OK() {
		t.Errorf("the run is %+v", d.Run)
	}
	slot, err := time.Parse(time.RFC3339, d.Run.Slot)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.OpenSlot(t.Context(), distribution.EveryHour, slot); err != nil {
		t.Fatal(err)
	}
	queue := s.Outputs["RunQueueUrl"]
	idle(t, s.Outputs["DispatchQueueUrl"], sqs.NewFromConfig(s.AWS.Config()))
	idle(t, queue, sqs.NewFromConfig(s.AWS.Config()))
	var list struct{ Runs []walkthrough.Run }
	if err := l.Client.Call(t.Context(), http.MethodGet, "/distribution/"+l.Submitted.MintAddress+"/runs", nil, &list); err != nil {
		t.Fatal(err)
	}
	if len(list.Runs) != 1 || list.Runs[0].ID != d.Run.ID {
		t.Errorf("the same slot again gives the runs %+v", list.Runs)
	}
}

// idle waits until a queue has no message, those under way and those with a delay
// included.
func idle(t *testing.T, url string, client *sqs.Client) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		out, err := client.GetQueueAttributes(t.Context(), &sqs.GetQueueAttributesInput{QueueUrl: &url, AttributeNames: []types.QueueAttributeName{types.QueueAttributeNameAll}})
		if err != nil {
			t.Fatal(err)
		}
		waiting := ""
		for name, count := range out.Attributes {
			if strings.HasPrefix(name, "ApproximateNumberOfMessages") {
				waiting += strings.TrimLeft(count, "0")
			}
		}
		if waiting == "" {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s does not become idle: %v", url, out.Attributes)
		}
	}
}

// What the dispatcher cannot read is an error, by which its rule's event is tried
// again and then set aside.
func TestTheDispatcherRefusesWhatItCannotRead(t *testing.T) {
	s := deployed(t)
	name := s.Outputs["DispatcherFunctionName"]
	for _, message := range []string{`{"task":"slot","interval":"1h"}`, `{"task":"slot","interval":"1h","time":"noon"}`, `{}`} {
		out, err := lambda.NewFromConfig(s.AWS.Config()).Invoke(t.Context(), &lambda.InvokeInput{FunctionName: &name, Payload: []byte(message)})
		if err != nil || out.FunctionError == nil || !strings.Contains(string(out.Payload), "dispatcher's message") {
			t.Errorf("%s: %v, %s, %s", message, err, aws.ToString(out.FunctionError), out.Payload)
		}
	}
}
