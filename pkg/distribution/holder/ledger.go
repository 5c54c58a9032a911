package holder

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/gagliardetto/solana-go"
	"golang.org/x/sync/errgroup"

	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// The maximum costs of a page.
const (
	// MaxPage is the maximum number of tokens.
	MaxPage = 100
	// maxSeen is the maximum number of mints of a wallet to look up among the service's tokens.
	// Third parties can send a wallet any number of other tokens.
	maxSeen = 1_000
	// maxAssets is the maximum number of assets to check in a token's proof: the reward, and
	// earlier rewards that are still owed.
	maxAssets = 8
	// atOnce is the maximum number of concurrent reads of proofs.
	atOnce = 16
)

// Tokens finds the service's tokens; see launchtable.Tokens.
type Tokens interface {
	// TokensOf returns the records of the service's tokens among mints, in the order of mints. The
	// maximum is MaxPage mints.
	TokensOf(ctx context.Context, mints []solana.PublicKey) ([]token.Record, error)
}

// Heads reads the ledger; see ledgertable.Runs.
type Heads interface {
	// Heads returns the heads of tokens by mint, for at most MaxPage mints. A head that was never
	// written is absent.
	Heads(ctx context.Context, mints []solana.PublicKey) (map[solana.PublicKey]run.Head, error)
}

// Chain lists the holdings of wallets; see solanarpc.Client.
type Chain interface {
	// MintsOf returns the mints of a wallet's Token-2022 accounts, including empty accounts, in
	// ascending order without duplicates. If the wallet has too many accounts, MintsOf returns a
	// part, and complete is false.
	MintsOf(ctx context.Context, wallet solana.PublicKey) (mints []solana.PublicKey, complete bool, err error)
}

// Ledger reports the income and the debts of wallets. Every field is required.
type Ledger struct {
	Tokens Tokens
	Heads  Heads
	Proofs format.Source
	Chain  Chain
}

// Ask is a request for a page. Named are at most MaxPage mints. The first page has the service's
// tokens among Named, even if the wallet does not hold a token, and even if the number exceeds
// Limit. After is the last mint of the previous page; zero for the first page.
type Ask struct {
	Wallet solana.PublicKey
	Named  []solana.PublicKey
	After  solana.PublicKey
	Limit  int
}

// Line is the result of one token for the wallet, by the last proof.
type Line struct {
	Token token.Record
	// Last is the run of the last proof; nil before the first proof. head is the head of the token.
	Last *run.Last
	head run.Head
	// Reward is the row of the run's reward. Arrears are the rows of earlier rewards.
	Reward  allocation.Row
	Arrears []allocation.Row
	// MoreAssets reports that the wallet may be owed other assets, too.
	MoreAssets bool
	// Why is the reason why a part of the reward waits, or why there is no reward; nil otherwise.
	Why *Why
}

// Page is a part of a wallet's ledger. Next is the start of the next page, zero after the last
// page. Complete is false if the wallet has too many token accounts to list, or the node did not
// return the list. Tokens that were not named may then be missing.
type Page struct {
	Lines    []Line
	Next     solana.PublicKey
	Complete bool
}

// Page reads a page: the named tokens, then the tokens that the wallet holds, by mint.
func (l Ledger) Page(ctx context.Context, ask Ask) (Page, error) {
	var records []token.Record
	page := Page{Complete: true}
	if len(ask.Named) > 0 && ask.After.IsZero() {
		var err error
		if records, err = l.Tokens.TokensOf(ctx, ask.Named); err != nil {
			return Page{}, fmt.Errorf("read the named tokens: %w", err)
		}
	}
	held, complete, err := l.Chain.MintsOf(ctx, ask.Wallet)
	if err != nil && len(ask.Named) == 0 {
		return Page{}, fmt.Errorf("list what %s holds: %w", ask.Wallet, err)
	}
	if err != nil {
		held, complete = nil, false // the named tokens are still known
	}
	page.Complete = complete
	held = slices.DeleteFunc(slices.Clone(held), func(mint solana.PublicKey) bool {
		return bytes.Compare(mint[:], ask.After[:]) <= 0 || slices.Contains(ask.Named, mint)
	})
	if records, page.Next, err = l.own(ctx, records, held, ask.Limit); err != nil {
		return Page{}, err
	}
	page.Lines, err = l.lines(ctx, ask.Wallet, records)
	return page, err
}

