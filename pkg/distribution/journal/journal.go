// Package journal stores, outside the ledger, the facts that a ledger restored from an old backup
// lacks: every transaction before the send, and a copy of every run and head after the write.
//
//	journal/<mint>/<run>/<kind>-<leg>-<batch>-<part>/<signature>.json         a payment, before an attempt is sent
//	journal/<mint>/<run>/<kind>-<leg>-<batch>-<part>/landed-<signature>.json  a payment, before its receipt is closed
//	journal/<mint>/runs/<slot, 12 digits>.json                                a run
//	journal/<mint>/head.json                                                  a head
//
// Payments are written once. A copy of a run or head is replaced only by a newer version. So a
// ledger with an older version than the copy is known to be old. No process then writes to the
// ledger until Restorer has brought the ledger forward.
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

// Files stores the signed transactions.
type Files interface {
	// Put stores content under an unused key. Existing content stays.
	Put(ctx context.Context, key, contentType string, content []byte) error
	// Get reads the content under a key.
	Get(ctx context.Context, key string) ([]byte, error)
	// KeysAfter returns the keys with a prefix, in order, after a key.
	KeysAfter(ctx context.Context, prefix, after string) iter.Seq2[string, error]
}

// Journal stores signed payments. Journal implements payout.Journal.
type Journal struct {
	Files Files
}

// kept is the content of an entry.
type kept struct {
	Payment payout.Payment `json:"payment"`
}

func folder(mint solana.PublicKey) string { return "journal/" + mint.String() + "/" }

// paymentFolder returns the prefix of the keys of a payment's attempts.
func paymentFolder(p payout.Payment) string {
	return fmt.Sprintf("%s%s/%s-%03d-%08d-%s/", folder(p.Mint), p.ID.Run, p.ID.Kind, p.ID.Leg, p.ID.Batch, p.ID.Part)
}

// Attempt stores a payment with its newest attempt; see payout.Journal.
func (j Journal) Attempt(ctx context.Context, p payout.Payment) error {
	if len(p.Attempts) == 0 || p.ID.Run == "" {
		return fmt.Errorf("journal payment %s: it has no attempt, or no run", p.ID)
	}
	return j.keep(ctx, p, p.Attempts[len(p.Attempts)-1].Signature.String())
}

// Landed stores a payment with its landing; see payout.Journal.
func (j Journal) Landed(ctx context.Context, p payout.Payment) error {
	if p.Outcome == nil || p.ID.Run == "" {
		return fmt.Errorf("journal payment %s: it has not landed, or has no run", p.ID)
	}
	return j.keep(ctx, p, landedPrefix+p.Outcome.Signature.String())
}

// landedPrefix is the prefix of the names of landing entries. A payment has one such entry.
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

// Has reports whether the journal has an entry for a payment or the payment's parts, whose keys
// share the prefix; see payout.Journal.
func (j Journal) Has(ctx context.Context, p payout.Payment) (bool, error) {
	for _, err := range j.Files.KeysAfter(ctx, strings.TrimSuffix(paymentFolder(p), "/"), "") {
		if err != nil {
			return false, fmt.Errorf("list the journal of payment %s: %w", p.ID, err)
		}
		return true, nil
	}
	return false, nil
}

// Of returns all entries of a payment, without parts; see payout.Journal.
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

// All returns all entries of a mint; see payout.Journal.
func (j Journal) All(ctx context.Context, mint solana.PublicKey) iter.Seq2[payout.Payment, error] {
	return j.under(ctx, mint, folder(mint))
}

// Run returns the entries of a run of a mint, as All does.
func (j Journal) Run(ctx context.Context, mint solana.PublicKey, run string) iter.Seq2[payout.Payment, error] {
	return j.under(ctx, mint, folder(mint)+run+"/")
}

// together is the maximum number of concurrent reads of entries.
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

// read reads entries concurrently.
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

// decode decodes content of this package. An unknown field is an error, because the field would be
// lost.
func decode(content []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return fmt.Errorf("decode: %w", err)
	}
	return nil
}
