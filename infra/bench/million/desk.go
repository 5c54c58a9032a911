package million

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"

	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/token/content"
)

// Files of the desk.
const (
	answerFile   = "answer.json"
	snapshotFile = "snapshot"
	planFile     = "plan"
)

// desk is the directory with the files for a number of holders. desk is the ledger's store.
type desk struct {
	folder  string
	holders int
}

func (d desk) path(name string) string { return filepath.Join(d.folder, name) }

// PutFile stores a file.
func (d desk) PutFile(_ context.Context, key, _ string, body io.ReadSeeker, _ int64) error {
	file, err := os.Create(d.path(key))
	if err != nil {
		return err
	}
	_, err = io.Copy(file, body)
	return errors.Join(err, file.Close())
}

// Open reads a file.
func (d desk) Open(_ context.Context, key string) (io.ReadCloser, error) {
	file, err := os.Open(d.path(key))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, content.ErrNoObject
	}
	return file, err
}

// GetRange reads a part of a file.
func (d desk) GetRange(ctx context.Context, key string, from, length int64) ([]byte, error) {
	body, err := d.Open(ctx, key)
	if err != nil {
		return nil, err
	}
	defer func() { _ = body.Close() }()
	return io.ReadAll(io.NewSectionReader(body.(*os.File), from, length)) //nolint:forcetypeassert // Open opens files.
}

// public computes the names of the proofs' files, and stores no file.
type public struct{ files, bytes atomic.Uint64 }

// Save returns a file's name.
func (p *public) Save(_ context.Context, kind content.Kind, body []byte) (content.File, error) {
	p.files.Add(1)
	p.bytes.Add(uint64(len(body)))
	cid := format.CID(sha256.Sum256(body))
	return content.File{CID: cid, Key: kind.Key(cid)}, nil
}

// Get returns content.ErrNoObject, because there are no earlier proofs.
func (p *public) Get(context.Context, string) ([]byte, error) { return nil, content.ErrNoObject }
