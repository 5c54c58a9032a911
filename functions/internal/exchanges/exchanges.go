// Package exchanges opens where tokens are sold.
package exchanges

import (
	"log/slog"

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
// of the chain, which watch themselves.
func (s Settings) Venue(secrets secretsmanager.Store, pools exchange.Venue, log *slog.Logger) (exchange.Venue, error) {
	var key secret.Source
	if s.Secret != "" {
		key = secrets.Source(s.Secret, jupiter.CheckKey)
	}
	switch s.Kind {
	case "none":
		return nil, nil
	case "jupiter", "jupiter+pools":
		client, err := jupiter.New(s.URL, key)
		if err != nil {
			return nil, err
		}
		first := exchange.Watch{Venue: client, Name: jupiter.Venue, Log: log}
		if s.Kind == "jupiter" {
			return first, nil
		}
		return exchange.First{{Name: jupiter.Venue, Venue: first}, {Name: venue.Name, Venue: pools}}, nil
	case "maker":
		client, err := marketmaker.New(s.URL)
		return exchange.Watch{Venue: client, Name: marketmaker.Venue, Log: log}, err
	case "pools":
		return pools, nil
	}
	return nil, errKind(s.Kind)
}
