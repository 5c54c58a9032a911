package write

import (
	"bytes"
	"context"
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/proof/merkle"
	"tokenlaunch.example/service/pkg/token/content"
)

// tableWriter writes a list, line by line.
type tableWriter struct {
	save   func(ctx context.Context, kind content.Kind, body []byte) (string, error)
	header string

	table format.Table
	root  merkle.Tree

	shard       []byte
	shardRoot   merkle.Tree
	shardBegins format.Part
	files       []format.Part
	fileRoots   merkle.Tree
}

// add appends a line of a leg; owner is whose it is; nil: none.
func (w *tableWriter) add(ctx context.Context, line []byte, leg int, owner *solana.PublicKey) error {
	if len(line) > format.MaxLine || bytes.IndexByte(line, '\n') >= 0 || bytes.IndexByte(line, '\r') >= 0 {
		return fmt.Errorf("a line of %d bytes, at most %d, and no breaks", len(line), format.MaxLine)
	}
	if w.shardRoot.Size() == 0 {
		w.shard = append(append(w.shard[:0], w.header...), '\n')
		w.shardBegins = format.Part{Leg: leg}
		if owner != nil {
			w.shardBegins.First = owner.String()
		}
	}
	w.shard = append(append(w.shard, line...), '\n')
	w.shardRoot.Add(merkle.Leaf(line))
	w.table.Lines++
	if w.shardRoot.Size() == format.ShardLines {
		return w.endShard(ctx)
	}
	return nil
}

func (w *tableWriter) endShard(ctx context.Context) error {
	lines := w.shardRoot.Size()
	if lines == 0 {
		return nil
	}
	cid, err := w.save(ctx, content.ProofList, bytes.Clone(w.shard))
	if err != nil {
		return err
	}
	root := w.shardRoot.Root()
	part := w.shardBegins
	part.CID, part.Lines, part.Root = cid, lines, root.String()
	w.files = append(w.files, part)
	w.fileRoots.Add(root)
	w.root.Add(root)
	w.shardRoot = merkle.Tree{}
	if len(w.files) == format.PageShards {
		return w.endPage(ctx)
	}
	return nil
}

func (w *tableWriter) endPage(ctx context.Context) error {
	if len(w.files) == 0 {
		return nil
	}
	encoded, err := format.EncodeJSON(format.Page{Files: w.files})
	if err != nil {
		return err
	}
	part := format.Part{Leg: w.files[0].Leg, First: w.files[0].First, Root: w.fileRoots.Root().String()}
	for _, file := range w.files {
		part.Lines += file.Lines
	}
	if part.CID, err = w.save(ctx, content.ProofManifest, encoded); err != nil {
		return err
	}
	w.table.Pages = append(w.table.Pages, part)
	w.files, w.fileRoots = nil, merkle.Tree{}
	return nil
}

// close ends the list.
func (w *tableWriter) close(ctx context.Context) (format.Table, error) {
	if err := w.endShard(ctx); err != nil {
		return format.Table{}, err
	}
	if err := w.endPage(ctx); err != nil {
		return format.Table{}, err
	}
	w.table.Root = w.root.Root().String()
	if w.table.Pages == nil {
		w.table.Pages = []format.Part{}
	}
	return w.table, nil
}
