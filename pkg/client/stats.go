package client

import (
	"context"
	"strings"
)

// TokenOrder is the order of a list of tokens.
type TokenOrder string

// Orders: by the lamports traded on a token's curve, and by the lamports paid to a token's holders.
const (
	ByVolume TokenOrder = "volume"
	ByPaid   TokenOrder = "paid"
)

// TokenOrders returns all orders.
func TokenOrders() []TokenOrder { return []TokenOrder{ByVolume, ByPaid} }

// Sum is a sum of amounts in base units, in decimal digits, because the sum of many runs may exceed
// 64 bits.
type Sum string

// Text formats the sum in whole units of an asset with the given decimals.
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

// GetStats returns the sums of payments to holders, in total and in the last day.
func (c *Client) GetStats(ctx context.Context) (Stats, error) {
	return fetch[Stats](ctx, c, get("/stats", nil))
}
