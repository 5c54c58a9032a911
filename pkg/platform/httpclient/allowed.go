package httpclient

import (
	"errors"
	"net/netip"
	"strings"
)

// ErrRefused is returned if a host resolves to a forbidden address.
var ErrRefused = errors.New("connect: the host's name leads to an address that is not public")

// Allowed reports whether a call to the host in a URL may connect to the IP address:
//
//   - any host to a public address;
//   - an IP address to the same address, even if loopback or private;
//   - localhost and subdomains to loopback;
//   - names under .internal, which is for private networks, to private addresses.
//
// Connections to link-local addresses are never allowed (169.254.169.254 returns a function's
// credentials to any client), nor to multicast addresses and addresses without a host.
func Allowed(host string, to netip.Addr) bool {
	to = to.Unmap()
	if to.Zone() != "" || in(to, never) {
		return false
	}
	if public(to) {
		return true
	}
	if literal, err := netip.ParseAddr(host); err == nil {
		return literal.Unmap() == to && (to.IsLoopback() || to.IsPrivate())
	}
	switch {
	case under(host, "localhost"):
		return to.IsLoopback()
	case under(host, "internal"):
		return to.IsPrivate()
	}
	return false
}

// Inside reports whether a host is private by its form: an IP address that is not public,
// or a name under localhost or .internal.
func Inside(host string) bool {
	literal, err := netip.ParseAddr(host)
	return err == nil && !public(literal.Unmap()) || under(host, "localhost") || under(host, "internal")
}

func under(host, domain string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	return host == domain || strings.HasSuffix(host, "."+domain)
}

var (
	// never is addresses that no setting has a reason to name.
	never = prefixes(
		"0.0.0.0/8", "169.254.0.0/16", "224.0.0.0/4", "240.0.0.0/4",
		"::/128", "fe80::/10", "fec0::/10", "ff00::/8",
		"fd00:ec2::/32", // AWS: metadata, name and time servers
	)
	// special is other addresses that are not on the Internet (IANA's registries of special-purpose
	// addresses). Package netip recognizes private and loopback addresses.
	special = prefixes(
		"100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24",
		"198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
		"2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
		"168.63.129.16/32", // Azure's own services
	)
	globalIPv6 = netip.MustParsePrefix("2000::/3")
	// nat64 contains IPv4 addresses for networks that have only IPv6 (RFC 6052).
	nat64 = netip.MustParsePrefix("64:ff9b::/96")
)

// public reports whether an address is on the Internet.
func public(a netip.Addr) bool {
	if nat64.Contains(a) {
		bytes := a.As16()
		return public(netip.AddrFrom4([4]byte(bytes[12:])))
	}
	if a.Is6() && !globalIPv6.Contains(a) {
		return false
	}
	return !a.IsPrivate() && !a.IsLoopback() && !in(a, never) && !in(a, special)
}

func in(a netip.Addr, list []netip.Prefix) bool {
	for _, p := range list {
		if p.Contains(a) {
			return true
		}
	}
	return false
}

func prefixes(texts ...string) []netip.Prefix {
	list := make([]netip.Prefix, len(texts))
	for i, text := range texts {
		list[i] = netip.MustParsePrefix(text)
	}
	return list
}
