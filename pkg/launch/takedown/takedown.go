// Package takedown hides, removes and blocks what must not be shown: a token, a picture, or
// a name. Each act is written down first, with who did it and why.
//
// A picture is blocked by the write that launches and uploads are refused by; the sweep of
// package unused then removes it and its pin, within a minute or two. A token's metadata
// file is unpinned and stays in the object store, where only its runs read it: what holders
// are owed does not depend on what a token is called. The proofs of its distributions stay,
// for they are the evidence of what was paid. Nothing changes on the chain.
package takedown

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/visible"
)

// What can be taken down.
const (
	Token   = "token"   // by its mint: hidden, with its files
	Picture = "picture" // by its content id
	Name    = "name"    // of a token or its symbol, as visible.Key compares them
	Listing = "listing" // by its mint: hidden, and nothing else
)

// Act is what operations did. Undo says that it was taken back.
type Act struct {
	Kind, Subject string
	Undo          bool
	By, Why       string
	At            time.Time
}

// Store keeps what is blocked, and what was done.
type Store interface {
	// Note writes an act down. The notes only grow.
	Note(ctx context.Context, a Act) error
	// BlockFile blocks a content id and has its file removed; with unpinOnly it stays in
	// the object store. It gives the number of launches that use it.
	BlockFile(ctx context.Context, cid string, unpinOnly bool, now time.Time) (uses int64, err error)
	// AllowFile takes a block back. The file has to be uploaded again.
	AllowFile(ctx context.Context, cid string) error
	// BlockName blocks a name by its key; text is for people.
	BlockName(ctx context.Context, key, text string, now time.Time) error
	AllowName(ctx context.Context, key string) error
}

// Tokens are the records of tokens.
type Tokens interface {
	Token(ctx context.Context, mint solana.PublicKey) (token.Record, error)
	Hide(ctx context.Context, mint solana.PublicKey) error
	Show(ctx context.Context, mint solana.PublicKey) error
}

// Service takes things down. Every field is required.
type Service struct {
	Store  Store
	Tokens Tokens
	Now    func() time.Time
}

// Done says what an act did, for the operator.
type Done struct {
	// CIDs are blocked, or no longer; Uses is how many launches use the picture among them.
	CIDs []string
	Uses int64
}

// ErrIncomplete: an act lacks who, why, or what.
var ErrIncomplete = errors.New("say what is taken down, who does it and why")

// Do writes an act down and does it. It may be repeated, and has to be when it fails.
func (s Service) Do(ctx context.Context, a Act) (Done, error) {
	a.Why, a.By = strings.TrimSpace(a.Why), strings.TrimSpace(a.By)
	if a.Subject == "" || a.Why == "" || a.By == "" {
		return Done{}, ErrIncomplete
	}
	do, err := s.plan(ctx, a)
	if err != nil {
		return Done{}, err
	}
	a.At = s.Now().UTC().Truncate(time.Millisecond)
	if err := s.Store.Note(ctx, a); err != nil {
		return Done{}, fmt.Errorf("write it down: %w; nothing was changed", err)
	}
	return do()
}

// plan checks an act before anything is written.
func (s Service) plan(ctx context.Context, a Act) (func() (Done, error), error) {
	switch a.Kind {
	case Picture:
		return func() (Done, error) { return s.files(ctx, a.Undo, a.Subject, "") }, nil
	case Name:
		key := visible.Key(a.Subject)
		if key == "" {
			return nil, fmt.Errorf("%w: nothing of %q can be seen", ErrIncomplete, a.Subject)
		}
		return func() (Done, error) {
			if a.Undo {
				return Done{}, s.Store.AllowName(ctx, key)
			}
			return Done{}, s.Store.BlockName(ctx, key, a.Subject, s.Now())
		}, nil
	case Token, Listing:
		mint, err := solana.PublicKeyFromBase58(a.Subject)
		if err != nil {
			return nil, fmt.Errorf("%q is not the address of a mint", a.Subject)
		}
		record, err := s.Tokens.Token(ctx, mint)
		if err != nil {
			return nil, err
		}
		return func() (Done, error) { return s.token(ctx, a, record) }, nil
	}
	return nil, fmt.Errorf("%q is nothing that can be taken down", a.Kind)
}

// token hides or shows a token, and its files. Files come first: a launch that is not
// confirmed yet is on no list, and its picture is taken down all the same.
func (s Service) token(ctx context.Context, a Act, record token.Record) (done Done, err error) {
	if a.Kind == Token {
		if done, err = s.files(ctx, a.Undo, record.ImageCID, record.MetadataCID); err != nil {
			return Done{}, err
		}
	}
	if a.Undo {
		return done, s.Tokens.Show(ctx, record.Mint)
	}
	return done, s.Tokens.Hide(ctx, record.Mint)
}

// files blocks a picture, and a metadata file if there is one, or takes that back.
func (s Service) files(ctx context.Context, undo bool, picture, metadata string) (done Done, err error) {
	for _, cid := range []string{picture, metadata} {
		switch {
		case cid == "":
			continue
		case undo:
			err = s.Store.AllowFile(ctx, cid)
		default:
			var uses int64
			uses, err = s.Store.BlockFile(ctx, cid, cid == metadata, s.Now())
			done.Uses += uses
		}
		if err != nil {
			return Done{}, err
		}
		done.CIDs = append(done.CIDs, cid)
	}
	return done, nil
}
