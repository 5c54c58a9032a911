package consent

import (
	"context"
	"errors"
	"log/slog"
	"regexp"
	"slices"
	"sync"
	"time"

	"github.com/gagliardetto/solana-go"
)

const (
	// maxPages is the maximum number of pages of updates in a call, 100 updates each. Further
	// updates wait at Telegram for the next call.
	maxPages = 10
	// maxAsked is the maximum number of groups whose administrators a call requests.
	maxAsked = 20
)

// Update is a message of a group, a channel or a private chat, with the fields that the listener
// needs.
type Update struct {
	ID int64
	// Chat is the number of the chat, which is positive for a private chat. Name is the public name without the @, or empty.
	Chat int64
	Name string
	// Channel reports whether the message is a post of a channel. Only administrators can post in
	// channels.
	Channel bool
	// From is the number of the user who sent the message. SenderChat is the number of the group or
	// channel for which the message was sent, or zero if a user sent the message.
	From, SenderChat int64
	// Text is empty for a message that was forwarded, or sent through another bot.
	Text string
	At   time.Time
	// MovedTo is the number of the supergroup that the group became. MovedFrom is the number of the
	// group that became this supergroup.
	MovedTo, MovedFrom int64
}

// ErrRefused is returned when Telegram permanently rejects a request.
var ErrRefused = errors.New("Telegram declines the request")

// Telegram is the subset of the Bot API that the listener needs.
type Telegram interface {
	// Name returns the public name of the bot.
	Name(ctx context.Context) (string, error)
	// Updates returns up to 100 updates from the given number, and confirms earlier updates.
	Updates(ctx context.Context, from int64) ([]Update, error)
	// Administrators returns the users that administer a group. It returns ErrRefused if Telegram
	// does not list the administrators.
	Administrators(ctx context.Context, chat int64) ([]int64, error)
	// Send sends a text in Telegram's HTML.
	Send(ctx context.Context, chat int64, text string) error
}

// Listener executes the commands that administrators of groups, and users in private chats, send to
// the bot. Every field is required.
type Listener struct {
	Telegram Telegram
	Store    Store
	Log      *slog.Logger

	lock  sync.Mutex
	named bool
}

// Listen reads and executes the updates since the last call. It confirms an update after storing
// the effect. A crash repeats the update, which is idempotent. A failure of Telegram is only
// logged, because the next call tries again.
func (l *Listener) Listen(ctx context.Context) error {
	if err := l.name(ctx); err != nil {
		return err
	}
	r := round{Listener: l, asked: map[int64][]int64{}}
	var next int64
	for range maxPages {
		page, err := l.Telegram.Updates(ctx, next)
		if err != nil {
			l.Log.WarnContext(ctx, "the messages to the bot are not read: groups are neither linked nor unlinked", "cause", err.Error())
			return nil
		}
		for _, u := range page {
			if err := r.do(ctx, u); err != nil {
				return err
			}
			next = max(next, u.ID+1)
		}
		if len(page) == 0 {
			break
		}
	}
	if r.left > 0 {
		l.Log.WarnContext(ctx, "commands of groups are left out: their administrators were not found out", "commands", r.left)
	}
	return nil
}

// name stores the name of the bot, once in a listener's life.
func (l *Listener) name(ctx context.Context) error {
	l.lock.Lock()
	defer l.lock.Unlock()
	if l.named {
		return nil
	}
	name, err := l.Telegram.Name(ctx)
	if err != nil {
		l.Log.WarnContext(ctx, "the name of the bot is not known", "cause", err.Error())
		return nil
	}
	if err := l.Store.SetBot(ctx, name); err != nil {
		return err
	}
	l.named = true
	return nil
}

// round is one call of Listen.
type round struct {
	*Listener

	asked map[int64][]int64 // administrators by group
	left  int               // number of skipped commands
}

// command is a command with its argument. The name of a bot may follow the command.
var command = regexp.MustCompile(`^/(link|start|unlink)(?:@[A-Za-z0-9_]{1,64})?(?:\s+(\S{1,100}))?\s*$`)

// do executes an update. After an error the effect is not stored.
func (r *round) do(ctx context.Context, u Update) error {
	switch {
	case u.MovedTo != 0:
		return r.Store.Move(ctx, u.Chat, u.MovedTo)
	case u.MovedFrom != 0:
		return r.Store.Move(ctx, u.MovedFrom, u.Chat)
	case u.Chat == 0: // another kind of update
		return nil
	}
	switch words := command.FindStringSubmatch(u.Text); {
	case words == nil:
		return nil
	case words[1] == "unlink":
		return r.unlink(ctx, u)
	default:
		return r.link(ctx, u, words[2])
	}
}

