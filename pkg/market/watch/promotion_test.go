package watch_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market/featured"
	"tokenlaunch.example/service/pkg/market/watch"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

const (
	payOpen, paySeen, payExpired = transaction.Open, transaction.Seen, transaction.Expired

	day = 24 * time.Hour
)

func payKey(partition, sort string) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{
		"pk": &types.AttributeValueMemberS{Value: partition}, "sk": &types.AttributeValueMemberS{Value: sort},
	}
}

// TestPromotionPayments tests on a real chain which transfers pay for a promotion, and which do
// not.
func TestPromotionPayments(t *testing.T) {
	g := newPayEnv(t)
	for _, c := range []struct {
		name    string
		act     func(t *testing.T, w *payFixture, o payOffer)
		fate    transaction.Fate
		reasons []featured.Match
	}{
		{"paid", func(t *testing.T, w *payFixture, o payOffer) { w.pay(t, o) }, paySeen, nil},
		{"not paid", func(*testing.T, *payFixture, payOffer) {}, payOpen, nil},
		{"paid by another transaction", func(t *testing.T, w *payFixture, o payOffer) {
			w.execute(t, o.creator, w.transfer(o))
		}, paySeen, nil},
		{"paid twice", func(t *testing.T, w *payFixture, o payOffer) {
			w.pay(t, o)
			w.execute(t, o.creator, w.transfer(o))
		}, paySeen, []featured.Match{featured.Overpaid}},
		{"paid twice in one transaction", func(t *testing.T, w *payFixture, o payOffer) {
			w.execute(t, o.creator, w.transfer(o), w.transfer(o))
		}, paySeen, []featured.Match{featured.Overpaid}},
		{"paid short", func(t *testing.T, w *payFixture, o payOffer) {
			short := w.transfer(o)
			short.Lamports--
			w.execute(t, o.creator, short)
		}, payOpen, []featured.Match{featured.WrongAmount}},
		{"paid too much", func(t *testing.T, w *payFixture, o payOffer) {
			much := w.transfer(o)
			much.Lamports++
			w.execute(t, o.creator, much)
		}, payOpen, []featured.Match{featured.WrongAmount}},
		{"paid in two parts", func(t *testing.T, w *payFixture, o payOffer) {
			half := w.transfer(o)
			half.Lamports /= 2
			w.execute(t, o.creator, half, half)
		}, payOpen, []featured.Match{featured.WrongAmount, featured.WrongAmount}},
		{"paid by someone else", func(t *testing.T, w *payFixture, o payOffer) {
			other := w.wallet(t)
			theirs := w.transfer(o)
			theirs.From = other.PublicKey()
			w.execute(t, other, theirs)
		}, payOpen, []featured.Match{featured.WrongPayer}},
		{"paid to someone else", func(t *testing.T, w *payFixture, o payOffer) {
			wrong := w.transfer(o)
			wrong.To = solana.NewWallet().PublicKey()
			w.execute(t, o.creator, wrong)
		}, payOpen, []featured.Match{featured.WrongRecipient}},
		{"failed on the chain", func(t *testing.T, w *payFixture, o payOffer) {
			// The second transfer is of more than there is, so that the first is undone.
			w.execute(t, o.creator, w.transfer(o), systemprogram.Transfer{
				From: o.creator.PublicKey(), To: w.treasury, Lamports: 1000 * solana.LAMPORTS_PER_SOL,
			})
		}, payOpen, []featured.Match{featured.Failed}},
		{"the reference in another transfer", func(t *testing.T, w *payFixture, o payOffer) {
			pays, marked := w.transfer(o), w.transfer(o)
			pays.References, marked.To = nil, solana.NewWallet().PublicKey()
			w.execute(t, o.creator, pays, marked)
		}, payOpen, []featured.Match{featured.WrongRecipient}},
		{"the reference in no transfer's references", func(t *testing.T, w *payFixture, o payOffer) {
			w.execute(t, o.creator, systemprogram.Transfer{
				From: o.creator.PublicKey(), To: o.Promotion.Reference, Lamports: o.Promotion.Lamports,
			})
		}, payOpen, []featured.Match{featured.NoTransfer}},
		{"paid after mistakes", func(t *testing.T, w *payFixture, o payOffer) {
			short := w.transfer(o)
			short.Lamports--
			w.execute(t, o.creator, short)
			w.pay(t, o)
		}, paySeen, []featured.Match{featured.WrongAmount}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := g.fixture(t)
			token := w.token(t)
			o := w.offer(t, token, 3)
			c.act(t, w, o)
			w.look(t) // nothing is finalized
			w.check(t, o, payOpen)
			w.finalize(t)
			w.look(t)
			begun := w.clock.Now()
			for range 2 { // and later looks change nothing
				p := w.check(t, o, c.fate, c.reasons...)
				listed, until := w.shown(t), w.until(t, token)
				if c.fate != paySeen {
					if len(listed) > 0 || !until.IsZero() {
						t.Errorf("it is featured: %+v until %s", listed, until)
					}
				} else if len(listed) != 1 || listed[0].PromotionID != o.id() || listed[0].Token.Mint != token.mint ||
					!listed[0].StartsAt.Equal(begun) || !listed[0].EndsAt.Equal(begun.Add(3*day)) ||
					!p.StartsAt.Equal(begun) || !until.Equal(p.EndsAt) {
					t.Errorf("begun at %s: %+v until %s; %+v", begun, listed, until, p)
				}
				w.clock.Pass(2 * time.Hour)
				w.look(t)
			}
		})
	}
}

