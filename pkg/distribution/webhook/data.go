package webhook

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/distribution/event"
	"tokenlaunch.example/service/pkg/distribution/settings"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Messages contain only public data, except the settings, which belong to the owner. The Telegram
// group is omitted from the settings, because third parties transport a message.

type launched struct {
	Name      string           `json:"name"`
	Symbol    string           `json:"symbol"`
	Creator   solana.PublicKey `json:"creator"`
	Signature solana.Signature `json:"signature"`
}

type settled struct {
	RunID       string  `json:"runId"`
	ScheduledAt string  `json:"scheduledAt"`
	Slot        string  `json:"slot"` // the deprecated name of scheduledAt
	RewardToken string  `json:"rewardToken"`
	Collected   string  `json:"collected"`
	Burned      string  `json:"burned"`
	Sold        string  `json:"sold"`
	Proceeds    string  `json:"proceeds"`
	CreatorPaid string  `json:"creatorPaid"`
	HoldersPaid string  `json:"holdersPaid"`
	PaidHolders uint32  `json:"paidHolders"`
	Carried     string  `json:"carried"`
	Proof       *string `json:"proof"`
	Anchor      *string `json:"anchor"`
}

type failed struct {
	RunID       string `json:"runId"`
	ScheduledAt string `json:"scheduledAt"`
	Slot        string `json:"slot"` // the deprecated name of scheduledAt
	Status      string `json:"status"`
	Code        string `json:"code"`
	Detail      string `json:"detail"`
}

type changed struct {
	Version     int64              `json:"version"`
	Changed     []terms.Difference `json:"changed"`
	EffectiveAt string             `json:"effectiveAt"`
}

type challenge struct {
	Challenge string `json:"challenge"`
}

// data returns the data of an event's message.
func data(e event.Event) ([]byte, error) {
	switch {
	case e.Run != nil && e.Kind == event.RunSettled:
		return json.Marshal(newSettled(e))
	case e.Run != nil:
		end := e.Run.End
		return json.Marshal(failed{e.Run.ID, stamp(e.Run.Slot), stamp(e.Run.Slot), string(e.Run.Status()), string(end.Code), end.Detail})
	case e.Change != nil:
		return json.Marshal(newChanged(*e.Change))
	case e.About != nil:
		return json.Marshal(e.About)
	case e.Kind == event.TokenLaunched:
		return json.Marshal(launched{e.Token.Name, e.Token.Symbol, e.Token.Creator, e.Token.Signature})
	}
	return nil, fmt.Errorf("an event of the kind %q says nothing", e.Kind)
}

func newSettled(e event.Event) settled {
	t := e.Run.Figures()
	out := settled{
		RunID: e.Run.ID, ScheduledAt: stamp(e.Run.Slot), Slot: stamp(e.Run.Slot), RewardToken: e.Run.Reward.Asset.String(), PaidHolders: t.PaidHolders,
		Collected: amount(t.Collected), Burned: amount(t.Burned), Sold: amount(t.Sold), Proceeds: amount(t.Proceeds),
		CreatorPaid: amount(t.CreatorPaid), HoldersPaid: amount(t.HoldersPaid), Carried: amount(t.Carried),
	}
	if t.Manifest != "" {
		out.Proof = &t.Manifest
	}
	if t.Anchor != "" {
		out.Anchor = &t.Anchor
	}
	return out
}

func newChanged(c event.Change) changed {
	before, after := c.Before.Settings, c.After.Settings
	return changed{
		Version: c.After.Number, Changed: terms.Differences(before, after), EffectiveAt: stamp(settings.EffectiveAt(after, c.After.From)),
	}
}

// Body returns the body of the message. The body is the same on every attempt.
func (d Delivery) Body() ([]byte, error) {
	body := struct {
		Type      string            `json:"type"`
		Timestamp string            `json:"timestamp"`
		Mint      *solana.PublicKey `json:"mintAddress,omitempty"`
		Sequence  int64             `json:"sequence,omitempty"`
		Data      json.RawMessage   `json:"data"`
	}{Type: string(d.Kind), Timestamp: stamp(d.At), Sequence: d.Sequence, Data: d.Data}
	if !d.Mint.IsZero() {
		body.Mint = &d.Mint
	}
	return json.Marshal(body)
}

// deliveryID returns the ID of an event's delivery to a webhook. The ID is deterministic, and sorts
// by the time of the event. The ID is a UUID of version 8 (RFC 9562): 48 bits of milliseconds, then
// bits of a hash.
func deliveryID(webhook, eventID string, at time.Time) string {
	sum := sha256.Sum256([]byte("delivery/" + webhook + "/" + eventID))
	id := uuid.UUID(sum[:16])
	var millis [8]byte
	binary.BigEndian.PutUint64(millis[:], uint64(max(at.UnixMilli(), 0)))
	copy(id[:6], millis[2:])
	id[6] = id[6]&0x0f | 0x80
	id[8] = id[8]&0x3f | 0x80
	return id.String()
}

func stamp(t time.Time) string { return event.Moment(t).String() }

func amount(n uint64) string { return strconv.FormatUint(n, 10) }
