package exchanges_test

import (
	"slices"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/functions/internal/exchanges"
	"tokenlaunch.example/service/pkg/proof"
	"tokenlaunch.example/service/pkg/provider/jupiter"
	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/solana/raydium"
)

func TestSignerKnowsProgramsOfVenues(t *testing.T) {
	for _, test := range []struct {
		venues string
		want   []solana.PublicKey // the pools of the network in addition
		pool   bool
		sign   bool
	}{
		{venues: ""},
		{venues: "jupiter", want: []solana.PublicKey{jupiter.Program}},
		{venues: "pools", pool: true},
		{venues: "jupiter,pools", want: []solana.PublicKey{jupiter.Program}, pool: true},
		{venues: "maker", sign: true},
		{venues: "jupiter,maker", want: []solana.PublicKey{jupiter.Program}, sign: true},
	} {
		for _, network := range []raydium.Network{raydium.Mainnet, raydium.Devnet} {
			want := test.want
			if test.pool {
				want = append(slices.Clone(want), network.Program, meteora.Program)
			}
			known, err := exchanges.Known(list(test.venues), network)
			if err != nil || !slices.Equal(known.Programs, want) || known.CoSigned != test.sign {
				t.Errorf("%s: %+v, %v, want %s", test.venues, known, err, want)
			}
		}
	}
	for _, venues := range []string{"none", "market", "jupiter,market", "jupiter+pools", ","} {
		if known, err := exchanges.Known(list(venues), raydium.Mainnet); err == nil {
			t.Errorf("%q: %+v", venues, known)
		}
	}
}

// A program that the signer allows and verifiers do not know makes honest proofs invalid.
func TestVerifiersAcceptTheProgramsOfTheSigner(t *testing.T) {
	var trusted []solana.PublicKey
	for _, row := range proof.TrustList() {
		trusted = append(trusted, row.Program)
	}
	for _, network := range []raydium.Network{raydium.Mainnet, raydium.Devnet} {
		known, err := exchanges.Known([]string{"jupiter", "maker", "pools"}, network)
		if err != nil {
			t.Fatal(err)
		}
		for _, program := range known.Programs {
			if !slices.Contains(trusted, program) {
				t.Errorf("%s is not on the trust list", program)
			}
		}
	}
}
