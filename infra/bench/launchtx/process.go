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

// question is the input of a process of either side.
type question struct {
	Inputs  []input  `json:"inputs"`
	Measure *measure `json:"measure"` // nil: only build the transactions
}

// measure is the number of repetitions of each work before and during the measurement.
type measure struct {
	Warm   int `json:"warm"`
	Rounds int `json:"rounds"`
}

// answer is the output of a process.
type answer struct {
	// Transactions are the inputs' transactions, with both signatures, in base64.
	Transactions []string          `json:"transactions"`
	Samples      map[string]sample `json:"samples"` // by work
}

// sample is the cost of Times repetitions of a work. Durations are in JSON as nanoseconds.
type sample struct {
	CPU   time.Duration `json:"cpu"`
	Wall  time.Duration `json:"wall"`
	Times int           `json:"times"`
}

// each returns the time of a single repetition.
func (s sample) each(of time.Duration) time.Duration { return of / time.Duration(s.Times) }

// Answer runs our side in a separate process: it reads a question and writes the answer, like
// infra/peer/launch.mjs.
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

// desk has the arguments of works.
type desk struct {
	launches []launch
	compiled []wire.Message
}

// take measures the given number of repetitions of a work.
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
