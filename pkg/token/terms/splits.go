package terms

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/decimal"
)

// Split is what one wallet gets of the creator's share, in basis points of it.
type Split struct {
	Wallet solana.PublicKey
	Bps    int
}

// How many wallets the creator's share is divided among, where it is divided.
const (
	FewestSplits = 2
	MostSplits   = 10
)

// Splits are the wallets among which the creator's share is divided; empty: it is not, and
// DeveloperWallet gets it. It is the text in which they are kept, "WALLET:BPS,WALLET:BPS", so
// that settings can be compared.
type Splits string

// NewSplits puts splits into words.
func NewSplits(list []Split) Splits {
	words := make([]string, 0, len(list))
	for _, s := range list {
		words = append(words, s.Wallet.String()+":"+strconv.Itoa(s.Bps))
	}
	return Splits(strings.Join(words, ","))
}

// List gives the wallets in their order; what NewSplits did not make, it gives as zero.
func (s Splits) List() []Split {
	if s == "" {
		return nil
	}
	var list []Split
	for word := range strings.SplitSeq(string(s), ",") {
		address, bps, _ := strings.Cut(word, ":")
		var one Split
		if isAddress(address) {
			one.Wallet = solana.MustPublicKeyFromBase58(address)
		}
		one.Bps, _ = strconv.Atoi(bps)
		list = append(list, one)
	}
	return list
}

// Creators are the wallets that share what the creator gets, the first of which also gets
// what rounding leaves over.
func (s Settings) Creators() []Split {
	if list := s.CreatorSplits.List(); len(list) > 0 {
		return list
	}
	return []Split{{Wallet: s.DeveloperWallet, Bps: FullBps}}
}

// splitField names a field of a split in the API.
func splitField(i int, name string) string { return fmt.Sprintf("creatorSplits[%d].%s", i, name) }

// validate lists what is wrong with splits.
func (s Splits) validate() (bad []apperr.Field) {
	list := s.List()
	if len(list) == 0 {
		return nil
	}
	if len(list) < FewestSplits || len(list) > MostSplits {
		return []apperr.Field{{
			Field: "creatorSplits", Code: apperr.CodeOutOfRange,
			Message: fmt.Sprintf("Must be %d to %d wallets, or none: then developerWallet gets the creator's share.", FewestSplits, MostSplits),
		}}
	}
	seen := map[solana.PublicKey]int{}
	sum := 0
	for i, one := range list {
		if one.Wallet.IsZero() {
			bad = append(bad, apperr.Field{
				Field: splitField(i, "wallet"), Code: apperr.CodeInvalidWalletAddress, Message: "Must be a Solana address: 32 bytes in base58.",
			})
		} else if first, twice := seen[one.Wallet]; twice {
			bad = append(bad, apperr.Field{
				Field: splitField(i, "wallet"), Code: apperr.CodeInvalidWalletAddress,
				Message: fmt.Sprintf("Must be another wallet than that of creatorSplits[%d].", first),
			})
		} else {
			seen[one.Wallet] = i
		}
		if one.Bps < 1 || one.Bps >= FullBps {
			bad = append(bad, apperr.Field{
				Field: splitField(i, "percent"), Code: apperr.CodeInvalidPercentage, Message: "Must be a percentage from 0.01 to 99.99.",
			})
		}
		sum += min(max(one.Bps, 0), FullBps)
	}
	if len(bad) == 0 && sum != FullBps {
		bad = append(bad, apperr.Field{
			Field: "creatorSplits", Code: apperr.CodeInvalidPercentage,
			Message: fmt.Sprintf("The percentages must add up to 100; these are %s.", decimal.PercentFixed(sum)),
		})
	}
	return bad
}

// CheckReadOnly lists the fields that cannot be changed once the patch is merged into the
// settings: with splits, the wallet that gets the whole creator's share without them.
func (p Patch) CheckReadOnly(before Settings) []apperr.Field {
	if p.DeveloperWallet == nil || *p.DeveloperWallet == before.DeveloperWallet || p.Apply(before).CreatorSplits == "" {
		return nil
	}
	return []apperr.Field{{
		Field: "developerWallet", Code: apperr.CodeReadOnly,
		Message: "Cannot be changed while the creator's share is split: change creatorSplits, or send [] to end the split.",
	}}
}
