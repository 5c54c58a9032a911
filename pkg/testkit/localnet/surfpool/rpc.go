package surfpool

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/gagliardetto/solana-go"
)

// maxAnswer bounds an RPC answer, in bytes.
const maxAnswer = 64 << 20

// Call makes one JSON-RPC call and decodes its result into result, which may be
// nil.
func (c *Chain) Call(ctx context.Context, result any, method string, params ...any) error {
	if params == nil {
		params = []any{}
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		return fmt.Errorf("encode %s: %w", method, err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.RPCURL, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("call %s: %w", method, err)
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("call %s: %w", method, err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return fmt.Errorf("read the answer to %s: %w", method, err)
	}
	var answer struct {
		Result json.RawMessage
		Error  *struct {
			Code    int
			Message string
		}
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		return fmt.Errorf("decode the answer to %s (%s): %w", method, response.Status, err)
	}
	if answer.Error != nil {
		return fmt.Errorf("%s: error %d: %s", method, answer.Error.Code, answer.Error.Message)
	}
	if result == nil {
		return nil
	}
	if err := json.Unmarshal(answer.Result, result); err != nil {
		return fmt.Errorf("decode the result of %s: %w", method, err)
	}
	return nil
}

// Account is what an address holds.
type Account struct {
	Lamports   uint64
	Owner      string // base58; the System program's if empty
	Data       []byte
	Executable bool
}

// SystemProgram, TokenProgram and Token2022Program are owners of accounts.
const (
	SystemProgram    = "11111111111111111111111111111111"
	TokenProgram     = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA" // #nosec G101 -- an address
	Token2022Program = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb" // #nosec G101 -- an address
)

// SetAccount makes the address hold exactly this.
func (c *Chain) SetAccount(ctx context.Context, address string, a Account) error {
	if a.Owner == "" {
		a.Owner = SystemProgram
	}
	return c.Call(ctx, nil, "surfnet_setAccount", address, map[string]any{
		"lamports":   a.Lamports,
		"owner":      a.Owner,
		"data":       hex.EncodeToString(a.Data),
		"executable": a.Executable,
	})
}

// airdropMinimum is the least that the faucet gives, in lamports: the rent of an
// empty account.
const airdropMinimum = 890_880

// Fund gives the address this many lamports (at least 890,880) on top of what it
// has, by a transaction of the chain's faucet, and waits until they are there.
func (c *Chain) Fund(ctx context.Context, address string, lamports uint64) error {
	before, err := c.Balance(ctx, address)
	if err != nil {
		return err
	}
	if err := c.Call(ctx, nil, "requestAirdrop", address, lamports); err != nil {
		return err
	}
	return c.await(ctx, func() (bool, error) {
		now, err := c.Balance(ctx, address)
		return now >= before+lamports, err
	})
}

// Balance is the address's lamports.
func (c *Chain) Balance(ctx context.Context, address string) (uint64, error) {
	var balance struct{ Value uint64 }
	err := c.Call(ctx, &balance, "getBalance", address, confirmed)
	return balance.Value, err
}

// FundToken sets the balance of the owner's associated token account of the
// mint to amount, in base units, and makes the account when it is absent.
func (c *Chain) FundToken(ctx context.Context, owner, mint string, amount uint64, tokenProgram string) error {
	return c.Call(ctx, nil, "surfnet_setTokenAccount", owner, mint, map[string]any{"amount": amount}, tokenProgram)
}

// TimeTravel sets the chain's clock, forwards only.
func (c *Chain) TimeTravel(ctx context.Context, to time.Time) error {
	return c.Call(ctx, nil, "surfnet_timeTravel", map[string]any{"absoluteTimestamp": to.UnixMilli()})
}

// Slot is the current slot.
func (c *Chain) Slot(ctx context.Context) (uint64, error) {
	var slot uint64
	err := c.Call(ctx, &slot, "getSlot", processed)
	return slot, err
}

var (
	processed = map[string]string{"commitment": "processed"}
	confirmed = map[string]string{"commitment": "confirmed"}
)

func (c *Chain) await(ctx context.Context, happened func() (bool, error)) error {
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

// PassSlots lets at least n slots pass, by that many transactions of the faucet.
func (c *Chain) PassSlots(ctx context.Context, n int) error {
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
