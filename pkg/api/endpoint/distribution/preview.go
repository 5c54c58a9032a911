package distribution

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/apigw/contract"
	"tokenlaunch.example/service/pkg/distribution/preview"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/distribution/settings"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// previewBody is the next run if the run began now. Tokens is the wallet's balance, and
// withheldOnMint is the tax that a run collects first. The tax in holders' accounts is not
// included, because only a scan finds this tax.
type previewBody struct {
	MintAddress    string           `json:"mintAddress"`
	ScheduledAt    *string          `json:"scheduledAt"`
	Slot           *string          `json:"slot"` // see scheduled
	RewardToken    string           `json:"rewardToken"`
	Tokens         string           `json:"tokens"`
	WithheldOnMint string           `json:"withheldOnMint"`
	Owed           string           `json:"owed"`
	Spendable      string           `json:"spendable"`
	Slice          string           `json:"slice"`
	Burn           string           `json:"burn"`
	Sell           string           `json:"sell"`
	Proceeds       *string          `json:"proceeds"`
	Creator        *string          `json:"creator"`
	Holders        *string          `json:"holders"`
	Creators       []previewCreator `json:"creators"`
	Price          *previewPrice    `json:"price"`
	Snapshot       *previewSnapshot `json:"snapshot"`
	Rest           *previewRest     `json:"rest"`
	ComputedAt     string           `json:"computedAt"`
}

// previewCreator is the amount for one of the creator's wallets.
type previewCreator struct {
	Wallet  string      `json:"wallet"`
	Percent json.Number `json:"percent"`
	Amount  string      `json:"amount"`
}

// previewPrice is the price of an earlier run, which the preview uses.
type previewPrice struct {
	Sold     string `json:"sold"`
	Proceeds string `json:"proceeds"`
	At       string `json:"at"`
}

// previewSnapshot has the holders' part of the last settled distribution.
type previewSnapshot struct {
	RunID           string `json:"runId"`
	ChainSlot       uint64 `json:"chainSlot"`
	Eligible        uint32 `json:"eligible"`
	EligibleBalance string `json:"eligibleBalance"`
	MinimumHolding  string `json:"minimumHoldingRequirement"`
}

// previewRest reports an idle pause, in which slots pass without a run, and the reason. Until is
// the latest time of the next check; null if only something to distribute ends the pause.
type previewRest struct {
	reasonBody

	Until *string `json:"until"`
}

// maxPreviewAge is the maximum age of a preview in seconds, in this cache and in the caller's
// cache.
const maxPreviewAge = 30

func (e Endpoint) getPreview(w http.ResponseWriter, r *http.Request) error {
	record, err := e.token(r)
	if err != nil {
		return err
	}
	body, err := e.Previews.get(record.Mint, e.Now(), func() (previewBody, error) { return e.preview(r.Context(), record) })
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", fmt.Sprintf("public, max-age=%d", maxPreviewAge))
	return apigw.WriteJSON(w, http.StatusOK, body)
}

