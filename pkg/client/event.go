package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// ErrNotSigned is returned when a message of a webhook does not have a valid signature, or is more
// than 5 minutes older or newer than now.
var ErrNotSigned = errors.New("the message is not signed by the service")

// Event is a message from the service to a webhook.
type Event struct {
	// ID is the header webhook-id, which is the same in each repetition of a message.
	ID string
	// Type is the name of the event, such as run.settled.
	Type string
	// TokenMessage has the time, the mint and the sequence number. A challenge has only the time.
	TokenMessage

	// Message is the whole message, with the type of the event: WebhookChallengeMessage,
	// TokenLaunchedMessage, RunSettledMessage, RunFailedMessage, SettingsChangedMessage,
	// CurveCompletedMessage, PromotionStartedMessage or WebhookTestMessage. Message is nil for a
	// type that this version of the package does not know.
	Message any
}

// ConstructEvent verifies the Standard Webhooks signature of a message, and returns the message as
// an Event. body is the unchanged body of the request, header is the request's header, and secret
// is the secret that CreateWebhook or RotateWebhookSecret returned. During a rotation, a message
// has several signatures, and one valid signature is enough. It returns ErrNotSigned if no
// signature is valid. A message can arrive more than once: drop an Event whose ID was seen before.
func ConstructEvent(body []byte, header http.Header, secret string) (Event, error) {
	hook, err := newWebhook(secret)
	if err != nil {
		return Event{}, err
	}
	if err := hook.Verify(body, header); err != nil {
		return Event{}, fmt.Errorf("%w: %w", ErrNotSigned, err)
	}
	event, err := decode[struct {
		Type string `json:"type"`
		TokenMessage
	}](body)
	if err != nil {
		return Event{}, err
	}
	message, err := decodeMessage(event.Type, body)
	return Event{header.Get(standardwebhooks.HeaderWebhookID), event.Type, event.TokenMessage, message}, err
}

// TestHeader returns the headers of a message that is signed with a secret at a time, for tests of
// a receiver. The secret can be any base64 text.
func TestHeader(secret string, body []byte, at time.Time) (http.Header, error) {
	const id = "msg_test"
	hook, err := newWebhook(secret)
	if err != nil {
		return nil, err
	}
	signature, err := hook.Sign(id, at, body)
	header := http.Header{}
	header.Set(standardwebhooks.HeaderWebhookID, id)
	header.Set(standardwebhooks.HeaderWebhookTimestamp, strconv.FormatInt(at.Unix(), 10))
	header.Set(standardwebhooks.HeaderWebhookSignature, signature)
	return header, err
}

// newWebhook returns the signer and verifier for a secret. It returns an error for an empty secret,
// because anyone could sign with an empty secret.
func newWebhook(secret string) (*standardwebhooks.Webhook, error) {
	hook, err := standardwebhooks.NewWebhook(secret)
	if err != nil || len(secret) <= len("whsec_") {
		return nil, errors.New("the webhook's secret is not base64, with or without whsec_ before it")
	}
	return hook, nil
}

// decode decodes a message as T.
func decode[T any](body []byte) (message T, err error) {
	if err = json.Unmarshal(body, &message); err != nil {
		err = fmt.Errorf("read the message of a webhook: %w", err)
	}
	return message, err
}
