// Package holder says what a wallet has received of tokens and is owed: of one token, and
// of all that it holds.
package holder

import (
	"context"
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/proof/snapshot"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Why says why a wallet was paid nothing, or why something waits: a stable word and a sentence.
type Why struct{ Code, Detail string }

// The words besides those of a row's reason and of why a proof left a wallet out.
const (
	WhyNoRun     = "no_distribution_yet"
	WhyNotHolder = "not_a_holder"
	WhyNoShare   = "no_share"
)

// NoRun is said of a token of which nothing was distributed.
func NoRun() *Why { return &Why{WhyNoRun, "Nothing of this token has been distributed yet."} }

// Standing is what a proof says of a wallet.
type Standing struct {
	// Balance is what it held of the token at the snapshot.
	Balance uint64
	// Rows are its rows, the reward of the run first.
	Rows []format.Found
	// More says that the proof has assets that were not looked at.
	More bool
	// Why is nil when the run paid something.
	Why *Why
}

// Stand looks a wallet up in a proof, in so many of its assets at most. It reads two files
// for each, and two more when there is no row of a balance.
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
	case m.Kind == format.Claim: // which has no snapshot
		s.Why = &Why{WhyNoShare, "The last run paid holders who asked for what they were owed, and nothing was owed to this wallet."}
	default:
		s.Why = &Why{WhyNotHolder, "This wallet held none of the token at the snapshot."}
	}
	return s, nil
}

// leftOutSentence says why what a wallet held did not count.
func leftOutSentence(left format.LeftOut, minimum uint64) string {
	switch left.Why {
	case format.NotHeld:
		return fmt.Sprintf("This wallet had %d base units in the snapshot before, and the lesser of the two balances counts. What it holds now counts from the next distribution on.", left.Before)
	case snapshot.BelowMinimum.String():
		return fmt.Sprintf("This wallet held less than the minimum of %d base units at the snapshot.", minimum)
	case snapshot.DistributionWallet.String():
		return "This is the distribution wallet: what it holds is what is distributed."
	case snapshot.Vault.String():
		return "This address holds the tokens of a pool or a curve."
	case snapshot.Incinerator.String():
		return "What is at this address is permanently out of reach."
	}
	return "This address belongs to a program, not to a person's wallet."
}
