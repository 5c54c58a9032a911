package main

import (
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
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/infra/operate/internal/caller"
	"tokenlaunch.example/service/pkg/aws/capstable"
	"tokenlaunch.example/service/pkg/aws/ledgertable"
	"tokenlaunch.example/service/pkg/aws/s3store"
	"tokenlaunch.example/service/pkg/aws/sqsqueue"
	"tokenlaunch.example/service/pkg/distribution/dispatch"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/platform/parallel"
	"tokenlaunch.example/service/pkg/provider/ipfs"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/origin"
)

// windDownOrder is the parsed command line.
type windDownOrder struct {
	stack string
	mints []solana.PublicKey // empty means all tokens
	at    time.Time          // zero means now
	final bool
	check bool
	// cancel takes the orders back whose time has not come.
	cancel bool
	why    string
	wait   time.Duration
}

const windDownUsage = "usage: wind-down [-at TIME] [-final] [-wait DURATION] -why REASON STACK MINT...|all, or wind-down -check|-cancel STACK MINT...|all"

func parseWindDown(arguments []string) (o windDownOrder, err error) {
	flags := flag.NewFlagSet("wind-down", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.BoolVar(&o.final, "final", false, "")
	flags.BoolVar(&o.check, "check", false, "")
	flags.BoolVar(&o.cancel, "cancel", false, "")
	flags.StringVar(&o.why, "why", "", "")
	flags.DurationVar(&o.wait, "wait", time.Hour, "")
	flags.Func("at", "", func(text string) error {
		o.at, err = time.Parse(time.RFC3339, text)
		return err
	})
	if err := flags.Parse(arguments); err != nil {
		return o, fmt.Errorf("%w (%s)", err, windDownUsage)
	}
	rest := flags.Args()
	switch {
	case len(rest) < 2:
		return o, errors.New(windDownUsage)
	case !o.check && !o.cancel && strings.TrimSpace(o.why) == "":
		return o, errors.New("say why with -why: the reason is recorded (" + windDownUsage + ")")
	case (o.check || o.cancel) && flags.NFlag() > 1:
		return o, errors.New("-check and -cancel order nothing and allow no other option (" + windDownUsage + ")")
	}
	o.stack = rest[0]
	o.mints, err = parseMints(rest[1:])
	return o, err
}

// parseMints reads the addresses of mints. The word all means every token, which is an empty list.
func parseMints(words []string) (mints []solana.PublicKey, err error) {
	if len(words) == 1 && words[0] == "all" {
		return nil, nil
	}
	for _, text := range words {
		mint, err := solana.PublicKeyFromBase58(text)
		if err != nil {
			return nil, fmt.Errorf("%q is not the address of a mint, and not the word all", text)
		}
		mints = append(mints, mint)
	}
	return mints, nil
}

// windDown orders the wind-down of tokens, and follows the progress. The distributor carries out the
// orders, without the command and step by step, so the command may be interrupted and repeated at any time.
type windDown struct {
	tokens interface {
		Token(ctx context.Context, mint solana.PublicKey) (token.Record, error)
		WindDown(ctx context.Context, mint solana.PublicKey, order token.WindDown) error
		CancelWindDown(ctx context.Context, mint solana.PublicKey, now time.Time) error
	}
	// all lists every token.
	all    func(ctx context.Context) ([]token.Record, error)
	ledger interface {
		Head(ctx context.Context, mint solana.PublicKey) (run.Head, error)
		Run(ctx context.Context, mint solana.PublicKey, slot time.Time) (run.Run, error)
	}
	// releases is the table from which the signer learns that an operator winds a token down.
	releases interface {
		Release(ctx context.Context, mint solana.PublicKey, by, why string) error
	}
	handovers run.Handovers
	queue     interface {
		SendRuns(ctx context.Context, runs []dispatch.Delayed) error
	}
	// origins compares a record with the launch that the creator signed.
	origins interface {
		Check(ctx context.Context, r token.Record) error
	}
	// hangs returns what is on the chain with a wallet, as sentences.
	hangs func(ctx context.Context, record token.Record, head run.Head) ([]string, error)
	by    string
	now   func() time.Time
	pause func(ctx context.Context, d time.Duration) error
	out   io.Writer
}

const (
	// windDownPause is the time between two checks of the tokens that are not done.
	windDownPause = 5 * time.Second
	// windDownsAtOnce is the number of tokens that are ordered or read concurrently.
	windDownsAtOnce = 8
	// askEvery is the time after which a token without an active run is queued again.
	askEvery = 30 * time.Second
)

var errNotWoundDown = errors.New("some tokens are not wound down yet, see above; the same command continues")

func windDownTokens(ctx context.Context, config aws.Config, o windDownOrder, out io.Writer) error {
	owing, outputs, err := openDebts(ctx, config, o.stack, out)
	if err != nil {
		return err
	}
	db := owing.tokens.Client
	w := windDown{
		tokens: owing.tokens, ledger: owing.ledger,
		releases:  capstable.Caps{Client: db, Table: outputs["CapsTableName"], Now: time.Now},
		handovers: ledgertable.Handovers{Client: db, Table: outputs["LedgerTableName"]},
		queue:     sqsqueue.Runs{Client: sqs.NewFromConfig(config), URL: outputs["RunQueueUrl"]},
		origins: origin.Checker{
			Chain: owing.node, Files: s3store.Bucket{Client: s3.NewFromConfig(config), Name: outputs["AssetBucketName"]}, CID: ipfs.CID,
		},
		hangs: hanging{owing}.on,
		now:   time.Now, out: out,
		pause: pause,
	}
	w.all = allOf(owing)
	if !o.check && !o.cancel {
		if w.by, err = caller.ARN(ctx, config); err != nil {
			return err
		}
	}
	return w.do(ctx, o)
}

// pause waits.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// allOf lists every token of a stack.
func allOf(d debts) func(context.Context) ([]token.Record, error) {
	return func(ctx context.Context) (list []token.Record, err error) {
		for record, err := range d.tokens.All(ctx) {
			if err != nil {
				return nil, fmt.Errorf("list the tokens: %w", err)
			}
			list = append(list, record)
		}
		return list, nil
	}
}

// do orders and follows, checks, or cancels.
func (w windDown) do(ctx context.Context, o windDownOrder) error {
	records, err := w.named(ctx, o.mints)
	if err != nil {
		return err
	}
	switch {
	case o.check:
		return w.check(ctx, records)
	case o.cancel:
		return w.cancel(ctx, records)
	}
	if o.at.IsZero() {
		o.at = w.now().UTC()
	}
	ordered, failed := w.order(ctx, records, o)
	var open []token.Record
	for _, r := range ordered {
		if at := r.WindDown.At; at.After(w.now()) {
			w.say("%s: winds down at %s; the same command carries it out from then on\n", r.Mint, at.UTC().Format(time.RFC3339))
			continue
		}
		open = append(open, r)
	}
	if len(open) == 0 {
		return failed
	}
	return errors.Join(failed, w.follow(ctx, open, o))
}

// named returns the confirmed tokens with these mints, or all confirmed tokens.
func (w windDown) named(ctx context.Context, mints []solana.PublicKey) (records []token.Record, err error) {
	if len(mints) == 0 {
		records, err = w.all(ctx)
		return slices.DeleteFunc(records, func(r token.Record) bool { return r.Status != token.Confirmed }), err
	}
	for _, mint := range mints {
		record, err := w.tokens.Token(ctx, mint)
		if err == nil && record.Status != token.Confirmed {
			err = token.ErrNotListed
		}
		if err != nil {
			return nil, fmt.Errorf("token %s: %w", mint, err)
		}
		records = append(records, record)
	}
	return records, nil
}

// cancel takes the public orders back whose time has not come. A failed token does not stop the others.
func (w windDown) cancel(ctx context.Context, records []token.Record) error {
	errs := make([]error, len(records))
	parallel.Each(len(records), windDownsAtOnce, func(n int) {
		if err := w.tokens.CancelWindDown(ctx, records[n].Mint, w.now()); err != nil {
			errs[n] = fmt.Errorf("token %s still winds down: %w", records[n].Mint, err)
		}
	})
	cancelled := 0
	for n, r := range records {
		if errs[n] == nil && !r.WindDown.At.IsZero() {
			cancelled++
		}
	}
	w.say("%d of %d tokens do not wind down any more\n", cancelled, len(records))
	return errors.Join(errs...)
}

// order records the orders: the public one, and at its time the release and the hand-over to the
// creator. A failed token does not stop the others.
func (w windDown) order(ctx context.Context, records []token.Record, o windDownOrder) (open []token.Record, failed error) {
	errs := make([]error, len(records))
	parallel.Each(len(records), windDownsAtOnce, func(n int) {
		r := records[n]
		at := o.at
		if !r.WindDown.At.IsZero() { // the public time stays
			at = r.WindDown.At
		}
		errs[n] = w.origins.Check(ctx, r)
		if r.Collector().Guarded() && errs[n] == nil {
			errs[n] = errors.New("its tax needs two of three signatures: the creator and the guardian move the authority")
		}
		if errs[n] == nil {
			errs[n] = w.tokens.WindDown(ctx, r.Mint, token.WindDown{At: at, Final: o.final})
		}
		if now := w.now(); errs[n] == nil && !at.After(now) {
			if errs[n] = w.releases.Release(ctx, r.Mint, w.by, o.why); errs[n] == nil {
				errs[n] = run.OrderHandover(ctx, w.handovers, r.Mint, r.Creator, now)
			}
		}
	})
	for n, err := range errs {
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("token %s is not ordered to wind down: %w", records[n].Mint, err))
			continue
		}
		r := records[n]
		if r.WindDown.At.IsZero() {
			r.WindDown.At = o.at
		}
		open = append(open, r)
	}
	return open, failed
}

