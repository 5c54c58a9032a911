package guardian_test

import (
	"context"
	"crypto/ed25519"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/guardian"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/creation"
	"tokenlaunch.example/service/pkg/solana/memo"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/token/handover"
)

// node is a node with these accounts.
type node map[solana.PublicKey]*onchain.Account

func (n node) AccountsAt(_ context.Context, from uint64, addresses ...solana.PublicKey) (list []*onchain.Account, slot uint64, err error) {
	for _, a := range addresses {
		list = append(list, n[a])
	}
	return list, from, nil
}

// away is a node that does not respond.
type away struct{}

func (away) AccountsAt(context.Context, uint64, ...solana.PublicKey) ([]*onchain.Account, uint64, error) {
	return nil, 0, apperr.Upstream("The Solana network", errors.New("no answer"))
}

// key is a key in memory.
type key ed25519.PrivateKey

func newKey(t *testing.T) key {
	t.Helper()
	_, k, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	return key(k)
}

func (k key) public() solana.PublicKey                    { return solana.PublicKey(k[ed25519.SeedSize:]) }
func (k key) PublicKey(context.Context) ([32]byte, error) { return k.public(), nil }
func (k key) Sign(_ context.Context, message []byte) ([64]byte, error) {
	return [64]byte(ed25519.Sign(ed25519.PrivateKey(k), message)), nil
}

// world is a token with a guardian.
type world struct {
	guardian, creator, wallet, thief key
	mint, authority, own             solana.PublicKey
	chain                            node
	orders                           *memory
	now                              time.Time
}

// memory is the guardian's memory. meanwhile, if set, runs once before the next write.
type memory struct {
	noted     guardian.Noted
	meanwhile func()
	away      bool
}

func (m *memory) Newest(context.Context, solana.PublicKey) (guardian.Noted, error) {
	if m.away {
		return guardian.Noted{}, apperr.Upstream("The store", errors.New("no answer"))
	}
	return m.noted, nil
}

func (m *memory) Save(_ context.Context, _ solana.PublicKey, n guardian.Noted) error {
	if f := m.meanwhile; f != nil {
		m.meanwhile = nil
		f()
	}
	if n.Version != m.noted.Version {
		return guardian.ErrConflict
	}
	m.noted = n
	m.noted.Version++
	return nil
}

// mintAccount is a mint whose tax an authority collects.
func mintAccount(authority solana.PublicKey) *onchain.Account {
	data := make([]byte, token2022.MintSpace)
	data[45], data[165] = 1, 1 // initialized; of the kind of mints
	data[166], data[168] = 1, 108
	copy(data[170+32:], authority[:])
	return &onchain.Account{Owner: solana.Token2022ProgramID, Data: data[:170+108]}
}

func multisigAccount(required byte, members ...solana.PublicKey) *onchain.Account {
	data := make([]byte, token2022.MultisigSize)
	data[0], data[1], data[2] = required, byte(len(members)), 1
	for n, m := range members {
		copy(data[3+32*n:], m[:])
	}
	return &onchain.Account{Owner: solana.Token2022ProgramID, Data: data}
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{guardian: newKey(t), creator: newKey(t), wallet: newKey(t), thief: newKey(t), mint: newKey(t).public(), chain: node{}, orders: &memory{}, now: noon}
	var err error
	if w.authority, err = creation.MultisigAddress(w.creator.public(), w.mint); err != nil {
		t.Fatal(err)
	}
	if w.own, err = token2022.AssociatedAddress(w.wallet.public(), w.mint, solana.Token2022ProgramID); err != nil {
		t.Fatal(err)
	}
	w.chain[w.mint] = mintAccount(w.authority)
	w.chain[w.authority] = multisigAccount(2, creation.Members(w.wallet.public(), w.guardian.public(), w.creator.public())...)
	// The order of the hand-over to the thief has taken effect.
	order := w.order(1, w.thief.public(), noon)
	w.orders.noted = guardian.Noted{Order: order, At: noon.Add(-delay), Version: 1}
	return w
}

