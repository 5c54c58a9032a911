package client

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/token/terms"
)

// OrderDistributionSettings changes settings as ChangeDistributionSettings does, and proves that
// the wallet ordered the change. The Signer signs the settings after the change, or the current
// settings if nothing changes. The unchanged settings come from the service, so show is called with
// the text before the signature. If show returns an error, the method returns the error and changes
// nothing. show may be nil.
//
// It returns SettingsVersionConflict if another change came first; call the method again. It
// returns a *SettingsError, before show, if a value is out of bounds.
func (c *Client) OrderDistributionSettings(ctx context.Context, token string, change SettingsChange, show func(text string) error) (EffectiveSettings, error) {
	if c.signer == nil {
		return EffectiveSettings{}, ErrNoSigner
	}
	mint, err := c.mintOf(ctx, token)
	if err != nil {
		return EffectiveSettings{}, err
	}
	now, err := c.GetDistributionSettings(ctx, token)
	if err != nil {
		return EffectiveSettings{}, err
	}
	before := now.terms()
	if err := change.check(before); err != nil {
		return EffectiveSettings{}, err
	}
	after, version := change.patch().Apply(before), now.Version
	if after != before {
		version++
	}
	text := terms.OrderText(mint, int64(version), after)
	if show != nil {
		if err := show(text); err != nil {
			return EffectiveSettings{}, err
		}
	}
	signature, err := c.signer.SignMessage(ctx, []byte(text))
	if err != nil {
		return EffectiveSettings{}, fmt.Errorf("sign the settings: %w", err)
	}
	change.Order = &SettingsOrder{Version: version, Signature: signature}
	return c.ChangeDistributionSettings(ctx, token, change)
}

// SettingsError lists the fields of a change that the service would reject. Nothing was signed.
type SettingsError struct{ Fields []FieldError }

// Error names each field, with the valid values.
func (e *SettingsError) Error() string {
	words := make([]string, 0, len(e.Fields))
	for _, f := range e.Fields {
		words = append(words, f.Field+": "+f.Message)
	}
	return strings.Join(words, "; ")
}

// check returns a *SettingsError for values that the change moves out of bounds, by the service's
// rules. Settings that were out of bounds before the change come from a newer service and stay
// valid.
func (r SettingsChange) check(before terms.Settings) error {
	known := before.Validate()
	bad := slices.DeleteFunc(r.patch().Check(before), func(f apperr.Field) bool { return slices.Contains(known, f) })
	if r.TransferFeePercent != nil && r.TransferFeePercent.count > terms.FullBps {
		bad = append(bad, apperr.Field{Field: "transferFeePercent", Code: apperr.CodeInvalidPercentage, Message: "Must be a percentage from 0 to 100."})
	}
	if len(bad) == 0 {
		return nil
	}
	err := &SettingsError{}
	for _, f := range bad {
		err.Fields = append(err.Fields, FieldError{Field: f.Field, Code: FieldCode(f.Code.String()), Message: f.Message})
	}
	return err
}

// mintOf returns the mint of a token of the wallet, from the token's ID or mint.
func (c *Client) mintOf(ctx context.Context, token string) (solana.PublicKey, error) {
	if mint, err := solana.PublicKeyFromBase58(token); err == nil {
		return mint, nil
	}
	for mine, err := range c.AllMyTokens(ctx) {
		if err != nil {
			return solana.PublicKey{}, err
		}
		if mine.ID == token {
			return mine.MintAddress, nil
		}
	}
	return solana.PublicKey{}, fmt.Errorf("%q is neither the mint nor the id of a token of this wallet", token)
}

// Words returns the settings for people, each with the name and the value.
func (s DistributionSettings) Words() (rows [][2]string) {
	settings := s.terms()
	for _, f := range terms.Fields() {
		rows = append(rows, [2]string{f.Label, f.Words(settings)})
	}
	return rows
}

// terms converts the settings to the service's type.
func (s DistributionSettings) terms() terms.Settings {
	return terms.Settings{
		RewardToken: s.RewardToken, MinimumHolding: s.MinimumHoldingRequirement.Uint64(), SellBps: int(s.PercentageToSellPerDistribution.count), //nolint:gosec // 100 percent at most
		Enabled: s.DistributionEnabled, Interval: terms.Interval(s.DistributionInterval),
		BurnBps: int(s.BurnPercent.count), DeveloperFeeBps: int(s.DeveloperFeePercent.count), //nolint:gosec // as above
		DeveloperWallet: s.DeveloperWallet, CreatorSplits: splits(s.CreatorSplits), RewardBasis: s.RewardBasis.terms(), TelegramGroupID: s.TelegramGroupID,
		MinimumHoldersBps: int(s.MinimumHoldersPercent.count), //nolint:gosec // as above
		ChangeDelay:       s.ChangeDelay.terms(),
	}
}

// patch converts the change to the service's type.
func (r SettingsChange) patch() terms.Patch {
	patch := terms.Patch{
		SellBps: points(r.PercentageToSellPerDistribution), Enabled: r.DistributionEnabled,
		BurnBps: points(r.BurnPercent), DeveloperFeeBps: points(r.DeveloperFeePercent), TelegramGroupID: r.TelegramGroupID,
		MinimumHoldersBps: points(r.MinimumHoldersPercent),
	}
	if r.MinimumHoldingRequirement != nil {
		patch.MinimumHolding = &r.MinimumHoldingRequirement.count
	}
	if r.RewardToken != "" {
		patch.RewardToken = &r.RewardToken
	}
	if r.DistributionInterval != "" {
		patch.Interval = new(terms.Interval(r.DistributionInterval))
	}
	if !r.DeveloperWallet.IsZero() {
		patch.DeveloperWallet = &r.DeveloperWallet
	}
	if r.CreatorSplits != nil {
		patch.CreatorSplits = new(splits(r.CreatorSplits))
	}
	if r.RewardBasis != "" {
		patch.RewardBasis = new(r.RewardBasis.terms())
	}
	if r.ChangeDelay != "" {
		patch.ChangeDelay = new(r.ChangeDelay.terms())
	}
	return patch
}

// terms converts the basis to the service's type.
func (b RewardBasis) terms() terms.Basis {
	if b == "" { // sent by a service without this setting
		return terms.BasisSnapshot
	}
	return terms.ParseBasis(string(b))
}

// terms converts the delay to the service's type.
func (d ChangeDelay) terms() terms.Delay {
	if d == "" { // sent by a service without this setting
		return terms.NoDelay
	}
	return terms.ParseDelay(string(d))
}

// splits converts the list to the service's type.
func splits(list []CreatorSplit) terms.Splits {
	made := make([]terms.Split, 0, len(list))
	for _, one := range list {
		made = append(made, terms.Split{Wallet: one.Wallet, Bps: int(one.Percent.count)}) //nolint:gosec // the service refuses what is over 100 percent
	}
	return terms.NewSplits(made)
}

// points converts a percentage to basis points.
func points(p *Percent) *int {
	if p == nil {
		return nil
	}
	return new(int(p.count)) //nolint:gosec // the service refuses what is over 100 percent
}
