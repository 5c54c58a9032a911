package launchpad

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/apigw/action"
	"tokenlaunch.example/service/pkg/market/launchpad"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/auth"
	"tokenlaunch.example/service/pkg/platform/decimal"
	"tokenlaunch.example/service/pkg/token"
)

// offered are the amounts of the buttons that buy, in SOL.
var offered = []string{"0.1", "0.5", "1"}

// solPlaces is the number of decimals of an amount in SOL.
const solPlaces = 9

// solForm is an amount in SOL.
var solForm = regexp.MustCompile(`^[0-9]{1,11}(\.[0-9]{1,9})?$`)

// getAction describes the buttons of a token: purchases on the creator's curve, and the claim of a
// holder.
func (e Endpoint) getAction(w http.ResponseWriter, r *http.Request) error {
	record, err := e.shown(r.Context(), r.PathValue("mintAddress"))
	if err != nil {
		return err
	}
	path := action.Path(record.Mint)
	answer := e.Site.Of(record, action.Open)
	answer.Description = "Every transfer of " + record.Symbol + " is taxed " + decimal.Percent(record.TransferFeeBps) + " %. The tax is shared out to the holders."
	answer.Links = &action.Links{}
	if curve := record.Launchpad; curve != nil && (curve.State == token.CurveActive || curve.State == token.CurveCompleted) {
		buy := path + "/buy/"
		for _, sol := range offered {
			answer.Links.Actions = append(answer.Links.Actions, action.Link{Type: action.Sends, Href: buy + sol, Label: "Buy for " + sol + " SOL"})
		}
		answer.Links.Actions = append(answer.Links.Actions, action.Link{
			Type: action.Sends, Href: buy + "{sol}", Label: "Buy",
			Parameters: []action.Parameter{{Type: "number", Name: "sol", Label: "Amount in SOL", Required: true}},
		})
	}
	answer.Links.Actions = append(answer.Links.Actions, action.Link{Type: action.Signs, Href: path + "/claim", Label: "Claim rewards"})
	e.Site.SetHeaders(w)
	return apigw.WriteJSON(w, http.StatusOK, answer)
}

// buyByAction prepares a purchase for the wallet in the body. The transaction needs no other
// signature, and the wallet sends the transaction.
func (e Endpoint) buyByAction(w http.ResponseWriter, r *http.Request) error {
	_, account, err := action.Read(r)
	if err != nil {
		return err
	}
	lamports, err := readSOL(r.PathValue("sol"))
	if err != nil {
		return err
	}
	record, err := e.shown(r.Context(), r.PathValue("mintAddress"))
	if err != nil {
		return err
	}
	t, err := e.Curves.Buy(r.Context(), account, record.Mint, launchpad.Amount{Lamports: lamports}, launchpad.DefaultSlippageBps)
	if err != nil {
		return err
	}
	message := fmt.Sprintf("Pays %s SOL for %s %s at the price now, and for at least %s.", decimal.SOL(t.Lamports),
		decimal.Grouped(t.Tokens, record.Decimals), record.Symbol, decimal.Grouped(t.MinTokens, record.Decimals))
	if detail := t.Simulation.Detail; !t.Simulation.OK && detail != "" {
		message += " " + detail
	}
	e.Site.SetHeaders(w)
	return apigw.WriteJSON(w, http.StatusOK, action.Transaction{
		Type: action.Sends, Transaction: base64.StdEncoding.EncodeToString(t.Transaction), Message: message,
	})
}

// readSOL reads the amount of a purchase, in SOL.
func readSOL(text string) (lamports uint64, err error) {
	if solForm.MatchString(text) {
		whole, fraction, _ := strings.Cut(text, ".")
		lamports, err = strconv.ParseUint(whole+(fraction + strings.Repeat("0", solPlaces))[:solPlaces], 10, 64)
		if err == nil && lamports > 0 {
			return lamports, nil
		}
	}
	return 0, apperr.Validation([]apperr.Field{{
		Field: "sol", Code: apperr.CodeInvalidFormat, Message: "Must be an amount in SOL above 0, with at most 9 decimals.",
	}})
}

// shown returns the record of a token. A token that is hidden or whose launch failed counts as
// missing.
func (e Endpoint) shown(ctx context.Context, address string) (token.Record, error) {
	mint, ok := auth.ParseWallet(address)
	if !ok {
		return token.Record{}, token.NotFound()
	}
	found, err := e.Tokens.TokensOf(ctx, []solana.PublicKey{mint})
	if err != nil {
		return token.Record{}, err
	}
	if len(found) == 0 || !found[0].Visible || found[0].Status == token.Failed {
		return token.Record{}, token.NotFound()
	}
	return found[0], nil
}
