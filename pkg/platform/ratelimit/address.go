package ratelimit

import "net/netip"

// sitePrefix is the part of an IPv6 address that names one customer's network:
// the customer of a /64 has all of its 2^64 addresses.
const sitePrefix = 64

// AddressKey gives the key under which requests from an IP address are counted:
// an IPv4 address as it is, also when written as a v4-mapped IPv6 address, and
// an IPv6 address by its /64 network. Text that is no address has the key
// "unknown", one bucket for all of them.
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