// TestTransferPaysForOnePromotion, although it names the references of two.
func TestTransferPaysForOnePromotion(t *testing.T) {
	w := newPayEnv(t).fixture(t)
	token := w.token(t)
	first := w.offer(t, token, 2)
	w.clock.Pass(time.Second)
	second := w.offer(t, token, 2)
	both := w.transfer(first)
	both.References = append(both.References, second.Promotion.Reference)
	w.execute(t, token.creator, both)
	w.finalize(t)
	w.look(t)
	p := w.check(t, first, paySeen)
	w.check(t, second, payOpen, featured.Counted)
	if until := w.until(t, token); !until.Equal(p.EndsAt) {
		t.Errorf("featured until %s, want %s", until, p.EndsAt)
	}
	// A transfer of its own pays for the second.
	w.execute(t, token.creator, w.transfer(second))
	w.finalize(t)
	w.look(t)
	w.check(t, second, paySeen, featured.Counted)
	if until := w.until(t, token); !until.Equal(p.EndsAt.Add(2 * day)) {
		t.Errorf("featured until %s, want %s", until, p.EndsAt.Add(2*day))
	}
}

// TestPromotionIsExtended tests that a promotion is extended from its end while it runs, and starts
// again afterwards.
func TestPromotionIsExtended(t *testing.T) {
	w := newPayEnv(t).fixture(t)
	token, other := w.token(t), w.token(t)
	buy := func(c payToken, days int) (payOffer, featured.Promotion) {
		o := w.offer(t, c, days)
		w.pay(t, o)
		w.finalize(t)
		w.look(t)
		return o, w.check(t, o, paySeen)
	}
	first, p1 := buy(token, 1)
	second, p2 := buy(token, 2)
	if !p2.StartsAt.Equal(p1.EndsAt) || !p2.EndsAt.Equal(p1.StartsAt.Add(3*day)) || !w.until(t, token).Equal(p2.EndsAt) {
		t.Errorf("%+v after %+v", p2, p1)
	}
	third, p3 := buy(other, 2)
	listed := w.shown(t)
	if len(listed) != 2 || listed[0].PromotionID != first.id() || !listed[0].StartsAt.Equal(p1.StartsAt) || !listed[0].EndsAt.Equal(p2.EndsAt) ||
		listed[1].PromotionID != third.id() {
		t.Errorf("%+v; want the first, with the second's end, and then the sooner ends", listed)
	}
	w.clock.Pass(p3.EndsAt.Sub(w.clock.Now()) - time.Millisecond)
	if listed := w.shown(t); len(listed) != 2 {
		t.Errorf("a moment before the end: %+v", listed)
	}
	w.clock.Pass(time.Millisecond)
	if listed := w.shown(t); len(listed) != 1 || listed[0].Token.Mint != token.mint {
		t.Errorf("at the end: %+v", listed)
	}
	w.clock.Pass(p2.EndsAt.Sub(w.clock.Now()))
	if listed := w.shown(t); len(listed) != 0 {
		t.Errorf("at the last end: %+v", listed)
	}
	w.clock.Pass(time.Hour)
	fourth, p4 := buy(token, 1)
	if listed := w.shown(t); len(listed) != 1 || listed[0].PromotionID != fourth.id() || !listed[0].StartsAt.Equal(w.clock.Now()) || !listed[0].EndsAt.Equal(p4.EndsAt) {
		t.Errorf("begun again, not as %s: %+v", second.id(), listed)
	}
}

