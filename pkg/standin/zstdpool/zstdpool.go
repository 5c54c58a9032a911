// Package zstdpool stands in for zstd, in which solana-go reads accounts that a node was
// asked to compress: ours is asked for base64, and reads it without solana-go.
package zstdpool

import (
	"errors"
	"io"
)

var errLeftOut = errors.New("zstd is left out of this build: see pkg/standin/README.md")

// Pool has no coders.
type Pool struct{}

// NewDecoderPool gives an empty pool.
func NewDecoderPool() Pool { return Pool{} }

// NewEncoderPool gives an empty pool.
func NewEncoderPool() Pool { return Pool{} }

// Get is always an error.
func (Pool) Get(io.ReadWriter) (Coder, error) { return Coder{}, errLeftOut }

// Put does nothing.
func (Pool) Put(Coder) {}

// Coder is what the pool would give.
type Coder struct{}

// DecodeAll is always an error.
func (Coder) DecodeAll(_, _ []byte) ([]byte, error) { return nil, errLeftOut }

// EncodeAll gives nothing: nobody has a coder.
func (Coder) EncodeAll(_, _ []byte) []byte { return nil }
