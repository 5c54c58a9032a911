// Package dex serves the route that prepares a constant-product pool.
package dex

import (
	"context"
	"net/http"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/apigw/body"
	"tokenlaunch.example/service/pkg/api/apigw/contract"
	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/market/cpmm"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/auth"
	"tokenlaunch.example/service/pkg/platform/ratelimit"
)

// Pools prepares pools; see cpmm.Service.
type Pools interface {
	Create(ctx context.Context, caller, tokenMint solana.PublicKey, tokenAmount, lamports uint64) (cpmm.Created, error)
}

// Endpoint handles the route.
type Endpoint struct {
	Pools Pools
	// Limiter enforces market.PreparedPerAddress.
	Limiter ratelimit.Limiter
}

// Handlers returns the handler by operation.
func (e Endpoint) Handlers() map[string]apigw.HandlerFunc {
	return map[string]apigw.HandlerFunc{"createUnsignedPool": e.create}
}

type vaultsBody struct {
	Token string `json:"token"`
	SOL   string `json:"sol"`
}

// createdBody is a prepared pool and the transaction that creates the pool. Amounts of tokens are
// in base units, and solAmount is in lamports.
type createdBody struct {
	contract.UnsignedBody

	TokenMint           string     `json:"tokenMint"`
	PoolAddress         string     `json:"poolAddress"`
	LPMint              string     `json:"lpMint"`
	Vaults              vaultsBody `json:"vaults"`
	TokenAmount         string     `json:"tokenAmount"`
	TokenAmountAfterTax string     `json:"tokenAmountAfterTax"`
	SOLAmount           string     `json:"solAmount"`
	InitialPrice        string     `json:"initialPrice"`
}

func (e Endpoint) create(w http.ResponseWriter, r *http.Request) error {
	caller, err := apigw.CallerKey(r.Context())
	if err != nil {
		return err
	}
	fields, err := body.Read(r)
	if err != nil {
		return err
	}
	mint := readMint(fields)
	tokens, lamports := positive(fields, "tokenAmount"), positive(fields, "solAmount")
	if err := fields.Err(); err != nil {
		return err
	}
	created, err := market.Prepare(r.Context(), e.Limiter, apigw.SourceIP(r.Context()), func() (cpmm.Created, error) {
		return e.Pools.Create(r.Context(), caller, mint, tokens, lamports)
	})
	if err != nil {
		return err
	}
	p := created.Pool
	return apigw.WriteJSON(w, http.StatusOK, createdBody{
		UnsignedBody: contract.Unsigned(created.Unsigned),
		TokenMint:    p.Mint.String(), PoolAddress: p.Address.String(), LPMint: p.LPMint.String(),
		Vaults:      vaultsBody{Token: p.TokenVault.String(), SOL: p.SOLVault.String()},
		TokenAmount: contract.Amount(created.TokenAmount), TokenAmountAfterTax: contract.Amount(created.TokenAmountAfterTax),
		SOLAmount: contract.Amount(created.Lamports), InitialPrice: created.InitialPrice,
	})
}

// readMint reads the address of the token, and rejects an invalid address in f.
func readMint(f *body.Fields) solana.PublicKey {
	const name = "tokenMint"
	mint, ok := auth.ParseWallet(f.String(name))
	if !ok {
		f.Reject(name, apperr.CodeInvalidFormat, "Must be the address of a mint: 32 bytes in base58.")
	}
	return mint
}

// positive reads an amount of at least 1, and rejects other values in f.
func positive(f *body.Fields, name string) uint64 {
	amount := f.Amount(name)
	if amount == 0 {
		f.Reject(name, apperr.CodeOutOfRange, "Must be at least 1.")
	}
	return amount
}
