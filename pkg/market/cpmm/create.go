package cpmm

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"math/big"
	"time"

	"tokenlaunch.example/service/pkg/token"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/raydium"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

// Chain is the subset of the RPC API that the preparation of a pool needs.
type Chain interface {
	onchain.Reader
	// MinimumBalance returns the rent that exempts an account of this size.
	MinimumBalance(ctx context.Context, bytes uint64) (lamports uint64, err error)
	Epoch(ctx context.Context) (uint64, error)
}

// Store stores prepared pools.
type Store interface {
	// Issue records a transaction and the new pool in one write.
	Issue(ctx context.Context, i transaction.Issued, p token.Pool) error
}

// Preparer builds transactions for callers to sign.
type Preparer interface {
	Prepare(ctx context.Context, id string, d transaction.Draft) (transaction.Unsigned, error)
}

// Service prepares pools. Every field is required.
type Service struct {
	Chain    Chain
	Preparer Preparer
	Store    Store
	Network  raydium.Network
	// Random is the source of the keys of pools: crypto/rand.Reader.
	Random io.Reader
}

// Created is a future pool and the transaction that creates the pool.
type Created struct {
	transaction.Unsigned
	Pool token.Pool
	// TokenAmount leaves the caller, and TokenAmountAfterTax reaches the vault, both in base units.
	// Lamports also leave the caller.
	TokenAmount, TokenAmountAfterTax uint64
	Lamports                         uint64
	// InitialPrice is the pool's start price: SOL per whole token.
	InitialPrice string
}

// Compute units of the transaction. With the program's build of 2025 the transaction used 140,000
// to 165,000 units, because the cost of deriving addresses varies. maxUnits is the limit of the
// simulation. defaultUnits is used if the simulation reports no number.
const (
	maxUnits     = 400_000
	defaultUnits = 250_000
)

// firstLook is the time from the creation of a transaction until the first check for its effect.
const firstLook = 20 * time.Second

// Create prepares a transaction that creates the pool of a token and SOL, with the given base units
// and lamports, both at least 1. The simulation in the result reports missing funds of the caller.
// It returns token_not_found, unsupported_token, and validation_failed for amounts below the
// program's minimum.
//
// The pool's account has its own key, which signs this transaction and is dropped. So a third party
// cannot block the creation with a pool at the address that the program derives.
func (s Service) Create(ctx context.Context, caller, tokenMint solana.PublicKey, tokenAmount, lamports uint64) (Created, error) {
	mint, err := market.ReadMint(ctx, s.Chain, tokenMint)
	if err != nil {
		return Created{}, err
	}
	public, private, err := ed25519.GenerateKey(s.Random)
	if err != nil {
		return Created{}, fmt.Errorf("make the key of a pool: %w", err)
	}
	defer clear(private)
	f, err := s.facts(ctx, caller, mint, solana.PublicKeyFromBytes(public))
	if err != nil {
		return Created{}, err
	}
	arriving := tokenAmount - mint.TaxOn(f.epoch, tokenAmount)
	if err := checkShares(arriving, lamports); err != nil {
		return Created{}, err
	}
	draft, err := s.draft(ctx, caller, mint, f, tokenAmount, lamports)
	if err != nil {
		return Created{}, err
	}
	draft.Signers = []ed25519.PrivateKey{private}
	unsigned, err := s.Preparer.Prepare(ctx, "", draft)
	if err != nil {
		return Created{}, fmt.Errorf("prepare the pool of %s: %w", tokenMint, err)
	}
	created := Created{
		Unsigned: unsigned, TokenAmount: tokenAmount, TokenAmountAfterTax: arriving, Lamports: lamports,
		Pool: token.Pool{
			Kind: token.RaydiumCPMM, Address: f.addresses.Pool, Mint: tokenMint, Creator: caller,
			TokenVault: f.addresses.TokenVault, SOLVault: f.addresses.SOLVault,
			Authority: f.addresses.Authority, LPMint: f.addresses.LPMint,
		},
		InitialPrice: market.Price(number(lamports), number(arriving), mint.Decimals),
	}
	issued := unsigned.Issue(created.Pool.Address, unsigned.CreatedAt.Add(firstLook))
	if err := s.Store.Issue(ctx, issued, created.Pool); err != nil {
		return Created{}, err
	}
	return created, nil
}

// facts are the on-chain facts about a future pool.
type facts struct {
	addresses    raydium.Addresses
	config       raydium.Config
	epoch        uint64
	tokenAccount solana.PublicKey // the caller's
	holds        uint64           // base units
	solAccount   solana.PublicKey // the caller's
	hasWrapped   bool             // the account exists
}

func (s Service) facts(ctx context.Context, caller solana.PublicKey, mint market.Mint, pool solana.PublicKey) (f facts, err error) {
	if f.addresses, err = s.Network.AddressesAt(mint.Address, pool); err != nil {
		return f, err
	}
	if f.config, err = ReadConfig(ctx, s.Chain, s.Network); err != nil {
		return f, err
	}
	if mint.Fee != nil {
		if f.epoch, err = s.Chain.Epoch(ctx); err != nil {
			return f, err
		}
	}
	if f.tokenAccount, err = token2022.AssociatedAddress(caller, mint.Address, mint.Program); err != nil {
		return f, err
	}
	if f.holds, _, err = s.holding(ctx, f.tokenAccount); err != nil {
		return f, err
	}
	if f.solAccount, err = market.WrappedAddress(caller); err != nil {
		return f, err
	}
	_, f.hasWrapped, err = s.holding(ctx, f.solAccount)
	return f, err
}

// holding returns the amount in a token account. A missing account, or an account of another kind,
// has no tokens.
func (s Service) holding(ctx context.Context, account solana.PublicKey) (amount uint64, exists bool, err error) {
	stored, found, err := s.Chain.Account(ctx, account)
	if err != nil || !found {
		return 0, false, err
	}
	decoded, err := token2022.DecodeAccount(stored.Owner, stored.Data)
	if errors.Is(err, token2022.ErrNotTokenAccount) {
		return 0, false, nil
	}
	return decoded.Amount, true, err
}

// ReadConfig reads the network's configuration of the program. It returns raydium.DefaultConfig if
// the account does not exist, because then the program does not exist, either.
func ReadConfig(ctx context.Context, chain onchain.Reader, n raydium.Network) (raydium.Config, error) {
	stored, found, err := chain.Account(ctx, n.Config)
	if err != nil {
		return raydium.Config{}, fmt.Errorf("read the configuration of %s: %w", n.Program, err)
	}
	if !found {
		return raydium.DefaultConfig, nil
	}
	config, err := n.DecodeConfig(stored.Owner, stored.Data)
	if err != nil {
		return raydium.Config{}, fmt.Errorf("read the configuration %s: %w", n.Config, err)
	}
	return config, nil
}

// checkShares rejects amounts that are too small for a pool. A pool's shares are the root of the
// product, and the program withholds the first 100 shares.
func checkShares(tokens, lamports uint64) error {
	const minimum = raydium.LockedShares * raydium.LockedShares
	if product := new(big.Int).Mul(number(tokens), number(lamports)); product.Cmp(big.NewInt(minimum)) >= 0 {
		return nil
	}
	why := fmt.Sprintf("What arrives of both must make %d when multiplied: of the tokens, %d base units arrive.", minimum, tokens)
	return apperr.Validation([]apperr.Field{
		{Field: "tokenAmount", Code: apperr.CodeOutOfRange, Message: why},
		{Field: "solAmount", Code: apperr.CodeOutOfRange, Message: why},
	})
}