// TestHiddenTokensAreNotShown, even when paid for.
func TestHiddenTokensAreNotShown(t *testing.T) {
	w := newPayEnv(t).fixture(t)
	token := w.token(t)
	o := w.offer(t, token, 1)
	w.pay(t, o)
	w.finalize(t)
	w.setVisible(t, token, false)
	w.look(t)
	if p := w.check(t, o, paySeen); len(w.shown(t)) != 0 || !w.until(t, token).Equal(p.EndsAt) {
		t.Errorf("shown = %+v, want nothing while the promotion is paid", w.shown(t))
	}
	w.setVisible(t, token, true)
	if len(w.shown(t)) != 1 {
		t.Error("it is not shown again")
	}
}

// TestPaidLate tests that a payment counts until a day after the transaction has expired, with
// whole days. Then the promotion is no longer watched.
func TestPaidLate(t *testing.T) {
	g := newPayEnv(t)
	for _, c := range []struct {
		name string
		late time.Duration
		fate transaction.Fate
	}{
		{"within a day", 23 * time.Hour, paySeen},
		{"found in the last look", watch.HonourFor - 15*time.Minute, paySeen},
		{"after it", watch.HonourFor + 3*time.Hour, payExpired},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := g.fixture(t)
			token := w.token(t)
			o := w.offer(t, token, 1)
			w.ledger.PassSlots(t, 200) // the transaction that was offered can land no more
			pays := w.clock.Now().Add(30*time.Second + c.late)
			if c.fate == payExpired {
				pays = pays.Add(-time.Hour) // it has been given up then
			}
			for w.clock.Now().Before(pays.Add(-30 * time.Minute)) {
				w.clock.Pass(29 * time.Minute)
				w.look(t)
			}
			w.execute(t, token.creator, w.transfer(o))
			w.finalize(t)
			w.clock.Pass(time.Hour)
			w.look(t)
			p := w.check(t, o, c.fate)
			if c.fate == paySeen && !p.StartsAt.Equal(w.clock.Now()) {
				t.Errorf("it began at %s, at %s", p.StartsAt, w.clock.Now())
			}
			w.clock.Pass(watch.HonourFor + 2*time.Hour)
			w.look(t)
			if fate, watched := w.fate(t, o); fate != c.fate || watched {
				t.Errorf("%s, watched %v", fate, watched)
			}
		})
	}
}

// payNode is the real chain with troubles that it does not have on demand.
type payNode struct {
	watch.PromotionChain
	height  uint64 // when it is not 0
	omits   bool   // lists nothing
	forgets bool   // lists transactions that it does not give
	down    error
	asked   func()
}

func (n *payNode) Finality(ctx context.Context) (onchain.Tip, error) {
	if n.down != nil || n.height != 0 {
		return onchain.Tip{Height: n.height}, n.down
	}
	return n.PromotionChain.Finality(ctx)
}

func (n *payNode) Mentions(ctx context.Context, address solana.PublicKey) ([]solana.Signature, bool, error) {
	if n.asked != nil {
		n.asked()
	}
	if n.omits {
		return nil, false, nil
	}
	return n.PromotionChain.Mentions(ctx, address)
}

func (n *payNode) Payments(ctx context.Context, signature solana.Signature, reference solana.PublicKey) (featured.Mention, error) {
	if n.forgets {
		return featured.Mention{}, errors.New("there is no such transaction")
	}
	return n.PromotionChain.Payments(ctx, signature, reference)
}

