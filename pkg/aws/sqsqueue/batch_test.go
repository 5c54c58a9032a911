package sqsqueue_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/sqsqueue"
	"tokenlaunch.example/service/pkg/distribution/dispatch"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/token/terms"
)

var slot = time.Date(2026, 3, 29, 12, 0, 0, 0, time.UTC)

// newQueue is a fresh queue in MiniStack.
func newQueue(t *testing.T) (*sqs.Client, string) {
	t.Helper()
	client := sqs.NewFromConfig(localnet.AWS(t).Config(t.Context()))
	name := strings.ReplaceAll(t.Name(), "/", "-")
	made, err := client.CreateQueue(t.Context(), &sqs.CreateQueueInput{QueueName: &name})
	if err != nil {
		t.Fatal(err)
	}
	return client, aws.ToString(made.QueueUrl)
}

// count returns the number of messages in the queue, those that wait included.
func count(t *testing.T, client *sqs.Client, url string) (visible, delayed string) {
	t.Helper()
	out, err := client.GetQueueAttributes(t.Context(), &sqs.GetQueueAttributesInput{
		QueueUrl: &url, AttributeNames: []types.QueueAttributeName{types.QueueAttributeNameAll},
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.Attributes["ApproximateNumberOfMessages"], out.Attributes["ApproximateNumberOfMessagesDelayed"]
}

func TestRunsWaitForTheirDelays(t *testing.T) {
	client, url := newQueue(t)
	runs := make([]dispatch.Delayed, 137)
	for i := range runs {
		runs[i] = dispatch.Delayed{Run: dispatch.Run{Mint: solana.PublicKey{byte(i)}, Slot: slot}}
		if i%2 == 1 {
			runs[i].Delay = time.Hour // longer than SQS has it
		}
	}
	q := sqsqueue.Runs{Client: client, URL: url}
	if err := q.SendRuns(t.Context(), runs); err != nil {
		t.Fatal(err)
	}
	if visible, delayed := count(t, client, url); visible != "69" || delayed != "68" {
		t.Errorf("%s messages are there and %s wait, want 69 and 68", visible, delayed)
	}
	seen := map[string]bool{}
	for len(seen) < 69 {
		got, err := client.ReceiveMessage(t.Context(), &sqs.ReceiveMessageInput{QueueUrl: &url, MaxNumberOfMessages: 10})
		if err != nil || len(got.Messages) == 0 {
			t.Fatalf("%d messages after %d, %v", len(got.Messages), len(seen), err)
		}
		for _, m := range got.Messages {
			run, err := sqsqueue.ReadRun(aws.ToString(m.Body))
			if err != nil || run.Mint[0]%2 != 0 || !run.Slot.Equal(slot) {
				t.Errorf("%s is read as %+v, %v", aws.ToString(m.Body), run, err)
			}
			seen[run.Mint.String()] = true
		}
	}
}

func TestSendEmptyBatch(t *testing.T) {
	client, url := newQueue(t)
	if err := (sqsqueue.Runs{Client: client, URL: url}).SendRuns(t.Context(), nil); err != nil {
		t.Error(err)
	}
	if visible, _ := count(t, client, url); visible != "0" {
		t.Errorf("%s messages", visible)
	}
}

func TestShardsAndChunksAreReadAsTheyWereSent(t *testing.T) {
	client, url := newQueue(t)
	shard := dispatch.Shard{Slot: dispatch.Slot{Interval: terms.EveryHour, At: slot}, Number: 7, After: "x"}
	if err := (sqsqueue.Shards{Client: client, URL: url}).SendShards(t.Context(), []dispatch.Shard{shard}); err != nil {
		t.Fatal(err)
	}
	if m, err := dispatch.Read([]byte(receive(t, client, url)), slot); err != nil || m.Shard != shard {
		t.Errorf("dispatch.Read() = %+v, %v; want shard %v", m, err, shard)
	}
	work := payout.Work{Mint: solana.PublicKey{1}, Slot: slot, Run: "a-run", Kind: payout.Pay, Leg: 1, Chunk: 34, MessageGeneration: 5}
	if err := (sqsqueue.Payouts{Client: client, URL: url}).Hand(t.Context(), []payout.Work{work}); err != nil {
		t.Fatal(err)
	}
	if got, err := sqsqueue.ReadWork(receive(t, client, url)); err != nil || got != work {
		t.Errorf("ReadWork() = %+v, %v; want %+v", got, err, work)
	}
}

// receive takes one message out of the queue.
func receive(t *testing.T, client *sqs.Client, url string) string {
	t.Helper()
	got, err := client.ReceiveMessage(t.Context(), &sqs.ReceiveMessageInput{QueueUrl: &url, WaitTimeSeconds: 5})
	if err != nil || len(got.Messages) != 1 {
		t.Fatalf("%d messages, %v", len(got.Messages), err)
	}
	_, err = client.DeleteMessage(t.Context(), &sqs.DeleteMessageInput{QueueUrl: &url, ReceiptHandle: got.Messages[0].ReceiptHandle})
	if err != nil {
		t.Fatal(err)
	}
	return aws.ToString(got.Messages[0].Body)
}

// refusing is SQS that does not take some messages; it counts what it took.
type refusing struct {
	sync.Mutex
	refuse int // that many more messages
	fault  bool
	took   int
}

func (s *refusing) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var in struct{ Entries []struct{ ID string } }
	body, _ := io.ReadAll(r.Body)
	if err := json.Unmarshal(body, &in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.Lock()
	defer s.Unlock()
	var out struct{ Successful, Failed []map[string]any }
	for _, e := range in.Entries {
		if s.refuse > 0 {
			s.refuse--
			out.Failed = append(out.Failed, map[string]any{"Id": e.ID, "Code": "InternalError", "SenderFault": s.fault})
			continue
		}
		s.took++
		out.Successful = append(out.Successful, map[string]any{"Id": e.ID, "MessageId": "m", "MD5OfMessageBody": ""})
	}
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	_ = json.NewEncoder(w).Encode(out)
}

func TestSendRetriesRejectedMessages(t *testing.T) {
	for name, c := range map[string]struct {
		refuse int
		fault  bool
		fails  bool
	}{
		"no rejections":       {0, false, false},
		"a few rejected once": {4, false, false},
		"more than once":      {18, false, false},
		"rejected repeatedly": {1000, false, true},
		"wrong in themselves": {1, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			server := &refusing{refuse: c.refuse, fault: c.fault}
			listener := httptest.NewServer(server)
			defer listener.Close()
			client := sqs.New(sqs.Options{
				BaseEndpoint: &listener.URL, Region: "us-east-1", DisableMessageChecksumValidation: true,
				Credentials: credentials.NewStaticCredentialsProvider("test", "test", ""),
			})
			runs := make([]dispatch.Delayed, 10)
			err := sqsqueue.Runs{Client: client, URL: listener.URL + "/000000000000/runs"}.SendRuns(t.Context(), runs)
			if (err != nil) != c.fails {
				t.Errorf("error %v, want one: %v", err, c.fails)
			}
			if !c.fails && server.took != 10 {
				t.Errorf("accepted %d messages, want 10", server.took)
			}
		})
	}
}

func TestReadRunRejectsInvalidMessages(t *testing.T) {
	mint := solana.WrappedSol
	for _, body := range []string{
		``, `null`, `{}`, `[]`, `{"mint":"x","slot":"2026-03-29T12:00:00Z"}`,
		fmt.Sprintf(`{"mint":%q}`, mint), fmt.Sprintf(`{"mint":%q,"slot":"noon"}`, mint),
		fmt.Sprintf(`{"mint":%q,"slot":"2026-03-29T12:00:00Z"}`, strings.Repeat("1", 1000)),
	} {
		if run, err := sqsqueue.ReadRun(body); err == nil {
			t.Errorf("%s is read as the run %+v", body, run)
		}
		if work, err := sqsqueue.ReadWork(body); err == nil {
			t.Errorf("%s is read as the stripe %+v", body, work)
		}
	}
	for _, wrong := range []string{
		`"kind":"burn"`, `"kind":""`, `"kind":"pay","stripe":-1`, `"kind":"pay","fence":-1`, `"kind":"pay","leg":-1`, `"kind":"pay","run":""`,
	} {
		body := fmt.Sprintf(`{"mint":%q,"slot":"2026-03-29T12:00:00Z","run":"r",%s}`, mint, wrong)
		if work, err := sqsqueue.ReadWork(body); err == nil {
			t.Errorf("%s is read as %+v", body, work)
		}
	}
}
