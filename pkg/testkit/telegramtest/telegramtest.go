// Package telegramtest is a stand-in for Telegram's Bot API (https://core.telegram.org/bots/api),
// with the rules that the consent of groups rests on:
//
//   - getUpdates returns the updates from offset on, 100 at most, and forgets those before
//     ("getUpdates": "an update is considered confirmed as soon as getUpdates is called with an
//     offset higher than its update_id").
//   - getChatAdministrators lists the administrators except bots, the anonymous ones too.
//   - The message of an anonymous administrator has the group itself as sender_chat, and a fake user
//     as from ("Message").
//   - A group that becomes a supergroup has a new number. Both get a message, with
//     migrate_to_chat_id and with migrate_from_chat_id, and what is sent to the old number is 400
//     with parameters.migrate_to_chat_id ("ResponseParameters").
package telegramtest

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/consent"
)

const (
	// Token is the token of the bot, and Name its public name.
	Token = "123456789:AAsecretsecretsecret_-x"
	Name  = "PaperCraneBot"
	// anonymous is the user that anonymous administrators seem to be: GroupAnonymousBot.
	anonymous = 1087968824
	pageSize  = 100
)

// Chat is a group, a supergroup, a channel, or, with a positive number, a private chat with the bot.
type Chat struct {
	// Name is the public name without the @; empty for a private group.
	Name    string
	Channel bool
	Admins  []int64
	// MovedTo is the number of the supergroup that the group became.
	MovedTo int64
}

// Sent is a message of the bot.
type Sent struct {
	Chat int64
	Text string
}

// Message is a message in a chat. SenderChat is the chat for which the message is sent.
type Message struct {
	Chat, From, SenderChat int64
	Text                   string
	At                     time.Time
	Forwarded              bool
}

// API is Telegram with one bot. Make it with New.
type API struct {
	URL string

	lock    sync.Mutex
	chats   map[int64]*Chat
	updates []map[string]any
	last    int64
	sent    []Sent
	down    bool
	asked   int
}

// New starts the stand-in on loopback.
func New(t testing.TB) *API {
	t.Helper()
	a := &API{chats: map[int64]*Chat{}, last: 1000}
	server := httptest.NewServer(a)
	t.Cleanup(server.Close)
	a.URL = server.URL
	return a
}

// Open makes a chat in which the bot is.
func (a *API) Open(number int64, c Chat) {
	a.lock.Lock()
	defer a.lock.Unlock()
	a.chats[number] = &c
}

// Rename changes the public name of a chat.
func (a *API) Rename(number int64, name string) {
	a.lock.Lock()
	defer a.lock.Unlock()
	a.chats[number].Name = name
}

// Down has every call fail with 502, as Telegram does, until it is called again.
func (a *API) Down(down bool) {
	a.lock.Lock()
	defer a.lock.Unlock()
	a.down = down
}

// Post sends a message in a chat.
func (a *API) Post(m Message) {
	a.lock.Lock()
	defer a.lock.Unlock()
	c := a.chats[m.Chat]
	message := map[string]any{"message_id": 1, "date": m.At.Unix(), "text": m.Text, "chat": a.chat(m.Chat)}
	if m.Forwarded {
		message["forward_origin"] = map[string]any{"type": "hidden_user"}
	}
	kind := "message"
	switch {
	case c.Channel:
		kind, message["sender_chat"] = "channel_post", a.chat(m.Chat)
	case m.SenderChat != 0:
		message["from"], message["sender_chat"] = map[string]any{"id": anonymous, "is_bot": true}, a.chat(m.SenderChat)
	default:
		message["from"] = map[string]any{"id": m.From}
	}
	a.add(kind, message)
}

// Again delivers updates once more, under new numbers.
func (a *API) Again(updates []map[string]any) {
	a.lock.Lock()
	defer a.lock.Unlock()
	for _, u := range updates {
		a.last++
		copied := map[string]any{"update_id": a.last}
		for name, value := range u {
			if name != "update_id" {
				copied[name] = value
			}
		}
		a.updates = append(a.updates, copied)
	}
}

// Waiting are the updates that are not confirmed.
func (a *API) Waiting() []map[string]any {
	a.lock.Lock()
	defer a.lock.Unlock()
	return slices.Clone(a.updates)
}

// Upgrade has a group become a supergroup. Without told, the messages about that are lost, as they
// are after a day.
func (a *API) Upgrade(from, to int64, at time.Time, told bool) {
	a.lock.Lock()
	defer a.lock.Unlock()
	c := *a.chats[from]
	a.chats[from].MovedTo, a.chats[to] = to, &c
	if told {
		a.add("message", map[string]any{"message_id": 2, "date": at.Unix(), "chat": a.chat(from), "migrate_to_chat_id": to})
		a.add("message", map[string]any{"message_id": 1, "date": at.Unix(), "chat": a.chat(to), "migrate_from_chat_id": from})
	}
}

