package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/proof/verify"
	"tokenlaunch.example/service/pkg/token/terms"
)

// result is the JSON result of a verification.
type result struct {
	// OK reports that no check failed. Complete reports that the wallet's history was also walked,
	// so that the proof omits no transaction of the wallet.
	OK       bool `json:"ok"`
	Complete bool `json:"complete"`
	// TooNew reports that no check failed, and that only a newer verifier can judge the proof.
	TooNew bool `json:"tooNew,omitempty"`
	// Unreachable names the check that was not possible because the files or the node did not
	// respond, have lost data, or lag. The proof is not refuted.
	Unreachable string  `json:"unreachable,omitempty"`
	Run         string  `json:"run,omitempty"`
	Mint        string  `json:"mint,omitempty"`
	Checks      []check `json:"checks"`
	Holder      *lookup `json:"holder,omitempty"`
	Number      uint64  `json:"number,omitempty"`
	// LeftOnTrust counts the owners that are left out for a reason that only the service states.
	LeftOnTrust *leftOnTrust `json:"leftOutOnTrust,omitempty"`
	// Attestation is the file that the caller signed.
	Attestation json.RawMessage `json:"attestation,omitempty"`
}

// leftOnTrust is LeftOnTrust of a verify.Report, with the supply.
type leftOnTrust struct {
	Owners  uint64        `json:"owners"`
	Balance format.Amount `json:"balance"`
	Supply  format.Amount `json:"supply"`
	words   string
}

type check struct {
	Name    string `json:"name"`
	Verdict string `json:"verdict"`
	Detail  string `json:"detail"`
}

// verdicts are the verdicts of package verify, for programs.
var verdicts = map[verify.Verdict]string{
	verify.Proven: "chain", verify.Consistent: "files", verify.Trusted: "trust", verify.Skipped: "skipped", verify.TooNew: "tooNew", verify.Failed: "failed",
}

func reportOf(r verify.Report) result {
	out := result{OK: r.OK(), Complete: r.Complete(), TooNew: r.TooNew(), Run: r.Manifest.RunID}
	if r.Manifest.Format == format.Format {
		out.Mint, out.Number = r.Manifest.Mint.String(), r.Manifest.Number
	}
	if left := r.LeftOnTrust; left != nil {
		out.LeftOnTrust = &leftOnTrust{left.Owners, left.Balance, r.Manifest.Snapshot.Supply, r.LeftOnTrustWords()}
	}
	if c, unreached := r.Unreached(); unreached {
		out.Unreachable = c.Name + ": " + c.Detail
	}
	for _, c := range r.Checks {
		out.Checks = append(out.Checks, check{c.Name, verdicts[c.Verdict], c.Detail})
	}
	return out
}

// isOf adds a check that the proof is for the requested run and token.
func (r *result) isOf(b bundleOf, report verify.Report) {
	if b.run == "" || report.Manifest.Format != format.Format {
		return
	}
	c := check{Name: "what was asked for", Verdict: verdicts[verify.Consistent], Detail: "it is the proof of that run and token"}
	wrong := ""
	switch manifest := report.Anchor.ManifestCID(); {
	case r.Run != b.run || r.Mint != b.mint.String():
		wrong = fmt.Sprintf("it is the proof of run %s of %s, not of %s of %s", r.Run, r.Mint, b.run, b.mint)
	case b.manifest != "" && manifest != b.manifest:
		wrong = fmt.Sprintf("the run's anchor fixes the manifest %s, not %s", manifest, b.manifest)
	}
	if wrong != "" {
		c.Verdict, c.Detail = verdicts[verify.Failed], wrong
		r.OK, r.Complete, r.TooNew, r.Unreachable = false, false, false, ""
	}
	r.Checks = append(r.Checks, c)
}

// err returns the command's error for the result.
func (r result) err() error {
	switch {
	case r.Unreachable != "":
		return errUnchecked
	case r.OK:
		return nil
	case r.TooNew:
		return errTooNew
	}
	return errUnproven
}

// words are the verdicts for people.
var words = map[string]string{
	"chain": string(verify.Proven), "files": string(verify.Consistent), "trust": string(verify.Trusted), "skipped": string(verify.Skipped), "tooNew": string(verify.TooNew), "failed": string(verify.Failed),
}

// verdict returns the first and last sentence of a report.
func (r result) verdict() string {
	switch {
	case r.TooNew:
		return "The proof is too new for this verifier, and NOT shown to be good: update the verifier. If the newest one reports the same, the proof does not hold."
	case r.Unreachable != "" && r.OK:
		return "The proof's files are good, and the chain could NOT be asked, so whether any of it happened is not shown: try again, or another node."
	case r.Unreachable != "":
		return "The proof could NOT be checked, and is not shown to be good or bad: its files cannot be reached. Try again."
	case !r.OK:
		return "The proof is NOT good."
	case r.Complete:
		return "The proof is good, and complete: nothing that the wallet did is left out." + r.trusted(" ")
	}
	return "The proof is good as far as it was checked, and NOT complete: see what was not checked."
}

// trusted returns LeftOnTrustWords after a separator, or nothing if the rows were not checked.
func (r result) trusted(separator string) string {
	if r.LeftOnTrust == nil {
		return ""
	}
	return separator + r.LeftOnTrust.words
}

