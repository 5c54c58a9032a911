package tokens

import (
	"encoding/json"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/apigw"
	"tokenlaunch.example/service/pkg/apigw/contract"
	"tokenlaunch.example/service/pkg/asset"
	"tokenlaunch.example/service/pkg/token"
)

// tokenBody is a token's record on the wire ("Tokens", design/api.md).
type tokenBody struct {
	ID                    string            `json:"id"`
	MintAddress           string            `json:"mintAddress"`
	Name                  string            `json:"name"`
	Symbol                string            `json:"symbol"`
	Description           *string           `json:"description"`
	ImageURI              string            `json:"imageUri"`
	ImageURL              string            `json:"imageUrl"`
	MetadataURI           string            `json:"metadataUri"`
	Twitter               *string           `json:"twitter"`
	Telegram              *string           `json:"telegram"`
	Website               *string           `json:"website"`
	Status                string            `json:"status"`
	Visible               bool              `json:"visible"`
	Creator               string            `json:"creator"`
	Decimals              int               `json:"decimals"`
	Supply                string            `json:"supply"`
	TransferFeePercent    json.Number       `json:"transferFeePercent"`
	TransferFeeAdjustable bool              `json:"transferFeeAdjustable"`
	ImmutableMetadata     bool              `json:"immutableMetadata"`
	DistributionWallet    walletBody        `json:"distributionWallet"`
	Settings              contract.Settings `json:"settings"`
	FeaturedUntil         *string           `json:"featuredUntil"`
	Signature             string            `json:"signature"`
	CreatedAt             string            `json:"createdAt"`
	Authorities           authoritiesBody   `json:"authorities"`
}

type walletBody struct {
	WalletID string `json:"walletId"`
	Address  string `json:"address"`
}

type authoritiesBody struct {
	Mint              *string `json:"mint"`
	Freeze            *string `json:"freeze"`
	MetadataUpdate    *string `json:"metadataUpdate"`
	TransferFeeConfig *string `json:"transferFeeConfig"`
	WithdrawWithheld  *string `json:"withdrawWithheld"`
}

// gateway is the address of an IPFS gateway, without a slash at its end.
func newTokenBody(r token.Record, gateway string) tokenBody {
	a := r.Authorities()
	return tokenBody{
		ID: r.ID, MintAddress: r.Mint.String(), Name: r.Name, Symbol: r.Symbol,
		Description: orNull(r.Description),
		ImageURI:    asset.Scheme + r.ImageCID, ImageURL: gateway + "/ipfs/" + r.ImageCID,
		MetadataURI: asset.Scheme + r.MetadataCID,
		Twitter:     orNull(r.Twitter), Telegram: orNull(r.Telegram), Website: orNull(r.Website),
		Status: string(r.Status), Visible: r.Visible, Creator: r.Creator.String(),
		Decimals: r.Decimals, Supply: contract.Amount(r.Supply), TransferFeePercent: contract.Percent(r.TransferFeeBps),
		TransferFeeAdjustable: r.FeeAdjustable, ImmutableMetadata: r.Immutable,
		DistributionWallet: walletBody{WalletID: r.Wallet.ID, Address: r.Wallet.Address.String()},
		Settings:           contract.NewSettings(r.Settings),
		Signature:          r.Signature.String(), CreatedAt: apigw.Timestamp(r.CreatedAt),
		Authorities: authoritiesBody{
			Mint: keyOrNull(a.Mint), Freeze: keyOrNull(a.Freeze), MetadataUpdate: keyOrNull(a.MetadataUpdate),
			TransferFeeConfig: keyOrNull(a.TransferFee), WithdrawWithheld: keyOrNull(a.WithdrawWithheld),
		},
	}
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
