package e2e_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"tokenlaunch.example/service/infra/local/walkthrough"
	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/token/terms"
)

// The tax of a launched token goes from the schedule's message to the holders by
// the deployed functions, with the rights that they have, and is proven. The same
// slot again does nothing.
func TestATokensTaxIsDistributed(t *testing.T) {
	s := deployed(t)
	l := newLaunch(t, s)
	told := webhook(t, l.Client)
	if err := l.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	d := walkthrough.Distribution{
		Launch: l, Schedule: s, RPCURL: s.Chain.RPCURL, Market: s.Market,
		Table: func(name, value string) { t.Logf("%-14s%s", name, value) },
	}
	if err := d.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	if d.Run.PaidHolders < 20 || d.Run.Burned == 0 || d.Run.Proceeds == 0 || d.Run.CreatorPaid == 0 || !d.Report.OK() {
		t.Errorf("the run is %+v", d.Run)
	}
	// Of the last transaction, the anchor, the next run returns the receipt.
	if h := d.History; h.Nonces != 0 || len(h.Receipts) < 5 || len(h.Open) != 1 || h.Returned != len(h.Receipts)-1 {
		t.Errorf("the wallet's history is %+v", h)
	}
	told.heard(t, d.Mint().String(), l.Submitted.Signature.String(), d.Run.ID)
	readmeVerifies(t, s, d.Mint(), d.Wallets()[0].PublicKey())
	agentVerifies(t, s, d.Mint().String())
	witnessed(t, s, d.Mint())
	canaryWatches(t, s, d.Mint())
	queues := sqs.NewFromConfig(s.AWS.Config())
	// Messages that wait for minutes are of the run that is over.
	_, waiting := messages(t, queues, s.Outputs["RunQueueUrl"])
	if err := s.OpenSlot(t.Context(), terms.EveryHour, d.Run.Slot.Time); err != nil {
		t.Fatal(err)
	}
	idle(t, queues, s.Outputs["DispatchQueueUrl"], 0)
	idle(t, queues, s.Outputs["RunQueueUrl"], waiting)
	list, err := l.Client.ListRuns(t.Context(), d.Mint().String(), client.Cursor{})
	if err != nil {
		t.Fatal(err)
	}
	if len(list.Runs) != 1 || list.Runs[0].ID != d.Run.ID {
		t.Errorf("the same slot again gives the runs %+v", list.Runs)
	}
}

// idle waits until a queue has no message at hand or under way, and no more than so
// many that wait for their time.
func idle(t *testing.T, client *sqs.Client, url string, waiting int) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		active, delayed := messages(t, client, url)
		if active == 0 && delayed <= waiting {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s does not become idle: %d messages, %d more wait", url, active, delayed)
		}
	}
}

// messages counts those of a queue that are at hand or under way, and those that
// wait for their time.
func messages(t *testing.T, client *sqs.Client, url string) (active, delayed int) {
	t.Helper()
	out, err := client.GetQueueAttributes(t.Context(), &sqs.GetQueueAttributesInput{
		QueueUrl: &url, AttributeNames: []types.QueueAttributeName{types.QueueAttributeNameAll},
	})
	if err != nil {
		t.Fatal(err)
	}
	count := func(name types.QueueAttributeName) int {
		n, err := strconv.Atoi(out.Attributes[string(name)])
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	active = count(types.QueueAttributeNameApproximateNumberOfMessages) + count(types.QueueAttributeNameApproximateNumberOfMessagesNotVisible)
	return active, count(types.QueueAttributeNameApproximateNumberOfMessagesDelayed)
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
