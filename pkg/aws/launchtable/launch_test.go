package launchtable_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/aws/ledgertable"
	"tokenlaunch.example/service/pkg/launch"
	"tokenlaunch.example/service/pkg/launch/nonce"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
	"tokenlaunch.example/service/pkg/token/wallet"
)

// books are the stores of a launch over one fresh table.
type books struct {
	launches launchtable.Launches
	nonces   launchtable.Nonces
	wallets  launchtable.Wallets
	tokens   launchtable.Tokens
	settings launchtable.Settings
	runs     ledgertable.Runs
	now      time.Time
	accounts []solana.PublicKey // of nonces
}

func openBooks(t *testing.T) *books {
	t.Helper()
	aws := localnet.AWS(t)
	table := aws.CreateTable(t, schema.Launch)
	client := dynamodb.NewFromConfig(aws.Config(t.Context()))
	b := &books{now: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)}
	b.launches = launchtable.Launches{Client: client, Table: table}
	b.nonces = launchtable.Nonces{Client: client, Table: table}
	b.wallets = launchtable.Wallets{Client: client, Table: table, Now: func() time.Time { return b.now }}
	b.tokens = launchtable.Tokens{Client: client, Table: table}
	ledger := aws.CreateTable(t, schema.Ledger)
	b.settings = launchtable.Settings{
		Versions: launchtable.Versions{Tokens: b.tokens, Settings: aws.CreateTable(t, schema.Settings)}, Ledger: ledger,
	}
	b.runs = ledgertable.Runs{Client: client, Table: ledger, Now: func() time.Time { return b.now }, Settings: b.settings.SettingsUnchanged}
	return b
}

// lease makes a pending launch of caller whose nonce is leased and whose wallet
// is issued, ready to be issued itself.
func (b *books) lease(t *testing.T, caller solana.PublicKey) launch.Launch {
	t.Helper()
	w := wallet.Wallet{ID: uuid.NewString(), Address: key(), CreatedAt: b.now, ValidUntil: b.now.Add(wallet.Lifetime)}
	must.Do(t, b.wallets.Put(t.Context(), w))
	mint, id := key(), uuid.NewString()
	settings := terms.Default(caller)
	settings.TelegramGroupID = "-100"
	l := launch.Launch{
		Prepared: transaction.Prepared{
			ID: id, Caller: caller, Mint: mint,
			Messages:  []transaction.Message{{Digest: sha256.Sum256([]byte(id))}},
			Nonce:     transaction.Nonce{Account: key(), Value: solana.Hash(key())},
			CreatedAt: b.now, ExpiresAt: b.now.Add(transaction.Lifetime), Status: transaction.Pending,
		},
		Token: token.Record{
			ID: uuid.NewString(), Mint: mint, Creator: caller, Name: "Näme 🌊", Symbol: "SYM", Description: "d",
			ImageCID: "image", MetadataCID: "metadata", Links: token.Links{Twitter: "https://x.com/a", Telegram: "https://t.me/a", Website: "https://a.example"},
			Status: token.Submitted, Decimals: 9, Supply: 1<<64 - 1, TransferFeeBps: 10_000, FeeAdjustable: true, Immutable: true,
			Wallet: token.Wallet{ID: w.ID, Address: w.Address, Root: 1}, Guardian: key(), Settings: settings, SettingsVersion: terms.LaunchVersion, CreatedAt: b.now,
		},
	}
	size, err := b.nonces.Size(t.Context())
	must.Do(t, err)
	must.Do(t, b.nonces.Add(t.Context(), nonce.Account{Address: l.Nonce.Account, Index: size}, id, b.now.Add(5*time.Minute)))
	b.accounts = append(b.accounts, l.Nonce.Account)
	return l
}

// issue leases and issues a launch of caller that supersedes their newest one.
func (b *books) issue(t *testing.T, caller solana.PublicKey) launch.Launch {
	t.Helper()
	l := b.lease(t, caller)
	must.Do(t, b.launches.Issue(t.Context(), l, b.current(t, caller), b.now))
	return l
}

func (b *books) current(t *testing.T, caller solana.PublicKey) *launch.Launch {
	t.Helper()
	l, err := b.launches.Current(t.Context(), caller, true)
	if errors.Is(err, launch.ErrNotFound) {
		return nil
	}
	must.Do(t, err)
	return &l
}

