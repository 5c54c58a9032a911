package distribution

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/apigw/body"
	"tokenlaunch.example/service/pkg/api/apigw/contract"
	"tokenlaunch.example/service/pkg/distribution/holder"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/auth"
)

// Claims checks and orders payments to holders; see holder.Claims.
type Claims interface {
	Check(ctx context.Context, wallet solana.PublicKey, mints []solana.PublicKey) ([]holder.Claimed, error)
	Claim(ctx context.Context, wallet solana.PublicKey, mints []solana.PublicKey) ([]holder.Claimed, error)
}

// claimsBody is the result of claims, by token. FeeLamports is the part of a payment in SOL that
// pays for the transactions. A payment in a token loses a part of the same value.
type claimsBody struct {
	Claims      []claimBody `json:"claims"`
	FeeLamports string      `json:"feeLamports"`
}

type claimBody struct {
	Mint    string            `json:"mint"`
	Status  string            `json:"status"`
	Assets  []ledgerAssetBody `json:"assets"`
	Problem *claimProblem     `json:"problem"`
}

type claimProblem struct {
	Status int    `json:"status"`
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

// The states of a claim.
const (
	claimAccepted = "accepted"
	claimRefused  = "refused"
)

func (e Endpoint) claimRewards(w http.ResponseWriter, r *http.Request) error {
	caller, err := apigw.CallerKey(r.Context())
	if err != nil {
		return err
	}
	mints, err := readClaimed(r)
	if err != nil {
		return err
	}
	wallet, err := callersWallet(r, caller, "What a wallet is owed is claimed by that wallet alone.")
	if err != nil {
		return err
	}
	list, err := e.Claims.Claim(r.Context(), wallet, mints)
	if err != nil {
		return err
	}
	out := claimsBody{Claims: make([]claimBody, len(list)), FeeLamports: contract.Amount(e.ClaimFee)}
	for i, one := range list {
		out.Claims[i] = newClaim(one)
	}
	return apigw.WriteJSON(w, http.StatusAccepted, out)
}

// callersWallet returns the wallet in the path if the wallet is the caller's. Otherwise it returns
// not_your_wallet with the detail.
func callersWallet(r *http.Request, caller solana.PublicKey, detail string) (solana.PublicKey, error) {
	wallet, ok := auth.ParseWallet(r.PathValue("wallet"))
	if !ok {
		return solana.PublicKey{}, noWallet()
	}
	if wallet != caller {
		return solana.PublicKey{}, apperr.New(apperr.CodeNotYourWallet, detail)
	}
	return wallet, nil
}

// readClaimed returns the tokens to claim, each only once, or nil to claim from all tokens.
func readClaimed(r *http.Request) (mints []solana.PublicKey, err error) {
	if r.ContentLength == 0 {
		return nil, nil
	}
	fields, err := body.Read(r)
	if err != nil {
		return nil, err
	}
	names, ok := fields.OptionalStrings("mints", holder.MaxClaims)
	if ok && len(names) == 0 && fields.Has("mints") {
		fields.Reject("mints", apperr.CodeOutOfRange, fmt.Sprintf("Must be 1 to %d mint addresses; leave it out to claim all that is owed.", holder.MaxClaims))
	}
	for _, name := range names {
		mint, ok := auth.ParseWallet(name)
		if !ok {
			fields.Reject("mints", apperr.CodeInvalidWalletAddress, "Must be addresses of mints: base58 of 32 bytes.")
			break
		}
		if !slices.Contains(mints, mint) {
			mints = append(mints, mint)
		}
	}
	return mints, fields.Err()
}

func newClaim(c holder.Claimed) claimBody {
	out := claimBody{Mint: c.Mint.String(), Status: claimAccepted, Assets: make([]ledgerAssetBody, len(c.Rows))}
	for i, row := range c.Rows {
		out.Assets[i] = newLedgerAsset(row)
	}
	if p := c.Problem; p != nil {
		out.Status = claimRefused
		out.Problem = &claimProblem{Status: int(p.Kind()), Code: p.Code.String(), Detail: p.Detail}
	}
	return out
}
