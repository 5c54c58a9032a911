package run

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// payFor is the part of an interval, in percent, after which no new payment is
// begun, so that a run is over when the next one is due.
const payFor = 80

// open writes a new run, with the settings in force now. One that cannot begin is
// written as skipped, so that the creator sees why.
func (m Machine) open(ctx context.Context, head Head, slot time.Time) (payout.Next, error) {
	record, err := m.Tokens.Token(ctx, head.Mint)
	if err != nil {
		return payout.Next{}, fmt.Errorf("read token %s: %w", head.Mint, err)
	}
	if record.Status != token.Confirmed || head.Frozen != "" {
		return done, nil
	}
	now := m.Now().UTC()
	r := Run{
		ID: terms.RunID(head.Mint, slot), Mint: head.Mint, Slot: slot.UTC(), OpenedAt: now,
		Settings: record.Settings,
		Token: Token{
			ID: record.ID, Name: record.Name, Symbol: record.Symbol,
			Decimals: uint8(record.Decimals),        //nolint:gosec // 6 or 9
			FeeBps:   uint16(record.TransferFeeBps), //nolint:gosec // at most 10,000
			Wallet:   record.Wallet, Creator: record.Creator, Vaults: m.vaults(record),
		},
	}
	from := slot
	if late := now.Sub(slot); late > record.Settings.Interval.Duration()*(100-payFor)/100 {
		from = now
	}
	r.Deadline = from.Add(record.Settings.Interval.Duration() * payFor / 100).UTC()

	coin, why, err := m.coin(ctx, record.Settings)
	switch {
	case err != nil:
		return payout.Next{}, err
	case !record.Settings.Enabled:
		r.End = &End{Code: CodePaused, Detail: "Distribution is switched off. The tax goes on collecting and is in the first run after it is switched on."}
	case why != "":
		r.End = &End{Code: CodeReward, Detail: why}
	}
	before := head.Ended
	r.Reward = coin
	head.LastSlot = slot.UTC()
	if r.End != nil {
		r.End.At, head.Ended = now, r.End.Code
	} else {
		head.Active = slot.UTC()
	}
	if err := m.Store.Open(ctx, head, r); err != nil {
		return payout.Next{}, err
	}
	if r.End != nil {
		m.ended(ctx, r)
		m.tell(ctx, r, before)
		return done, nil
	}
	return after(0), nil
}

// vaults lists the owners of a token's vaults, each once: those of any pool, and of
// the pools that its record names.
func (m Machine) vaults(record token.Record) []solana.PublicKey {
	list := slices.Clone(m.Vaults)
	for _, pool := range record.Pools {
		if !pool.Authority.IsZero() {
			list = append(list, pool.Authority)
		}
	}
	slices.SortFunc(list, func(a, b solana.PublicKey) int { return bytes.Compare(a[:], b[:]) })
	return slices.Compact(list)
}

// coin finds out how the reward asset is moved. why says, in a sentence, why
// holders cannot be paid in it; empty when they can.
func (m Machine) coin(ctx context.Context, settings terms.Settings) (coin Coin, why string, err error) {
	asset, err := settings.Reward()
	if err != nil {
		return Coin{}, "", fmt.Errorf("read the reward token: %w", err)
	}
	return m.coinOf(ctx, asset)
}

func (m Machine) coinOf(ctx context.Context, asset terms.Asset) (coin Coin, why string, err error) {
	coin = Coin{Asset: asset, Decimals: solDecimals}
	if asset.IsSOL() {
		return coin, "", nil
	}
	accounts, _, err := m.Chain.AccountsAt(ctx, 0, asset.Mint())
	if err != nil {
		return Coin{}, "", fmt.Errorf("read the reward token %s: %w", asset, err)
	}
	if accounts[0] == nil {
		return coin, "The reward token does not exist.", nil
	}
	if why := terms.WhyNotReward(asset.Mint(), accounts[0].Owner, accounts[0].Data); why != "" {
		return coin, why, nil
	}
	mint, err := token2022.DecodeMint(accounts[0].Owner, accounts[0].Data)
	if err != nil {
		return Coin{}, "", fmt.Errorf("read the reward token %s: %w", asset, err)
	}
	coin.Program, coin.Decimals = mint.Program, mint.Decimals
	if mint.TransferFee != nil {
		epoch, err := m.Chain.Epoch(ctx)
		if err != nil {
			return Coin{}, "", fmt.Errorf("read the epoch: %w", err)
		}
		fee := mint.TransferFee.At(epoch)
		coin.FeeBps, coin.MaximumFee = fee.BasisPoints, fee.MaximumFee
	}
	return coin, "", nil
}

// solDecimals is how many decimals of SOL a lamport has.
const solDecimals = 9

// begin makes the first lane and reads what there is.
func (m Machine) begin(ctx context.Context, head Head, r Run) (payout.Next, error) {
	balances, err := m.balances(ctx, r, 0)
	if err != nil {
		return payout.Next{}, err
	}
	begun := false // then the setup has been paid, and what is left need not suffice for it
	for _, err := range m.Intents.Intents(ctx, r.ID, payout.Setup, 0) {
		if err != nil {
			return payout.Next{}, fmt.Errorf("read the setup of run %s: %w", r.ID, err)
		}
		begun = true
	}
	if !begun {
		if why, err := m.tooLow(ctx, head, r, balances); err != nil {
			return payout.Next{}, err
		} else if why != "" {
			return m.end(ctx, head, r, End{Code: CodeWalletTooLow, Detail: why})
		}
	}
	if next, err := m.Engine.Lanes(ctx, r.ground(1)); err != nil || !next.Done {
		return next, err
	}
	if balances, err = m.balances(ctx, r, balances.ChainSlot); err != nil {
		return payout.Next{}, err
	}
	r.Opening = &Opening{
		Balances: balances, Lanes: 1, Unsold: head.Unsold,
		Reserved: head.Reserved, Owed: head.Owed, CreatorOwed: head.CreatorOwed, Remainder: head.Remainder,
	}
	if head.Last != nil {
		r.Opening.Previous, r.Opening.PreviousManifest = head.Last.Run, head.Last.Manifest
	}
	next, err := m.save(ctx, r)
	if err == nil {
		m.began(ctx, r)
	}
	return next, err
}

// nonceSize and emptySize are sizes of accounts, in bytes, for their rent: a lane,
// and a wallet.
const (
	nonceSize = 80
	emptySize = 0
	// overhead is how many transactions a run takes beside its batches: setup, burn,
	// exchange, fuel, creator and anchor, with room for one that fails.
	overhead = 7
)
