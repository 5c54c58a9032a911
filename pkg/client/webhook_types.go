package client

import "github.com/gagliardetto/solana-go"

// WebhookEvent is what a webhook can be told of.
type WebhookEvent string

// The events.
const (
	EventTokenLaunched    WebhookEvent = "token.launched"
	EventRunSettled       WebhookEvent = "run.settled"
	EventRunFailed        WebhookEvent = "run.failed"
	EventSettingsChanged  WebhookEvent = "settings.changed"
	EventCurveCompleted   WebhookEvent = "curve.completed"
	EventPromotionStarted WebhookEvent = "promotion.started"
)

// WebhookEvents returns the events that a webhook can be told of, in the document's order.
func WebhookEvents() []WebhookEvent {
	return []WebhookEvent{EventTokenLaunched, EventRunSettled, EventRunFailed, EventSettingsChanged, EventCurveCompleted, EventPromotionStarted}
}

// WebhookCreation is a webhook that is to be.
type WebhookCreation struct {
	// Where messages are sent: `https` and public.
	URL string `json:"url"`
	// What it is told of.
	Events []WebhookEvent `json:"events"`
	// Mints of your tokens. Without any, all tokens of your wallet, those to come too.
	Mints []solana.PublicKey `json:"mints,omitzero"`
}

// NewWebhook is a webhook that was added, with its secret.
type NewWebhook struct {
	WebhookID string `json:"webhookId"`
	// Signs the messages. It is answered this once.
	Secret string `json:"secret"`
}

// Webhook is where messages about tokens are sent.
type Webhook struct {
	WebhookID string `json:"webhookId"`
	// Where messages are sent.
	URL string `json:"url"`
	// What it is told of.
	Events []WebhookEvent `json:"events"`
	// Of which tokens; empty for all of the wallet's.
	Mints []solana.PublicKey `json:"mints"`
	// `pending` until it has answered its challenge, `active`, or `disabled`.
	Status    string `json:"status"`
	CreatedAt Time   `json:"createdAt"`
}

// WebhookList is all webhooks of a wallet.
type WebhookList struct {
	Webhooks []Webhook `json:"webhooks"`
}

// DeletedWebhook is a webhook that was deleted.
type DeletedWebhook struct {
	WebhookID string `json:"webhookId"`
	Deleted   bool   `json:"deleted"`
}

// QueuedDelivery is a message that is on its way.
type QueuedDelivery struct {
	Queued     bool   `json:"queued"`
	DeliveryID string `json:"deliveryId"`
}

// Delivery is a message to a webhook, and what became of it.
type Delivery struct {
	DeliveryID string `json:"deliveryId"`
	// What happened; the header `webhook-id`.
	EventID string `json:"eventId"`
	// What is told: a WebhookEvent, `webhook.challenge` or `webhook.test`.
	Type string `json:"type"`
	// Of which token; nil for a challenge or a test.
	MintAddress *solana.PublicKey `json:"mintAddress"`
	// The number of the message among those about this token to this webhook.
	Sequence *int `json:"sequence"`
	// `pending` is sent again at NextAttemptAt; `delivered` and `failed` are over.
	Status string `json:"status"`
	// How often it was sent.
	Attempts  int  `json:"attempts"`
	CreatedAt Time `json:"createdAt"`
	// When it is sent next, at the earliest.
	NextAttemptAt *Time `json:"nextAttemptAt"`
	// When the receiver took it.
	DeliveredAt *Time `json:"deliveredAt"`
	// The HTTP status of the last answer; nil when there was none.
	LastStatusCode *int `json:"lastStatusCode"`
	// Why the last attempt did not deliver it, in a sentence.
	LastError *string `json:"lastError"`
}

// DeliveryList is one page of a webhook's deliveries, newest first.
type DeliveryList struct {
	Deliveries []Delivery `json:"deliveries"`
	NextCursor *string    `json:"nextCursor"`
}
