package notifier_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/launchtable/consents"
	"tokenlaunch.example/service/pkg/distribution/consent"
	"tokenlaunch.example/service/pkg/distribution/notice"
	"tokenlaunch.example/service/pkg/platform/secret"
	"tokenlaunch.example/service/pkg/provider/telegram"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/telegramtest"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

const (
	alices, mallorys, channel = -1001, -1002, -1003 // groups
	alice, bob, mallory       = 11, 12, 13          // users
)

// scene is Telegram with the group of Alice's community and a group of Mallory's, in both of which the
// bot is, and the service over the real store.
type scene struct {
	*testing.T

	api      *telegramtest.API
	store    failing
	groups   consent.Service
	listener *consent.Listener
	queue    queued
	tell     notice.Publisher
	now      time.Time
	log      bytes.Buffer
}

// failing is the store, which fails on request.
type failing struct {
	consent.Store

	err error
}

func (f *failing) Use(ctx context.Context, mint solana.PublicKey, code consent.Hash, link *consent.Link) error {
	if f.err != nil {
		return f.err
	}
	return f.Store.Use(ctx, mint, code, link)
}

type queued struct{ list []notice.Notice }

func (q *queued) Send(_ context.Context, n notice.Notice) error {
	q.list = append(q.list, n)
	return nil
}

func newScene(t *testing.T) *scene {
	t.Helper()
	stack := localnet.AWS(t)
	s := &scene{T: t, api: telegramtest.New(t), now: time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)}
	s.api.Open(alices, telegramtest.Chat{Name: "Alice_Community", Admins: []int64{alice}})
	s.api.Open(mallorys, telegramtest.Chat{Admins: []int64{mallory}})
	s.api.Open(channel, telegramtest.Chat{Name: "alice_channel", Channel: true})
	s.store.Store = consents.Store{Client: dynamo.New(stack.Config(t.Context())), Table: stack.CreateTable(t, schema.Launch)}
	clock := func() time.Time { return s.now }
	s.groups = consent.Service{Store: &s.store, Now: clock}
	bot, err := telegram.New(s.api.URL, secret.Fixed(telegramtest.Token))
	if err != nil {
		t.Fatal(err)
	}
	bot.Moved = s.store.Move
	s.listener = &consent.Listener{Telegram: bot, Store: &s.store, Log: slog.New(slog.NewTextHandler(&s.log, nil))}
	s.tell = notice.Publisher{Queue: &s.queue, Links: s.groups, PublicURL: "https://api.example", Now: clock}
	return s
}

// record is Mallory's token, or with another number another one, whose settings name a group.
func record(number byte, group string) token.Record {
	r := token.Record{Mint: solana.PublicKey{number}, Creator: solana.PublicKey{8}, Name: "Alice migrates to ALICE2", Symbol: "CLAIM-NOW", Settings: terms.Default(solana.PublicKey{8})}
	r.Settings.TelegramGroupID = group
	return r
}

func (s *scene) code(r token.Record) consent.Code {
	s.Helper()
	code, err := s.groups.Issue(s.Context(), r.Mint, r.Settings.TelegramGroupID)
	if err != nil {
		s.Fatal(err)
	}
	return code
}

// post posts a message a second later, and has the bot listen.
func (s *scene) post(m telegramtest.Message) {
	s.Helper()
	s.now = s.now.Add(time.Second)
	m.At = s.now
	s.api.Post(m)
	s.listen()
}

func (s *scene) listen() {
	s.Helper()
	if err := s.listener.Listen(s.Context()); err != nil {
		s.Fatal(err)
	}
}