const delay = 7 * 24 * time.Hour

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func (w *world) core() guardian.Core {
	return guardian.Core{
		Key: w.guardian, Chains: []guardian.Chain{w.chain, w.chain}, Orders: w.orders, Delay: delay, Now: func() time.Time { return w.now },
	}
}

// order is an order that the creator signed.
func (w *world) order(number int64, to solana.PublicKey, effective time.Time) handover.Order {
	o := handover.Order{Number: number, To: to, EffectiveAt: effective}
	o.Signature = solana.Signature(ed25519.Sign(ed25519.PrivateKey(w.creator), []byte(o.Text(w.mint))))
	return o
}

func (w *world) cancellation(number int64) solana.Signature {
	return solana.Signature(ed25519.Sign(ed25519.PrivateKey(w.creator), []byte(handover.CancelText(w.mint, number))))
}

// collect is a collection as the service asks for it.
func (w *world) collect(t *testing.T, change func(c *token2022.WithdrawWithheldFromAccounts)) []solana.Instruction {
	t.Helper()
	c := token2022.WithdrawWithheldFromAccounts{
		Mint: w.mint, Destination: w.own, Authority: w.authority, Signers: []solana.PublicKey{w.wallet.public(), w.guardian.public()},
		Sources: []solana.PublicKey{newKey(t).public()},
	}
	change(&c)
	in, err := c.Instruction()
	if err != nil {
		t.Fatal(err)
	}
	return []solana.Instruction{computebudget.SetUnitLimit(1), computebudget.SetUnitPrice(math.MaxUint64), in, token2022.WithdrawWithheldFromMint{
		Mint: c.Mint, Destination: c.Destination, Authority: c.Authority, Signers: c.Signers,
	}.Instruction()}
}

func (w *world) handOver(change func(s *token2022.SetAuthority)) []solana.Instruction {
	s := token2022.SetAuthority{
		Account: w.mint, Current: w.authority, Type: token2022.AuthorityWithdrawWithheld, New: w.thief.public(),
		Signers: []solana.PublicKey{w.creator.public(), w.guardian.public()},
	}
	change(&s)
	return []solana.Instruction{memo.Note(w.orders.noted.Memo()), s.Instruction()}
}

// signed compiles a transaction that some keys sign.
func signed(t *testing.T, payer key, list []solana.Instruction, keys ...key) wire.Transaction {
	t.Helper()
	m, err := wire.Compile(payer.public(), solana.Hash{1}, list)
	if err != nil {
		t.Fatal(err)
	}
	tx := wire.NewTransaction(m)
	for _, k := range keys {
		if err := tx.Sign(ed25519.PrivateKey(k)); err != nil {
			t.Fatal(err)
		}
	}
	return tx
}

func TestGuardianSignsCollectionsAndHandOvers(t *testing.T) {
	w := newWorld(t)
	same := func(*token2022.WithdrawWithheldFromAccounts) {}
	for kind, tx := range map[guardian.Kind]wire.Transaction{
		guardian.Collection: signed(t, w.wallet, w.collect(t, same)),
		guardian.HandOver:   signed(t, w.creator, w.handOver(func(*token2022.SetAuthority) {}), w.creator),
	} {
		got, err := w.core().CoSign(t.Context(), guardian.Request{Mint: w.mint, Transaction: tx.Bytes(), FromService: kind == guardian.Collection})
		if err != nil || got.Kind != kind || got.Guardian != w.guardian.public() {
			t.Fatalf("%s: %+v, %v", kind, got, err)
		}
		if err := tx.SetSignature(got.Guardian, got.Signature); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
	}
	v1, err := wire.CompileV1(w.wallet.public(), solana.Hash{1}, wire.Config{UnitLimit: 1}, w.collect(t, same)[2:])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.core().CoSign(t.Context(), guardian.Request{Mint: w.mint, Transaction: wire.NewTransaction(v1).Bytes(), FromService: true}); err != nil {
		t.Errorf("version 1: %v", err)
	}
}

