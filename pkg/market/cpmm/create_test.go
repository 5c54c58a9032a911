package cpmm_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/market/cpmm"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/raydium"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

// scripted is a chain of a few accounts, on which the rent of a byte is a lamport. It
// fails at the call whose number is fails, counted from 1.
type scripted struct {
	accounts map[solana.PublicKey]onchain.Account
	calls    int
	fails    int
}

var errAway = errors.New("the node is away")

func (s *scripted) call() error {
	if s.calls++; s.calls == s.fails {
		return errAway
	}
	return nil
}

func (s *scripted) Account(_ context.Context, address solana.PublicKey) (onchain.Account, bool, error) {
	a, found := s.accounts[address]
	return a, found, s.call()
}

func (s *scripted) MinimumBalance(_ context.Context, bytes uint64) (uint64, error) {
	return bytes, s.call()
}

func (s *scripted) Epoch(context.Context) (uint64, error) { return 5, s.call() }

// drafts keeps the drafts that it is given.
type drafts struct {
	draft transaction.Draft
	err   error
}

func (d *drafts) Prepare(_ context.Context, _ string, draft transaction.Draft) (transaction.Unsigned, error) {
	d.draft = draft
	for i, key := range draft.Signers { // they are wiped afterwards
		d.draft.Signers[i] = bytes.Clone(key)
	}
	return transaction.Unsigned{ID: "id", Kind: draft.Kind, Caller: draft.Caller, Mint: draft.Mint, CreatedAt: noon, Cost: draft.Cost}, d.err
}

// bench is the service over scripted parts.
type bench struct {
	chain   *scripted
	drafts  *drafts
	store   *memory
	service cpmm.Service
	mint    solana.PublicKey
	caller  solana.PublicKey
}

func newBench() *bench {
	b := &bench{
		chain: &scripted{accounts: map[solana.PublicKey]onchain.Account{}}, drafts: &drafts{}, store: &memory{},
		mint: solana.NewWallet().PublicKey(), caller: solana.NewWallet().PublicKey(),
	}
	b.service = cpmm.Service{Chain: b.chain, Preparer: b.drafts, Store: b.store, Network: raydium.Devnet, Random: rand.Reader}
	b.chain.accounts[b.mint] = onchain.Account{Owner: solana.Token2022ProgramID, Data: mintData()}
	return b
}

// mintData is a mint with 6 decimals whose tax is 1% up to epoch 4, and 5% from
// then on.
func mintData() []byte {
	data := make([]byte, 166)
	data[44], data[45], data[165] = decimals, 1, 1
	fee := make([]byte, 108)
	binary.LittleEndian.PutUint64(fee[80:], math.MaxUint64)
	binary.LittleEndian.PutUint16(fee[88:], 100)
	binary.LittleEndian.PutUint64(fee[90:], 5)
	binary.LittleEndian.PutUint64(fee[98:], math.MaxUint64)
	binary.LittleEndian.PutUint16(fee[106:], 500)
	return slices.Concat(data, []byte{1, 0, 108, 0}, fee)
}

// account is a token account that holds an amount.
func (b *bench) account(mint solana.PublicKey, amount uint64) []byte {
	data := append(append([]byte{}, mint[:]...), b.caller[:]...)
	data = binary.LittleEndian.AppendUint64(data, amount)
	data = append(data, make([]byte, 165-len(data))...)
	data[108] = 1
	return data
}

func (b *bench) create(t *testing.T, tokens, lamports uint64) (cpmm.Created, error) {
	t.Helper()
	return b.service.Create(t.Context(), b.caller, b.mint, tokens, lamports)
}

