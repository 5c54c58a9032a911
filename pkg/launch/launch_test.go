package launch_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/launch"
	"tokenlaunch.example/service/pkg/launch/nonce"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/content"
	"tokenlaunch.example/service/pkg/token/terms"
)

// mint reads a mint from the chain.
func (b *bench) mint(t *testing.T, address solana.PublicKey) (token2022.Mint, bool) {
	t.Helper()
	stored, found, err := b.node.Account(t.Context(), address)
	must.Do(t, err)
	if !found {
		return token2022.Mint{}, false
	}
	m, err := token2022.DecodeMint(stored.Owner, stored.Data)
	must.Do(t, err)
	return m, true
}

func (b *bench) status(t *testing.T, id string) transaction.Status {
	t.Helper()
	l, err := b.Store.Launch(t.Context(), id)
	must.Do(t, err)
	return l.Status
}

func wantCode(t *testing.T, err error, code string) {
	t.Helper()
	if apperr.CodeOf(err) != code || err == nil {
		t.Errorf("got %v, want %s", err, code)
	}
}

func TestLaunchOnChainMatchesRequest(t *testing.T) {
	b := newBench(t)
	for _, decimals := range []int{6, 9} {
		for _, tax := range []int{0, 10_000} {
			for _, adjustable := range []bool{false, true} {
				immutable := !adjustable
				t.Run(fmt.Sprintf("decimals %d, tax %d, adjustable %v, immutable %v", decimals, tax, adjustable, immutable), func(t *testing.T) {
					creator := b.creator(t)
					d := b.draft(t, creator)
					d.Name, d.Symbol = strings.Repeat("🌊", 32), strings.Repeat("🐚", 10)
					d.Decimals, d.TransferFeeBps, d.FeeAdjustable, d.Immutable, d.Supply = decimals, tax, adjustable, immutable, 1<<64-1
					created, err := b.Create(t.Context(), creator.PublicKey(), uuid.NewString(), d)
					must.Do(t, err)
					if !created.Simulation.OK {
						t.Fatalf("the simulation is %+v", created.Simulation)
					}
					l, err := b.Submit(t.Context(), creator.PublicKey(), created.ID, sign(t, created, creator))
					must.Do(t, err)
					if l.Status != transaction.Confirmed {
						t.Fatalf("the launch is %s, want confirmed", l.Status)
					}
					b.checkMint(t, d, l)
				})
			}
		}
	}
}

func (b *bench) checkMint(t *testing.T, d token.Draft, l launch.Launch) {
	t.Helper()
	m, found := b.mint(t, l.Mint)
	if !found {
		t.Fatal("the mint does not exist on the chain")
	}
	record, err := b.tokens.Token(t.Context(), l.Mint)
	must.Do(t, err)
	want := record.Authorities()
	fee := m.TransferFee.Newer
	for _, c := range []struct {
		what      string
		got, want any
	}{
		{"supply", m.Supply, d.Supply},
		{"decimals", int(m.Decimals), d.Decimals},
		{"mint authority", m.MintAuthority, want.Mint},
		{"freeze authority", m.FreezeAuthority, want.Freeze},
		{"tax", int(fee.BasisPoints), d.TransferFeeBps},
		{"maximum tax", fee.MaximumFee, uint64(1<<64 - 1)},
		{"tax authority", m.TransferFee.ConfigAuthority, want.TransferFee},
		{"tax collector", m.TransferFee.WithdrawWithheldAuthority, want.WithdrawWithheld},
		{"name", m.Metadata.Name, d.Name},
		{"symbol", m.Metadata.Symbol, d.Symbol},
		{"uri", m.Metadata.URI, content.Gateway + record.MetadataCID},
		{"metadata authority", m.Metadata.UpdateAuthority, want.MetadataUpdate},
	} {
		if c.got != c.want {
			t.Errorf("%s is %v on the chain, want %v", c.what, c.got, c.want)
		}
	}
	funded, err := b.node.Balance(t.Context(), record.Wallet.Address)
	must.Do(t, err)
	if funded != b.FundingLamports {
		t.Errorf("the distribution wallet has %d lamports, want %d", funded, b.FundingLamports)
	}
}

