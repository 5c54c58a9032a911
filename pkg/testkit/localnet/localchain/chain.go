// Package localchain has the common parts of the local Solana chains, for both programs that run a
// chain: Surfpool, which tests use by default, and Agave's solana-test-validator.
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
	// Name is the name of the program, for messages.
	Name string
	// Process runs the chain; nil if another process has started the chain.
	Process *child.Process
	// Powers are the abilities of the program.
	Powers
	// Issuer is the authority over USDC and USDT, and has unlimited SOL; nil if there is no such
	// key.
	Issuer solana.PrivateKey
	// End ends the chain; see Stop.
	End func()
}

// Powers change a chain without regard to its rules or its clock.
type Powers interface {
	// CreateMints creates the mints of USDC and USDT on a chain that is not a fork of mainnet.
	CreateMints(ctx context.Context) error
	// SetAccount sets the account at the address.
	SetAccount(ctx context.Context, address string, a Account) error
	// FundToken sets the balance of the owner's associated token account of the mint to amount, in
	// base units. A missing account is created.
	FundToken(ctx context.Context, owner, mint string, amount uint64, tokenProgram string) error
	// WriteProgram deploys a program with this content at an address.
	WriteProgram(ctx context.Context, address string, content []byte) error
	// TimeTravel sets the chain's clock, only forwards.
	TimeTravel(ctx context.Context, to time.Time) error
	// PassSlots lets at least n slots pass.
	PassSlots(ctx context.Context, n int) error
}

// ErrPower is returned if the chain enforces the network's rules: its accounts and programs come
// from its genesis and from transactions, and its clock is real.
var ErrPower = errors.New("a real validator cannot do this after its genesis")

// Stop ends the chain.
func (c *Chain) Stop() {
	if c.End != nil {
		c.End()
	}
}

// airdropMinimum is the minimum amount of a faucet, in lamports: the rent of an empty account.
const airdropMinimum = 890_880

// Fund adds lamports (at least 890,880) to the address, by a transaction of the chain's faucet, and
// waits for the balance.
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
// The node simulates at the commitment of the transaction's blockhash. At the default commitment,
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

// Balance returns the address's balance in lamports.
func (c *Chain) Balance(ctx context.Context, address string) (uint64, error) {
	var balance struct{ Value uint64 }
	err := c.Call(ctx, &balance, "getBalance", address, Confirmed)
	return balance.Value, err
}

// Slot returns the current slot.
func (c *Chain) Slot(ctx context.Context) (uint64, error) {
	var slot uint64
	err := c.Call(ctx, &slot, "getSlot", Processed)
	return slot, err
}

// Commitments, as parameters of calls.
var (
	Processed = map[string]string{"commitment": "processed"}
	Confirmed = map[string]string{"commitment": "confirmed"}
)

// Healthy returns nil if the chain responds as healthy.
func (c *Chain) Healthy(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	var health string
	return c.Call(ctx, &health, "getHealth")
}

// Await polls happened until it returns true or an error, or the context ends.
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

// AirdropSlots lets at least n slots pass, by transactions of the faucet.
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
		// The amount differs so that all transactions differ.
		if err := c.Call(ctx, nil, "requestAirdrop", receiver, airdropMinimum+now); err != nil {
			return err
		}
	}
}
