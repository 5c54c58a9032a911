package format

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"tokenlaunch.example/service/pkg/token/content"
)

// Folder is a Source of files in one directory. A file's name is the content id, with or without the
// extension of the kind.
type Folder struct{ Files fs.FS }

// File reads a file.
func (f Folder) File(_ context.Context, kind content.Kind, cid string) ([]byte, error) {
	for _, name := range []string{cid + kind.Extension, cid} {
		body, err := f.read(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		return body, err
	}
	return nil, ErrNoFile
}

// read returns at most MaxFile+1 bytes, so that callers can reject a larger file.
func (f Folder) read(name string) ([]byte, error) {
	file, err := f.Files.Open(name)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", name, err)
	}
	defer func() { _ = file.Close() }()
	body, err := io.ReadAll(io.LimitReader(file, MaxFile+1))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return body, nil
}

// Anchors lists the anchors of the directory, by file name.
func (f Folder) Anchors() ([]string, error) {
	names, err := fs.Glob(f.Files, "*"+content.ProofAnchor.Extension)
	if err != nil {
		return nil, fmt.Errorf("list the folder: %w", err)
	}
	for i, name := range names {
		names[i] = strings.TrimSuffix(name, content.ProofAnchor.Extension)
	}
	return names, nil
}
