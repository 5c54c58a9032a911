package telegram

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"tokenlaunch.example/service/pkg/distribution/consent"
)

// updatesLimit is the maximum size of a page of updates, in bytes. A larger page could never be
// read, so the limit exceeds the size of 100 messages with replies.
const updatesLimit = 16 << 20

// channelType is the type of a chat in which only administrators can post (Telegram Bot API,
// "Chat").
const channelType = "channel"

// update is an update of Telegram (Telegram Bot API, "Update"), with the fields that the client
// reads.
type update struct {
	ID          int64    `json:"update_id"`
	Message     *message `json:"message"`
	ChannelPost *message `json:"channel_post"`
}

// message is a message of Telegram (Telegram Bot API, "Message"), with the fields that the client
// reads. SenderChat is "sender of the message when sent on behalf of a chat": the group itself for
// anonymous administrators.
type message struct {
	Chat struct {
		ID       int64  `json:"id"`
		Type     string `json:"type"`
		Username string `json:"username"`
	} `json:"chat"`
	From       identity `json:"from"`
	SenderChat identity `json:"sender_chat"`
	Date       int64    `json:"date"`
	Text       string   `json:"text"`
	// Forward and ViaBot are set if the sender did not write the text.
	Forward     json.RawMessage `json:"forward_origin"`
	ViaBot      json.RawMessage `json:"via_bot"`
	MigrateTo   int64           `json:"migrate_to_chat_id"`
	MigrateFrom int64           `json:"migrate_from_chat_id"`
}

type identity struct {
	ID int64 `json:"id"`
}

// update converts an update to the fields that package consent needs.
func (u update) update() consent.Update {
	out := consent.Update{ID: u.ID}
	m := u.Message
	if m == nil {
		m = u.ChannelPost
	}
	if m == nil {
		return out
	}
	out.Chat, out.Name, out.At = m.Chat.ID, m.Chat.Username, time.Unix(m.Date, 0)
	out.Channel = u.ChannelPost != nil && u.Message == nil && m.Chat.Type == channelType
	out.From, out.SenderChat, out.MovedTo, out.MovedFrom = m.From.ID, m.SenderChat.ID, m.MigrateTo, m.MigrateFrom
	if m.Forward == nil && m.ViaBot == nil {
		out.Text = m.Text
	}
	return out
}

// Name returns the public name of the bot (Telegram Bot API, "getMe").
func (c *Client) Name(ctx context.Context) (string, error) {
	var me struct {
		Username string `json:"username"`
	}
	err := c.read(ctx, "getMe", struct{}{}, &me)
	return me.Username, err
}

// Updates returns updates from a number, and confirms earlier updates (Telegram Bot API,
// "getUpdates"). It does not wait for new updates.
func (c *Client) Updates(ctx context.Context, from int64) ([]consent.Update, error) {
	var page []update
	if err := c.read(ctx, "getUpdates", map[string]any{"offset": from, "limit": 100, "allowed_updates": []string{"message", "channel_post"}}, &page); err != nil {
		return nil, err
	}
	list := make([]consent.Update, len(page))
	for i, u := range page {
		list[i] = u.update()
	}
	return list, nil
}

// Administrators returns the users that administer a group (Telegram Bot API,
// "getChatAdministrators"). This method works for every member of a group. getChatMember is "only
// guaranteed to work for other users if the bot is an administrator".
func (c *Client) Administrators(ctx context.Context, chat int64) ([]int64, error) {
	var members []struct {
		User identity `json:"user"`
	}
	if err := c.read(ctx, "getChatAdministrators", map[string]int64{"chat_id": chat}, &members); err != nil {
		return nil, err
	}
	list := make([]int64, len(members))
	for i, m := range members {
		list[i] = m.User.ID
	}
	return list, nil
}

// read calls a method without effects. It returns consent.ErrRefused if Telegram would reject a
// later call, too.
func (c *Client) read(ctx context.Context, method string, parameters, result any) error {
	token, err := c.checked(ctx)
	if err != nil {
		return err
	}
	body, err := json.Marshal(parameters)
	if err != nil {
		return fmt.Errorf("encode the parameters of %s: %w", method, err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.address+"/bot"+token+"/"+method, bytes.NewReader(body))
	if err != nil {
		return hide(err, token)
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := c.reader.Do(request)
	if err != nil {
		return fmt.Errorf("call %s: %w", method, hide(err, token))
	}
	defer func() { _ = response.Body.Close() }()
	var answer struct {
		OK          bool            `json:"ok"`
		Result      json.RawMessage `json:"result"`
		Code        int             `json:"error_code"`
		Description string          `json:"description"`
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return fmt.Errorf("read the answer of %s, status %d: %w", method, response.StatusCode, hide(err, token))
	}
	if !answer.OK {
		err := fmt.Errorf("%s: %d %w", method, answer.Code, hide(errors.New(answer.Description), token))
		if answer.Code == http.StatusBadRequest || answer.Code == http.StatusForbidden {
			return fmt.Errorf("%w: %w", consent.ErrRefused, err)
		}
		return err
	}
	if err := json.Unmarshal(answer.Result, result); err != nil {
		return fmt.Errorf("read the result of %s: %w", method, err)
	}
	return nil
}
