package airdrop

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"net/url"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/infra/bench/report"
	"tokenlaunch.example/service/infra/document"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/testkit/localnet/agave"
	"tokenlaunch.example/service/pkg/testkit/localnet/localchain"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

// validatorAccounts is the number of accounts from which a wallet collects on a validator.
const validatorAccounts = 10_000

// CollectTables collects withheld tax by the service's own payer, on Agave's validator in both
// consensus modes, in version 1 and legacy transactions.
func CollectTables(ctx context.Context, folder project.Folder) ([]document.Table, error) {
	header := []string{"consensus", "version", "accounts", "in one", "transactions", "slots", "first to last send", "done", "fees in lamports"}
	return onValidator(ctx, folder, "bench:collecting", header, func(consensus agave.Consensus) ([][]string, error) {
		var rows [][]string
		for _, version := range []payout.Version{payout.V1, payout.Legacy} {
			row, err := collectOnValidator(ctx, folder, consensus, version, validatorAccounts)
			if err != nil {
				return nil, err
			}
			name := "1"
			if version == payout.Legacy {
				name = "legacy"
			}
			rows = append(rows, append([]string{name}, row...))
		}
		return rows, nil
	})
}

// collectOnValidator collects the tax of a token whose accounts are in the genesis. It fails unless
// the wallet then has all of the tax, and all other accounts have their own balance.
func collectOnValidator(ctx context.Context, folder project.Folder, consensus agave.Consensus, version payout.Version, count int) ([]string, error) {
	token, err := newTaxed(count)
	if err != nil {
		return nil, err
	}
	w := newCounted()
	o, err := newOurs(ctx, w, token.sources, version)
	if err != nil {
		return nil, err
	}
	o.phase.Kind, o.phase.Mint, o.phase.BatchSize, o.phase.Program = payout.Collect, token.mint, version.CollectBatch(false), solana.Token2022ProgramID
	wallet := o.phase.Wallet.Address
	own, accounts, err := token.genesis(wallet)
	if err != nil {
		return nil, err
	}
	chain, err := agave.Start(ctx, folder, agave.Options{Consensus: consensus, Accounts: accounts})
	if err != nil {
		return nil, err
	}
	defer chain.Stop()
	if w.node, err = url.Parse(chain.RPCURL); err != nil {
		return nil, err
	}
	node, err := solanarpc.New(chain.RPCURL)
	if err != nil {
		return nil, err
	}
	// The payer measures finality, and at first only the genesis is final.
	err = chain.Await(ctx, func() (bool, error) {
		_, slot, found, err := node.FinalizedAccount(ctx, wallet)
		return found && slot > 0, err
	})
	if err != nil {
		return nil, err
	}
	if err := o.pay(ctx); err != nil {
		return nil, err
	}
	done := time.Now()
	transactions, slots, err := o.landings(ctx)
	if err != nil {
		return nil, err
	}
	if err := token.collected(ctx, node, own); err != nil {
		return nil, err
	}
	left, _, _, err := node.FinalizedAccount(ctx, wallet)
	if err != nil {
		return nil, err
	}
	return []string{
		fmt.Sprint(count), fmt.Sprint(o.phase.BatchSize), fmt.Sprint(transactions), slots,
		report.Seconds(w.last.Sub(w.first)), report.Seconds(done.Sub(w.first)), fmt.Sprint(accounts[wallet.String()].Lamports - left.Lamports),
	}, nil
}

// taxed is a token of the genesis: its mint, and its accounts by owner, with the withheld tax of
// each account.
type taxed struct {
	mint    solana.PublicKey
	owners  []solana.PublicKey
	sources []payout.Entry
}

// ownersHave is the balance of each account, in base units, in addition to the withheld tax.
const ownersHave = 19_000_000

func newTaxed(count int) (taxed, error) {
	token := taxed{mint: sha256.Sum256([]byte("taxed mint"))}
	for i := range count {
		owner := solana.PublicKey(sha256.Sum256(binary.BigEndian.AppendUint64(nil, uint64(i))))
		address, err := token2022.AssociatedAddress(owner, token.mint, solana.Token2022ProgramID)
		if err != nil {
			return taxed{}, err
		}
		token.owners = append(token.owners, owner)
		token.sources = append(token.sources, payout.Entry{Owner: address, Amount: amount(i)})
	}
	return token, nil
}

// withheld is the tax in all accounts, in base units.
func (t taxed) withheld() (sum uint64) {
	for _, source := range t.sources {
		sum += source.Amount
	}
	return sum
}

