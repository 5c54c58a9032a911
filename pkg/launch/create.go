package launch

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/apperr"
	"tokenlaunch.example/service/pkg/asset"
	"tokenlaunch.example/service/pkg/distribution"
	"tokenlaunch.example/service/pkg/ratelimit"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/creation"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/transaction"
	"tokenlaunch.example/service/pkg/wallet"
)

// leaseMargin is how much longer than the transaction's life its nonce is
// leased, so that clocks which differ a little never lease it twice.
const leaseMargin = 30 * time.Second

// Compute unit limits. The creation takes about 35,000 (design, chain.md); a
// prepared transaction asks for a fifth more than its simulation took, or for
// the default when the simulation could not tell.
const (
	simulationUnits = 200_000
	defaultUnits    = 60_000
)

// lamportsPerSignature is the base fee (Solana, "Transaction fees").
const lamportsPerSignature = 5_000

// Chain is what a launch needs of the network.
type Chain interface {
	// MinimumBalance is the rent that exempts an account of so many bytes.
	MinimumBalance(ctx context.Context, bytes uint64) (lamports uint64, err error)
	Balance(ctx context.Context, account solana.PublicKey) (lamports uint64, err error)
	// Mint gives the owner program and data of an account; found is false when
	// there is none.
	AccountData(ctx context.Context, account solana.PublicKey) (owner solana.PublicKey, data []byte, found bool, err error)
	Simulate(ctx context.Context, tx []byte) (transaction.Simulation, error)
	// Send hands a signed transaction to the network, without a preflight.
	Send(ctx context.Context, signed []byte) error
	// Await waits until a transaction is confirmed, has failed, or the context
	// ends, which gives transaction.Unknown and no error.
	Await(ctx context.Context, signature solana.Signature) (transaction.Outcome, error)
}

// Service prepares and submits launches.
type Service struct {
	Store   Store
	Wallets Wallets
	Images  Images
	Files   Files
	Nonces  Nonces
	Signer  Signer
	Chain   Chain
	Limiter ratelimit.Limiter
	// LeasesPerIP bounds the creations that one address prepares within the
	// lifetime of a transaction, for wallets are free and nonces are not.
	LeasesPerIP int
	// FundingLamports is what a creator gives his distribution wallet to pay its
	// first network fees with.
	FundingLamports uint64
	// PriceMicroLamports is the priority fee per compute unit.
	PriceMicroLamports uint64
	// ConfirmWithin bounds the wait for the chain in Submit.
	ConfirmWithin time.Duration
	Now           func() time.Time
	NewID         func() string
	Random        io.Reader // for mint keys: crypto/rand.Reader
	Log           *slog.Logger
}

// Created is what the caller gets to sign, and what it will do and cost.
type Created struct {
	Launch
	Transaction []byte // whole, with the caller's place empty
	Cost        Cost
	Explanation []string
	Simulation  transaction.Simulation
}

// Cost is what the caller pays, in lamports.
type Cost struct {
	NetworkFee    uint64
	Rent          uint64
	WalletFunding uint64
}

// Total is the sum, in lamports.
func (c Cost) Total() uint64 { return c.NetworkFee + c.Rent + c.WalletFunding }

// Create prepares the launch of a draft that has been validated. sourceIP is
// where the caller is, for the limit of leases per address.
func (s Service) Create(ctx context.Context, caller solana.PublicKey, sourceIP string, draft token.Draft) (Created, error) {
	distributionWallet, err := s.check(ctx, &draft)
	if err != nil {
		return Created{}, err
	}
	if err := s.limitLeases(ctx, sourceIP); err != nil {
		return Created{}, err
	}
	metadata, err := draft.Metadata()
	if err != nil {
		return Created{}, err
	}
	metadataCID, err := s.Files.SaveMetadata(ctx, metadata)
	if err != nil {
		return Created{}, err
	}
	public, private, err := ed25519.GenerateKey(s.Random)
	if err != nil {
		return Created{}, fmt.Errorf("make the mint's key: %w", err)
	}
	defer clear(private)
	mint := solana.PublicKeyFromBytes(public)

	now := s.Now().UTC().Truncate(time.Millisecond)
	l := Launch{
		Prepared: transaction.Prepared{
			ID: s.NewID(), Caller: caller, Mint: mint,
			CreatedAt: now, ExpiresAt: now.Add(transaction.Lifetime), Status: transaction.Pending,
		},
		Token: record(s.NewID(), caller, mint, draft, distributionWallet, metadataCID, now),
	}
	if l.Nonce, err = s.Nonces.Lease(ctx, l.ID, l.ExpiresAt.Add(leaseMargin)); err != nil {
		return Created{}, err
	}
	created, err := s.prepare(ctx, l, private)
	if err != nil {
		s.release(ctx, l)
		return Created{}, err
	}
	// A write whose answer was lost may have happened: then the nonce is the
	// launch's until a newer one supersedes it, so it is not released here.
	if err := s.issue(ctx, created.Launch); err != nil {
		return Created{}, err
	}
	return created, nil
}

