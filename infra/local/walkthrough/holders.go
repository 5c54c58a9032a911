package walkthrough

import (
	"context"
	"fmt"

	"github.com/gagliardetto/solana-go"
	"golang.org/x/sync/errgroup"

	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/wire"
)

// holders is the default number of wallets that receive tokens.
const holders = 24

// share returns the amount for the i-th wallet; of is the number of wallets. Each wallet receives
// the first wallet's amount more than the wallet before, and all wallets together receive 30 % of
// the supply.
func (m market) share(i, of int) uint64 {
	return m.supply / 10 * 3 / (uint64(of*(of+1)) / 2) * uint64(i+1) // #nosec G115 -- small numbers
}

const (
	// perTransaction is the number of holders in a transaction.
	perTransaction = 4
	// atOnce is the maximum number of concurrent transactions.
	atOnce = 4
	// sends is the maximum number of times that a transaction is sent.
	sends = 5
)

// market creates the token's holders by transfers on the chain, which are taxed.
type market struct {
	node     *solanarpc.Client
	creator  client.Signer
	mint     solana.PublicKey
	supply   uint64
	decimals uint8
	// rent is the amount that each holder's wallet receives, in lamports. Without rent the wallet
	// does not exist.
	rent uint64
}

// open sends tokens to new wallets.
func (m market) open(ctx context.Context, holders int) ([]Wallet, error) {
	wallets := make([]Wallet, holders)
	for i := range wallets {
		var err error
		if wallets[i], err = NewWallet(); err != nil {
			return nil, err
		}
	}
	from, err := m.account(m.creator.PublicKey())
	if err != nil {
		return nil, err
	}
	sending, all := errgroup.WithContext(ctx)
	sending.SetLimit(atOnce)
	for first := 0; first < holders; first += perTransaction {
		var steps []solana.Instruction
		for i := first; i < min(first+perTransaction, holders); i++ {
			create, account, err := token2022.CreateAssociatedIdempotent{
				Payer: m.creator.PublicKey(), Wallet: wallets[i].PublicKey(), Mint: m.mint, Program: solana.Token2022ProgramID,
			}.Instruction()
			if err != nil {
				return nil, fmt.Errorf("make a holder's account: %w", err)
			}
			steps = append(steps, create, m.transfer(from, account, m.creator.PublicKey(), m.share(i, holders)))
			if m.rent > 0 {
				steps = append(steps, systemprogram.Transfer{From: m.creator.PublicKey(), To: wallets[i].PublicKey(), Lamports: m.rent}.Instruction())
			}
		}
		sending.Go(func() error { return m.execute(all, steps, m.creator) })
	}
	return wallets, sending.Wait()
}

// trade lets every holder sell a third of the holder's tokens to the next holder.
func (m market) trade(ctx context.Context, wallets []Wallet) error {
	sending, all := errgroup.WithContext(ctx)
	sending.SetLimit(atOnce)
	for i, seller := range wallets {
		from, err := m.account(seller.PublicKey())
		if err != nil {
			return err
		}
		to, err := m.account(wallets[(i+1)%len(wallets)].PublicKey())
		if err != nil {
			return err
		}
		key, err := seller.Signer()
		if err != nil {
			return err
		}
		step := m.transfer(from, to, seller.PublicKey(), m.share(i, len(wallets))/3)
		sending.Go(func() error { return m.execute(all, []solana.Instruction{step}, m.creator, key) })
	}
	return sending.Wait()
}

func (m market) account(wallet solana.PublicKey) (solana.PublicKey, error) {
	account, err := token2022.AssociatedAddress(wallet, m.mint, solana.Token2022ProgramID)
	if err != nil {
		return account, fmt.Errorf("find the account of %s: %w", wallet, err)
	}
	return account, nil
}

func (m market) transfer(from, to solana.PublicKey, owner solana.PublicKey, amount uint64) solana.Instruction {
	return token2022.TransferChecked{
		Program: solana.Token2022ProgramID, Source: from, Mint: m.mint, Destination: to, Owner: owner,
		Amount: amount, Decimals: m.decimals,
	}.Instruction()
}

// execute executes instructions; the first signer pays.
func (m market) execute(ctx context.Context, steps []solana.Instruction, signers ...client.Signer) error {
	recent, err := m.node.LatestBlockhash(ctx)
	if err != nil {
		return err
	}
	message, err := wire.Compile(signers[0].PublicKey(), recent, steps)
	if err != nil {
		return fmt.Errorf("compose a transfer: %w", err)
	}
	tx := wire.NewTransaction(message)
	for _, signer := range signers {
		signature, err := signer.SignTransaction(ctx, message.Bytes())
		if err == nil {
			err = tx.SetSignature(signer.PublicKey(), signature)
		}
		if err != nil {
			return fmt.Errorf("sign a transfer: %w", err)
		}
	}
	// A busy node may not respond in time. The same transaction lands at most once, however often
	// it is sent.
	for range sends {
		if err = m.node.Execute(ctx, tx.Bytes()); err == nil || apperr.KindOf(err) != apperr.Unavailable || ctx.Err() != nil {
			break
		}
	}
	return err
}

// balances sums up the lamports of the wallets.
func (m market) balances(ctx context.Context, wallets []Wallet) (sum uint64, err error) {
	for _, w := range wallets {
		lamports, err := m.node.Balance(ctx, w.PublicKey())
		if err != nil {
			return 0, err
		}
		sum += lamports
	}
	return sum, nil
}
