package distribution

import (
	"context"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/apigw/contract"
	"tokenlaunch.example/service/pkg/distribution/holder"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/auth"
	"tokenlaunch.example/service/pkg/proof/allocation"
)

// Ledger reads the amounts that wallets have received and are owed; see holder.Ledger.
type Ledger interface {
	Page(ctx context.Context, ask holder.Ask) (holder.Page, error)
}

// ledgerBody is one page of a wallet's ledger. Complete is false if tokens that the caller did not
// name may be missing.
type ledgerBody struct {
	Wallet     string           `json:"wallet"`
	Tokens     []ledgerLineBody `json:"tokens"`
	Complete   bool             `json:"complete"`
	NextCursor *string          `json:"nextCursor"`
}

// ledgerLineBody is one token of a wallet's ledger. Asset is the asset of the last run, or of the
// first run if no run has ended. Arrears are other assets, in which earlier runs paid.
type ledgerLineBody struct {
	Mint     string `json:"mint"`
	Name     string `json:"name"`
	Symbol   string `json:"symbol"`
	Decimals int    `json:"decimals"`

	ledgerAssetBody

	LastRun    *holderRunBody    `json:"lastRun"`
	Arrears    []ledgerAssetBody `json:"arrears"`
	MoreAssets bool              `json:"moreAssets"`
}

// ledgerAssetBody has the amounts of one asset that a wallet has received and is owed, in base
// units.
type ledgerAssetBody struct {
	Asset    string      `json:"asset"`
	Received string      `json:"received"`
	Owed     string      `json:"owed"`
	Reserved string      `json:"reserved"`
	Reason   *reasonBody `json:"reason"`
}

// maxLedgerAge is the maximum age of a ledger in seconds, in this cache and in the caller's cache.
const maxLedgerAge = 15

// mintForm is the position at the end of a page of a ledger: a mint's bytes.
var mintForm = regexp.MustCompile(`^[0-9a-f]{64}$`)

func (e Endpoint) getHolderLedger(w http.ResponseWriter, r *http.Request) error {
	ask, err := readAsk(r)
	if err != nil {
		return err
	}
	body, err := e.Pages.get(fmt.Sprint(ask), e.Now(), func() (ledgerBody, error) { return e.ledger(r.Context(), ask) })
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", fmt.Sprintf("public, max-age=%d", maxLedgerAge))
	return apigw.WriteJSON(w, http.StatusOK, body)
}

// readAsk reads the wallet, the position in the ledger and the named tokens.
func readAsk(r *http.Request) (ask holder.Ask, err error) {
	query := r.URL.Query()
	limit, after, badPage := contract.ReadPage(query, mintForm)
	mints, badMints := readMints(query)
	if err := apperr.Together(badPage, badMints); err != nil {
		return ask, err
	}
	ask.Named = mints
	var ok bool
	if ask.Wallet, ok = auth.ParseWallet(r.PathValue("wallet")); !ok {
		return ask, noWallet()
	}
	if ask.Limit = limit; query.Get("limit") == "" {
		ask.Limit = holder.MaxPage
	}
	if after != "" {
		if _, err := hex.Decode(ask.After[:], []byte(after)); err != nil {
			return ask, fmt.Errorf("read a cursor: %w", err)
		}
	}
	return ask, nil
}

func noWallet() error {
	return apperr.New(apperr.CodeNotFound, "No wallet has this address: an address is 32 bytes in base58.")
}

// readMints reads the named tokens: "a,b", or a repeated parameter.
func readMints(query url.Values) (mints []solana.PublicKey, err error) {
	text := strings.Join(query["mints"], ",")
	if text == "" {
		return nil, nil
	}
	// Names above the limit are not parsed.
	names := strings.SplitN(text, ",", holder.MaxPage+2)
	if len(names) > holder.MaxPage {
		return nil, refuseMints(apperr.CodeOutOfRange, fmt.Sprintf("Must be %d mint addresses at most.", holder.MaxPage))
	}
	for _, name := range names {
		mint, ok := auth.ParseWallet(name)
		if !ok {
			return nil, refuseMints(apperr.CodeInvalidWalletAddress, fmt.Sprintf("Must be mint addresses with commas between them; %.44q is not one.", name))
		}
		if !slices.Contains(mints, mint) {
			mints = append(mints, mint)
		}
	}
	return mints, nil
}

func refuseMints(code apperr.Code, message string) error {
	return apperr.Validation([]apperr.Field{{Field: "mints", Code: code, Message: message}})
}

func (e Endpoint) ledger(ctx context.Context, ask holder.Ask) (ledgerBody, error) {
	page, err := e.Ledger.Page(ctx, ask)
	if err != nil {
		return ledgerBody{}, err
	}
	body := ledgerBody{Wallet: ask.Wallet.String(), Tokens: make([]ledgerLineBody, len(page.Lines)), Complete: page.Complete}
	for i, line := range page.Lines {
		body.Tokens[i] = e.newLedgerLine(line)
	}
	if !page.Next.IsZero() {
		body.NextCursor = contract.Cursor(hex.EncodeToString(page.Next[:]))
	}
	return body, nil
}

func (e Endpoint) newLedgerLine(l holder.Line) ledgerLineBody {
	out := ledgerLineBody{
		Mint: l.Token.Mint.String(), Name: l.Token.Name, Symbol: l.Token.Symbol, Decimals: l.Token.Decimals,
		ledgerAssetBody: newLedgerAsset(l.Reward), Arrears: make([]ledgerAssetBody, len(l.Arrears)), MoreAssets: l.MoreAssets,
	}
	out.Reason = newReason(l.Why)
	if l.Last != nil {
		out.LastRun = e.newLastRun(*l.Last)
	}
	for i, row := range l.Arrears {
		out.Arrears[i] = newLedgerAsset(row)
	}
	return out
}

func newLedgerAsset(r allocation.Row) ledgerAssetBody {
	out := ledgerAssetBody{
		Asset: r.Asset.String(), Received: contract.Amount(r.Total), Owed: contract.Amount(r.Carried), Reserved: contract.Amount(r.Reserved),
	}
	if r.Reason != "" {
		out.Reason = &reasonBody{string(r.Reason), r.Reason.Sentence()}
	}
	return out
}
