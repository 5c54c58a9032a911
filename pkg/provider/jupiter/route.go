package jupiter

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/proof"
	"tokenlaunch.example/service/pkg/provider/rest"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Program is Jupiter's aggregator, version 6.
var Program = proof.JupiterProgram

// layout has the positions of an instruction's accounts. The program itself represents an absent
// optional account (the program's IDL; Anchor).
type layout struct {
	discriminator                                     []byte
	authority, source, destination, mint, fee, direct int
}

// The two kinds of instructions that exchange an exact amount. The data end with the amount in and
// the quoted amount out, u64 each, the slippage in basis points, u16, and the platform fee in basis
// points, u8.
var layouts = []layout{
	// route: token program, authority, source, destination, destination token account
	// (optional), destination mint, platform fee account (optional), …
	{discriminator: hexBytes("e517cb977ae3ad2a"), authority: 1, source: 2, destination: 3, direct: 4, mint: 5, fee: 6},
	// shared_accounts_route: token program, the program's authority, authority, source,
	// the program's two accounts, destination, source mint, destination mint, platform
	// fee account (optional), …
	{discriminator: hexBytes("c1209b3341d69c81"), authority: 2, source: 3, destination: 6, direct: -1, mint: 8, fee: 9},
}

const (
	discriminatorLength = 8
	tailLength          = 8 + 8 + 2 + 1
)

func hexBytes(text string) []byte {
	b, err := hex.DecodeString(text)
	if err != nil {
		panic(err)
	}
	return b
}

// errNewKind is returned for an unknown instruction of the program.
var errNewKind = errors.New("it is an instruction of another kind")

// checkRoute returns an error if an instruction is not the exchange of the quote. The error wraps
// errNewKind if the kind of the instruction is unknown.
func checkRoute(in solana.Instruction, q exchange.Quote) error {
	data, err := in.Data()
	if err != nil {
		return err
	}
	if in.ProgramID() != Program {
		return fmt.Errorf("it calls %s", in.ProgramID())
	}
	i := slices.IndexFunc(layouts, func(l layout) bool { return bytes.HasPrefix(data, l.discriminator) })
	if i < 0 {
		return fmt.Errorf("%w, %x", errNewKind, data[:min(len(data), discriminatorLength)])
	}
	if len(data) < discriminatorLength+tailLength {
		return fmt.Errorf("it has %d bytes", len(data))
	}
	if err := layouts[i].check(in.Accounts(), q.Order); err != nil {
		return err
	}
	tail := data[len(data)-tailLength:]
	amount, quoted := binary.LittleEndian.Uint64(tail), binary.LittleEndian.Uint64(tail[8:])
	slippage, fee := binary.LittleEndian.Uint16(tail[16:]), tail[18]
	least := new(big.Int).SetUint64(quoted)
	least.Mul(least, big.NewInt(terms.FullBps-int64(slippage)))
	least.Quo(least, big.NewInt(terms.FullBps))
	switch {
	case amount != q.In:
		return fmt.Errorf("it sells %d, %d were quoted", amount, q.In)
	case least.Cmp(new(big.Int).SetUint64(q.MinimumOut)) < 0:
		return fmt.Errorf("it brings %d at least, %d were quoted", least, q.MinimumOut)
	case fee != 0:
		return fmt.Errorf("it takes a fee of %d basis points", fee)
	}
	return nil
}

func (l layout) check(metas []*solana.AccountMeta, o exchange.Order) error {
	if len(metas) <= max(l.mint, l.fee) {
		return errors.New("it lacks accounts")
	}
	at := func(i int) solana.PublicKey { return metas[i].PublicKey }
	sources, err := accounts(o.Wallet, o.Input)
	if err != nil {
		return err
	}
	destinations, err := accounts(o.Wallet, o.Output.Mint())
	if err != nil {
		return err
	}
	switch {
	case at(l.authority) != o.Wallet:
		return fmt.Errorf("%s has authority over it", at(l.authority))
	case !slices.Contains(sources, at(l.source)):
		return fmt.Errorf("it sells from %s", at(l.source))
	case !slices.Contains(destinations, at(l.destination)):
		return fmt.Errorf("it pays to %s", at(l.destination))
	case l.direct >= 0 && at(l.direct) != Program && !slices.Contains(destinations, at(l.direct)):
		return fmt.Errorf("it pays to %s", at(l.direct))
	case at(l.mint) != o.Output.Mint():
		return fmt.Errorf("it buys %s", at(l.mint))
	case at(l.fee) != Program:
		return fmt.Errorf("it pays a fee to %s", at(l.fee))
	}
	return nil
}

// accounts returns a wallet's associated accounts of a mint, under both token programs.
func accounts(wallet, mint solana.PublicKey) ([]solana.PublicKey, error) {
	old, err := token2022.AssociatedAddress(wallet, mint, solana.TokenProgramID)
	if err != nil {
		return nil, err
	}
	now, err := token2022.AssociatedAddress(wallet, mint, solana.Token2022ProgramID)
	return []solana.PublicKey{old, now}, err
}

// unitLimit returns the compute unit limit of Jupiter's response; zero if the response has no
// limit.
func unitLimit(budget []rest.Instruction) uint32 {
	const setUnitLimit = 2
	for _, encoded := range budget {
		in, err := encoded.Decode()
		if err != nil || in.ProgramID() != solana.ComputeBudget {
			continue
		}
		if data, err := in.Data(); err == nil && len(data) == 5 && data[0] == setUnitLimit {
			return binary.LittleEndian.Uint32(data[1:])
		}
	}
	return 0
}

// maxImpactLength is the maximum length of a price impact. Jupiter writes about 30 digits.
const maxImpactLength = 64

// parseImpact parses a price impact, a decimal fraction ("0.0123" is 1.23%), and returns basis
// points, rounded up. A favorable impact is zero.
func parseImpact(text string) (int, error) {
	digits := strings.TrimPrefix(text, "-")
	if digits == "" || len(text) > maxImpactLength || strings.Trim(digits, "0123456789.") != "" {
		return 0, errors.New("the price impact is no number")
	}
	impact, ok := new(big.Rat).SetString(text)
	if !ok {
		return 0, errors.New("the price impact is no number")
	}
	if impact.Sign() <= 0 {
		return 0, nil
	}
	impact.Mul(impact, big.NewRat(terms.FullBps, 1))
	up := new(big.Int).Add(impact.Num(), new(big.Int).Sub(impact.Denom(), big.NewInt(1)))
	up.Quo(up, impact.Denom())
	if !up.IsInt64() || up.Int64() > terms.FullBps {
		return terms.FullBps, nil
	}
	return int(up.Int64()), nil
}