func signedOff(l launch.Launch) launch.Launch {
	l.Status = transaction.Submitted
	l.Messages = slices.Clone(l.Messages)
	l.Messages[0].Signed = []byte{9, 9}
	l.Messages[0].Signature = solana.Signature{1, byte(l.ID[0]), byte(l.ID[1])}
	l.Signature = l.Messages[0].Signature
	l.Token.Signature = l.Signature
	return l
}

func settled(l launch.Launch, status transaction.Status, reason string) launch.Launch {
	l.Status, l.Reason = status, reason
	return l
}

// launch brings a new launch of caller to its confirmed end.
func (b *books) launch(t *testing.T, caller solana.PublicKey) launch.Launch {
	t.Helper()
	l := signedOff(b.issue(t, caller))
	must.Do(t, b.launches.Submit(t.Context(), l, b.now))
	must.Do(t, b.launches.Settle(t.Context(), settled(l, transaction.Confirmed, ""), b.now))
	return l
}

func (b *books) freeNonces(t *testing.T) []solana.PublicKey {
	t.Helper()
	accounts, err := b.nonces.Accounts(t.Context(), b.accounts, true)
	must.Do(t, err)
	var free []solana.PublicKey
	for _, a := range accounts {
		if a.Free(b.now) {
			free = append(free, a.Address)
		}
	}
	return free
}

func key() solana.PublicKey { return solana.NewWallet().PublicKey() }

func TestIssuedLaunchReadsBack(t *testing.T) {
	b := openBooks(t)
	want := b.issue(t, key())
	got, err := b.launches.Launch(t.Context(), want.ID)
	must.Do(t, err)
	if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
		t.Errorf("read back\n%+v, want\n%+v", got, want)
	}
	if _, err := b.launches.Launch(t.Context(), uuid.NewString()); !errors.Is(err, launch.ErrNotFound) {
		t.Errorf("an unknown id: %v, want ErrNotFound", err)
	}
}

func TestNewLaunchSupersedesPending(t *testing.T) {
	b := openBooks(t)
	caller := key()
	first := b.issue(t, caller)
	b.issue(t, caller)
	got, err := b.launches.Launch(t.Context(), first.ID)
	must.Do(t, err)
	if got.Status != transaction.Superseded {
		t.Errorf("the first launch is %s, want superseded", got.Status)
	}
	if free := b.freeNonces(t); !slices.Contains(free, first.Nonce.Account) {
		t.Error("the nonce of the superseded launch is not free")
	}
	if err := b.launches.Submit(t.Context(), signedOff(first), b.now); !errors.Is(err, launch.ErrConflict) {
		t.Errorf("submitting the superseded launch: %v, want ErrConflict", err)
	}
}

func TestOneOfManyLaunchesIssuedAtOnceBecomesTheCallersNewest(t *testing.T) {
	b := openBooks(t)
	caller := key()
	previous := b.issue(t, caller)
	const rivals = 8
	launches := make([]launch.Launch, rivals)
	for i := range launches {
		launches[i] = b.lease(t, caller)
	}
	var won atomic.Int32
	var all sync.WaitGroup
	for _, l := range launches {
		all.Go(func() {
			switch err := b.launches.Issue(context.Background(), l, &previous, b.now); {
			case err == nil:
				won.Add(1)
			case !errors.Is(err, launch.ErrConflict):
				t.Error(err)
			}
		})
	}
	all.Wait()
	if won.Load() != 1 {
		t.Errorf("%d launches were issued on top of the same one, want 1", won.Load())
	}
}

func TestSubmitIsRefusedAfterTheExpiry(t *testing.T) {
	b := openBooks(t)
	l := signedOff(b.issue(t, key()))
	for _, late := range []time.Duration{0, time.Hour} {
		if err := b.launches.Submit(t.Context(), l, l.ExpiresAt.Add(late)); !errors.Is(err, launch.ErrConflict) {
			t.Errorf("submitted %v after the expiry: %v, want ErrConflict", late, err)
		}
	}
	if err := b.launches.Submit(t.Context(), l, l.ExpiresAt.Add(-time.Millisecond)); err != nil {
		t.Errorf("submitted a millisecond before the expiry: %v", err)
	}
}

