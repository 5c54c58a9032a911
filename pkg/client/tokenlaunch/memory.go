package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/chain"
)

// memory is a node whose final transactions are kept in a folder, so that a verification
// that was interrupted goes on where it was. What one node has told is never taken for what
// another one tells: each has a folder of its own.
type memory struct {
	chain.Node

	folder string
	mutex  sync.Mutex
	// listed are in a history, and so final: those alone are kept.
	listed map[solana.Signature]bool
}

// remembering gives the node at a URL with what it told before. Without a folder for it nothing
// is kept.
func remembering(node chain.Node, url string) chain.Node {
	all, err := os.UserCacheDir()
	if err != nil {
		return node
	}
	name := sha256.Sum256([]byte(url)) // it may have a key in it
	folder := filepath.Join(all, "tokenlaunch", hex.EncodeToString(name[:8]))
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return node
	}
	return &memory{Node: node, folder: folder, listed: map[solana.Signature]bool{}}
}

// Page is chain.Node's.
func (k *memory) Page(ctx context.Context, address solana.PublicKey, before solana.Signature) ([]chain.Listed, error) {
	page, err := k.Node.Page(ctx, address, before)
	k.mutex.Lock()
	defer k.mutex.Unlock()
	for _, l := range page {
		k.listed[l.Signature] = true
	}
	return page, err
}

// Landing is chain.Node's.
func (k *memory) Landing(ctx context.Context, id solana.Signature) (t chain.Transaction, err error) {
	file := filepath.Join(k.folder, id.String()+".json")
	content, err := os.ReadFile(file) // #nosec G304 -- base58 in our own folder
	if err == nil && json.Unmarshal(content, &t) == nil && t.Signature == id {
		return t, nil
	}
	if t, err = k.Node.Landing(ctx, id); err != nil {
		return t, err
	}
	k.mutex.Lock()
	final := k.listed[id]
	k.mutex.Unlock()
	if final {
		err = write(file, t)
	}
	return t, err
}

// write replaces a file in one step: one that was cut off is never read.
func write(file string, t chain.Transaction) error {
	content, err := json.Marshal(t)
	if err != nil {
		return fmt.Errorf("keep a transaction: %w", err)
	}
	fresh, err := os.CreateTemp(filepath.Dir(file), ".new-*")
	if err != nil {
		return fmt.Errorf("keep a transaction: %w", err)
	}
	_, err = fresh.Write(content)
	if err = errors.Join(err, fresh.Close()); err == nil {
		err = os.Rename(fresh.Name(), file)
	}
	if err != nil {
		return fmt.Errorf("keep a transaction: %w", err)
	}
	return nil
}