// tells checks the group that gets a token's notices, 0 for none.
func (s *scene) tells(r token.Record, want int64) {
	s.Helper()
	s.queue.list = nil
	err := s.tell.Try(s.Context(), r, "1")
	chat, linkErr := s.groups.Chat(s.Context(), r.Mint, r.Settings.TelegramGroupID)
	if want == 0 && (!errors.Is(err, notice.ErrNotLinked) || !errors.Is(linkErr, notice.ErrNotLinked) || len(s.queue.list) != 0) {
		s.Errorf("Try() = %v, and Chat() = %d, %v; want nothing queued for %s", err, chat, linkErr, r.Settings.TelegramGroupID)
	}
	if want != 0 && (err != nil || linkErr != nil || chat != want || len(s.queue.list) != 1) {
		s.Errorf("Try() = %v, and Chat() = %d, %v; want %d", err, chat, linkErr, want)
	}
}

// silent checks that the bot said nothing.
func (s *scene) silent() {
	s.Helper()
	if said := s.api.Sent(); len(said) != 0 {
		s.Errorf("the bot sent %v", said)
	}
}

// TestAnyoneNamesAnyonesGroup is a red team's reproduction: Mallory's token names the group of
// Alice's community. The setting is valid, and the group gets no notice until its administrator
// agrees.
func TestAnyoneNamesAnyonesGroup(t *testing.T) {
	s := newScene(t)
	group := "@alice_community"
	if bad := (terms.Patch{TelegramGroupID: &group}).Check(record(9, "").Settings); len(bad) > 0 {
		t.Fatalf("rejected: %v", bad)
	}
	r := record(9, group)
	s.tells(r, 0)
	code := s.code(r)
	s.tells(r, 0)
	s.post(telegramtest.Message{Chat: alices, From: alice, Text: code.Command})
	s.tells(r, alices)
	if said := s.api.Sent(); len(said) != 1 || said[0].Chat != alices || !strings.Contains(said[0].Text, r.Mint.String()) || strings.Contains(said[0].Text, "ALICE2") {
		t.Errorf("the bot sent %v", said)
	}
	for _, other := range []token.Record{record(10, group), record(9, "@alice_channel"), record(9, fmt.Sprint(alices))} {
		s.tells(other, 0)
	}
	if strings.Contains(s.log.String(), code.Text[strings.Index(code.Text, "_"):]) {
		t.Errorf("the log has the code: %s", s.log.String())
	}
}

// TestLinkByAdministratorsOnly tries a code in each way that is not an administrator's of its group.
func TestLinkByAdministratorsOnly(t *testing.T) {
	s := newScene(t)
	r := record(9, "@alice_community")
	another := s.code(record(10, "@alice_community"))
	for name, m := range map[string]telegramtest.Message{
		"a member":                     {Chat: alices, From: bob},
		"her own group":                {Chat: mallorys, From: mallory},
		"another group's anonymous":    {Chat: alices, From: mallory, SenderChat: mallorys},
		"a channel's automatic":        {Chat: alices, SenderChat: channel},
		"forwarded by Alice":           {Chat: alices, From: alice, Forwarded: true},
		"a guess by Alice":             {Chat: alices, From: alice, Text: "/link " + r.Mint.String() + "_AAAAAAAAAAAAAAAA"},
		"within a sentence":            {Chat: alices, From: alice, Text: "do not post /link " + another.Text},
		"a code of an unknown token":   {Chat: alices, From: alice, Text: "/link " + solana.PublicKey{77}.String() + "_AAAAAAAAAAAAAAAA"},
		"markup":                       {Chat: alices, From: alice, Text: "/link <a href='https://evil.example'>x</a>"},
		"another command of the group": {Chat: alices, From: alice, Text: "/linkage " + another.Text},
	} {
		code := s.code(r)
		if m.Text == "" {
			m.Text = code.Command
		}
		s.post(m)
		s.tells(r, 0)
		said := s.api.Sent()
		if name == "her own group" { // its administrator is told why
			if len(said) != 1 || said[0].Chat != mallorys || strings.Contains(said[0].Text, "Alice") {
				t.Errorf("%s: the bot sent %v", name, said)
			}
		} else if len(said) != 0 {
			t.Errorf("%s: the bot sent %v", name, said)
		}
	}
	s.tells(record(10, "@alice_community"), 0)
}

