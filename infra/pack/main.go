// Command pack makes the zip of every function: <folder>.zip next to each folder
// with a bootstrap under the given one. The same bootstrap always makes
// the same zip, so a deployment uploads only what has changed.
package main

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"golang.org/x/sync/errgroup"
)

// most is the maximum size of the zip of a function, in bytes: Lambda fetches and unpacks it
// when a function starts cold.
const most = 6_800_000

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: pack FOLDER")
		os.Exit(2)
	}
	if err := packAll(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func packAll(dir string) error {
	binaries, err := filepath.Glob(filepath.Join(dir, "*", "bootstrap"))
	if err != nil {
		return fmt.Errorf("look for functions: %w", err)
	}
	if len(binaries) == 0 {
		return fmt.Errorf("no function under %s: run make build", dir)
	}
	var group errgroup.Group
	for _, binary := range binaries {
		group.Go(func() error {
			if err := pack(binary, filepath.Dir(binary)+".zip"); err != nil {
				return fmt.Errorf("pack %s: %w", binary, err)
			}
			return nil
		})
	}
	return group.Wait()
}

// pack leaves a zip that is newer than its binary as it is.
func pack(binary, target string) error {
	info, err := os.Stat(binary)
	if err != nil {
		return err
	}
	if made, err := os.Stat(target); err == nil && made.ModTime().After(info.ModTime()) {
		return nil
	}
	in, err := os.Open(binary)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // opened for reading
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	// No time of modification: it would make every zip a new one.
	header := &zip.FileHeader{Name: "bootstrap", Method: zip.Deflate}
	header.SetMode(0o755)
	entry, err := archive.CreateHeader(header)
	if err != nil {
		return err
	}
	_, err = io.Copy(entry, in)
	if err = errors.Join(err, archive.Close()); err != nil {
		return err
	}
	if out.Len() > most {
		return fmt.Errorf("the zip has %d bytes, and may have %d: see most in infra/pack", out.Len(), most)
	}
	return replace(target, out.Bytes())
}

// replace writes the file under another name first, so that no reader sees half of it.
func replace(target string, content []byte) error {
	fresh := target + ".new"
	if err := os.WriteFile(fresh, content, 0o644); err != nil {
		return err
	}
	return os.Rename(fresh, target)
}
