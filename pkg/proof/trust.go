package proof

import (
	"slices"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/solana/raydium"
)

// The venues whose programs are trusted.
const (
	JupiterVenue = "jupiter"
	PoolsVenue   = "pools"
)

// JupiterProgram is Jupiter's aggregator, version 6.
var JupiterProgram = solana.MustPublicKeyFromBase58("JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4")

// TrustedProgram is a program that may receive the wallet's signature to sell tokens.
type TrustedProgram struct {
	Name    string // as people write it
	Venue   string // JupiterVenue or PoolsVenue
	Program solana.PublicKey
	// Network is the network that has the program, zero for a program on all networks.
	Network raydium.Network
}

//go:generate go test -vet=off . -run TestTheTrustList -update

var trustList = []TrustedProgram{
	{Name: "Jupiter 6", Venue: JupiterVenue, Program: JupiterProgram},
	{Name: "Raydium CPMM", Venue: PoolsVenue, Program: raydium.Mainnet.Program, Network: raydium.Mainnet},
	{Name: "Raydium CPMM (devnet)", Venue: PoolsVenue, Program: raydium.Devnet.Program, Network: raydium.Devnet},
	{Name: "Meteora DAMM v2", Venue: PoolsVenue, Program: meteora.Program},
}

// TrustList returns the programs that may receive the wallet's signature to sell tokens. The
// signer allows a part of this list, and verifiers accept all of it. A program that a signer
// allows before verifiers know it makes honest proofs invalid: release the verifiers first.
// The list of the TypeScript client is generated from it.
func TrustList() []TrustedProgram { return slices.Clone(trustList) }

// TrustedPrograms returns the programs of a venue on a network, which are the programs that a
// signer for this venue allows.
func TrustedPrograms(venue string, network raydium.Network) []solana.PublicKey {
	var programs []solana.PublicKey
	for _, t := range trustList {
		if t.Venue == venue && (t.Network == network || t.Network == raydium.Network{}) {
			programs = append(programs, t.Program)
		}
	}
	return programs
}

// trusted reports whether a program is on the list.
func trusted(program solana.PublicKey) bool {
	return slices.ContainsFunc(trustList, func(t TrustedProgram) bool { return t.Program == program })
}
