package telegram_test

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/distribution/notice"
	"tokenlaunch.example/service/pkg/platform/secret"
	"tokenlaunch.example/service/pkg/provider/telegram"
)

const token = "123456789:AAsecretsecretsecret_-x"

// counterpart plays Telegram's API: one response a call, repeating the last one.
type counterpart struct {
	sync.Mutex
	status  []int
	answers []string
	calls   []map[string]string
	paths   []string
	hangUp  bool // close the connection once the request has been read
}

func (c *counterpart) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.Lock()
	defer c.Unlock()
	fields := map[string]string{}
	if err := r.ParseMultipartForm(1 << 20); err == nil {
		for name, values := range r.MultipartForm.Value {
			fields[name] = values[0]
		}
	}
	c.calls, c.paths = append(c.calls, fields), append(c.paths, r.URL.Path)
	if c.hangUp {
		panic(http.ErrAbortHandler)
	}
	i := min(len(c.calls), len(c.answers)) - 1
	w.WriteHeader(c.status[i])
	_, _ = w.Write([]byte(c.answers[i]))
}

func start(t *testing.T, c *counterpart) *telegram.Client {
	t.Helper()
	return startWith(t, c, secret.Fixed(token))
}

func startWith(t *testing.T, c *counterpart, source secret.Source) *telegram.Client {
	t.Helper()
	server := httptest.NewServer(c)
	t.Cleanup(server.Close)
	client, err := telegram.New(server.URL+"/", source)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

const sent = `{"ok":true,"result":{"message_id":7,"date":1763726400,"chat":{"id":-100123,"type":"supergroup","title":"x"},"text":"hello"}}`

func refused(code int, description, parameters string) string {
	if parameters != "" {
		parameters = `,"parameters":` + parameters
	}
	text, _ := json.Marshal(description)
	number, _ := json.Marshal(code)
	return `{"ok":false,"error_code":` + string(number) + `,"description":` + string(text) + parameters + `}`
}

func TestSendResponses(t *testing.T) {
	tests := []struct {
		name    string
		status  int
		answer  string
		later   bool
		after   time.Duration
		doubt   bool
		nothing bool // hopeless
	}{
		{name: "sent", status: 200, answer: sent},
		{name: "sent, in a shape that the library does not know", status: 200, answer: `{"ok":true,"result":{"message_id":"seven"}}`},
		{name: "too many requests", status: 429, answer: refused(429, "Too Many Requests: retry after 35", `{"retry_after":35}`), later: true, after: 35 * time.Second},
		{name: "thrown out", status: 403, answer: refused(403, "Forbidden: bot was kicked from the supergroup chat", ""), nothing: true},
		{name: "no such chat", status: 400, answer: refused(400, "Bad Request: chat not found", ""), nothing: true},
		{name: "a text that it cannot read", status: 400, answer: refused(400, "Bad Request: can't parse entities", ""), nothing: true},
		{name: "the token is not known", status: 401, answer: refused(401, "Unauthorized", ""), later: true},
		{name: "the token is malformed", status: 404, answer: refused(404, "Not Found", ""), later: true},
		{name: "a failure of Telegram, reported as such", status: 502, answer: refused(502, "Bad Gateway", ""), later: true},
		{name: "internal", status: 500, answer: refused(500, "Internal Server Error", ""), later: true},
		{name: "a failure of something between", status: 502, answer: "<html>bad gateway</html>", doubt: true},
		{name: "an answer that repeats the token", status: 502, answer: "no route to /bot" + token + "/sendMessage", doubt: true},
		{name: "a refusal that repeats the token", status: 400, answer: refused(400, "Bad Request: "+token, ""), nothing: true},
		{name: "an answer cut off", status: 200, answer: `{"ok":tr`, doubt: true},
		{name: "an answer without a word", status: 200, answer: `{}`, doubt: true},
		{name: "an endless answer", status: 200, answer: strings.Repeat(" ", 1<<20+1), doubt: true},
		{name: "a redirect", status: 302, answer: "", doubt: true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := &counterpart{status: []int{test.status}, answers: []string{test.answer}}
			err := start(t, c).Send(t.Context(), -100123, "<b>hello</b>")
			judge(t, err, test.later, test.doubt, test.nothing)
			if later, ok := errors.AsType[*notice.Later](err); ok && later.After != test.after {
				t.Errorf("after %v, want %v", later.After, test.after)
			}
			if len(c.calls) != 1 {
				t.Errorf("%d calls", len(c.calls))
			}
		})
	}
}

// judge holds an error against what is known of the message.
func judge(t *testing.T, err error, later, doubt, nothing bool) {
	t.Helper()
	_, isLater := errors.AsType[*notice.Later](err)
	isNothing := errors.Is(err, notice.ErrPermanent)
	isDoubt := err != nil && !isLater && !isNothing
	if isLater != later || isNothing != nothing || isDoubt != doubt {
		t.Errorf("later %v, hopeless %v, unknown %v: %v", isLater, isNothing, isDoubt, err)
	}
	if err != nil && (strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "127.0.0.1") && strings.Contains(err.Error(), "/bot")) {
		t.Errorf("the token or its address shows: %v", err)
	}
}

func TestSendRequests(t *testing.T) {
	c := &counterpart{status: []int{200}, answers: []string{sent}}
	client := start(t, c)
	if err := client.Send(t.Context(), -1001234567890, "<b>a &lt; b</b>"); err != nil {
		t.Fatal(err)
	}
	for _, call := range c.calls {
		if call["chat_id"] != "-1001234567890" || call["text"] != "<b>a &lt; b</b>" || call["parse_mode"] != "HTML" ||
			!strings.Contains(call["link_preview_options"], `"is_disabled":true`) {
			t.Errorf("sendMessage = %v, want the escaped text as HTML without a preview", call)
		}
	}
	if c.paths[0] != "/bot"+token+"/sendMessage" {
		t.Errorf("path = %s, want /bot…/sendMessage", c.paths[0])
	}
}

