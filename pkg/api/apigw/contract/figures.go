package contract

import (
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/distribution/figures"
	"tokenlaunch.example/service/pkg/distribution/run"
)

// Figures are the figures of a token.
type Figures struct {
	Payouts      uint64   `json:"payouts"`
	LastPayoutAt *string  `json:"lastPayoutAt"`
	Paid         []Paid   `json:"paid"`
	Holders      *Holders `json:"holders"`
	Traded       string   `json:"tradedLamports"`
}

// Paid are the payments of an asset to holders. A sum may exceed 64 bits after years.
type Paid struct {
	Asset    string `json:"asset"`
	Decimals uint8  `json:"decimals"`
	Paid     string `json:"paid"`
	Runs     uint64 `json:"runs"`
	LastDay  Day    `json:"lastDay"`
}

// Day are the payments of an asset since a time.
type Day struct {
	Since string `json:"since"`
	Paid  string `json:"paid"`
	Runs  uint64 `json:"runs"`
}

// Holders are figures of a token's newest snapshot, in base units.
type Holders struct {
	AsOf      string  `json:"asOf"`
	ChainSlot uint64  `json:"chainSlot"`
	Owners    uint32  `json:"owners"`
	Supply    string  `json:"supply"`
	TopTen    string  `json:"topTen"`
	Creator   string  `json:"creator"`
	Locked    *string `json:"locked"`
}

// NewPaid converts the payments of an asset.
func NewPaid(t figures.Total, now time.Time) Paid {
	since, paid, runs := t.Day(now)
	return Paid{
		Asset: t.Asset.String(), Decimals: t.Decimals, Paid: t.Paid.String(), Runs: t.Runs,
		LastDay: Day{Since: apigw.Timestamp(since), Paid: paid.String(), Runs: runs},
	}
}

// WithFigures adds the figures of a token to the token. of has the figures by mint, and no entry
// for a token without figures.
func (t *Token) WithFigures(mint solana.PublicKey, of map[solana.PublicKey]figures.Public, now time.Time) {
	f := of[mint]
	t.Figures = &Figures{
		Payouts: f.Runs, LastPayoutAt: apigw.TimeOrNull(f.LastAt), Paid: make([]Paid, len(f.Paid)),
		Holders: newHolders(f.Holders, f.HoldersAt), Traded: Amount(f.Volume),
	}
	for i, total := range f.Paid {
		t.Figures.Paid[i] = NewPaid(total, now)
	}
}

func newHolders(h *run.HolderFigures, at time.Time) *Holders {
	if h == nil {
		return nil
	}
	out := &Holders{
		AsOf: apigw.Timestamp(at), ChainSlot: h.ChainSlot, Owners: h.Owners,
		Supply: Amount(h.Supply), TopTen: Amount(h.TopTen), Creator: Amount(h.Creator),
	}
	if h.Locked != nil {
		out.Locked = new(Amount(*h.Locked))
	}
	return out
}
