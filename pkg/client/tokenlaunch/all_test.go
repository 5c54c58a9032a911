package main_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	main "tokenlaunch.example/service/pkg/client/tokenlaunch"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/proof/verify"
	"tokenlaunch.example/service/pkg/token/content"
)

// kept copies the two runs that package proof keeps, and returns their anchors by number.
func kept(t *testing.T) (path string, anchors map[uint64]string) {
	t.Helper()
	path = t.TempDir()
	check(t, os.CopyFS(path, os.DirFS("../../proof/testdata/bundle")))
	files := format.Folder{Files: os.DirFS(path)}
	list, err := files.Anchors()
	check(t, err)
	anchors = map[uint64]string{}
	for _, cid := range list {
		raw, err := files.File(t.Context(), content.ProofAnchor, cid)
		check(t, err)
		a, err := verify.ReadAnchor(raw)
		check(t, err)
		anchors[a.Number] = cid
	}
	return path, anchors
}

// The chain is followed to the token's first proof, and where a file is gone, that is said.
func TestAllProofsAreVerified(t *testing.T) {
	path, anchors := kept(t)
	code, out, errs := call(t, "--all", "--anchor", anchors[2], path)
	if code != 0 || !strings.Contains(out, "proof 2\t") || !strings.Contains(out, "proof 1\t") || !strings.Contains(out, "All proofs (2) are good as far as they were checked, and NOT complete") {
		t.Errorf("%d\n%s%s", code, out, errs)
	}
	if code, out, _ := call(t, "--all", "--anchor", anchors[1], path); code != 0 || !strings.Contains(out, "All proofs (1) are good") {
		t.Errorf("only the first: %d\n%s", code, out)
	}
	raw, err := format.Folder{Files: os.DirFS(path)}.File(t.Context(), content.ProofAnchor, anchors[1])
	check(t, err)
	first, err := verify.ReadAnchor(raw)
	check(t, err)
	check(t, os.Remove(filepath.Join(path, anchors[1]+".tx")))
	code, out, _ = call(t, "--all", "--anchor", anchors[2], path)
	if code != 5 || !strings.Contains(out, "NOT followed to the first proof: proof 1, with the manifest "+first.ManifestCID()+": its files are not here any more. Proofs 1 to 1 are not verified") {
		t.Errorf("without the first anchor: %d\n%s", code, out)
	}
	check(t, os.WriteFile(filepath.Join(path, anchors[1]+".tx"), raw, 0o600))
	check(t, os.Remove(filepath.Join(path, first.ManifestCID()+".json")))
	code, out, _ = call(t, "--json", "--all", "--anchor", anchors[2], path)
	var all struct {
		OK       bool
		Complete bool
		Stopped  string
		Proofs   []struct{ OK bool }
	}
	check(t, json.Unmarshal([]byte(out), &all))
	if code != 5 || all.OK || all.Complete || !strings.Contains(all.Stopped, "not good") || len(all.Proofs) != 2 || !all.Proofs[0].OK {
		t.Errorf("without the first manifest: %d\n%s", code, out)
	}
}

// Nothing is signed without consent.
func TestAskingBeforeSigning(t *testing.T) {
	for answer, signs := range map[string]bool{"y\n": true, "YES\n": true, "yes": true, "n\n": false, "\n": false, "": false, "yeah\n": false, "no\nyes\n": false} {
		if err := main.Ask(answer); (err == nil) != signs {
			t.Errorf("Ask(%q) = %v, want consent %t", answer, err, signs)
		}
	}
}

// An incomplete proof is not signed, and an attestation by a key that was not named does not count.
func TestAttestations(t *testing.T) {
	path, anchors := kept(t)
	key := filepath.Join(path, "key.json")
	check(t, os.WriteFile(key, nil, 0o600)) // it is not even read
	out := filepath.Join(path, "attestation")
	code, _, errs := call(t, "--sign", key, "--out", out, "--anchor", anchors[2], path)
	if _, err := os.Stat(out); code != 1 || !strings.Contains(errs, "only a complete proof is attested") || err == nil {
		t.Errorf("verify --sign of an incomplete proof = %d %s, want 1 and no attestation", code, errs)
	}
	file, err := verify.EncodeAttestation(verify.Attestation{Text: "I say so", Key: format.Key(holder)})
	check(t, err)
	check(t, os.WriteFile(out, file, 0o600))
	code, report, _ := call(t, "--attestation", out, "--attested-by", holder.String(), "--anchor", anchors[2], path)
	if code != 5 || !strings.Contains(report, "witness") || !strings.Contains(report, "it is no text of an attestation") {
		t.Errorf("a text of their own: %d\n%s", code, report)
	}
	code, report, _ = call(t, "--attestation", out, "--attested-by", mint.String(), "--anchor", anchors[2], path)
	if code != 5 || !strings.Contains(report, mint.String()+" has attested nothing") {
		t.Errorf("of another key: %d\n%s", code, report)
	}
	for name, arguments := range map[string][]string{
		"no key is named":   {"--attestation", out},
		"nothing is signed": {"--out", out},
		"of several":        {"--all", "--sign", key},
		"all of a URL":      {"--all", "http://127.0.0.1:1/" + anchors[2] + ".tx"},
	} {
		if !strings.Contains(strings.Join(arguments, " "), "://") {
			arguments = append(arguments, "--anchor", anchors[2], path)
		}
		if code, _, errs := call(t, arguments...); code != 2 {
			t.Errorf("verify, %s = %d %s, want 2", name, code, errs)
		}
	}
}

// A proof that only a newer verifier can judge is uncertain, never good, and hides no other that
// does not hold.
func TestNewerProofIsUncertain(t *testing.T) {
	of := func(verdicts ...verify.Verdict) verify.Report {
		report := verify.Report{Manifest: format.Manifest{Format: format.Format, Number: 1}}
		for _, verdict := range verdicts {
			report.Checks = append(report.Checks, verify.Check{Name: "transactions on chain", Verdict: verdict, Detail: "list 999"})
		}
		return report
	}
	fine, newer, bad := of(verify.Proven), of(verify.TooNew), of(verify.TooNew, verify.Failed)
	for name, test := range map[string]struct {
		reports []verify.Report
		code    int
		says    string
	}{
		"good":              {[]verify.Report{fine}, 0, "The proof is good"},
		"too new":           {[]verify.Report{newer}, 4, "update the verifier"},
		"good, too new":     {[]verify.Report{fine, newer}, 4, "Of 2 proofs some are too new"},
		"bad and too new":   {[]verify.Report{bad}, 5, "NOT good"},
		"too new, then bad": {[]verify.Report{newer, bad}, 5, "NOT good"},
		"bad, then too new": {[]verify.Report{bad, newer}, 5, "NOT good"},
	} {
		text, code := main.Judged(test.reports...)
		if code != test.code || !strings.Contains(text, test.says) || (code > 0) == strings.Contains(text, "All proofs") {
			t.Errorf("%s: exit code %d, want %d with %q:\n%s", name, code, test.code, test.says, text)
		}
		if code == 4 && !strings.Contains(text, "too new\ttransactions on chain: list 999") {
			t.Errorf("%s: the check is not shown:\n%s", name, text)
		}
	}
}
