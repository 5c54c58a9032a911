package launch_test

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	awskms "github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/kms/types"
	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	mathrand "math/rand/v2"

	"tokenlaunch.example/service/pkg/asset"
	"tokenlaunch.example/service/pkg/chain"
	"tokenlaunch.example/service/pkg/dynamo"
	"tokenlaunch.example/service/pkg/dynamo/schema"
	"tokenlaunch.example/service/pkg/kms"
	"tokenlaunch.example/service/pkg/launch"
	"tokenlaunch.example/service/pkg/localnet"
	"tokenlaunch.example/service/pkg/nonce"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/wallet"
)

// imageCID is of an image that the bench's service has stored.
const imageCID = "bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy"

// bench is the service over the real parts: DynamoDB's and KMS's local
// counterparts, and a chain of its own. Images and files, which have tests of
// their own, are held in memory.
type bench struct {
	launch.Service
	ledger  *localnet.Ledger
	node    *chain.Client
	tokens  dynamo.Tokens
	wallets dynamo.Wallets
	nonces  dynamo.Nonces

	clock sync.Mutex
	at    time.Time
}

func newBench(t *testing.T) *bench {
	t.Helper()
	aws := localnet.AWS(t)
	config := aws.Config(t.Context())
	client := dynamodb.NewFromConfig(config)
	table, window := aws.CreateTable(t, schema.Launch), aws.CreateTable(t, schema.Window)
	b := &bench{ledger: localnet.Chain(t), at: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)}
	var err error
	b.node, err = chain.New(b.ledger.RPCURL)
	must(t, err)

	keys := awskms.NewFromConfig(config)
	key, err := keys.CreateKey(t.Context(), &awskms.CreateKeyInput{
		KeySpec: types.KeySpec("ECC_NIST_EDWARDS25519"), KeyUsage: types.KeyUsageTypeSignVerify,
	})
	must(t, err)
	authority := &kms.Ed25519Signer{Client: keys, KeyID: *key.KeyMetadata.KeyId}
	address, err := authority.PublicKey(t.Context())
	must(t, err)
	b.ledger.Fund(t, solana.PublicKey(address).String(), 10*solana.LAMPORTS_PER_SOL)

	b.tokens = dynamo.Tokens{Client: client, Table: table}
	b.wallets = dynamo.Wallets{Client: client, Table: table, Now: b.now}
	b.nonces = dynamo.Nonces{Client: client, Table: table}
	b.Service = launch.Service{
		Store:   dynamo.Launches{Client: client, Table: table},
		Wallets: b.wallets,
		Images:  images{imageCID: true},
		Files:   &files{},
		Nonces:  nonce.Pool{Store: b.nonces, Chain: b.node, Authority: authority, Max: 10, Now: b.now},
		Signer:  authority, Chain: b.node,
		Limiter:     dynamo.Windows{Client: client, Table: window, Now: b.now, Rand: mathrand.Int64N},
		LeasesPerIP: 10, FundingLamports: 20_000_000, PriceMicroLamports: 10_000, ConfirmWithin: 20 * time.Second,
		Now: b.now, NewID: uuid.NewString, Random: rand.Reader, Log: slog.New(slog.DiscardHandler),
	}
	return b
}

func (b *bench) now() time.Time {
	b.clock.Lock()
	defer b.clock.Unlock()
	return b.at
}

func (b *bench) pass(d time.Duration) {
	b.clock.Lock()
	defer b.clock.Unlock()
	b.at = b.at.Add(d)
}

// images are the content ids of stored images.
type images map[string]bool

func (i images) Stored(_ context.Context, cid string) (bool, error) { return i[cid], nil }

// files counts what is saved.
type files struct {
	sync.Mutex
	saved int
}

func (f *files) SaveMetadata(context.Context, []byte) (string, error) {
	f.Lock()
	defer f.Unlock()
	f.saved++
	return imageCID, nil
}

// creator is a wallet with money.
func (b *bench) creator(t *testing.T) solana.PrivateKey {
	t.Helper()
	w := solana.NewWallet()
	b.ledger.Fund(t, w.PublicKey().String(), solana.LAMPORTS_PER_SOL)
	return w.PrivateKey
}

// draft is one that can be launched, with a wallet of its own.
func (b *bench) draft(t *testing.T, creator solana.PrivateKey) token.Draft {
	t.Helper()
	w := wallet.Wallet{
		ID: uuid.NewString(), Address: solana.NewWallet().PublicKey(),
		CreatedAt: b.now(), ValidUntil: b.now().Add(wallet.Lifetime),
	}
	must(t, b.wallets.Put(t.Context(), w))
	d := token.DefaultDraft(creator.PublicKey())
	d.Name, d.Symbol, d.ImageURI, d.WalletID = "Tidal", "TIDE", asset.Scheme+imageCID, w.ID
	d.TransferFeeBps, d.Decimals, d.Supply = 500, 6, 1_000_000_000_000
	if bad := d.Validate(); len(bad) > 0 {
		t.Fatalf("the test's draft is not valid: %v", bad)
	}
	return d
}

func (b *bench) create(t *testing.T, creator solana.PrivateKey) launch.Created {
	t.Helper()
	created, err := b.Create(t.Context(), creator.PublicKey(), "203.0.113.7", b.draft(t, creator))
	must(t, err)
	return created
}

// sign gives the created transaction with the creator's signature, in base64.
func sign(t *testing.T, created launch.Created, creator solana.PrivateKey) string {
	t.Helper()
	tx, err := wire.ParseTransaction(created.Transaction)
	must(t, err)
	must(t, tx.Sign(ed25519.PrivateKey(creator)))
	return base64.StdEncoding.EncodeToString(tx.Bytes())
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