func (e Endpoint) preview(ctx context.Context, t token.Record) (previewBody, error) {
	head, err := e.Runs.Head(ctx, t.Mint)
	if err != nil {
		return previewBody{}, err
	}
	now := e.Now()
	t = t.InForce(now)
	slot := settings.EffectiveAt(t.Settings, now)
	facts := preview.Facts{Mint: t.Mint, Settings: head.Divides(t, slot), Head: head}
	if facts.Tokens, err = e.tokens(ctx, t); err != nil {
		return previewBody{}, err
	}
	if facts.Withheld, err = e.withheld(ctx, t.Mint); err != nil {
		return previewBody{}, err
	}
	next, err := preview.Next(facts)
	if err != nil {
		return previewBody{}, fmt.Errorf("compute the next run of %s: %w", t.Mint, err)
	}
	out := previewBody{
		MintAddress: t.Mint.String(), RewardToken: facts.Settings.RewardToken, Tokens: contract.Amount(facts.Tokens),
		WithheldOnMint: contract.Amount(facts.Withheld), Owed: contract.Amount(next.Owed), Spendable: contract.Amount(next.Spendable),
		Slice: contract.Amount(next.Slice), Burn: contract.Amount(next.Burn), Sell: contract.Amount(next.Sell),
		ComputedAt: apigw.Timestamp(now), Creators: []previewCreator{},
	}
	if t.Settings.Enabled && t.Status == token.Confirmed {
		out.ScheduledAt = new(apigw.Timestamp(slot))
		out.Slot = out.ScheduledAt
	}
	if p := next.Proceeds; p != nil {
		out.Proceeds, out.Creator, out.Holders = new(contract.Amount(p.Total)), new(contract.Amount(p.Creator)), new(contract.Amount(p.Holders))
		for i, one := range facts.Settings.Creators() {
			out.Creators = append(out.Creators, previewCreator{
				Wallet: one.Wallet.String(), Percent: contract.Percent(one.Bps), Amount: contract.Amount(p.Creators[i]),
			})
		}
	}
	if p := next.Price; p != nil {
		out.Price = &previewPrice{Sold: contract.Amount(p.In), Proceeds: contract.Amount(p.Out), At: apigw.Timestamp(p.At)}
	}
	if rest, resting := head.Rest(t, now); resting && t.Settings.Enabled {
		out.Rest = &previewRest{reasonBody: reasonBody{string(rest.Code), rest.Detail}, Until: apigw.TimeOrNull(rest.Until)}
	}
	if head.Last == nil {
		return out, nil
	}
	last, err := e.Runs.RunByID(ctx, t.Mint, head.Last.Run)
	if err != nil {
		return previewBody{}, fmt.Errorf("read the last run of %s: %w", t.Mint, err)
	}
	if last.Kind() != run.Distribution && !head.Earned.IsZero() { // claims and sweeps have no snapshot
		if last, err = e.Runs.RunByID(ctx, t.Mint, terms.RunID(t.Mint, head.Earned)); err != nil {
			return previewBody{}, fmt.Errorf("read the last distribution of %s: %w", t.Mint, err)
		}
	}
	if s := last.Snapshot; s != nil && last.Kind() == run.Distribution {
		out.Snapshot = &previewSnapshot{
			RunID: last.ID, ChainSlot: s.ChainSlot, Eligible: s.Eligible, EligibleBalance: contract.Amount(s.EligibleBalance),
			MinimumHolding: contract.Amount(last.Settings.MinimumHolding),
		}
	}
	return out, nil
}

// tokens returns the balance of the distribution wallet's account of the token.
func (e Endpoint) tokens(ctx context.Context, t token.Record) (uint64, error) {
	address, err := token2022.AssociatedAddress(t.Wallet.Address, t.Mint, solana.Token2022ProgramID)
	if err != nil {
		return 0, fmt.Errorf("find the account of %s: %w", t.Wallet.Address, err)
	}
	stored, found, err := e.Chain.Account(ctx, address)
	if err != nil || !found {
		return 0, err
	}
	account, err := token2022.DecodeAccount(stored.Owner, stored.Data)
	if err != nil {
		return 0, nil //nolint:nilerr // a stranger sent lamports to the address before the account was made
	}
	return account.Amount, nil
}

// withheld returns the tax that was harvested into the mint.
func (e Endpoint) withheld(ctx context.Context, mint solana.PublicKey) (uint64, error) {
	stored, found, err := e.Chain.Account(ctx, mint)
	if err != nil || !found {
		return 0, err
	}
	m, err := token2022.DecodeMint(stored.Owner, stored.Data)
	if err != nil {
		return 0, fmt.Errorf("read the mint %s: %w", mint, err)
	}
	if m.TransferFee == nil {
		return 0, nil
	}
	return m.TransferFee.Withheld, nil
}
