package run

import (
	"context"
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/token/terms"
)

// tooLow returns the reason, as a sentence, why the wallet's own lamports do not cover a run; empty
// if the lamports suffice.
func (m Machine) tooLow(ctx context.Context, head Head, r Run, has Balances) (string, error) {
	need, err := m.Chain.MinimumBalance(ctx, emptySize)
	if err != nil {
		return "", err
	}
	rent, err := m.missingRent(ctx, head, r, has.ChainSlot)
	if err != nil {
		return "", err
	}
	transactions := overhead + r.more()
	if r.Kind() != Distribution {
		transactions = claimCosts + 1 + r.more()
	}
	need += rent + transactions*m.Costs.Transaction
	has.Lamports = head.own(has.Lamports)
	if has.Lamports >= need {
		return "", nil
	}
	return fmt.Sprintf("The distribution wallet has %s SOL and needs %s SOL for its network fees. Send at least %s SOL to %s.",
		sol(has.Lamports), sol(need), sol(need-has.Lamports), r.Token.Wallet.Address), nil
}

// missingRent returns the rent of the wallet's token accounts that do not exist yet, and of the
// receipts that a run has open at the same time.
func (m Machine) missingRent(ctx context.Context, head Head, r Run, from uint64) (lamports uint64, err error) {
	receipt, err := m.Chain.MinimumBalance(ctx, emptySize)
	if err != nil {
		return 0, err
	}
	lamports = (singles + r.more()) * receipt
	if r.Kind() != Distribution {
		lamports = (singlesAfterPlan + r.more()) * receipt
	}
	addresses, coins, err := r.accounts()
	if err != nil {
		return 0, err
	}
	accounts, _, err := m.Chain.AccountsAt(ctx, from, addresses...)
	if err != nil {
		return 0, fmt.Errorf("read the accounts of wallet %s: %w", r.Token.Wallet.Address, err)
	}
	rent, err := m.Chain.MinimumBalance(ctx, token2022.AssociatedAccountSize)
	if err != nil {
		return 0, err
	}
	for i, account := range accounts {
		if account == nil && (r.Kind() == Distribution || head.owes(coins[i].Asset)) {
			lamports += rent
		}
	}
	return lamports, nil
}

// accounts returns the wallet's accounts of the run's coins.
func (r Run) accounts() (addresses []solana.PublicKey, coins []Currency, err error) {
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

// sol formats lamports as SOL, for sentences.
func sol(lamports uint64) string {
	return fmt.Sprintf("%d.%09d", lamports/solana.LAMPORTS_PER_SOL, lamports%solana.LAMPORTS_PER_SOL)
}

// balances reads the wallet's balances at a finalized slot, which is from or later.
func (m Machine) balances(ctx context.Context, r Run, from uint64) (Balances, error) {
	wallet := r.Token.Wallet.Address
	addresses, coins, err := r.accounts()
	if err != nil {
		return Balances{}, err
	}
	addresses = append([]solana.PublicKey{wallet}, addresses...)
	accounts, slot, err := m.Chain.AccountsAt(ctx, from, addresses...)
	if err != nil {
		return Balances{}, fmt.Errorf("read the balances of wallet %s: %w", wallet, err)
	}
	b := Balances{ChainSlot: slot, Arrears: map[terms.Asset]uint64{}}
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
