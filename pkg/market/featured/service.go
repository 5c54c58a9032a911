package featured

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/decimal"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/token"
)

const (
	// firstLook is the time from the offer until the first check for its payment: less than a
	// creator needs to sign and the network to finalize.
	firstLook = 20 * time.Second
	// maxUnits is more than the transfer uses with the instructions of the compute budget: 450.
	maxUnits = 2_000
)

// Store stores promotions.
type Store interface {
	// Issue records an offered promotion and its transaction in one write.
	Issue(ctx context.Context, p Promotion, t transaction.Issued) error
}

// Preparer builds transactions; see transaction.Preparer.
type Preparer interface {
	Prepare(ctx context.Context, id string, d transaction.Draft) (transaction.Unsigned, error)
}

// Service offers promotions. Every field is required.
type Service struct {
	Tokens   token.Finder
	Store    Store
	Preparer Preparer
	// Treasury is the wallet that receives the payments (TREASURY_ADDRESS). A function without the
	// variable does not start.
	Treasury solana.PublicKey
	// Random is the source of references: crypto/rand.Reader.
	Random io.Reader
}

// Offer is a promotion and the transaction that pays for it.
type Offer struct {
	Promotion   Promotion
	Transaction transaction.Unsigned
}

// Create offers a promotion of a token to its creator, for 1 to MaxDays days. The creator signs
// and sends the payment. The service finds the payment by its reference. It returns
// token_not_found, not_token_creator, token_not_confirmed, token_hidden, or treasury_cannot_pay.
func (s Service) Create(ctx context.Context, caller solana.PublicKey, mint string, days int) (Offer, error) {
	if days < 1 || days > MaxDays {
		return Offer{}, apperr.Validation([]apperr.Field{{
			Field: "durationDays", Code: apperr.CodeOutOfRange, Message: fmt.Sprintf("Must be from 1 to %d.", MaxDays),
		}})
	}
	record, err := token.FindMint(ctx, s.Tokens, mint)
	if err != nil {
		return Offer{}, err
	}
	if err := s.check(record, caller); err != nil {
		return Offer{}, err
	}
	p := Promotion{
		Mint: record.Mint, Payer: caller, Treasury: s.Treasury,
		Days: days, Lamports: uint64(days) * LamportsPerDay,
	}
	// The reference has no private key, because its bytes are random.
	if _, err := io.ReadFull(s.Random, p.Reference[:]); err != nil {
		return Offer{}, fmt.Errorf("make a reference: %w", err)
	}
	unsigned, err := s.Preparer.Prepare(ctx, "", s.draft(p))
	if err != nil {
		return Offer{}, err
	}
	p.ID, p.CreatedAt = unsigned.ID, unsigned.CreatedAt
	if err := s.Store.Issue(ctx, p, unsigned.Issue(p.Reference, unsigned.CreatedAt.Add(firstLook))); err != nil {
		return Offer{}, fmt.Errorf("record promotion %s: %w", p.ID, err)
	}
	return Offer{Promotion: p, Transaction: unsigned}, nil
}

// check rejects callers and tokens that cannot have a promotion.
func (s Service) check(t token.Record, caller solana.PublicKey) error {
	if err := t.CheckCreator(caller); err != nil {
		return err
	}
	if t.Status != token.Confirmed {
		return apperr.New(apperr.CodeTokenNotConfirmed,
			"The token is not confirmed on the chain, so it cannot be featured yet.")
	}
	if !t.Visible {
		return apperr.New(apperr.CodeTokenHidden,
			"Operations hid this token from the public lists, so it cannot be featured: it would not be shown.")
	}
	if caller == s.Treasury {
		return apperr.New(apperr.CodeTreasuryCannotPay,
			"This wallet is the one that promotions are paid to: a payment from it would move nothing.")
	}
	return nil
}

func (s Service) draft(p Promotion) transaction.Draft {
	period := "1 day"
	if p.Days > 1 {
		period = fmt.Sprintf("%d days", p.Days)
	}
	pay := systemprogram.Transfer{From: p.Payer, To: p.Treasury, Lamports: p.Lamports, References: []solana.PublicKey{p.Reference}}
	return transaction.Draft{
		Kind: transaction.KindPromotion, Caller: p.Payer, Mint: p.Mint,
		Steps: []transaction.Step{{
			Instruction: pay.Instruction(),
			Explanation: fmt.Sprintf("Pays %s SOL to the service, %s, for featuring the token for %s; %s marks the payment.",
				decimal.SOL(p.Lamports), p.Treasury, period, p.Reference),
		}},
		MaxUnits: maxUnits, DefaultUnits: maxUnits,
		Cost: transaction.Cost{Deposit: p.Lamports},
	}
}
