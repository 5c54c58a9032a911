package market_test

import (
	"testing"

	"tokenlaunch.example/service/pkg/market"
)

// FuzzDecodeClock tests that data of sufficient length decodes as a clock, and shorter data does
// not.
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
