// Package journal keeps, outside of the ledger, what a ledger that was restored
// from an old backup has forgotten: every transaction before it is sent, and a copy
// of every run and head after it is written.
//
//	journal/<mint>/<run>/<kind>-<leg>-<batch>-<part>/<signature>.json         a payment, before an attempt is sent
//	journal/<mint>/<run>/<kind>-<leg>-<batch>-<part>/landed-<signature>.json  a payment, before its receipt is closed
//	journal/<mint>/runs/<slot, 12 digits>.json                                a run
//	journal/<mint>/head.json                                                  a head
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
	Payment payout.Payment `json:"payment"`
}

func folder(mint solana.PublicKey) string { return "journal/" + mint.String() + "/" }

// paymentFolder is where the attempts of a payment are.
func paymentFolder(p payout.Payment) string {
	return fmt.Sprintf("%s%s/%s-%03d-%08d-%s/", folder(p.Mint), p.ID.Run, p.ID.Kind, p.ID.Leg, p.ID.Batch, p.ID.Part)
}

// Attempt keeps a payment with its newest attempt; see payout.Journal.
func (j Journal) Attempt(ctx context.Context, p payout.Payment) error {
	if len(p.Attempts) == 0 || p.ID.Run == "" {
		return fmt.Errorf("journal payment %s: it has no attempt, or no run", p.ID)
	}
	return j.keep(ctx, p, p.Attempts[len(p.Attempts)-1].Signature.String())
}

// Landed keeps a payment with its landing; see payout.Journal.
func (j Journal) Landed(ctx context.Context, p payout.Payment) error {
	if p.Outcome == nil || p.ID.Run == "" {
		return fmt.Errorf("journal payment %s: it has not landed, or has no run", p.ID)
	}
	return j.keep(ctx, p, landedPrefix+p.Outcome.Signature.String())
}

// landedPrefix begins the names of entries about landings, of which a payment has one.
const landedPrefix = "landed-"

func (j Journal) keep(ctx context.Context, p payout.Payment, name string) error {
	content, err := json.Marshal(kept{p})
	if err != nil {
		return fmt.Errorf("encode payment %s: %w", p.ID, err)
	}
	if err := j.Files.Put(ctx, paymentFolder(p)+name+".json", contentType, content); err != nil {
		return fmt.Errorf("journal payment %s: %w", p.ID, err)
	}
	return nil
}

// Has says whether anything was kept for a payment or its parts, whose folders begin
// as its own; see payout.Journal.
func (j Journal) Has(ctx context.Context, p payout.Payment) (bool, error) {
	for _, err := range j.Files.KeysAfter(ctx, strings.TrimSuffix(paymentFolder(p), "/"), "") {
		if err != nil {
			return false, fmt.Errorf("list the journal of payment %s: %w", p.ID, err)
		}
		return true, nil
	}
	return false, nil
}

// Of gives everything that was kept for a payment itself; see payout.Journal.
func (j Journal) Of(ctx context.Context, p payout.Payment) ([]payout.Payment, error) {
	var list []payout.Payment
	for kept, err := range j.under(ctx, p.Mint, paymentFolder(p)) {
		if err != nil {
			return nil, err
		}
		list = append(list, kept)
	}
	return list, nil
}

// All gives everything that was kept for a mint; see payout.Journal.
func (j Journal) All(ctx context.Context, mint solana.PublicKey) iter.Seq2[payout.Payment, error] {
	return j.under(ctx, mint, folder(mint))
}

// Run gives what was kept for a run of a mint, as All does.
func (j Journal) Run(ctx context.Context, mint solana.PublicKey, run string) iter.Seq2[payout.Payment, error] {
	return j.under(ctx, mint, folder(mint)+run+"/")
}

// together is how many entries are read at the same time.
const together = 16

func (j Journal) under(ctx context.Context, mint solana.PublicKey, prefix string) iter.Seq2[payout.Payment, error] {
	return func(yield func(payout.Payment, error) bool) {
		var keys []string
		flush := func() bool {
			payments, errs := j.read(ctx, mint, keys)
			keys = keys[:0]
			for n, i := range payments {
				if !yield(i, errs[n]) || errs[n] != nil {
					return false
				}
			}
			return true
		}
		for key, err := range j.Files.KeysAfter(ctx, prefix, "") {
			if err != nil {
				yield(payout.Payment{}, fmt.Errorf("list the journal of %s: %w", mint, err))
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
func (j Journal) read(ctx context.Context, mint solana.PublicKey, keys []string) ([]payout.Payment, []error) {
	payments, errs := make([]payout.Payment, len(keys)), make([]error, len(keys))
	var wg sync.WaitGroup
	for n, key := range keys {
		wg.Go(func() {
			var err error
			if payments[n], err = j.entry(ctx, mint, key); err != nil {
				errs[n] = fmt.Errorf("read %s of the journal: %w", key, err)
			}
		})
	}
	wg.Wait()
	return payments, errs
}

func (j Journal) entry(ctx context.Context, mint solana.PublicKey, key string) (payout.Payment, error) {
	content, err := j.Files.Get(ctx, key)
	if err != nil {
		return payout.Payment{}, err
	}
	var k kept
	if err := decode(content, &k); err != nil {
		return payout.Payment{}, err
	}
	if k.Payment.Mint != mint || len(k.Payment.Attempts) == 0 {
		return payout.Payment{}, errors.New("it is not of this mint, or nothing was signed")
	}
	return k.Payment, nil
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
