package main

import (
	"context"
	"sync/atomic"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof"
	"tokenlaunch.example/service/pkg/proof/chain"
	"tokenlaunch.example/service/pkg/token/content"
)

// watched is a source, and perhaps a chain, that shows how far a verification has come.
type watched struct {
	proof.Source

	node  chain.Node
	bar   *progress
	total atomic.Int64
	done  atomic.Int64
}

// first is what is read of every proof: the anchor and the manifest.
const first = 2

func watch(p *program, s proof.Source, node chain.Node) *watched {
	w := &watched{Source: s, node: node, bar: p.start(first, "verify", false)}
	w.total.Store(first)
	return w
}

// chain is the chain; nil when there is none.
func (w *watched) chain() chain.Node {
	if w.node == nil {
		return nil
	}
	return watchedChain{w}
}

// File reads a file. A manifest tells how much there will be to read.
func (w *watched) File(ctx context.Context, kind content.Kind, cid string) ([]byte, error) {
	body, err := w.Source.File(ctx, kind, cid)
	if m, bad := proof.DecodeManifest(body); err == nil && kind == content.ProofManifest && bad == nil && w.total.Load() == first {
		files := func(lines uint64) int64 { return int64((lines + proof.ShardLines - 1) / proof.ShardLines) } // #nosec G115 -- a number of files
		reads := 1 + files(m.Rows.Lines) + files(m.LeftOut.Lines) + files(m.Transactions.Lines)
		if w.node != nil {
			reads += files(m.Rows.Lines) + files(m.Transactions.Lines) + int64(m.Transactions.Lines) + first // #nosec G115 -- a number of transactions
		}
		w.total.Add(reads)
	}
	w.step("files")
	return body, err
}

// source is the watched one, which lists its files if it can.
func (w *watched) source() proof.Source {
	if lister, ok := w.Source.(proof.Lister); ok {
		return struct {
			*watched
			proof.Lister
		}{w, lister}
	}
	return w
}

func (w *watched) step(what string) {
	done := w.done.Add(1)
	w.bar.at(int(done), int(max(w.total.Load(), done)), what)
}

type watchedChain struct{ *watched }

// Landing asks what a transaction did.
func (c watchedChain) Landing(ctx context.Context, s solana.Signature) (chain.Transaction, error) {
	defer c.step("transactions")
	return c.node.Landing(ctx, s)
}

// Withdrawer asks who may withdraw a token's tax.
func (c watchedChain) Withdrawer(ctx context.Context, mint solana.PublicKey) (solana.PublicKey, error) {
	defer c.step("transactions")
	return c.node.Withdrawer(ctx, mint)
}

// Page lists a part of an address's history.
func (c watchedChain) Page(ctx context.Context, address solana.PublicKey, before solana.Signature) ([]chain.Listed, error) {
	return c.node.Page(ctx, address, before)
}
