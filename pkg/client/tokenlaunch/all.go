package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/proof/merkle"
	"tokenlaunch.example/service/pkg/proof/verify"
	"tokenlaunch.example/service/pkg/token/content"
)

// errGone is returned when no proof with the wanted manifest is published any more.
var errGone = errors.New("its files are not here any more")

// chainResult is the JSON result for all proofs of a token. OK and Complete cover every proof back
// to the first.
type chainResult struct {
	OK       bool `json:"ok"`
	Complete bool `json:"complete"`
	// TooNew reports that no proof failed, and that only a newer verifier can judge some proofs.
	TooNew bool `json:"tooNew,omitempty"`
	// Unreachable is the Unreachable of the first proof that has one, with the proof's number.
	Unreachable string `json:"unreachable,omitempty"`
	// Stopped is the reason why the chain was not followed to the first proof.
	Stopped string   `json:"stopped,omitempty"`
	Proofs  []result `json:"proofs"` // newest first
}

// verifyAll verifies a proof and all earlier proofs. Each proof names the earlier proof by hash.
func (v verifyCommand) verifyAll(p *program, b bundleOf, with verify.Options) error {
	switch {
	case v.Holder != "", v.Sign != "", len(v.AttestedBy) > 0:
		return usage("--holder, --sign and --attested-by are about one proof, and --all is about several")
	case strings.Contains(v.What, "://"):
		return usage("--all is for tokens and folders: a URL names one proof")
	}
	all := chainResult{OK: true, Complete: true}
	for number, wanted := uint64(0), (merkle.Hash{}); ; {
		report, err := verified(p, b, with)
		if err != nil {
			return err
		}
		one := reportOf(report)
		one.isOf(b, report)
		all.add(one)
		if !p.json {
			p.showOne(one, report)
		}
		if number > 0 && all.Stopped == "" && (report.Anchor.Manifest != wanted || report.Manifest.Number != number) {
			all.stop("proof %d was asked for, and there is proof %d with the manifest %s", number, report.Manifest.Number, report.Anchor.Manifest)
		}
		if all.Stopped != "" || report.Manifest.Number == 1 {
			break
		}
		number, wanted = report.Manifest.Number-1, report.Anchor.Previous
		if b, err = v.before(p, b, wanted); errors.Is(err, errGone) {
			all.stop("proof %d, with the manifest %s: %v. Proofs 1 to %d are not verified", number, format.CID(wanted), err, number)
			break
		} else if err != nil {
			return err
		}
	}
	if p.json {
		if err := p.write(all); err != nil {
			return err
		}
	} else {
		p.showAll(all)
	}
	return all.err()
}

func (c *chainResult) err() error {
	return result{OK: c.OK, TooNew: c.TooNew, Unreachable: c.Unreachable}.err()
}

// add adds a proof, and ends the chain at a bad proof. A proof that is too new does not end the
// chain.
func (c *chainResult) add(one result) {
	c.Proofs = append(c.Proofs, one)
	c.OK, c.Complete, c.TooNew = c.OK && one.OK, c.Complete && one.Complete, c.TooNew || one.TooNew
	if one.Unreachable != "" {
		c.Unreachable = cmp.Or(c.Unreachable, fmt.Sprintf("proof %d: %s", one.Number, one.Unreachable))
	}
	switch {
	case one.OK, one.TooNew:
	case one.Unreachable != "":
		c.Stopped = "a proof cannot be read, and so none that came before it"
	default:
		c.stop("a proof is not good, and what came before it rests on nothing")
	}
}

func (c *chainResult) stop(why string, values ...any) {
	c.OK, c.Complete, c.TooNew, c.Unreachable, c.Stopped = false, false, false, "", fmt.Sprintf(why, values...)
}

// before finds the proof whose manifest has this hash. It returns errGone if the files are not
// available.
func (v verifyCommand) before(p *program, of bundleOf, manifest merkle.Hash) (bundleOf, error) {
	if folder, ok := of.source.(format.Folder); ok {
		anchors, err := folder.Anchors()
		if err != nil {
			return bundleOf{}, err
		}
		for _, cid := range anchors {
			raw, err := folder.File(p.ctx, content.ProofAnchor, cid)
			if err != nil {
				return bundleOf{}, err
			}
			if a, err := verify.ReadAnchor(raw); err == nil && a.Manifest == manifest {
				return bundleOf{source: folder, anchor: cid}, nil
			}
		}
		return bundleOf{}, errGone
	}
	c, err := p.client(false)
	if err != nil {
		return bundleOf{}, err
	}
	for r, err := range c.AllRuns(p.ctx, v.What) {
		if err != nil {
			return bundleOf{}, err
		}
		if r.Proof != nil && r.Proof.CID == format.CID(manifest) {
			return ofRun(p, c, v.What, r.ID)
		}
	}
	return bundleOf{}, errGone
}

// showOne prints one proof of several: a line, and a line for each check that makes the proof bad
// or incomplete.
func (p *program) showOne(r result, report verify.Report) {
	word := "good, NOT complete"
	switch {
	case r.TooNew:
		word = "TOO NEW"
	case r.Unreachable != "":
		word = "could NOT be checked"
	case !r.OK:
		word = "NOT good"
	case r.Complete:
		word = "complete"
	}
	p.out.printf("proof %d\t%s\trun %s of %s\n", r.Number, word, r.Run, report.Manifest.Slot.Format("2006-01-02 15:04Z"))
	if r.Complete {
		p.out.printf("%s", r.trusted("\t")+"\n")
	}
	for _, c := range r.Checks {
		if slices.Contains([]string{verdicts[verify.Failed], verdicts[verify.TooNew], verdicts[verify.Skipped]}, c.Verdict) {
			p.out.printf("\t%s\t%s: %s\n", words[c.Verdict], c.Name, strings.ReplaceAll(c.Detail, "\n", "; "))
		}
	}
}

func (p *program) showAll(all chainResult) {
	switch {
	case all.Stopped != "":
		p.out.printf("\nThe chain is NOT followed to the first proof: %s.\n", all.Stopped)
	case all.TooNew:
		p.out.printf("\nOf %d proofs some are too new for this verifier, and NOT shown to be good: update the verifier.\n", len(all.Proofs))
	case all.Unreachable != "":
		p.out.printf("\nOf %d proofs some could NOT be checked: %s.\n", len(all.Proofs), all.Unreachable)
	case all.Complete:
		p.out.printf("\nAll proofs (%d) are good, and complete: nothing that the wallet ever did is left out.\n", len(all.Proofs))
	default:
		p.out.printf("\nAll proofs (%d) are good as far as they were checked, and NOT complete.\n", len(all.Proofs))
	}
}