// TestCodeWorksOnce tests that a code is used up by its use, by a newer code, and by time; a post
// without success uses the code up, too.
func TestCodeWorksOnce(t *testing.T) {
	s := newScene(t)
	r := record(9, "@alice_community")
	before := s.code(r)
	code := s.code(r)
	s.post(telegramtest.Message{Chat: alices, From: alice, Text: before.Command})
	s.tells(r, 0)
	s.silent()
	s.post(telegramtest.Message{Chat: alices, From: bob, Text: code.Command})
	s.post(telegramtest.Message{Chat: alices, From: alice, Text: code.Command})
	s.tells(r, 0)
	s.silent()
	late := s.code(r)
	s.now = s.now.Add(consent.CodeLifetime)
	s.post(telegramtest.Message{Chat: alices, From: alice, Text: late.Command})
	s.tells(r, 0)
	s.api.Sent()
	good := s.code(r)
	s.post(telegramtest.Message{Chat: alices, From: alice, Text: good.Command})
	s.tells(r, alices)
	s.api.Sent()
	s.post(telegramtest.Message{Chat: alices, From: alice, Text: good.Command})
	s.silent()
	s.tells(r, alices)
}

// TestWaysToLink tests the forms of the command and of a group's name.
func TestWaysToLink(t *testing.T) {
	s := newScene(t)
	for i, c := range []struct {
		group string
		want  int64
		text  string // before the code
		telegramtest.Message
	}{
		{"@alice_community", alices, "/link ", telegramtest.Message{Chat: alices, From: alice}},
		{"@ALICE_community", alices, "/link@" + telegramtest.Name + "  ", telegramtest.Message{Chat: alices, From: alice}},
		{"-1001", alices, "/start ", telegramtest.Message{Chat: alices, From: alice}},
		{"-1001", alices, "/link ", telegramtest.Message{Chat: alices, SenderChat: alices}}, // an anonymous administrator
		{"@alice_channel", channel, "/link ", telegramtest.Message{Chat: channel}},
	} {
		r := record(byte(20+i), c.group)
		c.Text = c.text + s.code(r).Text
		s.post(c.Message)
		s.tells(r, c.want)
	}
	// The bot's name is known once it has listened.
	if code := s.code(record(9, "-1001")); code.Bot != telegramtest.Name || !strings.HasPrefix(code.Command, "/link@"+telegramtest.Name+" ") {
		t.Errorf("Issue() = %+v", code)
	}
}

// TestNameGoesToAnotherGroup tests that a link stays with the group that agreed, even after another
// group has taken its name.
func TestNameGoesToAnotherGroup(t *testing.T) {
	s := newScene(t)
	r := record(9, "@alice_community")
	s.post(telegramtest.Message{Chat: alices, From: alice, Text: s.code(r).Command})
	s.api.Rename(alices, "alice_moved")
	s.api.Rename(mallorys, "alice_community")
	s.tells(r, alices)
	// Another setting needs another code, and the old one does not serve.
	old := s.code(r)
	r.Settings.TelegramGroupID = "@alice_moved"
	s.tells(r, 0)
	s.post(telegramtest.Message{Chat: alices, From: alice, Text: old.Command})
	s.tells(r, 0)
	s.post(telegramtest.Message{Chat: alices, From: alice, Text: s.code(r).Command})
	s.tells(r, alices)
}