// follow asks for the next run of each token until the tokens are done, or the wait is over.
func (w windDown) follow(ctx context.Context, open []token.Record, o windDownOrder) error {
	left, err := follow(ctx, w, open, len(open), windDownPause, w.now().Add(o.wait), func(r token.Record, now time.Time) (seen, solana.PublicKey) {
		head, err := w.ledger.Head(ctx, r.Mint)
		if err != nil {
			return seen{text: "cannot be read: " + err.Error()}, r.Mint
		}
		s := seen{text: w.progress(ctx, r, head, o.final), done: !head.WindDown.Released.IsZero()}
		if head.Active.IsZero() && head.Frozen == "" {
			s.ask = &dispatch.Run{Mint: r.Mint, Slot: now.Truncate(time.Second)}
			if head.HandedOver == nil { // the hand-over is asked for as a claim is
				s.ask = &dispatch.Run{Mint: r.Mint, Claim: true}
			}
		}
		return s, r.Mint
	})
	if err != nil {
		return err
	}
	w.say("%d of %d tokens are wound down\n", len(open)-len(left), len(open))
	if len(left) > 0 {
		return errNotWoundDown
	}
	return nil
}

// seen is the progress of a token, and the next message.
type seen struct {
	text string
	done bool
	// ask is the message that continues the token; nil if the token continues without one, or waits for an
	// operator.
	ask *dispatch.Run
}

