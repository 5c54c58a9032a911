package tokens

import (
	"net/http"
	"time"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/apigw/contract"
	"tokenlaunch.example/service/pkg/distribution/figures"
)

// statsFor is the caching of the service's figures, which are updated every minute.
const statsFor = "public, max-age=60"

type statsBody struct {
	AsOf   string      `json:"asOf"`
	Tokens int64       `json:"tokens"`
	Runs   uint64      `json:"runs"`
	Assets []assetBody `json:"assets"`
}

// assetBody has the paid amounts of an asset.
type assetBody struct {
	contract.Paid

	Proofs []proofBody `json:"proofs"`
}

type proofBody struct {
	RunID       string               `json:"runId"`
	MintAddress string               `json:"mintAddress"`
	Paid        string               `json:"paid"`
	SettledAt   string               `json:"settledAt"`
	Proof       contract.Content     `json:"proof"`
	Anchor      *contract.AnchorFile `json:"anchor"`
}

func (e Endpoint) stats(w http.ResponseWriter, r *http.Request) error {
	stats, err := e.Figures.Stats(r.Context())
	if err != nil {
		return err
	}
	if stats.At.IsZero() {
		stats.At = e.Now()
	}
	out := statsBody{AsOf: apigw.Timestamp(stats.At), Tokens: stats.Tokens, Runs: stats.Runs, Assets: []assetBody{}}
	for _, total := range stats.Totals {
		out.Assets = append(out.Assets, e.newAsset(total, stats.At))
	}
	w.Header().Set("Cache-Control", statsFor)
	return apigw.WriteJSON(w, http.StatusOK, out)
}

func (e Endpoint) newAsset(t figures.Total, at time.Time) assetBody {
	out := assetBody{Paid: contract.NewPaid(t, at), Proofs: []proofBody{}}
	for _, p := range t.Proofs {
		out.Proofs = append(out.Proofs, proofBody{
			RunID: p.Run, MintAddress: p.Mint.String(), Paid: contract.Amount(p.Paid), SettledAt: apigw.Timestamp(p.At),
			Proof: contract.NewContent(e.Gateway, p.Manifest), Anchor: contract.NewAnchorFile(e.Gateway, p.Anchor),
		})
	}
	return out
}
