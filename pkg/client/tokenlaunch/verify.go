package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/client/bundle"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/proof/verify"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
)

type verifyCommand struct {
	What   string `arg:"" help:"A token (its id or mint), a folder with the files of a proof, or the URL of a proof's anchor or manifest, with the other files in the same directory."`
	RunID  string `arg:"" name:"run" optional:"" help:"Of a token: which distribution. The last one that is proven if unset."`
	RPC    string `help:"Also ask this Solana node what landed." name:"rpc" placeholder:"URL"`
	Holder string `help:"Show what this wallet got, and why." placeholder:"WALLET"`
	Anchor string `help:"Of a folder with several proofs: which." placeholder:"CID"`
	// Markets are keys, because only keys that the reader names may count.
	Markets []string `help:"Take this key for a market: the wallet may exchange tokens with it directly." name:"market" placeholder:"KEY"`
	All     bool     `help:"Verify the proofs before it, too, back to the token's first."`

	witnesses
}

// bundleOf locates the files of a proof, and names the run and the token that the proof must be
// for. For a directory or an address, any run and token is accepted.
type bundleOf struct {
	source      format.Source
	anchor, run string
	mint        solana.PublicKey
	// manifest is the content ID of the manifest that the anchor must fix; empty for any manifest.
	manifest string
}

// Run verifies a proof.
func (v verifyCommand) Run(p *program) error {
	if err := v.check(); err != nil {
		return err
	}
	var holder *solana.PublicKey
	if v.Holder != "" {
		key, err := address("--holder", v.Holder)
		if err != nil {
			return err
		}
		holder = &key
	}
	with, err := v.options()
	if err != nil {
		return err
	}
	b, err := v.open(p)
	if err != nil {
		return err
	}
	if v.All {
		return v.verifyAll(p, b, with)
	}
	report, err := verified(p, b, with)
	if err != nil {
		return err
	}
	if err := v.add(&report); err != nil {
		return err
	}
	result := reportOf(report)
	result.isOf(b, report)
	if holder != nil && result.OK {
		if result.Holder, err = lookUp(p.ctx, b.source, report, *holder); err != nil {
			return err
		}
	}
	var unsigned error
	if result.OK {
		result.Attestation, unsigned = v.sign(p, report, with.Markets)
	}
	if p.json {
		err = p.write(result)
	} else {
		p.showReport(result, report)
		if v.Out == "" {
			p.out.printf("%s", lines(result.Attestation))
		}
	}
	if err = errors.Join(err, unsigned); err == nil {
		err = result.err()
	}
	return err
}

// options returns the node and the markets from the flags.
func (v verifyCommand) options() (verify.Options, error) {
	markets, err := addresses("--market", v.Markets)
	if err != nil {
		return verify.Options{}, err
	}
	with := verify.Options{Markets: markets}
	if v.RPC == "" {
		return with, nil
	}
	node, err := solanarpc.New(v.RPC)
	if err != nil {
		return verify.Options{}, usage("--rpc: %v", err)
	}
	with.Node = remembering(node, v.RPC)
	return with, nil
}

// verified verifies one proof, and shows the progress.
func verified(p *program, b bundleOf, with verify.Options) (verify.Report, error) {
	watched := watch(p, b.source, with.Node)
	defer watched.bar.end()
	with.Node = watched.chain()
	return verify.Bundle(p.ctx, watched, b.anchor, with)
}

// open locates the files.
func (v verifyCommand) open(p *program) (bundleOf, error) {
	var b bundleOf
	var err error
	info, statErr := os.Stat(v.What)
	switch folder := statErr == nil && info.IsDir(); {
	case strings.HasPrefix(v.What, "http://"), strings.HasPrefix(v.What, "https://"):
		return v.ofURL(p)
	case folder || strings.ContainsAny(v.What, `/\.`):
		b.source, b.anchor, err = bundle.OpenFolder(v.What, v.Anchor)
	default:
		return v.ofToken(p)
	}
	switch {
	case err != nil:
		return b, usage("%v", err)
	case v.RunID != "":
		return b, errRunOfProof(v.What)
	}
	return b, nil
}

func errRunOfProof(what string) error {
	return usage("a run is for a token: %s names its proof itself", what)
}

// ofToken requests the location of the proof from the API.
func (v verifyCommand) ofToken(p *program) (bundleOf, error) {
	if v.Anchor != "" {
		return bundleOf{}, usage("--anchor is for folders: name the run of the token")
	}
	c, err := p.client(false)
	if err != nil {
		return bundleOf{}, err
	}
	if v.RunID != "" {
		return ofRun(p, c, v.What, v.RunID)
	}
	r, err := c.NewestProven(p.ctx, v.What)
	if err != nil {
		return bundleOf{}, err
	}
	return ofProof(p, v.What, r)
}

// ofRun requests the location of the proof of one run from the API.
func ofRun(p *program, c *client.Client, token, id string) (bundleOf, error) {
	r, err := c.GetRun(p.ctx, token, id)
	if err != nil {
		return bundleOf{}, err
	}
	if r.Anchor == nil || r.Anchor.Transaction == nil {
		return bundleOf{}, fmt.Errorf("the run %s is %s, and has no proof yet", r.ID, r.Status)
	}
	return ofProof(p, token, r)
}

// ofProof opens the proof of a run that has an anchor.
func ofProof(p *program, token string, r client.Run) (bundleOf, error) {
	b := bundleOf{run: r.ID, mint: r.MintAddress}
	if mint, err := solana.PublicKeyFromBase58(token); err == nil {
		b.mint = mint
	}
	var err error
	b.source, b.anchor, err = bundle.OpenNamed(p.api, r.Anchor.Transaction.URL)
	if err == nil && b.anchor != r.Anchor.Transaction.CID {
		err = fmt.Errorf("the run's proof is at %s, and its anchor is %s", r.Anchor.Transaction.URL, r.Anchor.Transaction.CID)
	}
	return b, err
}
