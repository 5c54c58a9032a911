package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awslambda "github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/infra/operate/internal/caller"
	"tokenlaunch.example/service/pkg/aws/capstable"
	"tokenlaunch.example/service/pkg/aws/lambdafn"
	"tokenlaunch.example/service/pkg/aws/sqsqueue"
	"tokenlaunch.example/service/pkg/distribution/dispatch"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/distribution/signing"
	"tokenlaunch.example/service/pkg/platform/decimal"
	"tokenlaunch.example/service/pkg/platform/parallel"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/wallet"
)

// rotateOrder is the parsed command line.
type rotateOrder struct {
	windDownOrder

	root uint8
}

const rotateUsage = "usage: rotate -root NUMBER [-wait DURATION] -why REASON STACK MINT...|all, or rotate -root NUMBER -check STACK MINT...|all"

func parseRotate(arguments []string) (o rotateOrder, err error) {
	flags := flag.NewFlagSet("rotate", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	root := flags.Uint("root", 0, "")
	flags.BoolVar(&o.check, "check", false, "")
	flags.StringVar(&o.why, "why", "", "")
	flags.DurationVar(&o.wait, "wait", 2*time.Hour, "")
	if err := flags.Parse(arguments); err != nil {
		return o, fmt.Errorf("%w (%s)", err, rotateUsage)
	}
	rest := flags.Args()
	switch {
	case len(rest) < 2 || *root < 1 || *root > 255:
		return o, errors.New(rotateUsage)
	case !o.check && strings.TrimSpace(o.why) == "":
		return o, errors.New("say why with -why: the reason is recorded (" + rotateUsage + ")")
	}
	o.root, o.stack = uint8(*root), rest[0]
	o.mints, err = parseMints(rest[1:])
	return o, err
}

// rotate orders the rotation of tokens, those with the most value first, and follows the progress. The distributor carries out the orders, so the command may be interrupted and repeated at
// any time.
type rotate struct {
	windDown

	records interface {
		Rotate(ctx context.Context, mint solana.PublicKey, to token.Wallet) error
		Rotated(ctx context.Context, mint solana.PublicKey, to token.Wallet) error
	}
	// orders is the table from which the signer learns of the operator's order.
	orders interface {
		Rotate(ctx context.Context, mint, from, to solana.PublicKey, by, why string) error
	}
	deriver wallet.Deriver
	value   func(ctx context.Context, r token.Record) (uint64, error)
}

// rotatesAtOnce is the maximum number of tokens whose rotation is ordered and not done. Tokens of less
// value wait, so that the queue's order is the order of value.
const rotatesAtOnce = 256

// renewAfter is the age of an order at which the command repeats the order, because the signer accepts an
// order only for signing.RotationLasts.
const renewAfter = time.Hour

// notMoved is the reason why a token with a guardian is left, and the next step. The members of the account
// with the authority never change, so a later wallet could not collect.
const notMoved = "not moved, because its guardian signs for this wallet alone. Only creator and guardian move the authority: " +
	"tokenlaunch guarded order, then tokenlaunch guarded move"

var errNotRotated = errors.New("some tokens are not moved yet, see above; the same command continues")

func rotateTokens(ctx context.Context, config aws.Config, o rotateOrder, out io.Writer) error {
	owing, outputs, err := openDebts(ctx, config, o.stack, out)
	if err != nil {
		return err
	}
	w := rotate{
		windDown: windDown{
			tokens: owing.tokens, ledger: owing.ledger, queue: sqsqueue.Runs{Client: sqs.NewFromConfig(config), URL: outputs["RunQueueUrl"]},
			now: time.Now, out: out, pause: pause,
		},
		records: owing.tokens,
		orders:  capstable.Caps{Client: owing.tokens.Client, Table: outputs["CapsTableName"], Now: time.Now},
		deriver: lambdafn.Deriver{Client: awslambda.NewFromConfig(config), FunctionName: outputs["DeriverFunctionName"]},
		value:   owing.value,
	}
	w.all = allOf(owing)
	if !o.check {
		if w.by, err = caller.ARN(ctx, config); err != nil {
			return err
		}
	}
	return w.do(ctx, o)
}

// valued is a token with the value of what a thief could take, in lamports.
type valued struct {
	token.Record

	lamports uint64
}

// do moves the tokens, or lists the tokens that are not moved.
func (w rotate) do(ctx context.Context, o rotateOrder) error {
	records, err := w.named(ctx, o.mints)
	if err != nil {
		return err
	}
	list := w.byValue(ctx, records, o.root)
	if o.check {
		for _, v := range list {
			w.say("%s: wallet %s of root %d, worth %s SOL\n", v.Mint, v.Wallet.Address, v.Wallet.Root, decimal.SOL(v.lamports))
			if v.Collector().Guarded() {
				w.say("%s: %s\n", v.Mint, notMoved)
			}
		}
		w.say("%d of %d tokens are not at root %d\n", len(list), len(records), o.root)
		if len(list) > 0 {
			return errNotRotated
		}
		return nil
	}
	return w.follow(ctx, list, len(records), o)
}

// byValue returns the tokens that are not at the root, the tokens with the most value first. A token that
// cannot be read comes first, because its value is unknown.
func (w rotate) byValue(ctx context.Context, records []token.Record, root uint8) []valued {
	list := make([]valued, len(records))
	parallel.Each(len(records), windDownsAtOnce, func(n int) {
		list[n].Record = records[n]
		lamports, err := w.value(ctx, records[n])
		if err != nil {
			lamports = ^uint64(0)
		}
		list[n].lamports = lamports
	})
	list = slices.DeleteFunc(list, func(v valued) bool { return v.Wallet.Root >= root })
	slices.SortStableFunc(list, func(a, b valued) int { return cmp.Compare(b.lamports, a.lamports) })
	return list
}

// value returns what a thief with the key of a token's wallet could take, in lamports: the SOL of the
// wallet and, by the newest price, the wallet's tokens and the withheld tax. Tax in accounts of holders is
// not counted, because it takes a scan; most tax is withheld in pools. Tokens without a price, and other
// assets, count as nothing.
func (d debts) value(ctx context.Context, r token.Record) (uint64, error) {
	head, err := d.ledger.Head(ctx, r.Mint)
	if err != nil {
		return 0, err
	}
	account, err := token2022.AssociatedAddress(r.Wallet.Address, r.Mint, solana.Token2022ProgramID)
	if err != nil {
		return 0, err
	}
	addresses := []solana.PublicKey{r.Wallet.Address, r.Mint, account}
	for _, pool := range slices.Concat(r.Pools, r.OtherPools) {
		addresses = append(addresses, pool.TokenVault)
	}
	accounts, err := d.node.Accounts(ctx, addresses[:min(len(addresses), solanarpc.MaxAccounts)]...)
	if err != nil {
		return 0, err
	}
	var lamports uint64
	if accounts[0] != nil {
		lamports = accounts[0].Lamports
	}
	return signing.Add(lamports, head.Lamports(takeable(accounts[1], accounts[2], accounts[3:]))), nil
}

// takeable returns the wallet's tokens, and the withheld tax of the mint, the wallet's account and the
// vaults, in base units. Accounts that are missing or of another kind count as nothing.
func takeable(mint, own *onchain.Account, vaults []*onchain.Account) (tokens uint64) {
	if mint != nil {
		if read, err := token2022.DecodeMint(mint.Owner, mint.Data); err == nil && read.TransferFee != nil {
			tokens += read.TransferFee.Withheld
		}
	}
	for n, account := range append([]*onchain.Account{own}, vaults...) {
		if account == nil {
			continue
		}
		read, err := token2022.DecodeAccount(account.Owner, account.Data)
		if err != nil {
			continue
		}
		tokens += read.Withheld // at most the supply, with the wallet's tokens
		if n == 0 {
			tokens += read.Amount
		}
	}
	return tokens
}

// follow orders the rotations and asks for the runs, until the tokens are moved or the wait is over.
func (w rotate) follow(ctx context.Context, open []valued, total int, o rotateOrder) error {
	var mu sync.Mutex
	ordered := map[solana.PublicKey]time.Time{}
	left, err := follow(ctx, w.windDown, open, rotatesAtOnce, time.Second, w.now().Add(o.wait), func(v valued, now time.Time) (seen, solana.PublicKey) {
		mu.Lock()
		renew := now.Sub(ordered[v.Mint]) >= renewAfter
		mu.Unlock()
		text, done, ask, err := w.step(ctx, v.Record, o, renew)
		s := seen{text: text, done: done}
		if err != nil {
			s.text = err.Error()
		} else if renew {
			mu.Lock()
			ordered[v.Mint] = now
			mu.Unlock()
		}
		if ask {
			s.ask = &dispatch.Run{Mint: v.Mint, Slot: now.Truncate(time.Second)}
		}
		return s, v.Mint
	})
	if err != nil {
		return err
	}
	w.say("%d of %d tokens are at root %d\n", total-len(left), total, o.root)
	if len(left) > 0 {
		return errNotRotated
	}
	return nil
}

// step orders the rotation of a token, or records its end. ask reports that a message opens the next run.
func (w rotate) step(ctx context.Context, r token.Record, o rotateOrder, order bool) (text string, done, ask bool, err error) {
	head, err := w.ledger.Head(ctx, r.Mint)
	if err != nil {
		return "", false, false, fmt.Errorf("cannot be read: %w", err)
	}
	if head.Rotated != nil && head.Rotated.Wallet.Root >= o.root {
		if err := w.records.Rotated(ctx, r.Mint, head.Rotated.Wallet); err != nil {
			return "", false, false, fmt.Errorf("moved, and its record cannot be written: %w", err)
		}
		return "moved to " + head.Rotated.Wallet.Address.String(), true, false, nil
	}
	from := head.Wallet(r)
	switch {
	case !r.Guardian.IsZero():
		return notMoved, false, false, nil
	case !head.WindDown.Released.IsZero():
		return "wound down: its wallet is empty", true, false, nil
	case head.Frozen != "":
		return "frozen, to be resolved with operate/money: " + head.Frozen, false, false, nil
	case len(head.Unknown) > 0:
		return fmt.Sprintf("waits for %d undecided payments, to be resolved with operate/money", len(head.Unknown)), false, false, nil
	}
	if order {
		to := token.Wallet{ID: from.ID, Root: o.root}
		if to.Address, err = w.deriver.Address(ctx, wallet.Path(to.ID, to.Root)); err != nil {
			return "", false, false, fmt.Errorf("its wallet of root %d cannot be derived: %w", o.root, err)
		}
		// The signer's item first: a run without the item would be refused, and raise the alarm.
		if err := w.orders.Rotate(ctx, r.Mint, from.Address, to.Address, w.by, o.why); err != nil {
			return "", false, false, fmt.Errorf("cannot be ordered: %w", err)
		}
		if err := w.records.Rotate(ctx, r.Mint, to); err != nil {
			return "", false, false, fmt.Errorf("cannot be ordered: %w", err)
		}
	}
	if head.Active.IsZero() {
		return "ordered", false, true, nil
	}
	active, err := w.ledger.Run(ctx, r.Mint, head.Active)
	if err != nil {
		return "", false, true, fmt.Errorf("its run cannot be read: %w", err)
	}
	if active.Kind() == run.Rotating {
		return "moves", false, true, nil
	}
	return "waits for its " + string(active.Kind()) + " of " + head.Active.UTC().Format(time.RFC3339), false, true, nil
}
