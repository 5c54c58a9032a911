package ratelimit

import "net/netip"

// sitePrefix is the length of the prefix of an IPv6 address that identifies one customer's network.
// The customer of a /64 has all 2^64 addresses of the network.
const sitePrefix = 64

// AddressKey returns the key for counting requests from an IP address: an IPv4 address unchanged,
// even if written as a v4-mapped IPv6 address, and the /64 network of an IPv6 address. Every
// invalid address has the key "unknown" and shares one bucket.
func AddressKey(address string) string {
	ip, err := netip.ParseAddr(address)
	if err != nil {
		return "unknown"
	}
	ip = ip.Unmap().WithZone("")
	if ip.Is4() {
		return ip.String()
	}
	network, err := ip.Prefix(sitePrefix)
	if err != nil {
		return "unknown"
	}
	return network.String()
}
