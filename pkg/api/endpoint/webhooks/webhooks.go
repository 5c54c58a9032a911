// Package webhooks serves the routes under /webhooks: the webhooks of a wallet, and the deliveries.
// A webhook of another wallet counts as missing.
package webhooks

import (
	"context"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/apigw/body"
	"tokenlaunch.example/service/pkg/api/apigw/contract"
	"tokenlaunch.example/service/pkg/distribution/event"
	"tokenlaunch.example/service/pkg/distribution/webhook"
	"tokenlaunch.example/service/pkg/platform/apperr"
)

// Webhooks manages webhooks; see webhook.Service.
type Webhooks interface {
	Create(ctx context.Context, owner solana.PublicKey, wanted webhook.Wanted) (id, secret string, err error)
	List(ctx context.Context, owner solana.PublicKey) ([]webhook.Webhook, error)
	Update(ctx context.Context, owner solana.PublicKey, id string, update webhook.Update) (webhook.Webhook, error)
	Rotate(ctx context.Context, owner solana.PublicKey, id string) (secret string, until time.Time, err error)
	Delete(ctx context.Context, owner solana.PublicKey, id string) error
	Try(ctx context.Context, owner solana.PublicKey, id string) (delivery string, err error)
	Deliveries(ctx context.Context, owner solana.PublicKey, id, after string, limit int) ([]webhook.Delivery, string, error)
	Replay(ctx context.Context, owner solana.PublicKey, id, delivery string) error
}

// Endpoint handles the routes.
type Endpoint struct {
	Webhooks Webhooks
}

// Handlers returns the handlers by operation.
func (e Endpoint) Handlers() map[string]apigw.HandlerFunc {
	return map[string]apigw.HandlerFunc{
		"createWebhook":       e.create,
		"listWebhooks":        e.list,
		"updateWebhook":       e.update,
		"rotateWebhookSecret": e.rotate,
		"deleteWebhook":       e.remove,
		"testWebhook":         e.try,
		"listDeliveries":      e.deliveries,
		"replayDelivery":      e.replay,
	}
}

// maxMints is the maximum number of mints of a webhook.
const maxMints = 100

type newBody struct {
	WebhookID string `json:"webhookId"`
	Secret    string `json:"secret"`
}

func (e Endpoint) create(w http.ResponseWriter, r *http.Request) error {
	caller, err := apigw.CallerKey(r.Context())
	if err != nil {
		return err
	}
	fields, err := body.Read(r)
	if err != nil {
		return err
	}
	wanted := webhook.Wanted{URL: fields.String("url"), Events: kinds(fields)}
	wanted.Mints, _ = mints(fields)
	if err := fields.Err(); err != nil {
		return err
	}
	id, secret, err := e.Webhooks.Create(r.Context(), caller, wanted)
	if err != nil {
		return err
	}
	return apigw.WriteJSON(w, http.StatusOK, newBody{id, secret})
}

func kinds(fields *body.Fields) []event.Kind {
	all := event.Kinds()
	names, ok := fields.OptionalStrings("events", len(all))
	if !ok || len(names) == 0 {
		fields.Reject("events", apperr.CodeRequired, "Must name at least one event.")
		return nil
	}
	var list []event.Kind
	for _, name := range names {
		if !slices.Contains(all, event.Kind(name)) {
			var known []string
			for _, kind := range all {
				known = append(known, string(kind))
			}
			fields.Reject("events", apperr.CodeInvalidFormat, "Must be of "+strings.Join(known, ", ")+".")
		}
		list = append(list, event.Kind(name))
	}
	return list
}

// maxAddress is the length of 32 bytes in base58.
const maxAddress = 44

func mints(fields *body.Fields) (list []solana.PublicKey, ok bool) {
	names, ok := fields.OptionalStrings("mints", maxMints)
	for _, name := range names {
		mint, err := solana.PublicKey{}, error(nil)
		if len(name) <= maxAddress {
			mint, err = solana.PublicKeyFromBase58(name)
		}
		if err != nil || mint.IsZero() {
			fields.Reject("mints", apperr.CodeInvalidWalletAddress, "Must be addresses of mints: base58 of 32 bytes.")
			return nil, false
		}
		list = append(list, mint)
	}
	return list, ok
}

type listBody struct {
	Webhooks []hookBody `json:"webhooks"`
}

type hookBody struct {
	WebhookID string             `json:"webhookId"`
	URL       string             `json:"url"`
	Events    []event.Kind       `json:"events"`
	Mints     []solana.PublicKey `json:"mints"`
	Status    webhook.Status     `json:"status"`
	CreatedAt string             `json:"createdAt"`
}

func (e Endpoint) list(w http.ResponseWriter, r *http.Request) error {
	caller, err := apigw.CallerKey(r.Context())
	if err != nil {
		return err
	}
	hooks, err := e.Webhooks.List(r.Context(), caller)
	if err != nil {
		return err
	}
	out := listBody{Webhooks: make([]hookBody, len(hooks))}
	for i, h := range hooks {
		out.Webhooks[i] = newHookBody(h)
	}
	return apigw.WriteJSON(w, http.StatusOK, out)
}

func newHookBody(h webhook.Webhook) hookBody {
	return hookBody{
		WebhookID: h.ID, URL: h.URL, Events: h.Events, Mints: append([]solana.PublicKey{}, h.Mints...),
		Status: h.Status, CreatedAt: apigw.Timestamp(h.CreatedAt),
	}
}

