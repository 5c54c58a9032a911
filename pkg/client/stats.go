package client

import (
	"context"
	"strings"
)

// TokenOrder is what tokens are ranked by.
type TokenOrder string

// Orders: by the lamports that were traded on a token's curve, or that its holders were paid.
const (
	ByVolume TokenOrder = "volume"
	ByPaid   TokenOrder = "paid"
)

// TokenOrders lists the orders.
func TokenOrders() []TokenOrder { return []TokenOrder{ByVolume, ByPaid} }

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
