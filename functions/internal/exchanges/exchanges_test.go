package exchanges_test

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"

	"tokenlaunch.example/service/functions/internal/exchanges"
	"tokenlaunch.example/service/pkg/aws/secretsmanager"
	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/market/venue"
)

// list reads a list as the functions do.
func list(venues string) []string {
	if venues == "" {
		return nil
	}
	return strings.Split(venues, ",")
}

func TestVenuesAreTriedInTheirOrder(t *testing.T) {
	log := slog.New(slog.DiscardHandler)
	secrets := secretsmanager.New(aws.Config{Region: "us-east-1"}, log) // never read
	for _, test := range []struct{ venues, url, want string }{
		{"", "", "<nil>"},
		{"pools", "", "pools venue.Pools"},
		{"jupiter", "http://127.0.0.1:1", "jupiter exchange.Watch"},
		{"maker", "http://127.0.0.1:1", "maker exchange.Watch"},
		{"jupiter,pools", "http://127.0.0.1:1", "jupiter exchange.Watch, pools venue.Pools"},
		{"pools,jupiter", "http://127.0.0.1:1", "pools venue.Pools, jupiter exchange.Watch"},
		{"jupiter", "nonsense", "error"},
		{"pools,maker", "", "error"},
		{"market", "", `error: EXCHANGES names "market"`},
		{"pools,none", "", `error: EXCHANGES names "none"`},
	} {
		s := exchanges.Settings{Venues: list(test.venues), URL: test.url, Secret: "exchange"}
		opened, err := s.Venue(secrets, venue.Pools{}, log)
		have := "<nil>"
		if err != nil {
			have = "error: " + err.Error()
		} else if first, ok := opened.(exchange.First); ok {
			var names []string
			for _, named := range first {
				names = append(names, fmt.Sprintf("%s %T", named.Name, named.Venue))
			}
			have = strings.Join(names, ", ")
		}
		if have != test.want && (!strings.HasPrefix(test.want, "error") || !strings.HasPrefix(have, test.want)) {
			t.Errorf("%q: %s, want %s", test.venues, have, test.want)
		}
	}
}