// follow reads the first tokens, at most atOnce, repeatedly until the tokens are done or the time is over, and
// returns the tokens that are not done. It prints each change, and sends the messages that continue the
// tokens. A token that waits for an operator does not hold up the others.
func follow[T any](ctx context.Context, w windDown, open []T, atOnce int, every time.Duration, end time.Time, look func(T, time.Time) (seen, solana.PublicKey)) ([]T, error) {
	said, asked := map[solana.PublicKey]string{}, map[solana.PublicKey]time.Time{}
	for len(open) > 0 {
		var mu sync.Mutex
		var due []dispatch.Delayed
		under := open[:min(len(open), atOnce)]
		done, stuck := make([]bool, len(under)), make([]bool, len(under))
		now := w.now().UTC()
		parallel.Each(len(under), windDownsAtOnce, func(n int) {
			s, mint := look(under[n], now)
			mu.Lock()
			defer mu.Unlock()
			if s.text != said[mint] {
				said[mint] = s.text
				w.say("%s: %s\n", mint, s.text)
			}
			if s.ask != nil && !s.done && now.Sub(asked[mint]) >= askEvery {
				asked[mint] = now
				due = append(due, dispatch.Delayed{Run: *s.ask})
			}
			done[n], stuck[n] = s.done, !s.done && asked[mint].IsZero()
		})
		var still, last []T
		for n, one := range under {
			switch {
			case stuck[n]:
				last = append(last, one)
			case !done[n]:
				still = append(still, one)
			}
		}
		open = slices.Concat(still, open[len(under):], last)
		if len(open) == 0 || now.After(end) {
			break
		}
		if len(due) > 0 {
			if err := w.queue.SendRuns(ctx, due); err != nil {
				w.say("the queue takes no messages: %v\n", err) // the next look asks again
				clear(asked)
			}
		}
		if err := w.pause(ctx, every); err != nil {
			return open, err
		}
	}
	return open, nil
}

