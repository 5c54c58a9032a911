package proof

import (
	"cmp"
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
	// Since is the number of the first list with the program.
	Since uint16
}

//go:generate go test -vet=off . -run TestTrustList(Matches|Is) -update

var trustList = []TrustedProgram{
	{Name: "Jupiter 6", Venue: JupiterVenue, Program: JupiterProgram, Since: 1},
	{Name: "Raydium CPMM", Venue: PoolsVenue, Program: raydium.Mainnet.Program, Network: raydium.Mainnet, Since: 1},
	{Name: "Raydium CPMM (devnet)", Venue: PoolsVenue, Program: raydium.Devnet.Program, Network: raydium.Devnet, Since: 1},
	{Name: "Meteora DAMM v2", Venue: PoolsVenue, Program: meteora.Program, Since: 1},
}

// TrustListVersion is the number of the list: the highest Since of its programs. Each manifest
// has the number of the list in the code that wrote the manifest.
var TrustListVersion = slices.MaxFunc(trustList, func(a, b TrustedProgram) int { return cmp.Compare(a.Since, b.Since) }).Since

// TrustList returns the programs that may receive the wallet's signature to sell tokens. The
// signer allows a part of this list, and verifiers accept all of it. A program never leaves the
// list, and a new one has the next number as its Since.
//
// A verifier that has an older list than a manifest reports "too new" for a sale through a
// program that the verifier does not know, and "FAILED" if the manifest names the verifier's own
// list or an older one. Neither holds, so release the verifiers before a venue. Before a
// deployment of older code, settle the runs that sold through the new program, because the older
// code would write the older number into their manifests.
//
// The list of the TypeScript client is generated from this list.
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

// Trusted reports whether a program is on the list. Its Since does not matter: a program that
// came later is no worse in an older proof.
func Trusted(program solana.PublicKey) bool {
	return slices.ContainsFunc(trustList, func(t TrustedProgram) bool { return t.Program == program })
}
