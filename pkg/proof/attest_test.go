package proof_test

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/proof/verify"
)

// attest signs a text with a key.
func attest(key ed25519.PrivateKey, text string) verify.Attestation {
	return verify.Attestation{
		Text: text, Key: format.Key(key.Public().(ed25519.PublicKey)),
		Signature: format.Signature(ed25519.Sign(key, []byte(text))),
	}
}

// A witness signs what was walked alone, and only the keys that a reader names count.
func TestOnlyNamedWitnessesOfThisProofCount(t *testing.T) {
	s := newShelf()
	one, two := twoScripts()
	first := s.run(t, one, nil)
	second := s.run(t, two, &first)
	offline, _ := verified(t, s.folder(), second.anchor)
	if _, err := verify.AttestationText(offline, nil); !errors.Is(err, verify.ErrIncomplete) {
		t.Errorf("what was not walked is attested: %v", err)
	}
	earlier, _ := asked(t, s.folder(), first.anchor, onChain(t, first))
	walked, _ := asked(t, s.folder(), second.anchor, onChain(t, second))
	text, err := verify.AttestationText(walked, []solana.PublicKey{stranger, developer, stranger})
	check(t, err)
	other, err := verify.AttestationText(earlier, nil)
	check(t, err)
	good := attest(strangersKey, text)
	witness := good.Key
	bad := func(change func(*verify.Attestation)) verify.Attestation {
		a := attest(strangersKey, text)
		change(&a)
		return a
	}
	says := func(change func(string) string) verify.Attestation { return attest(strangersKey, change(text)) }
	for name, a := range map[string]verify.Attestation{
		"of another proof":             attest(strangersKey, other),
		"by another key":               attest(walletKey, text),
		"by another key in their name": {Text: text, Key: witness, Signature: attest(walletKey, text).Signature},
		"without a signature":          bad(func(a *verify.Attestation) { a.Signature = format.Signature{} }),
		"of the order's domain":        says(func(s string) string { return strings.Replace(s, "proof attestation", "distribution settings", 1) }),
		"of an incomplete proof":       says(func(s string) string { return strings.Replace(s, "complete", "incomplete", 1) }),
		"with a line more":             says(func(s string) string { return strings.Replace(s, "\nVerdict", "\nVerdict: bad\nVerdict", 1) }),
		"with a text before":           says(func(s string) string { return "I do not think that\n" + s }),
		"with a text behind":           says(func(s string) string { return s + "\n" }),
		"with markets twice":           says(func(s string) string { return s + "," + stranger.String() }),
		"with markets out of order": says(func(s string) string {
			m, n, _ := strings.Cut(s[strings.LastIndex(s, " ")+1:], ",")
			return s[:strings.LastIndex(s, " ")+1] + n + "," + m
		}),
		"with a market that is no key":      says(func(s string) string { return s + ",x" }),
		"empty":                             {Key: witness},
		"signed by a key that anyone holds": {Text: text, Signature: format.Signature{0: 1}},
	} {
		by := solana.PublicKey(witness)
		if name == "signed by a key that anyone holds" {
			by = solana.PublicKey{}
		}
		r := walked
		r.Attested([]solana.PublicKey{by}, []verify.Attestation{a})
		if r.OK() || r.Complete() {
			t.Errorf("%s: it counts", name)
		}
		r = walked
		r.Attested(nil, []verify.Attestation{a})
		if len(r.Checks) != len(walked.Checks) {
			t.Errorf("%s: a witness counts whom the reader has not named", name)
		}
		r = walked
		r.Attested([]solana.PublicKey{solana.PublicKey(witness)}, []verify.Attestation{a, good})
		if !r.Complete() {
			t.Errorf("%s: a good attestation next to it does not count", name)
		}
	}
	r := offline
	r.Attested([]solana.PublicKey{solana.PublicKey(witness)}, []verify.Attestation{good})
	if last := r.Checks[len(r.Checks)-1]; !r.OK() || r.Complete() || last.Verdict != verify.Trusted || !strings.Contains(last.Detail, developer.String()) {
		t.Errorf("what a witness says is no look at the chain: %+v, complete: %v", last, r.Complete())
	}
	file, err := verify.EncodeAttestation(good)
	check(t, err)
	if again, err := verify.DecodeAttestation(file); err != nil || again != good {
		t.Errorf("%+v: %v", again, err)
	}
	for name, content := range map[string][]byte{
		"twice": append(bytes.Clone(file), file...), "a field more": bytes.Replace(file, []byte("{"), []byte(`{"a": 1,`), 1), "nothing": nil,
	} {
		if _, err := verify.DecodeAttestation(content); err == nil {
			t.Errorf("%s: it is read", name)
		}
	}
}
