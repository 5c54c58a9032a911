// Package venues opens the venue that a deployment is configured with.
package venues

import (
	"fmt"

	"tokenlaunch.example/service/pkg/exchange"
	"tokenlaunch.example/service/pkg/jupiter"
	"tokenlaunch.example/service/pkg/maker"
)

// Settings are read from the environment by github.com/caarlos0/env.
type Settings struct {
	// Kind is "none", "jupiter" or "maker".
	Kind string `env:"EXCHANGE_KIND" envDefault:"none"`
	// URL is the venue's address; Jupiter's own when it is empty.
	URL string `env:"EXCHANGE_URL"`
	// APIKey is Jupiter's; it may be empty for addresses that need none.
	APIKey string `env:"EXCHANGE_API_KEY"`
}

// Open gives the venue. It does not connect.
func (s Settings) Open() (exchange.Venue, error) {
	switch s.Kind {
	case "none":
		return exchange.None{}, nil
	case jupiter.Venue:
		address := s.URL
		if address == "" {
			address = jupiter.API
		}
		return jupiter.New(address, s.APIKey)
	case maker.Venue:
		return maker.New(s.URL)
	}
	return nil, fmt.Errorf("EXCHANGE_KIND is %q, want none, jupiter or maker", s.Kind)
}
