package launchpad

import (
	"net/http"
	"net/url"
	"regexp"
	"strconv"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/apigw/body"
	"tokenlaunch.example/service/pkg/market/launchpad"
	"tokenlaunch.example/service/pkg/platform/apperr"
)

// amountForm is an amount of at least 1 in decimal digits; 2^64 has twenty digits.
var amountForm = regexp.MustCompile(`^[1-9][0-9]{0,19}$`)

// onlyOne returns the errors for a request with both fields of an amount.
func onlyOne(tokens string) []apperr.Field {
	message := "Give " + tokens + " or lamports, not both."
	return []apperr.Field{
		{Field: tokens, Code: apperr.CodeOutOfRange, Message: message}, {Field: "lamports", Code: apperr.CodeOutOfRange, Message: message},
	}
}

// readAmount reads the amount of a purchase: base units, or lamports to spend.
func readAmount(q url.Values) (a launchpad.Amount, err error) {
	switch lamports := q.Has("lamports"); {
	case lamports && q.Has("amount"):
		return a, apperr.Validation(onlyOne("amount"))
	case lamports:
		a.Lamports, err = readNumber(q, "lamports", "how many lamports the buyer is to pay")
	default:
		a.Tokens, err = readNumber(q, "amount", "how many base units of the token the buyer is to receive, or give lamports")
	}
	return a, err
}

func readNumber(q url.Values, field, what string) (uint64, error) {
	text, code := q.Get(field), apperr.CodeInvalidFormat
	if amountForm.MatchString(text) {
		n, err := strconv.ParseUint(text, 10, 64)
		if err == nil {
			return n, nil
		}
		code = apperr.CodeOutOfRange
	}
	switch text {
	case "":
		code = apperr.CodeRequired
	case "0":
		code = apperr.CodeOutOfRange
	}
	return 0, apperr.Validation([]apperr.Field{{
		Field: field, Code: code, Message: "Must be " + what + ": decimal digits, from 1 to 18446744073709551615.",
	}})
}

// order is the request of a trade.
type order struct {
	caller, mint solana.PublicKey
	amount       launchpad.Amount
	slippageBps  int
}

// readOrder reads an order. A purchase may have lamports in place of tokens.
func readOrder(r *http.Request, buys bool) (o order, err error) {
	if o.caller, err = apigw.CallerKey(r.Context()); err != nil {
		return o, err
	}
	fields, err := body.Read(r)
	if err != nil {
		return o, err
	}
	tokens, hasTokens := fields.OptionalAmount("tokenAmount")
	lamports, hasLamports := uint64(0), false
	if buys {
		lamports, hasLamports = fields.OptionalAmount("lamports")
	}
	o.amount = launchpad.Amount{Tokens: tokens, Lamports: lamports}
	switch {
	case hasTokens && hasLamports:
		fields.RejectAll(onlyOne("tokenAmount")...)
	case hasLamports && lamports == 0:
		fields.Reject("lamports", apperr.CodeOutOfRange, "Must be at least 1.")
	case hasTokens && tokens == 0:
		fields.Reject("tokenAmount", apperr.CodeOutOfRange, "Must be at least 1.")
	case !hasTokens && !hasLamports && buys && !fields.IsBad("lamports"):
		fields.Reject("tokenAmount", apperr.CodeRequired, "This field or lamports is required.")
	case !hasTokens && !buys:
		fields.Reject("tokenAmount", apperr.CodeRequired, "This field is required.")
	}
	o.slippageBps = launchpad.DefaultSlippageBps
	if bps, ok := fields.OptionalPercent("slippagePercent", 0, launchpad.HighestSlippageBps); ok {
		o.slippageBps = bps
	}
	if err := fields.Err(); err != nil {
		return o, err
	}
	o.mint, err = mintOf(r)
	return o, err
}

func (e Endpoint) buy(w http.ResponseWriter, r *http.Request) error {
	o, err := readOrder(r, true)
	if err != nil {
		return err
	}
	t, err := e.Curves.Buy(r.Context(), o.caller, o.mint, o.amount, o.slippageBps)
	if err != nil {
		return err
	}
	return apigw.WriteJSON(w, http.StatusOK, newPurchaseBody(t))
}