// TestUnlink tests that an administrator ends all links of a group, and that repeated updates
// restore none.
func TestUnlink(t *testing.T) {
	s := newScene(t)
	first, second := record(9, "@alice_community"), record(10, "-1001")
	elsewhere := record(9, "-1002")
	elsewhere.Mint = solana.PublicKey{11}
	for _, r := range []token.Record{first, second} {
		s.post(telegramtest.Message{Chat: alices, From: alice, Text: s.code(r).Command})
	}
	s.post(telegramtest.Message{Chat: mallorys, From: mallory, Text: s.code(elsewhere).Command})
	s.api.Sent()
	s.post(telegramtest.Message{Chat: alices, From: mallory, Text: "/unlink"})
	s.silent()
	s.tells(first, alices)

	s.now = s.now.Add(time.Second)
	s.api.Post(telegramtest.Message{Chat: alices, From: alice, Text: "/unlink", At: s.now})
	replay := s.api.Waiting()
	s.listen()
	s.tells(first, 0)
	s.tells(second, 0)
	s.tells(elsewhere, mallorys)
	if said := s.api.Sent(); len(said) != 1 || said[0].Chat != alices {
		t.Errorf("the bot sent %v", said)
	}
	// A new code links again; a repeated update of before changes nothing then.
	s.post(telegramtest.Message{Chat: alices, From: alice, Text: s.code(first).Command})
	s.api.Sent()
	s.api.Again(replay)
	s.listen()
	s.silent()
	s.tells(first, alices)
	s.tells(second, 0)
	s.post(telegramtest.Message{Chat: alices, SenderChat: alices, Text: "/unlink@" + telegramtest.Name})
	s.tells(first, 0)
}

// TestGroupBecomesSupergroup tests that the link moves to the supergroup, which can end it, even if
// the messages about the move were lost.
func TestGroupBecomesSupergroup(t *testing.T) {
	for _, told := range []bool{true, false} {
		t.Run(fmt.Sprint(told), func(t *testing.T) {
			s := newScene(t)
			const old, now = -42, -1000042
			s.api.Open(old, telegramtest.Chat{Admins: []int64{alice}})
			r := record(9, "-42")
			s.post(telegramtest.Message{Chat: old, From: alice, Text: s.code(r).Command})
			s.tells(r, old)
			s.api.Sent()
			s.api.Upgrade(old, now, s.now, told)
			if !told { // the next message finds out
				if err := s.listener.Telegram.Send(t.Context(), old, "x"); err != nil {
					t.Fatal(err)
				}
			}
			s.listen()
			s.listen()
			s.tells(r, now)
			// A second move has no effect: a supergroup stays a supergroup.
			if err := s.store.Move(t.Context(), old, mallorys); err != nil {
				t.Fatal(err)
			}
			s.tells(r, now)
			s.post(telegramtest.Message{Chat: now, From: alice, Text: "/unlink"})
			s.tells(r, 0)
		})
	}
}

// TestFloodIsBounded tests that members who flood a group cause neither requests to Telegram nor
// replies.
func TestFloodIsBounded(t *testing.T) {
	s := newScene(t)
	r := record(9, "@alice_community")
	code := s.code(r)
	for range 250 {
		s.api.Post(telegramtest.Message{Chat: alices, From: bob, Text: "/link " + r.Mint.String() + "_BBBBBBBBBBBBBBBB", At: s.now})
		s.api.Post(telegramtest.Message{Chat: alices, From: bob, Text: "/unlink", At: s.now})
	}
	s.api.Post(telegramtest.Message{Chat: alices, From: alice, Text: code.Command, At: s.now})
	s.listen()
	s.tells(r, alices)
	if asked, said := s.api.Asked(), s.api.Sent(); asked != 1 || len(said) != 1 {
		t.Errorf("%d requests, messages %v", asked, said)
	}
	for range 100 {
		s.api.Post(telegramtest.Message{Chat: alices, From: bob, Text: "/unlink", At: s.now.Add(time.Second)})
	}
	s.listen()
	if asked := s.api.Asked(); asked != 2 {
		t.Errorf("%d requests for one group", asked)
	}
	// More groups than one call asks for: the rest is left out, and said.
	s.post(telegramtest.Message{Chat: alices, From: bob, Text: "x"})
	for i := range 25 {
		group := int64(-5000 - i)
		s.api.Open(group, telegramtest.Chat{Admins: []int64{mallory}})
		s.api.Post(telegramtest.Message{Chat: group, From: mallory, Text: s.code(record(byte(100+i), fmt.Sprint(group))).Command, At: s.now})
	}
	s.listen()
	if asked := s.api.Asked(); asked != 22 || !strings.Contains(s.log.String(), "commands=5") {
		t.Errorf("%d requests: %s", asked, s.log.String())
	}
	if waiting := s.api.Waiting(); len(waiting) != 0 {
		t.Errorf("%d updates are not confirmed", len(waiting))
	}
}