// TestLaunchWithGuardian tests that the tax of a token with a guardian goes to a multisig account
// of three members that the launch itself creates. A launch that does not fit, or that names a
// guardian unknown to the service, is rejected before any record.
func TestLaunchWithGuardian(t *testing.T) {
	b := newBench(t)
	creator, guardian := b.creator(t), solana.NewWallet().PublicKey()
	d := b.draft(t, creator)
	d.Guardian = guardian
	refused := func(what string) {
		t.Helper()
		_, err := b.Create(t.Context(), creator.PublicKey(), uuid.NewString(), d)
		problem, ok := errors.AsType[*apperr.Error](err)
		if !ok || len(problem.Fields) != 1 || problem.Fields[0].Field != "guardian" || !strings.Contains(problem.Fields[0].Message, what) {
			t.Errorf("got %v, want an error of guardian with %q", err, what)
		}
	}
	refused("This service has no guardian")
	b.Guardian = solana.NewWallet().PublicKey()
	refused("Must be " + b.Guardian.String())
	b.Guardian = guardian
	name := d.Name
	d.Name, d.FeeAdjustable, d.Immutable = strings.Repeat("🌊", 32), true, true
	refused("with both 29")
	d.Name, d.Symbol = name, strings.Repeat("S", 10)
	d.Name = strings.Repeat("n", 19) // on a nonce this launch does not fit
	created, err := b.Create(t.Context(), creator.PublicKey(), uuid.NewString(), d)
	must.Do(t, err)
	if !created.Simulation.OK || created.OnNonce() {
		t.Fatalf("on a nonce %t, %+v", created.OnNonce(), created.Simulation)
	}
	before, err := b.node.Balance(t.Context(), creator.PublicKey())
	must.Do(t, err)
	l, err := b.Submit(t.Context(), creator.PublicKey(), created.ID, sign(t, created, creator))
	must.Do(t, err)
	b.checkMint(t, d, l)
	after, err := b.node.Balance(t.Context(), creator.PublicKey())
	must.Do(t, err)
	if got, want := before-after, created.Cost.Total(); got != want {
		t.Errorf("the launch took %d lamports, want the announced %d", got, want)
	}
	record, err := b.tokens.Token(t.Context(), l.Mint)
	must.Do(t, err)
	account, found, err := b.node.Account(t.Context(), record.Collector().Authority)
	must.Do(t, err)
	multisig, err := token2022.DecodeMultisig(account.Owner, account.Data)
	if want := []solana.PublicKey{record.Wallet.Address, guardian, creator.PublicKey()}; !found || err != nil || multisig.Required != 2 || !slices.Equal(multisig.Members, want) {
		t.Errorf("found %t: %+v, %v, want %v", found, multisig, err, want)
	}
}

func TestCostEqualsChain(t *testing.T) {
	b := newBench(t)
	creator := b.creator(t)
	created := b.create(t, creator)
	before, err := b.node.Balance(t.Context(), creator.PublicKey())
	must.Do(t, err)
	_, err = b.Submit(t.Context(), creator.PublicKey(), created.ID, sign(t, created, creator))
	must.Do(t, err)
	after, err := b.node.Balance(t.Context(), creator.PublicKey())
	must.Do(t, err)
	if got, want := before-after, created.Cost.Total(); got != want {
		t.Errorf("the launch took %d lamports, want the announced %d", got, want)
	}
}

func TestExpiredTransactionCannotLand(t *testing.T) {
	b := newBench(t)
	creator := b.creator(t)
	created := b.create(t, creator)
	signed := sign(t, created, creator)

	b.pass(transaction.Lifetime)
	_, err := b.Submit(t.Context(), creator.PublicKey(), created.ID, signed)
	wantCode(t, err, "transaction_expired")

	// The caller goes past the service, with all that they were ever given.
	tx, err := wire.ParseBase64(signed)
	must.Do(t, err)
	if missing := tx.Missing(); len(missing) != 2 {
		t.Fatalf("signatures of %v are missing, want those of the mint and the nonce authority", missing)
	}
	err = b.node.Send(t.Context(), tx.Bytes())
	if _, found := b.mint(t, created.Mint); found {
		t.Errorf("the mint exists after sending the expired transaction past the service (%v)", err)
	}
	if _, err := b.tokens.Token(t.Context(), created.Mint); !errors.Is(err, token.ErrNotFound) {
		t.Errorf("the token's record: %v, want none", err)
	}

	// Its nonce, unspent, serves another launch.
	b.pass(time.Minute)
	other := b.creator(t)
	second := b.create(t, other)
	if second.Nonce != created.Nonce {
		t.Errorf("the next launch uses %v, want the free nonce %v", second.Nonce, created.Nonce)
	}
	_, err = b.Submit(t.Context(), other.PublicKey(), second.ID, sign(t, second, other))
	must.Do(t, err)
}

