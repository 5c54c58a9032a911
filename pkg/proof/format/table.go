package format

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"iter"

	"tokenlaunch.example/service/pkg/proof/merkle"
	"tokenlaunch.example/service/pkg/token/content"
)

const (
	// ShardLines is the number of lines in a file of a list. Only the last file may have fewer
	// lines. ShardLines is a power of two, so that the tree over the files' roots is the tree
	// over all lines. A file has room for a header and 512 lines of MaxLine.
	ShardLines = 512
	// PageShards is the number of files on a page. Only the last page may have fewer files.
	PageShards = 1024
)

// Table is a list of lines. Pages list the files, and the files contain the lines.
type Table struct {
	Lines uint64 `json:"lines"`
	// Root is the Merkle root of the lines, in hex.
	Root  string `json:"root"`
	Pages []Part `json:"pages"`
}

// Part is one file of a list, or one page.
type Part struct {
	CID string `json:"cid"`
	// Leg and First are the leg and the owner of the first line. First is empty in a list without
	// owners.
	Leg   int    `json:"leg"`
	First string `json:"first,omitempty"`
	Lines uint64 `json:"lines"`
	Root  string `json:"root"`
}

// Page lists files of a list.
type Page struct {
	Files []Part `json:"files"`
}

// EncodeJSON returns the canonical JSON file of a value: indented by a tab, fields in the order of
// declaration, with a final line break.
func EncodeJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "\t")
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("encode a file: %w", err)
	}
	if b.Len() > MaxFile {
		return nil, fmt.Errorf("a file of %d bytes, at most %d", b.Len(), MaxFile)
	}
	return b.Bytes(), nil
}

// DecodeJSON parses a file of EncodeJSON. It rejects any other encoding.
func DecodeJSON(body []byte, v any) error {
	if len(body) > MaxFile {
		return fmt.Errorf("a file of %d bytes, at most %d", len(body), MaxFile)
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return fmt.Errorf("decode a file: %w", err)
	}
	again, err := EncodeJSON(v)
	if err != nil {
		return err
	}
	if !bytes.Equal(again, body) {
		return errors.New("the file is not in its one spelling")
	}
	return nil
}

// decodeProof is DecodeJSON for the files of a proof. Strings are printable ASCII without escapes.
func decodeProof(body []byte, v any) error {
	if i := bytes.IndexFunc(body, func(c rune) bool { return (c < ' ' || c > '~') && c != '\n' && c != '\t' || c == '\\' }); i >= 0 {
		return fmt.Errorf("decode a file: byte %d is not printable ASCII, or begins an escape", i)
	}
	return DecodeJSON(body, v)
}

// parts iterates over the files of a list. It ends with an error if a page differs from the table's
// entry for the page.
func (t Table) parts(ctx context.Context, source Source) iter.Seq2[Part, error] {
	return func(yield func(Part, error) bool) {
		for i, p := range t.Pages {
			files, err := openPage(ctx, source, p)
			if err == nil && len(files) != PageShards && i < len(t.Pages)-1 {
				err = fmt.Errorf("page %d of a list has %d files, and is not the last", i, len(files))
			}
			if err != nil {
				yield(Part{}, err)
				return
			}
			for j, file := range files {
				last := i == len(t.Pages)-1 && j == len(files)-1
				if !last && file.Lines != ShardLines {
					yield(Part{}, fmt.Errorf("a file of a list has %d lines, and is not the last", file.Lines))
					return
				}
				if !yield(file, nil) {
					return
				}
			}
		}
	}
}