// TestOutages tests that updates are not lost if the store rejects them, and that Telegram's
// failures end no call.
func TestOutages(t *testing.T) {
	s := newScene(t)
	r := record(9, "@alice_community")
	command := s.code(r).Command
	s.api.Down(true)
	s.post(telegramtest.Message{Chat: alices, From: alice, Text: command})
	s.tells(r, 0)
	s.api.Down(false)
	s.store.err = errors.New("away")
	if err := s.listener.Listen(t.Context()); err == nil {
		t.Error("a failing store causes no error")
	}
	s.tells(r, 0)
	s.store.err = nil
	s.listen()
	s.tells(r, alices)
	if text := s.log.String(); strings.Contains(text, telegramtest.Token) || !strings.Contains(text, "not read") {
		t.Errorf("log = %s, want \"not read\" without the bot's token", text)
	}
	if waiting := s.api.Waiting(); len(waiting) != 0 || slices.Contains([]int{0}, len(s.api.Sent())) {
		t.Errorf("%d updates are not confirmed, or the group got no reply", len(waiting))
	}
}

const (
	alicesChat   int64 = alice // a private chat has the number of its user
	mallorysChat int64 = mallory
)

// told delivers a digest of a wallet, and returns the chats that got it.
func (s *scene) told(wallet solana.PublicKey) (chats []int64) {
	s.Helper()
	s.api.Sent()
	body := notice.Notice{ID: fmt.Sprint("wallet_digest/", s.now), Kind: notice.WalletDigest, Wallet: wallet, At: s.now, Text: "news"}
	n := notice.Notifier{Store: free{}, Links: s.groups, Sender: s.listener.Telegram, Now: func() time.Time { return s.now }, NewID: func() string { return "1" }, Log: s.listener.Log}
	if err := n.Deliver(s.Context(), body); err != nil {
		s.Fatal(err)
	}
	for _, sent := range s.api.Sent() {
		chats = append(chats, sent.Chat)
	}
	return chats
}

// free is a store of claims in which every event is free.
type free struct{}

func (free) Claim(context.Context, string, string, time.Time) (notice.ClaimState, error) {
	return notice.Claimed, nil
}
func (free) Finish(context.Context, string, string) error  { return nil }
func (free) Release(context.Context, string, string) error { return nil }

