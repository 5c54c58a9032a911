// Package markets wires what differs between the networks that markets are on, alike
// for the functions that prepare, watch and use them.
package markets

import (
	"fmt"

	"tokenlaunch.example/service/pkg/solana/raydium"
)

// Network gives the addresses that hold on a network (MARKETS_NETWORK): mainnet, whose
// programs a local chain forks or lacks, or devnet.
func Network(name string) (raydium.Network, error) {
	switch name {
	case "mainnet":
		return raydium.Mainnet, nil
	case "devnet":
		return raydium.Devnet, nil
	}
	return raydium.Network{}, fmt.Errorf("MARKETS_NETWORK is %q: it must be mainnet or devnet", name)
}