// TestGuardianRefuses plays a service, a creator and strangers that ask for more.
func TestGuardianRefuses(t *testing.T) {
	type collection = token2022.WithdrawWithheldFromAccounts
	same := func(*collection) {}
	plain := func(*token2022.SetAuthority) {}
	for name, c := range map[string]struct {
		tx   func(t *testing.T, w *world) wire.Transaction
		want string
	}{
		"a collection elsewhere": {func(t *testing.T, w *world) wire.Transaction {
			return signed(t, w.wallet, w.collect(t, func(c *collection) { c.Destination = w.thief.public() }))
		}, "must only collect"},
		"a collection of another mint": {func(t *testing.T, w *world) wire.Transaction {
			return signed(t, w.wallet, w.collect(t, func(c *collection) { c.Mint = w.thief.public() }))
		}, "must only collect"},
		"a collection by another authority": {func(t *testing.T, w *world) wire.Transaction {
			return signed(t, w.wallet, w.collect(t, func(c *collection) { c.Authority = w.thief.public() }))
		}, "must only collect"},
		"a collection by the creator": {func(t *testing.T, w *world) wire.Transaction {
			return signed(t, w.creator, w.collect(t, func(c *collection) { c.Signers[0] = w.creator.public() }), w.creator)
		}, "fee payer must be the distribution wallet"},
		"a collection and a transfer": {func(t *testing.T, w *world) wire.Transaction {
			return signed(t, w.wallet, append(w.collect(t, same), token2022.TransferChecked{
				Source: w.own, Mint: w.mint, Destination: w.thief.public(), Owner: w.guardian.public(), Amount: 1,
			}.Instruction()))
		}, "something else"},
		"a collection and lamports of the guardian": {func(t *testing.T, w *world) wire.Transaction {
			return signed(t, w.wallet, append(w.collect(t, same), systemprogram.Transfer{From: w.guardian.public(), To: w.thief.public(), Lamports: 1}.Instruction()))
		}, "program"},
		"a collection and a hand-over by the service": {func(t *testing.T, w *world) wire.Transaction {
			hand := w.handOver(func(s *token2022.SetAuthority) { s.Signers[0] = w.wallet.public() })
			return signed(t, w.wallet, append(w.collect(t, same), hand...), w.wallet)
		}, "fee payer must be the creator"},
		"a collection on a durable nonce": {func(t *testing.T, w *world) wire.Transaction {
			nonce := systemprogram.AdvanceNonceAccount{Nonce: w.thief.public(), Authority: w.wallet.public()}.Instruction()
			return signed(t, w.wallet, append([]solana.Instruction{nonce}, w.collect(t, same)...))
		}, "program"},
		"nothing": {func(t *testing.T, w *world) wire.Transaction {
			budget := []solana.Instruction{computebudget.SetUnitLimit(1), solana.NewInstruction(solana.ComputeBudget,
				solana.AccountMetaSlice{solana.Meta(w.guardian.public()).SIGNER()}, []byte{0})}
			return signed(t, w.wallet, budget)
		}, "does nothing"},
		"a fee that the guardian pays": {func(t *testing.T, w *world) wire.Transaction {
			return signed(t, w.guardian, w.collect(t, same))
		}, "its signers"},
		"a third signer": {func(t *testing.T, w *world) wire.Transaction {
			return signed(t, w.thief, w.collect(t, same))
		}, "its signers"},
		"a hand-over by the service": {func(t *testing.T, w *world) wire.Transaction {
			return signed(t, w.wallet, w.handOver(func(s *token2022.SetAuthority) { s.Signers[0] = w.wallet.public() }), w.wallet)
		}, "fee payer must be the creator"},
		"a hand-over that the creator has not signed": {func(t *testing.T, w *world) wire.Transaction {
			return signed(t, w.creator, w.handOver(plain))
		}, "creator has not signed"},
		"a hand-over with another's signature": {func(t *testing.T, w *world) wire.Transaction {
			tx := signed(t, w.creator, w.handOver(plain), w.creator)
			other := signed(t, w.creator, w.handOver(func(s *token2022.SetAuthority) { s.New = w.wallet.public() }), w.creator)
			raw := slices.Clone(tx.Bytes())
			copy(raw[1:65], other.Bytes()[1:65])
			forged, err := wire.ParseTransaction(raw)
			if err != nil {
				t.Fatal(err)
			}
			return forged
		}, "creator has not signed"},
		"a hand-over to none": {func(t *testing.T, w *world) wire.Transaction {
			return signed(t, w.creator, w.handOver(func(s *token2022.SetAuthority) { s.New = solana.PublicKey{} }), w.creator)
		}, "must only hand"},
		"another authority of the mint": {func(t *testing.T, w *world) wire.Transaction {
			return signed(t, w.creator, w.handOver(func(s *token2022.SetAuthority) { s.Type = token2022.AuthorityTransferFeeConfig }), w.creator)
		}, "must only hand"},
		"another mint's authority": {func(t *testing.T, w *world) wire.Transaction {
			return signed(t, w.creator, w.handOver(func(s *token2022.SetAuthority) { s.Account = w.thief.public() }), w.creator)
		}, "must only hand"},
		"two hand-overs": {func(t *testing.T, w *world) wire.Transaction {
			return signed(t, w.creator, append(w.handOver(plain), w.handOver(plain)...), w.creator)
		}, "must only hand"},
		"a hand-over without a memo": {func(t *testing.T, w *world) wire.Transaction {
			return signed(t, w.creator, w.handOver(plain)[1:], w.creator)
		}, "must only hand"},
		"a hand-over with the memo of another order": {func(t *testing.T, w *world) wire.Transaction {
			other := memo.Note(w.order(1, w.thief.public(), noon.Add(time.Second)).Memo())
			return signed(t, w.creator, []solana.Instruction{other, w.handOver(plain)[1]}, w.creator)
		}, "must only hand"},
		"a hand-over to another address than ordered": {func(t *testing.T, w *world) wire.Transaction {
			return signed(t, w.creator, w.handOver(func(s *token2022.SetAuthority) { s.New = w.wallet.public() }), w.creator)
		}, "must only hand"},
		"a hand-over that was not ordered": {func(t *testing.T, w *world) wire.Transaction {
			tx := signed(t, w.creator, w.handOver(plain), w.creator)
			w.orders.noted = guardian.Noted{}
			return tx
		}, "order the hand-over first"},
		"an order that another party signed": {func(t *testing.T, w *world) wire.Transaction {
			w.orders.noted.Signature[0]++
			return signed(t, w.creator, w.handOver(plain), w.creator)
		}, "did not sign"},
		"a cancelled order": {func(t *testing.T, w *world) wire.Transaction {
			w.orders.noted.CancelledAt = noon
			return signed(t, w.creator, w.handOver(plain), w.creator)
		}, "cancelled"},
		"a second before the delay ends": {func(t *testing.T, w *world) wire.Transaction {
			w.now = noon.Add(-time.Second)
			return signed(t, w.creator, w.handOver(plain), w.creator)
		}, "can be signed from 2026-11-30T12:00:00Z"},
		"an order that has expired": {func(t *testing.T, w *world) wire.Transaction {
			w.now = noon.Add(guardian.OrderLife + time.Second)
			return signed(t, w.creator, w.handOver(plain), w.creator)
		}, "can be signed from"},
		"a token that was handed over": {func(t *testing.T, w *world) wire.Transaction {
			w.chain[w.mint] = mintAccount(w.thief.public())
			return signed(t, w.wallet, w.collect(t, same))
		}, "not an account of members"},
		"a token that is not there": {func(t *testing.T, w *world) wire.Transaction {
			delete(w.chain, w.mint)
			return signed(t, w.wallet, w.collect(t, same))
		}, "there is no mint"},
		"an authority of another program": {func(t *testing.T, w *world) wire.Transaction {
			w.chain[w.authority].Owner = solana.StakeProgramID
			return signed(t, w.wallet, w.collect(t, same))
		}, "not an account of members"},
		"one of three": {func(t *testing.T, w *world) wire.Transaction {
			w.chain[w.authority] = multisigAccount(1, w.wallet.public(), w.guardian.public(), w.creator.public())
			return signed(t, w.wallet, w.collect(t, same))
		}, "not one of three"},
		"a guardian who is not a member": {func(t *testing.T, w *world) wire.Transaction {
			w.chain[w.authority] = multisigAccount(2, w.wallet.public(), w.thief.public(), w.creator.public())
			return signed(t, w.wallet, w.collect(t, same))
		}, "not one of three"},
		"a wallet that is also the creator": {func(t *testing.T, w *world) wire.Transaction {
			w.chain[w.authority] = multisigAccount(2, w.wallet.public(), w.guardian.public(), w.wallet.public())
			return signed(t, w.wallet, w.collect(t, same))
		}, "not one of three"},
		"members that the service made up": {func(t *testing.T, w *world) wire.Transaction {
			// The account is not at the address of the creator whom it names.
			w.chain[w.authority] = multisigAccount(2, w.wallet.public(), w.guardian.public(), w.thief.public())
			return signed(t, w.wallet, w.collect(t, same))
		}, "not made by the creator"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			tx := c.tx(t, w)
			if got, err := w.core().CoSign(t.Context(), guardian.Request{Mint: w.mint, Transaction: tx.Bytes(), FromService: true}); !errors.Is(err, guardian.ErrRefused) || !strings.Contains(err.Error(), c.want) || !got.Signature.IsZero() {
				t.Errorf("got %+v, %v, want a refusal with %q", got, err, c.want)
			}
		})
	}
	w := newWorld(t)
	if _, err := w.core().CoSign(t.Context(), guardian.Request{Mint: w.mint, Transaction: signed(t, w.wallet, w.collect(t, same)).Bytes()}); !errors.Is(err, guardian.ErrUnknownCaller) {
		t.Errorf("a collection for a stranger: %v", err)
	}
	if _, err := newWorld(t).core().CoSign(t.Context(), guardian.Request{Mint: solana.PublicKey{}, Transaction: []byte("no transaction"), FromService: true}); !errors.Is(err, guardian.ErrRefused) {
		t.Errorf("bytes that are no transaction: %v", err)
	}
}

