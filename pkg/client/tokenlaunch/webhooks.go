package main

import (
	"strconv"
	"strings"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/client"
)

type webhooksCommand struct {
	Add        addWebhook     `cmd:"" help:"Add a webhook, and show its secret, this once."`
	List       listWebhooks   `cmd:"" help:"List your webhooks."`
	Update     updateWebhook  `cmd:"" help:"Change the URL, the events or the tokens of a webhook."`
	Rotate     rotateWebhook  `cmd:"" help:"Make a new secret for a webhook, and show it, this once."`
	Delete     deleteWebhook  `cmd:"" help:"Delete a webhook."`
	Test       testWebhook    `cmd:"" help:"Send a message to a webhook that tries it, or a challenge to one that is not active."`
	Deliveries listDeliveries `cmd:"" help:"List what was sent to a webhook, newest first, and the outcome."`
	Replay     replayDelivery `cmd:"" help:"Send a delivery again."`
}

type addWebhook struct {
	URL    string                `arg:"" name:"url" help:"Where messages are sent: https, and public."`
	Events []client.WebhookEvent `help:"What it is told of: ${events}; all without." placeholder:"EVENT"`
	Mints  []string              `help:"Mints of tokens of yours; all of them without, those to come too." placeholder:"MINT"`
}

// Run adds a webhook.
func (a addWebhook) Run(p *program) error {
	c, err := p.client(true)
	if err != nil {
		return err
	}
	wanted := client.WebhookCreation{URL: a.URL, Events: a.Events}
	if len(wanted.Events) == 0 {
		wanted.Events = client.WebhookEvents()
	}
	if wanted.Mints, err = addresses("--mints", a.Mints); err != nil {
		return err
	}
	made, err := c.CreateWebhook(p.ctx, wanted)
	if err != nil {
		return err
	}
	if p.json {
		return p.write(made)
	}
	p.table([][2]string{
		{"webhook", made.WebhookID},
		{"secret", made.Secret},
		{"then", "it is active when its address has answered the challenge: tokenlaunch webhooks list"},
	})
	return nil
}

type updateWebhook struct {
	ID        string                `arg:"" name:"webhook" help:"Id of the webhook."`
	URL       string                `help:"Address to which messages are sent: https, and public. It has to answer a challenge first." placeholder:"URL"`
	Events    []client.WebhookEvent `help:"Events to send: ${events}." placeholder:"EVENT"`
	Mints     []string              `help:"Only events for these mints." placeholder:"MINT" xor:"mints"`
	AllTokens bool                  `help:"Events for all your tokens, including future ones." xor:"mints"`
}

// Run changes a webhook.
func (u updateWebhook) Run(p *program) error {
	change := client.WebhookUpdate{URL: u.URL, Events: u.Events}
	var err error
	if change.Mints, err = addresses("--mints", u.Mints); err != nil {
		return err
	}
	if u.AllTokens {
		change.Mints = []solana.PublicKey{}
	}
	if u.URL == "" && len(u.Events) == 0 && len(u.Mints) == 0 && !u.AllTokens {
		return usage("name what changes: --url, --events, --mints or --all-tokens")
	}
	c, err := p.client(true)
	if err != nil {
		return err
	}
	changed, err := c.UpdateWebhook(p.ctx, u.ID, change)
	if err != nil {
		return err
	}
	return p.showWebhooks(client.WebhookList{Webhooks: []client.Webhook{changed}}, changed)
}

type rotateWebhook struct {
	ID string `arg:"" name:"webhook" help:"Id of the webhook."`
}

// Run rotates a secret.
func (r rotateWebhook) Run(p *program) error {
	c, err := p.client(true)
	if err != nil {
		return err
	}
	rotated, err := c.RotateWebhookSecret(p.ctx, r.ID)
	if err != nil {
		return err
	}
	if p.json {
		return p.write(rotated)
	}
	p.table([][2]string{
		{"webhook", rotated.WebhookID},
		{"secret", rotated.Secret},
		{"then", "the earlier secret signs as well until " + rotated.EarlierSecretUntil.String()},
	})
	return nil
}

type listWebhooks struct{}

