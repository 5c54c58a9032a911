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

// payment has every field set, the zero time among them where it is zero in life.
func payment(mint solana.PublicKey, part string, attempts int) payout.Payment {
	at := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	p := payout.Payment{
		ID:   payout.ID{Run: "a-run", Kind: payout.Pay, Leg: 1, Batch: 17, Part: part},
		Mint: mint, From: 323, To: 342, Asset: terms.SOL, Amount: 1<<63 + 1, BoundAt: at,
		Skips: []payout.Skip{{Record: 330, Reason: "closed", Hold: [8]byte{1, 2}}}, Made: []uint32{331}, Memos: []uint32{332},
		Receipt: &payout.Receipt{Address: solana.PublicKey{9}, Seed: "a-seed", Generation: 1},
		Blocked: []payout.Receipt{{Address: solana.PublicKey{8}, Seed: "another"}},
	}
	for n := range attempts {
		p.Attempts = append(p.Attempts, payout.Attempt{
			Signature: solana.Signature{byte(n), 5}, Bytes: []byte{1, 2, 3}, LastValid: 1 << 40, PriceMicroLamports: 10_000,
			RentLamports: 650_240, Void: n > 0, SignedAt: at,
		})
	}
	return p
}

func landed(p payout.Payment) payout.Payment {
	p.Outcome = &payout.Outcome{Signature: p.Attempts[0].Signature, Slot: 7, FeeLamports: 5_000, Lamports: -6, Tokens: map[solana.PublicKey]int64{mint: -1}}
	return p
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

// samePayments reports whether two lists have the same payments, in any order.
func samePayments(got, want []payout.Payment) bool {
	return len(got) == len(want) && !slices.ContainsFunc(want, func(w payout.Payment) bool {
		return !slices.ContainsFunc(got, func(g payout.Payment) bool { return reflect.DeepEqual(g, w) })
	})
}

func TestWhatWasSignedIsKept(t *testing.T) {
	j := journal.Journal{Files: bucket(t)}
	ctx := t.Context()
	attempts := []payout.Payment{payment(mint, "", 1), payment(mint, "", 2), payment(mint, "01", 1), payment(other, "", 1)}
	end := landed(payment(mint, "", 2))
	for range 2 { // again is not an error
		for _, p := range attempts {
			if err := j.Attempt(ctx, p); err != nil {
				t.Fatal(err)
			}
		}
		if err := j.Landed(ctx, end); err != nil {
			t.Fatal(err)
		}
	}
	// Copies of runs and heads are no payments.
	for _, key := range []string{"head.json", "runs/001795248000.json"} {
		if err := j.Files.Put(ctx, "journal/"+mint.String()+"/"+key, "application/json", []byte("{}")); err != nil {
			t.Fatal(err)
		}
	}
	read := func(list iter.Seq2[payout.Payment, error]) (read []payout.Payment) {
		for p, err := range list {
			if err != nil {
				t.Fatal(err)
			}
			read = append(read, p)
		}
		return read
	}
	want := append(slices.Clone(attempts[:3]), end)
	if got := read(j.All(ctx, mint)); !samePayments(got, want) {
		t.Errorf("all: %+v, want %+v", got, want)
	}
	if got := read(j.Run(ctx, mint, "a-run")); !samePayments(got, want) {
		t.Errorf("of the run: %+v, want %+v", got, want)
	}
	if got := read(j.Run(ctx, mint, "a-r")); len(got) != 0 {
		t.Errorf("of another run: %+v", got)
	}
	for part, want := range map[string][]payout.Payment{
		"": {attempts[0], attempts[1], end}, "01": {attempts[2]}, "0": nil, "1": nil,
	} {
		got, err := j.Of(ctx, payment(mint, part, 0))
		if err != nil || !samePayments(got, want) {
			t.Errorf("of the part %q: %+v, %v; want %+v", part, got, err, want)
		}
	}
}

// TestSomethingWasSigned for a payment when it was for a part of it, but not for another
// batch, part, leg, kind, run or mint.
func TestSomethingWasSigned(t *testing.T) {
	j := journal.Journal{Files: bucket(t)}
	if err := j.Attempt(t.Context(), payment(mint, "01", 1)); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		change func(p *payout.Payment)
		want   bool
	}{
		"itself":            {func(*payout.Payment) {}, true},
		"the whole":         {func(p *payout.Payment) { p.ID.Part = "" }, true},
		"the half":          {func(p *payout.Payment) { p.ID.Part = "0" }, true},
		"the other half":    {func(p *payout.Payment) { p.ID.Part = "1" }, false},
		"the other quarter": {func(p *payout.Payment) { p.ID.Part = "00" }, false},
		"an eighth":         {func(p *payout.Payment) { p.ID.Part = "010" }, false},
		"another batch":     {func(p *payout.Payment) { p.ID.Part, p.ID.Batch = "", 1 }, false},
		"another leg":       {func(p *payout.Payment) { p.ID.Leg = 0 }, false},
		"another kind":      {func(p *payout.Payment) { p.ID.Kind = payout.Collect }, false},
		"another run":       {func(p *payout.Payment) { p.ID.Run = "a-ru" }, false},
		"another mint":      {func(p *payout.Payment) { p.Mint = other }, false},
	} {
		p := payment(mint, "01", 0)
		c.change(&p)
		if has, err := j.Has(t.Context(), p); err != nil || has != c.want {
			t.Errorf("for %s: %v, %v", name, has, err)
		}
	}
}

