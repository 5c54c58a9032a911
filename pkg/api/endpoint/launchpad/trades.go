package launchpad

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"time"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/apigw/contract"
	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/market/launchpad"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/decimal"
)

// tradeBody is a trade from the trader's point of view. Prices are the pool's prices, without fee
// and tax.
type tradeBody struct {
	Number      uint64  `json:"number"`
	Signature   string  `json:"signature"`
	Slot        uint64  `json:"slot"`
	Time        string  `json:"time"`
	Side        string  `json:"side"`
	Trader      *string `json:"trader"`
	Lamports    string  `json:"lamports"`
	TokenAmount string  `json:"tokenAmount"`
	FeeLamports string  `json:"feeLamports"`
	PriceBefore string  `json:"priceBefore"`
	Price       string  `json:"price"`
}

type tradesBody struct {
	MintAddress string      `json:"mintAddress"`
	Trades      []tradeBody `json:"trades"`
	NextCursor  *string     `json:"nextCursor"`
}

func newTradeBody(t market.Trade, decimals int) tradeBody {
	b := tradeBody{
		Number: t.Number, Signature: t.Signature.String(), Slot: t.Slot, Time: apigw.Timestamp(t.At), Side: "sell",
		Lamports: contract.Amount(t.Lamports), TokenAmount: contract.Amount(t.Tokens), FeeLamports: contract.Amount(t.Fee),
		PriceBefore: launchpad.SpotPrice(t.SqrtBefore, decimals), Price: launchpad.SpotPrice(t.SqrtAfter, decimals),
	}
	if t.Bought {
		b.Side = "buy"
	}
	if !t.Trader.IsZero() {
		b.Trader = new(t.Trader.String())
	}
	return b
}

type candleBody struct {
	Time           string `json:"time"`
	Open           string `json:"open"`
	High           string `json:"high"`
	Low            string `json:"low"`
	Close          string `json:"close"`
	Volume         string `json:"volume"`
	VolumeLamports string `json:"volumeLamports"`
	VolumeTokens   string `json:"volumeTokens"`
	Trades         uint64 `json:"trades"`
}

type candlesBody struct {
	MintAddress string       `json:"mintAddress"`
	Interval    string       `json:"interval"`
	Candles     []candleBody `json:"candles"`
	NextCursor  *string      `json:"nextCursor"`
}

// lamportPlaces is the number of decimals of SOL.
const lamportPlaces = 9

func newCandleBody(c market.Candle, decimals int) candleBody {
	return candleBody{
		Time: apigw.Timestamp(c.Start),
		Open: launchpad.SpotPrice(c.Open, decimals), High: launchpad.SpotPrice(c.High, decimals),
		Low: launchpad.SpotPrice(c.Low, decimals), Close: launchpad.SpotPrice(c.Close, decimals),
		Volume: decimal.Big(c.Lamports, lamportPlaces), VolumeLamports: c.Lamports.String(), VolumeTokens: c.Tokens.String(),
		Trades: c.Trades,
	}
}

// Positions at the end of a page: the number of a trade, and the start of a candle in Unix seconds.
var (
	tradePlace  = regexp.MustCompile(`^[0-9]{19}$`)
	candlePlace = regexp.MustCompile(`^[0-9]{12}$`)
)

func (e Endpoint) trades(w http.ResponseWriter, r *http.Request) error {
	limit, after, err := contract.ReadPage(r.URL.Query(), tradePlace)
	if err != nil {
		return err
	}
	mint, err := mintOf(r)
	if err != nil {
		return err
	}
	before, _ := strconv.ParseUint(after, 10, 64) // empty, or valid
	page, err := e.Curves.Trades(r.Context(), mint, before, limit)
	if err != nil {
		return err
	}
	out := tradesBody{MintAddress: mint.String(), Trades: make([]tradeBody, len(page.Trades))}
	for i, t := range page.Trades {
		out.Trades[i] = newTradeBody(t, page.Decimals)
	}
	if page.Next > 0 {
		out.NextCursor = contract.Cursor(fmt.Sprintf("%019d", page.Next))
	}
	return apigw.WriteJSON(w, http.StatusOK, out)
}

func (e Endpoint) candles(w http.ResponseWriter, r *http.Request) error {
	limit, after, badPage := contract.ReadPage(r.URL.Query(), candlePlace)
	interval, badInterval := readInterval(r)
	if err := apperr.Together(badPage, badInterval); err != nil {
		return err
	}
	mint, err := mintOf(r)
	if err != nil {
		return err
	}
	var before time.Time
	if seconds, err := strconv.ParseInt(after, 10, 64); err == nil {
		before = time.Unix(seconds, 0).UTC()
	}
	page, err := e.Curves.Candles(r.Context(), mint, interval, before, limit)
	if err != nil {
		return err
	}
	out := candlesBody{MintAddress: mint.String(), Interval: string(interval), Candles: make([]candleBody, len(page.Candles))}
	for i, c := range page.Candles {
		out.Candles[i] = newCandleBody(c, page.Decimals)
	}
	if !page.Next.IsZero() {
		out.NextCursor = contract.Cursor(fmt.Sprintf("%012d", page.Next.Unix()))
	}
	return apigw.WriteJSON(w, http.StatusOK, out)
}

// readInterval reads the interval of candles. The default is an hour.
func readInterval(r *http.Request) (market.Interval, error) {
	interval := market.Interval(r.URL.Query().Get("interval"))
	switch {
	case interval == "":
		return market.OneHour, nil
	case slices.Contains(market.Intervals(), interval):
		return interval, nil
	}
	return "", apperr.Validation([]apperr.Field{{Field: "interval", Code: apperr.CodeInvalidInterval, Message: "Must be 1m, 5m, 1h or 1d."}})
}
