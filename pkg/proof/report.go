package proof

import (
	"fmt"
)

// Verdict is what came of a check.
type Verdict string

// The verdicts.
const (
	Passed  Verdict = "ok"
	Failed  Verdict = "FAILED"
	Skipped Verdict = "not checked"
)

// Check is one thing that was looked at.
type Check struct {
	Name    string
	Verdict Verdict
	// Detail says what was seen, or what does not hold.
	Detail string
}

// Report is what came of a verification.
type Report struct {
	Anchor Anchor
	// Manifest is the zero Manifest when it could not be read.
	Manifest Manifest
	Checks   []Check
}

// OK says whether nothing has failed, and the proof was there to be checked.
func (r Report) OK() bool {
	for _, c := range r.Checks {
		if c.Verdict == Failed {
			return false
		}
	}
	return r.Manifest.Format == Format
}

// Limits says what a proof does not show, however good it is.
func Limits() []string {
	return []string{
		"That the snapshot is what the chain had at its slot: the service took it. Its balances and the tax withheld add up to the supply, and any holder can check his own.",
		"That the exchange got the best price: only what it brought.",
		"That the owners who are left out are what their reason says; everybody can look at their accounts.",
		"That the limit for what is worth paying is the right one: only that it was the same for all.",
	}
}

// note adds a check: what err says, or what the detail says when there is none.
func (r *Report) note(name string, err error, detail string, values ...any) bool {
	if err != nil {
		r.Checks = append(r.Checks, Check{Name: name, Verdict: Failed, Detail: err.Error()})
		return false
	}
	r.Checks = append(r.Checks, Check{Name: name, Verdict: Passed, Detail: fmt.Sprintf(detail, values...)})
	return true
}

func (r *Report) skip(name, why string) {
	r.Checks = append(r.Checks, Check{Name: name, Verdict: Skipped, Detail: why})
}
