// Package content keeps files that tokens refer to: images and metadata. A file is
// named by its content. It is in the object store before anything else happens,
// and from there on it is not lost: it is pinned to IPFS now, or queued to be
// pinned later.
package content

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"tokenlaunch.example/service/pkg/platform/apperr"
)

// Scheme is how the URI of a file begins.
const Scheme = "ipfs://"

// Gateway is how the URL of a token's file begins on the chain and in the file, because wallets,
// explorers and indexers load only http and https. The content id behind the prefix is compared, and the
// gateway is not trusted. It is a constant: a signed launch cannot be changed, the longest one has one
// byte left, and clients compute the URL without asking the service.
const Gateway = "https://ipfs.io/ipfs/"

const (
	// pinTimeout bounds the pinning while a caller waits for it. Later there is
	// more time, so giving up early costs nothing but a message.
	pinTimeout = 5 * time.Second
	// queueTimeout bounds the message, which is sent even when the caller has gone.
	queueTimeout = 5 * time.Second
)

// Kind is what a file is. Folder and Extension make up its key in the object
// store.
type Kind struct {
	Folder      string
	Extension   string
	ContentType string
}

// The kinds of files.
var (
	Image    = Kind{Folder: "images", Extension: ".jpg", ContentType: "image/jpeg"}
	Metadata = Kind{Folder: "metadata", Extension: ".json", ContentType: "application/json"}
)

// The kinds of files that prove a distribution run: lists, what says which lists
// there are, and the signed transaction that stands for all of it on the chain.
var (
	ProofList     = Kind{Folder: "proofs", Extension: ".csv", ContentType: "text/csv"}
	ProofManifest = Kind{Folder: "proofs", Extension: ".json", ContentType: "application/json"}
	ProofAnchor   = Kind{Folder: "proofs", Extension: ".tx", ContentType: "application/octet-stream"}
)

// Key is where a file with this content id is in the object store.
func (k Kind) Key(cid string) string { return k.Folder + "/" + cid + k.Extension }

// File is a file that is kept. Pinned is false when its pinning was put off.
type File struct {
	CID    string
	URI    string
	Key    string
	Bytes  int
	Pinned bool
}

// PinRequest asks for a file of the object store to be pinned.
type PinRequest struct {
	CID string
	Key string
}

// Objects is the object store. Putting the same content under the same key
// again succeeds.
type Objects interface {
	Put(ctx context.Context, key, contentType string, content []byte) error
}

// Pinner pins content to IPFS. A nil error promises that it is pinned under cid,
// and no other.
type Pinner interface {
	Pin(ctx context.Context, cid string, content []byte) error
}

// Queue takes what is to be pinned later.
type Queue interface {
	Send(ctx context.Context, request PinRequest) error
}

// Store keeps files. CID names content. Every field is required, but the pinner:
// without one every file is queued to be pinned.
type Store struct {
	Objects Objects
	Pinner  Pinner
	Queue   Queue
	CID     func(content []byte) (string, error)
	Log     *slog.Logger
}

// Save keeps a file. When it returns no error the file is in the object store,
// and pinned or queued. Saving the same content again gives the same asset, so a
// caller who got an error may simply try again. When the object store fails
// nothing else is done; when both the pinning and the queue fail that is an
// error, although the file is stored, because it would never be pinned.
func (s Store) Save(ctx context.Context, kind Kind, content []byte) (File, error) {
	cid, err := s.CID(content)
	if err != nil {
		return File{}, fmt.Errorf("name a file of %s: %w", kind.Folder, err)
	}
	saved := File{CID: cid, URI: Scheme + cid, Key: kind.Key(cid), Bytes: len(content)}
	if err := s.Objects.Put(ctx, saved.Key, kind.ContentType, content); err != nil {
		return File{}, apperr.Upstream("The file store", fmt.Errorf("store %s: %w", saved.Key, err))
	}
	var failure error
	if s.Pinner != nil {
		if failure = s.pin(ctx, cid, content); failure == nil {
			saved.Pinned = true
			return saved, nil
		}
		s.Log.ErrorContext(ctx, "pinning is put off", "cid", cid, "key", saved.Key, "cause", failure.Error())
	}
	if err := s.enqueue(ctx, PinRequest{CID: cid, Key: saved.Key}); err != nil {
		return File{}, apperr.Upstream("IPFS", fmt.Errorf("pin %s: %w", saved.Key, errors.Join(failure, err)))
	}
	return saved, nil
}

// Name gives the content id that a file will have.
func (s Store) Name(file []byte) (cid string, err error) { return s.CID(file) }

// SaveMetadata keeps a metadata file.
func (s Store) SaveMetadata(ctx context.Context, file []byte) error {
	_, err := s.Save(ctx, Metadata, file)
	return err
}

func (s Store) pin(ctx context.Context, cid string, content []byte) error {
	ctx, cancel := context.WithTimeout(ctx, pinTimeout)
	defer cancel()
	return s.Pinner.Pin(ctx, cid, content)
}

// enqueue sends the message whether or not the caller still waits: the file is
// stored, and only the message leads to its pinning.
func (s Store) enqueue(ctx context.Context, request PinRequest) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), queueTimeout)
	defer cancel()
	if err := s.Queue.Send(ctx, request); err != nil {
		return fmt.Errorf("queue its pinning: %w", err)
	}
	return nil
}