func openPage(ctx context.Context, source Source, p Part) ([]Part, error) {
	body, err := Open(ctx, source, content.ProofManifest, p.CID)
	if err != nil {
		return nil, err
	}
	var read Page
	if err := decodeProof(body, &read); err != nil {
		return nil, fmt.Errorf("page %s: %w", p.CID, err)
	}
	got := Part{CID: p.CID}
	var root merkle.Tree
	for i, file := range read.Files {
		if i == 0 {
			got.Leg, got.First = file.Leg, file.First
		}
		if file.Lines == 0 || file.Lines > ShardLines {
			return nil, fmt.Errorf("page %s: a file of %d lines", p.CID, file.Lines)
		}
		hash, err := merkle.ParseHash(file.Root)
		if err != nil {
			return nil, fmt.Errorf("page %s: %w", p.CID, err)
		}
		root.Add(hash)
		got.Lines += file.Lines
	}
	got.Root = root.Root().String()
	if len(read.Files) == 0 || len(read.Files) > PageShards || got != p {
		return nil, fmt.Errorf("page %s is not the one that is listed: %+v, not %+v", p.CID, got, p)
	}
	return read.Files, nil
}

// shard is the content of a list's file.
type shard struct {
	Part
	lines  [][]byte
	leaves []merkle.Hash
}

func openShard(ctx context.Context, source Source, p Part, header string) (shard, error) {
	body, err := Open(ctx, source, content.ProofList, p.CID)
	if err != nil {
		return shard{}, err
	}
	return readShard(body, p, header)
}

func readShard(body []byte, p Part, header string) (shard, error) {
	bad := func(format string, values ...any) (shard, error) {
		return shard{}, fmt.Errorf("list %s: %s", p.CID, fmt.Sprintf(format, values...))
	}
	if len(body) > MaxFile {
		return bad("%d bytes, at most %d", len(body), MaxFile)
	}
	rest, ok := bytes.CutPrefix(body, []byte(header+"\n"))
	if !ok || len(rest) > 0 && rest[len(rest)-1] != '\n' {
		return bad("it does not begin with its header, or its last line has no end")
	}
	s := shard{Part: p}
	for line := range bytes.Lines(rest) {
		line = line[:len(line)-1]
		s.lines = append(s.lines, line)
		s.leaves = append(s.leaves, merkle.Leaf(line))
	}
	if uint64(len(s.lines)) != p.Lines {
		return bad("it has %d lines and should have %d", len(s.lines), p.Lines)
	}
	if root := merkle.Root(s.leaves).String(); root != p.Root {
		return bad("its root is %s and should be %s", root, p.Root)
	}
	return s, nil
}

// walk parses a list's lines, beginning with line from. It ends with an error if a page or a file
// differs from the table's entry. walk checks every root, but reads only the files from line from on.
// place returns leg and owner of a line: the first line of every file must match the file's entry,
// because find searches by these entries.
func walk[T any](
	ctx context.Context, source Source, t Table, header string, from uint64, parse func([]byte) (T, error), place func(T) (leg int, owner string),
) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		var lines uint64
		var root merkle.Tree
		for part, err := range t.parts(ctx, source) {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				yield(none, err)
				return
			}
			hash, _ := merkle.ParseHash(part.Root) // openPage has read it
			root.Add(hash)
			begins := lines
			lines += part.Lines
			if lines <= from {
				continue
			}
			s, err := openShard(ctx, source, part, header)
			if err != nil {
				yield(none, err)
				return
			}
			for i, line := range s.lines {
				if begins+uint64(i) < from {
					continue
				}
				v, err := parse(line)
				if err != nil {
					yield(none, fmt.Errorf("line %d: %w", begins+uint64(i), err))
					return
				}
				if i == 0 {
					if leg, owner := place(v); leg != part.Leg || owner != part.First {
						yield(none, fmt.Errorf("list %s begins in leg %d with %q, not in leg %d with %.70q", part.CID, leg, owner, part.Leg, part.First))
						return
					}
				}
				if !yield(v, nil) {
					return
				}
			}
		}
		if lines != t.Lines || root.Root().String() != t.Root {
			yield(none, fmt.Errorf("a list has %d lines with the root %s, and should have %d with %s", lines, root.Root(), t.Lines, t.Root))
		}
	}
}

// emptyRoot is the root of a list without lines.
var emptyRoot = merkle.Hash(sha256.Sum256(nil)).String()