func TestSubmitIsIdempotent(t *testing.T) {
	b := newBench(t)
	creator := b.creator(t)
	created := b.create(t, creator)
	signed := sign(t, created, creator)
	first, err := b.Submit(t.Context(), creator.PublicKey(), created.ID, signed)
	must.Do(t, err)
	b.pass(time.Hour)
	again, err := b.Submit(t.Context(), creator.PublicKey(), created.ID, signed)
	must.Do(t, err)
	if first.Signature != again.Signature || first.Status != again.Status {
		t.Errorf("first %s %s, again %s %s", first.Status, first.Signature, again.Status, again.Signature)
	}
}

func TestConcurrentSubmitsLandOnce(t *testing.T) {
	b := newBench(t)
	creator := b.creator(t)
	created := b.create(t, creator)
	signed := sign(t, created, creator)
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() {
			l, err := b.Submit(context.Background(), creator.PublicKey(), created.ID, signed)
			if err != nil || l.Status != transaction.Confirmed {
				t.Errorf("%s, %v; want confirmed", l.Status, err)
			}
		})
	}
	all.Wait()
	if _, total, err := b.tokens.List(t.Context(), 1, 10); err != nil || total != 1 {
		t.Errorf("the list has %d tokens, %v; want 1", total, err)
	}
}

func TestSubmitRejectsModifiedTransaction(t *testing.T) {
	b := newBench(t)
	creator, stranger := b.creator(t), b.creator(t)
	older := b.create(t, creator)
	created, other := b.create(t, creator), b.create(t, stranger)
	signed := sign(t, created, creator)
	unsigned, err := wire.ParseTransaction(created.Fresh.Transaction)
	must.Do(t, err)
	for name, c := range map[string]struct {
		caller     solana.PublicKey
		id, signed string
	}{
		"unknown id":            {creator.PublicKey(), uuid.NewString(), signed},
		"another wallet's id":   {stranger.PublicKey(), created.ID, signed},
		"not base64":            {creator.PublicKey(), created.ID, "%%%"},
		"not a transaction":     {creator.PublicKey(), created.ID, "AAAA"},
		"another message":       {creator.PublicKey(), created.ID, sign(t, other, stranger)},
		"their other message":   {creator.PublicKey(), created.ID, sign(t, older, creator)},
		"no signature":          {creator.PublicKey(), created.ID, unsigned.Base64()},
		"a signature that lies": {creator.PublicKey(), created.ID, forge(t, created)},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := b.Submit(t.Context(), c.caller, c.id, c.signed)
			wantCode(t, err, "invalid_transaction")
			if status := b.status(t, created.ID); status != transaction.Pending {
				t.Errorf("the launch is %s, want pending", status)
			}
		})
	}
	_, err = b.Submit(t.Context(), creator.PublicKey(), created.ID, signed)
	must.Do(t, err)
}

// forge puts a wrong signature into the caller's place, which is the first.
func forge(t *testing.T, created launch.Created) string {
	t.Helper()
	raw := append([]byte(nil), created.Fresh.Transaction...)
	raw[5] ^= 1
	tx, err := wire.ParseTransaction(raw)
	must.Do(t, err)
	return tx.Base64()
}

func TestNewerLaunchReplacesPendingOne(t *testing.T) {
	b := newBench(t)
	creator := b.creator(t)
	first, second := b.create(t, creator), b.create(t, creator)
	_, err := b.Submit(t.Context(), creator.PublicKey(), first.ID, sign(t, first, creator))
	wantCode(t, err, "invalid_transaction")
	_, err = b.Submit(t.Context(), creator.PublicKey(), second.ID, sign(t, second, creator))
	must.Do(t, err)
	if status := b.status(t, first.ID); status != transaction.Superseded {
		t.Errorf("the first launch is %s, want superseded", status)
	}
}

func TestOneDistributionWalletServesOneToken(t *testing.T) {
	b := newBench(t)
	one, two := b.creator(t), b.creator(t)
	draft := b.draft(t, one)
	created, err := b.Create(t.Context(), one.PublicKey(), "a", draft)
	must.Do(t, err)
	rival, err := b.Create(t.Context(), two.PublicKey(), "b", draft)
	must.Do(t, err)
	_, err = b.Submit(t.Context(), one.PublicKey(), created.ID, sign(t, created, one))
	must.Do(t, err)
	_, err = b.Submit(t.Context(), two.PublicKey(), rival.ID, sign(t, rival, two))
	wantCode(t, err, "wallet_in_use")
	_, err = b.Create(t.Context(), two.PublicKey(), "b", draft)
	wantCode(t, err, "wallet_in_use")
}

