// Package digest sends a wallet's news to the private chat that the wallet linked: its payments, the
// holders' shares that creators lowered, and what the wallet can claim.
//
// It promises:
//
//   - A wallet gets at most one message a day, and each payment is in at most one message. A day without
//     news has no message.
//   - The work follows from the number of linked wallets, never from the number of holders or runs. For
//     each wallet and day, a digest reads the tokens that the wallet holds, at most holder.MaxPage, and a
//     page of payments with its limits. No event and no run starts a digest.
//   - Nothing of a wallet is stored except its chat and the end of its last digest.
//   - A wallet whose digest fails delays no other wallet.
//
// A digest covers whole days since the wallet was linked, and has an ID that follows from the days. It is
// queued first, and its end is stored second: after a crash in between, the same digest is queued again
// under the same ID, and package notice drops the repetition.
package digest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/distribution/consent"
	"tokenlaunch.example/service/pkg/distribution/holder"
	"tokenlaunch.example/service/pkg/distribution/notice"
	"tokenlaunch.example/service/pkg/platform/parallel"
	"tokenlaunch.example/service/pkg/token/terms"
)

const (
	// Period is the minimum time between two digests of a wallet.
	Period = 24 * time.Hour
	// settle is the pause after a period, in which the ends of its runs are stored.
	settle = 10 * time.Minute
	// late is the maximum time between the slot and the end of a run whose payments are in a digest.
	// Later payments are only in the list of payments.
	late = 6 * time.Hour
	// maxPeriods is the maximum number of periods in a digest after an outage.
	maxPeriods = 7
	// postponed is the pause after a digest that failed.
	postponed = time.Hour

	// maxWallets is the maximum number of digests in a call, and atOnce the number of concurrent
	// digests. Further wallets wait for the next call, a minute later.
	maxWallets = 200
	atOnce     = 4
	// reserve is the remaining time of a call at which no more digests begin.
	reserve = 10 * time.Second

	// maxChanges is the maximum number of changes of a token to read.
	maxChanges = 10
	// MaxReads is the maximum number of tokens whose changes and claims are read for a digest.
	MaxReads = holder.MaxPage
)

// Due returns the time of the digest after the end of the last digest.
func Due(told time.Time) time.Time { return told.Add(Period + settle) }

// Store stores the links of wallets; see consents.Store.
type Store interface {
	// Due lists up to most linked wallets whose digest is due at now, the longest due first. The list
	// may lag.
	Due(ctx context.Context, now time.Time, most int) ([]solana.PublicKey, error)
	// Find returns the link of a wallet.
	Find(ctx context.Context, wallet solana.PublicKey) (consent.Link, consent.Pending, error)
	// Told stores the end of a digest. Told, Postpone and Forget have no effect if the link changed.
	Told(ctx context.Context, wallet solana.PublicKey, link consent.Link, to time.Time) error
	// Postpone stores the time of the next attempt.
	Postpone(ctx context.Context, wallet solana.PublicKey, link consent.Link, at time.Time) error
	// Forget deletes an ended link.
	Forget(ctx context.Context, wallet solana.PublicKey, link consent.Link, now time.Time) error
}

// Payments lists payments; see holder.Payments.
type Payments interface {
	Page(ctx context.Context, ask holder.PaymentsAsk) (holder.PaidPage, error)
}

// Claims checks what a wallet can claim; see holder.Claims.
type Claims interface {
	Check(ctx context.Context, wallet solana.PublicKey, mints []solana.PublicKey) ([]holder.Claimed, error)
}

// Changes reads the history of settings; see launchtable.Versions.
type Changes interface {
	Changes(ctx context.Context, mint solana.PublicKey, after string, limit int) (page []terms.Change, next string, err error)
}

// Digests sends digests. Every field is required.
type Digests struct {
	Store    Store
	Links    notice.Links
	Payments Payments
	Claims   Claims
	Changes  Changes
	Queue    notice.Queue
	// PublicURL is the address of the page, without a trailing slash.
	PublicURL string
	Now       func() time.Time
	Log       *slog.Logger
}

