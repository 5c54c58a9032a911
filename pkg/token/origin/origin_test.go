package origin_test

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"errors"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/creation"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/content"
	"tokenlaunch.example/service/pkg/token/origin"
	"tokenlaunch.example/service/pkg/token/terms"
)

// launches is a chain with these launches, and files are those that were kept.
type (
	launches map[solana.Signature]wire.Transaction
	files    map[string][]byte
)

func (l launches) SignedLaunch(_ context.Context, signature solana.Signature) (wire.Transaction, error) {
	if tx, ok := l[signature]; ok {
		return tx, nil
	}
	return wire.Transaction{}, onchain.ErrBehind
}

func (f files) Get(_ context.Context, key string) ([]byte, error) {
	if file, ok := f[key]; ok {
		return file, nil
	}
	return nil, content.ErrNoObject
}

func cidOf(file []byte) (string, error) { return solana.Hash(sha256.Sum256(file)).String(), nil }

// launched is a token whose launch its creator signed, with the checker that knows it.
func launched(t *testing.T, c launches, f files) token.Record {
	return launchedWith(t, c, f, solana.PublicKey{})
}

// launchedWith is launched with a guardian, unless the guardian is zero.
func launchedWith(t *testing.T, c launches, f files, guardian solana.PublicKey) token.Record {
	t.Helper()
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	creator, mint := solana.PublicKeyFromBytes(key[ed25519.SeedSize:]), solana.NewWallet().PublicKey()
	draft := token.Draft{Name: "Name", Symbol: "SYM", ImageURI: "ipfs://image", Settings: terms.Default(creator)}
	file, err := draft.Metadata(mint)
	if err != nil {
		t.Fatal(err)
	}
	cid, _ := cidOf(file)
	f[content.Metadata.Key(cid)] = file
	r := token.Record{
		Mint: mint, Creator: creator, Name: draft.Name, Symbol: draft.Symbol, MetadataCID: cid, Decimals: 6, Supply: 1, TransferFeeBps: 250,
		Wallet: token.Wallet{ID: "id", Address: solana.NewWallet().PublicKey()}, Guardian: guardian, Settings: draft.Settings, SettingsVersion: terms.LaunchVersion,
	}
	steps, err := creation.Creation{
		Payer: creator, Mint: mint, DistributionWallet: r.Wallet.Address, Guardian: guardian, Name: r.Name, Symbol: r.Symbol, URI: content.Gateway + cid,
		Decimals: 6, Supply: 1, TransferFeeBps: 250, MintRentLamports: 1,
	}.Steps()
	if err != nil {
		t.Fatal(err)
	}
	nonce := transaction.NonceUse{Nonce: transaction.Nonce{Account: solana.NewWallet().PublicKey()}, Authority: solana.NewWallet().PublicKey()}
	message, _, err := transaction.Draft{Caller: creator, Mint: mint, Steps: steps, Nonce: &nonce}.Compile(solana.Hash{9}, 60_000, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	tx := wire.NewTransaction(message)
	if err := tx.Sign(key); err != nil {
		t.Fatal(err)
	}
	r.Signature, _ = tx.ID()
	c[r.Signature] = tx
	return r
}

// TestMembersMatchLaunch plays a function that rewrites the guardian of a record.
func TestMembersMatchLaunch(t *testing.T) {
	t.Parallel()
	c, f := launches{}, files{}
	checker := origin.Checker{Chain: c, Files: f, CID: cidOf}
	thief := solana.NewWallet().PublicKey()
	guarded, plain := launchedWith(t, c, f, solana.NewWallet().PublicKey()), launched(t, c, f)
	for what, test := range map[string]struct {
		record  token.Record
		rewrite func(*token.Record)
	}{
		"another guardian":              {guarded, func(r *token.Record) { r.Guardian = thief }},
		"no guardian":                   {guarded, func(r *token.Record) { r.Guardian = solana.PublicKey{} }},
		"another wallet of the service": {guarded, func(r *token.Record) { r.Wallet.Address = thief }},
		"another creator":               {guarded, func(r *token.Record) { r.Creator = thief }},
		"a guardian of a plain token":   {plain, func(r *token.Record) { r.Guardian = thief }},
	} {
		if err := checker.Check(t.Context(), test.record); err != nil {
			t.Fatal(err)
		}
		forged := test.record
		test.rewrite(&forged)
		if err := checker.Check(t.Context(), forged); !errors.Is(err, origin.ErrForged) {
			t.Errorf("Check(), %s: %v, want ErrForged", what, err)
		}
		if origin.Mark(forged) == origin.Mark(test.record) {
			t.Errorf("%s: the check would not be repeated", what)
		}
	}
}

// TestRecordEqualsLaunch tests docs/attacks.md, "Inside": a function that may write tokens' records
// (tokens, reconciler) is taken over and rewrites a record.
func TestRecordEqualsLaunch(t *testing.T) {
	t.Parallel()
	c, f := launches{}, files{}
	checker := origin.Checker{Chain: c, Files: f, CID: cidOf}
	r, other := launched(t, c, f), launched(t, c, f)
	if err := checker.Check(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	thief := other.Creator
	planted, err := token.Draft{Name: r.Name, Symbol: r.Symbol, ImageURI: "ipfs://image", Settings: terms.Default(thief)}.Metadata(r.Mint)
	if err != nil {
		t.Fatal(err)
	}
	plantedCID, _ := cidOf(planted)
	f[content.Metadata.Key(plantedCID)] = planted
	for what, rewrite := range map[string]func(*token.Record){
		"another wallet gets the creator's part": func(r *token.Record) { r.Settings.DeveloperWallet = thief },
		"more of it":                             func(r *token.Record) { r.Settings.DeveloperFeeBps++ },
		"another reward":                         func(r *token.Record) { r.Settings.RewardToken = other.Mint.String() },
		"another creator":                        func(r *token.Record) { r.Creator = thief },
		"another token's wallet":                 func(r *token.Record) { r.Wallet = other.Wallet },
		"another token's launch":                 func(r *token.Record) { r.Signature = other.Signature },
		"a file of the thief's":                  func(r *token.Record) { r.MetadataCID, r.Settings = plantedCID, terms.Default(thief) },
		"all of another token's, but the mint":   func(r *token.Record) { mint := r.Mint; *r = other; r.Mint = mint },
		"other settings, later the wallet": func(r *token.Record) {
			r.SettingsVersion, r.Wallet = 2, other.Wallet
		},
	} {
		forged := r
		rewrite(&forged)
		if err := checker.Check(t.Context(), forged); !errors.Is(err, origin.ErrForged) {
			t.Errorf("Check(), %s: %v, want ErrForged", what, err)
		}
		if origin.Mark(forged) == origin.Mark(r) {
			t.Errorf("%s: the check would not be repeated", what)
		}
	}
	// Settings that were ordered since are in a table of their own, with what they were
	// merged into.
	later := r
	later.SettingsVersion, later.Settings.DeveloperWallet = 2, thief
	if err := checker.Check(t.Context(), later); !errors.Is(err, origin.ErrForged) {
		t.Errorf("ordered since, and merged into other settings: %v", err)
	}
	later.LaunchTerms = terms.OrderHash(r.Mint, terms.LaunchVersion, r.Settings)
	if err := checker.Check(t.Context(), later); err != nil {
		t.Errorf("ordered since: %v", err)
	}
	// A file in its place that has another content.
	f[content.Metadata.Key(r.MetadataCID)] = planted
	if err := checker.Check(t.Context(), r); !errors.Is(err, origin.ErrForged) {
		t.Errorf("another file under its name: %v", err)
	}
	// A transient failure is not a forgery.
	delete(c, r.Signature)
	if err := checker.Check(t.Context(), r); !errors.Is(err, onchain.ErrBehind) {
		t.Errorf("the node has not seen the launch: %v", err)
	}
}
