package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/dispatch"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// mover stands in for the tables and the distributor, which moves a token for the first message after the
// signer's item and the record have the order.
type mover struct {
	mu      sync.Mutex
	records map[solana.PublicKey]token.Record
	heads   map[solana.PublicKey]run.Head
	items   map[solana.PublicKey]solana.PublicKey
	order   []solana.PublicKey // of the movements
}

func (m *mover) Rotate(_ context.Context, mint solana.PublicKey, to token.Wallet) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.items[mint] != to.Address {
		return errors.New("the signer does not know the order")
	}
	r := m.records[mint]
	r.RotateTo = to
	m.records[mint] = r
	return nil
}

func (m *mover) Rotated(_ context.Context, mint solana.PublicKey, to token.Wallet) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	r := m.records[mint]
	r.LaunchWallet, r.Wallet = r.Wallet, to
	m.records[mint] = r
	return nil
}

func (m *mover) Head(_ context.Context, mint solana.PublicKey) (run.Head, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.heads[mint], nil
}

func (m *mover) Run(context.Context, solana.PublicKey, time.Time) (run.Run, error) {
	return run.Run{Release: &run.Release{Into: &token.Wallet{}}}, nil
}

func (m *mover) SendRuns(_ context.Context, runs []dispatch.Delayed) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, d := range runs {
		if to := m.records[d.Mint].RotateTo; !to.Address.IsZero() {
			head := m.heads[d.Mint]
			head.Rotated = &run.Rotated{Wallet: to}
			m.heads[d.Mint] = head
			m.order = append(m.order, d.Mint)
		}
	}
	return nil
}

type orderer struct{ *mover }

func (o orderer) Rotate(_ context.Context, mint, from, to solana.PublicKey, by, why string) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.records[mint].Wallet.Address != from || by == "" || why == "" {
		return errors.New("not the present wallet")
	}
	o.items[mint] = to
	return nil
}

type derived struct{}

func (derived) Address(_ context.Context, path string) (to solana.PublicKey, err error) {
	copy(to[:], path[len(path)-32:])
	return to, nil
}

// TestRotateByValue: the tokens with the most value are moved first; a token with a guardian is left and
// named, and does not hold up the others. A repetition finds nothing to do except that token.
func TestRotateByValue(t *testing.T) {
	m := &mover{records: map[solana.PublicKey]token.Record{}, heads: map[solana.PublicKey]run.Head{}, items: map[solana.PublicKey]solana.PublicKey{}}
	balances := map[solana.PublicKey]uint64{}
	var mints []solana.PublicKey
	const tokens = 3*rotatesAtOnce + 1
	for n := range tokens {
		mint, address := solana.NewWallet().PublicKey(), solana.NewWallet().PublicKey()
		r := token.Record{Mint: mint, Status: token.Confirmed, Wallet: token.Wallet{ID: "7b0f4f3a-6a0e-4a53-9d0e-3f6f9a7d1c11", Address: address}}
		if n == tokens-1 {
			r.Guardian = mint
		}
		m.records[mint], balances[address] = r, uint64(n)
		mints = append(mints, mint)
	}
	now := time.Unix(1_800_000_000, 0)
	var out bytes.Buffer
	w := rotate{
		windDown: windDown{ledger: m, queue: m, by: "an operator", out: &out, now: func() time.Time { return now }, pause: func(_ context.Context, d time.Duration) error {
			now = now.Add(d)
			return nil
		}},
		records: m, orders: orderer{m}, deriver: derived{},
		value: func(_ context.Context, r token.Record) (uint64, error) { return balances[r.Wallet.Address], nil },
	}
	w.all = func(context.Context) (list []token.Record, err error) {
		for _, mint := range mints {
			list = append(list, m.records[mint])
		}
		return list, nil
	}
	o, err := parseRotate([]string{"-root", "1", "-wait", "5m", "-why", "the root leaked", "stack", "all"})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.do(t.Context(), o); !errors.Is(err, errNotRotated) {
		t.Errorf("do() = %v, want %v", err, errNotRotated)
	}
	slices.Reverse(mints)
	if guarded := mints[0]; len(m.order) != tokens-1 || slices.Contains(m.order, guarded) || !strings.Contains(out.String(), guarded.String()+": not moved, because its guardian") {
		t.Fatalf("%d tokens were moved, want %d:\n%s", len(m.order), tokens-1, out.String())
	}
	for n, mint := range m.order[:rotatesAtOnce-1] { // a batch has no order within
		if !slices.Contains(mints[1:rotatesAtOnce+1], mint) {
			t.Errorf("movement %d is of a token of less value", n)
		}
	}
	out.Reset()
	o.check = true
	if err := w.do(t.Context(), o); !errors.Is(err, errNotRotated) || !strings.Contains(out.String(), fmt.Sprintf("1 of %d tokens are not at root 1", tokens)) || !strings.Contains(out.String(), "tokenlaunch guarded move\n") {
		t.Errorf("check = %v: %s", err, out.String())
	}
}

// TestTaxIsPartOfTheValue: a token whose tax waits has value, although the wallet is empty.
func TestTaxIsPartOfTheValue(t *testing.T) {
	mint, own, vault := make([]byte, 278), make([]byte, 178), make([]byte, 178)
	mint[45], mint[165], mint[166], mint[168] = 1, 1, 1, 108
	binary.LittleEndian.PutUint64(mint[170+64:], 5) // withheld on the mint
	for account, amounts := range map[*[]byte][2]uint64{&own: {300, 20}, &vault: {9_000, 1_000}} {
		data := *account
		data[108], data[165], data[166], data[168] = 1, 2, 2, 8 // initialized, an account, withheld tax of eight bytes
		binary.LittleEndian.PutUint64(data[64:], amounts[0])
		binary.LittleEndian.PutUint64(data[170:], amounts[1])
	}
	of := func(data []byte) *onchain.Account {
		return &onchain.Account{Owner: solana.Token2022ProgramID, Data: data}
	}
	if got := takeable(of(mint), of(own), []*onchain.Account{of(vault), nil, of(mint)}); got != 5+300+20+1_000 {
		t.Errorf("takeable() = %d, want 1325", got)
	}
	head := run.Head{Prices: []run.Price{{Asset: terms.SOL, In: 1_000, Out: 3, At: time.Unix(1_800_000_000, 0)}}}
	if got := head.Lamports(1_325); got != 3 {
		t.Errorf("Lamports() = %d, want 3", got)
	}
	if got := (run.Head{}).Lamports(1_325); got != 0 {
		t.Errorf("Lamports() without a price = %d, want 0", got)
	}
}

func TestParseRotate(t *testing.T) {
	for _, arguments := range [][]string{
		{},
		{"stack", "all"},
		{"-root", "0", "-why", "x", "stack", "all"},
		{"-root", "256", "-why", "x", "stack", "all"},
		{"-root", "1", "stack", "all"},
		{"-root", "1", "-why", "x", "stack"},
		{"-root", "1", "-why", "x", "stack", "no mint"},
	} {
		if o, err := parseRotate(arguments); err == nil {
			t.Errorf("parseRotate(%q) = %+v", arguments, o)
		}
	}
}