func (p *program) showReport(r result, report verify.Report) {
	p.out.printf("%s\n\n", r.verdict())
	var rows [][]string
	for _, c := range r.Checks {
		lines := strings.Split(c.Detail, "\n")
		rows = append(rows, []string{words[c.Verdict], c.Name, lines[0]})
		for _, line := range lines[1:] {
			rows = append(rows, []string{"", "", "| " + line})
		}
	}
	p.out.columns(rows)
	for _, s := range report.Manifest.Statements {
		if !r.OK { // the values of a proof that does not hold are unproven claims
			break
		}
		p.out.printf("\n%s:\n  %s\n", s.Asset, s)
	}
	if r.Holder != nil {
		r.Holder.show(p)
	}
	p.out.printf("\n%s\n", r.verdict())
}

// lookup is the part of a proof about one wallet.
type lookup struct {
	Wallet string `json:"wallet"`
	Rows   []row  `json:"rows"`
	// LeftOut is the reason why the wallet has no share, and Balance the wallet's balance.
	LeftOut string `json:"leftOut,omitempty"`
	Balance uint64 `json:"balance,string"`
	// Before is the balance in the earlier snapshot, if the lesser of the two balances counts.
	Before *uint64 `json:"balanceBefore,omitempty,string"`
}

type row struct {
	Asset   string `json:"asset"`
	Balance uint64 `json:"balance,string"`
	// Before is the same as in lookup.
	Before    *uint64 `json:"balanceBefore,omitempty,string"`
	Share     uint64  `json:"share,string"`
	Owed      uint64  `json:"owedBefore,string"`
	Paid      uint64  `json:"paid,string"`
	Received  uint64  `json:"received,string"`
	Charged   uint64  `json:"charged,string"`
	Carried   uint64  `json:"carried,string"`
	Reason    string  `json:"reason,omitempty"`
	Signature string  `json:"signature,omitempty"`
	Index     uint64  `json:"index"`
	Size      uint64  `json:"size"`
	Path      int     `json:"path"`
	Root      string  `json:"root"`
}

// lookUp finds a wallet's rows, and checks the rows' inclusion under the anchor's root.
func lookUp(ctx context.Context, source format.Source, r verify.Report, wallet solana.PublicKey) (*lookup, error) {
	out := &lookup{Wallet: wallet.String(), Rows: []row{}}
	for _, l := range r.Manifest.Legs {
		a, err := terms.ParseAsset(l.Asset)
		if err != nil {
			return nil, err
		}
		found, ok, err := r.Manifest.Find(ctx, source, a, wallet)
		if err != nil {
			return nil, fmt.Errorf("look the holder up: %w", err)
		}
		if !ok {
			continue
		}
		if !found.Inclusion.Shown(r.Anchor.Root) {
			return nil, errors.New("the row is not under the anchor's root")
		}
		f := found.Row
		line := row{
			Asset: l.Asset, Balance: f.Balance, Share: f.Share, Owed: f.Owed, Paid: f.Paid, Received: f.Received, Charged: f.Charged,
			Carried: f.Carried, Index: found.Inclusion.Index, Size: found.Inclusion.Size, Path: len(found.Inclusion.Path), Root: r.Anchor.Root.String(),
		}
		if f.Held && f.Balance > 0 {
			line.Before = &f.Before
		}
		if f.Carried > 0 {
			line.Reason = f.Reason.Sentence()
		}
		if !f.Signature.IsZero() {
			line.Signature = f.Signature.String()
		}
		out.Rows = append(out.Rows, line)
	}
	left, ok, err := r.Manifest.FindLeftOut(ctx, source, wallet)
	if err != nil {
		return nil, fmt.Errorf("look the holder up: %w", err)
	}
	if ok {
		out.LeftOut, out.Balance = left.Why, left.Balance
		if left.Held {
			out.Before = &left.Before
		}
	}
	return out, nil
}

func (l lookup) show(p *program) {
	say := func(format string, values ...any) { p.out.printf(format+"\n", values...) }
	say("\n%s:", l.Wallet)
	for _, r := range l.Rows {
		say("  %s: balance %d%s, share %d and %d from before; paid %d, received %d, charged %d, kept for later %d",
			r.Asset, r.Balance, balanceBefore(r.Before), r.Share, r.Owed, r.Paid, r.Received, r.Charged, r.Carried)
		if r.Reason != "" {
			say("  %s", r.Reason)
		}
		if r.Signature != "" {
			say("  paid by %s", r.Signature)
		}
		say("  line %d of %d under the root %s, by a path of %d hashes", r.Index, r.Size, r.Root, r.Path)
	}
	switch {
	case l.LeftOut != "":
		say("  has no share of this run, with a balance of %d%s: %s", l.Balance, balanceBefore(l.Before), l.LeftOut)
	case len(l.Rows) == 0:
		say("  had nothing of the token at the snapshot, and was owed nothing")
	}
}

// balanceBefore formats the balance in the earlier snapshot; empty if that balance does not count.
func balanceBefore(before *uint64) string {
	if before == nil {
		return ""
	}
	return fmt.Sprintf(" and %d in the snapshot before, of which the lesser counts", *before)
}
