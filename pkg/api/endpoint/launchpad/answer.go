package launchpad

import (
	"encoding/json"
	"math/big"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/apigw/contract"
	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/market/launchpad"
	"tokenlaunch.example/service/pkg/platform/decimal"
)

// parametersBody has the prices at the start and the end of a curve, in SOL for a whole token.
type parametersBody struct {
	StartPrice      string      `json:"startPrice"`
	EndPrice        string      `json:"endPrice"`
	PriceMultiplier json.Number `json:"priceMultiplier"`
}

func newParameters(c market.Curve) parametersBody {
	start, end := launchpad.Prices(c)
	return parametersBody{start, end, json.Number(market.Decimal(c.MultiplierBps, 4))}
}

type createdBody struct {
	contract.UnsignedBody

	BondingCurveID      string         `json:"bondingCurveId"`
	ExpectedLaunchTime  string         `json:"expectedLaunchTime"`
	CurveParameters     parametersBody `json:"curveParameters"`
	TokenMint           string         `json:"tokenMint"`
	TokenAmount         string         `json:"tokenAmount"`
	TokenAmountAfterTax string         `json:"tokenAmountAfterTax"`
	TargetSOL           string         `json:"targetSol"`
	TargetLamports      string         `json:"targetLamports"`
	LockLiquidity       bool           `json:"lockLiquidity"`
	TradeFeePercent     json.Number    `json:"tradeFeePercent"`
	PositionNFTMint     string         `json:"positionNftMint"`
	StartsAt            *string        `json:"startsAt"`
	InitialBuyLamports  string         `json:"initialBuyLamports"`
	InitialBuyTokens    string         `json:"initialBuyTokens"`
}

func newCreatedBody(c launchpad.Created) createdBody {
	return createdBody{
		UnsignedBody: contract.Unsigned(c.Unsigned), BondingCurveID: c.Curve.Address.String(),
		ExpectedLaunchTime: apigw.Timestamp(c.ExpectedCompletion), CurveParameters: newParameters(c.Curve),
		TokenMint: c.Curve.Mint.String(), TokenAmount: contract.Amount(c.Sent), TokenAmountAfterTax: contract.Amount(c.Curve.Tokens),
		TargetSOL: decimal.SOL(c.Curve.TargetLamports), TargetLamports: contract.Amount(c.Curve.TargetLamports),
		LockLiquidity: c.Curve.Locked, TradeFeePercent: contract.Percent(c.Curve.FeeBps), PositionNFTMint: c.Curve.NFTMint.String(),
		StartsAt: apigw.TimeOrNull(c.Curve.StartsAt), InitialBuyLamports: contract.Amount(c.Initial.Lamports), InitialBuyTokens: contract.Amount(c.Initial.Tokens),
	}
}

// curveBody is the state of a curve. currentMarketCap and targetMarketCap are the raised SOL and
// the SOL to raise.
type curveBody struct {
	BondingCurveID      string         `json:"bondingCurveId"`
	Status              string         `json:"status"`
	CurrentMarketCap    string         `json:"currentMarketCap"`
	TargetMarketCap     string         `json:"targetMarketCap"`
	Progress            json.Number    `json:"progress"`
	TokensSold          string         `json:"tokensSold"`
	TotalTokens         string         `json:"totalTokens"`
	SOLCollected        string         `json:"solCollected"`
	UniqueBuyers        uint64         `json:"uniqueBuyers"`
	CreatedAt           string         `json:"createdAt"`
	EstimatedCompletion *string        `json:"estimatedCompletion"`
	MintAddress         string         `json:"mintAddress"`
	Creator             string         `json:"creator"`
	CurrentPrice        string         `json:"currentPrice"`
	CurveParameters     parametersBody `json:"curveParameters"`
	Trades              uint64         `json:"trades"`
	LockLiquidity       bool           `json:"lockLiquidity"`
	LiquidityLocked     bool           `json:"liquidityLocked"`
	TradeFeePercent     json.Number    `json:"tradeFeePercent"`
	CompletedAt         *string        `json:"completedAt"`
	Official            bool           `json:"official"`
	StartsAt            *string        `json:"startsAt"`
	CreatorTokens       *string        `json:"creatorTokens"`
	CreatorSharePercent *json.Number   `json:"creatorSharePercent"`
	// Token is the token's record, only in lists.
	Token *contract.Token `json:"token,omitempty"`
}

type listBody struct {
	Launchpad  []curveBody `json:"launchpad"`
	NextCursor *string     `json:"nextCursor"`
}

