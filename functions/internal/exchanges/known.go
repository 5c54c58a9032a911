package exchanges

import (
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/provider/jupiter"
	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/solana/raydium"
)

// Venues is what the signer lets sales call: it asks no exchange.
type Venues struct {
	Programs []solana.PublicKey
	CoSigned bool // by a market maker
}

// Known gives what sales of a kind call on a network.
func Known(kind string, network raydium.Network) (Venues, error) {
	pools := []solana.PublicKey{network.Program, meteora.Program}
	switch kind {
	case "none":
		return Venues{}, nil
	case "jupiter":
		return Venues{Programs: []solana.PublicKey{jupiter.Program}}, nil
	case "maker":
		return Venues{CoSigned: true}, nil
	case "pools":
		return Venues{Programs: pools}, nil
	case "jupiter+pools":
		return Venues{Programs: append(pools, jupiter.Program)}, nil
	}
	return Venues{}, errKind(kind)
}

func errKind(kind string) error {
	return fmt.Errorf("EXCHANGE_KIND is %q: it must be none, jupiter, maker, pools or jupiter+pools", kind)
}
