package journal_test

import (
	"context"
	"errors"
	"iter"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/s3store"
	"tokenlaunch.example/service/pkg/distribution/journal"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/token/terms"
)

var mint, other = solana.PublicKey{1}, solana.PublicKey{2}

// intent has every field set, the zero time among them where it is zero in life.
func intent(mint solana.PublicKey, part string, attempts int) payout.Intent {
	at := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	i := payout.Intent{
		ID:   payout.ID{Run: "a-run", Kind: payout.Pay, Leg: 1, Batch: 17, Part: part},
		Mint: mint, From: 323, To: 342, Asset: terms.SOL, Amount: 1<<63 + 1,
		Lane: 3, Value: solana.Hash{9}, BoundAt: at,
		Skips: []payout.Skip{{Record: 330, Reason: "closed", Hold: [8]byte{1, 2}}}, Made: []uint32{331},
	}
	for n := range attempts {
		i.Attempts = append(i.Attempts, payout.Attempt{
			Signature: solana.Signature{byte(n), 5}, Bytes: []byte{1, 2, 3}, PriceMicroLamports: 10_000, SignedAt: at,
		})
	}
	return i
}

func bucket(t *testing.T) s3store.Bucket {
	t.Helper()
	client := s3.NewFromConfig(localnet.AWS(t).Config(t.Context()), func(o *s3.Options) { o.UsePathStyle = true })
	name := strings.ToLower(t.Name())
	if _, err := client.CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: aws.String(name)}); err != nil {
		t.Fatal(err)
	}
	return s3store.Bucket{Client: client, Name: name}
}

func TestWhatWasSignedIsKept(t *testing.T) {
	j := journal.Journal{Files: bucket(t)}
	written := []payout.Intent{intent(mint, "", 1), intent(mint, "", 2), intent(mint, "01", 1), intent(other, "", 1)}
	for _, i := range slices.Concat(written, written) { // again is no error
		if err := j.Write(t.Context(), i); err != nil {
			t.Fatal(err)
		}
	}
	var read []payout.Intent
	for i, err := range j.All(t.Context(), mint) {
		if err != nil {
			t.Fatal(err)
		}
		read = append(read, i)
	}
	if len(read) != 3 {
		t.Errorf("%d entries, want 3", len(read))
	}
	for _, want := range written[:3] {
		if !slices.ContainsFunc(read, func(i payout.Intent) bool { return reflect.DeepEqual(i, want) }) {
			t.Errorf("%+v is not among %+v", want, read)
		}
	}
	if err := j.Write(t.Context(), intent(mint, "", 0)); err == nil {
		t.Error("an intent for which nothing was signed is kept")
	}
}

// shelf has one file.
type shelf struct {
	content string
	err     error
}

func (s shelf) Put(context.Context, string, string, []byte) error { return s.err }

func (s shelf) Get(context.Context, string) ([]byte, error) { return []byte(s.content), s.err }

func (s shelf) KeysAfter(context.Context, string, string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) { _ = yield("a", nil) && yield("b", errors.New("no more")) }
}

// Nothing of a journal that cannot be read may be overlooked.
func TestEntriesThatCannotBeRead(t *testing.T) {
	good := `{"intent":{"Mint":"` + mint.String() + `","Attempts":[{}]}}`
	for name, s := range map[string]shelf{
		"the list breaks off": {content: good},
		"a file is away":      {content: good, err: errors.New("away")},
		"no JSON":             {content: "journal"},
		"of another mint":     {content: `{"intent":{"Mint":"` + other.String() + `","Attempts":[{}]}}`},
		"nothing signed":      {content: `{"intent":{"Mint":"` + mint.String() + `"}}`},
		"a field to come":     {content: `{"intent":{"Mint":"` + mint.String() + `","Attempts":[{}],"Weight":1}}`},
	} {
		var failed error
		for _, err := range (journal.Journal{Files: s}).All(t.Context(), mint) {
			failed = err
		}
		if failed == nil {
			t.Errorf("%s: the journal reads well", name)
		}
	}
	if err := (journal.Journal{Files: shelf{err: errors.New("away")}}).Write(t.Context(), intent(mint, "", 1)); err == nil {
		t.Error("what is not kept fails nothing")
	}
}