// private reports whether the update is a user's message to the bot alone.
func (u Update) private() bool { return u.Chat > 0 }

// link links a group to the token of a code, or a private chat to the wallet of a code. The bot
// replies only to administrators, so that other users cannot make the bot write in a group without
// consent. A private chat with a group's code gets no reply, and the code stays valid.
func (r *round) link(ctx context.Context, u Update, code string) error {
	of, ok := subject(code)
	if !ok {
		return nil
	}
	_, pending, err := r.Store.Find(ctx, of)
	if err != nil || pending.Hash != HashOf(code) || u.private() && pending.Group != "" {
		return err
	}
	admin, known := r.administers(ctx, u)
	if !known {
		return nil // the code stays valid, and can be posted again
	}
	// End the code in any case, so that a code costs at most one request to Telegram.
	link := &Link{Group: pending.Group, Chat: u.Chat, At: u.At}
	if !admin || !u.private() && !named(pending.Group, u.Chat, u.Name) || !u.At.Before(pending.ExpiresAt) {
		link = nil
	}
	switch err := r.Store.Use(ctx, of, pending.Hash, link); {
	case errors.Is(err, ErrNotPending):
		return nil
	case err != nil:
		return err
	}
	if u.private() {
		// The log has no wallet, because the wallet of a private chat is personal data.
		r.Log.InfoContext(ctx, "a code of a wallet was used", "linked", link != nil)
	} else {
		r.Log.InfoContext(ctx, "a code of a group was used", "mint", of, "linked", link != nil, "administrator", admin)
	}
	switch {
	case !admin:
	case link == nil && u.private():
		r.say(ctx, u.Chat, "This code has expired. You get another one under My rewards.")
	case link == nil:
		r.say(ctx, u.Chat, "This code is for another group, or has expired. The token's creator can make a new one.")
	default:
		r.say(ctx, u.Chat, linked(of, u.private()))
	}
	return nil
}

func linked(of solana.PublicKey, private bool) string {
	if private {
		return "You get at most one message a day about the wallet <code>" + of.String() + "</code>: its payments, and what creators take back. You end this with /unlink."
	}
	return "This group is now told of the distributions of the token <code>" + of.String() + "</code>. An administrator ends this with /unlink."
}

// unlink ends all links of a group or a private chat.
func (r *round) unlink(ctx context.Context, u Update) error {
	known, found, err := r.Store.Chat(ctx, u.Chat)
	if err != nil || !found || !u.At.After(known.UnlinkedAt) {
		return err
	}
	if admin, _ := r.administers(ctx, u); !admin {
		return nil
	}
	if err := r.Store.Unlink(ctx, u.Chat, u.At); err != nil {
		return err
	}
	r.Log.InfoContext(ctx, "a chat was unlinked", "private", u.private())
	if u.private() {
		r.say(ctx, u.Chat, "You get no more messages about any wallet.")
	} else {
		r.say(ctx, u.Chat, "This group is no longer told of any token.")
	}
	return nil
}

// administers reports whether the sender of a message administers the chat. known is false if the
// administrators are not known now. An anonymous administrator sends as the group.
func (r *round) administers(ctx context.Context, u Update) (admin, known bool) {
	if u.Channel || u.private() {
		return true, true
	}
	if u.SenderChat != 0 {
		return u.SenderChat == u.Chat, true
	}
	list, asked := r.asked[u.Chat]
	if !asked {
		if len(r.asked) >= maxAsked {
			r.left++
			return false, false
		}
		var err error
		list, err = r.Telegram.Administrators(ctx, u.Chat)
		if err != nil && !errors.Is(err, ErrRefused) {
			r.Log.WarnContext(ctx, "the administrators of a group are not known now", "cause", err.Error())
			r.left++
			return false, false
		}
		r.asked[u.Chat] = list
	}
	return slices.Contains(list, u.From), true
}

// say sends a text to a group. A failure is only logged, because the text has no effect.
func (r *round) say(ctx context.Context, chat int64, text string) {
	if err := r.Telegram.Send(ctx, chat, text); err != nil {
		r.Log.WarnContext(ctx, "an answer to a group is not sent", "cause", err.Error())
	}
}
