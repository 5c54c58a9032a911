// Package localchain is what the local Solana chains have in common, whichever program runs one:
// Surfpool, which tests use by default, or Agave's solana-test-validator.
package localchain

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/testkit/localnet/child"
)

// Chain is a running chain on loopback.
type Chain struct {
	RPCURL string // http://127.0.0.1:<port>
	WSURL  string // ws://127.0.0.1:<port>
	// Name is that of the program, for messages.
	Name string
	// Process runs the chain; nil where another process than this one has started it.
	Process *child.Process
	// Powers are what only this program can do to its chain.
	Powers
	// Issuer is the authority over USDC and USDT, and has SOL without end; nil where there is no such key.
	Issuer solana.PrivateKey
	// End ends the chain; see Stop.
	End func()
}

// Powers change a chain past its rules, or past its clock.
type Powers interface {
	// CreateMints makes the mints of USDC and USDT exist on a chain that is no fork of mainnet.
	CreateMints(ctx context.Context) error
	// SetAccount makes the address hold exactly this.
	SetAccount(ctx context.Context, address string, a Account) error
	// FundToken sets the balance of the owner's associated token account of the mint to amount,
	// in base units, and makes the account when it is absent.
	FundToken(ctx context.Context, owner, mint string, amount uint64, tokenProgram string) error
	// WriteProgram makes an address a program of this content.
	WriteProgram(ctx context.Context, address string, content []byte) error
	// TimeTravel sets the chain's clock, forwards only.
	TimeTravel(ctx context.Context, to time.Time) error
	// PassSlots lets at least n slots pass.
	PassSlots(ctx context.Context, n int) error
}

// ErrPower means that the chain keeps the network's rules: its accounts and programs are those of
// its genesis and of transactions, and its clock is the real one.
var ErrPower = errors.New("a real validator cannot do this after its genesis")

// Stop ends the chain.
func (c *Chain) Stop() {
	if c.End != nil {
		c.End()
	}
}

// airdropMinimum is the least that a faucet gives, in lamports: the rent of an empty account.
const airdropMinimum = 890_880

// Fund gives the address this many lamports (at least 890,880) on top of what it
// has, by a transaction of the chain's faucet, and waits until they are there.
func (c *Chain) Fund(ctx context.Context, address string, lamports uint64) error {
	before, err := c.Balance(ctx, address)
	if err != nil {
		return err
	}
	if err := c.Call(ctx, nil, "requestAirdrop", address, lamports, Confirmed); err != nil {
		return err
	}
	return c.Await(ctx, func() (bool, error) {
		now, err := c.Balance(ctx, address)
		return now >= before+lamports, err
	})
}

// Send sends an encoded transaction, and returns its signature when the transaction is confirmed.
// The node tries it at the commitment at which its blockhash was told: at the default one,
// finalized, a validator does not know a blockhash of the last seconds.
func (c *Chain) Send(ctx context.Context, transaction string) (signature string, err error) {
	err = c.Call(ctx, &signature, "sendTransaction", transaction, map[string]string{"encoding": "base64", "preflightCommitment": "confirmed"})
	if err != nil {
		return "", err
	}
	return signature, c.Await(ctx, func() (bool, error) {
		var statuses struct {
			Value []*struct {
				ConfirmationStatus string
				Err                any
			}
		}
		if err := c.Call(ctx, &statuses, "getSignatureStatuses", []string{signature}); err != nil {
			return false, err
		}
		if len(statuses.Value) != 1 || statuses.Value[0] == nil || statuses.Value[0].ConfirmationStatus == "processed" {
			return false, nil
		}
		if failed := statuses.Value[0].Err; failed != nil {
			return false, fmt.Errorf("transaction %s failed: %v", signature, failed)
		}
		return true, nil
	})
}

// Balance is the address's lamports.
func (c *Chain) Balance(ctx context.Context, address string) (uint64, error) {
	var balance struct{ Value uint64 }
	err := c.Call(ctx, &balance, "getBalance", address, Confirmed)
	return balance.Value, err
}

// Slot is the current slot.
func (c *Chain) Slot(ctx context.Context) (uint64, error) {
	var slot uint64
	err := c.Call(ctx, &slot, "getSlot", Processed)
	return slot, err
}

// Commitments, as calls name them.
var (
	Processed = map[string]string{"commitment": "processed"}
	Confirmed = map[string]string{"commitment": "confirmed"}
)

// Healthy returns nil when the chain answers and counts slots.
func (c *Chain) Healthy(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	var health string
	return c.Call(ctx, &health, "getHealth")
}

// Await asks again and again until something has happened, for as long as the context lasts.
func (c *Chain) Await(ctx context.Context, happened func() (bool, error)) error {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		done, err := happened()
		if done || err != nil {
			return err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("wait for the chain: %w", ctx.Err())
		}
	}
}

// AirdropSlots lets at least n slots pass, by that many transactions of the faucet.
func (c *Chain) AirdropSlots(ctx context.Context, n int) error {
	start, err := c.Slot(ctx)
	if err != nil {
		return err
	}
	receiver := solana.NewWallet().PublicKey().String()
	for {
		now, err := c.Slot(ctx)
		if err != nil {
			return err
		}
		if now >= start+uint64(max(n, 0)) {
			return nil
		}
		// The amount differs so that no transaction repeats another.
		if err := c.Call(ctx, nil, "requestAirdrop", receiver, airdropMinimum+now); err != nil {
			return err
		}
	}
}
