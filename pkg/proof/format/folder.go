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

// Folder is a source whose files are in one folder, named by their content ids,
// with or without the extension of their kind.
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

// read gives no more than a file may have, and one byte.
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

// Anchors lists the files of the folder that are named as anchors.
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