func newCurveBody(s launchpad.Status) curveBody {
	body := curveBody{
		BondingCurveID: s.Address.String(), Status: string(s.State),
		CurrentMarketCap: decimal.SOL(s.Raised), TargetMarketCap: decimal.SOL(s.TargetLamports),
		Progress:   json.Number(market.Decimal(s.ProgressBps, 2)),
		TokensSold: contract.Amount(s.Sold), TotalTokens: contract.Amount(s.Tokens), SOLCollected: decimal.SOL(s.Raised),
		UniqueBuyers: s.Index.Buyers, CreatedAt: apigw.Timestamp(s.CreatedAt), EstimatedCompletion: apigw.TimeOrNull(s.Expected),
		MintAddress: s.Mint.String(), Creator: s.Creator.String(), CurrentPrice: launchpad.SpotPrice(s.SqrtPrice, s.Decimals),
		CurveParameters: newParameters(s.Curve), Trades: s.Index.Trades,
		LockLiquidity: s.Locked, LiquidityLocked: s.AllLocked, TradeFeePercent: contract.Percent(s.FeeBps),
		CompletedAt: apigw.TimeOrNull(s.CompletedAt), Official: s.Official,
		StartsAt: apigw.TimeOrNull(s.StartsAt),
	}
	if share := s.CreatorShare; share != nil {
		body.CreatorTokens = new(contract.Amount(share.Tokens))
		body.CreatorSharePercent = new(json.Number(market.Decimal(share.Bps(), 2)))
	}
	return body
}

type priceBody struct {
	TokenAmount     string      `json:"tokenAmount"`
	SOLCost         string      `json:"solCost"`
	CurrentPrice    string      `json:"currentPrice"`
	PriceImpact     json.Number `json:"priceImpact"`
	NextPrice       string      `json:"nextPrice"`
	SOLCostLamports string      `json:"solCostLamports"`
	FeeLamports     string      `json:"feeLamports"`
	TokenTax        string      `json:"tokenTax"`
}

func newPriceBody(p launchpad.Price) priceBody {
	return priceBody{
		TokenAmount: contract.Amount(p.Tokens), SOLCost: decimal.SOL(p.Lamports),
		CurrentPrice: launchpad.SpotPrice(p.SqrtPrice, p.Decimals), NextPrice: launchpad.SpotPrice(p.NextSqrtPrice, p.Decimals),
		PriceImpact:     hundredths(p.ImpactBps),
		SOLCostLamports: contract.Amount(p.Lamports), FeeLamports: contract.Amount(p.Fee), TokenTax: contract.Amount(p.Tax),
	}
}

// maxImpactBps is a billion percent. A larger JSON number has no use for a reader.
const maxImpactBps = 100_000_000_000

func hundredths(n *big.Int) json.Number {
	value := int64(maxImpactBps)
	if n.IsInt64() {
		value = min(value, n.Int64())
	}
	return json.Number(market.Decimal(value, 2))
}

type purchaseBody struct {
	contract.UnsignedBody

	TokenMint       string `json:"tokenMint"`
	TokenAmount     string `json:"tokenAmount"`
	SOLCost         string `json:"solCost"`
	MaximumSOLCost  string `json:"maximumSolCost"`
	MaximumLamports string `json:"maximumLamports"`
	// MinimumTokenAmount is equal to tokenAmount, or less for a purchase for lamports.
	MinimumTokenAmount string `json:"minimumTokenAmount"`
}

func newPurchaseBody(t launchpad.Trade) purchaseBody {
	return purchaseBody{
		UnsignedBody: contract.Unsigned(t.Unsigned), TokenMint: t.Mint.String(), TokenAmount: contract.Amount(t.Tokens),
		SOLCost: decimal.SOL(t.Lamports), MaximumSOLCost: decimal.SOL(t.Limit), MaximumLamports: contract.Amount(t.Limit),
		MinimumTokenAmount: contract.Amount(t.MinTokens),
	}
}

type saleBody struct {
	contract.UnsignedBody

	TokenMint          string `json:"tokenMint"`
	TokenAmount        string `json:"tokenAmount"`
	SOLReceived        string `json:"solReceived"`
	MinimumSOLReceived string `json:"minimumSolReceived"`
	MinimumLamports    string `json:"minimumLamports"`
}

func newSaleBody(t launchpad.Trade) saleBody {
	return saleBody{
		UnsignedBody: contract.Unsigned(t.Unsigned), TokenMint: t.Mint.String(), TokenAmount: contract.Amount(t.Tokens),
		SOLReceived: decimal.SOL(t.Lamports), MinimumSOLReceived: decimal.SOL(t.Limit), MinimumLamports: contract.Amount(t.Limit),
	}
}

type cancellationBody struct {
	contract.UnsignedBody

	TokenMint   string `json:"tokenMint"`
	TokenAmount string `json:"tokenAmount"`
	SOLAmount   string `json:"solAmount"`
}

func newCancellationBody(c launchpad.Cancellation) cancellationBody {
	return cancellationBody{
		UnsignedBody: contract.Unsigned(c.Unsigned), TokenMint: c.Mint.String(),
		TokenAmount: contract.Amount(c.Tokens), SOLAmount: contract.Amount(c.Lamports),
	}
}
