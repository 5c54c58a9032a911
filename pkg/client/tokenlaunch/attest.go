package main

import (
	"fmt"
	"os"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/proof/verify"
)

// maxAttestation is the maximum size of an attestation file, in bytes.
const maxAttestation = 1 << 16

// witnesses are the flags for attestations by third parties and by the caller.
type witnesses struct {
	Sign         string   `help:"When the proof is complete, sign with this key file that you found it so: an attestation." placeholder:"KEYPAIR"`
	Out          string   `help:"Where the attestation goes; behind the report if unset." placeholder:"FILE"`
	AttestedBy   []string `help:"Demand an attestation by this key. Only keys that you name count." placeholder:"KEY"`
	Attestations []string `help:"A file with an attestation." name:"attestation" placeholder:"FILE"`
}

// check rejects invalid combinations of flags.
func (w witnesses) check() error {
	switch {
	case w.Out != "" && w.Sign == "":
		return usage("--out is for what --sign signs")
	case len(w.Attestations) > 0 && len(w.AttestedBy) == 0:
		return usage("an attestation is worth what its key is worth to you: name the keys that count with --attested-by")
	}
	return nil
}

// add adds the attestations by the keys that the caller named to a report.
func (w witnesses) add(r *verify.Report) error {
	keys, err := addresses("--attested-by", w.AttestedBy)
	if err != nil {
		return err
	}
	list := make([]verify.Attestation, 0, len(w.Attestations))
	for _, name := range w.Attestations {
		info, err := os.Stat(name)
		if err != nil {
			return usage("--attestation: %v", err)
		}
		if info.Size() > maxAttestation {
			return usage("--attestation: %s has %d bytes", name, info.Size())
		}
		content, err := os.ReadFile(name) // #nosec G304 -- the caller's own file
		if err != nil {
			return usage("--attestation: %v", err)
		}
		a, err := verify.DecodeAttestation(content)
		if err != nil {
			return usage("--attestation: %s: %v", name, err)
		}
		list = append(list, a)
	}
	r.Attested(keys, list)
	return nil
}

// sign attests a complete proof, and returns the file, or nil without --sign.
func (w witnesses) sign(p *program, r verify.Report, markets []solana.PublicKey) ([]byte, error) {
	if w.Sign == "" {
		return nil, nil
	}
	text, err := verify.AttestationText(r, markets)
	if err != nil {
		return nil, fmt.Errorf("not signed: %w", err)
	}
	key, exposed, err := client.LoadKey(w.Sign)
	if err != nil {
		return nil, usage("--sign: %v", err)
	}
	if exposed {
		p.errs.printf("Warning: others can read %s. Say: chmod 600 %s\n", w.Sign, w.Sign)
	}
	signature, err := key.SignMessage(p.ctx, []byte(text))
	if err != nil {
		return nil, err
	}
	file, err := verify.EncodeAttestation(verify.Attestation{Text: text, Key: format.Key(key.PublicKey()), Signature: format.Signature(signature)})
	if err != nil || w.Out == "" {
		return file, err
	}
	if err := os.WriteFile(w.Out, file, 0o600); err != nil {
		return nil, fmt.Errorf("write the attestation: %w", err)
	}
	return file, nil
}

// addresses parses the values of a repeatable flag.
func addresses(name string, texts []string) ([]solana.PublicKey, error) {
	var list []solana.PublicKey
	for _, text := range texts {
		key, err := address(name, text)
		if err != nil {
			return nil, err
		}
		list = append(list, key)
	}
	return list, nil
}