// genesis returns the accounts of the token and of the collecting wallet: the wallet's lamports,
// and the wallet's empty account of the token at the address own.
func (t taxed) genesis(wallet solana.PublicKey) (own solana.PublicKey, accounts map[string]localchain.Account, err error) {
	own, err = token2022.AssociatedAddress(wallet, t.mint, solana.Token2022ProgramID)
	if err != nil {
		return own, nil, err
	}
	accounts = map[string]localchain.Account{
		wallet.String(): {Lamports: wealth / 10},
		own.String():    t.account(wallet, 0, 0),
		t.mint.String(): ofToken2022(t.mintOf(wallet)),
	}
	for i, source := range t.sources {
		accounts[source.Owner.String()] = t.account(t.owners[i], ownersHave, source.Amount)
	}
	return own, accounts, nil
}

// Layouts of Token-2022 (spl-token-2022-interface): a mint and an account have their extensions
// behind the byte of their type. An extension is its type and length, two bytes each, and its
// value.
const (
	mintSupplyAt, mintDecimalsAt, mintInitializedAt = 36, 44, 45
	accountOwnerAt, accountAmountAt, accountStateAt = 32, 64, 108
	typeOfMint, initialized                         = 1, 1
	decimals, taxBasisPoints                        = 6, 500
)

// mintOf returns the mint of a fixed supply with a fixed tax, which the wallet may withdraw.
func (t taxed) mintOf(wallet solana.PublicKey) []byte {
	data := make([]byte, token2022.AccountTypeOffset, 2*token2022.AccountTypeOffset)
	binary.LittleEndian.PutUint64(data[mintSupplyAt:], uint64(len(t.owners))*ownersHave+t.withheld())
	data[mintDecimalsAt], data[mintInitializedAt] = decimals, initialized
	config := append(make([]byte, solana.PublicKeyLength), wallet[:]...) // no authority changes the tax
	config = binary.LittleEndian.AppendUint64(config, 0)                 // harvested to the mint
	for range 2 {                                                        // the older and the newer tax
		config = binary.LittleEndian.AppendUint64(config, 0) // the first epoch
		config = binary.LittleEndian.AppendUint64(config, ^uint64(0))
		config = binary.LittleEndian.AppendUint16(config, taxBasisPoints)
	}
	return extend(append(data, typeOfMint), token2022.ExtensionTransferFeeConfig, config)
}

// account returns an associated account of the token, as the programs create the account.
func (t taxed) account(owner solana.PublicKey, balance, withheld uint64) localchain.Account {
	data := make([]byte, token2022.AccountTypeOffset, token2022.AssociatedAccountSize)
	copy(data, t.mint[:])
	copy(data[accountOwnerAt:], owner[:])
	binary.LittleEndian.PutUint64(data[accountAmountAt:], balance)
	data[accountStateAt] = initialized
	data = extend(append(data, token2022.AccountTypeAccount), token2022.ExtensionImmutableOwner, nil)
	return ofToken2022(extend(data, token2022.ExtensionTransferFeeAmount, binary.LittleEndian.AppendUint64(nil, withheld)))
}

func extend(data []byte, kind token2022.ExtensionType, value []byte) []byte {
	data = binary.LittleEndian.AppendUint16(data, uint16(kind))
	data = binary.LittleEndian.AppendUint16(data, uint16(len(value))) //nolint:gosec // some hundred bytes at most
	return append(data, value...)
}

// ofToken2022 returns a rent-exempt account of the token program.
func ofToken2022(data []byte) localchain.Account {
	return localchain.Account{Lamports: uint64(rentBytes+len(data)) * rentPerByte, Owner: localchain.Token2022Program, Data: data}
}

// collected fails unless own has all of the tax, and every other account has no tax and its own
// balance.
func (t taxed) collected(ctx context.Context, node *solanarpc.Client, own solana.PublicKey) error {
	want := map[solana.PublicKey]uint64{own: t.withheld()}
	addresses := []solana.PublicKey{own}
	for _, source := range t.sources {
		want[source.Owner] = ownersHave
		addresses = append(addresses, source.Owner)
	}
	found, err := node.Holders(ctx, addresses...)
	if err != nil {
		return err
	}
	for i, a := range found {
		if a == nil {
			return fmt.Errorf("the account %s is missing", addresses[i])
		}
		state, err := token2022.DecodeAccount(a.Owner, a.Data)
		if err != nil {
			return fmt.Errorf("read the account %s: %w", addresses[i], err)
		}
		if state.Amount != want[addresses[i]] || state.Withheld != 0 {
			return fmt.Errorf("the account %s has %d base units and %d withheld, want %d and 0", addresses[i], state.Amount, state.Withheld, want[addresses[i]])
		}
	}
	return nil
}
