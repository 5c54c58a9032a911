package launchpad

import (
	"net/http"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/apigw/contract"
	"tokenlaunch.example/service/pkg/market/launchpad"
)

// feesBody has the fees that the position of a curve has earned.
type feesBody struct {
	ClaimableLamports string `json:"claimableLamports"`
	ClaimableTokens   string `json:"claimableTokens"`
	ClaimedLamports   string `json:"claimedLamports"`
	ClaimedTokens     string `json:"claimedTokens"`
}

type feeClaimBody struct {
	contract.UnsignedBody

	TokenMint       string `json:"tokenMint"`
	TokenAmount     string `json:"tokenAmount"`
	SOLAmount       string `json:"solAmount"`
	PositionNFTMint string `json:"positionNftMint"`
}

func newFeeClaimBody(c launchpad.FeeClaim) feeClaimBody {
	return feeClaimBody{
		UnsignedBody: contract.Unsigned(c.Unsigned), TokenMint: c.Mint.String(),
		TokenAmount: contract.Amount(c.Tokens), SOLAmount: contract.Amount(c.Lamports), PositionNFTMint: c.NFTMint.String(),
	}
}

func (e Endpoint) fees(w http.ResponseWriter, r *http.Request) error {
	mint, err := mintOf(r)
	if err != nil {
		return err
	}
	f, err := e.Curves.Fees(r.Context(), mint)
	if err != nil {
		return err
	}
	return apigw.WriteJSON(w, http.StatusOK, feesBody{
		ClaimableLamports: contract.Amount(f.ClaimableLamports), ClaimableTokens: contract.Amount(f.ClaimableTokens),
		ClaimedLamports: contract.Amount(f.ClaimedLamports), ClaimedTokens: contract.Amount(f.ClaimedTokens),
	})
}

func (e Endpoint) claimFees(w http.ResponseWriter, r *http.Request) error {
	caller, mint, err := readCaller(r)
	if err != nil {
		return err
	}
	c, err := e.Curves.ClaimFees(r.Context(), caller, mint)
	if err != nil {
		return err
	}
	return apigw.WriteJSON(w, http.StatusOK, newFeeClaimBody(c))
}
