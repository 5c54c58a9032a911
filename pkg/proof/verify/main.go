// Command verify checks the proof of a distribution run.
//
//	go run tokenlaunch.example/service/pkg/proof/verify [--rpc URL] [--holder WALLET] FOLDER|URL
//
// FOLDER has the files of a proof, each named by its content id. URL is that of the
// proof's anchor, with the other files beside it: the proof link of a run, or an
// IPFS gateway's address of the anchor's content id. It needs no network but for a
// URL, and for --rpc, which checks what landed on the chain too.
//
// It exits with 0 when nothing failed, with 1 when something did, and with 2 when
// it was called wrongly.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"text/tabwriter"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/chain"
	"tokenlaunch.example/service/pkg/distribution"
	"tokenlaunch.example/service/pkg/proof"
)

const usage = `Usage: verify [--rpc URL] [--holder WALLET] [--anchor CID] FOLDER|URL

Checks the proof of a distribution run: recomputes who gets what from the
balances, and accounts for every unit.

  FOLDER           a folder with the files of the proof
  URL              the address of the proof's anchor, at the service or at an IPFS
                   gateway; the other files are beside it
  --rpc URL        also ask this Solana node what landed
  --holder WALLET  show what this wallet got, and why
  --anchor CID     which proof, when the folder has several
`

// Exit codes.
const (
	good  = 0
	bad   = 1
	wrong = 2
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// command is what was asked for.
type command struct {
	source proof.Source
	anchor string
	holder *solana.PublicKey
	chain  proof.Chain
}

func run(ctx context.Context, arguments []string, out, errs io.Writer) int {
	c, err := parse(arguments)
	if errors.Is(err, flag.ErrHelp) {
		_, _ = io.WriteString(out, usage)
		return good
	}
	if err != nil {
		_, _ = fmt.Fprintf(errs, "verify: %v\n\n%s", err, usage)
		return wrong
	}
	report, err := proof.Verify(ctx, c.source, c.anchor, c.chain)
	if err != nil {
		_, _ = fmt.Fprintf(errs, "verify: %v\n", err)
		return bad
	}
	show(out, report)
	if c.holder != nil && report.OK() {
		if err := c.showHolder(ctx, out, report); err != nil {
			_, _ = fmt.Fprintf(errs, "verify: %v\n", err)
			return bad
		}
	}
	if !report.OK() {
		return bad
	}
	return good
}

func parse(arguments []string) (command, error) {
	flags := flag.NewFlagSet("verify", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	rpc := flags.String("rpc", "", "")
	holder := flags.String("holder", "", "")
	anchor := flags.String("anchor", "", "")
	if err := flags.Parse(arguments); err != nil {
		return command{}, err
	}
	switch {
	case flags.NArg() == 0:
		return command{}, errors.New("say where the proof is: a folder, or the URL of its anchor")
	case flags.NArg() > 1:
		return command{}, fmt.Errorf("one folder or URL at a time, and options before it: %q is too much", flags.Args()[1:])
	}
	var c command
	var err error
	if where := flags.Arg(0); strings.HasPrefix(where, "http://") || strings.HasPrefix(where, "https://") {
		if *anchor != "" {
			return command{}, errors.New("--anchor is for folders; a URL names its anchor itself")
		}
		c.source, c.anchor, err = openURL(where)
	} else {
		c.source, c.anchor, err = openFolder(where, *anchor)
	}
	if err != nil {
		return command{}, err
	}
	if *holder != "" {
		key, err := solana.PublicKeyFromBase58(*holder)
		if err != nil {
			return command{}, errors.New("--holder is not the address of a wallet")
		}
		c.holder = &key
	}
	if *rpc != "" {
		node, err := chain.New(*rpc)
		if err != nil {
			return command{}, fmt.Errorf("--rpc: %w", err)
		}
		c.chain = node
	}
	return c, nil
}

func openFolder(path, anchor string) (proof.Source, string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, "", fmt.Errorf("open the folder: %w", err)
	}
	if !info.IsDir() {
		return nil, "", fmt.Errorf("%s is not a folder", path)
	}
	folder := proof.Folder{Files: os.DirFS(path)}
	if anchor != "" {
		return folder, strings.TrimSuffix(anchor, ".tx"), nil
	}
	anchors, err := folder.Anchors()
	if err != nil {
		return nil, "", err
	}
	switch len(anchors) {
	case 0:
		return nil, "", fmt.Errorf("%s has no anchor: no file whose name ends with .tx", path)
	case 1:
		return folder, anchors[0], nil
	}
	return nil, "", fmt.Errorf("%s has %d proofs: choose one with --anchor\n  %s", path, len(anchors), strings.Join(anchors, "\n  "))
}

func show(out io.Writer, r proof.Report) {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, c := range r.Checks {
		lines := strings.Split(c.Detail, "\n")
		_, _ = fmt.Fprintf(table, "%s\t%s\t%s\n", c.Verdict, c.Name, lines[0])
		for _, line := range lines[1:] {
			_, _ = fmt.Fprintf(table, "\t\t%s\n", line)
		}
	}
	_ = table.Flush()
	for _, s := range r.Manifest.Statements {
		_, _ = fmt.Fprintf(out, "\n%s:\n  %s\n", s.Asset, s)
	}
	if !r.OK() {
		_, _ = fmt.Fprintln(out, "\nThe proof is NOT good.")
		return
	}
	_, _ = fmt.Fprintln(out, "\nThe proof is good. It does not show:")
	for _, limit := range proof.Limits() {
		_, _ = fmt.Fprintf(out, "- %s\n", limit)
	}
}

func (c command) showHolder(ctx context.Context, out io.Writer, r proof.Report) error {
	_, _ = fmt.Fprintf(out, "\n%s:\n", c.holder)
	m := r.Manifest
	shown := 0
	for _, l := range m.Legs {
		a, err := distribution.ParseAsset(l.Asset)
		if err != nil {
			return err
		}
		found, ok, err := m.Find(ctx, c.source, a, *c.holder)
		if err != nil {
			return fmt.Errorf("look the holder up: %w", err)
		}
		if !ok {
			continue
		}
		shown++
		row := found.Row
		_, _ = fmt.Fprintf(out, "  %s: balance %d, share %d and %d from before; paid %d, received %d, charged %d, kept for later %d\n",
			l.Asset, row.Balance, row.Share, row.Owed, row.Paid, row.Received, row.Charged, row.Carried)
		if row.Carried > 0 {
			_, _ = fmt.Fprintf(out, "  %s\n", row.Reason.Sentence())
		}
		if !row.Signature.IsZero() {
			_, _ = fmt.Fprintf(out, "  paid by %s\n", row.Signature)
		}
		if !found.Inclusion.Shown(r.Anchor.Root) {
			return errors.New("the row is not under the anchor's root")
		}
		_, _ = fmt.Fprintf(out, "  line %d of %d under the root %s, by a path of %d hashes\n",
			found.Inclusion.Index, found.Inclusion.Size, r.Anchor.Root, len(found.Inclusion.Path))
	}
	left, ok, err := m.FindLeftOut(ctx, c.source, *c.holder)
	switch {
	case err != nil:
		return fmt.Errorf("look the holder up: %w", err)
	case ok:
		_, _ = fmt.Fprintf(out, "  has no share of this run, with a balance of %d: %s\n", left.Balance, left.Why)
	case shown == 0:
		_, _ = fmt.Fprintln(out, "  had nothing of the token at the snapshot, and was owed nothing")
	}
	return nil
}
