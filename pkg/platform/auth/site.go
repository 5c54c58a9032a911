package auth

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"

	"tokenlaunch.example/service/pkg/platform/auth/siws"
)

// Site is the part of a challenge that describes the requesting service.
type Site struct {
	Domain  string // host, with a port if any
	URI     string // absolute
	ChainID string
}

// NewSite returns the site of a service at publicURL on the given network: mainnet, devnet or
// localnet. It returns an error if a challenge cannot contain the URL or the network.
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

// Sites is the service's own site and the sites of third-party pages.
type Sites struct {
	own   Site
	pages map[string]Site // by origin
}

// NewSites returns the site of a service, as NewSite does, and a site for each origin of a page
// whose own domain may appear in challenges; see CheckOrigin.
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

// of returns the site for a request's Origin header: the page's site if the header equals an
// allowed origin byte for byte, and otherwise the service's own site. Browsers have only one
// spelling of an origin, so another case, a port, a trailing dot, "null", or two origins never
// match.
func (s Sites) of(origin string) Site {
	if page, ok := s.pages[origin]; ok {
		return page
	}
	return s.own
}

// originHost is a host in the spelling of browsers: in lower case, names of other scripts as
// "xn--", and a port only if the port is not the scheme's default.
var originHost = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*(:[1-9][0-9]{0,4})?$`)

// CheckOrigin rejects an origin that no browser would send, and an origin that another party on the
// network can impersonate. So the scheme must be https, or http on this machine.
func CheckOrigin(origin string) error {
	scheme, host, _ := strings.Cut(origin, "://")
	name, port, _ := strings.Cut(host, ":")
	switch {
	case !originHost.MatchString(host) || port == map[string]string{"https": "443", "http": "80"}[scheme] && port != "":
		return fmt.Errorf("the origin %q is not as browsers write it, such as https://page.example: lower case, xn-- for other scripts, no path, no trailing slash, no usual port", origin)
	case scheme != "https" && (scheme != "http" || name != "localhost" && name != "127.0.0.1"):
		return fmt.Errorf("the origin %q is not https, and http is for localhost alone", origin)
	}
	return nil
}

// message returns the text of a challenge.
func (s Site) message(c Challenge) (string, error) {
	return siws.Format(siws.Message{
		Domain: s.Domain, Address: c.Wallet.String(), Statement: statement, URI: s.URI, ChainID: s.ChainID,
		Nonce: c.Nonce, IssuedAt: c.IssuedAt, ExpirationTime: c.ExpiresAt,
	})
}