// named returns the lines of the service's tokens among mints, even if the wallet does not hold a
// token.
func (l Ledger) named(ctx context.Context, wallet solana.PublicKey, mints []solana.PublicKey) ([]Line, error) {
	records, err := l.Tokens.TokensOf(ctx, mints)
	if err != nil {
		return nil, fmt.Errorf("read the named tokens: %w", err)
	}
	return l.lines(ctx, wallet, records)
}

// own appends the service's tokens among the held mints to records, up to limit, and returns the
// last mint that was checked.
func (l Ledger) own(ctx context.Context, records []token.Record, held []solana.PublicKey, limit int) ([]token.Record, solana.PublicKey, error) {
	seen := 0
	for part := range slices.Chunk(held, MaxPage) {
		if len(records) >= limit || seen >= maxSeen {
			break
		}
		found, err := l.Tokens.TokensOf(ctx, part)
		if err != nil {
			return nil, solana.PublicKey{}, fmt.Errorf("find the service's tokens: %w", err)
		}
		seen += len(part)
		if room := limit - len(records); len(found) > room {
			// The next page checks again the mints after the last token with room.
			found = found[:room]
			seen += slices.Index(part, found[room-1].Mint) + 1 - len(part)
		}
		records = append(records, found...)
	}
	if seen == len(held) {
		return records, solana.PublicKey{}, nil
	}
	if seen == 0 {
		return records, before(held[0]), nil
	}
	return records, held[seen-1], nil
}

// before returns the key before the given key.
func before(key solana.PublicKey) solana.PublicKey {
	for i := len(key) - 1; i >= 0; i-- {
		key[i]--
		if key[i] != 0xff {
			break
		}
	}
	return key
}

// lines reads the last proofs of tokens.
func (l Ledger) lines(ctx context.Context, wallet solana.PublicKey, records []token.Record) ([]Line, error) {
	mints := make([]solana.PublicKey, len(records))
	for i, r := range records {
		mints[i] = r.Mint
	}
	heads := map[solana.PublicKey]run.Head{}
	if len(mints) > 0 {
		var err error
		if heads, err = l.Heads.Heads(ctx, mints); err != nil {
			return nil, fmt.Errorf("read the last runs: %w", err)
		}
	}
	lines := make([]Line, len(records))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for i, r := range records {
		group.Go(func() (err error) {
			lines[i], err = l.line(ctx, wallet, r, heads[r.Mint])
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return lines, nil
}

// line reads the content of a token's last proof about a wallet.
func (l Ledger) line(ctx context.Context, wallet solana.PublicKey, t token.Record, head run.Head) (Line, error) {
	last := head.Last
	line := Line{Token: t, Last: last, head: head}
	var err error
	if line.Reward.Asset, err = t.Settings.Reward(); err != nil {
		return Line{}, fmt.Errorf("read the reward of %s: %w", t.Mint, err)
	}
	if last == nil {
		line.Why = NoRun()
		return line, nil
	}
	m, err := format.ReadManifest(ctx, l.Proofs, last.Manifest)
	if err != nil {
		return Line{}, fmt.Errorf("read the proof %s: %w", last.Manifest, err)
	}
	s, err := Stand(ctx, m, l.Proofs, wallet, maxAssets)
	if err != nil {
		return Line{}, fmt.Errorf("look %s up in the proof %s: %w", wallet, last.Manifest, err)
	}
	line.MoreAssets, line.Why = s.More, s.Why
	// A holder without a row in this asset has neither income nor debts in the run's reward.
	if line.Reward.Asset, err = terms.ParseAsset(m.Settings.RewardToken); err != nil {
		return Line{}, fmt.Errorf("read what the proof %s paid in: %w", last.Manifest, err)
	}
	for _, found := range s.Rows {
		if row := found.Row; row.Asset == line.Reward.Asset {
			line.Reward = row
		} else {
			line.Arrears = append(line.Arrears, row)
		}
	}
	if row := line.Reward; row.Reason != "" {
		line.Why = &Why{string(row.Reason), row.Reason.Sentence()}
	}
	return line, nil
}