// TestGuardianBelievesNoNodeAlone: a node that does not respond, or lies about the members, stops
// the guardian, and is no refusal.
func TestGuardianBelievesNoNodeAlone(t *testing.T) {
	w := newWorld(t)
	tx := signed(t, w.wallet, w.collect(t, func(*token2022.WithdrawWithheldFromAccounts) {}))
	other := newKey(t)
	lying := node{w.mint: w.chain[w.mint], w.authority: multisigAccount(2, other.public(), w.guardian.public(), w.creator.public())}
	for name, chains := range map[string][]guardian.Chain{"none": nil, "away": {w.chain, away{}}, "lying": {lying, w.chain}, "lying second": {w.chain, lying}} {
		core := guardian.Core{Key: w.guardian, Chains: chains}
		if got, err := core.CoSign(t.Context(), guardian.Request{Mint: w.mint, Transaction: tx.Bytes(), FromService: true}); apperr.KindOf(err) != apperr.Unavailable || errors.Is(err, guardian.ErrRefused) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func FuzzGuardianSignsNoOtherBytes(f *testing.F) {
	f.Add([]byte{1, 2, 3}, uint16(7))
	f.Fuzz(func(t *testing.T, raw []byte, _ uint16) {
		w := newWorld(t)
		if got, err := w.core().CoSign(t.Context(), guardian.Request{Mint: w.mint, Transaction: raw, FromService: true}); err == nil {
			t.Errorf("signed %x: %+v", raw, got)
		}
	})
}
