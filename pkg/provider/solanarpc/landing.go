package solanarpc

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/txerror"
	"tokenlaunch.example/service/pkg/solana/wire"
)

// historyPages is the maximum number of pages that History reads. Anyone can name an account in
// transactions, at 5,000 lamports for each transaction.
const historyPages = 3

// SignatureStatuses returns the status of transactions; see payout.Chain. If finality cannot be measured,
// Left is zero.
func (c *Client) SignatureStatuses(ctx context.Context, signatures ...solana.Signature) ([]payout.SignatureStatus, error) {
	statuses, slot, err := c.statuses(ctx, false, signatures)
	if err != nil {
		return nil, err
	}
	list := make([]payout.SignatureStatus, len(statuses))
	pending := false
	for i, status := range statuses {
		list[i] = payout.SignatureStatus{Seen: status.Found, Final: status.At(Finalized)}
		pending = pending || status.Found && !list[i].Final
	}
	if !pending {
		return list, nil
	}
	final, err := c.FinalTime(ctx)
	if err != nil {
		return list, nil //nolint:nilerr // what was seen is known without it
	}
	each, err := c.SlotTime(ctx)
	if err != nil {
		return list, nil //nolint:nilerr // as above
	}
	for i, status := range statuses {
		if list[i].Seen && !list[i].Final {
			since := min(slot-min(status.Slot, slot), maxLag)
			list[i].Left = max(final-time.Duration(since)*each, 0)
		}
	}
	return list, nil
}

// Landings returns the finalized transactions among signatures, in order; see payout.Chain.
func (c *Client) Landings(ctx context.Context, signatures ...solana.Signature) ([]payout.Landing, error) {
	statuses, err := c.Statuses(ctx, signatures...)
	if err != nil {
		return nil, err
	}
	var landed []payout.Landing
	for i, status := range statuses {
		if status.At(Finalized) {
			landed = append(landed, landing(signatures[i], status.Slot, status.Err))
		}
	}
	return landed, nil
}

func landing(signature solana.Signature, slot uint64, failure *txerror.Error) payout.Landing {
	l := payout.Landing{Signature: signature, Slot: slot}
	if failure != nil {
		l.Failed = failure.Error()
		l.Poor = failure.Instruction == 0 && failure.Account == 0
	}
	return l
}

// History returns the finalized transactions that name an account, newest first; see payout.Chain.
func (c *Client) History(ctx context.Context, account solana.PublicKey) (landed []payout.Landing, complete bool, err error) {
	var before solana.Signature
	for range historyPages {
		options := object{"commitment": Finalized, "limit": MaxSignatures}
		if !before.IsZero() {
			options["before"] = before
		}
		var list []struct {
			Signature  solana.Signature `json:"signature"`
			Slot       uint64           `json:"slot"`
			Err        *txerror.Error   `json:"err"`
			Commitment Commitment       `json:"confirmationStatus"`
		}
		err := c.call(ctx, &list, "getSignaturesForAddress", account, options)
		if err != nil {
			return nil, false, err
		}
		for _, entry := range list {
			before = entry.Signature
			// Some nodes ignore the commitment.
			if entry.Commitment == Finalized {
				landed = append(landed, landing(entry.Signature, entry.Slot, entry.Err))
			}
		}
		if len(list) < MaxSignatures {
			return landed, true, nil
		}
	}
	return landed, false, nil
}

// tokenBalance is the token balance of one account before or after a transaction.
type tokenBalance struct {
	Account int              `json:"accountIndex"`
	Mint    solana.PublicKey `json:"mint"`
	Owner   solana.PublicKey `json:"owner"`
	Amount  struct {
		Amount string `json:"amount"`
	} `json:"uiTokenAmount"`
}