// Work queues the digests that are due.
func (d Digests) Work(ctx context.Context) error {
	wallets, err := d.Store.Due(ctx, d.Now(), maxWallets)
	if err != nil {
		return fmt.Errorf("list the digests that are due: %w", err)
	}
	if len(wallets) == maxWallets {
		d.Log.InfoContext(ctx, "more digests are due than a call makes: the rest waits", "most", maxWallets)
	}
	parallel.Each(len(wallets), atOnce, func(i int) {
		if end, ok := ctx.Deadline(); ok && time.Until(end) < reserve {
			return
		}
		if err := d.one(ctx, wallets[i]); err != nil {
			// The log has no wallet, because the wallet of a private chat is personal data.
			d.Log.WarnContext(ctx, "a digest is not made: it is tried again in an hour",
				"cause", strings.ReplaceAll(err.Error(), wallets[i].String(), "the wallet"))
		}
	})
	return nil
}

// one queues the digest of a wallet.
func (d Digests) one(ctx context.Context, wallet solana.PublicKey) error {
	link, _, err := d.Store.Find(ctx, wallet)
	now := d.Now()
	if err != nil || link.Chat == 0 || Due(link.ToldAt).After(now) {
		return err
	}
	_, err = d.Links.Chat(ctx, wallet, "")
	if errors.Is(err, notice.ErrNotLinked) {
		return d.Store.Forget(ctx, wallet, link, now)
	}
	if err == nil {
		err = d.send(ctx, wallet, link, now)
	}
	if err != nil {
		return errors.Join(err, d.Store.Postpone(ctx, wallet, link, now.Add(postponed)))
	}
	return nil
}

// send queues the digest of a linked wallet, and stores its end.
func (d Digests) send(ctx context.Context, wallet solana.PublicKey, link consent.Link, now time.Time) error {
	to := link.ToldAt.Add(now.Add(-settle).Sub(link.ToldAt).Truncate(Period))
	news, err := d.news(ctx, wallet, span{later(link.ToldAt, to.Add(-maxPeriods*Period)), to})
	if err != nil {
		return err
	}
	if text := news.text(d.PublicURL, wallet); text != "" {
		key := fmt.Sprintf("digest/%s/%d/%d", wallet, link.ToldAt.UnixMilli(), to.UnixMilli())
		if err := d.Queue.Send(ctx, notice.Notice{
			// The ID is in logs, so it has no wallet.
			ID:   string(notice.WalletDigest) + "/" + uuid.NewSHA1(uuid.NameSpaceURL, []byte(key)).String(),
			Kind: notice.WalletDigest, Wallet: wallet, At: now, Text: text,
		}); err != nil {
			return err
		}
	}
	return d.Store.Told(ctx, wallet, link, to)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// span is the time after from, up to and including to.
type span struct{ from, to time.Time }

func (s span) has(t time.Time) bool { return t.After(s.from) && !t.After(s.to) }

// week reports whether a week begins in the span, Mondays at midnight UTC.
func (s span) week() bool {
	day := s.to.UTC().Truncate(24 * time.Hour)
	for day.Weekday() != time.Monday {
		day = day.Add(-24 * time.Hour)
	}
	return s.has(day)
}

// news reads what happened to a wallet. Claims are read if there were payments, and once a week.
func (d Digests) news(ctx context.Context, wallet solana.PublicKey, in span) (news, error) {
	page, err := d.Payments.Page(ctx, holder.PaymentsAsk{Wallet: wallet, Since: in.from.Add(-late), Limit: maxPayments})
	if err != nil {
		return news{}, err
	}
	n := news{more: !page.Next.Slot.IsZero() || !page.Complete}
	for _, paid := range page.Payments {
		if in.has(paid.Run.End.At) {
			n.add(paid)
		}
	}
	tokens := page.Tokens[:min(len(page.Tokens), MaxReads)]
	mints := make([]solana.PublicKey, len(tokens))
	for i, t := range tokens {
		mints[i] = t.Mint
		if t.SettingsVersion <= terms.LaunchVersion {
			continue
		}
		changes, _, err := d.Changes.Changes(ctx, t.Mint, "", maxChanges)
		if err != nil {
			return news{}, fmt.Errorf("read the changes of %s: %w", t.Mint, err)
		}
		n.lower(t, changes, in)
	}
	if len(mints) == 0 || len(n.paid) == 0 && !in.week() {
		return n, nil
	}
	n.claims, err = d.Claims.Check(ctx, wallet, mints)
	n.tokens = tokens
	return n, err
}
