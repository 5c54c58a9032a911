package distribution

import (
	"net/http"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/apigw/action"
	"tokenlaunch.example/service/pkg/api/limits"
	"tokenlaunch.example/service/pkg/distribution/holder"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/ratelimit"
	"tokenlaunch.example/service/pkg/token"
)

// claimStatement is the sentence that a holder signs. A second claim of what is paid finds no debt,
// so the message may be used more than once.
func claimStatement(mint solana.PublicKey) string {
	return "Pay me what I am owed of the token " + mint.String() + ", less the cost of sending it. This sends no transaction."
}

// claimByAction returns the message with which a holder claims, or the reason why there is nothing
// to claim.
func (e Endpoint) claimByAction(w http.ResponseWriter, r *http.Request) error {
	_, wallet, err := action.Read(r)
	if err != nil {
		return err
	}
	record, err := token.FindMint(r.Context(), e.Tokens, r.PathValue("mintAddress"))
	if err != nil {
		return err
	}
	if err := refusal(e.Claims.Check(r.Context(), wallet, []solana.PublicKey{record.Mint})); err != nil {
		return err
	}
	request, err := e.Site.Ask(wallet, claimStatement(record.Mint), action.Path(record.Mint)+"/claim/confirm", e.Now(), e.Random)
	if err != nil {
		return err
	}
	e.Site.SetHeaders(w)
	return apigw.WriteJSON(w, http.StatusOK, request)
}

// confirmClaimByAction orders the payment that claimRewards orders, for a wallet that has signed the
// message of claimByAction. Both operations count in the wallet's limit of claims.
func (e Endpoint) confirmClaimByAction(w http.ResponseWriter, r *http.Request) error {
	fields, wallet, err := action.Read(r)
	if err != nil {
		return err
	}
	record, err := token.FindMint(r.Context(), e.Tokens, r.PathValue("mintAddress"))
	if err != nil {
		return err
	}
	if err := e.Site.Agreed(fields, wallet, claimStatement(record.Mint), e.Now()); err != nil {
		return err
	}
	_, err = ratelimit.Within(r.Context(), e.Limiter, limits.Claims, wallet.String(), apperr.Error{
		Code: apperr.CodeRateLimitExceeded, Detail: "Too many claims of this wallet.",
	}, func() (struct{}, error) {
		return struct{}{}, refusal(e.Claims.Claim(r.Context(), wallet, []solana.PublicKey{record.Mint}))
	})
	if err != nil {
		return err
	}
	done := e.Site.Of(record, action.Completed)
	done.Label, done.Description = "Claimed", "What you are owed is paid within minutes, less the cost of sending it."
	e.Site.SetHeaders(w)
	return apigw.WriteJSON(w, http.StatusOK, done)
}

// refusal returns the problem of a claim of one token, or nil.
func refusal(list []holder.Claimed, err error) error {
	if err != nil {
		return err
	}
	for _, one := range list {
		if p := one.Problem; p != nil {
			if p.Code == apperr.CodeBelowCost { // a code of rows only
				return apperr.New(apperr.CodeNothingToClaim, p.Detail)
			}
			return p
		}
	}
	return nil
}
