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

// memory is a node with a cache of final transactions in a directory, so that an interrupted
// verification continues. Each node has a separate directory, because a response of one node must
// never count as a response of another node.
type memory struct {
	chain.Node

	folder string
	mutex  sync.Mutex
	// listed are the signatures of listed transactions, which are final. Only listed transactions
	// are stored.
	listed map[solana.Signature]bool
}

// remembering returns a node with a cache for the URL. If the directory cannot be created,
// remembering returns the node without a cache.
func remembering(node chain.Node, url string) chain.Node {
	all, err := os.UserCacheDir()
	if err != nil {
		return node
	}
	name := sha256.Sum256([]byte(url)) // the URL may contain a key
	folder := filepath.Join(all, "tokenlaunch", hex.EncodeToString(name[:8]))
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return node
	}
	return &memory{Node: node, folder: folder, listed: map[solana.Signature]bool{}}
}

// Page implements chain.Node.
func (k *memory) Page(ctx context.Context, address solana.PublicKey, before solana.Signature) ([]chain.Listed, error) {
	page, err := k.Node.Page(ctx, address, before)
	k.mutex.Lock()
	defer k.mutex.Unlock()
	for _, l := range page {
		k.listed[l.Signature] = true
	}
	return page, err
}

// Landing implements chain.Node.
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

// write replaces a file atomically, so that an interrupted write is never read.
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
