package market_test

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"
	"pgregory.net/rapid"

	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/token2022"
)

// account is the chain's record of any address.
type account struct {
	owner solana.PublicKey
	data  []byte
	found bool
	err   error
}

func (a account) Account(context.Context, solana.PublicKey) (onchain.Account, bool, error) {
	return onchain.Account{Owner: a.owner, Data: a.data}, a.found, a.err
}

// plainMint has 6 decimals and a supply of 1000.
func plainMint() []byte {
	data := make([]byte, 82)
	binary.LittleEndian.PutUint64(data[36:], 1000)
	data[44], data[45] = 6, 1
	return data
}

// extended adds extensions of the given types, with as many zeros as each has bytes.
func extended(types ...token2022.ExtensionType) []byte {
	data := append(plainMint(), make([]byte, 166-82)...)
	data[165] = 1
	lengths := map[token2022.ExtensionType]int{token2022.ExtensionTransferFeeConfig: 108, token2022.ExtensionTokenMetadata: 80}
	for _, e := range types {
		n := lengths[e]
		if n == 0 {
			n = 64
		}
		data = binary.LittleEndian.AppendUint16(data, uint16(e))
		data = binary.LittleEndian.AppendUint16(data, uint16(n))
		data = append(data, make([]byte, n)...)
	}
	return data
}

func TestAcceptedMints(t *testing.T) {
	address := solana.NewWallet().PublicKey()
	ours := []token2022.ExtensionType{token2022.ExtensionTransferFeeConfig, token2022.ExtensionMetadataPointer, token2022.ExtensionTokenMetadata}
	for name, c := range map[string]struct {
		owner             solana.PublicKey
		data              []byte
		taxed             bool
		vault, associated uint64
	}{
		"the older program": {solana.TokenProgramID, plainMint(), false, 165, 165},
		"no extensions":     {solana.Token2022ProgramID, plainMint(), false, 165, 170},
		"metadata":          {solana.Token2022ProgramID, extended(ours[1:]...), false, 165, 170},
		"our own":           {solana.Token2022ProgramID, extended(ours...), true, 178, 182},
	} {
		m, err := market.ReadMint(t.Context(), account{owner: c.owner, data: c.data, found: true}, address)
		if err != nil || m.Address != address || m.Program != c.owner || m.Decimals != 6 || m.Supply != 1000 || (m.Fee != nil) != c.taxed {
			t.Errorf("ReadMint(), %s = %+v, %v; want a mint with a tax: %t", name, m, err, c.taxed)
		}
		if m.VaultSize() != c.vault || m.AssociatedSize() != c.associated {
			t.Errorf("%s: accounts of %d and %d bytes, want %d and %d", name, m.VaultSize(), m.AssociatedSize(), c.vault, c.associated)
		}
	}
}

// Every extension except our three is rejected by name, known or not.
func TestRejectedMints(t *testing.T) {
	address := solana.NewWallet().PublicKey()
	taken := []token2022.ExtensionType{token2022.ExtensionTransferFeeConfig, token2022.ExtensionMetadataPointer, token2022.ExtensionTokenMetadata}
	for e := token2022.ExtensionType(1); e < 40; e++ {
		if slices.Contains(taken, e) {
			continue
		}
		_, err := market.CheckMint(address, solana.Token2022ProgramID, extended(taken[1], e))
		refusal, ok := errors.AsType[*apperr.Error](err)
		if !ok || refusal.Code.String() != "unsupported_token" || refusal.Kind() != apperr.Invalid ||
			len(refusal.Fields) != 1 || refusal.Fields[0].Field != "tokenMint" || !strings.Contains(refusal.Detail, e.String()) {
			t.Errorf("CheckMint() with extension %s: %v, want unsupported_token that names it", e, err)
		}
	}
	for name, c := range map[string]struct {
		mint  solana.PublicKey
		chain account
		code  string
	}{
		"wrapped SOL": {solana.WrappedSol, account{owner: solana.TokenProgramID, data: plainMint(), found: true}, "unsupported_token"},
		"nothing":     {address, account{}, "token_not_found"},
		"a wallet":    {address, account{owner: solana.SystemProgramID, found: true}, "token_not_found"},
		"no mint":     {address, account{owner: solana.TokenProgramID, data: make([]byte, 165), found: true}, "token_not_found"},
		"no node":     {address, account{err: apperr.Upstream("The network", nil)}, "upstream_unavailable"},
	} {
		if _, err := market.ReadMint(t.Context(), c.chain, c.mint); apperr.CodeOf(err) != c.code {
			t.Errorf("%s: %v, want %s", name, err, c.code)
		}
	}
}

// The gross amount delivers the net amount, and a unit less would not, except for a tax of 100 %,
// at which nothing arrives.
func TestTaxForIsMinimal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		fee := token2022.TransferFee{
			BasisPoints: rapid.Uint16Range(0, 10_000).Draw(t, "basis points"),
			MaximumFee:  rapid.Uint64().Draw(t, "maximum"),
		}
		m := market.Mint{Fee: &token2022.TransferFeeConfig{Older: token2022.TransferFee{BasisPoints: 1}, Newer: fee}}
		arriving := rapid.Uint64().Draw(t, "arriving")
		tax, ok := m.TaxFor(1, arriving)
		if !ok {
			if fee.BasisPoints < 10_000 && arriving <= math.MaxUint64/10_000/2 {
				t.Fatalf("%d cannot arrive with a fee of %+v", arriving, fee)
			}
			return
		}
		sent := arriving + tax
		if m.TaxOn(1, sent) != tax || sent < arriving {
			t.Errorf("of %d, %d are withheld and not %d", sent, m.TaxOn(1, sent), tax)
		}
		if arriving > 0 && sent-1-m.TaxOn(1, sent-1) >= arriving {
			t.Errorf("%d would do as well as %d for %d to arrive", sent-1, sent, arriving)
		}
	})
}

func TestTaxHoldsFromItsEpoch(t *testing.T) {
	m := market.Mint{Fee: &token2022.TransferFeeConfig{
		Older: token2022.TransferFee{BasisPoints: 100, MaximumFee: math.MaxUint64},
		Newer: token2022.TransferFee{BasisPoints: 500, MaximumFee: 30, Epoch: 7},
	}}
	if got := m.TaxOn(6, 1000); got != 10 {
		t.Errorf("before: %d", got)
	}
	if got := m.TaxOn(7, 1000); got != 30 {
		t.Errorf("after: %d", got)
	}
	if tax, ok := m.TaxFor(7, 970); tax != 30 || !ok {
		t.Errorf("at the limit: %d, %v", tax, ok)
	}
	if got := (market.Mint{}).TaxOn(1, math.MaxUint64); got != 0 {
		t.Errorf("without a tax: %d", got)
	}
	if tax, ok := (market.Mint{}).TaxFor(1, math.MaxUint64); tax != 0 || !ok {
		t.Errorf("without a tax: %d, %v", tax, ok)
	}
}
