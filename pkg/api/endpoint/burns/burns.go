// Package burns serves the burns of a token.
package burns

import (
	"context"
	"fmt"
	"net/http"
	"regexp"

	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/apigw/contract"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/token"
)

// History reads the burns of runs; see ledgertable.Burns.
type History interface {
	// Page returns up to limit burns, newest first, after a position from an earlier page, or from
	// the newest burn; the sum of all burns; and the position of the next page, empty after the
	// last page.
	Page(ctx context.Context, mint solana.PublicKey, after string, limit int) (page []run.Burn, total uint64, next string, err error)
}

// Endpoint handles the route. Every field is required.
type Endpoint struct {
	Tokens  token.Finder
	History History
	Chain   onchain.Reader
}

// Handlers returns the handlers by operation.
func (e Endpoint) Handlers() map[string]apigw.HandlerFunc {
	return map[string]apigw.HandlerFunc{"getBurns": e.get}
}

type historyBody struct {
	MintAddress   string     `json:"mintAddress"`
	TotalBurned   string     `json:"totalBurned"`
	Burns         []burnBody `json:"burns"`
	NextCursor    *string    `json:"nextCursor"`
	CurrentSupply string     `json:"currentSupply"`
}

type burnBody struct {
	ID        string `json:"id"`
	RunID     string `json:"runId"`
	Amount    string `json:"amount"`
	Signature string `json:"signature"`
	ChainSlot uint64 `json:"chainSlot"`
	Timestamp string `json:"timestamp"`
}

// burns is the namespace of the IDs of burns, a random UUID of this project. The ID of a burn is a
// version 5 UUID (RFC 9562) of the transaction, and therefore never changes.
var burns = uuid.MustParse("c1b0a7f2-53a8-4d0e-9d4b-1f6f4d6b0e2a")

// place is the position at the end of a page: a slot and a run.
var place = regexp.MustCompile(`^[0-9]{12}#[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

func (e Endpoint) get(w http.ResponseWriter, r *http.Request) error {
	ctx := r.Context()
	limit, after, err := contract.ReadPage(r.URL.Query(), place)
	if err != nil {
		return err
	}
	record, err := token.FindMint(ctx, e.Tokens, r.PathValue("mintAddress"))
	if err != nil {
		return err
	}
	page, total, next, err := e.History.Page(ctx, record.Mint, after, limit)
	if err != nil {
		return err
	}
	supply, err := e.supply(ctx, record.Mint)
	if err != nil {
		return err
	}
	body := historyBody{
		MintAddress: record.Mint.String(), TotalBurned: contract.Amount(total),
		Burns: make([]burnBody, len(page)), NextCursor: contract.Cursor(next), CurrentSupply: contract.Amount(supply),
	}
	for i, b := range page {
		body.Burns[i] = burnBody{
			ID: uuid.NewSHA1(burns, b.Signature[:]).String(), RunID: b.Run, Amount: contract.Amount(b.Amount), Signature: b.Signature.String(),
			ChainSlot: b.ChainSlot, Timestamp: apigw.Timestamp(b.At),
		}
	}
	return apigw.WriteJSON(w, http.StatusOK, body)
}

// supply returns the current supply of the token on the chain; zero if the launch has not landed.
func (e Endpoint) supply(ctx context.Context, mint solana.PublicKey) (uint64, error) {
	stored, found, err := e.Chain.Account(ctx, mint)
	if err != nil || !found {
		return 0, err
	}
	decoded, err := token2022.DecodeMint(stored.Owner, stored.Data)
	if err != nil {
		return 0, fmt.Errorf("read the supply of %s: %w", mint, err)
	}
	return decoded.Supply, nil
}
