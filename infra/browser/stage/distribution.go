package stage

import (
	"context"
	"errors"
	"sync"

	"tokenlaunch.example/service/infra/local/runner"
	"tokenlaunch.example/service/infra/local/walkthrough"
)

// distribution is the one that the tests watch. Its steps are made once, however often
// they are asked for.
type distribution struct {
	ready chan struct{} // closed when the token has holders and trades, or failed to
	run   walkthrough.Distribution
	err   error

	opening, settling   sync.Once
	openErr, settledErr error
	result              settled
}

// settled is the tests' view of the run.
type settled struct {
	token

	RunID string `json:"runId"`
	Paid  string `json:"paid"` // a wallet
}

// prepare launches the token and lets it be traded, in the background.
func prepare(ctx context.Context, stack *runner.Stack, newLaunch func() (*walkthrough.Launch, error)) *distribution {
	d := &distribution{ready: make(chan struct{})}
	go func() {
		defer close(d.ready)
		l, err := newLaunch()
		if err == nil {
			err = l.Run(ctx)
		}
		if err == nil {
			d.run = walkthrough.Distribution{Launch: l, Schedule: stack, RPCURL: stack.Chain.RPCURL, Market: stack.Market}
			err = d.run.Prepare(ctx)
		}
		d.err = err
	}()
	return d
}

// traded waits until the token has holders and trades.
func (d *distribution) traded(ctx context.Context) (token, error) {
	select {
	case <-d.ready:
	case <-ctx.Done():
		return token{}, ctx.Err()
	}
	if d.err != nil {
		return token{}, d.err
	}
	return tokenOf(d.run.Launch), nil
}

func (d *distribution) open(ctx context.Context) error {
	if _, err := d.traded(ctx); err != nil {
		return err
	}
	d.opening.Do(func() { d.openErr = d.run.Open(context.WithoutCancel(ctx)) })
	return d.openErr
}

var errNonePaid = errors.New("the run paid none of the holders")

// settled waits until the run has settled and its proof was verified. It opens the slot
// when none has.
func (d *distribution) settled(ctx context.Context) (settled, error) {
	if err := d.open(ctx); err != nil {
		return settled{}, err
	}
	d.settling.Do(func() { d.settledErr = d.await(context.WithoutCancel(ctx)) })
	return d.result, d.settledErr
}

func (d *distribution) await(ctx context.Context) error {
	if err := d.run.Await(ctx); err != nil {
		return err
	}
	rows, err := d.run.Rows(ctx)
	if err != nil {
		return err
	}
	d.result = settled{token: tokenOf(d.run.Launch), RunID: d.run.Run.ID}
	for _, w := range d.run.Wallets() {
		if rows[w.PublicKey()].Paid > 0 {
			d.result.Paid = w.Address()
			return nil
		}
	}
	return errNonePaid
}
