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
	Delete     deleteWebhook  `cmd:"" help:"Delete a webhook."`
	Test       testWebhook    `cmd:"" help:"Send a message to a webhook that tries it, or a challenge to one that is not active."`
	Deliveries listDeliveries `cmd:"" help:"List what was sent to a webhook, newest first, and what became of it."`
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
	for _, text := range a.Mints {
		mint, err := address("--mints", text)
		if err != nil {
			return err
		}
		wanted.Mints = append(wanted.Mints, mint)
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
	if p.json {
		return p.write(list)
	}
	if len(list.Webhooks) == 0 {
		p.out.printf("You have no webhook.\n")
		return nil
	}
	rows := [][]string{{"WEBHOOK", "STATUS", "URL", "EVENTS", "TOKENS"}}
	for _, w := range list.Webhooks {
		rows = append(rows, []string{w.WebhookID, w.Status, w.URL, joined(w.Events), tokensOf(w.Mints)})
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

// Run tries a webhook.
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
		rows = append(rows, []string{d.CreatedAt.String(), d.Type, sequence, d.Status, strconv.Itoa(d.Attempts), d.DeliveryID, why})
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