// progress describes how far a token's wind-down is, and what it waits for.
func (w windDown) progress(ctx context.Context, record token.Record, head run.Head, final bool) string {
	switch {
	case !head.WindDown.Released.IsZero():
		return "wound down"
	case head.Frozen != "":
		return "frozen, to be resolved with operate/money: " + head.Frozen
	case head.Ended == run.CodeBooks:
		return "its books do not balance, to be resolved with operate/money"
	case !head.Active.IsZero():
		r, err := w.ledger.Run(ctx, record.Mint, head.Active)
		if err != nil {
			return "its run cannot be read: " + err.Error()
		}
		return "at work: " + string(r.Kind()) + ", " + string(r.Status())
	case len(head.Unknown) > 0:
		return fmt.Sprintf("waits for %d undecided payments", len(head.Unknown))
	case head.HandedOver == nil && head.Ended == run.CodeWalletTooLow:
		return "waits for SOL in its wallet " + record.Wallet.Address.String() + ": the run of " + head.LastSlot.UTC().Format(time.RFC3339) + " names the amount"
	case head.HandedOver == nil:
		return "is to be handed over"
	case head.Unclaimed() && !final && !record.WindDown.Final:
		return "handed over; its wallet keeps what holders can claim until wind-down -final: " + strings.Join(owedBy(record, head), ", ")
	}
	return "continues"
}

// check lists what still hangs on the wallets. It returns errOwed if anything does.
func (w windDown) check(ctx context.Context, records []token.Record) error {
	texts, needed := make([]string, len(records)), make([]bool, len(records))
	parallel.Each(len(records), windDownsAtOnce, func(n int) {
		r := records[n]
		head, err := w.ledger.Head(ctx, r.Mint)
		var list []string
		if err == nil {
			list, err = w.hangs(ctx, r, head)
		}
		if err != nil { // unreachable is not empty
			list = append(list, "cannot be read: "+err.Error())
		}
		if head.WindDown.Released.IsZero() {
			list = append(list, owedBy(r, head)...)
		}
		if needed[n] = len(list) > 0; needed[n] {
			texts[n] = strings.Join(list, ", ")
		}
	})
	count := 0
	for n, r := range records {
		if needed[n] {
			count++
			w.say("%s: %s\n", r.Mint, texts[n])
		}
	}
	w.say("%d of %d tokens need the wallets' key\n", count, len(records))
	if count > 0 {
		return errOwed
	}
	return nil
}

// say prints progress. A failed print is not an error, because a repetition prints again.
func (w windDown) say(format string, args ...any) { _, _ = fmt.Fprintf(w.out, format, args...) }

// hanging reads the chain for check.
type hanging struct{ debts }

// on returns what a wallet still has: the authority over withheld tax, SOL, and tokens. Rent of open
// receipts is SOL that the ledger knows: a released token has closed them.
func (h hanging) on(ctx context.Context, record token.Record, head run.Head) (list []string, err error) {
	account, found, err := h.node.Account(ctx, record.Mint)
	if err != nil {
		return nil, fmt.Errorf("read mint %s: %w", record.Mint, err)
	}
	if found {
		mint, err := token2022.DecodeMint(account.Owner, account.Data)
		if err != nil {
			return nil, fmt.Errorf("read mint %s: %w", record.Mint, err)
		}
		if mint.TransferFee != nil && mint.TransferFee.WithdrawWithheldAuthority == record.Wallet.Address {
			list = append(list, "the authority over the tax is the wallet's")
		}
	}
	lamports, others, err := h.held(ctx, record, head)
	if err != nil {
		return nil, err
	}
	if lamports > 0 {
		others = append([]string{fmt.Sprintf("%d lamports", lamports)}, others...)
	}
	if len(others) > 0 {
		list = append(list, "wallet "+record.Wallet.Address.String()+" holds "+strings.Join(others, ", "))
	}
	if n := len(head.Unreturned); n > 0 && head.WindDown.Released.IsZero() {
		list = append(list, fmt.Sprintf("%d payments may have open receipts", n))
	}
	return list, nil
}
