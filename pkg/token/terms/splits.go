package terms

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/decimal"
)

// Split is the part of a wallet in the creator's share, in basis points of the share.
type Split struct {
	Wallet solana.PublicKey
	Bps    int
}

// The minimum and maximum number of wallets in a split of the creator's share.
const (
	MinSplits = 2
	MaxSplits = 10
)

// Splits are the wallets that share the creator's share. Empty means no split: DeveloperWallet gets
// the whole share. Splits is stored as the text "WALLET:BPS,WALLET:BPS", so settings can be
// compared.
type Splits string

// NewSplits encodes splits as text.
func NewSplits(list []Split) Splits {
	words := make([]string, 0, len(list))
	for _, s := range list {
		words = append(words, s.Wallet.String()+":"+strconv.Itoa(s.Bps))
	}
	return Splits(strings.Join(words, ","))
}

// List returns the wallets in order. Fields of a text that NewSplits did not return are zero.
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

// Creators returns the wallets that share the creator's part. The first wallet also gets the
// remainder of rounding.
func (s Settings) Creators() []Split {
	if list := s.CreatorSplits.List(); len(list) > 0 {
		return list
	}
	return []Split{{Wallet: s.DeveloperWallet, Bps: FullBps}}
}

// splitField returns the name of a split's field in the API.
func splitField(i int, name string) string { return fmt.Sprintf("creatorSplits[%d].%s", i, name) }

// validate lists the errors of splits.
func (s Splits) validate() (bad []apperr.Field) {
	list := s.List()
	if len(list) == 0 {
		return nil
	}
	if len(list) < MinSplits || len(list) > MaxSplits {
		return []apperr.Field{{
			Field: "creatorSplits", Code: apperr.CodeOutOfRange,
			Message: fmt.Sprintf("Must be %d to %d wallets, or none: then developerWallet gets the creator's share.", MinSplits, MaxSplits),
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

// CheckReadOnly lists the fields that cannot be changed once the patch is merged into the settings.
// With splits, developerWallet is read-only, because the wallet gets the whole creator's share
// without splits.
func (p Patch) CheckReadOnly(before Settings) []apperr.Field {
	if p.DeveloperWallet == nil || *p.DeveloperWallet == before.DeveloperWallet || p.Apply(before).CreatorSplits == "" {
		return nil
	}
	return []apperr.Field{{
		Field: "developerWallet", Code: apperr.CodeReadOnly,
		Message: "Cannot be changed while the creator's share is split: change creatorSplits, or send [] to end the split.",
	}}
}
