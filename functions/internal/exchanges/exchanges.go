// Package exchanges opens where tokens are sold.
package exchanges

import (
	"tokenlaunch.example/service/pkg/aws/secretsmanager"
	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/market/venue"
	"tokenlaunch.example/service/pkg/platform/secret"
	"tokenlaunch.example/service/pkg/provider/jupiter"
	"tokenlaunch.example/service/pkg/provider/marketmaker"
)

// Settings say where that is.
type Settings struct {
	Kind string `env:"EXCHANGE_KIND" envDefault:"none"`
	URL  string `env:"EXCHANGE_URL"`
	// Secret names the secret with the key of the exchange, or is empty.
	Secret string `env:"EXCHANGE_SECRET"`
}

// Venue gives the exchanges of a kind; nil when tokens are sold nowhere. Pools are those
// of the chain.
func (s Settings) Venue(secrets secretsmanager.Store, pools exchange.Venue) (exchange.Venue, error) {
	var key secret.Source
	if s.Secret != "" {
		key = secrets.Source(s.Secret, jupiter.CheckKey)
	}
	switch s.Kind {
	case "none":
		return nil, nil
	case "jupiter":
		return jupiter.New(s.URL, key)
	case "maker":
		return marketmaker.New(s.URL)
	case "pools":
		return pools, nil
	case "jupiter+pools":
		first, err := jupiter.New(s.URL, key)
		if err != nil {
			return nil, err
		}
		return exchange.First{{Name: jupiter.Venue, Venue: first}, {Name: venue.Name, Venue: pools}}, nil
	}
	return nil, errKind(s.Kind)
}
