package launchtable_test

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token"

	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/launchtable"
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

// poolTransaction is one that makes a pool and is looked for.
func poolTransaction(p token.Pool) transaction.Issued {
	i := issuedTransaction()
	i.Kind, i.Mint, i.Caller, i.Subject, i.DueAt = transaction.KindPool, p.Mint, p.Creator, p.Address, i.CreatedAt.Add(20*time.Second)
	return i
}

func TestAPoolIsRecordedWithItsTransaction(t *testing.T) {
	stack := localnet.AWS(t)
	pools := launchtable.Pools{Client: dynamo.New(stack.Config(t.Context())), Table: stack.CreateTable(t, schema.Launch)}
	p := newPool()
	i := poolTransaction(p)
	if _, err := pools.PreparedPool(t.Context(), i.ID); !errors.Is(err, market.ErrNotFound) {
		t.Errorf("before: %v", err)
	}
	must.Do(t, pools.Issue(t.Context(), i, p))
	if got, err := pools.PreparedPool(t.Context(), i.ID); err != nil || got != p {
		t.Errorf("got %+v (%v), want %+v", got, err, p)
	}
	issued := launchtable.Issued(pools)
	if got, _, err := launchtable.ReadIssued(t.Context(), issued, i.ID); err != nil || !reflect.DeepEqual(got, i) {
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

// An answer of the store that is lost is asked for again, and the write is one.
func TestAPoolIsRecordedAlthoughTheAnswerWasLost(t *testing.T) {
	stack := localnet.AWS(t)
	cfg := stack.Config(t.Context())
	table := stack.CreateTable(t, schema.Launch)
	process := fault.NewProcess()
	process.On(fault.Exactly(fault.Call{Service: "dynamodb", Operation: "TransactWriteItems", N: 1}), fault.ReplyLost)
	cfg.HTTPClient = process.Over(cfg.HTTPClient.Do)
	pools := launchtable.Pools{Client: dynamo.New(cfg), Table: table}
	p := newPool()
	i := poolTransaction(p)
	must.Do(t, pools.Issue(t.Context(), i, p))
	if got, err := pools.PreparedPool(t.Context(), i.ID); err != nil || got != p {
		t.Errorf("got %+v (%v), want %+v", got, err, p)
	}
}

// A token's record takes one pool of each kind, the first that was seen; a token of
// others has no record to take one.
func TestATokensRecordTakesOnePoolOfAKind(t *testing.T) {
	b := openBooks(t)
	l := b.launch(t, key())
	pools := launchtable.Pools{Client: b.tokens.Client, Table: b.tokens.Table}
	first := newPool()
	first.Mint, first.Creator, first.CreatedAt = l.Mint, l.Token.Creator, b.now
	second := first
	second.Address, second.CreatedAt = key(), b.now.Add(time.Second)
	damm := newPool()
	damm.Kind, damm.Mint, damm.Creator, damm.CreatedAt = token.MeteoraDAMMv2, l.Mint, l.Token.Creator, b.now.Add(-time.Second)
	strange := first
	strange.Creator = key()
	for _, c := range []struct {
		name    string
		pool    token.Pool
		refused bool
	}{{"a stranger's", strange, true}, {"first", first, false}, {"first again", first, true}, {"second", second, true}, {"of the other kind", damm, false}, {"of an unknown token", newPool(), true}} {
		if refused, err := launchtable.AddPool(t.Context(), pools, c.pool); err != nil || refused != c.refused {
			t.Errorf("%s: refused %v, %v", c.name, refused, err)
		}
	}
	record, err := b.tokens.Token(t.Context(), l.Mint)
	must.Do(t, err)
	if want := []token.Pool{damm, first}; !reflect.DeepEqual(record.Pools, want) {
		t.Errorf("the record has %+v, want %+v", record.Pools, want)
	}
}

func TestPoolsWithoutTheStore(t *testing.T) {
	cfg := localnet.AWS(t).Config(t.Context())
	cfg.BaseEndpoint = new("http://127.0.0.1:1")
	pools := launchtable.Pools{Client: dynamo.New(cfg), Table: "launch"}
	p := newPool()
	if err := pools.Issue(t.Context(), poolTransaction(p), p); apperr.KindOf(err) != apperr.Unavailable {
		t.Errorf("issue: %v", err)
	}
	if _, err := pools.PreparedPool(t.Context(), uuid.NewString()); apperr.KindOf(err) != apperr.Unavailable {
		t.Errorf("read: %v", err)
	}
}
