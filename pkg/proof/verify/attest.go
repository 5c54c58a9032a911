package verify

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/auth"
	"tokenlaunch.example/service/pkg/proof/format"
)

// attestationDomain is the first line of every attestation's text. As with the first line of an
// order (package terms), no transaction begins with this line. No order begins with this line
// either.
const attestationDomain = "Tokenlaunch proof attestation"

// checkWitness is the name of the check that a witness named by the reader has attested the proof.
const checkWitness = "witness"

// ErrIncomplete is returned when the report of a new attestation is not complete.
var ErrIncomplete = errors.New("only a complete proof is attested")

// Attestation is a witness's signature over the proof that the witness rebuilt from the chain. The
// JSON tags are the format of the file. An attestation alone proves nothing. The worth of an
// attestation is the reader's trust in the witness's key.
type Attestation struct {
	Text      string           `json:"text"`
	Key       format.Key       `json:"key"`
	Signature format.Signature `json:"signature"`
}

// AttestationText returns the text, in ASCII, that a witness signs for a complete proof. markets
// are the market keys of the witness's verification. The text fixes the settings, the snapshot and
// all payments, because the text contains the manifest's hash. It returns ErrIncomplete for an
// incomplete report.
func AttestationText(r Report, markets []solana.PublicKey) (string, error) {
	if !r.Complete() {
		return "", ErrIncomplete
	}
	return attestationText(r, markets), nil
}

func attestationText(r Report, markets []solana.PublicKey) string {
	named := "none"
	if len(markets) > 0 {
		list := make([]string, 0, len(markets))
		for _, key := range markets {
			list = append(list, key.String())
		}
		slices.Sort(list)
		named = strings.Join(slices.Compact(list), ",")
	}
	return strings.Join([]string{
		attestationDomain,
		"Token: " + r.Manifest.Mint.String(),
		"Run: " + r.Manifest.RunID,
		fmt.Sprintf("Number: %d", r.Manifest.Number),
		"Manifest: " + r.Anchor.Manifest.String(),
		"Anchor: " + r.Anchor.Signature.String(),
		"Rows: " + r.Manifest.Rows.Root,
		"Left out: " + r.Manifest.LeftOut.Root,
		"Verdict: complete",
		"Markets: " + named,
	}, "\n")
}

// EncodeAttestation returns the attestation's file.
func EncodeAttestation(a Attestation) ([]byte, error) { return format.EncodeJSON(a) }

// DecodeAttestation decodes the output of EncodeAttestation, and rejects any other input.
func DecodeAttestation(content []byte) (Attestation, error) {
	var a Attestation
	if err := format.DecodeJSON(content, &a); err != nil {
		return Attestation{}, fmt.Errorf("the attestation: %w", err)
	}
	return a, nil
}

// Check returns an error unless the key signed that the report's proof is complete. markets are the
// market keys of the witness's verification.
func (a Attestation) Check(r Report) (markets []solana.PublicKey, err error) {
	const last = "\nMarkets: "
	at := strings.LastIndex(a.Text, last)
	if at < 0 {
		return nil, errors.New("it is no text of an attestation")
	}
	if named := a.Text[at+len(last):]; named != "none" {
		for text := range strings.SplitSeq(named, ",") {
			key, err := format.ParseKey(text)
			if err != nil {
				return nil, err
			}
			markets = append(markets, key)
		}
	}
	if a.Text != attestationText(r, markets) {
		return nil, errors.New("it is of another proof, or not in its one spelling")
	}
	if !auth.Signed(a.Key.PublicKey(), []byte(a.Text), solana.Signature(a.Signature)) {
		return nil, fmt.Errorf("%s has not signed it", a.Key)
	}
	return markets, nil
}

// Attested adds a check for every witness's key that the reader names. The check fails if no
// attestation in list is by this key and of this proof. Attestations by other keys do not count.
func (r *Report) Attested(by []solana.PublicKey, list []Attestation) {
	for _, key := range by {
		why := fmt.Errorf("%s has attested nothing of what is here", key)
		for _, a := range list {
			if a.Key.PublicKey() != key {
				continue
			}
			var markets []solana.PublicKey
			if markets, why = a.Check(*r); why != nil {
				why = fmt.Errorf("the attestation of %s: %w", key, why)
				continue
			}
			r.trust(checkWitness, fmt.Sprintf("%s signed that they rebuilt this proof from the chain and found it complete, with %d keys taken for markets: %v", key, len(markets), markets))
			break
		}
		if why != nil {
			r.add(Failed, checkWitness, why, "")
		}
	}
}
