package verify

import (
	"errors"
	"fmt"
	"math/big"
	"slices"

	"tokenlaunch.example/service/pkg/proof/chain"
	"tokenlaunch.example/service/pkg/proof/format"
)

// Verdict is the result of a check: the strength of the evidence.
type Verdict string

// The verdicts.
const (
	// Proven marks a claim that the chain shows, as far as the node's responses go.
	Proven Verdict = "proven on the chain"
	// Consistent marks a claim that the files show, together with the anchor's signature.
	Consistent Verdict = "proven from the files"
	// Trusted marks a claim for which only the service vouches.
	Trusted Verdict = "taken on trust"
	// Skipped marks a claim that could be shown and was not checked.
	Skipped Verdict = "not checked"
	// TooNew marks a claim beyond this verifier, because the proof names a later trust list.
	TooNew Verdict = "too new"
	Failed Verdict = "FAILED"
)

// Check is a checked claim, with the verdict.
type Check struct {
	Name    string
	Verdict Verdict
	// Detail describes the observation, or the contradiction.
	Detail string
	// Unreached reports whether the check is Skipped because a node or a source did not respond,
	// has deleted the data, or does not have the data yet.
	Unreached bool `json:"-"`
}

// Report is the result of a verification.
type Report struct {
	Anchor format.Anchor
	// Manifest is zero if the manifest is unreadable.
	Manifest format.Manifest
	Checks   []Check
	// LeftOnTrust is the tally of the owners who are left out for a reason that only the service
	// states, such as program_owned. Nil means that the rows were not checked.
	LeftOnTrust *format.Tally
	// partial reports whether a file could not be reached.
	partial bool
}

// OK reports whether the manifest and all files were read, and no check is Failed or TooNew.
func (r Report) OK() bool {
	return !r.has(Failed) && !r.has(TooNew) && r.Manifest.Format == format.Format && !r.partial
}

// Unreached returns the first check that a failure of a node or a source prevented. It returns
// false if every check was possible, or if the proof is refuted or too new anyway. OK may be true
// for such a proof if all of the proof's files were available.
func (r Report) Unreached() (Check, bool) {
	at := slices.IndexFunc(r.Checks, func(c Check) bool { return c.Unreached })
	if at < 0 || r.has(Failed) || r.has(TooNew) {
		return Check{}, false
	}
	return r.Checks[at], true
}

// TooNew reports whether only a newer verifier can judge the proof: no check is Failed, and a check
// is TooNew. Such a proof is not verified, and not refuted.
func (r Report) TooNew() bool { return !r.has(Failed) && r.has(TooNew) }

// Complete reports whether the report is OK and has no gaps. The histories were walked, so every
// transaction of the wallet was judged. No amount is undecided or explained only by the service. No
// check is Skipped.
func (r Report) Complete() bool {
	walked := slices.ContainsFunc(r.Checks, func(c Check) bool { return c.Name == checkHistory && c.Verdict == Proven })
	unexplained := slices.ContainsFunc(r.Checks, func(c Check) bool { return c.Name == checkUndecided || c.Name == checkAdjustment })
	return r.OK() && walked && !unexplained && !r.has(Skipped)
}

// LeftOnTrustWords is a sentence with the number of LeftOnTrust and their share of the supply,
// rounded up to a hundredth of a percent; empty if LeftOnTrust is nil.
func (r Report) LeftOnTrustWords() string {
	switch {
	case r.LeftOnTrust == nil:
		return ""
	case r.LeftOnTrust.Owners == 0:
		return "No owner is left out on the service's word."
	}
	one := big.NewInt(1)
	supply := new(big.Int).SetUint64(max(1, uint64(r.Manifest.Snapshot.Supply)))
	parts := new(big.Int).SetUint64(uint64(r.LeftOnTrust.Balance))
	parts.Mul(parts, big.NewInt(10_000)).Add(parts, supply).Sub(parts, one).Div(parts, supply)
	share := parts.Uint64()
	if r.LeftOnTrust.Owners == 1 {
		return fmt.Sprintf("1 owner with %d.%02d %% of the supply is left out on the service's word.", share/100, share%100)
	}
	return fmt.Sprintf("%d owners with %d.%02d %% of the supply are left out on the service's word.", r.LeftOnTrust.Owners, share/100, share%100)
}

func (r Report) has(v Verdict) bool {
	return slices.ContainsFunc(r.Checks, func(c Check) bool { return c.Verdict == v })
}

// The checks that decide whether a proof is complete: the walk of the histories, and the amounts
// without a transaction that explains the amount.
const (
	checkHistory    = "history"
	checkUndecided  = "undecided"
	checkAdjustment = "adjustment"
)

// checkLeftOut is the name of the trusted reasons for leaving out owners.
const checkLeftOut = "left out"

// note adds a check of the files. The check has the error, or the detail if err is nil.
func (r *Report) note(name string, err error, detail string, values ...any) bool {
	r.partial = r.partial || errors.Is(err, errUnreached)
	return r.add(Consistent, name, err, detail, values...)
}

// proven adds a check of the chain.
func (r *Report) proven(name string, err error, detail string, values ...any) bool {
	return r.add(Proven, name, err, detail, values...)
}

// unchecked reports whether an error neither proves nor refutes the proof.
func unchecked(err error) bool { return errors.Is(err, chain.ErrHistoryIncomplete) || unreached(err) }

func unreached(err error) bool {
	return errors.Is(err, chain.ErrUntold) || errors.Is(err, errUnreached)
}

func (r *Report) add(good Verdict, name string, err error, detail string, values ...any) bool {
	if unchecked(err) {
		r.Checks = append(r.Checks, Check{Name: name, Verdict: Skipped, Detail: err.Error(), Unreached: unreached(err)})
		return false
	}
	if err != nil {
		r.Checks = append(r.Checks, Check{Name: name, Verdict: Failed, Detail: err.Error()})
		return false
	}
	r.Checks = append(r.Checks, Check{Name: name, Verdict: good, Detail: fmt.Sprintf(detail, values...)})
	return true
}

// tooNew adds a claim that only a newer verifier can judge.
func (r *Report) tooNew(name, detail string, values ...any) {
	r.Checks = append(r.Checks, Check{Name: name, Verdict: TooNew, Detail: fmt.Sprintf(detail, values...)})
}

// skip adds an omitted check. trust adds a claim of the service.
func (r *Report) skip(name, why string) {
	r.Checks = append(r.Checks, Check{Name: name, Verdict: Skipped, Detail: why})
}

func (r *Report) trust(name, what string) {
	r.Checks = append(r.Checks, Check{Name: name, Verdict: Trusted, Detail: what})
}
