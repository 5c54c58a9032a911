package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/url"
	"path"

	"tokenlaunch.example/service/pkg/client/bundle"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/token/content"
)

// opened is a source with one file in memory. A different second response of the server therefore
// has no effect.
type opened struct {
	format.Source

	cid  string
	body []byte
	err  error
}

// File reads a file.
func (o opened) File(ctx context.Context, kind content.Kind, cid string) ([]byte, error) {
	if cid == o.cid {
		return o.body, o.err
	}
	return o.Source.File(ctx, kind, cid)
}

// ofURL locates the files of a proof by the address of the anchor or the manifest. ofURL compares
// the file with the content ID first. Only the author of a file can choose the content for a
// content ID, so a file of another kind is the caller's mistake. Any other content comes from the
// server, and does not refute the proof.
func (v verifyCommand) ofURL(p *program) (bundleOf, error) {
	switch {
	case v.RunID != "":
		return bundleOf{}, errRunOfProof(v.What)
	case v.Anchor != "":
		return bundleOf{}, usage("--anchor is for folders: a URL names its anchor itself")
	}
	source, cid, err := bundle.OpenURL(v.What)
	if err != nil {
		return bundleOf{}, usage("%v", err)
	}
	if !format.IsCID(cid) {
		return bundleOf{}, usage("%s is not the address of a proof's anchor: it does not end with the content id of a file", v.What)
	}
	kind := content.ProofAnchor
	if u, err := url.Parse(v.What); err == nil && path.Ext(u.Path) == content.ProofManifest.Extension {
		kind = content.ProofManifest
	}
	body, err := source.File(p.ctx, kind, cid)
	switch {
	case errors.Is(err, format.ErrAltered), err == nil && format.CID(sha256.Sum256(body)) != cid:
		body, err = nil, fmt.Errorf("the server returns another content than that of %s", cid)
	case err != nil: // reported later
	default:
		if m, err := format.DecodeManifest(body); err == nil {
			return v.ofManifest(p, cid, m)
		}
		if _, err := wire.ParseTransaction(body); err != nil {
			return bundleOf{}, usage("%s is not the address of a proof's anchor: the file is neither a transaction nor a manifest", v.What)
		}
	}
	return bundleOf{source: opened{source, cid, body, err}, anchor: cid}, nil
}

// ofManifest locates the anchor of a manifest by requesting the manifest's run from the API.
func (v verifyCommand) ofManifest(p *program, cid string, m format.Manifest) (bundleOf, error) {
	c, err := p.client(false)
	if err != nil {
		return bundleOf{}, err
	}
	b, err := ofRun(p, c, m.Mint.String(), m.RunID)
	if err != nil {
		return bundleOf{}, usage("%s is the manifest of a proof, and verify needs its anchor, which %s does not name: %v. With another API: tokenlaunch verify %s %s",
			v.What, p.api, err, m.Mint, m.RunID)
	}
	b.manifest = cid
	return b, nil
}
