package pinner_test

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"tokenlaunch.example/service/pkg/api/endpoint/pinner"
	"tokenlaunch.example/service/pkg/aws/s3store"
	"tokenlaunch.example/service/pkg/aws/sqsqueue"
	"tokenlaunch.example/service/pkg/provider/ipfs"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token/content"
)

// switched is an IPFS node that can be away.
type switched struct {
	up     atomic.Bool
	pinned atomic.Pointer[string]
}

func (s *switched) Pin(_ context.Context, cid string, body []byte) error {
	if !s.up.Load() {
		return errors.New("the node is away")
	}
	if own, err := ipfs.CID(body); err != nil || own != cid {
		return errors.New("not the content of the name")
	}
	s.pinned.Store(&cid)
	return nil
}

func (s *switched) Unpin(context.Context, string) error { return nil }

// mailbox is a real queue, with its dead letters.
type mailbox struct {
	*sqs.Client
	url, dead string
}

func newMailbox(t *testing.T, config aws.Config) mailbox {
	t.Helper()
	m := mailbox{Client: sqs.NewFromConfig(config)}
	for name, url := range map[string]*string{"pins-" + t.Name(): &m.url, "dead-" + t.Name(): &m.dead} {
		made, err := m.CreateQueue(t.Context(), &sqs.CreateQueueInput{QueueName: &name})
		must.Do(t, err)
		*url = *made.QueueUrl
	}
	return m
}

// receive waits for a message and returns Lambda's event for it.
func (m mailbox) receive(t *testing.T, url string) events.SQSEvent {
	t.Helper()
	got, err := m.ReceiveMessage(t.Context(), &sqs.ReceiveMessageInput{
		QueueUrl: &url, WaitTimeSeconds: 10,
		MessageSystemAttributeNames: []types.MessageSystemAttributeName{types.MessageSystemAttributeNameApproximateReceiveCount},
	})
	must.Do(t, err)
	if len(got.Messages) != 1 {
		t.Fatalf("%d messages, want 1", len(got.Messages))
	}
	r := got.Messages[0]
	return events.SQSEvent{Records: []events.SQSMessage{{
		MessageId: *r.MessageId, ReceiptHandle: *r.ReceiptHandle, Body: *r.Body, Attributes: r.Attributes,
	}}}
}

func (m mailbox) delete(t *testing.T, e events.SQSEvent) {
	t.Helper()
	_, err := m.DeleteMessage(t.Context(), &sqs.DeleteMessageInput{QueueUrl: &m.url, ReceiptHandle: &e.Records[0].ReceiptHandle})
	must.Do(t, err)
}

// A file that Save defers comes back after the pause with its count, and is pinned once IPFS is
// available: with the real store and the real queue.
func TestDeferredFileIsPinnedLater(t *testing.T) {
	config := localnet.AWS(t).Config(t.Context())
	bucket := s3store.Bucket{Client: s3.NewFromConfig(config, func(o *s3.Options) { o.UsePathStyle = true }), Name: "assets-pinner"}
	_, err := bucket.Client.CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: &bucket.Name})
	must.Do(t, err)
	m := newMailbox(t, config)
	node := &switched{}
	log := slog.New(slog.DiscardHandler)
	saved, err := content.Store{
		Objects: bucket, Pinner: node, CID: ipfs.CID, Log: log, Queue: sqsqueue.Pins{Client: m.Client, URL: m.url},
	}.Save(t.Context(), content.Image, []byte("picture"))
	must.Do(t, err)
	if saved.Pinned {
		t.Fatal("it is pinned although the node is away")
	}

	var pauses []int
	e := pinner.Endpoint{
		Backlog: content.Backlog{Objects: bucket, Pinner: node, CID: ipfs.CID},
		Queue:   sqsqueue.PinBacklog{Client: m.Client, URL: m.url, DeadURL: m.dead},
		Read:    sqsqueue.ReadPin, Log: log,
		Pause: func(n int) time.Duration { pauses = append(pauses, n); return time.Second },
	}
	for n := range 2 {
		batch := m.receive(t, m.url)
		response, err := e.Handle(t.Context(), batch)
		must.Do(t, err)
		if len(kept(response)) != 1 || len(pauses) != n+1 || pauses[n] != n+1 {
			t.Fatalf("attempt %d: kept %v, pauses after attempts %v", n+1, kept(response), pauses)
		}
	}
	node.up.Store(true)
	batch := m.receive(t, m.url)
	response, err := e.Handle(t.Context(), batch)
	must.Do(t, err)
	if cid := node.pinned.Load(); len(kept(response)) != 0 || cid == nil || *cid != saved.CID {
		t.Fatalf("kept %v, pinned %v; want %s pinned", kept(response), cid, saved.CID)
	}
	m.delete(t, batch) // as Lambda does

	// A missing file is sent to the dead-letter queue immediately.
	must.Do(t, sqsqueue.Pins{Client: m.Client, URL: m.url}.Send(t.Context(), content.PinRequest{CID: saved.CID, Key: "images/none.jpg"}))
	batch = m.receive(t, m.url)
	response, err = e.Handle(t.Context(), batch)
	must.Do(t, err)
	if dead := m.receive(t, m.dead); len(kept(response)) != 0 || dead.Records[0].Body != batch.Records[0].Body {
		t.Errorf("kept %v, dead letter %q", kept(response), dead.Records[0].Body)
	}
}

// The real pause makes the message invisible for the same time.
func TestPostponedMessageIsInvisible(t *testing.T) {
	m := newMailbox(t, localnet.AWS(t).Config(t.Context()))
	must.Do(t, sqsqueue.Pins{Client: m.Client, URL: m.url}.Send(t.Context(), content.PinRequest{CID: "a", Key: "images/a.jpg"}))
	e := (&fixture{upAt: time.Now().Add(time.Hour), now: time.Now()}).endpoint()
	e.Queue = sqsqueue.PinBacklog{Client: m.Client, URL: m.url, DeadURL: m.dead}
	_, err := e.Handle(t.Context(), m.receive(t, m.url))
	must.Do(t, err)
	got, err := m.GetQueueAttributes(t.Context(), &sqs.GetQueueAttributesInput{
		QueueUrl: &m.url, AttributeNames: []types.QueueAttributeName{types.QueueAttributeNameAll},
	})
	must.Do(t, err)
	if out := got.Attributes["ApproximateNumberOfMessagesNotVisible"]; out != "1" {
		t.Errorf("%s messages are out of sight, want 1", out)
	}
}
