package auth

import (
	"fmt"
	"net/url"
	"regexp"
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

// Sites are the service's own site and those of third-party pages.
type Sites struct {
	own   Site
	pages map[string]Site // by origin
}

// NewSites makes the site of a service, as NewSite does, and one for each origin of a page
// that may have its own domain named; see CheckOrigin.
func NewSites(publicURL, network string, origins ...string) (Sites, error) {
	own, err := NewSite(publicURL, network)
	if err != nil {
		return Sites{}, err
	}
	s := Sites{own, map[string]Site{}}
	for _, origin := range origins {
		if err := CheckOrigin(origin); err != nil {
			return Sites{}, err
		}
		if s.pages[origin], err = NewSite(origin, network); err != nil {
			return Sites{}, err
		}
	}
	return s, nil
}

// of gives the site of a request's Origin header: the service's own unless the header is, to
// the byte, an origin that is allowed. Browsers write one origin in one way: so another case,
// a port, a trailing dot, "null", or two origins are never one of them.
func (s Sites) of(origin string) Site {
	if page, ok := s.pages[origin]; ok {
		return page
	}
	return s.own
}

// originHost is a host as browsers write it in an origin: in lower case, names of other
// scripts as "xn--", with a port that is not the scheme's.
var originHost = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*(:[1-9][0-9]{0,4})?$`)

// CheckOrigin refuses an origin that no browser would send, and one that others on the network
// can take the place of: it is https, or http on this machine.
func CheckOrigin(origin string) error {
	scheme, host, _ := strings.Cut(origin, "://")
	name, port, _ := strings.Cut(host, ":")
	switch {
	case !originHost.MatchString(host) || port == map[string]string{"https": "443", "http": "80"}[scheme] && port != "":
		return fmt.Errorf("the origin %q is not as browsers write it, such as https://page.example: lower case, xn-- for other scripts, no path, no slash at its end, no usual port", origin)
	case scheme != "https" && (scheme != "http" || name != "localhost" && name != "127.0.0.1"):
		return fmt.Errorf("the origin %q is not https, and http is for localhost alone", origin)
	}
	return nil
}

// message writes the text of a challenge.
func (s Site) message(c Challenge) (string, error) {
	return siws.Format(siws.Message{
		Domain: s.Domain, Address: c.Wallet.String(), Statement: statement, URI: s.URI, ChainID: s.ChainID,
		Nonce: c.Nonce, IssuedAt: c.IssuedAt, ExpirationTime: c.ExpiresAt,
	})
}
