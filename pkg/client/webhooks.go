package client

import (
	"context"
	"iter"
	"net/http"
	"net/url"
)

// CreateWebhook adds a webhook. Only this response contains the secret. The client never retries
// this request, because the secret is lost if the response is lost.
func (c *Client) CreateWebhook(ctx context.Context, r WebhookCreation) (CreatedWebhook, error) {
	return fetch[CreatedWebhook](ctx, c, call{method: http.MethodPost, path: "/webhooks", body: r}.signedIn())
}

// ListWebhooks returns the wallet's webhooks, oldest first.
func (c *Client) ListWebhooks(ctx context.Context) (WebhookList, error) {
	return fetch[WebhookList](ctx, c, get("/webhooks", nil).signedIn())
}

// hook returns the path of a webhook.
func hook(id, rest string) string { return "/webhooks/" + url.PathEscape(id) + rest }

// UpdateWebhook changes a webhook. A nil field stays unchanged. A webhook with a new URL is pending
// until the address has answered a challenge.
func (c *Client) UpdateWebhook(ctx context.Context, id string, r WebhookUpdate) (Webhook, error) {
	return fetch[Webhook](ctx, c, call{method: http.MethodPatch, path: hook(id, ""), body: r}.signedIn())
}

// RotateWebhookSecret returns a new secret of a webhook. Only this response contains the new
// secret. Messages are also signed with the earlier secret until the time in the response. The
// client never retries this request. If the response is lost, rotate once more.
func (c *Client) RotateWebhookSecret(ctx context.Context, id string) (RotatedSecret, error) {
	return fetch[RotatedSecret](ctx, c, call{method: http.MethodPost, path: hook(id, "/secret")}.signedIn())
}

// DeleteWebhook deletes a webhook.
func (c *Client) DeleteWebhook(ctx context.Context, id string) (DeletedWebhook, error) {
	return fetch[DeletedWebhook](ctx, c, call{method: http.MethodDelete, path: hook(id, "")}.signedIn())
}

// TestWebhook sends a test message to an active webhook, or a challenge to an inactive webhook.
func (c *Client) TestWebhook(ctx context.Context, id string) (QueuedDelivery, error) {
	return fetch[QueuedDelivery](ctx, c, call{method: http.MethodPost, path: hook(id, "/test")}.signedIn())
}

// ListDeliveries returns one page of a webhook's deliveries, newest first.
func (c *Client) ListDeliveries(ctx context.Context, id string, r Cursor) (DeliveryList, error) {
	return fetch[DeliveryList](ctx, c, get(hook(id, "/deliveries"), r.query()).signedIn())
}

// AllDeliveries returns all deliveries of a webhook, newest first.
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
