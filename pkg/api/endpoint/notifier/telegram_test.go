package notifier_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/api/endpoint/notifier"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/sqsqueue"
	"tokenlaunch.example/service/pkg/aws/windowtable/notices"
	"tokenlaunch.example/service/pkg/distribution/event"
	"tokenlaunch.example/service/pkg/distribution/notice"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/platform/secret"
	"tokenlaunch.example/service/pkg/provider/telegram"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// group is Telegram with one group, which is busy at first.
type group struct {
	sync.Mutex
	busy  int // how often it asks for time
	shown []string
}

func (g *group) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.Lock()
	defer g.Unlock()
	if g.busy > 0 {
		g.busy--
		w.WriteHeader(http.StatusTooManyRequests)
		_, _ = fmt.Fprint(w, `{"ok":false,"error_code":429,"description":"Too Many Requests: retry after 1","parameters":{"retry_after":1}}`)
		return
	}
	g.shown = append(g.shown, r.FormValue("text"))
	_ = json.NewEncoder(w).Encode(map[string]any{"ok": true, "result": map[string]any{"message_id": len(g.shown), "date": 1, "chat": map[string]any{"id": -100, "type": "supergroup"}}})
}

// linked is one group that is linked to all tokens.
type linked int64

func (l linked) Chat(context.Context, solana.PublicKey, string) (int64, error) { return int64(l), nil }

// The end of a run reaches the group once, through the real queue and the real store, although
// Telegram is busy and the run's end is announced twice.
func TestGroupGetsOneMessage(t *testing.T) {
	stack := localnet.AWS(t)
	config := stack.Config(t.Context())
	client := sqs.NewFromConfig(config)
	name := "notices-" + t.Name()
	made, err := client.CreateQueue(t.Context(), &sqs.CreateQueueInput{QueueName: &name})
	if err != nil {
		t.Fatal(err)
	}
	g := &group{busy: 1}
	server := httptest.NewServer(g)
	defer server.Close()
	sender, err := telegram.New(server.URL, secret.Fixed("123456789:AAsecretsecretsecret"))
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	links := linked(-100)
	teller := notice.Publisher{Links: links, Queue: sqsqueue.Notices{Client: client, URL: *made.QueueUrl}, PublicURL: "https://api.example", Now: time.Now}
	for range 2 {
		e, ok := event.Ended(token.Record{}, run.Run{
			ID: "1", Mint: solana.PublicKey{1}, Slot: time.Now(), Token: run.Token{Name: "<Token>", Symbol: "T"},
			Settings: terms.Settings{TelegramGroupID: "-100"}, End: &run.End{At: time.Now(), Failed: true, Code: run.CodeSnapshot, Detail: "why"},
		})
		if err := teller.Tell(t.Context(), e); err != nil || !ok {
			t.Fatalf("Tell() = %v, %v; want an event that is sent", ok, err)
		}
	}
	e := notifier.Endpoint{
		Notifier: notice.Notifier{
			Store:  notices.Claims{Client: dynamo.New(config), Table: stack.CreateTable(t, schema.Window)},
			Links:  links,
			Sender: sender, Now: time.Now, NewID: uuid.NewString, Log: log,
		},
		Queue: sqsqueue.NoticeBacklog{Backlog: sqsqueue.Backlog{Client: client, URL: *made.QueueUrl}}, Read: sqsqueue.ReadNotice, Log: log,
		Pause: func(int) time.Duration { return time.Second },
	}
	over := 0
	for over < 2 {
		got, err := client.ReceiveMessage(t.Context(), &sqs.ReceiveMessageInput{
			QueueUrl: made.QueueUrl, WaitTimeSeconds: 10, VisibilityTimeout: 60,
			MessageSystemAttributeNames: []types.MessageSystemAttributeName{types.MessageSystemAttributeNameApproximateReceiveCount},
		})
		if err != nil || len(got.Messages) == 0 {
			t.Fatalf("%d of 2 messages are over: %v", over, err)
		}
		for _, m := range got.Messages {
			response, err := handle(t, t.Context(), e, events.SQSEvent{Records: []events.SQSMessage{
				{MessageId: *m.MessageId, ReceiptHandle: *m.ReceiptHandle, Body: *m.Body, Attributes: m.Attributes},
			}})
			if err != nil {
				t.Fatal(err)
			}
			if len(response.BatchItemFailures) > 0 {
				continue
			}
			over++
			if _, err := client.DeleteMessage(t.Context(), &sqs.DeleteMessageInput{QueueUrl: made.QueueUrl, ReceiptHandle: m.ReceiptHandle}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(g.shown) != 1 || !strings.Contains(g.shown[0], "<code>&lt;Token&gt;</code>") {
		t.Errorf("the group sees %q", g.shown)
	}
}