func (e Endpoint) update(w http.ResponseWriter, r *http.Request) error {
	caller, id, err := named(r)
	if err != nil {
		return err
	}
	fields, err := body.Read(r)
	if err != nil {
		return err
	}
	var update webhook.Update
	if url, ok := fields.OptionalString("url"); ok {
		update.URL = &url
	}
	if _, ok := fields.OptionalStrings("events", len(event.Kinds())); ok {
		update.Events = kinds(fields)
	}
	if list, ok := mints(fields); ok {
		update.Mints = &list
	}
	if err := fields.Err(); err != nil {
		return err
	}
	changed, err := e.Webhooks.Update(r.Context(), caller, id, update)
	if err != nil {
		return err
	}
	return apigw.WriteJSON(w, http.StatusOK, newHookBody(changed))
}

type rotatedBody struct {
	WebhookID          string `json:"webhookId"`
	Secret             string `json:"secret"`
	EarlierSecretUntil string `json:"earlierSecretUntil"`
}

func (e Endpoint) rotate(w http.ResponseWriter, r *http.Request) error {
	caller, id, err := named(r)
	if err != nil {
		return err
	}
	secret, until, err := e.Webhooks.Rotate(r.Context(), caller, id)
	if err != nil {
		return err
	}
	return apigw.WriteJSON(w, http.StatusOK, rotatedBody{id, secret, apigw.Timestamp(until)})
}

// named returns the caller and the webhook's ID in the path. It returns an error if the path has no
// valid ID.
func named(r *http.Request) (caller solana.PublicKey, id string, err error) {
	if caller, err = apigw.CallerKey(r.Context()); err != nil {
		return solana.PublicKey{}, "", err
	}
	id = r.PathValue("webhookId")
	if !isUUID(id) {
		return solana.PublicKey{}, "", webhook.NotFound()
	}
	return caller, id, nil
}

// isUUID reports whether a text is a UUID in this service's format.
func isUUID(text string) bool {
	id, err := uuid.Parse(text)
	return err == nil && id.String() == text
}

type deletedBody struct {
	WebhookID string `json:"webhookId"`
	Deleted   bool   `json:"deleted"`
}

func (e Endpoint) remove(w http.ResponseWriter, r *http.Request) error {
	caller, id, err := named(r)
	if err != nil {
		return err
	}
	if err := e.Webhooks.Delete(r.Context(), caller, id); err != nil {
		return err
	}
	return apigw.WriteJSON(w, http.StatusOK, deletedBody{id, true})
}

type queuedBody struct {
	Queued     bool   `json:"queued"`
	DeliveryID string `json:"deliveryId"`
}

func (e Endpoint) try(w http.ResponseWriter, r *http.Request) error {
	caller, id, err := named(r)
	if err != nil {
		return err
	}
	delivery, err := e.Webhooks.Try(r.Context(), caller, id)
	if err != nil {
		return err
	}
	return apigw.WriteJSON(w, http.StatusAccepted, queuedBody{true, delivery})
}

type deliveriesBody struct {
	Deliveries []deliveryBody `json:"deliveries"`
	NextCursor *string        `json:"nextCursor"`
}

type deliveryBody struct {
	DeliveryID     string                 `json:"deliveryId"`
	EventID        string                 `json:"eventId"`
	Type           event.Kind             `json:"type"`
	MintAddress    *solana.PublicKey      `json:"mintAddress"`
	Sequence       *int64                 `json:"sequence"`
	Status         webhook.DeliveryStatus `json:"status"`
	Attempts       int                    `json:"attempts"`
	CreatedAt      string                 `json:"createdAt"`
	NextAttemptAt  *string                `json:"nextAttemptAt"`
	DeliveredAt    *string                `json:"deliveredAt"`
	LastStatusCode *int                   `json:"lastStatusCode"`
	LastError      *string                `json:"lastError"`
}

// placeForm is the position at the end of a page: a delivery's ID.
var placeForm = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

func (e Endpoint) deliveries(w http.ResponseWriter, r *http.Request) error {
	caller, id, err := named(r)
	if err != nil {
		return err
	}
	limit, after, err := contract.ReadPage(r.URL.Query(), placeForm)
	if err != nil {
		return err
	}
	page, next, err := e.Webhooks.Deliveries(r.Context(), caller, id, after, limit)
	if err != nil {
		return err
	}
	out := deliveriesBody{Deliveries: make([]deliveryBody, len(page)), NextCursor: contract.Cursor(next)}
	for i, d := range page {
		out.Deliveries[i] = deliveryBody{
			DeliveryID: d.ID, EventID: d.EventID, Type: d.Kind, MintAddress: orNull(d.Mint), Sequence: orNull(d.Sequence),
			Status: d.Status, Attempts: d.Attempts, CreatedAt: apigw.Timestamp(d.At), NextAttemptAt: moment(d.NextAt),
			DeliveredAt: moment(d.DeliveredAt), LastStatusCode: orNull(d.LastCode), LastError: orNull(d.LastError),
		}
	}
	return apigw.WriteJSON(w, http.StatusOK, out)
}

// orNull returns nil for a zero value.
func orNull[T comparable](value T) *T {
	var zero T
	if value == zero {
		return nil
	}
	return &value
}

func moment(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	return new(apigw.Timestamp(t))
}

func (e Endpoint) replay(w http.ResponseWriter, r *http.Request) error {
	caller, id, err := named(r)
	if err != nil {
		return err
	}
	delivery := r.PathValue("deliveryId")
	if !isUUID(delivery) {
		return webhook.DeliveryNotFound()
	}
	if err := e.Webhooks.Replay(r.Context(), caller, id, delivery); err != nil {
		return err
	}
	return apigw.WriteJSON(w, http.StatusAccepted, queuedBody{true, delivery})
}