// TestPrivateChatLinksWallet tests that a wallet's code links the private chat that posts it, once.
// A group's code links no private chat and stays valid, and a wallet's code links no group.
func TestPrivateChatLinksWallet(t *testing.T) {
	s := newScene(t)
	s.api.Open(alicesChat, telegramtest.Chat{})
	s.api.Open(mallorysChat, telegramtest.Chat{})
	wallet := solana.PublicKey{42}
	issue := func() consent.Code {
		t.Helper()
		code, err := s.groups.Issue(t.Context(), wallet, "")
		if err != nil {
			t.Fatal(err)
		}
		return code
	}
	s.listen()
	code := issue()
	if code.Bot != telegramtest.Name || code.Command != "/link "+code.Text {
		t.Errorf("Issue() = %+v", code)
	}
	if chats := s.told(wallet); len(chats) != 0 {
		t.Errorf("notices to %v before a link", chats)
	}
	s.post(telegramtest.Message{Chat: alicesChat, From: alice, Text: "/start " + code.Text})
	if said := s.api.Sent(); len(said) != 1 || said[0].Chat != alicesChat || !strings.Contains(said[0].Text, wallet.String()) {
		t.Errorf("the bot sent %v", said)
	}
	s.post(telegramtest.Message{Chat: mallorysChat, From: mallory, Text: code.Command})
	s.silent()
	if chats := s.told(wallet); !slices.Equal(chats, []int64{alicesChat}) {
		t.Errorf("notices to %v", chats)
	}
	if strings.Contains(s.log.String(), wallet.String()) {
		t.Errorf("the log names the wallet: %s", &s.log)
	}

	r := record(9, "@alice_community")
	groups := s.code(r)
	s.post(telegramtest.Message{Chat: alicesChat, From: alice, Text: groups.Command})
	s.silent()
	s.post(telegramtest.Message{Chat: alices, From: alice, Text: groups.Command})
	s.tells(r, alices)
	s.api.Sent()
	s.post(telegramtest.Message{Chat: alices, From: alice, Text: issue().Command})
	if chats := s.told(wallet); !slices.Equal(chats, []int64{alicesChat}) {
		t.Errorf("notices to %v after a post in a group", chats)
	}
	late := issue()
	s.now = s.now.Add(consent.CodeLifetime)
	s.post(telegramtest.Message{Chat: mallorysChat, From: mallory, Text: late.Command})
	if said := s.api.Sent(); len(said) != 1 || !strings.Contains(said[0].Text, "expired") {
		t.Errorf("the bot sent %v to a late code", said)
	}
	// The wallet moves to another chat with another code.
	s.post(telegramtest.Message{Chat: mallorysChat, From: mallory, Text: issue().Command})
	if chats := s.told(wallet); !slices.Equal(chats, []int64{mallorysChat}) {
		t.Errorf("notices to %v after another link", chats)
	}
}

// TestUnlinkPrivateChat tests that /unlink ends the links of all wallets of a chat, and of no other
// chat. A repeated earlier update ends no new link.
func TestUnlinkPrivateChat(t *testing.T) {
	s := newScene(t)
	s.api.Open(alicesChat, telegramtest.Chat{})
	s.api.Open(mallorysChat, telegramtest.Chat{})
	s.post(telegramtest.Message{Chat: alicesChat, From: alice, Text: "/unlink"})
	s.silent() // nothing was linked
	wallets := []solana.PublicKey{{41}, {42}, {43}}
	link := func(wallet solana.PublicKey, chat int64) {
		t.Helper()
		code, err := s.groups.Issue(t.Context(), wallet, "")
		if err != nil {
			t.Fatal(err)
		}
		s.post(telegramtest.Message{Chat: chat, From: chat, Text: code.Command})
	}
	link(wallets[0], alicesChat)
	link(wallets[1], alicesChat)
	link(wallets[2], mallorysChat)
	s.now = s.now.Add(time.Second)
	s.api.Post(telegramtest.Message{Chat: alicesChat, From: alice, Text: "/unlink", At: s.now})
	replay := s.api.Waiting()
	s.api.Sent()
	s.listen()
	if said := s.api.Sent(); len(said) != 1 || said[0].Chat != alicesChat {
		t.Errorf("the bot sent %v", said)
	}
	if a, b, c := s.told(wallets[0]), s.told(wallets[1]), s.told(wallets[2]); len(a) != 0 || len(b) != 0 || !slices.Equal(c, []int64{mallorysChat}) {
		t.Errorf("notices to %v, %v, %v", a, b, c)
	}
	link(wallets[0], alicesChat)
	s.api.Again(replay)
	s.listen()
	if a := s.told(wallets[0]); !slices.Equal(a, []int64{alicesChat}) {
		t.Errorf("notices to %v after a new link and a repeated update", a)
	}
}
