package contract

import (
	"encoding/json"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/content"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Token is a token's record in a response. Launchpad is null without a curve. FeaturedUntil is null
// if the token was never featured. WindsDownAt is null without an order to wind down.
type Token struct {
	ID                    string      `json:"id"`
	MintAddress           string      `json:"mintAddress"`
	Name                  string      `json:"name"`
	Symbol                string      `json:"symbol"`
	Description           *string     `json:"description"`
	ImageURI              string      `json:"imageUri"`
	ImageURL              string      `json:"imageUrl"`
	MetadataURI           string      `json:"metadataUri"`
	Twitter               *string     `json:"twitter"`
	Telegram              *string     `json:"telegram"`
	Website               *string     `json:"website"`
	Status                string      `json:"status"`
	Visible               bool        `json:"visible"`
	Creator               string      `json:"creator"`
	Decimals              int         `json:"decimals"`
	Supply                string      `json:"supply"`
	TransferFeePercent    json.Number `json:"transferFeePercent"`
	TransferFeeAdjustable bool        `json:"transferFeeAdjustable"`
	ImmutableMetadata     bool        `json:"immutableMetadata"`
	DistributionWallet    Wallet      `json:"distributionWallet"`
	Guardian              *string     `json:"guardian"`
	Settings              Settings    `json:"settings"`
	PendingSettings       *Pending    `json:"pendingSettings"`
	FeaturedUntil         *string     `json:"featuredUntil"`
	WindsDownAt           *string     `json:"windsDownAt"`
	Launchpad             *Launchpad  `json:"launchpad"`
	Pools                 []Pool      `json:"pools"`
	OtherPools            []Pool      `json:"otherPools"`
	Signature             string      `json:"signature"`
	CreatedAt             string      `json:"createdAt"`
	Authorities           Authorities `json:"authorities"`
	// Figures are set in responses about a token and in lists of tokens; see WithFigures.
	Figures *Figures `json:"figures,omitempty"`
	// TransactionID and Reason are set for an unconfirmed launch, only for the creator.
	TransactionID string `json:"transactionId,omitempty"`
	Reason        string `json:"reason,omitempty"`
}

// Pending is a change of the settings that is not in force yet.
type Pending struct {
	Settings    Settings `json:"settings"`
	Version     int64    `json:"version"`
	EffectiveAt string   `json:"effectiveAt"`
}

// newPending returns the pending version; nil without a pending version.
func newPending(v *terms.Version) *Pending {
	if v == nil {
		return nil
	}
	return &Pending{Settings: NewSettings(v.Settings), Version: v.Number, EffectiveAt: apigw.Timestamp(v.Interval.Next(v.From))}
}

// Wallet is a distribution wallet.
type Wallet struct {
	WalletID string `json:"walletId"`
	Address  string `json:"address"`
}

// Authorities are the keys that may still change a token; null without such a key. WithdrawWithheld
// is the authority at launch: the hand-over of a token is stored in the ledger, which the functions
// of tokens cannot read.
type Authorities struct {
	Mint              *string `json:"mint"`
	Freeze            *string `json:"freeze"`
	MetadataUpdate    *string `json:"metadataUpdate"`
	TransferFeeConfig *string `json:"transferFeeConfig"`
	WithdrawWithheld  string  `json:"withdrawWithheld"`
}

// Launchpad is the part of a token's record about the token's curve.
type Launchpad struct {
	BondingCurveID string `json:"bondingCurveId"`
	Status         string `json:"status"`
}

// Pool is a pool of a token and SOL. A pool is official if the token's creator created the pool.
// LPMint is set if the pool has an LP mint.
type Pool struct {
	Kind      string `json:"kind"`
	Address   string `json:"address"`
	Creator   string `json:"creator"`
	Official  bool   `json:"official"`
	LPMint    string `json:"lpMint,omitempty"`
	Vaults    Vaults `json:"vaults"`
	CreatedAt string `json:"createdAt"` // when the service first saw the pool on the chain
}

// Vaults are the addresses of a pool's token accounts.
type Vaults struct {
	Token string `json:"token"`
	SOL   string `json:"sol"`
}

// NewToken converts a token's record. gateway is the address of an IPFS gateway, without a trailing
// slash.
func NewToken(r token.Record, gateway string) Token {
	a := r.Authorities()
	t := Token{
		ID: r.ID, MintAddress: r.Mint.String(), Name: r.Name, Symbol: r.Symbol,
		Description: orNull(r.Description),
		ImageURI:    content.Scheme + r.ImageCID, ImageURL: gateway + "/ipfs/" + r.ImageCID,
		MetadataURI: content.Gateway + r.MetadataCID,
		Twitter:     orNull(r.Twitter), Telegram: orNull(r.Telegram), Website: orNull(r.Website),
		Status: string(r.Status), Visible: r.Visible, Creator: r.Creator.String(),
		Decimals: r.Decimals, Supply: Amount(r.Supply), TransferFeePercent: Percent(r.TransferFeeBps),
		TransferFeeAdjustable: r.FeeAdjustable, ImmutableMetadata: r.Immutable,
		DistributionWallet: Wallet{WalletID: r.Wallet.ID, Address: r.Wallet.Address.String()},
		Guardian:           keyOrNull(r.Guardian),
		Settings:           NewSettings(r.Settings),
		PendingSettings:    newPending(r.Pending),
		Signature:          r.Signature.String(), CreatedAt: apigw.Timestamp(r.CreatedAt),
		Authorities: Authorities{
			Mint: keyOrNull(a.Mint), Freeze: keyOrNull(a.Freeze), MetadataUpdate: keyOrNull(a.MetadataUpdate),
			TransferFeeConfig: keyOrNull(a.TransferFee), WithdrawWithheld: a.WithdrawWithheld.String(),
		},
		FeaturedUntil: apigw.TimeOrNull(r.FeaturedUntil),
		WindsDownAt:   apigw.TimeOrNull(r.WindDown.At),
		Pools:         make([]Pool, len(r.Pools)),
		OtherPools:    make([]Pool, len(r.OtherPools)),
	}
	if r.Launchpad != nil {
		t.Launchpad = &Launchpad{BondingCurveID: r.Launchpad.Pool.String(), Status: string(r.Launchpad.State)}
	}
	for i, pool := range r.Pools {
		t.Pools[i] = newPool(pool, true)
	}
	for i, pool := range r.OtherPools {
		t.OtherPools[i] = newPool(pool, false)
	}
	return t
}

func newPool(p token.Pool, official bool) Pool {
	out := Pool{
		Kind: string(p.Kind), Address: p.Address.String(), Creator: p.Creator.String(), Official: official, CreatedAt: apigw.Timestamp(p.CreatedAt),
		Vaults: Vaults{Token: p.TokenVault.String(), SOL: p.SOLVault.String()},
	}
	if !p.LPMint.IsZero() {
		out.LPMint = p.LPMint.String()
	}
	return out
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func keyOrNull(k solana.PublicKey) *string {
	if k.IsZero() {
		return nil
	}
	return new(k.String())
}
