package agave

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/localnet/localchain"
)

// powers has few abilities: state that is not in the genesis comes from transactions, and slots
// take time.
type powers struct{ chain *localchain.Chain }

// CreateMints does nothing, because the genesis has the mints.
func (powers) CreateMints(context.Context) error { return nil }

// SetAccount accepts an account that already exists with the same owner and data. It returns
// localchain.ErrPower for any other account.
func (p powers) SetAccount(ctx context.Context, address string, a localchain.Account) error {
	var found struct {
		Value *struct {
			Owner string
			Data  []string
		}
	}
	err := p.chain.Call(ctx, &found, "getAccountInfo", address, map[string]string{"commitment": "confirmed", "encoding": "base64"})
	if err != nil {
		return err
	}
	if found.Value != nil && found.Value.Owner == a.Owner && len(found.Value.Data) > 0 {
		if data, err := base64.StdEncoding.DecodeString(found.Value.Data[0]); err == nil && bytes.Equal(data, a.Data) {
			return nil
		}
	}
	return fmt.Errorf("write the account %s: %w", address, localchain.ErrPower)
}

// FundToken issues USDC or USDT up to the amount.
func (p powers) FundToken(ctx context.Context, owner, mint string, amount uint64, tokenProgram string) error {
	issuer := p.chain.Issuer
	if issuer == nil || mint != localchain.USDC && mint != localchain.USDT {
		return fmt.Errorf("issue %s: %w", mint, localchain.ErrPower)
	}
	program := solana.MustPublicKeyFromBase58(tokenProgram)
	create, account, err := token2022.CreateAssociatedIdempotent{
		Payer: issuer.PublicKey(), Wallet: solana.MustPublicKeyFromBase58(owner), Mint: solana.MustPublicKeyFromBase58(mint), Program: program,
	}.Instruction()
	if err != nil {
		return err
	}
	has, err := p.tokens(ctx, account)
	if err != nil {
		return err
	}
	if has > amount {
		return fmt.Errorf("%s has %d of %s already, more than %d: %w", owner, has, mint, amount, localchain.ErrPower)
	}
	issue := token2022.MintTo{Mint: solana.MustPublicKeyFromBase58(mint), Account: account, Authority: issuer.PublicKey(), Amount: amount - has}.Instruction()
	data, err := issue.Data()
	if err != nil {
		return err
	}
	return p.send(ctx, issuer, create, solana.NewInstruction(program, issue.Accounts(), data))
}

// tokens returns the balance of a token account; zero if the account does not exist.
func (p powers) tokens(ctx context.Context, account solana.PublicKey) (uint64, error) {
	var found struct {
		Value *struct{ Data []string }
	}
	err := p.chain.Call(ctx, &found, "getAccountInfo", account.String(), map[string]string{"commitment": "confirmed", "encoding": "base64"})
	if err != nil || found.Value == nil || len(found.Value.Data) == 0 {
		return 0, err
	}
	data, err := base64.StdEncoding.DecodeString(found.Value.Data[0])
	if err != nil {
		return 0, fmt.Errorf("read the account %s: %w", account, err)
	}
	state, err := token2022.DecodeAccount(solana.TokenProgramID, data)
	return state.Amount, err
}

// send sends a transaction of instructions that payer signs and pays.
func (p powers) send(ctx context.Context, payer solana.PrivateKey, steps ...solana.Instruction) error {
	var latest struct{ Value struct{ Blockhash string } }
	if err := p.chain.Call(ctx, &latest, "getLatestBlockhash", localchain.Confirmed); err != nil {
		return err
	}
	recent, err := solana.HashFromBase58(latest.Value.Blockhash)
	if err != nil {
		return fmt.Errorf("read the blockhash: %w", err)
	}
	message, err := wire.Compile(payer.PublicKey(), recent, steps)
	if err != nil {
		return err
	}
	tx := wire.NewTransaction(message)
	if err := tx.Sign(ed25519.PrivateKey(payer)); err != nil {
		return err
	}
	_, err = p.chain.Send(ctx, tx.Base64())
	return err
}

// WriteProgram returns localchain.ErrPower, because programs are in the genesis.
func (powers) WriteProgram(_ context.Context, address string, _ []byte) error {
	return fmt.Errorf("deploy the program %s: %w", address, localchain.ErrPower)
}

// TimeTravel waits for the chain's real clock, for at most patience.
func (p powers) TimeTravel(ctx context.Context, to time.Time) error {
	if wait := time.Until(to); wait > patience {
		return fmt.Errorf("let %s pass: %w", wait.Round(time.Second), localchain.ErrPower)
	}
	return p.chain.Await(ctx, func() (bool, error) {
		now, err := p.now(ctx)
		return !now.Before(to.Truncate(time.Second)), err
	})
}

// patience is the maximum distance of a TimeTravel on a real clock.
const patience = 20 * time.Second

func (p powers) now(ctx context.Context) (time.Time, error) {
	var clock struct {
		Value struct {
			Data struct {
				Parsed struct{ Info struct{ UnixTimestamp int64 } }
			}
		}
	}
	err := p.chain.Call(ctx, &clock, "getAccountInfo", solana.SysVarClockPubkey.String(), map[string]string{"commitment": "processed", "encoding": "jsonParsed"})
	return time.Unix(clock.Value.Data.Parsed.Info.UnixTimestamp, 0), err
}

// PassSlots waits for n slots.
func (p powers) PassSlots(ctx context.Context, n int) error {
	start, err := p.chain.Slot(ctx)
	if err != nil {
		return err
	}
	return p.chain.Await(ctx, func() (bool, error) {
		now, err := p.chain.Slot(ctx)
		return now >= start+uint64(max(n, 0)), err
	})
}