// TestLaggingNodeDecidesNothing tests that a lagging node decides nothing, however late the
// promotion is.
func TestLaggingNodeDecidesNothing(t *testing.T) {
	g := newPayEnv(t)
	for _, c := range []struct {
		name string
		node payNode
		err  bool
	}{
		{"its height is one at which the transaction can land", payNode{height: 1, omits: true}, false},
		{"it lists the payment and does not give it", payNode{forgets: true}, true},
		{"the node is down", payNode{down: errors.New("away")}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := g.fixture(t)
			token := w.token(t)
			o := w.offer(t, token, 1)
			w.ledger.PassSlots(t, 200)
			w.execute(t, token.creator, w.transfer(o))
			w.finalize(t)
			w.clock.Pass(30 * time.Hour)
			node := c.node
			node.PromotionChain = w.node
			watcher := w.watcher(t, nil)
			watcher.Chain = &node
			if _, err := watcher.Run(t.Context()); (err != nil) != c.err {
				t.Errorf("%v, want an error: %v", err, c.err)
			}
			w.check(t, o, payOpen)
			w.clock.Pass(time.Hour)
			w.look(t)
			w.check(t, o, paySeen)
		})
	}
}

// TestHeightIsReadBeforePayments tests that a payment that lands between the two reads is found.
func TestHeightIsReadBeforePayments(t *testing.T) {
	w := newPayEnv(t).fixture(t)
	token := w.token(t)
	o := w.offer(t, token, 1)
	w.clock.Pass(30 * time.Hour)
	node := &payNode{PromotionChain: w.node, omits: true, asked: func() { w.ledger.PassSlots(t, 200) }}
	watcher := w.watcher(t, nil)
	watcher.Chain = node
	_, err := watcher.Run(t.Context())
	payMust(t, err)
	w.check(t, o, payOpen)
}

// payCrowd names the reference in a number of transactions, none of which pays.
type payHolders struct {
	watch.PromotionChain
	size, read int
	more       bool
}

func (n *payHolders) Mentions(context.Context, solana.PublicKey) ([]solana.Signature, bool, error) {
	list := make([]solana.Signature, n.size)
	for i := range list {
		list[i] = solana.Signature{0: 1, 62: byte(i >> 8), 63: byte(i)}
	}
	return list, n.more, nil
}

func (n *payHolders) Payments(_ context.Context, signature solana.Signature, _ solana.PublicKey) (featured.Mention, error) {
	n.read++
	return featured.Mention{Signature: signature}, nil
}

// TestWorkIsBounded tests that a third party who names a reference in many transactions causes
// little work, and that the promotion still ends.
func TestWorkIsBounded(t *testing.T) {
	w := newPayEnv(t).fixture(t)
	o := w.offer(t, w.token(t), 1)
	w.ledger.PassSlots(t, 200)
	crowd := &payHolders{PromotionChain: w.node, size: 1000}
	watcher := w.watcher(t, nil)
	watcher.Chain = crowd
	looks := 0
	for fate := payOpen; fate == payOpen; fate, _ = w.fate(t, o) {
		w.clock.Pass(3 * time.Hour)
		before := crowd.read
		_, err := watcher.Run(t.Context())
		payMust(t, err)
		if crowd.read-before > 20 {
			t.Fatalf("one look reads %d transactions", crowd.read-before)
		}
		if looks++; looks > 50 {
			t.Fatal("it does not end")
		}
	}
	if reasons := w.log.reasons(t, o.id()); crowd.read != watch.MaxMentions || len(reasons) != watch.MaxMentions {
		t.Errorf("%d are read and %d logged in %d looks, want %d", crowd.read, len(reasons), looks, watch.MaxMentions)
	}

	// While there are older ones that the node did not list, nothing is judged, for the
	// payment may be among them, and nothing is given up.
	o = w.offer(t, w.token(t), 1)
	w.ledger.PassSlots(t, 200)
	endless := &payHolders{PromotionChain: w.node, size: 1, more: true}
	watcher.Chain = endless
	w.clock.Pass(30 * time.Hour)
	_, err := watcher.Run(t.Context())
	payMust(t, err)
	w.check(t, o, payOpen)
	if endless.read != 0 {
		t.Errorf("%d were judged", endless.read)
	}
}

// TestRunIsBounded tests that a bounded run leaves the rest to the next run.
func TestRunIsBounded(t *testing.T) {
	w := newPayEnv(t).fixture(t)
	token := w.token(t)
	for range 3 {
		w.clock.Pass(time.Second)
		w.offer(t, token, 1)
	}
	w.clock.Pass(time.Minute)
	watcher := w.watcher(t, nil)
	watcher.Max = 2
	for _, want := range []int{2, 1, 0} {
		counts, err := watcher.Run(t.Context())
		payMust(t, err)
		if counts[0].Name != "due" || counts[0].N != want {
			t.Errorf("%v, want %d due", counts, want)
		}
	}
}
