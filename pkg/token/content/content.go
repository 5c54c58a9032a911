// Package content stores the files of tokens: images and metadata. A file's name is the ID of its
// content. Save writes a file to the object store first, so the file is not lost afterwards: the
// file is pinned to IPFS now, or queued for pinning.
package content

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"tokenlaunch.example/service/pkg/platform/apperr"
)

// Scheme is the prefix of a file's URI.
const Scheme = "ipfs://"

// Gateway is how the URL of a token's file begins on the chain and in the file, because wallets,
// explorers and indexers load only http and https. The content id behind the prefix is compared, and the
// gateway is not trusted. It is a constant: a signed launch cannot be changed, the longest one has one
// byte left, and clients compute the URL without asking the service.
const Gateway = "https://ipfs.io/ipfs/"

const (
	// pinTimeout bounds the pinning while a caller waits. Pinning from the queue has more time, so
	// giving up early costs only a message.
	pinTimeout = 5 * time.Second
	// queueTimeout bounds the sending of the message, which continues after the caller has gone.
	queueTimeout = 5 * time.Second
)

// Kind is the kind of a file. Folder and Extension are part of its key in the object store.
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

// The kinds of files that prove a distribution run: lists, the manifest of the lists, and the
// signed transaction that anchors the manifest on the chain.
var (
	ProofList     = Kind{Folder: "proofs", Extension: ".csv", ContentType: "text/csv"}
	ProofManifest = Kind{Folder: "proofs", Extension: ".json", ContentType: "application/json"}
	ProofAnchor   = Kind{Folder: "proofs", Extension: ".tx", ContentType: "application/octet-stream"}
)

// Key returns the object store's key of a file with this content ID.
func (k Kind) Key(cid string) string { return k.Folder + "/" + cid + k.Extension }

// File is a stored file. Pinned is false if its pinning was postponed.
type File struct {
	CID    string
	URI    string
	Key    string
	Bytes  int
	Pinned bool
}

// PinRequest requests the pinning of a file of the object store.
type PinRequest struct {
	CID string
	Key string
}

// Objects is the object store. Put is idempotent for the same content under the same key.
type Objects interface {
	Put(ctx context.Context, key, contentType string, content []byte) error
}

// Pinner pins content to IPFS. A nil error promises that the content is pinned under exactly cid.
type Pinner interface {
	Pin(ctx context.Context, cid string, content []byte) error
}

// Queue stores requests for later pinning.
type Queue interface {
	Send(ctx context.Context, request PinRequest) error
}

// Store stores files. CID computes the content ID. Every field is required except Pinner. Without a
// Pinner every file is queued for pinning.
type Store struct {
	Objects Objects
	Pinner  Pinner
	Queue   Queue
	CID     func(content []byte) (string, error)
	Log     *slog.Logger
}

// Save stores a file. If Save returns no error, the file is in the object store, and pinned or
// queued. Save is idempotent, so a caller may retry after an error. If the object store fails, Save
// does nothing else. If both the pinning and the queue fail, Save returns an error although the
// file is stored, because the file would never be pinned.
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
		s.Log.ErrorContext(ctx, "pinning is deferred", "cid", cid, "key", saved.Key, "cause", failure.Error())
	}
	if err := s.enqueue(ctx, PinRequest{CID: cid, Key: saved.Key}); err != nil {
		return File{}, apperr.Upstream("IPFS", fmt.Errorf("pin %s: %w", saved.Key, errors.Join(failure, err)))
	}
	return saved, nil
}

// Name returns the content ID of a file that is not stored yet.
func (s Store) Name(file []byte) (cid string, err error) { return s.CID(file) }

// SaveMetadata stores a metadata file.
func (s Store) SaveMetadata(ctx context.Context, file []byte) error {
	_, err := s.Save(ctx, Metadata, file)
	return err
}

func (s Store) pin(ctx context.Context, cid string, content []byte) error {
	ctx, cancel := context.WithTimeout(ctx, pinTimeout)
	defer cancel()
	return s.Pinner.Pin(ctx, cid, content)
}

// enqueue sends the message even if the caller has gone, because the file is already stored, and
// only the message leads to its pinning.
func (s Store) enqueue(ctx context.Context, request PinRequest) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), queueTimeout)
	defer cancel()
	if err := s.Queue.Send(ctx, request); err != nil {
		return fmt.Errorf("queue its pinning: %w", err)
	}
	return nil
}