func TestInsufficientBalanceNamesShortfall(t *testing.T) {
	b := newBench(t)
	poor := solana.NewWallet().PrivateKey
	created := b.create(t, poor)
	if s := created.Simulation; s.OK || s.Reason != transaction.InsufficientFunds || s.MissingLamports == 0 {
		t.Fatalf("the simulation is %+v, want the missing amount", s)
	}
	signed := sign(t, created, poor)
	_, err := b.Submit(t.Context(), poor.PublicKey(), created.ID, signed)
	wantCode(t, err, "transaction_failed")
	b.ledger.Fund(t, poor.PublicKey().String(), created.Simulation.MissingLamports)
	l, err := b.Submit(t.Context(), poor.PublicKey(), created.ID, signed)
	must.Do(t, err)
	if l.Status != transaction.Confirmed {
		t.Errorf("after sending the missing lamports the launch is %s, want confirmed", l.Status)
	}
}

func TestCreateRejectsMissingReferences(t *testing.T) {
	b := newBench(t)
	b.ledger.CreateMints(t)
	creator := b.creator(t)
	for name, c := range map[string]struct {
		change func(*token.Draft)
		code   string
	}{
		"image":       {func(d *token.Draft) { d.ImageURI = strings.Replace(d.ImageURI, "igh2", "igh3", 1) }, "unknown_image"},
		"wallet":      {func(d *token.Draft) { d.WalletID = uuid.NewString() }, "unknown_wallet"},
		"reward mint": {func(d *token.Draft) { d.Settings.RewardToken = solana.NewWallet().PublicKey().String() }, "unsupported_reward_token"},
		"paid to itself": {func(d *token.Draft) {
			issued, err := b.fixture.Wallets.Get(t.Context(), d.WalletID)
			must.Do(t, err)
			d.Settings.DeveloperWallet = issued.Address
		}, "validation_failed"},
		"reward, no mint": {func(d *token.Draft) { d.Settings.RewardToken = creator.PublicKey().String() }, "unsupported_reward_token"},
	} {
		t.Run(name, func(t *testing.T) {
			d := b.draft(t, creator)
			c.change(&d)
			_, err := b.Create(t.Context(), creator.PublicKey(), "a", d)
			wantCode(t, err, c.code)
			if _, err := b.Store.Current(t.Context(), creator.PublicKey(), true); !errors.Is(err, launch.ErrNotFound) {
				t.Errorf("a launch was stored (%v)", err)
			}
			if saved := b.Files.(*files).saved; saved != 0 {
				t.Errorf("%d metadata files were stored, want none", saved)
			}
			if size, err := b.nonces.Size(t.Context()); err != nil || size != 0 {
				t.Errorf("%d nonces were leased, %v; want none", size, err)
			}
		})
	}
}

func TestRewardTokens(t *testing.T) {
	b := newBench(t)
	b.ledger.CreateMints(t)
	creator := b.creator(t)
	for reward, want := range map[string]string{
		"SOL":                      terms.RewardSOL,
		solana.WrappedSol.String(): terms.RewardSOL,
		"EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v": "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
		"Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB": "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB",
	} {
		d := b.draft(t, creator)
		d.Settings.RewardToken = reward
		created, err := b.Create(t.Context(), creator.PublicKey(), "a", d)
		must.Do(t, err)
		if got := created.Token.Settings.RewardToken; got != want {
			t.Errorf("reward %s is recorded as %s, want %s", reward, got, want)
		}
	}
}

// free counts the nonces that are ready.
func (b *bench) free(t *testing.T) int {
	t.Helper()
	free, err := b.Nonces.(nonce.Pool).Ready(t.Context(), b.fixture.Clock.Now())
	must.Do(t, err)
	return free
}

