package payout

import (
	"context"
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// TokenAccount is an associated account that a wallet needs, of a mint that Program owns.
type TokenAccount struct{ Mint, Program solana.PublicKey }

// WalletRequirements are the accounts that a wallet needs for a run.
type WalletRequirements struct {
	Run      string // the run that pays
	Mint     solana.PublicKey
	Wallet   token.Wallet
	Accounts []TokenAccount
}

// setupTries is the maximum number of payments that create the wallet's accounts in a run.
const setupTries = 3

// Require creates the wallet's missing accounts. It returns Done if no account is missing, and after
// setupTries failures: the payments that need a missing account then fail with a reason.
func (e Engine) Require(ctx context.Context, r WalletRequirements) (Next, error) {
	for try := range setupTries {
		p, next, err := e.require(ctx, r, try)
		if err != nil || next.Done || !p.Status().Decided() {
			return next, err
		}
		if p.Status() == Landed || p.Refused == ReasonNoRecipient {
			return Next{Done: true}, nil
		}
	}
	return Next{Done: true}, nil
}

func (e Engine) require(ctx context.Context, r WalletRequirements, try int) (Payment, Next, error) {
	plan := Payment{ID: ID{Run: r.Run, Kind: Setup, Batch: try}, Mint: r.Mint, Asset: terms.SOL}
	p, err := e.stored(ctx, plan)
	if err != nil {
		return p, Next{}, fmt.Errorf("read the setup of run %s: %w", r.Run, err)
	}
	if p.Status() == Planned {
		makers, rent, err := e.lacking(ctx, r)
		if err != nil || len(makers) == 0 {
			if err == nil {
				p, err = e.cancel(ctx, plan, ReasonNoRecipient, "The wallet has all its accounts.")
			}
			if next, ok := e.passes(ctx, err, plan.ID); err != nil && ok {
				return p, next, nil
			}
			return p, Next{Done: p.Status() == Cancelled}, err
		}
		plan.Amount = rent
	}
	p, next, err := e.Advance(ctx, r.Wallet, plan, func(ctx context.Context) (Payload, error) {
		makers, _, err := e.lacking(ctx, r)
		if err == nil && len(makers) == 0 {
			err = &Refusal{Reason: ReasonNoRecipient, Detail: "The accounts are there."}
		}
		return Payload{Instructions: makers}, err
	})
	next.Done = false
	return p, next, err
}

// lacking returns the instructions that create the wallet's missing accounts, and the rent in
// lamports.
func (e Engine) lacking(ctx context.Context, r WalletRequirements) (makers []solana.Instruction, lamports uint64, err error) {
	if len(r.Accounts) == 0 {
		return nil, 0, nil
	}
	all, addresses := make([]solana.Instruction, len(r.Accounts)), make([]solana.PublicKey, len(r.Accounts))
	for n, a := range r.Accounts {
		if all[n], addresses[n], err = (token2022.CreateAssociatedIdempotent{
			Payer: r.Wallet.Address, Wallet: r.Wallet.Address, Mint: a.Mint, Program: a.Program,
		}).Instruction(); err != nil {
			return nil, 0, fmt.Errorf("find the wallet's account of %s: %w", a.Mint, err)
		}
	}
	found, err := e.Chains[0].Holders(ctx, addresses...)
	if err != nil {
		return nil, 0, fmt.Errorf("read the wallet's accounts: %w", err)
	}
	rent, err := e.Chains[0].MinimumBalance(ctx, token2022.AssociatedAccountSize)
	if err != nil {
		return nil, 0, err
	}
	for n, a := range found {
		if a == nil || len(a.Data) == 0 {
			makers, lamports = append(makers, all[n]), lamports+rent
		}
	}
	return makers, lamports, nil
}
