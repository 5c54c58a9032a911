// Package takedown hides, removes and blocks content that must not be shown: a token, a picture, or
// a name. Each act is recorded first, with its operator and reason.
//
// To block a picture, package takedown writes a record that makes the service reject launches and
// uploads of the picture. The sweep of package unused then removes the picture and its pin, within
// a minute or two. A token's metadata file is unpinned, but stays in the object store, where only
// the token's runs read the file. Payments to holders do not depend on a token's name. The proofs
// of the token's distributions stay, because the proofs are the evidence of the payments. Nothing
// changes on the chain.
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

// The kinds of content that can be taken down.
const (
	Token   = "token"   // by its mint: hidden, with its files
	Picture = "picture" // by its content id
	Name    = "name"    // of a token or its symbol, as visible.Key compares them
	Listing = "listing" // by its mint: hidden, and nothing else
)

// Act is an act of operators. Undo means that the act reverts an earlier act.
type Act struct {
	Kind, Subject string
	Undo          bool
	By, Why       string
	At            time.Time
}

// Store stores the blocks and the acts.
type Store interface {
	// Note records an act. Records are never removed.
	Note(ctx context.Context, a Act) error
	// BlockFile blocks a content ID and schedules the removal of its file. With unpinOnly, the file
	// stays in the object store. It returns the number of launches that use the file.
	BlockFile(ctx context.Context, cid string, unpinOnly bool, now time.Time) (uses int64, err error)
	// AllowFile removes a block. The file has to be uploaded again.
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

// Service carries out acts. Every field is required.
type Service struct {
	Store  Store
	Tokens Tokens
	Now    func() time.Time
}

// Done is the result of an act, for the operator.
type Done struct {
	// CIDs are the content IDs that the act blocked or allowed. Uses is the number of launches that
	// use the blocked files.
	CIDs []string
	Uses int64
}

// ErrIncomplete is returned for an act without an operator, a reason or a subject.
var ErrIncomplete = errors.New("say what is taken down, who does it and why")

// Do records an act and carries the act out. It is idempotent, and must be repeated after an error.
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

// plan checks an act before any write.
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

// token hides or shows a token and its files. Files come first, because an unconfirmed launch is on
// no list, but its picture must be taken down, too.
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

// files blocks a picture, and a metadata file unless empty, or removes the blocks.
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
