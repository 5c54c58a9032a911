package lambdafn_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha512"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/lambda"

	"tokenlaunch.example/service/pkg/api/endpoint/signer"
	"tokenlaunch.example/service/pkg/aws/lambdafn"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/signing"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/wallet"
)

type mac struct{}

func (mac) Sum512(_ context.Context, message []byte) ([64]byte, error) {
	h := hmac.New(sha512.New, []byte("a key of the test"))
	h.Write(message)
	return [64]byte(h.Sum(nil)), nil
}

// empty is a ledger without payments; away does not answer.
type empty struct{ away bool }

func (e empty) Payment(context.Context, payout.ID) (payout.Payment, error) {
	if e.away {
		return payout.Payment{}, apperr.Upstream("The store", errors.New("away"))
	}
	return payout.Payment{}, payout.ErrNotFound
}

// signers invokes the signer as Lambda does, and waits while it is held.
type signers struct {
	core signing.Core
	hold chan struct{}
	mu   sync.Mutex
	// asked is the number of items of each call, underWay the number of calls in progress.
	asked    []int
	underWay int
}

func (s *signers) Invoke(ctx context.Context, in *lambda.InvokeInput, _ ...func(*lambda.Options)) (*lambda.InvokeOutput, error) {
	var r signing.Request
	if err := json.Unmarshal(in.Payload, &r); err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.asked = append(s.asked, len(r.Sign)+len(r.Seeds)+len(r.Addresses))
	s.underWay++
	if s.underWay > 1 {
		return nil, errors.New("two calls at a time")
	}
	s.mu.Unlock()
	if s.hold != nil {
		<-s.hold
	}
	answer, err := signer.Handler(s.core)(ctx, r)
	s.mu.Lock()
	s.underWay--
	s.mu.Unlock()
	if err != nil {
		payload, _ := json.Marshal(map[string]string{"errorMessage": err.Error()})
		return &lambda.InvokeOutput{FunctionError: aws.String("Unhandled"), Payload: payload}, nil
	}
	payload, err := json.Marshal(answer)
	return &lambda.InvokeOutput{Payload: payload}, err
}

func newSigners() *signers {
	return &signers{core: signing.Core{
		Wallets: wallet.Signer{Derivation: wallet.Derivation{MAC: mac{}}}, Payments: empty{}, Log: slog.New(slog.DiscardHandler),
	}}
}

func TestSignerRoundTrip(t *testing.T) {
	ctx := t.Context()
	s := newSigners()
	client := lambdafn.NewSigner(s, "signer-1")
	want, err := s.core.Wallets.Derivation.Address(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	if address, err := client.Address(ctx, id); err != nil || address != want {
		t.Errorf("the address is %s, %v; want %s", address, err, want)
	}
	w := token.Wallet{ID: id, Address: want}
	seed := payout.SeedOrder{Wallet: w, Payment: payout.ID{Run: "r", Kind: payout.Pay, Batch: 7, Part: "01"}, Generation: 2}
	direct, err := signing.Direct{Core: s.core}.Seed(ctx, seed)
	if got, failed := client.Seed(ctx, seed); err != nil || failed != nil || got != direct || len(got) != 22 {
		t.Errorf("the seed is %q, %v; want %q, %v", got, failed, direct, err)
	}
	if _, err := client.Sign(ctx, payout.Order{Wallet: w}); !errors.Is(err, payout.ErrNotSigned) {
		t.Errorf("an undecided order: %v", err)
	}
	other := seed
	other.Wallet.ID = "00000000-0000-4000-8000-000000000000"
	if _, err := client.Seed(ctx, other); !errors.Is(err, payout.ErrNotSigned) {
		t.Errorf("a wallet with another address: %v", err)
	}
	s.core.Payments = empty{away: true}
	if _, err := client.Sign(ctx, payout.Order{Wallet: w}); apperr.KindOf(err) != apperr.Unavailable || errors.Is(err, payout.ErrNotSigned) {
		t.Errorf("while the ledger is away: %v", err)
	}
	if _, err := client.Address(ctx, "no id"); apperr.KindOf(err) != apperr.Unavailable {
		t.Errorf("no id: %v", err)
	}
	for name, f := range map[string]fixed{
		"no response": {err: errors.New("down")}, "nothing": {}, "null": {payload: "null"}, "another answer": {payload: `{"seeds":[{"seed":"x"}]}`},
		"no signature": {payload: `{"signed":[{}]}`},
	} {
		if _, err := lambdafn.NewSigner(f, "").Sign(ctx, payout.Order{}); apperr.KindOf(err) != apperr.Unavailable {
			t.Errorf("Sign(), %s: %v, want an error of kind Unavailable", name, err)
		}
	}
}

// TestSignerBatchesConcurrentRequests tests that a process makes one call at a time.
func TestSignerBatchesConcurrentRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := t.Context()
		s := newSigners()
		s.hold = make(chan struct{})
		client := lambdafn.NewSigner(s, "signer-1")
		address, err := s.core.Wallets.Derivation.Address(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		seeds := make([]string, 1+signing.MaxOrders+20)
		var all sync.WaitGroup
		ask := func(n int) {
			all.Go(func() {
				var err error
				seeds[n], err = client.Seed(ctx, payout.SeedOrder{Wallet: token.Wallet{ID: id, Address: address}, Generation: n})
				if err != nil {
					t.Error(err)
				}
			})
		}
		ask(0)
		synctest.Wait()
		for n := range seeds[1:] {
			ask(1 + n)
		}
		synctest.Wait()
		close(s.hold)
		all.Wait()
		if fmt.Sprint(s.asked) != fmt.Sprint([]int{1, signing.MaxOrders, 20}) {
			t.Errorf("requested %v", s.asked)
		}
		for n, seed := range seeds {
			want, _ := signing.Direct{Core: s.core}.Seed(ctx, payout.SeedOrder{Wallet: token.Wallet{ID: id, Address: address}, Generation: n})
			if seed != want {
				t.Fatalf("the seed of %d is another one's", n)
			}
		}
	})
}