func TestSubmitIsRefusedWhenTheNonceWasLeasedAgain(t *testing.T) {
	b := openBooks(t)
	l := signedOff(b.issue(t, key()))
	later := b.now.Add(5 * time.Minute)
	_, err := b.nonces.Take(t.Context(), l.Nonce.Account, "another", later, later.Add(time.Minute))
	must.Do(t, err)
	if err := b.launches.Submit(t.Context(), l, b.now); !errors.Is(err, launch.ErrConflict) {
		t.Errorf("got %v, want ErrConflict", err)
	}
	if _, err := b.tokens.Token(t.Context(), l.Mint); !errors.Is(err, token.ErrNotFound) {
		t.Errorf("the token's record: %v, want none: no half-written record", err)
	}
}

func TestOneOfManySubmitsRecords(t *testing.T) {
	b := openBooks(t)
	l := signedOff(b.issue(t, key()))
	var won atomic.Int32
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			switch err := b.launches.Submit(context.Background(), l, b.now); {
			case err == nil:
				won.Add(1)
			case !errors.Is(err, launch.ErrConflict):
				t.Error(err)
			}
		})
	}
	all.Wait()
	if won.Load() != 1 {
		t.Errorf("%d submits were recorded, want 1", won.Load())
	}
}

func TestSubmittedLaunchKeepsNonceAndWallet(t *testing.T) {
	b := openBooks(t)
	l := signedOff(b.issue(t, key()))
	rival := b.lease(t, key())
	rival.Token.Wallet = l.Token.Wallet
	must.Do(t, b.launches.Issue(t.Context(), rival, nil, b.now))
	must.Do(t, b.launches.Submit(t.Context(), l, b.now))

	b.now = b.now.Add(24 * time.Hour)
	if slices.Contains(b.freeNonces(t), l.Nonce.Account) {
		t.Error("the nonce of a submitted launch is free a day later")
	}
	if _, err := b.nonces.Take(t.Context(), l.Nonce.Account, "another", b.now, b.now.Add(time.Minute)); !errors.Is(err, nonce.ErrTaken) {
		t.Errorf("leasing the nonce of a submitted launch: %v, want ErrTaken", err)
	}
	must.Do(t, b.nonces.Release(t.Context(), l.Nonce.Account, l.ID))
	if slices.Contains(b.freeNonces(t), l.Nonce.Account) {
		t.Error("the nonce of a submitted launch could be released")
	}
	bound, err := b.wallets.Get(t.Context(), l.Token.Wallet.ID)
	must.Do(t, err)
	if bound.BoundMint != l.Mint {
		t.Errorf("the wallet is bound to %s, want %s", bound.BoundMint, l.Mint)
	}
	b.now = b.now.Add(-24 * time.Hour)
	if err := b.launches.Submit(t.Context(), signedOff(rival), b.now); !errors.Is(err, launch.ErrWalletInUse) {
		t.Errorf("another launch with the same wallet: %v, want ErrWalletInUse", err)
	}
}

func TestSettledOnceAndListed(t *testing.T) {
	b := openBooks(t)
	l := signedOff(b.issue(t, key()))
	must.Do(t, b.launches.Submit(t.Context(), l, b.now))
	for range 2 {
		must.Do(t, b.launches.Settle(t.Context(), settled(l, transaction.Confirmed, ""), b.now))
	}
	must.Do(t, b.launches.Settle(t.Context(), settled(l, transaction.Failed, "too late"), b.now))
	record, err := b.tokens.Token(t.Context(), l.Mint)
	must.Do(t, err)
	if record.Status != token.Confirmed || !record.Visible || record.Signature != l.Signature {
		t.Errorf("record %+v, want confirmed, visible and with its signature", record)
	}
	for name, list := range map[string]func() ([]token.Record, int64, error){
		"the public": func() ([]token.Record, int64, error) { return b.tokens.List(t.Context(), 1, 10) },
		"creator's":  func() ([]token.Record, int64, error) { return b.tokens.ListOf(t.Context(), l.Caller, 1, 10) },
	} {
		records, total, err := list()
		must.Do(t, err)
		if total != 1 || len(records) != 1 || records[0].Mint != l.Mint {
			t.Errorf("%s list: %d of %d, want the one token", name, len(records), total)
		}
	}
	free, err := b.nonces.Take(t.Context(), l.Nonce.Account, "next", b.now, b.now)
	must.Do(t, err)
	if free.LastValue != l.Nonce.Value {
		t.Errorf("the free nonce is %+v, want its used value remembered", free)
	}
}

