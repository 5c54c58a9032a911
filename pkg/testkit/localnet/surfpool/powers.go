package surfpool

import (
	"context"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/testkit/localnet/localchain"
)

// Account and the addresses are copied from package localchain.
type Account = localchain.Account

// See package localchain.
const (
	SystemProgram    = localchain.SystemProgram
	TokenProgram     = localchain.TokenProgram
	Token2022Program = localchain.Token2022Program
	USDC             = localchain.USDC
	USDT             = localchain.USDT
)

// powers are Surfpool's calls, which no validator has.
type powers struct{ chain *Chain }

// stablecoinSupply is the number of base units of each stablecoin that are in no account.
const stablecoinSupply = 1_000_000_000_000_000

// CreateMints creates USDC and USDT on an offline chain. Their authorities are an address without a
// key.
func (p powers) CreateMints(ctx context.Context) error {
	for mint, account := range localchain.Stablecoins(solana.SysVarRentPubkey, stablecoinSupply) {
		if err := p.SetAccount(ctx, mint, account); err != nil {
			return fmt.Errorf("create the mint %s: %w", mint, err)
		}
	}
	return nil
}

func (p powers) SetAccount(ctx context.Context, address string, a Account) error {
	if a.Owner == "" {
		a.Owner = SystemProgram
	}
	return p.chain.Call(ctx, nil, "surfnet_setAccount", address, map[string]any{
		"lamports":   a.Lamports,
		"owner":      a.Owner,
		"data":       hex.EncodeToString(a.Data),
		"executable": a.Executable,
	})
}

func (p powers) FundToken(ctx context.Context, owner, mint string, amount uint64, tokenProgram string) error {
	return p.chain.Call(ctx, nil, "surfnet_setTokenAccount", owner, mint, map[string]any{"amount": amount}, tokenProgram)
}

// chunk is the number of bytes of a program that one call writes.
const chunk = 400_000

func (p powers) WriteProgram(ctx context.Context, address string, content []byte) error {
	for at := 0; at < len(content); at += chunk {
		piece := content[at:min(at+chunk, len(content))]
		if err := p.chain.Call(ctx, nil, "surfnet_writeProgram", address, hex.EncodeToString(piece), at); err != nil {
			return err
		}
	}
	return nil
}

func (p powers) TimeTravel(ctx context.Context, to time.Time) error {
	return p.chain.Call(ctx, nil, "surfnet_timeTravel", map[string]any{"absoluteTimestamp": to.UnixMilli()})
}

// PassSlots lets slots pass by transactions, each of which may be a slot.
func (p powers) PassSlots(ctx context.Context, n int) error { return p.chain.AirdropSlots(ctx, n) }
