package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	"github.com/caarlos0/env/v11"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/aws/ledgertable"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/platform/decimal"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// debts compares what each token owes by the ledger with its wallet's balance on the chain. The
// result decides whether the wallets' key may be destroyed.
type debts struct {
	tokens launchtable.Tokens
	ledger ledgertable.Runs
	node   *solanarpc.Client
	out    io.Writer
}

// errOwed is returned while the key is needed.
var errOwed = errors.New("the wallets' key is still needed")

// listOwed lists the debts of a stack's tokens.
func listOwed(ctx context.Context, config aws.Config, stack string, out io.Writer) error {
	d, _, err := openDebts(ctx, config, stack, out)
	if err != nil {
		return err
	}
	return d.list(ctx)
}

// openDebts opens the tables of a stack, and returns the outputs of the stack, too. It reads the
// address of the node from RPC_URL, as the functions do.
func openDebts(ctx context.Context, config aws.Config, stack string, out io.Writer) (d debts, outputs map[string]string, err error) {
	settings, err := env.ParseAs[struct {
		RPCURL string `env:"RPC_URL,required,notEmpty"`
	}]()
	if err != nil {
		return debts{}, nil, err //nolint:wrapcheck // it names the variable
	}
	node, err := solanarpc.New(settings.RPCURL)
	if err != nil {
		return debts{}, nil, fmt.Errorf("RPC_URL: %w", err)
	}
	described, err := cloudformation.NewFromConfig(config).DescribeStacks(ctx, &cloudformation.DescribeStacksInput{StackName: &stack})
	if err != nil {
		return debts{}, nil, fmt.Errorf("read stack %s: %w", stack, err)
	}
	outputs = outputsOf(described.Stacks[0])
	db := dynamo.New(config)
	return debts{
		launchtable.Tokens{Client: db, Table: outputs["LaunchTableName"]},
		ledgertable.Runs{Client: db, Table: outputs["LedgerTableName"], Now: time.Now},
		node, out,
	}, outputs, nil
}

// list writes a line for each token, and a line with the totals. The reads of a token are not
// atomic: run list while nothing moves.
func (d debts) list(ctx context.Context) error {
	table := tabwriter.NewWriter(d.out, 0, 0, 2, ' ', 0)
	var all, owing int
	var lamports uint64
	for record, err := range d.tokens.All(ctx) {
		if err != nil {
			return fmt.Errorf("list the tokens: %w", err)
		}
		head, err := d.ledger.Head(ctx, record.Mint)
		if err != nil {
			return fmt.Errorf("read the head of %s: %w", record.Mint, err)
		}
		sol, held, err := d.held(ctx, record, head)
		if err != nil {
			return fmt.Errorf("ask the node what the wallet of %s holds: %w", record.Mint, err)
		}
		owed := owedBy(record, head)
		all++
		lamports += sol
		if len(owed) > 0 {
			owing++
		}
		_, _ = fmt.Fprintf(table, "%s\t%s\twallet %s holds %s\n", record.Mint, cmp.Or(strings.Join(owed, ", "), "owes nothing"),
			record.Wallet.Address, strings.Join(append([]string{decimal.SOL(sol) + " SOL"}, held...), ", "))
	}
	_, _ = fmt.Fprintf(table, "%d of %d tokens owe something; their wallets hold %s SOL\n", owing, all, decimal.SOL(lamports))
	if err := table.Flush(); err != nil {
		return err //nolint:wrapcheck // of the terminal
	}
	if owing > 0 {
		return errOwed
	}
	return nil
}

// owedBy lists the reasons why a token's wallet is still needed.
func owedBy(record token.Record, head run.Head) (owed []string) {
	if !head.Active.IsZero() {
		owed = append(owed, "its run of "+head.Active.UTC().Format(time.RFC3339)+" is at work")
	}
	if head.Frozen != "" {
		owed = append(owed, "it is frozen: "+head.Frozen)
	}
	if head.Unsold > 0 {
		owed = append(owed, amountOf(record, terms.Asset(record.Mint), head.Unsold)+" to be sold")
	}
	for _, of := range []struct {
		amounts map[terms.Asset]uint64
		what    string
	}{{head.Owed, "owed to holders"}, {head.CreatorOwed, "owed to the creator"}, {head.Reserved, "undecided"}} {
		for _, asset := range assetsOf(of.amounts) {
			if amount := of.amounts[asset]; amount > 0 {
				owed = append(owed, amountOf(record, asset, amount)+" "+of.what)
			}
		}
	}
	return owed
}

// held returns the balances of a wallet: SOL, its own token, and the assets that the ledger names.
func (d debts) held(ctx context.Context, record token.Record, head run.Head) (lamports uint64, others []string, err error) {
	if lamports, err = d.node.Balance(ctx, record.Wallet.Address); err != nil {
		return 0, nil, err //nolint:wrapcheck // list says of what
	}
	assets := assetsOf(head.Owed, head.CreatorOwed, head.Reserved, head.Remainder, map[terms.Asset]uint64{terms.Asset(record.Mint): 0})
	for _, asset := range assets {
		if asset.IsSOL() {
			continue
		}
		amount, err := d.amount(ctx, record.Wallet.Address, asset.Mint())
		if err != nil {
			return 0, nil, err
		}
		if amount > 0 {
			others = append(others, amountOf(record, asset, amount))
		}
	}
	return lamports, others, nil
}

// amount returns the sum over a wallet's accounts of a mint; zero for a mint that does not exist.
func (d debts) amount(ctx context.Context, owner, mint solana.PublicKey) (sum uint64, err error) {
	if _, found, err := d.node.Account(ctx, mint); err != nil || !found {
		return 0, err //nolint:wrapcheck // list says of what
	}
	addresses, err := d.node.TokenAccountsOf(ctx, owner, mint)
	if err != nil {
		return 0, err //nolint:wrapcheck // list says of what
	}
	for batch := range slices.Chunk(addresses, solanarpc.MaxAccounts) {
		accounts, err := d.node.Accounts(ctx, batch...)
		if err != nil {
			return 0, err //nolint:wrapcheck // list says of what
		}
		for _, account := range accounts {
			if account == nil { // closed in between
				continue
			}
			decoded, err := token2022.DecodeAccount(account.Owner, account.Data)
			if err != nil {
				return 0, err //nolint:wrapcheck // list says of what
			}
			sum += decoded.Amount
		}
	}
	return sum, nil
}

// assetsOf returns the assets of amounts, SOL first.
func assetsOf(amounts ...map[terms.Asset]uint64) []terms.Asset {
	all := map[terms.Asset]uint64{}
	for _, one := range amounts {
		maps.Copy(all, one)
	}
	return slices.SortedFunc(maps.Keys(all), func(x, y terms.Asset) int { return slices.Compare(x[:], y[:]) })
}

func amountOf(record token.Record, asset terms.Asset, amount uint64) string {
	switch {
	case asset.IsSOL():
		return decimal.SOL(amount) + " SOL"
	case asset == terms.Asset(record.Mint):
		return decimal.Text(amount, record.Decimals) + " tokens"
	}
	return fmt.Sprintf("%d base units of %s", amount, asset)
}