func TestFailedLaunchFreesWallet(t *testing.T) {
	b := openBooks(t)
	l := signedOff(b.issue(t, key()))
	must.Do(t, b.launches.Submit(t.Context(), l, b.now))
	must.Do(t, b.launches.Settle(t.Context(), settled(l, transaction.Failed, "no"), b.now))
	w, err := b.wallets.Get(t.Context(), l.Token.Wallet.ID)
	must.Do(t, err)
	if w.Bound() {
		t.Error("the wallet of a failed launch is still bound")
	}
	record, err := b.tokens.Token(t.Context(), l.Mint)
	must.Do(t, err)
	if record.Status != token.Failed || record.Visible {
		t.Errorf("record is %s, visible %v; want failed and hidden", record.Status, record.Visible)
	}
	if _, total, err := b.tokens.List(t.Context(), 1, 10); err != nil || total != 0 {
		t.Errorf("list has %d tokens, %v; want none", total, err)
	}
	stored, err := b.launches.Launch(t.Context(), l.ID)
	must.Do(t, err)
	if stored.Reason != "no" {
		t.Errorf("reason %q, want the one given", stored.Reason)
	}
}

func TestLaunchesSettledAtOnceAreAllListed(t *testing.T) {
	b := openBooks(t)
	caller := key()
	const many = 6
	launches := make([]launch.Launch, many)
	for i := range launches {
		launches[i] = signedOff(b.issue(t, caller))
		must.Do(t, b.launches.Submit(t.Context(), launches[i], b.now))
	}
	var all sync.WaitGroup
	for _, l := range launches {
		all.Go(func() {
			if err := b.launches.Settle(context.Background(), settled(l, transaction.Confirmed, ""), b.now); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	records, total, err := b.tokens.List(t.Context(), 1, 100)
	must.Do(t, err)
	if total != many || len(records) != many {
		t.Errorf("list has %d of %d tokens, want %d", len(records), total, many)
	}
}

func TestPagesOfTheList(t *testing.T) {
	b := openBooks(t)
	caller := key()
	var newestFirst []solana.PublicKey
	for range 5 {
		newestFirst = append([]solana.PublicKey{b.launch(t, caller).Mint}, newestFirst...)
	}
	for _, c := range []struct {
		page, limit int64
		want        []solana.PublicKey
	}{
		{1, 2, newestFirst[:2]},
		{2, 2, newestFirst[2:4]},
		{3, 2, newestFirst[4:]},
		{4, 2, nil},
		{1, 5, newestFirst},
		{2, 5, nil},
		{1, 100, newestFirst},
		{1<<53 - 1, 100, nil},
	} {
		t.Run(fmt.Sprintf("page %d of %d each", c.page, c.limit), func(t *testing.T) {
			records, total, err := b.tokens.List(t.Context(), c.page, c.limit)
			must.Do(t, err)
			var got []solana.PublicKey
			for _, r := range records {
				got = append(got, r.Mint)
			}
			if total != 5 || !slices.Equal(got, c.want) {
				t.Errorf("got %v of %d, want %v of 5", got, total, c.want)
			}
		})
	}
}

func TestNonceLeasedToOneLaunch(t *testing.T) {
	b := openBooks(t)
	account := nonce.Account{Address: key()}
	must.Do(t, b.nonces.Add(t.Context(), account, "first", b.now.Add(time.Minute)))
	if err := b.nonces.Add(t.Context(), nonce.Account{Address: key()}, "x", b.now); !errors.Is(err, nonce.ErrTaken) {
		t.Errorf("a second account with the same number: %v, want ErrTaken", err)
	}
	take := func(id string, at time.Duration) error {
		_, err := b.nonces.Take(t.Context(), account.Address, id, b.now.Add(at), b.now.Add(at+time.Minute))
		return err
	}
	if err := take("second", time.Minute-time.Millisecond); !errors.Is(err, nonce.ErrTaken) {
		t.Errorf("claimed a millisecond before the lease ends: %v, want ErrTaken", err)
	}
	if err := take("second", time.Minute); err != nil {
		t.Errorf("claimed when the lease ends: %v", err)
	}
	must.Do(t, b.nonces.Release(t.Context(), account.Address, "first"))
	if err := take("third", time.Minute); !errors.Is(err, nonce.ErrTaken) {
		t.Errorf("claimed after another process' release: %v, want ErrTaken", err)
	}
}
