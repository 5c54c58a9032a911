// Package launchtx measures the cost of building a launch transaction: our code against @solana/kit
// and the official clients of the programs, in Node.
//
// Both sides read the same launches as JSON, and must build the same bytes before the measurement.
package launchtx

import (
	"crypto/ed25519"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/creation"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/content"
)

// input is a launch in the form for both sides. Integers of 64 bits are texts, because JSON's
// numbers cannot hold such integers. Keys are in base58, seeds of private keys in base64.
type input struct {
	Payer          solana.PublicKey `json:"payer"`
	Wallet         solana.PublicKey `json:"wallet"` // the receiver of the tax
	Nonce          solana.Hash      `json:"nonce"`
	NonceAccount   solana.PublicKey `json:"nonceAccount"`
	MintSeed       []byte           `json:"mintSeed"`
	AuthoritySeed  []byte           `json:"authoritySeed"` // of the nonce authority
	Name           string           `json:"name"`
	Symbol         string           `json:"symbol"`
	URI            string           `json:"uri"`
	Decimals       uint8            `json:"decimals"`
	Supply         string           `json:"supply"`
	TransferFeeBps uint16           `json:"transferFeeBps"`
	Rent           string           `json:"rent"`
	Space          string           `json:"space"`
	Funding        string           `json:"funding"`
	Units          uint32           `json:"units"`
	MicroLamports  string           `json:"microLamports"`
}

// longest is the longest launch within the contract: the names in characters of four bytes, the tax
// adjustable, the metadata locked, the wallet funded.
var longest = creation.Creation{
	Name: strings.Repeat("🚀", token.MaxNameLength), Symbol: strings.Repeat("🌕", token.MaxSymbolLength),
	URI:      content.Gateway + "bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi",
	Decimals: 9, Supply: 18_000_000_000_000_000_000, TransferFeeBps: 9_999,
	FeeAdjustable: true, ImmutableMetadata: true,
	MintRentLamports: 6_652_560, FundingLamports: 20_000_000,
}

// The compute budget of the transaction.
const (
	units         = 41_994
	microLamports = 50_000
)

// inputs returns n launches, always the same launches. The launches have different keys, because
// the number of attempts to derive an address depends on the keys.
func inputs(n int) []input {
	random := rand.New(rand.NewPCG(9, 0)) // #nosec G404 -- deliberately a fixed seed
	key := func() (k solana.PublicKey) {
		for i := range k {
			k[i] = byte(random.Uint32()) //nolint:gosec // its lowest bits
		}
		return k
	}
	seed := func() []byte { k := key(); return k[:] }
	list := make([]input, n)
	for i := range list {
		list[i] = input{
			Payer: key(), Wallet: key(), Nonce: solana.Hash(key()), NonceAccount: key(), MintSeed: seed(), AuthoritySeed: seed(),
			Name: longest.Name, Symbol: longest.Symbol, URI: longest.URI, Decimals: longest.Decimals,
			Supply: decimal(longest.Supply), TransferFeeBps: longest.TransferFeeBps,
			Rent: decimal(longest.MintRentLamports), Space: decimal(token2022.MintSpace), Funding: decimal(longest.FundingLamports),
			Units: units, MicroLamports: decimal(microLamports),
		}
	}
	return list
}

func decimal(n uint64) string { return strconv.FormatUint(n, 10) }

// launch is an input in our types.
type launch struct {
	creation.Creation
	nonce           transaction.NonceUse
	mint, authority ed25519.PrivateKey
}

func (in input) launch() launch {
	l := launch{
		Creation: longest,
		mint:     ed25519.NewKeyFromSeed(in.MintSeed), authority: ed25519.NewKeyFromSeed(in.AuthoritySeed),
	}
	l.Payer, l.Mint, l.DistributionWallet = in.Payer, public(l.mint), in.Wallet
	l.nonce = transaction.NonceUse{
		Nonce: transaction.Nonce{Account: in.NonceAccount, Value: in.Nonce}, Authority: public(l.authority),
	}
	return l
}

func public(key ed25519.PrivateKey) solana.PublicKey {
	return solana.PublicKeyFromBytes(key[ed25519.PrivateKeySize-ed25519.PublicKeySize:])
}