// Run lists webhooks.
func (listWebhooks) Run(p *program) error {
	c, err := p.client(true)
	if err != nil {
		return err
	}
	list, err := c.ListWebhooks(p.ctx)
	if err != nil {
		return err
	}
	return p.showWebhooks(list, list)
}

// showWebhooks shows webhooks as a table, or answer with --json.
func (p *program) showWebhooks(list client.WebhookList, answer any) error {
	if p.json {
		return p.write(answer)
	}
	if len(list.Webhooks) == 0 {
		p.out.printf("You have no webhook.\n")
		return nil
	}
	rows := [][]string{{"WEBHOOK", "STATUS", "URL", "EVENTS", "TOKENS"}}
	for _, w := range list.Webhooks {
		rows = append(rows, []string{w.WebhookID, string(w.Status), w.URL, joined(w.Events), tokensOf(w.Mints)})
	}
	p.columns(rows)
	return nil
}

func joined(events []client.WebhookEvent) string {
	names := make([]string, len(events))
	for i, e := range events {
		names[i] = string(e)
	}
	return strings.Join(names, " ")
}

func tokensOf(mints []solana.PublicKey) string {
	if len(mints) == 0 {
		return "all"
	}
	names := make([]string, len(mints))
	for i, m := range mints {
		names[i] = m.String()
	}
	return strings.Join(names, " ")
}

type deleteWebhook struct {
	ID string `arg:"" name:"webhook" help:"Id of the webhook."`
}

// Run deletes a webhook.
func (d deleteWebhook) Run(p *program) error {
	c, err := p.client(true)
	if err != nil {
		return err
	}
	gone, err := c.DeleteWebhook(p.ctx, d.ID)
	if err != nil {
		return err
	}
	if p.json {
		return p.write(gone)
	}
	p.table([][2]string{{"deleted", gone.WebhookID}})
	return nil
}

type testWebhook struct {
	ID string `arg:"" name:"webhook" help:"Id of the webhook."`
}

// Run sends a test message to a webhook.
func (t testWebhook) Run(p *program) error {
	c, err := p.client(true)
	if err != nil {
		return err
	}
	queued, err := c.TestWebhook(p.ctx, t.ID)
	if err != nil {
		return err
	}
	return p.showQueued(queued)
}

func (p *program) showQueued(q client.QueuedDelivery) error {
	if p.json {
		return p.write(q)
	}
	p.table([][2]string{{"on its way", q.DeliveryID}})
	return nil
}

type listDeliveries struct {
	ID    string `arg:"" name:"webhook" help:"Id of the webhook."`
	Limit int    `help:"How many at most; 0 means all." default:"20"`
}

// Run lists deliveries.
func (l listDeliveries) Run(p *program) error {
	c, err := p.client(true)
	if err != nil {
		return err
	}
	list := []client.Delivery{}
	for d, err := range c.AllDeliveries(p.ctx, l.ID) {
		if err != nil {
			return err
		}
		if list = append(list, d); l.Limit > 0 && len(list) == l.Limit {
			break
		}
	}
	if p.json {
		return p.write(map[string]any{"deliveries": list})
	}
	if len(list) == 0 {
		p.out.printf("Nothing was sent yet.\n")
		return nil
	}
	rows := [][]string{{"AT", "TYPE", "SEQUENCE", "STATUS", "ATTEMPTS", "DELIVERY", "WHY NOT"}}
	for _, d := range list {
		sequence, why := "", ""
		if d.Sequence != nil {
			sequence = strconv.Itoa(*d.Sequence)
		}
		if d.LastError != nil {
			why = *d.LastError
		}
		rows = append(rows, []string{d.CreatedAt.String(), string(d.Type), sequence, string(d.Status), strconv.Itoa(d.Attempts), d.DeliveryID, why})
	}
	p.columns(rows)
	return nil
}

type replayDelivery struct {
	ID       string `arg:"" name:"webhook" help:"Id of the webhook."`
	Delivery string `arg:"" help:"Id of the delivery."`
}

// Run sends a delivery again.
func (r replayDelivery) Run(p *program) error {
	c, err := p.client(true)
	if err != nil {
		return err
	}
	queued, err := c.ReplayDelivery(p.ctx, r.ID, r.Delivery)
	if err != nil {
		return err
	}
	return p.showQueued(queued)
}