func TestSendGroupMoved(t *testing.T) {
	upgraded := refused(400, "Bad Request: group chat was upgraded to a supergroup chat", `{"migrate_to_chat_id":-1009876543210}`)
	c := &counterpart{status: []int{400, 200}, answers: []string{upgraded, sent}}
	client, moved := start(t, c), []int64{}
	client.Moved = func(_ context.Context, from, to int64) error {
		moved = append(moved, from, to)
		return nil
	}
	if err := client.Send(t.Context(), -42, "x"); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(moved, []int64{-42, -1009876543210}) || len(c.calls) != 2 || c.calls[1]["chat_id"] != "-1009876543210" {
		t.Errorf("calls = %v, want a second one to the supergroup", c.calls)
	}
	c = &counterpart{status: []int{400}, answers: []string{upgraded}}
	judge(t, start(t, c).Send(t.Context(), -42, "x"), false, false, true)
	if len(c.calls) != 2 {
		t.Errorf("%d calls", len(c.calls))
	}
	// A move that is not stored keeps the message back, because the supergroup could not be unlinked.
	c = &counterpart{status: []int{400}, answers: []string{upgraded}}
	client = start(t, c)
	client.Moved = func(context.Context, int64, int64) error { return errors.New("away") }
	judge(t, client.Send(t.Context(), -42, "x"), true, false, false)
	if len(c.calls) != 1 {
		t.Errorf("%d calls", len(c.calls))
	}
}

func TestSendConnectionFailures(t *testing.T) {
	t.Run("broken after the request", func(t *testing.T) {
		judge(t, start(t, &counterpart{hangUp: true}).Send(t.Context(), -1, "x"), false, true, false)
	})
	t.Run("not there", func(t *testing.T) {
		server := httptest.NewServer(http.NotFoundHandler())
		server.Close()
		client, err := telegram.New(server.URL, secret.Fixed(token))
		if err != nil {
			t.Fatal(err)
		}
		judge(t, client.Send(t.Context(), -1, "x"), true, false, false)
	})
	t.Run("no such host", func(t *testing.T) {
		client, err := telegram.New("http://telegram.invalid", secret.Fixed(token))
		if err != nil {
			t.Fatal(err)
		}
		judge(t, client.Send(t.Context(), -1, "x"), true, false, false)
	})
	t.Run("no time left", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		judge(t, start(t, &counterpart{}).Send(ctx, -1, "x"), true, false, false)
	})
	t.Run("time over while it is sent", func(t *testing.T) {
		listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = listener.Close() }()
		ctx, cancel := context.WithCancel(t.Context())
		go func() { // reads, and never answers
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			defer conn.Close()
			_, _ = conn.Read(make([]byte, 1))
			cancel()
			<-t.Context().Done()
		}()
		client, err := telegram.New("http://"+listener.Addr().String(), secret.Fixed(token))
		if err != nil {
			t.Fatal(err)
		}
		judge(t, client.Send(ctx, -1, "x"), false, true, false)
	})
}

func TestNew(t *testing.T) {
	for _, address := range []string{"", "api.telegram.org", "ftp://secret@api.telegram.org"} {
		if _, err := telegram.New(address, secret.Fixed(token)); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("New(%q) = %v, want an error without the secret", address, err)
		}
	}
	if _, err := telegram.New(telegram.API, secret.Fixed(token)); err != nil {
		t.Error(err)
	}
}

func TestTokens(t *testing.T) {
	for _, bad := range []string{"", "secret", "1:secret", token + "\n", token + "/x"} {
		if err := telegram.CheckToken(bad); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("CheckToken(%q) = %v, want an error without the secret", bad, err)
		}
		c := &counterpart{status: []int{200}, answers: []string{sent}}
		judge(t, startWith(t, c, secret.Fixed(bad)).Send(t.Context(), -1, "x"), true, false, false)
		if len(c.calls) != 0 {
			t.Errorf("%q is used", bad)
		}
	}
	if err := telegram.CheckToken(token); err != nil {
		t.Error(err)
	}
}

// TestSendUsesRotatedToken tests that a message is sent with the source's present token, which no
// error shows; if the source fails, nothing is sent.
func TestSendUsesRotatedToken(t *testing.T) {
	const rotated = "987654321:BBsecretsecretsecret_-y"
	c := &counterpart{status: []int{200, 200, 400}, answers: []string{sent, sent, refused(400, "Bad Request: "+rotated, "")}}
	now, failure := token, error(nil)
	client := startWith(t, c, func(context.Context) (string, error) { return now, failure })
	if err := client.Send(t.Context(), -1, "x"); err != nil {
		t.Fatal(err)
	}
	now = rotated
	if err := client.Send(t.Context(), -1, "x"); err != nil {
		t.Fatal(err)
	}
	judge(t, client.Send(t.Context(), -1, "x"), false, false, true)
	if want := []string{"/bot" + token + "/sendMessage", "/bot" + rotated + "/sendMessage", "/bot" + rotated + "/sendMessage"}; !slices.Equal(c.paths, want) {
		t.Errorf("called %v, want %v", c.paths, want)
	}
	failure = errors.New("away")
	judge(t, client.Send(t.Context(), -1, "x"), true, false, false)
	if len(c.calls) != 3 {
		t.Error("it was sent without a token")
	}
}
