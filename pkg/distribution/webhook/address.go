package webhook

import (
	"net/netip"
	"net/url"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/publicsuffix"
)

// maxURL is the maximum length of a URL.
const maxURL = 2048

// CheckURL checks whether messages may be sent to a URL, by the text of the URL only. The address
// behind the host name is checked at every connection. With loopback, which only a local stack
// sets, CheckURL allows http and https to this machine at any port.
func CheckURL(raw string, loopback bool) error {
	if len(raw) > maxURL || !utf8.ValidString(raw) {
		return notAllowed("The URL is longer than 2,048 characters, or is no text.")
	}
	u, err := url.Parse(raw)
	if err != nil || u.Opaque != "" || u.Host == "" || u.Hostname() == "" {
		return notAllowed("This is not a URL with a host.")
	}
	if u.User != nil || u.Fragment != "" || strings.Contains(raw, "#") {
		return notAllowed("The URL must have no user name and no fragment.")
	}
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	if loopback && (u.Scheme == "http" || u.Scheme == "https") && isLoopback(host) {
		return nil
	}
	if u.Scheme != "https" {
		return notAllowed("The URL must begin with https:// .")
	}
	if port := u.Port(); port != "" && port != "443" && port != "8443" {
		return notAllowed("The port must be 443 or 8443.")
	}
	if _, err := netip.ParseAddr(host); err == nil {
		return notAllowed("The host must be a name, and not an IP address.")
	}
	// Some resolvers accept other forms of numbers: 0x7f.1, 2130706433.
	last := host[strings.LastIndexByte(host, '.')+1:]
	if !strings.Contains(host, ".") || last == "" || last[0] >= '0' && last[0] <= '9' || !isName(host) {
		return notAllowed("The host must be the full name of a public server.")
	}
	for _, private := range []string{"localhost", "local", "internal", "test", "invalid", "onion", "home", "lan", "corp"} {
		if last == private {
			return notAllowed("The host's name is for private networks.")
		}
	}
	return nil
}

func isLoopback(host string) bool {
	address, err := netip.ParseAddr(host)
	return err == nil && address.IsLoopback() || host == "localhost"
}

// isName reports whether a host has only the characters of ASCII names: letters, digits, hyphens,
// underscores and dots.
func isName(host string) bool {
	for _, c := range host {
		switch {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '-', c == '.', c == '_':
		default:
			return false
		}
	}
	return len(host) <= 253 && !strings.Contains(host, "..")
}

// Destination returns the registered domain of a URL, the unit that limits concurrent calls. So
// many host names of one owner count as one destination.
func Destination(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	if domain, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		return domain
	}
	return host
}
