// Package telegram sends messages to groups through Telegram's Bot API, and reads the messages that
// the bot is sent.
//
// It promises: the bot's token, which is part of every address of that API, is in
// no error; every call ends, by the context or by a timeout of its own; and an
// error says what is known about the message: not sent and worth another try, not
// sent and hopeless, or unknown.
package telegram

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"tokenlaunch.example/service/pkg/distribution/notice"
	"tokenlaunch.example/service/pkg/platform/httpclient"
	"tokenlaunch.example/service/pkg/platform/secret"
)

// API is where Telegram's own servers are.
const API = "https://api.telegram.org"

// timeout bounds a call.
const timeout = 10 * time.Second

// tokens look like 123456789:AA…; nothing in them needs escaping in an address.
var tokens = regexp.MustCompile(`^[0-9]{1,20}:[A-Za-z0-9_-]{10,100}$`)

// Client is a bot; it implements notice.Sender and consent.Telegram. Make it with New.
type Client struct {
	// Moved, if it is set, stores that a group has become a supergroup, before a message goes there.
	Moved func(ctx context.Context, from, to int64) error

	address   string
	token     secret.Source
	transport *watched
	reader    *http.Client
}

// New makes a client of the API at the address, which shows itself by the token that
// the source gives at the time of a message. It does not connect. The address does not
// show in the error.
func New(address string, token secret.Source) (*Client, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return nil, errors.New("the address of Telegram's API is not an http or https URL")
	}
	transport := &watched{http: httpclient.New(httpclient.Limits{Answer: answerLimit, Timeout: timeout})}
	return &Client{
		address: strings.TrimRight(address, "/"), token: token, transport: transport,
		reader: httpclient.New(httpclient.Limits{Answer: updatesLimit, Timeout: timeout}),
	}, nil
}

// CheckToken says whether a text is the token of a bot, without showing it.
func CheckToken(text string) error {
	if !tokens.MatchString(text) {
		return errors.New("the bot's token is none of Telegram's")
	}
	return nil
}

// account is the bot with the token that it has now.
type account struct {
	*bot.Bot

	token string
}

// account makes the bot for one message, which costs nothing but memory.
func (c *Client) account(ctx context.Context) (account, error) {
	token, err := c.checked(ctx)
	if err != nil {
		return account{}, err
	}
	b, err := bot.New(token, bot.WithSkipGetMe(), bot.WithServerURL(c.address), bot.WithHTTPClient(timeout, c.transport),
		// What the library has to say would have the token in it.
		bot.WithErrorsHandler(func(error) {}), bot.WithDebugHandler(func(string, ...any) {}))
	if err != nil {
		return account{}, errors.New("the bot cannot be made")
	}
	return account{b, token}, nil
}

// checked returns the token that the bot has now.
func (c *Client) checked(ctx context.Context) (string, error) {
	token, err := c.token(ctx)
	if err == nil {
		err = CheckToken(token)
	}
	return token, err
}

// Send sends a text in Telegram's HTML to a group. A group that has become a supergroup gets it
// under its new number.
func (c *Client) Send(ctx context.Context, chat int64, text string) error {
	now, err := c.account(ctx)
	if err != nil {
		return &notice.Later{Cause: err} // for people to mend
	}
	err = now.send(ctx, chat, text)
	if moved, ok := errors.AsType[*bot.MigrateError](err); ok {
		to := int64(moved.MigrateToChatID)
		if c.Moved != nil {
			if err := c.Moved(ctx, chat, to); err != nil {
				return &notice.Later{Cause: err}
			}
		}
		err = now.send(ctx, to, text)
	}
	if _, ok := errors.AsType[*bot.MigrateError](err); ok {
		return fmt.Errorf("%w: the group has moved more than once", notice.ErrHopeless)
	}
	return err
}

// send sends once. It fails as notice.Sender does, or with a *bot.MigrateError.
func (a account) send(ctx context.Context, chat int64, text string) error {
	call := &record{}
	ctx = httptrace.WithClientTrace(context.WithValue(ctx, recordKey{}, call), &httptrace.ClientTrace{
		WroteHeaders: func() { call.wrote.Store(true) },
	})
	_, err := a.SendMessage(ctx, &bot.SendMessageParams{
		ChatID: chat, Text: text, ParseMode: models.ParseModeHTML,
		LinkPreviewOptions: &models.LinkPreviewOptions{IsDisabled: new(true)},
	})
	switch {
	case err == nil, call.took:
		return nil
	case call.refused:
		return a.refusal(err)
	case !call.wrote.Load():
		return &notice.Later{Cause: fmt.Errorf("no connection to Telegram: %w", a.hide(err))}
	}
	return fmt.Errorf("no answer of Telegram: %w", a.hide(err))
}

// refusal says what an answer of Telegram means that says no.
func (a account) refusal(err error) error {
	if moved, ok := errors.AsType[*bot.MigrateError](err); ok {
		return moved
	}
	if slower, ok := errors.AsType[*bot.TooManyRequestsError](err); ok {
		return &notice.Later{After: time.Duration(max(slower.RetryAfter, 0)) * time.Second, Cause: a.hide(err)}
	}
	// No such chat, thrown out of it, not allowed to write in it, or a text that
	// Telegram does not take: nothing changes by waiting.
	if errors.Is(err, bot.ErrorForbidden) || errors.Is(err, bot.ErrorBadRequest) {
		return fmt.Errorf("%w: %w", notice.ErrHopeless, a.hide(err))
	}
	// A failure of theirs, or a token that they do not know, which people can mend.
	return &notice.Later{Cause: a.hide(err)}
}

// hide gives an error without the token, and without an address.
func (a account) hide(err error) error { return hide(err, a.token) }

func hide(err error, token string) error {
	if failed, ok := errors.AsType[*url.Error](err); ok {
		err = failed.Err
	}
	return errors.New(strings.ReplaceAll(err.Error(), token, "***"))
}
