package distribution

import (
	"context"
	"encoding/csv"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/apigw/contract"
	"tokenlaunch.example/service/pkg/distribution/holder"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/auth"
	"tokenlaunch.example/service/pkg/platform/decimal"
	"tokenlaunch.example/service/pkg/proof/format"
)

// Payments lists the payments to wallets; see holder.Payments.
type Payments interface {
	Page(ctx context.Context, ask holder.PaymentsAsk) (holder.PaidPage, error)
}

// paymentsBody is one page of the payments to a wallet.
type paymentsBody struct {
	Wallet     string        `json:"wallet"`
	Payments   []paymentBody `json:"payments"`
	Complete   bool          `json:"complete"`
	NextCursor *string       `json:"nextCursor"`
}

// paymentBody is one payment. Amount is the arrived amount, in base units of the asset.
type paymentBody struct {
	MintAddress string           `json:"mintAddress"`
	Name        string           `json:"name"`
	Symbol      string           `json:"symbol"`
	RunID       string           `json:"runId"`
	ScheduledAt string           `json:"scheduledAt"`
	SettledAt   string           `json:"settledAt"`
	Kind        format.Kind      `json:"kind"`
	Asset       string           `json:"asset"`
	Decimals    int              `json:"decimals"`
	Amount      string           `json:"amount"`
	Signature   string           `json:"signature"`
	Proof       contract.Content `json:"proof"`
}

// completeHeader reports, for a CSV file, whether the list of tokens is complete.
const completeHeader = "X-Complete"

// placeForm is the position at the end of a page of payments: Unix seconds, the mint's bytes, and the
// number of payments of that run before the position.
var placeForm = regexp.MustCompile(`^[1-9][0-9]{0,11}-[0-9a-f]{64}-[0-9]{1,3}$`)

func (e Endpoint) listHolderPayments(w http.ResponseWriter, r *http.Request) error {
	ask, err := readPaymentsAsk(r)
	if err != nil {
		return err
	}
	page, err := e.Payments.Page(r.Context(), ask)
	if err != nil {
		return err
	}
	body := paymentsBody{Wallet: ask.Wallet.String(), Payments: make([]paymentBody, len(page.Payments)), Complete: page.Complete}
	for i, paid := range page.Payments {
		body.Payments[i] = e.newPayment(paid)
	}
	if next := page.Next; !next.Slot.IsZero() {
		body.NextCursor = contract.Cursor(fmt.Sprintf("%d-%x-%d", next.Slot.Unix(), next.Mint[:], next.Given))
	}
	w.Header().Set("Cache-Control", fmt.Sprintf("public, max-age=%d", maxLedgerAge))
	if strings.Contains(r.Header.Get("Accept"), "text/csv") {
		return writePayments(w, r.URL, body, page.Payments)
	}
	return apigw.WriteJSON(w, http.StatusOK, body)
}

// readPaymentsAsk reads the wallet, the token and the position in the list.
func readPaymentsAsk(r *http.Request) (ask holder.PaymentsAsk, err error) {
	query := r.URL.Query()
	limit, after, badPage := contract.ReadPage(query, placeForm)
	var badMint error
	if text := query.Get("mint"); text != "" {
		var ok bool
		if ask.Mint, ok = auth.ParseWallet(text); !ok {
			badMint = apperr.Validation([]apperr.Field{{
				Field: "mint", Code: apperr.CodeInvalidWalletAddress, Message: "Must be the address of a token's mint: 32 bytes in base58.",
			}})
		}
	}
	if err := apperr.Together(badPage, badMint); err != nil {
		return ask, err
	}
	var ok bool
	if ask.Wallet, ok = auth.ParseWallet(r.PathValue("wallet")); !ok {
		return ask, noWallet()
	}
	if ask.Limit = limit; query.Get("limit") == "" {
		ask.Limit = contract.MaxLimit
	}
	if after == "" {
		return ask, nil
	}
	parts := strings.Split(after, "-") // three, by placeForm
	seconds, err := strconv.ParseInt(parts[0], 10, 64)
	if err != nil {
		return ask, fmt.Errorf("read a cursor: %w", err)
	}
	ask.After.Slot = time.Unix(seconds, 0)
	if _, err := hex.Decode(ask.After.Mint[:], []byte(parts[1])); err != nil {
		return ask, fmt.Errorf("read a cursor: %w", err)
	}
	if ask.After.Given, err = strconv.Atoi(parts[2]); err != nil {
		return ask, fmt.Errorf("read a cursor: %w", err)
	}
	return ask, nil
}

func (e Endpoint) newPayment(p holder.Paid) paymentBody {
	row := p.Row.Row
	return paymentBody{
		MintAddress: p.Token.Mint.String(), Name: p.Token.Name, Symbol: p.Token.Symbol,
		RunID: p.Run.ID, ScheduledAt: apigw.Timestamp(p.Run.Slot), SettledAt: apigw.Timestamp(p.Run.End.At), Kind: p.Run.ProofKind(),
		Asset: row.Asset.String(), Decimals: int(p.Decimals), Amount: contract.Amount(row.Received), Signature: row.Signature.String(),
		Proof: contract.NewContent(e.Gateway, p.Run.Closing.Manifest),
	}
}

// writePayments writes a page as a CSV file, with the address of the next page in a header.
func writePayments(w http.ResponseWriter, at *url.URL, body paymentsBody, rows []holder.Paid) error {
	h := w.Header()
	h.Set("Content-Type", "text/csv; charset=utf-8; header=present")
	h.Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", "payments-"+body.Wallet+".csv"))
	h.Set(completeHeader, strconv.FormatBool(body.Complete))
	if body.NextCursor != nil {
		query := at.Query()
		query.Set("cursor", *body.NextCursor)
		h.Set("Link", fmt.Sprintf("<%s?%s>; rel=%q", at.Path, query.Encode(), "next"))
	}
	w.WriteHeader(http.StatusOK)
	return encodePayments(w, body.Payments, rows)
}

// encodePayments writes payments and their rows as CSV, with a header line.
func encodePayments(to io.Writer, payments []paymentBody, rows []holder.Paid) error {
	out := csv.NewWriter(to)
	lines := [][]string{{"scheduled_at", "settled_at", "token", "mint", "kind", "amount", "asset", "transaction", "run", "proof"}}
	for i, p := range payments {
		lines = append(lines, []string{
			p.ScheduledAt, p.SettledAt, plainCell(p.Symbol), p.MintAddress, string(p.Kind),
			decimal.Text(rows[i].Row.Row.Received, p.Decimals), p.Asset, p.Signature, p.RunID, p.Proof.URL,
		})
	}
	if err := out.WriteAll(lines); err != nil {
		return fmt.Errorf("write a file of payments: %w", err)
	}
	return nil
}

// plainCell returns a text that a spreadsheet does not run as a formula. A third party chooses the
// names of tokens. The rule is OWASP's (CSV Injection): an apostrophe before =, +, -, @, tab and
// carriage return.
func plainCell(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}
