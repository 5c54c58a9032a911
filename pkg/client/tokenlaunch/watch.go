package main

import (
	"context"
	"sync/atomic"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/chain"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/token/content"
)

// watched is a source, and optionally a chain, that shows the progress of a verification.
type watched struct {
	format.Source

	node  chain.Node
	bar   *progress
	total atomic.Int64
	done  atomic.Int64
}

// first is the number of files that every proof has: the anchor and the manifest.
const first = 2

func watch(p *program, s format.Source, node chain.Node) *watched {
	w := &watched{Source: s, node: node, bar: p.start(first, "verify", false)}
	w.total.Store(first)
	return w
}

// chain returns the chain, or nil without a node.
func (w *watched) chain() chain.Node {
	if w.node == nil {
		return nil
	}
	return watchedChain{w.node, w}
}

// File reads a file. The manifest determines the number of later reads.
func (w *watched) File(ctx context.Context, kind content.Kind, cid string) ([]byte, error) {
	body, err := w.Source.File(ctx, kind, cid)
	if m, bad := format.DecodeManifest(body); err == nil && kind == content.ProofManifest && bad == nil && w.total.Load() == first {
		files := func(lines uint64) int64 { return int64((lines + format.ShardLines - 1) / format.ShardLines) } // #nosec G115 -- a number of files
		reads := 1 + files(m.Rows.Lines) + files(m.LeftOut.Lines) + files(m.Transactions.Lines)
		if w.node != nil {
			reads += 2*files(m.Rows.Lines) + files(m.LeftOut.Lines) + 2*files(m.Transactions.Lines)
		}
		w.total.Add(reads)
	}
	w.step("files")
	return body, err
}

func (w *watched) step(what string) {
	done := w.done.Add(1)
	w.bar.at(int(done), int(max(w.total.Load(), done)), what)
}

type watchedChain struct {
	chain.Node

	w *watched
}

// Landing reads the effects of a transaction.
func (c watchedChain) Landing(ctx context.Context, s solana.Signature) (chain.Transaction, error) {
	defer c.w.step("transactions")
	return c.Node.Landing(ctx, s)
}

// Page lists a part of an address's history. Each listed transaction adds a read to the total.
func (c watchedChain) Page(ctx context.Context, address solana.PublicKey, before solana.Signature) ([]chain.Listed, error) {
	page, err := c.Node.Page(ctx, address, before)
	c.w.total.Add(int64(len(page)))
	return page, err
}