func TestWhatIsNoEntryIsNotKept(t *testing.T) {
	j := journal.Journal{Files: bucket(t)}
	nowhere := landed(payment(mint, "", 1))
	nowhere.ID.Run = ""
	for name, err := range map[string]error{
		"an attempt that is none":   j.Attempt(t.Context(), payment(mint, "", 0)),
		"an attempt of no run":      j.Attempt(t.Context(), nowhere),
		"a landing that is none":    j.Landed(t.Context(), payment(mint, "", 1)),
		"a landing of no run":       j.Landed(t.Context(), nowhere),
		"a landing, files are away": journal.Journal{Files: shelf{err: errors.New("away")}}.Landed(t.Context(), landed(payment(mint, "", 1))),
		"an attempt, likewise":      journal.Journal{Files: shelf{err: errors.New("away")}}.Attempt(t.Context(), payment(mint, "", 1)),
	} {
		if err == nil {
			t.Errorf("%s is kept", name)
		}
	}
	if has, err := j.Has(t.Context(), payment(mint, "", 0)); has || err != nil {
		t.Errorf("something is kept: %v", err)
	}
}

// shelf has one file, and a list that breaks off after it, or before.
type shelf struct {
	content string
	err     error
	list    error
}

func (s shelf) Put(context.Context, string, string, []byte) error { return s.err }

func (s shelf) Get(context.Context, string) ([]byte, error) { return []byte(s.content), s.err }

func (s shelf) KeysAfter(context.Context, string, string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		if s.list != nil {
			yield("", s.list)
			return
		}
		_ = yield("a", nil) && yield("b", errors.New("no more"))
	}
}

// Nothing of a journal that cannot be read may be overlooked.
func TestEntriesThatCannotBeRead(t *testing.T) {
	good := `{"payment":{"Mint":"` + mint.String() + `","Attempts":[{}]}}`
	for name, s := range map[string]shelf{
		"the list breaks off": {content: good},
		"a file is away":      {content: good, err: errors.New("away")},
		"no JSON":             {content: "journal"},
		"of another mint":     {content: `{"payment":{"Mint":"` + other.String() + `","Attempts":[{}]}}`},
		"nothing signed":      {content: `{"payment":{"Mint":"` + mint.String() + `"}}`},
		"a field to come":     {content: `{"payment":{"Mint":"` + mint.String() + `","Attempts":[{}],"Weight":1}}`},
	} {
		var failed error
		for _, err := range (journal.Journal{Files: s}).All(t.Context(), mint) {
			failed = err
		}
		if failed == nil {
			t.Errorf("%s: the journal reads well", name)
		}
		if _, err := (journal.Journal{Files: s}).Of(t.Context(), payment(mint, "", 0)); err == nil {
			t.Errorf("%s: what there is of a payment reads well", name)
		}
	}
	unlisted := shelf{list: errors.New("away")}
	if has, err := (journal.Journal{Files: unlisted}).Has(t.Context(), payment(mint, "", 0)); err == nil || has {
		t.Errorf("a list that is away: %v, %v", has, err)
	}
}
