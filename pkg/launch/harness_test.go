package launch_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/launch"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/testkit/launchtest"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token"
)

// bench is one service over the real parts, to which nothing happens. Files,
// which have tests of their own, are only counted.
type bench struct {
	launch.Service
	fixture *launchtest.Fixture
	ledger  *localnet.Ledger
	node    *solanarpc.Client
	tokens  launchtable.Tokens
	nonces  launchtable.Nonces
}

func newBench(t *testing.T) *bench {
	t.Helper()
	w := launchtest.NewEnv(t).Fixture(t, "")
	b := &bench{
		Service: w.Service(t, nil), fixture: w, ledger: w.Ledger,
		node: w.Node, tokens: w.Tokens, nonces: w.Nonces,
	}
	b.Files = &files{}
	return b
}

func (b *bench) pass(d time.Duration) { b.fixture.Clock.Pass(d) }

// files counts what is saved.
type files struct {
	sync.Mutex
	saved int
}

func (f *files) Name([]byte) (string, error) { return launchtest.ImageCID, nil }

func (f *files) SaveMetadata(context.Context, []byte) error {
	f.Lock()
	defer f.Unlock()
	f.saved++
	return nil
}

// creator is a wallet with money.
func (b *bench) creator(t *testing.T) solana.PrivateKey {
	t.Helper()
	return b.fixture.Creator(t)
}

// draft is one that can be launched, with a wallet of its own.
func (b *bench) draft(t *testing.T, creator solana.PrivateKey) token.Draft {
	t.Helper()
	return b.fixture.Draft(t, creator)
}

func (b *bench) create(t *testing.T, creator solana.PrivateKey) launch.Created {
	t.Helper()
	created, err := b.Create(t.Context(), creator.PublicKey(), "203.0.113.7", b.draft(t, creator))
	must.Do(t, err)
	return created
}

// sign returns the created transaction with the creator's signature, in base64.
func sign(t *testing.T, created launch.Created, creator solana.PrivateKey) string {
	t.Helper()
	return launchtest.Sign(t, created, creator)
}
