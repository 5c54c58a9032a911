// Package consent stores the consents of Telegram groups to receive notices of tokens, and of private
// chats to receive digests of wallets.
//
// A token's settings name a group, and anyone may name any group. The bot therefore writes to a
// group only after an administrator of the group has posted a code of the token there. A code is
// for one token and one group, and can be used once. An administrator can withdraw the consent of a
// group for all tokens. A consent is bound to the group's number, which stays the same when the
// group's public name passes to another group.
//
// A wallet's code works in any private chat, because only the wallet can request the code. The wallet
// takes the place of the mint, and the group is empty. No mint can sign in, so the two never share an
// address.
package consent

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/notice"
)

// CodeLifetime is the period in which an administrator can post a code.
const CodeLifetime = 24 * time.Hour

// secretBytes is the number of random bytes of a code. Each guess costs the attacker a message in
// Telegram.
const secretBytes = 10

// secrets encodes the random part of a code. A code of 61 characters is also a valid start
// parameter of a bot: at most 64 characters of A-Z, a-z, 0-9, _ and - (Telegram, "Deep Linking").
var secrets = base32.StdEncoding.WithPadding(base32.NoPadding)

// codes matches texts that may be a code: a mint or a wallet, and the random part.
var codes = regexp.MustCompile(`^([1-9A-HJ-NP-Za-km-z]{32,44})_[A-Z2-7]{16}$`)

// Hash identifies a code. Only the hash is stored.
type Hash [sha256.Size]byte

// HashOf returns the hash of a code.
func HashOf(code string) Hash { return sha256.Sum256([]byte(code)) }

// Code is a code for the administrator of a group.
type Code struct {
	Text      string
	ExpiresAt time.Time
	// Command is the message to post in the group.
	Command string
	// Bot is the public name of the service's bot. It is empty until the bot has read messages.
	Bot string
}

// Pending is an unused code. Group is empty for a code of a wallet.
type Pending struct {
	Hash      Hash
	Group     string
	ExpiresAt time.Time
}

// Link is the consent of a group to receive notices of a token, or of a private chat to receive
// digests of a wallet.
type Link struct {
	// Group is the group in the settings: a number, or a name with an @. Group is empty for a private
	// chat.
	Group string
	// Chat is the number of the group or chat, or zero without a link.
	Chat int64
	// At is the time of the message with the code.
	At time.Time
	// ToldAt is the end of the last digest of a wallet, or At before the first digest.
	ToldAt time.Time
}

// Chat is the record of a group or chat that was linked.
type Chat struct {
	// UnlinkedAt ends all links up to this time.
	UnlinkedAt time.Time
	// MovedTo is the number of the supergroup that the group became, or zero.
	MovedTo int64
}

// ErrNotPending is returned when a code was used or replaced, or has expired.
var ErrNotPending = errors.New("the code is not pending")

// Store stores codes and links of tokens and wallets, by mint or wallet. Each change is one
// conditional write.
type Store interface {
	// Issue stores the pending code of a token or wallet, and replaces the previous code. Links stay.
	Issue(ctx context.Context, of solana.PublicKey, p Pending) error
	// Find returns the link and the pending code of a token or wallet. Missing records are zero.
	Find(ctx context.Context, of solana.PublicKey) (Link, Pending, error)
	// Use ends the pending code with this hash. If link is not nil, Use replaces the link.
	// It returns ErrNotPending if the pending code has another hash.
	Use(ctx context.Context, of solana.PublicKey, code Hash, link *Link) error
	// Chat returns the record of a group. found is false for a group without a link.
	Chat(ctx context.Context, chat int64) (known Chat, found bool, err error)
	// Unlink ends the links of a group up to the time. It is idempotent.
	Unlink(ctx context.Context, chat int64, at time.Time) error
	// Drop deletes the link and the pending code of a wallet. It is idempotent. A digest that was read
	// before finds another link, and stores nothing.
	Drop(ctx context.Context, wallet solana.PublicKey, now time.Time) error
	// Move stores that a group became another group. It is idempotent, and has no effect on a group
	// without a link.
	Move(ctx context.Context, from, to int64) error
	// SetBot stores the public name of the bot. Bot returns the name, or an empty text.
	SetBot(ctx context.Context, name string) error
	Bot(ctx context.Context) (string, error)
}

// Service issues codes and finds linked groups; it implements notice.Links. Both fields are
// required.
type Service struct {
	Store Store
	Now   func() time.Time
}

// Issue returns a new code for a token and the group of the token's settings, or for a wallet and an
// empty group. The previous code becomes invalid.
func (s Service) Issue(ctx context.Context, mint solana.PublicKey, group string) (Code, error) {
	bot, err := s.Store.Bot(ctx)
	if err != nil {
		return Code{}, fmt.Errorf("read the name of the bot: %w", err)
	}
	secret := make([]byte, secretBytes)
	_, _ = rand.Read(secret) // never fails
	code := Code{Text: mint.String() + "_" + secrets.EncodeToString(secret), ExpiresAt: s.Now().Add(CodeLifetime), Bot: bot}
	// A bot reliably receives a command in a group only if the command names the bot (Telegram,
	// "Privacy mode").
	code.Command = "/link " + code.Text
	if bot != "" && group != "" {
		code.Command = "/link@" + bot + " " + code.Text
	}
	if err := s.Store.Issue(ctx, mint, Pending{Hash: HashOf(code.Text), Group: group, ExpiresAt: code.ExpiresAt}); err != nil {
		return Code{}, fmt.Errorf("store a code for %s: %w", mint, err)
	}
	return code, nil
}

// Unlink ends the messages about a wallet, and its pending code. Other wallets of the chat keep their
// links. It is idempotent.
func (s Service) Unlink(ctx context.Context, wallet solana.PublicKey) error {
	if err := s.Store.Drop(ctx, wallet, s.Now()); err != nil {
		return fmt.Errorf("delete the link of %s: %w", wallet, err)
	}
	return nil
}

// Chat returns the number of the group that is linked to the token under this name, or of the private
// chat that is linked to the wallet if group is empty. It returns notice.ErrNotLinked without a link.
func (s Service) Chat(ctx context.Context, mint solana.PublicKey, group string) (int64, error) {
	link, _, err := s.Store.Find(ctx, mint)
	if err != nil {
		return 0, fmt.Errorf("read the link of %s: %w", mint, err)
	}
	if link.Chat == 0 || link.Group != group {
		return 0, notice.ErrNotLinked
	}
	// A group can become a supergroup once. A supergroup never moves.
	chat := link.Chat
	for range 2 {
		known, found, err := s.Store.Chat(ctx, chat)
		switch {
		case err != nil:
			return 0, fmt.Errorf("read the group of %s: %w", mint, err)
		case !found, !link.At.After(known.UnlinkedAt):
			return 0, notice.ErrNotLinked
		case known.MovedTo == 0:
			return chat, nil
		}
		chat = known.MovedTo
	}
	return 0, notice.ErrNotLinked
}

// subject returns the mint or wallet of a possible code.
func subject(code string) (solana.PublicKey, bool) {
	parts := codes.FindStringSubmatch(code)
	if parts == nil {
		return solana.PublicKey{}, false
	}
	mint, err := solana.PublicKeyFromBase58(parts[1])
	return mint, err == nil
}

// named reports whether the settings' text names this group: by number, or by public name
// regardless of case.
func named(group string, chat int64, name string) bool {
	if public, ok := strings.CutPrefix(group, "@"); ok {
		return name != "" && strings.EqualFold(public, name)
	}
	return group == strconv.FormatInt(chat, 10)
}
