package curves_test

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token"

	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/launchtable/curves"
	"tokenlaunch.example/service/pkg/aws/launchtable/issued"
	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/localnet"
)

func newPool() token.Pool {
	return token.Pool{
		Kind: token.RaydiumCPMM, Address: key(), Mint: key(), Creator: key(),
		TokenVault: key(), SOLVault: key(), Authority: key(), LPMint: key(),
	}
}

// poolTransaction is one that creates a pool and is looked for.
func poolTransaction(p token.Pool) transaction.Issued {
	made := time.Now().UTC().Truncate(time.Millisecond) // the store deletes what is old
	return transaction.Issued{
		ID: uuid.NewString(), Kind: transaction.KindPool, Caller: p.Creator, Mint: p.Mint, Subject: p.Address, Message: []byte{1, 2, 3},
		Cosigned:  []transaction.Cosignature{{Signer: key(), Signature: solana.Signature{4}}},
		LastValid: 1<<64 - 1, CreatedAt: made, ExpiresAt: made.Add(30 * time.Second), Fate: transaction.Open, DueAt: made.Add(20 * time.Second),
	}
}

func TestPoolRecordedWithTransaction(t *testing.T) {
	stack := localnet.AWS(t)
	pools := curves.Pools{Client: dynamo.New(stack.Config(t.Context())), Table: stack.CreateTable(t, schema.Launch)}
	p := newPool()
	i := poolTransaction(p)
	if _, err := pools.PreparedPool(t.Context(), i.ID); !errors.Is(err, market.ErrNotFound) {
		t.Errorf("before: %v", err)
	}
	must.Do(t, pools.Issue(t.Context(), i, p))
	if got, err := pools.PreparedPool(t.Context(), i.ID); err != nil || got != p {
		t.Errorf("got %+v (%v), want %+v", got, err, p)
	}
	if got, _, err := readIssued(t.Context(), issued.Store(pools), i.ID); err != nil || !reflect.DeepEqual(got, i) {
		t.Errorf("got %+v (%v), want %+v", got, err, i)
	}
	// Another pool under the same id changes nothing of either.
	if err := pools.Issue(t.Context(), poolTransaction(newPool()), p); err != nil {
		t.Errorf("another transaction for the same pool: %v", err)
	}
	other := newPool()
	stolen := poolTransaction(other)
	stolen.ID = i.ID
	if err := pools.Issue(t.Context(), stolen, other); err == nil || apperr.KindOf(err) == apperr.Unavailable {
		t.Errorf("the same id: %v", err)
	}
	if got, err := pools.PreparedPool(t.Context(), i.ID); err != nil || got != p {
		t.Errorf("got %+v (%v), want %+v", got, err, p)
	}
}

// A response of the store that is lost is asked for again, and the write is one.
func TestPoolRecordedAfterLostAnswer(t *testing.T) {
	stack := localnet.AWS(t)
	cfg := stack.Config(t.Context())
	table := stack.CreateTable(t, schema.Launch)
	process := fault.NewProcess()
	process.On(fault.Exactly(fault.Call{Service: "dynamodb", Operation: "TransactWriteItems", N: 1}), fault.ReplyLost)
	cfg.HTTPClient = process.Over(cfg.HTTPClient.Do)
	pools := curves.Pools{Client: dynamo.New(cfg), Table: table}
	p := newPool()
	i := poolTransaction(p)
	must.Do(t, pools.Issue(t.Context(), i, p))
	if got, err := pools.PreparedPool(t.Context(), i.ID); err != nil || got != p {
		t.Errorf("got %+v (%v), want %+v", got, err, p)
	}
}

// A token's record takes one pool of each kind, the first that was seen; a token of
// others has no record to take one.
func TestRecordHasOnePoolPerKind(t *testing.T) {
	store, _, tokens := openCurves(t)
	pools, mint, creator, now := curves.Pools(store), key(), key(), time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	launched(t, tokens, mint, creator)
	first := newPool()
	first.Mint, first.Creator, first.CreatedAt = mint, creator, now
	second := first
	second.Address, second.CreatedAt = key(), now.Add(time.Second)
	damm := newPool()
	damm.Kind, damm.Mint, damm.Creator, damm.CreatedAt = token.MeteoraDAMMv2, mint, creator, now.Add(-time.Second)
	strange := first
	strange.Creator = key()
	for _, c := range []struct {
		name    string
		pool    token.Pool
		refused bool
	}{{"a stranger's", strange, true}, {"first", first, false}, {"first again", first, true}, {"second", second, true}, {"of the other kind", damm, false}, {"of an unknown token", newPool(), true}} {
		if refused, err := curves.AddPool(t.Context(), pools, c.pool); err != nil || refused != c.refused {
			t.Errorf("%s: rejected %v, %v", c.name, refused, err)
		}
	}
	record, err := tokens.Token(t.Context(), mint)
	must.Do(t, err)
	if want := []token.Pool{damm, first}; !reflect.DeepEqual(record.Pools, want) {
		t.Errorf("the record has %+v, want %+v", record.Pools, want)
	}
}

func TestPoolsWithoutTheStore(t *testing.T) {
	cfg := localnet.AWS(t).Config(t.Context())
	cfg.BaseEndpoint = new("http://127.0.0.1:1")
	pools := curves.Pools{Client: dynamo.New(cfg), Table: "launch"}
	p := newPool()
	if err := pools.Issue(t.Context(), poolTransaction(p), p); apperr.KindOf(err) != apperr.Unavailable {
		t.Errorf("issue: %v", err)
	}
	if _, err := pools.PreparedPool(t.Context(), uuid.NewString()); apperr.KindOf(err) != apperr.Unavailable {
		t.Errorf("read: %v", err)
	}
}
