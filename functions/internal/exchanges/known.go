package exchanges

import (
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof"
	"tokenlaunch.example/service/pkg/provider/marketmaker"
	"tokenlaunch.example/service/pkg/solana/raydium"
)

// Allowed are the parties that the signer lets sales call. The signer queries no exchange.
type Allowed struct {
	Programs []solana.PublicKey
	CoSigned bool // by a market maker
}

// Known returns the parties that sales at the venues call on a network. All programs are on
// proof.TrustList, because a sale elsewhere would make the proof of its run invalid.
func Known(venues []string, network raydium.Network) (Allowed, error) {
	var known Allowed
	for _, name := range venues {
		programs := proof.TrustedPrograms(name, network)
		if name == marketmaker.Venue {
			known.CoSigned = true
		} else if len(programs) == 0 {
			return Allowed{}, errName(name)
		}
		known.Programs = append(known.Programs, programs...)
	}
	return known, nil
}
