package launch_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/launch"
	"tokenlaunch.example/service/pkg/launch/image"
	"tokenlaunch.example/service/pkg/launch/takedown"
	"tokenlaunch.example/service/pkg/launch/unused"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/testkit/launchtest"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/content"
)

// removals notes what a sweep removes.
type removals struct {
	sync.Mutex
	done []string
}

func (r *removals) note(what string) error {
	r.Lock()
	defer r.Unlock()
	r.done = append(r.done, what)
	return nil
}

func (r *removals) Remove(_ context.Context, kind content.Kind, cid string) error {
	return r.note("remove " + kind.Key(cid))
}

func (r *removals) Unpin(_ context.Context, cid string) error { return r.note("unpin " + cid) }

// removed runs the sweep of pictures and returns the removed pictures, in alphabetical order.
func (b *bench) removed(t *testing.T) []string {
	t.Helper()
	var r removals
	sweep := unused.Pictures{Records: b.images(), Files: &r, Max: 10, Now: b.fixture.Clock.Now}
	_, err := sweep.Run(t.Context())
	must.Do(t, err)
	slices.Sort(r.done)
	return r.done
}

func (b *bench) images() launchtable.Images {
	return launchtable.Images{Client: b.tokens.Client, Table: b.tokens.Table}
}

// upload records a picture.
func (b *bench) upload(t *testing.T, cid string) {
	t.Helper()
	now := b.fixture.Clock.Now()
	must.Do(t, b.images().Put(t.Context(), image.Stored{CID: cid, Key: content.Image.Key(cid), CreatedAt: now}, now))
}

// TestImageOfLaunchIsKept tests that an image of a launch is kept. An unused image is deleted after
// a week, and the image of a failed launch a week after the failure.
func TestImageOfLaunchIsKept(t *testing.T) {
	b := newBench(t)
	const lost, idle = "bafkreilostlostlostlostlostlostlostlostlostlostlostlostlost", "bafkreiidleidleidleidleidleidleidleidleidleidleidleidleidle"
	b.upload(t, idle)
	b.upload(t, lost)
	creator := b.creator(t)
	created, signed := b.fixture.Prepare(t, creator)
	_, err := b.Submit(t.Context(), creator.PublicKey(), created.ID, signed)
	must.Do(t, err)
	// A launch of another picture that never lands: recorded, and then settled as failed.
	failing := created.Launch
	failing.Token.ImageCID = lost
	must.Do(t, b.fail(t, failing))

	b.pass(7*24*time.Hour - time.Minute)
	if gone := b.removed(t); len(gone) > 0 {
		t.Errorf("within a week %v was deleted", gone)
	}
	b.pass(2 * time.Minute)
	if gone, want := b.removed(t), []string{"remove " + content.Image.Key(idle), "remove " + content.Image.Key(lost)}; !slices.Equal(gone, want) {
		t.Errorf("after a week %v was deleted, want %v", gone, want)
	}
	b.pass(100 * 24 * time.Hour)
	if gone := b.removed(t); len(gone) > 0 {
		t.Errorf("%v was deleted: the image of a token?", gone)
	}
	_, err = b.Create(t.Context(), creator.PublicKey(), launchtest.Address(), b.draft(t, creator))
	must.Do(t, err) // with the same picture
}

// fail submits a copy of a launch only to the store, and settles it as failed.
func (b *bench) fail(t *testing.T, l launch.Launch) error {
	t.Helper()
	creator := b.creator(t)
	d := b.draft(t, creator)
	l.ID, l.Caller, l.Mint, l.Nonce = "failing", creator.PublicKey(), solana.NewWallet().PublicKey(), transaction.Nonce{}
	l.Token.ID, l.Token.Mint, l.Token.Creator, l.Token.Wallet.ID = "failing", l.Mint, l.Caller, d.WalletID
	must.Do(t, b.Store.Issue(t.Context(), l, nil, b.fixture.Clock.Now()))
	l.Messages = slices.Clone(l.Messages)
	l.Messages[0].Signature, l.Messages[0].Signed = solana.Signature{1}, []byte{1}
	l.Status, l.Signature = transaction.Submitted, l.Messages[0].Signature
	must.Do(t, b.Store.Submit(t.Context(), l, b.fixture.Clock.Now()))
	l.Status = transaction.Failed
	return b.Store.Settle(t.Context(), l, b.fixture.Clock.Now())
}

