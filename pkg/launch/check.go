package launch

import (
	"context"
	"errors"
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/launch/image"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/ratelimit"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/content"
	"tokenlaunch.example/service/pkg/token/terms"
	"tokenlaunch.example/service/pkg/token/wallet"
)

// check reads the records that the draft refers to. look checks the image. check replaces the
// reward token wrapped SOL by SOL.
func (s Service) check(ctx context.Context, draft *token.Draft, look func(ctx context.Context, cid string) error) (wallet.Wallet, error) {
	if err := s.checkGuardian(draft.Guardian); err != nil {
		return wallet.Wallet{}, err
	}
	if err := s.checkNames(ctx, draft); err != nil {
		return wallet.Wallet{}, err
	}
	cid, _ := draft.ImageCID()
	if err := whyNoImage(look(ctx, cid)); err != nil {
		return wallet.Wallet{}, err
	}
	found, err := s.Wallets.Get(ctx, draft.WalletID)
	if errors.Is(err, wallet.ErrNotFound) {
		return wallet.Wallet{}, refuse(apperr.CodeUnknownWallet, "walletId",
			"This distribution wallet is not known, or was issued more than 24 hours ago: ask for a new one with POST /tokens/generate-distribution-wallet.")
	}
	if err != nil {
		return wallet.Wallet{}, err
	}
	if bad := draft.Settings.CheckWallet(found.Address); len(bad) > 0 {
		return wallet.Wallet{}, apperr.Validation(bad)
	}
	if err := s.checkReward(ctx, &draft.Settings); err != nil {
		return wallet.Wallet{}, err
	}
	if found.Bound() {
		return wallet.Wallet{}, walletInUse()
	}
	return found, nil
}

// checkGuardian rejects a guardian that does not co-sign for this service.
func (s Service) checkGuardian(guardian solana.PublicKey) error {
	switch {
	case guardian.IsZero(), guardian == s.Guardian:
		return nil
	case s.Guardian.IsZero():
		return badGuardian("This service has no guardian: leave the field out.")
	}
	return badGuardian(fmt.Sprintf("Must be %s, the guardian of this service, or be left out.", s.Guardian))
}

// tooLongWithGuardian rejects a launch that does not fit into a transaction together with the
// account of the three members.
func tooLongWithGuardian() error {
	return badGuardian(
		"With a guardian, name and symbol must be shorter: together at most 106 bytes, with transferFeeAdjustable 74, with immutableMetadata 61, with both 29.")
}

func badGuardian(why string) error {
	return apperr.Validation([]apperr.Field{{Field: "guardian", Code: apperr.CodeOutOfRange, Message: why}})
}

// checkNames rejects a name or a symbol that operations blocked.
func (s Service) checkNames(ctx context.Context, draft *token.Draft) error {
	blocked, err := s.Names.Blocked(ctx, draft.Name, draft.Symbol)
	if err != nil {
		return err
	}
	for i, field := range []string{"name", "symbol"} {
		if blocked[i] {
			return refuse(apperr.CodeContentBlocked, field,
				"The operators of this service have blocked this name: choose another one.")
		}
	}
	return nil
}

// holdImage keeps the image for a launch.
func (s Service) holdImage(ctx context.Context, cid string) error {
	return s.Images.Hold(ctx, cid, s.Now())
}

// whyNoImage converts the error of an unusable image into an error for the caller.
func whyNoImage(err error) error {
	switch {
	case errors.Is(err, image.ErrNotFound):
		return refuse(apperr.CodeUnknownImage, "imageUri",
			"This image was not uploaded here, or more than seven days ago: use the imageUri that POST /tokens/upload-image answers.")
	case errors.Is(err, content.ErrBlocked):
		return refuse(apperr.CodeContentBlocked, "imageUri", content.WhyBlocked)
	}
	return err
}

func (s Service) checkReward(ctx context.Context, settings *terms.Settings) error {
	if settings.RewardToken == solana.WrappedSol.String() {
		settings.RewardToken = terms.RewardSOL
	}
	if settings.RewardToken == terms.RewardSOL {
		return nil
	}
	mint, err := solana.PublicKeyFromBase58(settings.RewardToken)
	if err != nil {
		return fmt.Errorf("validated reward token: %w", err)
	}
	stored, found, err := s.Chain.Account(ctx, mint)
	if err != nil {
		return err
	}
	why := "There is no such mint on this network."
	if found {
		why = terms.WhyNotReward(mint, stored.Owner, stored.Data)
	}
	if why != "" {
		return refuse(apperr.CodeUnsupportedRewardToken, "rewardToken", why)
	}
	return nil
}

func refuse(code apperr.Code, field, why string) error {
	return &apperr.Error{Code: code, Detail: why, Fields: []apperr.Field{{Field: field, Code: code, Message: why}}}
}

func walletInUse() error {
	return refuse(apperr.CodeWalletInUse, "walletId",
		"A launched token already uses this distribution wallet: ask for a new one with POST /tokens/generate-distribution-wallet.")
}

// leaseLimit is the limit of prepared launches for each IP address.
func (s Service) leaseLimit() ratelimit.Rule {
	return ratelimit.Rule{Name: "leases", Limit: s.LeasesPerIP, Window: transaction.Lifetime}
}

// tooManyLaunches is the error of an address beyond the limit.
func (s Service) tooManyLaunches() apperr.Error {
	return apperr.Error{
		Code:   apperr.CodeLaunchLimitExceeded,
		Detail: fmt.Sprintf("At most %d launches may be prepared from one address within five minutes.", s.LeasesPerIP),
	}
}