func must[T any](t *testing.T) func(T, error) T {
	t.Helper()
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// The draft of a pool on a network without the program: its cost is computed from constants.
func TestDraftWithoutProgram(t *testing.T) {
	b := newBench()
	created := must[cpmm.Created](t)(b.create(t, 1_000*base, 2*sol))
	d := b.drafts.draft
	rent := uint64(637 + 4075 + 82 + 165 + 178 + 165)
	if want := (transaction.Cost{Rent: rent, Protocol: 150_000_000, Deposit: 2 * sol}); d.Cost != want {
		t.Errorf("cost %+v, want %+v", d.Cost, want)
	}
	if d.Kind != transaction.KindPool || d.Caller != b.caller || d.Mint != b.mint || d.Holds != 0 || d.Moves != 1_000*base || d.Returned != 165 {
		t.Errorf("draft = %+v, want a pool of 1000 tokens with the rent of one account returned", d)
	}
	if !slices.Equal(d.Programs, []solana.PublicKey{raydium.Devnet.Program}) {
		t.Errorf("programs %v", d.Programs)
	}
	if created.TokenAmountAfterTax != 950*base || created.InitialPrice != "0.00210526315789" {
		t.Errorf("%d arrive, at %s", created.TokenAmountAfterTax, created.InitialPrice)
	}
	if len(d.Steps) != 5 || !strings.Contains(d.Steps[3].Explanation, "1,000 of the token") || !strings.Contains(d.Steps[3].Explanation, "withholds 50 on the way") || !strings.Contains(d.Steps[3].Explanation, created.Pool.Address.String()) {
		t.Errorf("steps %+v", d.Steps)
	}
	if len(b.store.issues) != 1 {
		t.Fatalf("%d records", len(b.store.issues))
	}
	i := b.store.issues[0]
	if i.Subject != created.Pool.Address || i.DueAt.Sub(i.Issued.CreatedAt).Seconds() != 20 || i.Pool != created.Pool || i.Fate != transaction.Open {
		t.Errorf("recorded %+v", i)
	}
}

// The fee is read from the program's configuration, and an existing account of wrapped SOL is used
// and stays open.
func TestDraftFromChain(t *testing.T) {
	b := newBench()
	config, err := hex.DecodeString("daf42168cbcb2b6fff000000c409000000000000c0d4010000000000409c00000000000007")
	if err != nil {
		t.Fatal(err)
	}
	b.chain.accounts[raydium.Devnet.Config] = onchain.Account{Owner: raydium.Devnet.Program, Data: append(config, make([]byte, raydium.ConfigSize-len(config))...)}
	wrapped := must[solana.PublicKey](t)(market.WrappedAddress(b.caller))
	b.chain.accounts[wrapped] = onchain.Account{Owner: solana.TokenProgramID, Data: b.account(solana.WrappedSol, 9)}
	held := must[solana.PublicKey](t)(token2022.AssociatedAddress(b.caller, b.mint, solana.Token2022ProgramID))
	b.chain.accounts[held] = onchain.Account{Owner: solana.Token2022ProgramID, Data: b.account(b.mint, 77)}
	must[cpmm.Created](t)(b.create(t, 1_000*base, 2*sol))
	d := b.drafts.draft
	if d.Cost.Protocol != 7 || d.Returned != 0 || d.Holds != 77 || len(d.Steps) != 3 {
		t.Errorf("draft = %+v, want the configured fee and the present account of wrapped SOL", d)
	}
}

func TestCreatePoolRejections(t *testing.T) {
	for name, c := range map[string]struct {
		change           func(*bench)
		tokens, lamports uint64
		code             string
	}{
		"fine":                  {func(*bench) {}, 1_000, 1_000, ""},
		"no token":              {func(b *bench) { delete(b.chain.accounts, b.mint) }, 1_000, 1_000, "token_not_found"},
		"too few shares":        {func(*bench) {}, 100, 100, "validation_failed"},
		"as many as are locked": {func(*bench) {}, 105, 100, "validation_failed"},
		"just enough":           {func(*bench) {}, 106, 100, ""},
		"all is tax":            {func(b *bench) { binary.LittleEndian.PutUint16(b.chain.accounts[b.mint].Data[276:], 10_000) }, math.MaxUint64, 1, "validation_failed"},
		"a configuration of another program": {func(b *bench) {
			b.chain.accounts[raydium.Devnet.Config] = onchain.Account{Owner: solana.SystemProgramID, Data: nil}
		}, 1_000, 1_000, "internal"},
		"no randomness":         {func(b *bench) { b.service.Random = bytes.NewReader(make([]byte, 8)) }, 1_000, 1_000, "internal"},
		"it cannot be prepared": {func(b *bench) { b.drafts.err = apperr.Upstream("The network", nil) }, 1_000, 1_000, "upstream_unavailable"},
		"it cannot be recorded": {func(b *bench) { b.store.err = apperr.Upstream("The store", nil) }, 1_000, 1_000, "upstream_unavailable"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench()
			c.change(b)
			created, err := b.create(t, c.tokens, c.lamports)
			if code := apperr.CodeOf(err); (err == nil) != (c.code == "") || err != nil && code != c.code {
				t.Errorf("%+v, %v; want %q", created, err, c.code)
			}
			if recorded := len(b.store.issues) > 0; recorded != (err == nil) && b.store.err == nil {
				t.Errorf("recorded: %v", recorded)
			}
		})
	}
}

// A third party's pool at the address that the program derives blocks no creation: each creation
// has an account of its own, whose key has signed.
func TestPlantedPoolBlocksNoCreation(t *testing.T) {
	b := newBench()
	derived := must[raydium.Addresses](t)(b.service.Network.Addresses(b.mint))
	b.chain.accounts[derived.Pool] = onchain.Account{Owner: b.service.Network.Program, Data: make([]byte, raydium.PoolSize)}
	seen := map[solana.PublicKey]bool{derived.Pool: true}
	for range 3 {
		created := must[cpmm.Created](t)(b.create(t, 1_000*base, 2*sol))
		pool, signers := created.Pool.Address, b.drafts.draft.Signers
		if seen[pool] || len(signers) != 1 || solana.PublicKeyFromBytes(signers[0].Public().(ed25519.PublicKey)) != pool {
			t.Fatalf("the pool is %s, signed for by %d keys", pool, len(signers))
		}
		seen[pool] = true
		for _, step := range b.drafts.draft.Steps {
			for _, a := range step.Instruction.Accounts() {
				if a.PublicKey == derived.Pool || a.PublicKey == pool && !a.IsSigner {
					t.Errorf("%s signs: %v", a.PublicKey, a.IsSigner)
				}
			}
		}
		at := must[raydium.Addresses](t)(b.service.Network.AddressesAt(b.mint, pool))
		if created.Pool.TokenVault != at.TokenVault || created.Pool.LPMint != at.LPMint || at.TokenVault == derived.TokenVault {
			t.Errorf("%+v, want %+v", created.Pool, at)
		}
	}
}

// Whichever of the node's responses is missing, nothing is recorded.
func TestNodeDownRecordsNothing(t *testing.T) {
	whole := newBench()
	must[cpmm.Created](t)(whole.create(t, 1_000, 1_000))
	for n := 1; n <= whole.chain.calls; n++ {
		b := newBench()
		b.chain.fails = n
		if _, err := b.create(t, 1_000, 1_000); !errors.Is(err, errAway) || len(b.store.issues) > 0 {
			t.Errorf("call %d of %d: %v, %d records", n, whole.chain.calls, err, len(b.store.issues))
		}
	}
}
