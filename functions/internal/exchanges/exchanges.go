// Package exchanges opens the venues of token sales.
package exchanges

import (
	"fmt"
	"log/slog"

	"tokenlaunch.example/service/pkg/aws/secretsmanager"
	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/market/venue"
	"tokenlaunch.example/service/pkg/platform/secret"
	"tokenlaunch.example/service/pkg/provider/jupiter"
	"tokenlaunch.example/service/pkg/provider/marketmaker"
)

// Settings name the venues and their addresses.
type Settings struct {
	// Venues are tried in this order: jupiter, maker and pools. Tokens are sold nowhere if
	// the list is empty.
	Venues []string `env:"EXCHANGES"`
	URL    string   `env:"EXCHANGE_URL"`
	// Secret names the secret with Jupiter's key, or is empty.
	Secret string `env:"EXCHANGE_SECRET"`
}

// Venue opens the venues; nil if tokens are sold nowhere. pools is the venue of on-chain pools,
// which needs no exchange.Watch.
func (s Settings) Venue(secrets secretsmanager.Store, pools exchange.Venue, log *slog.Logger) (exchange.Venue, error) {
	if len(s.Venues) == 0 {
		return nil, nil
	}
	var first exchange.First
	for _, name := range s.Venues {
		v, err := s.open(name, secrets, pools)
		if err != nil {
			return nil, err
		}
		if name != venue.Name {
			v = exchange.Watch{Venue: v, Name: name, Log: log}
		}
		first = append(first, exchange.Named{Name: name, Venue: v})
	}
	return first, nil
}

func (s Settings) open(name string, secrets secretsmanager.Store, pools exchange.Venue) (exchange.Venue, error) {
	switch name {
	case jupiter.Venue:
		var key secret.Source
		if s.Secret != "" {
			key = secrets.Source(s.Secret, jupiter.CheckKey)
		}
		return jupiter.New(s.URL, key)
	case marketmaker.Venue:
		return marketmaker.New(s.URL)
	case venue.Name:
		return pools, nil
	}
	return nil, errName(name)
}

func errName(name string) error {
	return fmt.Errorf("EXCHANGES names %q: it must be jupiter, maker or pools", name)
}
