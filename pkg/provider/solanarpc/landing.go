package solanarpc

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/wire"
)

// historyLength is how many transactions of an account History reads. Anybody can
// name the account in theirs.
const historyLength = 1000

// NonceAt reads a nonce account as of a finalized slot; see payout.Chain.
func (c *Client) NonceAt(ctx context.Context, address solana.PublicKey, from uint64) (solana.Hash, uint64, error) {
	accounts, slot, err := c.AccountsAt(ctx, from, address)
	if err != nil {
		return solana.Hash{}, 0, err
	}
	value, err := nonceValue(address, accounts[0])
	return value, slot, err
}

// NoncesAt reads nonce accounts as of finalized slots; see payout.Chain.
func (c *Client) NoncesAt(ctx context.Context, from uint64, addresses ...solana.PublicKey) (values []solana.Hash, slot uint64, err error) {
	for part := range slices.Chunk(addresses, MaxAccounts) {
		accounts, at, err := c.AccountsAt(ctx, from, part...)
		if err != nil {
			return nil, 0, err
		}
		for i, account := range accounts {
			value, err := nonceValue(part[i], account)
			if err != nil {
				return nil, 0, err
			}
			values = append(values, value)
		}
		if slot == 0 || at < slot {
			slot = at
		}
	}
	return values, slot, nil
}

// nonceValue reads a nonce account; zero when there is none.
func nonceValue(address solana.PublicKey, account *onchain.Account) (solana.Hash, error) {
	if account == nil || len(account.Data) == 0 {
		return solana.Hash{}, nil
	}
	state, err := systemprogram.DecodeNonce(account.Owner, account.Data)
	if err != nil {
		return solana.Hash{}, fmt.Errorf("read nonce %s: %w", address, err)
	}
	return state.Value, nil
}

// finalSlots is how many slots after its own a transaction is final: so many votes make
// a block the root of the fork (Agave, MAX_LOCKOUT_HISTORY, 31, and the root itself).
const finalSlots = 32

// Sightings say how far transactions have come; see payout.Chain.
func (c *Client) Sightings(ctx context.Context, signatures ...solana.Signature) ([]payout.Sighting, error) {
	statuses, slot, err := c.statuses(ctx, false, signatures)
	if err != nil {
		return nil, err
	}
	list := make([]payout.Sighting, len(statuses))
	for i, status := range statuses {
		list[i].Seen = status.Found
		if status.Found && !status.At(Finalized) {
			list[i].Left = 1
			if final := status.Slot + finalSlots; final > slot {
				list[i].Left = final - slot
			}
		}
	}
	return list, nil
}

// Landings gives those of the transactions that are finalized, in their order; see
// payout.Chain.
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

func landing(signature solana.Signature, slot uint64, failure *TransactionError) payout.Landing {
	l := payout.Landing{Signature: signature, Slot: slot}
	if failure != nil {
		l.Failed = failure.Error()
	}
	return l
}

// History gives the newest finalized transactions that name an account, newest
// first; see payout.Chain.
func (c *Client) History(ctx context.Context, account solana.PublicKey) ([]payout.Landing, error) {
	var list []struct {
		Signature  solana.Signature  `json:"signature"`
		Slot       uint64            `json:"slot"`
		Err        *TransactionError `json:"err"`
		Commitment Commitment        `json:"confirmationStatus"`
	}
	err := c.call(ctx, &list, "getSignaturesForAddress", account, object{"commitment": Finalized, "limit": historyLength})
	if err != nil {
		return nil, err
	}
	var landed []payout.Landing
	for _, entry := range list {
		// Not every node keeps to the commitment.
		if entry.Commitment == Finalized {
			landed = append(landed, landing(entry.Signature, entry.Slot, entry.Err))
		}
	}
	return landed, nil
}

// tokenBalance is one account's tokens before or after a transaction.
type tokenBalance struct {
	Mint   solana.PublicKey `json:"mint"`
	Owner  solana.PublicKey `json:"owner"`
	Amount struct {
		Amount string `json:"amount"`
	} `json:"uiTokenAmount"`
}

// Effect says what a finalized transaction did to its fee payer, by its own
// balances before and after; see payout.Chain.
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
		// The local chain takes the priority fee of a legacy transaction and does not count
		// it. That of version 1 it does not take.
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

// count adds an owner's balances to their sums by mint, with a sign.
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

// BlockhashLives says whether a blockhash is valid for the finalized block; see
// payout.Chain. One that is too new for that block is not: ask when it is old.
func (c *Client) BlockhashLives(ctx context.Context, blockhash solana.Hash) (bool, error) {
	var result contextual[bool]
	err := c.call(ctx, &result, "isBlockhashValid", blockhash, object{"commitment": Finalized})
	return result.Value, err
}

// Try says what the network would make of a transaction; see payout.Chain.
func (c *Client) Try(ctx context.Context, tx []byte) (payout.Trial, error) {
	var result contextual[struct {
		Err           *TransactionError `json:"err"`
		Logs          []string          `json:"logs"`
		UnitsConsumed uint32            `json:"unitsConsumed"`
	}]
	err := c.call(ctx, &result, "simulateTransaction", base64.StdEncoding.EncodeToString(tx),
		object{"commitment": Confirmed, "encoding": "base64", "sigVerify": false})
	var refusal *rpcError
	if errors.As(err, &refusal) && decided(err) && wire.IsV1(tx) {
		return payout.Trial{Detail: "The node does not take transactions of version 1: " + refusal.Error()}, nil
	}
	if err != nil {
		return payout.Trial{}, err
	}
	v := result.Value
	if v.Err == nil {
		return payout.Trial{OK: true, Units: v.UnitsConsumed}, nil
	}
	return payout.Trial{
		Passing: v.Err.passing(), Funds: v.Err.lacksFunds(tx, v.Logs),
		Units: v.UnitsConsumed, Detail: v.Err.Explain(tx, v.Logs),
	}, nil
}

// passing reports whether a simulation failed for the moment's sake: what the
// transaction stands on, or how busy the node is.
func (e *TransactionError) passing() bool {
	switch e.Name {
	case "AccountInUse", "BlockhashNotFound", "AlreadyProcessed", "ClusterMaintenance", "ProgramCacheHitMaxLimit",
		"WouldExceedMaxBlockCostLimit", "WouldExceedAccountDataBlockLimit", "WouldExceedMaxAccountCostLimit",
		"WouldExceedMaxVoteCostLimit", "WouldExceedAccountDataTotalLimit", "ResanitizationNeeded",
		"ProgramExecutionTemporarilyRestricted":
		return true
	}
	return false
}
