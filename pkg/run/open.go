package run

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution"
	"tokenlaunch.example/service/pkg/payout"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/token"
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
		ID: distribution.RunID(head.Mint, slot), Mint: head.Mint, Slot: slot.UTC(), OpenedAt: now,
		Settings: record.Settings,
		Token: Token{
			ID: record.ID, Name: record.Name, Symbol: record.Symbol,
			Decimals: uint8(record.Decimals),        //nolint:gosec // 6 or 9
			FeeBps:   uint16(record.TransferFeeBps), //nolint:gosec // at most 10,000
			Wallet:   record.Wallet, Creator: record.Creator,
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
		m.tell(ctx, r, before)
		return done, nil
	}
	return after(0), nil
}

// coin finds out how the reward asset is moved. why says, in a sentence, why
// holders cannot be paid in it; empty when they can.
func (m Machine) coin(ctx context.Context, settings distribution.Settings) (coin Coin, why string, err error) {
	asset, err := settings.Reward()
	if err != nil {
		return Coin{}, "", fmt.Errorf("read the reward token: %w", err)
	}
	return m.coinOf(ctx, asset)
}

func (m Machine) coinOf(ctx context.Context, asset distribution.Asset) (coin Coin, why string, err error) {
	coin = Coin{Asset: asset, Decimals: solDecimals}
	if asset.IsSOL() {
		return coin, "", nil
	}
	accounts, _, err := m.Chain.Holdings(ctx, 0, asset.Mint())
	if err != nil {
		return Coin{}, "", fmt.Errorf("read the reward token %s: %w", asset, err)
	}
	if accounts[0] == nil {
		return coin, "The reward token does not exist.", nil
	}
	if why := distribution.WhyNotReward(asset.Mint(), accounts[0].Owner, accounts[0].Data); why != "" {
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
	return m.save(ctx, r)
}

// coins are what the wallet needs accounts of its own for: the token, the reward,
// and what was the reward before, as far as it can be moved.
func (r Run) coins() []Coin {
	coins := []Coin{r.own()}
	if !r.Reward.Asset.IsSOL() && !r.rewardIsToken() {
		coins = append(coins, r.Reward)
	}
	if r.Payment == nil {
		return coins
	}
	for _, leg := range r.Payment.Legs[1:] {
		if leg.Coin.Asset != r.own().Asset && !leg.Coin.Program.IsZero() {
			coins = append(coins, leg.Coin)
		}
	}
	return coins
}

// own is the token itself as a coin.
func (r Run) own() Coin {
	return Coin{Asset: distribution.Asset(r.Mint), Program: solana.Token2022ProgramID, Decimals: r.Token.Decimals, FeeBps: r.Token.FeeBps}
}

// rewardIsToken says that holders are paid in the token itself: nothing is
// exchanged for them.
func (r Run) rewardIsToken() bool { return r.Reward.Asset == r.own().Asset }

// nonceSize and emptySize are sizes of accounts, in bytes, for their rent: a lane,
// and a wallet.
const (
	nonceSize = 80
	emptySize = 0
	// overhead is how many transactions a run takes beside its batches: setup, burn,
	// exchange, fuel, creator and anchor, with room for one that fails.
	overhead = 7
)

// tooLow says, in a sentence, that the wallet cannot pay for a run out of what is
// its own; empty when it can.
func (m Machine) tooLow(ctx context.Context, head Head, r Run, has Balances) (string, error) {
	need, err := m.Chain.MinimumBalance(ctx, emptySize)
	if err != nil {
		return "", err
	}
	rent, err := m.missingRent(ctx, r, has.ChainSlot)
	if err != nil {
		return "", err
	}
	need += rent + overhead*m.Costs.Transaction
	has.Lamports = head.own(has.Lamports)
	if has.Lamports >= need {
		return "", nil
	}
	return fmt.Sprintf("The distribution wallet has %s SOL and needs %s SOL for its network fees. Send at least %s SOL to %s.",
		sol(has.Lamports), sol(need), sol(need-has.Lamports), r.Token.Wallet.Address), nil
}

// own is what of the wallet's lamports is owed to nobody.
func (h Head) own(lamports uint64) uint64 {
	asset := distribution.SOL
	return lamports - min(sum(h.Owed[asset], h.CreatorOwed[asset], h.Remainder[asset], h.Reserved[asset]), lamports)
}

// missingRent is the rent of the first lane and of the wallet's accounts of tokens,
// as far as they are to be made yet.
func (m Machine) missingRent(ctx context.Context, r Run, from uint64) (lamports uint64, err error) {
	switch _, err := m.Intents.Lane(ctx, r.Mint, 0); {
	case errors.Is(err, payout.ErrNotFound):
		if lamports, err = m.Chain.MinimumBalance(ctx, nonceSize); err != nil {
			return 0, err
		}
	case err != nil:
		return 0, err
	}
	addresses, _, err := r.accounts()
	if err != nil {
		return 0, err
	}
	accounts, _, err := m.Chain.Holdings(ctx, from, addresses...)
	if err != nil {
		return 0, fmt.Errorf("read the accounts of wallet %s: %w", r.Token.Wallet.Address, err)
	}
	rent, err := m.Chain.MinimumBalance(ctx, token2022.AssociatedAccountSize)
	if err != nil {
		return 0, err
	}
	for _, account := range accounts {
		if account == nil {
			lamports += rent
		}
	}
	return lamports, nil
}

// accounts are the wallet's of its coins.
func (r Run) accounts() (addresses []solana.PublicKey, coins []Coin, err error) {
	coins = r.coins()
	for _, coin := range coins {
		address, err := token2022.AssociatedAddress(r.Token.Wallet.Address, coin.Asset.Mint(), coin.Program)
		if err != nil {
			return nil, nil, fmt.Errorf("find the wallet's account of %s: %w", coin.Asset, err)
		}
		addresses = append(addresses, address)
	}
	return addresses, coins, nil
}

// sol writes lamports as SOL, for sentences.
func sol(lamports uint64) string {
	return fmt.Sprintf("%d.%09d", lamports/solana.LAMPORTS_PER_SOL, lamports%solana.LAMPORTS_PER_SOL)
}

// balances reads the wallet's at a finalized slot, from or later.
func (m Machine) balances(ctx context.Context, r Run, from uint64) (Balances, error) {
	wallet := r.Token.Wallet.Address
	addresses, coins, err := r.accounts()
	if err != nil {
		return Balances{}, err
	}
	addresses = append([]solana.PublicKey{wallet}, addresses...)
	accounts, slot, err := m.Chain.Holdings(ctx, from, addresses...)
	if err != nil {
		return Balances{}, fmt.Errorf("read the balances of wallet %s: %w", wallet, err)
	}
	b := Balances{ChainSlot: slot, Arrears: map[distribution.Asset]uint64{}}
	if accounts[0] != nil {
		b.Lamports = accounts[0].Lamports
	}
	for i, account := range accounts[1:] {
		if account == nil {
			continue
		}
		state, err := token2022.DecodeAccount(account.Owner, account.Data)
		if err != nil {
			return Balances{}, fmt.Errorf("read the wallet's account %s: %w", addresses[i+1], err)
		}
		switch asset := coins[i].Asset; asset {
		case r.own().Asset:
			b.Tokens = state.Amount
		case r.Reward.Asset:
			b.Reward = state.Amount
		default:
			b.Arrears[asset] = state.Amount
		}
	}
	switch {
	case r.Reward.Asset.IsSOL():
		b.Reward = b.Lamports
	case r.rewardIsToken():
		b.Reward = b.Tokens
	}
	return b, nil
}