// Effect returns the balance changes of a finalized transaction's fee payer, from the transaction's
// own balances before and after; see payout.Chain.
func (c *Client) Effect(ctx context.Context, signature solana.Signature) (effect payout.Effect, found bool, err error) {
	var result *struct {
		Transaction encoded `json:"transaction"`
		Meta        *struct {
			Fee        uint64         `json:"fee"`
			Pre        []uint64       `json:"preBalances"`
			Post       []uint64       `json:"postBalances"`
			PreTokens  []tokenBalance `json:"preTokenBalances"`
			PostTokens []tokenBalance `json:"postTokenBalances"`
		} `json:"meta"`
	}
	err = c.call(ctx, &result, "getTransaction", signature,
		object{"commitment": Finalized, "encoding": "base64", "maxSupportedTransactionVersion": maxVersion})
	if err != nil || result == nil || result.Meta == nil {
		return payout.Effect{}, false, err
	}
	tx, err := wire.ParseOwn(result.Transaction)
	if err == nil && (len(result.Meta.Pre) == 0 || len(result.Meta.Post) == 0) {
		err = errors.New("it has no balances")
	}
	effect = payout.Effect{FeeLamports: result.Meta.Fee, Tokens: map[solana.PublicKey]int64{}}
	if err == nil {
		payer := tx.Message().FeePayer()
		// The local chain charges the priority fee of a legacy transaction without reporting the
		// fee. The local chain does not charge the priority fee of a transaction of version 1.
		if _, v1 := tx.Message().V1(); !v1 {
			effect.FeeLamports = max(effect.FeeLamports, payout.FeeOf(tx.Message()))
		}
		effect.Lamports = int64(result.Meta.Post[0] - result.Meta.Pre[0]) //nolint:gosec // wraps to the difference
		err = errors.Join(
			count(effect.Tokens, payer, result.Meta.PreTokens, -1),
			count(effect.Tokens, payer, result.Meta.PostTokens, 1))
	}
	if err != nil {
		return payout.Effect{}, false, apperr.Upstream(upstream, fmt.Errorf("read transaction %s: %w", signature, err))
	}
	maps.DeleteFunc(effect.Tokens, func(_ solana.PublicKey, change int64) bool { return change == 0 })
	return effect, true, nil
}

// count adds an owner's balances to the sums by mint, with a sign.
func count(sums map[solana.PublicKey]int64, owner solana.PublicKey, balances []tokenBalance, sign int64) error {
	for _, b := range balances {
		if b.Owner != owner {
			continue
		}
		amount, err := strconv.ParseUint(b.Amount.Amount, 10, 64)
		if err != nil {
			return fmt.Errorf("a balance of %s: %w", b.Mint, err)
		}
		sums[b.Mint] += sign * int64(amount) //nolint:gosec // wraps; the difference fits
	}
	return nil
}

// Opened reports whether a finalized transaction gave an account the first lamports; see
// payout.Chain.
func (c *Client) Opened(ctx context.Context, signature solana.Signature, account solana.PublicKey) (bool, error) {
	var result *struct {
		Transaction struct {
			Message struct {
				Accounts []solana.PublicKey `json:"accountKeys"`
			} `json:"message"`
		} `json:"transaction"`
		Meta *struct {
			Pre    []uint64 `json:"preBalances"`
			Post   []uint64 `json:"postBalances"`
			Loaded struct {
				Writable []solana.PublicKey `json:"writable"`
			} `json:"loadedAddresses"`
		} `json:"meta"`
	}
	err := c.call(ctx, &result, "getTransaction", signature,
		object{"commitment": Finalized, "encoding": "json", "maxSupportedTransactionVersion": maxVersion})
	if err != nil || result == nil || result.Meta == nil {
		return false, err
	}
	m := result.Meta
	at := slices.Index(slices.Concat(result.Transaction.Message.Accounts, m.Loaded.Writable), account)
	return at >= 0 && at < len(m.Pre) && at < len(m.Post) && m.Pre[at] == 0 && m.Post[at] > 0, nil
}

// Try simulates a transaction; see payout.Chain.
func (c *Client) Try(ctx context.Context, tx []byte) (payout.SimulationResult, error) {
	var result contextual[struct {
		Err           *txerror.Error `json:"err"`
		Logs          []string       `json:"logs"`
		UnitsConsumed uint32         `json:"unitsConsumed"`
		LoadedData    uint32         `json:"loadedAccountsDataSize"`
	}]
	err := c.call(ctx, &result, "simulateTransaction", base64.StdEncoding.EncodeToString(tx),
		object{"commitment": Confirmed, "encoding": "base64", "sigVerify": false})
	var refusal *rpcError
	if errors.As(err, &refusal) && decided(err) && wire.IsV1(tx) {
		return payout.SimulationResult{Detail: "The node does not take transactions of version 1: " + refusal.Error()}, nil
	}
	if err != nil {
		return payout.SimulationResult{}, err
	}
	v := result.Value
	if v.Err == nil {
		return payout.SimulationResult{OK: true, Units: v.UnitsConsumed, Data: v.LoadedData}, nil
	}
	return payout.SimulationResult{
		Transient: v.Err.Transient(), First: v.Err.Name == txerror.InstructionError && v.Err.Instruction == 0, Funds: v.Err.LacksFunds(tx, v.Logs),
		Units: v.UnitsConsumed, Detail: v.Err.Explain(tx, v.Logs),
	}, nil
}
