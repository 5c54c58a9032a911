package market

import (
	"context"
	"fmt"
	"time"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/ratelimit"
)

// PreparedPerAddress is how many pools, curves and cancellations are prepared for one
// address within an hour, whatever the wallets: preparing is free, and each is watched
// until it is there or can land no more.
const PreparedPerAddress = 100

// Prepare prepares one for the caller at an address, if there is room. Else it fails with
// market_limit_exceeded.
func Prepare[T any](ctx context.Context, limiter ratelimit.Limiter, address string, prepare func() (T, error)) (T, error) {
	rule := ratelimit.Rule{Name: "markets-address", Limit: PreparedPerAddress, Window: time.Hour}
	return ratelimit.Within(ctx, limiter, rule, ratelimit.AddressKey(address), apperr.Error{
		Code:   apperr.CodeMarketLimitExceeded,
		Detail: fmt.Sprintf("At most %d pools, curves and cancellations may be prepared from one address within an hour.", PreparedPerAddress),
	}, prepare)
}