// check looks up what the draft refers to. It changes a reward token that is
// wrapped SOL into SOL itself.
func (s Service) check(ctx context.Context, draft *token.Draft) (wallet.Wallet, error) {
	cid, _ := draft.ImageCID()
	stored, err := s.Images.Stored(ctx, cid)
	if err != nil {
		return wallet.Wallet{}, err
	}
	if !stored {
		return wallet.Wallet{}, refuse(apperr.Invalid, "unknown_image", "imageUri",
			"This image was not uploaded here: use the imageUri that POST /tokens/upload-image answers.")
	}
	found, err := s.Wallets.Get(ctx, draft.WalletID)
	if errors.Is(err, wallet.ErrNotFound) {
		return wallet.Wallet{}, refuse(apperr.Invalid, "unknown_wallet", "walletId",
			"This distribution wallet is not known, or was issued more than 24 hours ago: ask for a new one with POST /tokens/generate-distribution-wallet.")
	}
	if err != nil {
		return wallet.Wallet{}, err
	}
	if err := s.checkReward(ctx, &draft.Settings); err != nil {
		return wallet.Wallet{}, err
	}
	if found.Bound() {
		return wallet.Wallet{}, walletInUse()
	}
	return found, nil
}

func (s Service) checkReward(ctx context.Context, settings *distribution.Settings) error {
	if settings.RewardToken == solana.WrappedSol.String() {
		settings.RewardToken = distribution.RewardSOL
	}
	if settings.RewardToken == distribution.RewardSOL {
		return nil
	}
	mint, err := solana.PublicKeyFromBase58(settings.RewardToken)
	if err != nil {
		return fmt.Errorf("validated reward token: %w", err)
	}
	owner, data, found, err := s.Chain.AccountData(ctx, mint)
	if err != nil {
		return err
	}
	why := "There is no such mint on this network."
	if found {
		why = distribution.WhyNotReward(mint, owner, data)
	}
	if why != "" {
		return refuse(apperr.Invalid, "unsupported_reward_token", "rewardToken", why)
	}
	return nil
}

func refuse(kind apperr.Kind, code, field, why string) error {
	return &apperr.Error{Kind: kind, Code: code, Detail: why, Fields: []apperr.Field{{Field: field, Code: code, Message: why}}}
}

func walletInUse() error {
	return refuse(apperr.Conflict, "wallet_in_use", "walletId",
		"A launched token already uses this distribution wallet: ask for a new one with POST /tokens/generate-distribution-wallet.")
}

func (s Service) limitLeases(ctx context.Context, sourceIP string) error {
	rule := ratelimit.Rule{Name: "leases", Limit: s.LeasesPerIP, Window: transaction.Lifetime}
	decision, err := s.Limiter.Take(ctx, rule, ratelimit.AddressKey(sourceIP))
	if err != nil {
		return apperr.Upstream("The store", err)
	}
	if decision.Allowed {
		return nil
	}
	return &apperr.Error{
		Kind: apperr.RateLimited, Code: "rate_limit_exceeded",
		Detail:     fmt.Sprintf("At most %d launches may be prepared from one address within five minutes.", s.LeasesPerIP),
		RetryAfter: decision.RetryAfter,
	}
}

func record(id string, caller, mint solana.PublicKey, draft token.Draft, w wallet.Wallet, metadataCID string, now time.Time) token.Record {
	cid, _ := draft.ImageCID()
	return token.Record{
		ID: id, Mint: mint, Creator: caller, Name: draft.Name, Symbol: draft.Symbol, Description: draft.Description,
		ImageCID: cid, MetadataCID: metadataCID,
		Twitter: draft.Twitter, Telegram: draft.Telegram, Website: draft.Website,
		Status: token.Submitted, Decimals: draft.Decimals, Supply: draft.Supply,
		TransferFeeBps: draft.TransferFeeBps, FeeAdjustable: draft.FeeAdjustable, Immutable: draft.Immutable,
		Wallet:   token.Wallet{ID: w.ID, Address: w.Address},
		Settings: draft.Settings, CreatedAt: now,
	}
}

