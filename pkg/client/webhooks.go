package client

import (
	"context"
	"iter"
	"net/http"
	"net/url"
)

// CreateWebhook adds a webhook. Its answer is the only one with the secret. It is no call
// that is sent again by itself: what was answered to one that was lost is not known.
func (c *Client) CreateWebhook(ctx context.Context, r WebhookCreation) (CreatedWebhook, error) {
	return fetch[CreatedWebhook](ctx, c, call{method: http.MethodPost, path: "/webhooks", body: r}.signedIn())
}

// ListWebhooks gives the wallet's webhooks, the oldest first.
func (c *Client) ListWebhooks(ctx context.Context) (WebhookList, error) {
	return fetch[WebhookList](ctx, c, get("/webhooks", nil).signedIn())
}

// hook is the path of a webhook.
func hook(id, rest string) string { return "/webhooks/" + url.PathEscape(id) + rest }

// UpdateWebhook changes a webhook. A nil field stays as it is. A new URL makes the webhook pending
// until the address has answered a challenge.
func (c *Client) UpdateWebhook(ctx context.Context, id string, r WebhookUpdate) (Webhook, error) {
	return fetch[Webhook](ctx, c, call{method: http.MethodPatch, path: hook(id, ""), body: r}.signedIn())
}

// RotateWebhookSecret returns a new secret of a webhook, this once. The earlier secret signs as
// well until the time in the answer. The client never sends this request again by itself: if the
// answer is lost, rotate once more.
func (c *Client) RotateWebhookSecret(ctx context.Context, id string) (RotatedSecret, error) {
	return fetch[RotatedSecret](ctx, c, call{method: http.MethodPost, path: hook(id, "/secret")}.signedIn())
}

// DeleteWebhook deletes a webhook.
func (c *Client) DeleteWebhook(ctx context.Context, id string) (DeletedWebhook, error) {
	return fetch[DeletedWebhook](ctx, c, call{method: http.MethodDelete, path: hook(id, "")}.signedIn())
}

// TestWebhook sends a message to a webhook that tries it, or a challenge to one that is not
// active.
func (c *Client) TestWebhook(ctx context.Context, id string) (QueuedDelivery, error) {
	return fetch[QueuedDelivery](ctx, c, call{method: http.MethodPost, path: hook(id, "/test")}.signedIn())
}

// ListDeliveries gives one page of what was sent to a webhook, newest first.
func (c *Client) ListDeliveries(ctx context.Context, id string, r Cursor) (DeliveryList, error) {
	return fetch[DeliveryList](ctx, c, get(hook(id, "/deliveries"), r.query()).signedIn())
}

// AllDeliveries reads all that was sent to a webhook, newest first.
func (c *Client) AllDeliveries(ctx context.Context, id string) iter.Seq2[Delivery, error] {
	return follow(func(r Cursor) ([]Delivery, *string, error) {
		list, err := c.ListDeliveries(ctx, id, r)
		return list.Deliveries, list.NextCursor, err
	})
}

// ReplayDelivery sends a message to a webhook again.
func (c *Client) ReplayDelivery(ctx context.Context, id, delivery string) (QueuedDelivery, error) {
	return fetch[QueuedDelivery](ctx, c, call{method: http.MethodPost, path: hook(id, "/deliveries/"+url.PathEscape(delivery)+"/replay")}.signedIn())
}
