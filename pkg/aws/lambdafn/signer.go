package lambdafn

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/signing"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/token/handover"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Signer invokes the signer function. It implements payout.Wallet and wallet.Deriver. Requests that
// arrive during a call are combined into the next call, so that a process makes one call at a time,
// no matter how many payments the process works on.
type Signer struct {
	client   API
	function string

	mu      sync.Mutex
	waiting []*asked
	calling bool
}

// NewSigner returns a client of the function with the given name.
func NewSigner(client API, function string) *Signer {
	return &Signer{client: client, function: function}
}

// asked is a request; exactly one of the fields before done is set.
type asked struct {
	order   *payout.Order
	receipt *payout.SeedOrder // the receipt whose seed is requested
	address string
	room    *signing.RoomOrder
	note    *signing.NoteOrder

	done   chan struct{}
	result signing.Result
	err    error
}

// signerTime is the maximum duration of a call. A call continues after the first requester has
// given up.
const signerTime = 25 * time.Second

// Sign signs the message of a payment; see payout.Wallet.
func (s *Signer) Sign(ctx context.Context, o payout.Order) (solana.Signature, error) {
	result, err := s.ask(ctx, &asked{order: &o})
	if err == nil && result.Signature.IsZero() {
		err = unanswered(errors.New("there is no signature"))
	}
	return result.Signature, err
}

// Seed returns the seed of a receipt; see payout.Wallet.
func (s *Signer) Seed(ctx context.Context, o payout.SeedOrder) (string, error) {
	result, err := s.ask(ctx, &asked{receipt: &o})
	if err == nil && result.Seed == "" {
		err = unanswered(errors.New("there is no seed"))
	}
	return result.Seed, err
}

// Address returns the address of the wallet with the given ID.
func (s *Signer) Address(ctx context.Context, walletID string) (solana.PublicKey, error) {
	result, err := s.ask(ctx, &asked{address: walletID})
	if err == nil && (result.Address.IsZero() || !result.Address.IsOnCurve()) {
		err = unanswered(fmt.Errorf("%s is not the address of a key", result.Address))
	}
	return result.Address, err
}

// Room returns the amount of an asset that payments of a token's active run can move now, in base
// units; see run.Rooms.
func (s *Signer) Room(ctx context.Context, mint solana.PublicKey, run string, asset terms.Asset) (uint64, error) {
	result, err := s.ask(ctx, &asked{room: &signing.RoomOrder{Mint: mint, Run: run, Asset: asset}})
	return result.Room, err
}

// Note records an order of a hand-over; see run.Handovers.
func (s *Signer) Note(ctx context.Context, mint solana.PublicKey, o handover.Order) (time.Time, error) {
	result, err := s.ask(ctx, &asked{note: &signing.NoteOrder{Mint: mint, Order: o}})
	if err == nil && result.At.IsZero() {
		err = unanswered(errors.New("there is no time"))
	}
	return result.At, err
}

// Revoke records the cancellation of an order of a hand-over; see run.Handovers.
func (s *Signer) Revoke(ctx context.Context, mint solana.PublicKey, o handover.Order) error {
	_, err := s.ask(ctx, &asked{note: &signing.NoteOrder{Mint: mint, Order: o, Revoke: true}})
	return err
}

// ask waits for the result of a request.
func (s *Signer) ask(ctx context.Context, a *asked) (signing.Result, error) {
	a.done = make(chan struct{})
	s.mu.Lock()
	s.waiting = append(s.waiting, a)
	if !s.calling {
		s.calling = true
		go s.call(context.WithoutCancel(ctx))
	}
	s.mu.Unlock()
	select {
	case <-ctx.Done():
		return signing.Result{}, unanswered(ctx.Err())
	case <-a.done:
	}
	if a.err != nil {
		return signing.Result{}, a.err
	}
	return a.result, a.result.Err()
}

// call sends waiting requests until no request is waiting.
func (s *Signer) call(ctx context.Context) {
	for {
		s.mu.Lock()
		part := s.waiting[:min(len(s.waiting), signing.MaxOrders)]
		s.waiting = s.waiting[len(part):]
		if len(part) == 0 {
			s.calling = false
			s.mu.Unlock()
			return
		}
		s.mu.Unlock()
		s.together(ctx, part)
		for _, a := range part {
			close(a.done)
		}
	}
}

// together makes a call, and distributes the results.
func (s *Signer) together(ctx context.Context, part []*asked) {
	ctx, cancel := context.WithTimeout(ctx, signerTime)
	defer cancel()
	var r signing.Request
	var signs, seeds, addresses, rooms, notes []*asked
	for _, a := range part {
		switch {
		case a.order != nil:
			r.Sign, signs = append(r.Sign, *a.order), append(signs, a)
		case a.receipt != nil:
			r.Seeds, seeds = append(r.Seeds, *a.receipt), append(seeds, a)
		case a.room != nil:
			r.Rooms, rooms = append(r.Rooms, *a.room), append(rooms, a)
		case a.note != nil:
			r.Notes, notes = append(r.Notes, *a.note), append(notes, a)
		default:
			r.Addresses, addresses = append(r.Addresses, a.address), append(addresses, a)
		}
	}
	answer, err := s.invoke(ctx, r)
	if err == nil && (len(answer.Signed) != len(signs) || len(answer.Seeds) != len(seeds) || len(answer.Addresses) != len(addresses) || len(answer.Rooms) != len(rooms) || len(answer.Notes) != len(notes)) {
		err = errors.New("the answer is to another request")
	}
	if err != nil {
		for _, a := range part {
			a.err = unanswered(err)
		}
		return
	}
	for n, a := range signs {
		a.result = answer.Signed[n]
	}
	for n, a := range seeds {
		a.result = answer.Seeds[n]
	}
	for n, a := range addresses {
		a.result = answer.Addresses[n]
	}
	for n, a := range rooms {
		a.result = answer.Rooms[n]
	}
	for n, a := range notes {
		a.result = answer.Notes[n]
	}
}

func (s *Signer) invoke(ctx context.Context, r signing.Request) (answer signing.Answer, err error) {
	payload, err := json.Marshal(r)
	if err != nil {
		return answer, fmt.Errorf("encode request: %w", err)
	}
	out, err := s.client.Invoke(ctx, &lambda.InvokeInput{FunctionName: aws.String(s.function), Payload: payload})
	if err != nil {
		return answer, fmt.Errorf("invoke %s: %w", s.function, err)
	}
	if out.FunctionError != nil {
		return answer, fmt.Errorf("function %s failed (%s): %.500s", s.function, *out.FunctionError, out.Payload)
	}
	if err := json.Unmarshal(out.Payload, &answer); err != nil {
		return answer, fmt.Errorf("decode answer: %w", err)
	}
	return answer, nil
}

func unanswered(cause error) error { return apperr.Upstream("The signer", cause) }
