package distribution

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/apigw/body"
	"tokenlaunch.example/service/pkg/api/apigw/contract"
	"tokenlaunch.example/service/pkg/distribution/settings"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// settingsBody is a token's settings with the time of the next run, which uses the settings.
// TransferFee is set if the request changes the tax.
type settingsBody struct {
	contract.Settings

	EffectiveAt string   `json:"effectiveAt"`
	Version     int64    `json:"version"`
	Ordered     bool     `json:"orderedByCreator"`
	Linked      bool     `json:"telegramLinked"`
	TransferFee *taxBody `json:"transferFee,omitempty"`
}

// taxBody is the transaction by which the creator changes the tax.
type taxBody struct {
	Transaction               string              `json:"transaction"`
	ExpiresAt                 string              `json:"expiresAt"`
	LastValid                 uint64              `json:"lastValidBlockHeight"`
	TransferFeePercent        json.Number         `json:"transferFeePercent"`
	EffectiveEpoch            uint64              `json:"effectiveEpoch"`
	CurrentTransferFeePercent json.Number         `json:"currentTransferFeePercent"`
	CurrentEpoch              uint64              `json:"currentEpoch"`
	Replaces                  *pendingTaxBody     `json:"replaces"`
	Cost                      costBody            `json:"cost"`
	Explanation               []string            `json:"explanation"`
	Simulation                contract.Simulation `json:"simulation"`
}

type pendingTaxBody struct {
	TransferFeePercent json.Number `json:"transferFeePercent"`
	EffectiveEpoch     uint64      `json:"effectiveEpoch"`
}

type costBody struct {
	NetworkFee string `json:"networkFeeLamports"`
	Total      string `json:"totalLamports"`
}

func (e Endpoint) getSettings(w http.ResponseWriter, r *http.Request) error {
	record, err := e.owned(r)
	if err != nil {
		return err
	}
	answer, err := e.newSettingsBody(r.Context(), record, record.HoldsFrom(e.Now()))
	if err != nil {
		return err
	}
	return apigw.WriteJSON(w, http.StatusOK, answer)
}

// newSettingsBody returns settings that are effective after a time.
func (e Endpoint) newSettingsBody(ctx context.Context, t token.Record, from time.Time) (settingsBody, error) {
	linked, err := e.linked(ctx, t)
	return settingsBody{
		Linked:      linked,
		Settings:    contract.NewSettings(t.Settings),
		EffectiveAt: apigw.Timestamp(settings.EffectiveAt(t.Settings, from)),
		Version:     t.SettingsVersion, Ordered: !t.SettingsSignature.IsZero(),
	}, err
}

// changeSettings reports all errors of the body at once. Only the creator also gets the errors that
// depend on the current settings.
func (e Endpoint) changeSettings(w http.ResponseWriter, r *http.Request) error {
	fields, err := body.Read(r)
	if err != nil {
		return err
	}
	wanted := readWanted(fields)
	record, refusal := e.owned(r)
	if refusal != nil {
		fields.RejectAll(wanted.CheckAlone()...)
		return cmp.Or(fields.Err(), refusal)
	}
	fields.RejectAll(wanted.Check(record, e.Now())...)
	if err := fields.Err(); err != nil {
		fields.RejectAll(wanted.CheckTax(record)...)
		return fields.Err()
	}
	changed, err := e.Settings.Change(r.Context(), record.Mint, wanted)
	if err != nil {
		return err
	}
	answer, err := e.newSettingsBody(r.Context(), changed.Token, changed.From)
	if err != nil {
		return err
	}
	if changed.TaxChange != nil {
		answer.TransferFee = newTaxBody(*changed.TaxChange)
	}
	return apigw.WriteJSON(w, http.StatusOK, answer)
}

// readWanted reads the body of a change.
func readWanted(f *body.Fields) settings.Wanted {
	wanted := settings.Wanted{Patch: contract.ReadSettings(f)}
	if enabled, ok := f.OptionalBool("distributionEnabled"); ok {
		wanted.Patch.Enabled = &enabled
	}
	if group, ok := f.OptionalText("telegramGroupId"); ok {
		wanted.Patch.TelegramGroupID = &group
	}
	if bps, ok := f.OptionalPercent("transferFeePercent", 0, terms.FullBps); ok {
		wanted.TaxBps = &bps
	}
	if model, ok := f.OptionalString("distributionModel"); ok {
		wanted.Model = &model
	}
	if text, ok := f.OptionalString("effectiveAt"); ok {
		at, err := time.Parse(time.RFC3339, text)
		if err != nil {
			f.Reject("effectiveAt", apperr.CodeInvalidFormat, "Must be the time that was answered, in RFC 3339.")
		}
		wanted.EffectiveAt = &at
	}
	if version, ok := f.OptionalInt("version", terms.LaunchVersion, maxVersion); ok {
		wanted.Version = new(int64(version))
	}
	if ordered, ok := f.OptionalBool("orderedByCreator"); ok {
		wanted.Ordered = &ordered
	}
	f.OptionalBool("telegramLinked") // accepted as it was returned, because the state at Telegram may have changed since
	var order settings.Order
	if f.OptionalObject("order", func(o *body.Fields) { order = readOrder(o) }) {
		wanted.Order = &order
	}
	return wanted
}

const (
	// maxVersion is the largest integer that every JSON parser reads exactly (RFC 8259, section 6).
	maxVersion = 1<<53 - 1
	// maxSignature is the length of 64 bytes in base58. A limit is necessary because the time for
	// decoding is quadratic in the length.
	maxSignature = 88
)

// readOrder reads the creator's signature over the settings after the change.
func readOrder(f *body.Fields) settings.Order {
	order := settings.Order{Version: int64(f.Int("version", terms.LaunchVersion, maxVersion))}
	order.Signature = readSignature(f)
	return order
}

// readSignature reads the signature of an order.
func readSignature(f *body.Fields) (signature solana.Signature) {
	text := f.String("signature")
	if len(text) <= maxSignature {
		signature, _ = solana.SignatureFromBase58(text)
	}
	if text != "" && signature.String() != text {
		f.Reject("signature", apperr.CodeInvalidFormat, "Must be a signature: 64 bytes in base58.")
	}
	return signature
}

func newTaxBody(c settings.TaxChange) *taxBody {
	out := &taxBody{
		Transaction: base64.StdEncoding.EncodeToString(c.Transaction), ExpiresAt: apigw.Timestamp(c.ExpiresAt), LastValid: c.LastValid,
		TransferFeePercent: contract.Percent(c.NewBps), EffectiveEpoch: c.EffectiveEpoch,
		CurrentTransferFeePercent: contract.Percent(c.Bps), CurrentEpoch: c.Epoch,
		Cost:        costBody{NetworkFee: contract.Amount(c.Cost.NetworkFee), Total: contract.Amount(c.Cost.Total())},
		Explanation: c.Explanation, Simulation: contract.NewSimulation(c.Simulation),
	}
	if c.Replaces != nil {
		out.Replaces = &pendingTaxBody{
			TransferFeePercent: contract.Percent(int(c.Replaces.BasisPoints)), EffectiveEpoch: c.Replaces.Epoch,
		}
	}
	return out
}
