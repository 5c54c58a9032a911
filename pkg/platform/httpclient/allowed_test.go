package httpclient_test

import (
	"net/netip"
	"testing"

	"tokenlaunch.example/service/pkg/platform/httpclient"
)

func TestAllowed(t *testing.T) {
	for _, c := range []struct {
		host, to string
		allowed  bool
	}{
		{"rpc.example", "104.18.1.1", true},
		{"rpc.example", "2606:4700::1", true},
		{"rpc.example", "::ffff:104.18.1.1", true},
		{"rpc.example", "64:ff9b::104.18.1.1", true}, // NAT64 of a public address
		{"104.18.1.1", "104.18.1.1", true},

		{"rpc.example", "127.0.0.1", false},
		{"rpc.example", "::1", false},
		{"rpc.example", "::ffff:127.0.0.1", false},
		{"rpc.example", "10.0.0.1", false},
		{"rpc.example", "172.16.9.9", false},
		{"rpc.example", "192.168.1.1", false},
		{"rpc.example", "100.64.0.1", false},
		{"rpc.example", "169.254.169.254", false},
		{"rpc.example", "::ffff:169.254.169.254", false},
		{"rpc.example", "64:ff9b::169.254.169.254", false},
		{"rpc.example", "64:ff9b::10.0.0.1", false},
		{"rpc.example", "64:ff9b:1::10.0.0.1", false},
		{"rpc.example", "2002:a9fe:a9fe::1", false}, // 6to4 of 169.254.169.254
		{"rpc.example", "2001:0:a9fe:a9fe::1", false},
		{"rpc.example", "::a9fe:a9fe", false},
		{"rpc.example", "fd00:ec2::254", false},
		{"rpc.example", "fd12::1", false},
		{"rpc.example", "fe80::1", false},
		{"rpc.example", "fe80::1%eth0", false},
		{"rpc.example", "0.0.0.0", false},
		{"rpc.example", "::", false},
		{"rpc.example", "224.0.0.1", false},
		{"rpc.example", "ff02::1", false},
		{"rpc.example", "255.255.255.255", false},
		{"rpc.example", "192.0.2.1", false},
		{"rpc.example", "2001:db8::1", false},
		{"rpc.example", "198.18.0.1", false},
		{"rpc.example", "168.63.129.16", false},

		// The operator's setting contains these addresses itself.
		{"127.0.0.1", "127.0.0.1", true},
		{"127.0.0.1", "127.0.0.2", false},
		{"::1", "::1", true},
		{"10.1.2.3", "10.1.2.3", true},
		{"10.1.2.3", "10.1.2.4", false},
		{"169.254.169.254", "169.254.169.254", false},
		{"fd00:ec2::254", "fd00:ec2::254", false},
		{"localhost", "127.0.0.1", true},
		{"LOCALHOST.", "::1", true},
		{"node.localhost", "127.0.0.1", true},
		{"localhost", "10.0.0.1", false},
		{"localhost.example", "127.0.0.1", false},
		{"notlocalhost", "127.0.0.1", false},
		{"kubo.internal", "10.0.0.1", true},
		{"kubo.internal", "127.0.0.1", false},
		{"kubo.internal", "169.254.169.254", false},
		{"kubo.internal", "fd00:ec2::254", false},
		{"kubo.internal.example", "10.0.0.1", false},
		{"node", "10.0.0.1", false},
	} {
		if got := httpclient.Allowed(c.host, netip.MustParseAddr(c.to)); got != c.allowed {
			t.Errorf("%s to %s: allowed %v, want %v", c.host, c.to, got, c.allowed)
		}
	}
}

// A host that is an address leads nowhere but there, and nothing that is not public
// has more than one host that leads to it by its form.
func FuzzAllowed(f *testing.F) {
	f.Add("rpc.example", []byte{169, 254, 169, 254})
	f.Add("kubo.internal", []byte{10, 0, 0, 1})
	f.Add("::ffff:10.0.0.1", []byte{10, 0, 0, 1})
	f.Fuzz(func(t *testing.T, host string, address []byte) {
		to, ok := netip.AddrFromSlice(address)
		if !ok || !httpclient.Allowed(host, to) {
			return
		}
		plain := to.Unmap()
		if plain.IsLinkLocalUnicast() || plain.IsMulticast() || plain.IsUnspecified() {
			t.Fatalf("%q may connect to %s", host, to)
		}
		if (plain.IsLoopback() || plain.IsPrivate()) && httpclient.Allowed("rpc.example", to) {
			t.Fatalf("any host may connect to %s", to)
		}
	})
}
