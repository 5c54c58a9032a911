package market

import (
	"context"
	"fmt"
	"time"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/ratelimit"
)

// PreparedPerAddress is the maximum number of pools, curves and cancellations prepared for an IP
// address within an hour, across all wallets. The limit exists because preparing is free, and each
// transaction is watched until its effect is seen or can no longer land.
const PreparedPerAddress = 100

// Prepare calls prepare for the caller at an address, within the limit. Above the limit, it returns
// market_limit_exceeded.
func Prepare[T any](ctx context.Context, limiter ratelimit.Limiter, address string, prepare func() (T, error)) (T, error) {
	rule := ratelimit.Rule{Name: "markets-address", Limit: PreparedPerAddress, Window: time.Hour}
	return ratelimit.Within(ctx, limiter, rule, ratelimit.AddressKey(address), apperr.Error{
		Code:   apperr.CodeMarketLimitExceeded,
		Detail: fmt.Sprintf("At most %d pools, curves and cancellations may be prepared from one address within an hour.", PreparedPerAddress),
	}, prepare)
}
