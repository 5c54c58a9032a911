package issued_test

import (
	"context"
	"reflect"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/launchtable/issued"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/must"
)

// issuedTransaction is one that is not watched.
func issuedTransaction() transaction.Issued {
	made := time.Now().UTC().Truncate(time.Millisecond) // the store deletes what is old
	return transaction.Issued{
		ID: uuid.NewString(), Kind: transaction.KindBuy, Caller: key(), Mint: key(), Message: []byte{1, 2, 3},
		Cosigned:  []transaction.Cosignature{{Signer: key(), Signature: solana.Signature{4}}},
		LastValid: 1<<64 - 1, CreatedAt: made, ExpiresAt: made.Add(30 * time.Second), Fate: transaction.Open,
	}
}

func TestTransactionsAreRecordedAsTheyWereMade(t *testing.T) {
	stack := localnet.AWS(t)
	store := issued.Store{Client: dynamo.New(stack.Config(t.Context())), Table: stack.CreateTable(t, schema.Launch)}
	for name, change := range map[string]func(*transaction.Issued){
		"as most are":        func(*transaction.Issued) {},
		"no other signature": func(i *transaction.Issued) { i.Cosigned = nil },
		"on a nonce":         func(i *transaction.Issued) { i.LastValid = 0 },
		"to be checked":      func(i *transaction.Issued) { i.Subject, i.DueAt = key(), i.CreatedAt.Add(20*time.Second) },
		"a payment, checked": func(i *transaction.Issued) { i.Kind, i.DueAt = transaction.KindPromotion, i.CreatedAt },
		"over":               func(i *transaction.Issued) { i.Fate = transaction.Seen },
	} {
		i := issuedTransaction()
		change(&i)
		if _, found, err := readIssued(t.Context(), store, i.ID); found || err != nil {
			t.Errorf("%s: before: found %v, %v", name, found, err)
		}
		must.Do(t, store.Record(t.Context(), i))
		if got, _, err := readIssued(t.Context(), store, i.ID); err != nil || !reflect.DeepEqual(got, i) {
			t.Errorf("%s: got %+v (%v), want %+v", name, got, err, i)
		}
	}
}

func TestIssuedIDHasOneTransaction(t *testing.T) {
	stack := localnet.AWS(t)
	store := issued.Store{Client: dynamo.New(stack.Config(t.Context())), Table: stack.CreateTable(t, schema.Launch)}
	first := issuedTransaction()
	must.Do(t, store.Record(t.Context(), first))
	if err := store.Record(t.Context(), first); err != nil {
		t.Errorf("again: %v", err)
	}
	other := issuedTransaction()
	other.ID = first.ID
	other.Message = []byte{9}
	if err := store.Record(t.Context(), other); err == nil || apperr.KindOf(err) == apperr.Unavailable {
		t.Errorf("another one under the same id: %v", err)
	}
	if got, _, err := readIssued(t.Context(), store, first.ID); err != nil || !reflect.DeepEqual(got, first) {
		t.Errorf("got %+v (%v), want %+v", got, err, first)
	}
}

func TestIssuedTransactionAfterLostAnswer(t *testing.T) {
	stack := localnet.AWS(t)
	cfg := stack.Config(t.Context())
	table := stack.CreateTable(t, schema.Launch)
	process := fault.NewProcess()
	process.On(fault.Exactly(fault.Call{Service: "dynamodb", Operation: "PutItem", N: 1}), fault.ReplyLost)
	cfg.HTTPClient = process.Over(cfg.HTTPClient.Do)
	store := issued.Store{Client: dynamo.New(cfg), Table: table}
	i := issuedTransaction()
	if err := store.Record(t.Context(), i); err != nil {
		t.Errorf("the second try found the first: %v", err)
	}
	if calls := len(process.Calls()); calls != 2 {
		t.Errorf("%d calls, want 2", calls)
	}
}

func TestTransactionsWithoutTheStore(t *testing.T) {
	cfg := localnet.AWS(t).Config(t.Context())
	cfg.BaseEndpoint = new("http://127.0.0.1:1")
	store := issued.Store{Client: dynamo.New(cfg), Table: "launch"}
	if err := store.Record(t.Context(), issuedTransaction()); apperr.KindOf(err) != apperr.Unavailable {
		t.Errorf("got %v", err)
	}
}

func key() solana.PublicKey { return solana.NewWallet().PublicKey() }

// readIssued returns the record of a transaction that its caller sends, as the record is stored.
func readIssued(ctx context.Context, s issued.Store, id string) (transaction.Issued, bool, error) {
	var item issued.Item
	found, err := dynamo.Get(ctx, s.Client, s.Table, issued.Key(id), &item)
	return item.Issued(), found, err
}
