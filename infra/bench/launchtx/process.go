package launchtx

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"tokenlaunch.example/service/infra/bench/report"
	"tokenlaunch.example/service/pkg/solana/wire"
)

// question is what a process of either side reads.
type question struct {
	Inputs  []input  `json:"inputs"`
	Measure *measure `json:"measure"` // nil: only the transactions are wanted
}

// measure says how often each work is done before it is measured and while it is.
type measure struct {
	Warm   int `json:"warm"`
	Rounds int `json:"rounds"`
}

// answer is what it writes.
type answer struct {
	// Transactions are the inputs', with both signatures, in base64.
	Transactions []string          `json:"transactions"`
	Samples      map[string]sample `json:"samples"` // by work
}

// sample is what so many times of a work took. Durations are in JSON as nanoseconds.
type sample struct {
	CPU   time.Duration `json:"cpu"`
	Wall  time.Duration `json:"wall"`
	Times int           `json:"times"`
}

// each gives what one takes of a duration of all.
func (s sample) each(of time.Duration) time.Duration { return of / time.Duration(s.Times) }

// Answer is our side in a process of its own: it reads a question and writes the answer, as
// infra/peer/launch.mjs does.
func Answer(_ context.Context, in io.Reader, out io.Writer) error {
	var q question
	if err := json.NewDecoder(in).Decode(&q); err != nil {
		return fmt.Errorf("read what to measure: %w", err)
	}
	a, err := ours(q)
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(a)
}

func ours(q question) (answer, error) {
	var d desk
	for _, in := range q.Inputs {
		l := in.launch()
		m, err := l.compile()
		if err != nil {
			return answer{}, err
		}
		d.launches, d.compiled = append(d.launches, l), append(d.compiled, m)
	}
	a := answer{Samples: map[string]sample{}}
	for _, l := range d.launches {
		text, err := l.transaction(l.mint, l.authority)
		if err != nil {
			return answer{}, err
		}
		a.Transactions = append(a.Transactions, text)
	}
	if q.Measure == nil {
		return a, nil
	}
	for _, w := range works {
		if _, err := d.take(w.do, q.Measure.Warm); err != nil {
			return answer{}, err
		}
	}
	var err error
	for _, w := range works {
		if a.Samples[w.name], err = d.take(w.do, q.Measure.Rounds); err != nil {
			return answer{}, err
		}
	}
	return a, nil
}

// desk has what works are done on.
type desk struct {
	launches []launch
	compiled []wire.Message
}

// take measures a work, done so many times.
func (d desk) take(do work, times int) (sample, error) {
	cpu, began := report.CPUTime(), time.Now()
	for n := range times {
		at := n % len(d.launches)
		if _, err := do(d.launches[at], d.compiled[at]); err != nil {
			return sample{}, err
		}
	}
	return sample{CPU: report.CPUTime() - cpu, Wall: time.Since(began), Times: times}, nil
}
