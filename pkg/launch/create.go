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
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
	"tokenlaunch.example/service/pkg/token/wallet"
)

// leaseMargin is how much longer than the transaction's life its nonce is
// leased, so that clocks which differ a little never lease it twice.
const leaseMargin = 30 * time.Second

// Chain is what a launch needs of the network.
type Chain interface {
	onchain.Reader
	// MinimumBalance is the rent that exempts an account of so many bytes.
	MinimumBalance(ctx context.Context, bytes uint64) (lamports uint64, err error)
	Simulate(ctx context.Context, tx []byte) (transaction.Simulation, error)
	// Send hands a signed transaction to the network, without a preflight.
	Send(ctx context.Context, signed []byte) error
	// Outcomes gives the outcome of each transaction at confirmed, old ones included, in
	// order.
	Outcomes(ctx context.Context, signatures ...solana.Signature) ([]transaction.Outcome, error)
	// RecentBlockhash gives a recent blockhash, confirmed.
	RecentBlockhash(ctx context.Context) (onchain.Blockhash, error)
	// ConfirmedHeight is the height of the newest confirmed block.
	ConfirmedHeight(ctx context.Context) (uint64, error)
	// SlotTime is how long a slot takes, as measured of late.
	SlotTime(ctx context.Context) (time.Duration, error)
	// Await waits until a transaction is confirmed, has failed, or the context
	// ends, which gives transaction.Unknown and no error.
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
	// MintMAC is of a key of its own: a caller of it can sign for every mint that is
	// to be.
	MintMAC MAC
	Chain   Chain
	// Lifetime says whether launches use a nonce or a blockhash.
	Lifetime Lifetime
	// Preparer makes the transactions.
	Preparer transaction.Preparer
	Limiter  ratelimit.Limiter
	// LeasesPerIP bounds the creations that one address prepares within the
	// lifetime of a transaction, for wallets are free and nonces are not.
	LeasesPerIP int
	// FundingLamports is what a creator gives their distribution wallet to pay its
	// first network fees with.
	FundingLamports uint64
	// ConfirmWithin bounds the wait for the chain in Submit.
	ConfirmWithin time.Duration
	Now           func() time.Time
	NewID         func() string
	Log           *slog.Logger
}

// Created is what the caller gets to sign, and what it will do and cost.
type Created struct {
	Launch
	Fresh       Fresh
	Cost        transaction.Cost
	Explanation []string
	Simulation  transaction.Simulation
}

// Create prepares the launch of a draft that has been validated. sourceIP is
// where the caller is, for the limit of leases per address.
func (s Service) Create(ctx context.Context, caller solana.PublicKey, sourceIP string, draft token.Draft) (Created, error) {
	distributionWallet, err := s.check(ctx, &draft, s.holdImage)
	if err != nil {
		return Created{}, err
	}
	return ratelimit.Within(ctx, s.Limiter, s.leaseLimit(), ratelimit.AddressKey(sourceIP), s.tooManyLaunches(), func() (Created, error) {
		return s.create(ctx, caller, draft, distributionWallet)
	})
}

// create prepares a launch that is within its limits.
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
	if err == nil {
		err = s.issue(ctx, created.Launch, o.metadata)
	}
	if err != nil {
		return Created{}, err
	}
	return created, nil
}

// order is a launch that is to be prepared.
type order struct {
	id         string
	token      token.Record
	metadata   []byte
	mintKey    ed25519.PrivateKey
	lastSigner solana.PublicKey
	until      time.Time
}

// fill adds what follows from a draft to an order that has the key of its mint.
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

// createOnNonce prepares and issues an order on a nonce, and gives the nonce back where that
// fails. ok is false when there is none to be had, or the network does not take it: then the
// order can use a blockhash.
//
// A write whose answer was lost may have happened. Its launch can be submitted no more once
// its lease is over, and no caller was told of it.
func (s Service) createOnNonce(ctx context.Context, o order) (created Created, ok bool, err error) {
	n, err := s.Nonces.Lease(ctx, o.id, o.until.Add(leaseMargin))
	if err != nil {
		s.Log.WarnContext(ctx, "no nonce: the launch uses a blockhash", "transactionId", o.id, "error", err)
		return Created{}, false, nil
	}
	created, err = s.prepare(ctx, o, &transaction.NonceUse{Nonce: n, Authority: o.lastSigner, Until: o.until})
	switch {
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
		Wallet:   token.Wallet{ID: w.ID, Address: w.Address},
		Settings: draft.Settings, SettingsVersion: terms.LaunchVersion, CreatedAt: now,
	}
}

// issueTries bounds how often a creation starts again because the same caller
// prepared another one at the same moment.
const issueTries = 5

// issue stores a launch and then its metadata file. So a creation that fails leaves no file
// that no record leads to: what is not submitted is removed by the record, a day later.
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

// release frees a nonce that was leased for a transaction which its caller was not told
// of. Its lease ends by itself, so a failure is only logged.
func (s Service) release(ctx context.Context, n transaction.Nonce, id string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	if err := s.Nonces.Release(ctx, n, id); err != nil {
		s.Log.WarnContext(ctx, "nonce not released", "nonce", n.Account.String(), "error", err)
	}
}
