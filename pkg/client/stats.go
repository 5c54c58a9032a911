package client

import (
	"context"
	"strings"

	"github.com/gagliardetto/solana-go"
)

// TokenOrder is what tokens are ranked by.
type TokenOrder string

// Orders: by the lamports that were traded on a token's curve, or that its holders were paid.
const (
	ByVolume TokenOrder = "volume"
	ByPaid   TokenOrder = "paid"
)

// Stats says what holders were paid.
type Stats struct {
	// When the answer was made.
	AsOf Time `json:"asOf"`
	// Visible tokens.
	Tokens int `json:"tokens"`
	// Settled runs, also those in which no holder was paid.
	Runs   int            `json:"runs"`
	Assets []StatsOfAsset `json:"assets"`
}

// StatsOfAsset says what holders were paid of an asset.
type StatsOfAsset struct {
	// "SOL", or the address of a mint.
	Asset    string `json:"asset"`
	Decimals int    `json:"decimals"`
	Paid     Sum    `json:"paid"`
	// Settled runs that paid it.
	Runs    int        `json:"runs"`
	LastDay StatsOfDay `json:"lastDay"`
	// The newest of its runs.
	Proofs []StatsProof `json:"proofs"`
}

// StatsOfDay says what was paid since a time.
type StatsOfDay struct {
	Since Time `json:"since"`
	Paid  Sum  `json:"paid"`
	Runs  int  `json:"runs"`
}

// StatsProof is a run and its proof.
type StatsProof struct {
	RunID       string           `json:"runId"`
	MintAddress solana.PublicKey `json:"mintAddress"`
	Paid        Amount           `json:"paid"`
	SettledAt   Time             `json:"settledAt"`
	Proof       Content          `json:"proof"`
}

// Sum is a sum of amounts in base units, in decimal digits: that of many runs may be longer
// than 64 bits.
type Sum string

// Text writes the sum in whole units of an asset with so many decimals.
func (s Sum) Text(decimals int) string {
	digits := string(s)
	if missing := decimals + 1 - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	whole, part := digits[:len(digits)-decimals], strings.TrimRight(digits[len(digits)-decimals:], "0")
	if part == "" {
		return whole
	}
	return whole + "." + part
}

// GetStats tells what holders were paid, in all and in the last day.
func (c *Client) GetStats(ctx context.Context) (Stats, error) {
	return fetch[Stats](ctx, c, get("/stats", nil))
}
