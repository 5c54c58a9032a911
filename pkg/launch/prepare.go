package launch

import (
	"context"
	"crypto/ed25519"
	"fmt"

	"tokenlaunch.example/service/pkg/asset"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/creation"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/transaction"
)

// Compute unit limits. The creation takes about 35,000 (design, chain.md); a
// prepared transaction asks for a fifth more than its simulation took, or for
// the default when the simulation could not tell.
const (
	simulationUnits = 200_000
	defaultUnits    = 60_000
)

// lamportsPerSignature is the base fee (Solana, "Transaction fees").
const lamportsPerSignature = 5_000

// Cost is what the caller pays, in lamports.
type Cost struct {
	NetworkFee    uint64
	Rent          uint64
	WalletFunding uint64
}

// Total is the sum, in lamports.
func (c Cost) Total() uint64 { return c.NetworkFee + c.Rent + c.WalletFunding }

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
		plan.ComputeUnitLimit = uint32(min(simulation.ComputeUnits*6/5, simulationUnits))
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
		Simulation: simulation.Afford(funds.balance, cost.Total(), funds.walletRent),
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

func (s Service) simulate(ctx context.Context, plan creation.Creation, n transaction.Nonce) (transaction.Simulation, error) {
	message, err := plan.Message(n.Value)
	if err != nil {
		return transaction.Simulation{}, fmt.Errorf("build the creation of %s: %w", plan.Mint, err)
	}
	return s.Chain.Simulate(ctx, wire.NewTransaction(message).Bytes())
}
