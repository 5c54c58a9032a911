// Package markets wires the network-dependent parts of the functions that prepare, watch and use
// markets.
package markets

import (
	"fmt"

	"tokenlaunch.example/service/pkg/solana/raydium"
)

// Network returns the addresses for a network (MARKETS_NETWORK): mainnet, whose programs a local
// chain forks or lacks, or devnet.
func Network(name string) (raydium.Network, error) {
	switch name {
	case "mainnet":
		return raydium.Mainnet, nil
	case "devnet":
		return raydium.Devnet, nil
	}
	return raydium.Network{}, fmt.Errorf("MARKETS_NETWORK is %q: it must be mainnet or devnet", name)
}
