package sqsqueue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/notice"
)

// Notices is the queue of messages to Telegram groups and private chats. It implements notice.Queue.
type Notices struct {
	Client *sqs.Client
	URL    string
}

// noticeMessage is a message of the notice queue. Messages outlive a deployment, so fields are
// added here and never renamed.
type noticeMessage struct {
	ID    string    `json:"id"`
	Kind  string    `json:"kind"`
	Group string    `json:"group"`
	At    time.Time `json:"at"`
	Text  string    `json:"text"`
	// Mint is missing in messages of before groups had to agree. No group is linked to none.
	Mint solana.PublicKey `json:"mint,omitzero"`
	// Wallet is present in messages to private chats, which have neither a group nor a mint.
	Wallet solana.PublicKey `json:"wallet,omitzero"`
}

// Send queues a notice. The notice may arrive more than once.
func (q Notices) Send(ctx context.Context, n notice.Notice) error {
	body, err := json.Marshal(noticeMessage{ID: n.ID, Kind: string(n.Kind), Group: n.Group, At: n.At.UTC(), Text: n.Text, Mint: n.Mint, Wallet: n.Wallet})
	if err != nil {
		return fmt.Errorf("encode the notice %s: %w", n.ID, err)
	}
	text := string(body)
	if _, err := q.Client.SendMessage(ctx, &sqs.SendMessageInput{QueueUrl: &q.URL, MessageBody: &text}); err != nil {
		return fmt.Errorf("send the notice %s: %w", n.ID, err)
	}
	return nil
}

// ReadNotice reads the body of a message of the notice queue.
func ReadNotice(body string) (notice.Notice, error) {
	var m noticeMessage
	if err := json.Unmarshal([]byte(body), &m); err != nil {
		return notice.Notice{}, fmt.Errorf("read the notice: %w", err)
	}
	if m.ID == "" || (m.Group == "") == m.Wallet.IsZero() || m.Text == "" || m.At.IsZero() {
		return notice.Notice{}, errors.New("read the notice: id, group or wallet, time or text is missing")
	}
	return notice.Notice{ID: m.ID, Kind: notice.Kind(m.Kind), Group: m.Group, At: m.At, Text: m.Text, Mint: m.Mint, Wallet: m.Wallet}, nil
}

// NoticeBacklog is the notice queue from the reader's side.
type NoticeBacklog struct {
	Backlog
	// DeadURL is the queue of messages that an operator has to check.
	DeadURL string
}

// SetAside sends the body of a message to the queue of messages that cannot be processed.
func (q NoticeBacklog) SetAside(ctx context.Context, body string) error {
	if _, err := q.Client.SendMessage(ctx, &sqs.SendMessageInput{QueueUrl: &q.DeadURL, MessageBody: &body}); err != nil {
		return fmt.Errorf("set a notice aside: %w", err)
	}
	return nil
}
