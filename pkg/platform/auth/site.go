package auth

import (
	"fmt"
	"net/url"
	"strings"
	"time"

	"tokenlaunch.example/service/pkg/platform/auth/siws"
)

// Site is what a challenge says about the service that asks for it.
type Site struct {
	Domain  string // host, with a port where it has one
	URI     string // absolute
	ChainID string
}

// NewSite makes the site of a service that is reached at publicURL and works on
// the named network: mainnet, devnet or localnet. It refuses what no challenge
// can be written with.
func NewSite(publicURL, network string) (Site, error) {
	u, err := url.Parse(publicURL)
	if err != nil {
		return Site{}, fmt.Errorf("parse the public URL: %w", err)
	}
	site := Site{Domain: u.Host, URI: strings.TrimSuffix(publicURL, "/"), ChainID: network}
	now := time.UnixMilli(0).UTC()
	_, err = site.message(Challenge{Nonce: strings.Repeat("0", 32), IssuedAt: now, ExpiresAt: now.Add(ChallengeLifetime)})
	if err != nil {
		return Site{}, fmt.Errorf("public URL %q, network %q: %w", publicURL, network, err)
	}
	return site, nil
}

// message writes the text of a challenge.
func (s Site) message(c Challenge) (string, error) {
	return siws.Format(siws.Message{
		Domain: s.Domain, Address: c.Wallet.String(), Statement: statement, URI: s.URI, ChainID: s.ChainID,
		Nonce: c.Nonce, IssuedAt: c.IssuedAt, ExpirationTime: c.ExpiresAt,
	})
}
