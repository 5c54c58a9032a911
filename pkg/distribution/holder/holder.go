// Package holder reports the income and the debts of a wallet: for one token, and for all tokens
// that the wallet holds.
package holder

import (
	"context"
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/proof/snapshot"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Why is the reason why a wallet was paid nothing, or why an amount waits: a stable word and a
// sentence.
type Why struct{ Code, Detail string }

// The words in addition to the reasons of rows and of left-out wallets.
const (
	WhyNoRun     = "no_distribution_yet"
	WhyNotHolder = "not_a_holder"
	WhyNoShare   = "no_share"
)

// NoRun returns the reason for a token without a distribution.
func NoRun() *Why { return &Why{WhyNoRun, "Nothing of this token has been distributed yet."} }

// Standing is the content of a proof about a wallet.
type Standing struct {
	// Balance is the wallet's balance of the token at the snapshot.
	Balance uint64
	// Rows are the wallet's rows, with the reward of the run first.
	Rows []format.Found
	// More reports that the proof has more assets than were checked.
	More bool
	// Why is nil if the run paid an amount.
	Why *Why
}

// Stand looks a wallet up in a proof, in the first assets, at most the given number. Stand reads
// two files for every asset, and two more if no row has a balance.
func Stand(ctx context.Context, m format.Manifest, source format.Source, wallet solana.PublicKey, assets int) (Standing, error) {
	var s Standing
	var paid uint64
	for i, leg := range m.Legs {
		if i == assets {
			s.More = true
			break
		}
		asset, err := terms.ParseAsset(leg.Asset)
		if err != nil {
			return Standing{}, fmt.Errorf("read an asset: %w", err)
		}
		found, ok, err := m.Find(ctx, source, asset, wallet)
		if err != nil {
			return Standing{}, fmt.Errorf("find the row of %s: %w", wallet, err)
		}
		if !ok {
			continue
		}
		row := found.Row
		if row.Balance > 0 {
			s.Balance = row.Balance
		}
		paid += row.Paid
		s.Rows = append(s.Rows, found)
		if row.Reason != "" && s.Why == nil {
			s.Why = &Why{string(row.Reason), row.Reason.Sentence()}
		}
	}
	switch {
	case paid > 0:
		s.Why = nil
		return s, nil
	case s.Why != nil:
		return s, nil
	case s.Balance > 0:
		s.Why = &Why{WhyNoShare, "There was nothing to share out, or this wallet's share was less than one base unit."}
		return s, nil
	}
	left, found, err := m.FindLeftOut(ctx, source, wallet)
	if err != nil {
		return Standing{}, fmt.Errorf("find why %s was left out: %w", wallet, err)
	}
	switch {
	case found:
		s.Balance = left.Balance
		s.Why = &Why{left.Why, leftOutSentence(left, uint64(m.Settings.MinimumHolding))}
	case m.Kind == format.Claim: // a claim has no snapshot
		s.Why = &Why{WhyNoShare, "The last run paid holders who asked for what they were owed, and nothing was owed to this wallet."}
	default:
		s.Why = &Why{WhyNotHolder, "This wallet held none of the token at the snapshot."}
	}
	return s, nil
}

// leftOutSentence returns the reason why a wallet's balance did not count.
func leftOutSentence(left format.LeftOut, minimum uint64) string {
	switch left.Why {
	case format.NotHeld:
		return fmt.Sprintf("This wallet had %d base units in the snapshot before, and the lesser of the two balances counts. What it holds now counts from the next distribution on.", left.Before)
	case snapshot.BelowMinimum.String():
		return fmt.Sprintf("This wallet held less than the minimum of %d base units at the snapshot.", minimum)
	case snapshot.DistributionWallet.String():
		return "This is the distribution wallet, whose tokens are distributed."
	case snapshot.Vault.String():
		return "This address holds the tokens of a pool or a curve."
	case snapshot.Incinerator.String():
		return "What is at this address is permanently out of reach."
	}
	return "This address belongs to a program, not to a person's wallet."
}