// TestBlockedContentIsRejected plays takedowns from the order to their last effect.
func TestBlockedContentIsRejected(t *testing.T) {
	b := newBench(t)
	b.fixture.NoncePoolMax = 10
	creator := b.creator(t)
	created, signed := b.fixture.Prepare(t, creator)
	_, err := b.Submit(t.Context(), creator.PublicKey(), created.ID, signed)
	must.Do(t, err)
	waiting, late := b.fixture.Prepare(t, b.creator(t))

	blocks := launchtable.Blocks{Client: b.tokens.Client, Table: b.tokens.Table}
	service := takedown.Service{Store: blocks, Tokens: b.tokens, Now: b.fixture.Clock.Now}
	do := func(kind, subject string, undo bool) (takedown.Done, error) {
		return service.Do(t.Context(), takedown.Act{Kind: kind, Subject: subject, Undo: undo, By: "arn:aws:iam::1:user/ops", Why: "a report"})
	}
	create := func(change func(*token.Draft)) error {
		d := b.draft(t, creator)
		change(&d)
		_, err := b.Create(t.Context(), creator.PublicKey(), launchtest.Address(), d)
		return err
	}
	named := func(name, symbol string) func(*token.Draft) {
		return func(d *token.Draft) { d.Name, d.Symbol = name, symbol }
	}

	// A name, as it is or written otherwise, as a name or as a symbol.
	_, err = do(takedown.Name, "Evil Coin", false)
	must.Do(t, err)
	for _, blocked := range [][2]string{{"Evil Coin", "E"}, {"ＥＶＩＬ ＣＯＩＮ", "E"}, {"evilcoin", "E"}, {"Good", "EVILCOIN"}} {
		wantCode(t, create(named(blocked[0], blocked[1])), "content_blocked")
	}
	must.Do(t, create(named("Evil Coins", "E")))
	_, err = do(takedown.Name, "evil coin", true)
	must.Do(t, err)
	must.Do(t, create(named("Evil Coin", "E")))

	// A token: off the lists, its picture blocked, its files removed; a launch of the same picture
	// that was prepared before is rejected.
	mint := created.Mint.String()
	for range 2 {
		done, err := do(takedown.Token, mint, false)
		if want := []string{launchtest.ImageCID, created.Token.MetadataCID}; err != nil || done.Uses != 1 || !slices.Equal(done.CIDs, want) {
			t.Fatalf("%+v, %v; want %v", done, err, want)
		}
	}
	wantCode(t, create(func(*token.Draft) {}), "content_blocked")
	_, err = b.Submit(t.Context(), waiting.Caller, waiting.ID, late)
	wantCode(t, err, "content_blocked")
	if record, err := b.tokens.Token(t.Context(), created.Mint); err != nil || record.Visible {
		t.Errorf("it is on the lists, %v", err)
	}
	if gone, want := b.removed(t), []string{"remove " + content.Image.Key(launchtest.ImageCID), "unpin " + created.Token.MetadataCID}; !slices.Equal(gone, want) {
		t.Errorf("%v; want %v: runs need the metadata file", gone, want)
	}

	// Taken back: shown, and the picture can be uploaded again.
	_, err = do(takedown.Token, mint, true)
	must.Do(t, err)
	if record, err := b.tokens.Token(t.Context(), created.Mint); err != nil || !record.Visible {
		t.Errorf("it is not on the lists again, %v", err)
	}
	wantCode(t, create(func(*token.Draft) {}), "unknown_image")
	b.pass(unused.Lease + time.Second)
	b.upload(t, launchtest.ImageCID)
	must.Do(t, create(func(*token.Draft) {}))

	acts, err := blocks.Acts(t.Context())
	must.Do(t, err)
	var told []string
	for _, a := range acts {
		if a.By == "" || a.Why != "a report" || a.At.IsZero() {
			t.Errorf("%+v lacks who, why or when", a)
		}
		told = append(told, fmt.Sprint(a.Kind, " ", a.Subject, " ", a.Undo))
	}
	slices.Sort(told) // within a millisecond they have no order
	want := []string{"name Evil Coin false", "name evil coin true", "token " + mint + " false", "token " + mint + " false", "token " + mint + " true"}
	if !slices.Equal(told, want) {
		t.Errorf("written down: %q, want %q", told, want)
	}
}

// TestTakedownRejections changes nothing and writes nothing down.
func TestTakedownRejections(t *testing.T) {
	b := newBench(t)
	blocks := launchtable.Blocks{Client: b.tokens.Client, Table: b.tokens.Table}
	service := takedown.Service{Store: blocks, Tokens: b.tokens, Now: b.fixture.Clock.Now}
	for name, a := range map[string]takedown.Act{
		"no reason":     {Kind: takedown.Picture, Subject: "cid", By: "ops", Why: " "},
		"by nothing":    {Kind: takedown.Picture, Subject: "cid", Why: "why"},
		"of nothing":    {Kind: takedown.Name, By: "ops", Why: "why"},
		"unseen name":   {Kind: takedown.Name, Subject: "\u200b ", By: "ops", Why: "why"},
		"no mint":       {Kind: takedown.Token, Subject: "mint", By: "ops", Why: "why"},
		"unknown token": {Kind: takedown.Token, Subject: solana.NewWallet().PublicKey().String(), By: "ops", Why: "why"},
		"unknown kind":  {Kind: "proof", Subject: "cid", By: "ops", Why: "why"},
	} {
		if _, err := service.Do(t.Context(), a); err == nil {
			t.Errorf("%s: done", name)
		}
	}
	if acts, err := blocks.Acts(t.Context()); err != nil || len(acts) > 0 {
		t.Errorf("written down: %v, %v", acts, err)
	}
}

// TestFailedCreationLeavesNoFile tests that the metadata file is stored after the launch's record,
// so that a creation that fails before leaves no file.
func TestFailedCreationLeavesNoFile(t *testing.T) {
	b := newBench(t)
	b.Chain = rentless{b.Chain}
	creator := b.creator(t)
	if _, err := b.Create(t.Context(), creator.PublicKey(), launchtest.Address(), b.draft(t, creator)); err == nil {
		t.Fatal("created without a node")
	}
	if saved := b.Files.(*files).saved; saved != 0 {
		t.Errorf("%d metadata files were saved", saved)
	}
}

// rentless is a node that does not answer what rents are.
type rentless struct{ launch.Chain }

func (rentless) MinimumBalance(context.Context, uint64) (uint64, error) {
	return 0, errors.New("the node is away")
}
