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

// What a page costs at most.
const (
	// MaxPage is how many tokens it has.
	MaxPage = 100
	// maxSeen is how many of the mints that a wallet holds it looks for among the service's
	// tokens: strangers can give a wallet as many of others as they pay for.
	maxSeen = 1_000
	// maxAssets is in how many assets a token's proof is looked at: the reward, and what the
	// reward was before and is owed still.
	maxAssets = 8
	// atOnce is how many tokens' proofs are read at a time.
	atOnce = 16
)

// Tokens finds the service's tokens; see launchtable.Tokens.
type Tokens interface {
	// TokensOf gives the records of those of the mints, MaxPage at most, that are tokens of
	// the service, in their order.
	TokensOf(ctx context.Context, mints []solana.PublicKey) ([]token.Record, error)
}

// Heads reads the ledger; see ledgertable.Runs.
type Heads interface {
	// Heads gives the heads of tokens, MaxPage at most, by mint; one that was never written
	// is absent.
	Heads(ctx context.Context, mints []solana.PublicKey) (map[solana.PublicKey]run.Head, error)
}

// Chain lists what wallets hold; see solanarpc.Client.
type Chain interface {
	// MintsOf gives the mints of which a wallet has token accounts of Token-2022, empty ones
	// too: ascending, each once. Of a wallet that has too many it gives a part, and complete
	// is false.
	MintsOf(ctx context.Context, wallet solana.PublicKey) (mints []solana.PublicKey, complete bool, err error)
}

// Ledger says what wallets have received and are owed. Every field is required.
type Ledger struct {
	Tokens Tokens
	Heads  Heads
	Proofs format.Source
	Chain  Chain
}

// Ask is what is asked of a ledger. Named are mints, MaxPage at most: those that are tokens
// of the service are on the first page, whether the wallet holds them or not, even if they
// are more than Limit. After is the last mint that an earlier page has looked at; zero for
// the first page.
type Ask struct {
	Wallet solana.PublicKey
	Named  []solana.PublicKey
	After  solana.PublicKey
	Limit  int
}

// Line is what one token came to for the wallet, by the last proof.
type Line struct {
	Token token.Record
	// Last is the run of that proof, nil when there is none yet, and head the head that names it.
	Last *run.Last
	head run.Head
	// Reward is the row of what that run paid in, Arrears those of what runs paid in before.
	Reward  allocation.Row
	Arrears []allocation.Row
	// MoreAssets says that the wallet may be owed other assets, too.
	MoreAssets bool
	// Why says why something of the reward waits, or why there is nothing; nil when neither
	// is so.
	Why *Why
}

// Page is a part of a wallet's ledger. Next is where the next one begins, zero after the
// last. Complete is false when the wallet has too many token accounts to list, or the node
// would not list them: tokens may be missing that are not named.
type Page struct {
	Lines    []Line
	Next     solana.PublicKey
	Complete bool
}

// Page reads one page: the named tokens, then those that the wallet holds, by mint.
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
		held, complete = nil, false // what was named is known all the same
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

// named reads the lines of those of the mints that are tokens of the service, whether the wallet
// holds them or not.
func (l Ledger) named(ctx context.Context, wallet solana.PublicKey, mints []solana.PublicKey) ([]Line, error) {
	records, err := l.Tokens.TokensOf(ctx, mints)
	if err != nil {
		return nil, fmt.Errorf("read the named tokens: %w", err)
	}
	return l.lines(ctx, wallet, records)
}

// own adds to the records those of the held mints that are tokens of the service, up to a
// number, and says where it stopped.
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
			// What is behind the last that has room is seen again.
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

// before is the key before one.
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

// line reads what the last proof of a token says of a wallet.
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
	// A holder without a row of it has nothing of what the run paid in.
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