// TestExhaustedPoolFallsBackToBlockhash tests docs/attacks.md, "Launching": 200 empty wallets from
// 10 addresses lease all nonces for ten minutes, and another creator still launches.
func TestExhaustedPoolFallsBackToBlockhash(t *testing.T) {
	const addresses, wallets = 10, 200
	b := newBench(t)
	b.LeasesPerIP = wallets / addresses
	pool := b.Nonces.(nonce.Pool)
	pool.Max = wallets
	b.Nonces = pool
	for round := range 2 {
		if round > 0 {
			b.pass(transaction.Lifetime + time.Minute)
		}
		for i := range wallets {
			empty := solana.NewWallet().PrivateKey
			created, err := b.Create(t.Context(), empty.PublicKey(), fmt.Sprintf("203.0.113.%d", i%addresses), b.draft(t, empty))
			must.Do(t, err)
			if !created.OnNonce() {
				t.Fatalf("launch %d has no nonce", i)
			}
		}
	}
	creator := b.creator(t)
	draft := b.draft(t, creator)
	_, err := b.Create(t.Context(), creator.PublicKey(), "203.0.113.0", draft)
	wantCode(t, err, "launch_limit_exceeded")
	created, err := b.Create(t.Context(), creator.PublicKey(), "198.51.100.1", draft)
	must.Do(t, err)
	if created.OnNonce() {
		t.Errorf("it uses the nonce %s of another", created.Nonce.Account)
	}
	b.submit(t, created, sign(t, created, creator))
	b.pass(transaction.Lifetime + time.Minute)
	if next := b.create(t, b.creator(t)); !next.OnNonce() {
		t.Error("a pool that is free again is not used")
	}
}

// No failure leaves a nonce leased, and a wallet has at most one.
func TestFailedCreationReleasesNonce(t *testing.T) {
	b := newBench(t)
	creator := b.creator(t)
	b.create(t, creator) // so there is an account
	away := errors.New("the node is away")
	for name, breaks := range map[string]func(*launch.Service){
		"the node at the lease": func(s *launch.Service) {
			pool := s.Nonces.(nonce.Pool)
			pool.Chain, pool.Memory = noNonces{b.node, away}, &nonce.Memory{}
			s.Nonces = pool
		},
		"the simulation": func(s *launch.Service) {
			s.Preparer.Chain = simulating{b.node, func(context.Context, []byte) (transaction.Simulation, error) {
				return transaction.Simulation{}, away
			}}
		},
		"the store": func(s *launch.Service) { s.Store = noIssue{s.Store, away} },
	} {
		t.Run(name, func(t *testing.T) {
			broken := b.Service
			breaks(&broken)
			broken.LeasesPerIP = 100
			for range 5 {
				_, _ = broken.Create(t.Context(), creator.PublicKey(), "203.0.113.7", b.draft(t, creator))
			}
			size, err := b.nonces.Size(t.Context())
			must.Do(t, err)
			if leased := size - b.free(t); leased > 1 {
				t.Errorf("%d nonces of %d are leased by one wallet", leased, size)
			}
		})
	}
	created := b.create(t, creator)
	b.submit(t, created, sign(t, created, creator))
}

// noNonces is a node that shows no nonces.
type noNonces struct {
	nonce.Chain
	err error
}

func (n noNonces) Nonce(context.Context, solana.PublicKey) (systemprogram.Nonce, bool, error) {
	return systemprogram.Nonce{}, false, n.err
}

// simulating is the real chain with simulations of the test's own.
type simulating struct {
	*solanarpc.Client
	simulate func(ctx context.Context, tx []byte) (transaction.Simulation, error)
}

func (s simulating) Simulate(ctx context.Context, tx []byte) (transaction.Simulation, error) {
	return s.simulate(ctx, tx)
}

// noIssue is a store that takes no launch.
type noIssue struct {
	launch.Store
	err error
}

func (n noIssue) Issue(context.Context, launch.Launch, *launch.Launch, time.Time) error { return n.err }

func TestLaunchesPerAddressAreLimited(t *testing.T) {
	b := newBench(t)
	b.LeasesPerIP = 2
	for range 2 {
		b.create(t, b.creator(t))
	}
	creator := b.creator(t)
	draft := b.draft(t, creator)
	_, err := b.Create(t.Context(), creator.PublicKey(), "203.0.113.7", draft)
	wantCode(t, err, "launch_limit_exceeded")
	if _, err = b.Create(t.Context(), creator.PublicKey(), "203.0.113.8", draft); err != nil {
		t.Errorf("from another address: %v", err)
	}
}

func TestFillFundedNonceAddress(t *testing.T) {
	b := newBench(t)
	authority, err := b.Signer.PublicKey(t.Context())
	must.Do(t, err)
	address, err := systemprogram.AddressWithSeed(authority, "nonce/v1/0", solana.SystemProgramID)
	must.Do(t, err)
	for _, lamports := range []uint64{890_880, solana.LAMPORTS_PER_SOL} {
		b.ledger.Fund(t, address.String(), lamports)
	}
	if created := b.create(t, b.creator(t)); created.Nonce.Account != address {
		t.Errorf("the launch uses %s, want %s", created.Nonce.Account, address)
	}
}
