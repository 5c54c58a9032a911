package settings

import (
	"context"
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/decimal"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/token"
)

// TaxChange is a transaction by which a creator changes their token's tax. It moves
// no money but the network fee, and is the creator's to sign and to send: the service
// has no part in it.
type TaxChange struct {
	transaction.Unsigned
	// Epoch is the one in which the chain was when this was made, and Bps the tax
	// that holds in it.
	Epoch uint64
	Bps   int
	// NewBps holds from EffectiveEpoch on, when the transaction lands in Epoch; one
	// epoch later for every epoch later in which it lands.
	NewBps         int
	EffectiveEpoch uint64
	// Replaces is an earlier change that has not come to hold and never will if
	// this one lands; nil: there is none.
	Replaces *token2022.TransferFee
}

const (
	// epochsAhead is from when a new fee holds (spl-token-2022,
	// process_set_transfer_fee): the rest of this epoch and all of the next are
	// still taxed as before.
	epochsAhead = 2
	// taxUnits is more than SetTransferFee takes, with the budget's own
	// instructions: some 1,500.
	taxUnits = 5_000
)

// changeTax prepares the change of a token's tax, and records it. The most that one
// transfer is taxed, in tokens, stays.
func (s Service) changeTax(ctx context.Context, t token.Record, newBps int) (*TaxChange, error) {
	config, err := s.taxOf(ctx, t)
	if err != nil {
		return nil, err
	}
	epoch, err := s.Chain.Epoch(ctx)
	if err != nil {
		return nil, err
	}
	change := &TaxChange{
		Epoch: epoch, Bps: int(config.At(epoch).BasisPoints), NewBps: newBps, EffectiveEpoch: epoch + epochsAhead,
	}
	if config.Newer.Epoch > epoch {
		change.Replaces = &config.Newer
	}
	change.Unsigned, err = s.Preparer.Prepare(ctx, "", transaction.Draft{
		Kind: transaction.KindTax, Caller: t.Creator, Mint: t.Mint, MostUnits: taxUnits,
		Steps: []transaction.Step{{
			Instruction: token2022.SetTransferFee{
				Mint: t.Mint, Authority: t.Creator,
				BasisPoints: uint16(newBps), MaximumFee: config.Newer.MaximumFee, //nolint:gosec // validated: at most 10,000
			}.Instruction(),
			Explanation: change.explain(),
		}},
	})
	if err != nil {
		return nil, err
	}
	// It is not watched: the mint says which tax holds.
	if err := s.Records.Record(ctx, change.Issue(solana.PublicKey{}, time.Time{})); err != nil {
		return nil, err
	}
	return change, nil
}

// taxOf reads the tax of a token from its mint, and refuses when the creator
// cannot change it any more.
func (s Service) taxOf(ctx context.Context, t token.Record) (*token2022.TransferFeeConfig, error) {
	stored, found, err := s.Chain.Account(ctx, t.Mint)
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, apperr.New(apperr.CodeTokenNotConfirmed, "The token is not on the chain, so its tax cannot be changed.")
	}
	mint, err := token2022.DecodeMint(stored.Owner, stored.Data)
	if err != nil {
		return nil, fmt.Errorf("read the mint %s: %w", t.Mint, err)
	}
	if mint.TransferFee == nil || mint.TransferFee.ConfigAuthority != t.Creator {
		return nil, refuse(apperr.Field{
			Field: "transferFeePercent", Code: apperr.CodeTransferFeeLocked,
			Message: "You gave the right to change this token's tax away, on the chain.",
		})
	}
	return mint.TransferFee, nil
}

// explain says what the change does.
func (c TaxChange) explain() string {
	tax := fmt.Sprintf("Sets the transfer tax to %s%%. It holds from epoch %d on; until then it is %s%%.",
		decimal.PercentFixed(c.NewBps), c.EffectiveEpoch, decimal.PercentFixed(c.Bps))
	if c.Replaces != nil {
		tax += fmt.Sprintf(" The change to %s%% from epoch %d on, which you made before, is dropped.",
			decimal.PercentFixed(int(c.Replaces.BasisPoints)), c.Replaces.Epoch)
	}
	return tax
}
