// Package telegram sends messages to groups through Telegram's Bot API, and reads messages to the
// bot.
//
// It promises:
//
//   - Errors never contain the bot's token, which is part of every URL of the API.
//   - Every call ends, by the context or by a timeout.
//   - An error reports the state of the message: not sent and worth another attempt, not sent and
//     hopeless, or unknown.
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

// API is the address of Telegram's servers.
const API = "https://api.telegram.org"

// timeout bounds a call.
const timeout = 10 * time.Second

// tokens matches bot tokens, such as 123456789:AA…, which need no escaping in a URL.
var tokens = regexp.MustCompile(`^[0-9]{1,20}:[A-Za-z0-9_-]{10,100}$`)

// Client is a bot. It implements notice.Sender and consent.Telegram. Create it with New.
type Client struct {
	// Moved, if set, stores that a group has become a supergroup, before a message goes to the
	// supergroup.
	Moved func(ctx context.Context, from, to int64) error

	address   string
	token     secret.Source
	transport *watched
	reader    *http.Client
}

// New creates a client of the API at the address. Each call reads the bot's token from the source.
// New does not connect, and its error does not contain the address.
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

// CheckToken returns an error if a text is not a bot's token. The error does not contain the text.
func CheckToken(text string) error {
	if !tokens.MatchString(text) {
		return errors.New("the bot's token is none of Telegram's")
	}
	return nil
}

// account is the bot with its present token.
type account struct {
	*bot.Bot

	token string
}

// account creates the bot for one message, without a request.
func (c *Client) account(ctx context.Context) (account, error) {
	token, err := c.checked(ctx)
	if err != nil {
		return account{}, err
	}
	b, err := bot.New(token, bot.WithSkipGetMe(), bot.WithServerURL(c.address), bot.WithHTTPClient(timeout, c.transport),
		// The library's log messages contain the token.
		bot.WithErrorsHandler(func(error) {}), bot.WithDebugHandler(func(string, ...any) {}))
	if err != nil {
		return account{}, errors.New("the bot cannot be made")
	}
	return account{b, token}, nil
}

// checked returns the present token.
func (c *Client) checked(ctx context.Context) (string, error) {
	token, err := c.token(ctx)
	if err == nil {
		err = CheckToken(token)
	}
	return token, err
}

// Send sends a text in Telegram's HTML to a group. If the group has become a supergroup, Send sends
// the text to the supergroup.
func (c *Client) Send(ctx context.Context, chat int64, text string) error {
	now, err := c.account(ctx)
	if err != nil {
		return &notice.Later{Cause: err} // an operator must fix the token
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
		return fmt.Errorf("%w: the group has moved more than once", notice.ErrPermanent)
	}
	return err
}

// send makes one attempt. It returns the errors of notice.Sender, or a *bot.MigrateError.
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

// refusal classifies an error response from Telegram.
func (a account) refusal(err error) error {
	if moved, ok := errors.AsType[*bot.MigrateError](err); ok {
		return moved
	}
	if slower, ok := errors.AsType[*bot.TooManyRequestsError](err); ok {
		return &notice.Later{After: time.Duration(max(slower.RetryAfter, 0)) * time.Second, Cause: a.hide(err)}
	}
	// The chat does not exist, the bot was removed or may not write, or Telegram rejects the text.
	// Waiting does not help.
	if errors.Is(err, bot.ErrorForbidden) || errors.Is(err, bot.ErrorBadRequest) {
		return fmt.Errorf("%w: %w", notice.ErrPermanent, a.hide(err))
	}
	// Telegram fails, or rejects the token, which an operator can fix.
	return &notice.Later{Cause: a.hide(err)}
}

// hide returns an error without the token and without a URL.
func (a account) hide(err error) error { return hide(err, a.token) }

func hide(err error, token string) error {
	if failed, ok := errors.AsType[*url.Error](err); ok {
		err = failed.Err
	}
	return errors.New(strings.ReplaceAll(err.Error(), token, "***"))
}