// prepare builds the transaction, simulates it, adds the mint's signature, and
// says what it costs.
func (s Service) prepare(ctx context.Context, l Launch, mintKey ed25519.PrivateKey) (Created, error) {
	authority, err := s.Signer.PublicKey(ctx)
	if err != nil {
		return Created{}, err
	}
	t := l.Token
	plan := creation.Creation{
		Payer: l.Caller, Mint: l.Mint, NonceAccount: l.Nonce.Account, NonceAuthority: authority,
		DistributionWallet: t.Wallet.Address,
		Name:               t.Name, Symbol: t.Symbol, URI: asset.Scheme + t.MetadataCID,
		Decimals: uint8(t.Decimals), Supply: t.Supply, TransferFeeBps: uint16(t.TransferFeeBps), //nolint:gosec // validated: 6 or 9; at most 10,000
		FeeAdjustable: t.FeeAdjustable, ImmutableMetadata: t.Immutable, FundingLamports: s.FundingLamports,
		ComputeUnitLimit: simulationUnits, ComputeUnitPriceMicroLamports: s.PriceMicroLamports,
	}
	funds, err := s.funds(ctx, &plan)
	if err != nil {
		return Created{}, err
	}
	simulation, err := s.simulate(ctx, plan, l.Nonce)
	if err != nil {
		return Created{}, err
	}
	plan.ComputeUnitLimit = defaultUnits
	if simulation.OK {
		plan.ComputeUnitLimit = uint32(min(simulation.ComputeUnits*6/5, simulationUnits)) //nolint:gosec // bounded by min
	}
	message, err := plan.Message(l.Nonce.Value)
	if err != nil {
		return Created{}, fmt.Errorf("build the creation of %s: %w", l.Mint, err)
	}
	tx := wire.NewTransaction(message)
	if err := tx.Sign(mintKey); err != nil {
		return Created{}, err
	}
	signature, _ := tx.Signature(l.Mint)
	l.Message = message.Bytes()
	l.Cosigned = []transaction.Cosignature{{Signer: l.Mint, Signature: signature}}

	steps, err := plan.Steps()
	if err != nil {
		return Created{}, err
	}
	explanation := make([]string, len(steps))
	for i, step := range steps {
		explanation[i] = step.Explanation
	}
	cost := Cost{
		NetworkFee: uint64(len(message.Signers()))*lamportsPerSignature +
			computebudget.PriorityFee(plan.ComputeUnitLimit, s.PriceMicroLamports),
		Rent:          plan.MintRentLamports + funds.accountRent,
		WalletFunding: s.FundingLamports,
	}
	return Created{
		Launch: l, Transaction: tx.Bytes(), Cost: cost, Explanation: explanation,
		Simulation: funds.judge(simulation, cost.Total()),
	}, nil
}

// funds is what the chain says about money: what the caller has, and rents.
type funds struct {
	balance     uint64
	walletRent  uint64 // what an account without data must keep
	accountRent uint64 // the caller's token account
}

func (s Service) funds(ctx context.Context, plan *creation.Creation) (funds, error) {
	var f funds
	mintRent, err := s.Chain.MinimumBalance(ctx, token2022.MintSize(plan.Name, plan.Symbol, plan.URI))
	if err != nil {
		return f, err
	}
	plan.MintRentLamports = mintRent
	if f.accountRent, err = s.Chain.MinimumBalance(ctx, token2022.AssociatedAccountSize); err != nil {
		return f, err
	}
	if f.walletRent, err = s.Chain.MinimumBalance(ctx, 0); err != nil {
		return f, err
	}
	f.balance, err = s.Chain.Balance(ctx, plan.Payer)
	return f, err
}

// judge says what the caller lacks, if it is money: he must keep the minimum of
// an account, or nothing at all.
func (f funds) judge(sim transaction.Simulation, total uint64) transaction.Simulation {
	needed := total
	if f.balance != total {
		needed += f.walletRent
	}
	if f.balance >= needed {
		return sim
	}
	sim.OK = false
	sim.Reason = transaction.InsufficientFunds
	sim.MissingLamports = needed - f.balance
	sim.Detail = fmt.Sprintf("The wallet has %d lamports and needs %d.", f.balance, needed)
	return sim
}

func (s Service) simulate(ctx context.Context, plan creation.Creation, n transaction.Nonce) (transaction.Simulation, error) {
	message, err := plan.Message(n.Value)
	if err != nil {
		return transaction.Simulation{}, fmt.Errorf("build the creation of %s: %w", plan.Mint, err)
	}
	return s.Chain.Simulate(ctx, wire.NewTransaction(message).Bytes())
}

// issueTries bounds how often a creation starts again because the same caller
// prepared another one at the same moment.
const issueTries = 5

func (s Service) issue(ctx context.Context, l Launch) error {
	for range issueTries {
		var previous *Launch
		current, err := s.Store.Current(ctx, l.Caller)
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

// release frees the nonce of a launch that was never to be issued. Its lease ends
// by itself, so a failure is only logged.
func (s Service) release(ctx context.Context, l Launch) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	if err := s.Nonces.Release(ctx, l.Nonce, l.ID); err != nil {
		s.Log.WarnContext(ctx, "nonce not released", "nonce", l.Nonce.Account.String(), "error", err)
	}
}
