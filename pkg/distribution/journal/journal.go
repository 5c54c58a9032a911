// Package journal keeps, outside of the ledger, what a ledger that was restored
// from an old backup has forgotten: every transaction before it is sent, and a copy
// of every run and head after it is written.
//
//	journal/<mint>/<run>/<kind>-<leg>-<batch>-<part>/<signature>.json  an intent
//	journal/<mint>/runs/<slot, 12 digits>.json                         a run
//	journal/<mint>/head.json                                           a head
//
// The first are written once. The others are replaced by newer versions only, so
// that a ledger which has an older version than its copy is known to be old: then
// nothing is written to it any more until Restorer has brought it forward.
package journal

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
)

const contentType = "application/json"

// Files is where the signed transactions are.
type Files interface {
	// Put stores content under a key that nothing is under; what is there stays.
	Put(ctx context.Context, key, contentType string, content []byte) error
	// Get reads what is under a key.
	Get(ctx context.Context, key string) ([]byte, error)
	// KeysAfter gives the keys that begin with a prefix, in order, after a key.
	KeysAfter(ctx context.Context, prefix, after string) iter.Seq2[string, error]
}

// Journal keeps what was signed; it implements payout.Journal.
type Journal struct {
	Files Files
}

// kept is what an entry holds.
type kept struct {
	Intent payout.Intent `json:"intent"`
}

func folder(mint solana.PublicKey) string { return "journal/" + mint.String() + "/" }

// attemptsFolder is where the attempts of an intent are.
func attemptsFolder(i payout.Intent) string {
	return fmt.Sprintf("%s%s/%s-%03d-%08d-%s/", folder(i.Mint), i.ID.Run, i.ID.Kind, i.ID.Leg, i.ID.Batch, i.ID.Part)
}

func attemptKey(i payout.Intent) string {
	return fmt.Sprintf("%s%s.json", attemptsFolder(i), i.Attempts[len(i.Attempts)-1].Signature)
}

// Write keeps an intent with its newest attempt; see payout.Journal.
func (j Journal) Write(ctx context.Context, intent payout.Intent) error {
	if len(intent.Attempts) == 0 || intent.ID.Run == "" {
		return fmt.Errorf("journal intent %s: it has no attempt, or no run", intent.ID)
	}
	content, err := json.Marshal(kept{intent})
	if err != nil {
		return fmt.Errorf("encode intent %s: %w", intent.ID, err)
	}
	if err := j.Files.Put(ctx, attemptKey(intent), contentType, content); err != nil {
		return fmt.Errorf("journal intent %s: %w", intent.ID, err)
	}
	return nil
}

// Has says whether anything was kept for an intent or its parts, whose folders begin
// as its own; see payout.Journal.
func (j Journal) Has(ctx context.Context, intent payout.Intent) (bool, error) {
	for _, err := range j.Files.KeysAfter(ctx, strings.TrimSuffix(attemptsFolder(intent), "/"), "") {
		if err != nil {
			return false, fmt.Errorf("list the journal of intent %s: %w", intent.ID, err)
		}
		return true, nil
	}
	return false, nil
}

// All gives everything that was kept for a mint; see payout.Journal.
func (j Journal) All(ctx context.Context, mint solana.PublicKey) iter.Seq2[payout.Intent, error] {
	return j.under(ctx, mint, folder(mint))
}

// Run gives what was kept for a run of a mint, as All does.
func (j Journal) Run(ctx context.Context, mint solana.PublicKey, run string) iter.Seq2[payout.Intent, error] {
	return j.under(ctx, mint, folder(mint)+run+"/")
}

// together is how many entries are read at the same time.
const together = 16

func (j Journal) under(ctx context.Context, mint solana.PublicKey, prefix string) iter.Seq2[payout.Intent, error] {
	return func(yield func(payout.Intent, error) bool) {
		var keys []string
		flush := func() bool {
			intents, errs := j.read(ctx, mint, keys)
			keys = keys[:0]
			for n, i := range intents {
				if !yield(i, errs[n]) || errs[n] != nil {
					return false
				}
			}
			return true
		}
		for key, err := range j.Files.KeysAfter(ctx, prefix, "") {
			if err != nil {
				yield(payout.Intent{}, fmt.Errorf("list the journal of %s: %w", mint, err))
				return
			}
			if strings.HasPrefix(key, runsFolder(mint)) || key == headCopy(mint) {
				continue
			}
			if keys = append(keys, key); len(keys) == together && !flush() {
				return
			}
		}
		flush()
	}
}

// read reads entries at the same time.
func (j Journal) read(ctx context.Context, mint solana.PublicKey, keys []string) ([]payout.Intent, []error) {
	intents, errs := make([]payout.Intent, len(keys)), make([]error, len(keys))
	var wg sync.WaitGroup
	for n, key := range keys {
		wg.Go(func() {
			var err error
			if intents[n], err = j.entry(ctx, mint, key); err != nil {
				errs[n] = fmt.Errorf("read %s of the journal: %w", key, err)
			}
		})
	}
	wg.Wait()
	return intents, errs
}

func (j Journal) entry(ctx context.Context, mint solana.PublicKey, key string) (payout.Intent, error) {
	content, err := j.Files.Get(ctx, key)
	if err != nil {
		return payout.Intent{}, err
	}
	var k kept
	if err := decode(content, &k); err != nil {
		return payout.Intent{}, err
	}
	if k.Intent.Mint != mint || len(k.Intent.Attempts) == 0 {
		return payout.Intent{}, errors.New("it is not of this mint, or nothing was signed")
	}
	return k.Intent, nil
}

// decode reads what this package wrote. A fact that this code does not know is an
// error, for it would be lost.
func decode(content []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return fmt.Errorf("decode: %w", err)
	}
	return nil
}
