package tokens

import (
	"encoding/base64"
	"net/http"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/launch"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

// freshBody is a transaction to sign for an order that has not expired.
type freshBody struct {
	Transaction string `json:"transaction"`
	ExpiresAt   string `json:"expiresAt"`
	LastValid   uint64 `json:"lastValidBlockHeight,omitempty"`
}

func newFresh(f launch.Fresh) freshBody {
	return freshBody{base64.StdEncoding.EncodeToString(f.Transaction), apigw.Timestamp(f.ExpiresAt), f.LastValid}
}

func (e Endpoint) refresh(w http.ResponseWriter, r *http.Request) error {
	caller, err := apigw.CallerKey(r.Context())
	if err != nil {
		return err
	}
	fresh, err := e.Launches.Refresh(r.Context(), caller, r.PathValue("transactionId"))
	if err != nil {
		return err
	}
	return apigw.WriteJSON(w, http.StatusOK, newFresh(fresh))
}

type statusBody struct {
	TransactionID string  `json:"transactionId"`
	Status        string  `json:"status"`
	ExpiresAt     string  `json:"expiresAt"`
	MintAddress   string  `json:"mintAddress"`
	Signature     *string `json:"signature"`
	Reason        *string `json:"reason"`
}

// statusExpired is the status of an order that was not submitted in time.
const statusExpired = "expired"

func (e Endpoint) status(w http.ResponseWriter, r *http.Request) error {
	caller, err := apigw.CallerKey(r.Context())
	if err != nil {
		return err
	}
	l, err := e.Launches.Status(r.Context(), caller, r.PathValue("transactionId"))
	if err != nil {
		return err
	}
	body := statusBody{
		TransactionID: l.ID, Status: string(l.Status), ExpiresAt: apigw.Timestamp(l.ExpiresAt), MintAddress: l.Mint.String(),
	}
	if l.Status == transaction.Pending && l.Expired(e.Now()) {
		body.Status = statusExpired
	}
	if !l.Signature.IsZero() {
		body.Signature = new(l.Signature.String())
	}
	if l.Reason != "" {
		body.Reason = new(l.Reason)
	}
	return apigw.WriteJSON(w, http.StatusOK, body)
}
