package market_test

import (
	"testing"

	"tokenlaunch.example/service/pkg/market"
)

// FuzzDecodeClock: what is long enough is a clock, and nothing else is.
func FuzzDecodeClock(f *testing.F) {
	f.Add([]byte(nil))
	f.Add(make([]byte, 39))
	f.Add(make([]byte, 40))
	f.Fuzz(func(t *testing.T, data []byte) {
		clock, err := market.DecodeClock(data)
		if (err == nil) != (len(data) >= 40) {
			t.Fatalf("%d bytes: %v", len(data), err)
		}
		_ = clock.Time()
	})
}