// Sent are the messages of the bot since the last call.
func (a *API) Sent() []Sent {
	a.lock.Lock()
	defer a.lock.Unlock()
	sent := a.sent
	a.sent = nil
	return sent
}

// Asked is the number of requests for administrators.
func (a *API) Asked() int {
	a.lock.Lock()
	defer a.lock.Unlock()
	return a.asked
}

func (a *API) add(kind string, message map[string]any) {
	a.last++
	a.updates = append(a.updates, map[string]any{"update_id": a.last, kind: message})
}

func (a *API) chat(number int64) map[string]any {
	out := map[string]any{"id": number, "type": "supergroup", "title": "<b>a title</b>"}
	if number > 0 {
		out = map[string]any{"id": number, "type": "private", "first_name": "<b>a name</b>"}
	}
	if c := a.chats[number]; c != nil {
		if c.Channel {
			out["type"] = "channel"
		}
		if c.Name != "" {
			out["username"] = c.Name
		}
	}
	return out
}

// ServeHTTP serves a call of a method.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.lock.Lock()
	defer a.lock.Unlock()
	method, ok := strings.CutPrefix(r.URL.Path, "/bot"+Token+"/")
	var fields map[string]any
	if strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
		_ = json.NewDecoder(r.Body).Decode(&fields)
	} else {
		fields = map[string]any{"chat_id": r.FormValue("chat_id"), "text": r.FormValue("text")}
	}
	switch {
	case a.down:
		fail(w, http.StatusBadGateway, "Bad Gateway", nil)
	case !ok:
		fail(w, http.StatusUnauthorized, "Unauthorized", nil)
	case method == "getMe":
		done(w, map[string]any{"id": 123456789, "is_bot": true, "username": Name})
	case method == "getUpdates":
		from := number(fields["offset"])
		a.updates = slices.DeleteFunc(a.updates, func(u map[string]any) bool { return u["update_id"].(int64) < from })
		done(w, a.updates[:min(len(a.updates), pageSize)])
	default:
		a.inChat(w, method, fields)
	}
}

// inChat serves a method that names a chat.
func (a *API) inChat(w http.ResponseWriter, method string, fields map[string]any) {
	chat := number(fields["chat_id"])
	c := a.chats[chat]
	switch {
	case c == nil:
		fail(w, http.StatusBadRequest, "Bad Request: chat not found", nil)
	case c.MovedTo != 0:
		fail(w, http.StatusBadRequest, "Bad Request: group chat was upgraded to a supergroup chat", map[string]any{"migrate_to_chat_id": c.MovedTo})
	case method == "sendMessage":
		text, _ := fields["text"].(string)
		a.sent = append(a.sent, Sent{chat, text})
		done(w, map[string]any{"message_id": len(a.sent), "date": 1, "chat": a.chat(chat)})
	case method == "getChatAdministrators":
		a.asked++
		members := []map[string]any{}
		for _, id := range c.Admins {
			members = append(members, map[string]any{"status": "administrator", "user": map[string]any{"id": id}})
		}
		done(w, members)
	default:
		fail(w, http.StatusNotFound, "Not Found", nil)
	}
}

func number(v any) int64 {
	switch v := v.(type) {
	case float64:
		return int64(v)
	case string:
		n, _ := strconv.ParseInt(v, 10, 64)
		return n
	}
	return 0
}

func done(w http.ResponseWriter, result any) {
	_ = json.NewEncoder(w).Encode(map[string]any{"ok": true, "result": result})
}

func fail(w http.ResponseWriter, code int, description string, parameters map[string]any) {
	w.WriteHeader(code)
	answer := map[string]any{"ok": false, "error_code": code, "description": description}
	if parameters != nil {
		answer["parameters"] = parameters
	}
	_ = json.NewEncoder(w).Encode(answer)
}

// Link links a group to a token, as if an administrator had posted a code.
func Link(ctx context.Context, store consent.Store, mint solana.PublicKey, group string) error {
	code := consent.HashOf("a code")
	return errors.Join(
		store.Issue(ctx, mint, consent.Pending{Hash: code, Group: group, ExpiresAt: time.Now().Add(consent.CodeLifetime)}),
		store.Use(ctx, mint, code, &consent.Link{Group: group, Chat: -1, At: time.Now()}),
	)
}
