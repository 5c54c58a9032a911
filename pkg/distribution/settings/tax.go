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

// TaxChange is a transaction with which a creator changes the tax of a token. The transaction costs
// only the network fee. The creator signs and sends the transaction, without the service.
type TaxChange struct {
	transaction.Unsigned
	// Epoch is the chain's epoch at the creation of the transaction. Bps is the tax in this epoch.
	Epoch uint64
	Bps   int
	// NewBps applies from EffectiveEpoch on if the transaction lands in Epoch. Every later epoch of
	// the landing delays the change by one epoch.
	NewBps         int
	EffectiveEpoch uint64
	// Replaces is an earlier change that does not apply yet, and never applies if this transaction
	// lands; nil without an earlier change.
	Replaces *token2022.TransferFee
}

const (
	// epochsAhead is the number of epochs until a new fee applies (spl-token-2022,
	// process_set_transfer_fee). The old tax applies in the rest of this epoch and in the next
	// epoch.
	epochsAhead = 2
	// taxUnits exceeds the compute units of SetTransferFee and the budget's own instructions, some
	// 1,500.
	taxUnits = 5_000
)

// changeTax prepares and records the change of a token's tax. The maximum tax of a transfer, in
// tokens, does not change.
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
		Kind: transaction.KindTax, Caller: t.Creator, Mint: t.Mint, MaxUnits: taxUnits,
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
	// The transaction is not watched, because the mint shows the tax.
	if err := s.Records.Record(ctx, change.Issue(solana.PublicKey{}, time.Time{})); err != nil {
		return nil, err
	}
	return change, nil
}

// taxOf reads the tax of a token from its mint. It returns an error if the creator cannot change
// the tax any more.
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

// explain describes the change.
func (c TaxChange) explain() string {
	tax := fmt.Sprintf("Sets the transfer tax to %s%%. It holds from epoch %d on; until then it is %s%%.",
		decimal.PercentFixed(c.NewBps), c.EffectiveEpoch, decimal.PercentFixed(c.Bps))
	if c.Replaces != nil {
		tax += fmt.Sprintf(" The change to %s%% from epoch %d on, which you made before, is dropped.",
			decimal.PercentFixed(int(c.Replaces.BasisPoints)), c.Replaces.Epoch)
	}
	return tax
}
