package launch

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/ratelimit"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
	"tokenlaunch.example/service/pkg/token/wallet"
)

// leaseMargin is the duration of a nonce's lease after the transaction's expiry. Small differences
// between clocks then cannot lease a nonce twice.
const leaseMargin = 30 * time.Second

// Chain is the subset of the RPC API that launches need.
type Chain interface {
	onchain.Reader
	// MinimumBalance returns the rent-exempt minimum of an account with the given number of bytes.
	MinimumBalance(ctx context.Context, bytes uint64) (lamports uint64, err error)
	Simulate(ctx context.Context, tx []byte) (transaction.Simulation, error)
	// Send sends a signed transaction to the network, without a preflight.
	Send(ctx context.Context, signed []byte) error
	// Outcomes returns the outcomes of transactions at confirmed, including old transactions, in
	// order.
	Outcomes(ctx context.Context, signatures ...solana.Signature) ([]transaction.Outcome, error)
	// RecentBlockhash returns a recent blockhash, confirmed.
	RecentBlockhash(ctx context.Context) (onchain.Blockhash, error)
	// ConfirmedHeight returns the height of the newest confirmed block.
	ConfirmedHeight(ctx context.Context) (uint64, error)
	// SlotTime returns the recent average duration of a slot.
	SlotTime(ctx context.Context) (time.Duration, error)
	// Await waits until a transaction is confirmed or failed. If the context ends first, Await
	// returns transaction.Unknown without an error.
	Await(ctx context.Context, signature solana.Signature) (transaction.Outcome, error)
}

// Service prepares and submits launches.
type Service struct {
	Store   Store
	Wallets Wallets
	Images  Images
	Names   Names
	Files   Files
	Nonces  Nonces
	Signer  Signer
	// MintMAC has a separate key, because a caller of this key can sign for every future mint.
	MintMAC MAC
	Chain   Chain
	// Lifetime selects a nonce or a blockhash for launches.
	Lifetime Lifetime
	Preparer transaction.Preparer
	Limiter  ratelimit.Limiter
	// LeasesPerIP is the maximum number of launches that an IP address may prepare within the
	// lifetime of a transaction. The limit is for addresses because wallets are free and nonces are
	// not.
	LeasesPerIP int
	// FundingLamports is the amount that a creator transfers to the distribution wallet, for the
	// first network fees.
	FundingLamports uint64
	// Guardian is the key of the guardian that co-signs collections. Zero: launches cannot name a
	// guardian.
	Guardian solana.PublicKey
	// ConfirmWithin bounds the wait for the chain in Submit.
	ConfirmWithin time.Duration
	Now           func() time.Time
	NewID         func() string
	Log           *slog.Logger
}

// Created is a prepared launch, with the cost and the simulation.
type Created struct {
	Launch
	Fresh       Fresh
	Cost        transaction.Cost
	Explanation []string
	Simulation  transaction.Simulation
}

// Create prepares the launch of a validated draft. sourceIP is the caller's address, for the limit
// of leases.
func (s Service) Create(ctx context.Context, caller solana.PublicKey, sourceIP string, draft token.Draft) (Created, error) {
	distributionWallet, err := s.check(ctx, &draft, s.holdImage)
	if err != nil {
		return Created{}, err
	}
	return ratelimit.Within(ctx, s.Limiter, s.leaseLimit(), ratelimit.AddressKey(sourceIP), s.tooManyLaunches(), func() (Created, error) {
		return s.create(ctx, caller, draft, distributionWallet)
	})
}

// create prepares a launch after the check of the limits.
func (s Service) create(ctx context.Context, caller solana.PublicKey, draft token.Draft, distributionWallet wallet.Wallet) (_ Created, err error) {
	o := order{id: s.NewID()}
	if o.mintKey, err = s.mintKey(ctx, o.id); err != nil {
		return Created{}, err
	}
	defer clear(o.mintKey)
	now := s.Now().UTC().Truncate(time.Millisecond)
	o.until = now.Add(transaction.Lifetime)
	if err := s.fill(ctx, &o, caller, draft, distributionWallet, now); err != nil {
		return Created{}, err
	}
	if s.Lifetime == OnNonce {
		created, ok, err := s.createOnNonce(ctx, o)
		if ok || err != nil {
			return created, err
		}
	}
	created, err := s.prepare(ctx, o, nil)
	if errors.Is(err, wire.ErrTooLarge) && !o.token.Guardian.IsZero() {
		return Created{}, tooLongWithGuardian()
	}
	if err == nil {
		err = s.issue(ctx, created.Launch, o.metadata)
	}
	if err != nil {
		return Created{}, err
	}
	return created, nil
}

