package tokens

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/apigw/contract"
	"tokenlaunch.example/service/pkg/distribution/figures"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/auth"
	"tokenlaunch.example/service/pkg/token"
)

type listBody struct {
	Tokens     []contract.Token `json:"tokens"`
	Pagination paginationBody   `json:"pagination"`
}

type paginationBody struct {
	Page       int64 `json:"page"`
	Limit      int64 `json:"limit"`
	Total      int64 `json:"total"`
	TotalPages int64 `json:"totalPages"`
	HasNext    bool  `json:"hasNext"`
}

func (e Endpoint) list(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	page, limit, bad := readPage(query)
	address := query.Get("creator")
	var creator solana.PublicKey
	if address != "" {
		var ok bool
		if creator, ok = auth.ParseWallet(address); !ok {
			bad = append(bad, apperr.Field{
				Field: "creator", Code: apperr.CodeInvalidWalletAddress, Message: "Must be a Solana address: 32 bytes in base58.",
			})
		}
	}
	beginning, by, bad := readChoice(query, bad)
	if err := apperr.Validation(bad); err != nil {
		return err
	}
	if beginning != "" {
		records, total, err := e.Records.Search(r.Context(), beginning, page, limit)
		return e.writeList(w, r, records, page, limit, total, err)
	}
	if by != "" {
		records, total, err := e.Figures.Ranked(r.Context(), by, page, limit)
		return e.writeList(w, r, records, page, limit, total, err)
	}
	if address != "" { // the zero key is an address, too
		records, total, err := e.Records.ListVisibleOf(r.Context(), creator, page, limit)
		return e.writeList(w, r, records, page, limit, total, err)
	}
	records, total, err := e.Records.List(r.Context(), page, limit)
	return e.writeList(w, r, records, page, limit, total, err)
}

func (e Endpoint) listMine(w http.ResponseWriter, r *http.Request) error {
	caller, err := apigw.CallerKey(r.Context())
	if err != nil {
		return err
	}
	query := r.URL.Query()
	page, limit, bad := readPage(query)
	list := e.Records.ListOf
	switch query.Get("status") {
	case "":
	case "all":
		list = e.Records.ListAllOf
	default:
		bad = append(bad, apperr.Field{Field: "status", Code: apperr.CodeInvalidFormat, Message: "Must be all, or absent."})
	}
	if err := apperr.Validation(bad); err != nil {
		return err
	}
	records, total, err := list(r.Context(), caller, page, limit)
	return e.writeList(w, r, records, page, limit, total, err, withLaunch)
}

// withLaunch adds the data of an unconfirmed launch that only the creator receives.
func withLaunch(out *contract.Token, r token.Record) {
	if r.Status != token.Confirmed {
		out.TransactionID, out.Reason = r.TransactionID, r.Reason
	}
}

func (e Endpoint) writeList(
	w http.ResponseWriter, r *http.Request, records []token.Record, page, limit, total int64, err error, more ...func(*contract.Token, token.Record),
) error {
	if err != nil {
		return err
	}
	of, err := e.figures(r, records...)
	if err != nil {
		return err
	}
	pages := (total + limit - 1) / limit
	out := listBody{
		Tokens:     make([]contract.Token, len(records)),
		Pagination: paginationBody{Page: page, Limit: limit, Total: total, TotalPages: pages, HasNext: page < pages},
	}
	for i, record := range records {
		out.Tokens[i] = contract.NewToken(record.InForce(e.Now()), e.Gateway)
		out.Tokens[i].WithFigures(record.Mint, of, e.Now())
		for _, add := range more {
			add(&out.Tokens[i], record)
		}
	}
	return apigw.WriteJSON(w, http.StatusOK, out)
}

// figures returns the figures of tokens by mint.
func (e Endpoint) figures(r *http.Request, records ...token.Record) (map[solana.PublicKey]figures.Public, error) {
	mints := make([]solana.PublicKey, len(records))
	for i, record := range records {
		mints[i] = record.Mint
	}
	return e.Figures.OfTokens(r.Context(), mints...)
}

func readPage(query url.Values) (page, limit int64, bad []apperr.Field) {
	// 2^53 − 1 is the largest integer that every JSON parser reads exactly.
	page, bad = readNumber(query, "page", 1, 1, 1<<53-1, bad)
	limit, bad = readNumber(query, "limit", contract.DefaultLimit, 1, contract.MaxLimit, bad)
	return page, limit, bad
}

func readNumber(query url.Values, name string, value, lowest, highest int64, bad []apperr.Field) (int64, []apperr.Field) {
	text := query.Get(name)
	if text == "" {
		return value, bad
	}
	n, err := strconv.ParseInt(text, 10, 64)
	switch {
	case err != nil && n == 0:
		bad = append(bad, apperr.Field{Field: name, Code: apperr.CodeInvalidFormat, Message: "Must be a whole number."})
	case n < lowest || n > highest:
		bad = append(bad, apperr.Field{
			Field: name, Code: apperr.CodeOutOfRange, Message: fmt.Sprintf("Must be from %d to %d.", lowest, highest),
		})
	}
	return n, bad
}
