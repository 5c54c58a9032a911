package payout

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/auth/ed25519strict"
	"tokenlaunch.example/service/pkg/platform/metric"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Guardian co-signs collections of tokens with a guardian.
type Guardian interface {
	// CoSign returns the guardian's signature of a message that collects the tax of a mint. It
	// returns an apperr.Upstream if the guardian does not respond, and a *Refusal if the guardian
	// rejects the message.
	CoSign(ctx context.Context, mint solana.PublicKey, message []byte) (solana.Signature, error)
}

// ReasonGuardian is the reason of a collection that the guardian did not co-sign. The tax stays
// withheld.
const ReasonGuardian Reason = "guardian_refused"

// guarded adds the guardian's signature to a collection that the guardian signs, too. The wallet
// signs last: no complete transaction exists before the service can record the attempt.
//
// A guardian that does not respond, or responds with a wrong signature, is asked again for
// Pace.Cancel after the binding, or until the deadline. Then the collection is cancelled.
func (e Engine) guarded(ctx context.Context, m movement, p Payment, tx wire.Transaction) error {
	at := slices.IndexFunc(tx.Message().Signers(), func(key solana.PublicKey) bool { return key != m.wallet.Address })
	if p.ID.Kind != Collect || at < 0 {
		return nil
	}
	err := e.coSign(ctx, p, tx, tx.Message().Signers()[at])
	if err == nil {
		return nil
	}
	metric.Log(ctx, e.Log, "the guardian did not co-sign a collection", metric.Line{Values: []metric.Value{GuardianUnsigned.Is(1)}, As: slog.LevelError},
		slog.String("payment", p.ID.String()), slog.String(terms.LogMint, p.Mint.String()), slog.String("cause", err.Error()))
	if apperr.KindOf(err) == apperr.Unavailable && e.Now().Sub(p.BoundAt) >= e.pace().Cancel {
		return &Refusal{Reason: ReasonGuardian, Detail: "The guardian did not sign in time."}
	}
	return err
}

func (e Engine) coSign(ctx context.Context, p Payment, tx wire.Transaction, guardian solana.PublicKey) error {
	if e.Guardian == nil {
		return apperr.Upstream("The guardian", errors.New("the service has no address of the guardian"))
	}
	message := tx.Message().Bytes()
	signature, err := e.Guardian.CoSign(ctx, p.Mint, message)
	if err != nil {
		return fmt.Errorf("ask the guardian: %w", err)
	}
	if !ed25519strict.Verify(guardian[:], message, signature[:]) {
		return apperr.Upstream("The guardian", fmt.Errorf("the signature is not a signature of %s", guardian))
	}
	return tx.SetSignature(guardian, signature)
}