// order is a launch in preparation.
type order struct {
	id         string
	token      token.Record
	metadata   []byte
	mintKey    ed25519.PrivateKey
	lastSigner solana.PublicKey
	until      time.Time
}

// fill adds the token's record and metadata to an order that has the mint's key.
func (s Service) fill(ctx context.Context, o *order, caller solana.PublicKey, draft token.Draft, w wallet.Wallet, now time.Time) error {
	mint := solana.PublicKey(o.mintKey[ed25519.SeedSize:]) // RFC 8032: seed, then public key
	var err error
	if o.metadata, err = draft.Metadata(mint); err != nil {
		return err
	}
	metadataCID, err := s.Files.Name(o.metadata)
	if err != nil {
		return err
	}
	if o.lastSigner, err = s.Signer.PublicKey(ctx); err != nil {
		return err
	}
	o.token = record(s.NewID(), caller, mint, draft, w, metadataCID, now)
	return nil
}

// createOnNonce prepares and issues an order on a nonce, and releases the nonce on failure. ok is
// false if no nonce is free, or if the network does not accept the nonce. The order can then use a
// blockhash.
//
// A failed write may have stored the launch. This is harmless: no caller knows the launch, and the
// launch cannot be submitted after the lease.
func (s Service) createOnNonce(ctx context.Context, o order) (created Created, ok bool, err error) {
	n, err := s.Nonces.Lease(ctx, o.id, o.until.Add(leaseMargin))
	if err != nil {
		s.Log.WarnContext(ctx, "no nonce: the launch uses a blockhash", "transactionId", o.id, "error", err)
		return Created{}, false, nil
	}
	created, err = s.prepare(ctx, o, &transaction.NonceUse{Nonce: n, Authority: o.lastSigner, Until: o.until})
	switch {
	case errors.Is(err, wire.ErrTooLarge) && !o.token.Guardian.IsZero():
		err = nil // A blockhash takes less room than a nonce.
	case err != nil:
	case created.Simulation.Outdated:
		s.Log.WarnContext(ctx, "nonce refused: the launch uses a blockhash", "transactionId", o.id, "nonce", n.Account.String(), "error", created.Simulation.Detail)
	default:
		if err = s.issue(ctx, created.Launch, o.metadata); err == nil {
			return created, true, nil
		}
	}
	s.release(ctx, n, o.id)
	return Created{}, false, err
}

func record(id string, caller, mint solana.PublicKey, draft token.Draft, w wallet.Wallet, metadataCID string, now time.Time) token.Record {
	cid, _ := draft.ImageCID()
	return token.Record{
		ID: id, Mint: mint, Creator: caller, Name: draft.Name, Symbol: draft.Symbol, Description: draft.Description,
		ImageCID: cid, MetadataCID: metadataCID,
		Links: draft.Links, Status: token.Submitted, Decimals: draft.Decimals, Supply: draft.Supply,
		TransferFeeBps: draft.TransferFeeBps, FeeAdjustable: draft.FeeAdjustable, Immutable: draft.Immutable,
		Wallet: token.Wallet{ID: w.ID, Address: w.Address, Root: w.Root}, Guardian: draft.Guardian,
		Settings: draft.Settings, SettingsVersion: terms.LaunchVersion, CreatedAt: now,
	}
}

// issueTries is the maximum number of attempts to store a launch while the same caller prepares
// other launches.
const issueTries = 5

// issue stores a launch and then the metadata file. In this order, a failure leaves no file without
// a record, and the record of an unsubmitted launch lets the cleanup delete the file a day later.
func (s Service) issue(ctx context.Context, l Launch, metadata []byte) error {
	if err := s.store(ctx, l); err != nil {
		return err
	}
	return s.Files.SaveMetadata(ctx, metadata)
}

func (s Service) store(ctx context.Context, l Launch) error {
	for try := range issueTries {
		var previous *Launch
		current, err := s.Store.Current(ctx, l.Caller, try > 0)
		switch {
		case err == nil:
			previous = &current
		case !errors.Is(err, ErrNotFound):
			return err
		}
		err = s.Store.Issue(ctx, l, previous, s.Now())
		if !errors.Is(err, ErrConflict) {
			return err
		}
	}
	return apperr.Upstream("The store", fmt.Errorf("issue launch %s: %w", l.ID, ErrConflict))
}

// release releases the nonce of a transaction that the caller never received. A failure is only
// logged, because the lease ends after its time.
func (s Service) release(ctx context.Context, n transaction.Nonce, id string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	if err := s.Nonces.Release(ctx, n, id); err != nil {
		s.Log.WarnContext(ctx, "nonce not released", "nonce", n.Account.String(), "error", err)
	}
}
