package exchanges

import (
	"fmt"
	"strings"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof"
	"tokenlaunch.example/service/pkg/provider/marketmaker"
	"tokenlaunch.example/service/pkg/solana/raydium"
)

// Venues are the parties that the signer lets sales call. The signer queries no exchange.
type Venues struct {
	Programs []solana.PublicKey
	CoSigned bool // by a market maker
}

// Known returns the parties that sales of a kind call on a network. All programs are on
// proof.TrustList, because a sale elsewhere would make the proof of its run invalid.
func Known(kind string, network raydium.Network) (Venues, error) {
	var known Venues
	if kind == "none" {
		return known, nil
	}
	for venue := range strings.SplitSeq(kind, "+") {
		programs := proof.TrustedPrograms(venue, network)
		if venue == marketmaker.Venue {
			known.CoSigned = true
		} else if len(programs) == 0 {
			return Venues{}, errKind(kind)
		}
		known.Programs = append(known.Programs, programs...)
	}
	return known, nil
}

func errKind(kind string) error {
	return fmt.Errorf("EXCHANGE_KIND is %q: it must be none, jupiter, maker, pools or jupiter+pools", kind)
}
