package notice_test

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf16"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/event"
	"tokenlaunch.example/service/pkg/distribution/notice"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

var (
	noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	mint = solana.PublicKey{1, 2, 3}
	usdc = solana.MustPublicKeyFromBase58("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v")
)

// box is a queue that keeps what it is given, or fails.
type box struct {
	notices []notice.Notice
	err     error
	bounded bool // every call had a deadline
	links   error
}

func (b *box) Chat(_ context.Context, of solana.PublicKey, _ string) (int64, error) {
	if of != mint {
		return 0, notice.ErrNotLinked
	}
	return -1, b.links
}

func (b *box) Send(ctx context.Context, n notice.Notice) error {
	_, b.bounded = ctx.Deadline()
	b.notices = append(b.notices, n)
	return b.err
}

func teller(b *box) notice.Publisher {
	return notice.Publisher{
		Queue: b, Links: b, PublicURL: "https://api.example", GatewayURL: "https://ipfs.example",
		Now: func() time.Time { return noon },
	}
}

// ended tells of a run as the events do.
func ended(ctx context.Context, b *box, r run.Run) error {
	e, ok := event.Ended(token.Record{Mint: mint}, r)
	if !ok {
		return nil
	}
	return teller(b).Tell(ctx, e)
}

// changed tells of settings that changed as the events do.
func changed(ctx context.Context, b *box, record token.Record, before terms.Settings, version int64) error {
	e, ok := event.Changed(record, terms.Version{Settings: before, Number: version - 1}, terms.Version{Settings: record.Settings, Number: version, From: noon})
	if !ok {
		return nil
	}
	return teller(b).Tell(ctx, e)
}

func settled() run.Run {
	return run.Run{
		ID: "5d2b8a4e-9f0c-5c1e-8a53-0c8e3b7f61d4", Mint: mint, Slot: noon,
		Token:      run.Token{Name: "Token", Symbol: "TOK", Decimals: 6, Wallet: token.Wallet{Address: solana.PublicKey{9}}},
		Settings:   terms.Settings{TelegramGroupID: "-100123"},
		Reward:     run.Currency{Asset: terms.SOL},
		Collecting: &run.Collecting{Done: true, Collected: 12_500_000},
		Burn:       &run.Movement{Amount: 2_500_000},
		Exchange:   &run.Exchange{Done: true, Sold: 10_000_000, Proceeds: 1_500_000_000},
		Payment: &run.Payment{Legs: []run.Leg{
			{Currency: run.Currency{Asset: terms.SOL}, CreatorPaid: &run.Movement{Amount: 500_000_000}},
			{Currency: run.Currency{Asset: terms.Asset(usdc), Decimals: 6}, CreatorPaid: &run.Movement{}},
		}},
		Closing: &run.Closing{Manifest: "bafkmanifest", Legs: []run.ClosedLeg{
			{Asset: terms.SOL, Paid: 999_999_999, PaidHolders: 1_234, Carried: 1, CarriedTo: 1},
			{Asset: terms.Asset(usdc), Paid: 70_000, PaidHolders: 2},
		}},
		End: &run.End{At: noon},
	}
}

func TestSettledRunIsReported(t *testing.T) {
	b := &box{}
	must.Do(t, ended(t.Context(), b, settled()))
	if len(b.notices) != 1 || !b.bounded {
		t.Fatalf("%d notices, bounded %v", len(b.notices), b.bounded)
	}
	n := b.notices[0]
	want := `<b>A distribution is settled</b>
Token: <code>Token</code> <code>TOK</code>
Mint: <code>4wBqpZM9xaSheZzJSMawUKKwhdpChKbZ5eu5ky4Vigw</code>
Slot: 2026-11-21 12:00 UTC
Collected: 12.5 <code>TOK</code>
Burned: 2.5 <code>TOK</code>
Sold: 10 <code>TOK</code> for 1.5 SOL
Creator: 0.5 SOL
Holders: 0.999999999 SOL to 1234
Carried to the next one: 0.000000001 SOL for 1
Holders: 0.07 USDC to 2
<a href="https://api.example/distribution/4wBqpZM9xaSheZzJSMawUKKwhdpChKbZ5eu5ky4Vigw/runs/5d2b8a4e-9f0c-5c1e-8a53-0c8e3b7f61d4">Run</a> · <a href="https://ipfs.example/ipfs/bafkmanifest">Proof</a>`
	want = strings.ReplaceAll(want, "4wBqpZM9xaSheZzJSMawUKKwhdpChKbZ5eu5ky4Vigw", mint.String())
	if n.Text != want {
		t.Errorf("got\n%s\nwant\n%s", n.Text, want)
	}
	if n.ID != "run_settled/5d2b8a4e-9f0c-5c1e-8a53-0c8e3b7f61d4" || n.Kind != notice.RunSettled || n.Group != "-100123" || !n.At.Equal(noon) {
		t.Errorf("%+v", n)
	}
	must.Do(t, ended(t.Context(), b, settled()))
	if b.notices[1].ID != n.ID {
		t.Error("the same event has two names")
	}
}

func TestWhichEndsAreNews(t *testing.T) {
	tests := []struct {
		name string
		end  *run.End
		kind notice.Kind // empty: no news
		id   string
		says string
	}{
		{"not over", nil, "", "", ""},
		{"paused", &run.End{Code: run.CodePaused, Detail: "x"}, "", "", ""},
		{"nothing to do", &run.End{Code: run.CodeNothing, Detail: "x"}, "", "", ""},
		{"below cost", &run.End{Code: run.CodeBelowCost, Detail: "x"}, "", "", ""},
		{"too low again", &run.End{At: noon, Code: run.CodeWalletTooLow, Detail: "x", Again: true}, "", "", ""},
		{"too low", &run.End{At: noon, Code: run.CodeWalletTooLow, Detail: "Send 0.01 SOL."}, notice.WalletLow, "wallet_low/" + mint.String() + "/wallet_too_low/2026-11-21", "Send 0.01 SOL."},
		{"reward", &run.End{At: noon, Code: run.CodeReward, Detail: "Frozen."}, notice.RunFailed, "run_failed/" + mint.String() + "/unsupported_reward_token/2026-11-21", "Frozen."},
		{"failed", &run.End{At: noon, Code: run.CodeSnapshot, Detail: "It does not <add> up.", Failed: true}, notice.RunFailed, "run_failed/5d2b8a4e-9f0c-5c1e-8a53-0c8e3b7f61d4", "It does not &lt;add&gt; up."},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := settled()
			r.End = test.end
			b := &box{}
			must.Do(t, ended(t.Context(), b, r))
			if test.kind == "" {
				if len(b.notices) != 0 {
					t.Fatalf("%+v", b.notices)
				}
				return
			}
			n := b.notices[0]
			if n.Kind != test.kind || n.ID != test.id || !strings.Contains(n.Text, test.says) {
				t.Errorf("%+v", n)
			}
			if low := strings.Contains(n.Text, r.Token.Wallet.Address.String()); low != (n.Kind == notice.WalletLow) {
				t.Errorf("the wallet's address shows: %v", low)
			}
		})
	}
	b := &box{}
	r := settled()
	r.Settings.TelegramGroupID = ""
	must.Do(t, ended(t.Context(), b, r))
	if len(b.notices) != 0 {
		t.Error("a group that is not there is told")
	}
	r = settled()
	r.Claim = &run.Claim{}
	must.Do(t, ended(t.Context(), b, r))
	if len(b.notices) != 0 {
		t.Error("the creator's group is told of a claim")
	}
}

// A queue that fails is told again.
func TestFailedQueueIsReported(t *testing.T) {
	b := &box{err: errors.New("the queue is away")}
	if err := ended(t.Context(), b, settled()); err == nil || len(b.notices) != 1 || !b.bounded {
		t.Errorf("%v, %d notices, bounded %v", err, len(b.notices), b.bounded)
	}
}

func TestSettingsThatChanged(t *testing.T) {
	before := terms.Default(solana.PublicKey{7})
	record := token.Record{Mint: mint, Name: "Token", Symbol: "TOK", Settings: before}
	b := &box{}
	version := int64(1)
	tell := func() {
		t.Helper()
		version++
		must.Do(t, changed(t.Context(), b, record, before, version))
	}
	record.Settings.BurnBps = 3_333
	tell() // no group
	record.Settings = before
	record.Settings.TelegramGroupID, before.TelegramGroupID = "@group", "@group"
	tell() // nothing changed
	if len(b.notices) != 0 {
		t.Fatalf("%+v", b.notices)
	}
	record.Settings.BurnBps, record.Settings.Enabled, record.Settings.Interval = 3_333, false, terms.Every24Hours
	tell()
	want := `<b>Distribution settings were changed</b>
Token: <code>Token</code> <code>TOK</code>
Mint: <code>` + mint.String() + `</code>
Interval: <code>1h</code> → <code>24h</code>
Burned: <code>0%</code> → <code>33.33%</code>
Distribution: <code>on</code> → <code>off</code>
In effect from 2026-11-22 00:00 UTC`
	if n := b.notices[0]; n.Text != want || n.Group != "@group" || n.Kind != notice.SettingsChanged {
		t.Errorf("%s\nwant\n%s", n.Text, want)
	}
	record.Settings.TelegramGroupID = ""
	tell() // the last word to the group before
	if n := b.notices[1]; n.Group != "@group" || n.ID == b.notices[0].ID {
		t.Errorf("%+v", n)
	}
	b.err = errors.New("the queue is away")
	if err := changed(t.Context(), b, record, before, 9); err == nil {
		t.Error("a notice that is lost causes no error")
	}
}

// whole reads a message as Telegram would, and returns the text outside of code and
// links, where Telegram finds links and mentions automatically.
func whole(t testing.TB, text string) (outside string) {
	t.Helper()
	length := 0
	defer func() {
		if length > 4_096 {
			t.Errorf("%d characters", length)
		}
	}()
	decoder := xml.NewDecoder(strings.NewReader("<m>" + text + "</m>"))
	var open []string
	for {
		got, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return outside
		}
		if err != nil {
			t.Fatalf("not well-formed: %v\n%s", err, text)
		}
		switch part := got.(type) {
		case xml.StartElement:
			open = append(open, part.Name.Local)
			if name := part.Name.Local; name != "m" && name != "b" && name != "code" && name != "a" {
				t.Fatalf("<%s> in\n%s", name, text)
			}
			for _, attribute := range part.Attr {
				if part.Name.Local != "a" || !strings.HasPrefix(attribute.Value, "https://api.example/") && !strings.HasPrefix(attribute.Value, "https://ipfs.example/") {
					t.Fatalf("%s=%q in\n%s", attribute.Name.Local, attribute.Value, text)
				}
			}
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			length += len(utf16.Encode([]rune(string(part))))
			if len(open) == 1 || open[len(open)-1] == "b" {
				outside += string(part)
			}
			for _, r := range string(part) {
				if r != '\n' && (unicode.Is(unicode.Cf, r) || unicode.IsControl(r)) {
					t.Fatalf("%U in\n%s", r, text)
				}
			}
		}
	}
}

var hostile = []string{
	`<b>`, `</code><a href="https://evil.example">win</a>`, `&lt;script&gt;`, "a\nb\nc", "\u202egnp.exe", "\u200b\u200d", "", "@everyone", "evil.example/claim",
	"*_`[x](y)", `"'><img src=x>`, "\x00\xff\xfe", strings.Repeat("\U0001F600", 500), "\u2028\u2029", "{{.}}", "%s%n",
}

func check(t testing.TB, name, symbol, detail string) {
	t.Helper()
	r := settled()
	r.Token.Name, r.Token.Symbol, r.Exchange.Deferred, r.Exchange.Sold = name, symbol, detail, 0
	b := &box{}
	must.Do(t, ended(context.Background(), b, r))
	r.End = &run.End{At: noon, Code: run.CodeWalletTooLow, Detail: detail}
	must.Do(t, ended(context.Background(), b, r))
	record := token.Record{Mint: mint, Name: name, Symbol: symbol, Settings: terms.Settings{RewardToken: name, TelegramGroupID: detail + "x"}}
	must.Do(t, changed(context.Background(), b, record, terms.Settings{}, 2))
	for _, n := range b.notices {
		if outside := whole(t, n.Text); strings.ContainsAny(outside, "@/\\") {
			t.Errorf("outside of code: %q", outside)
		}
	}
	if len(b.notices) != 3 {
		t.Errorf("%d notices", len(b.notices))
	}
}

func TestHostileNames(t *testing.T) {
	for _, text := range hostile {
		check(t, text, text, text)
	}
}

func FuzzNames(f *testing.F) {
	for _, text := range hostile {
		f.Add(text, text, text)
	}
	f.Fuzz(func(t *testing.T, name, symbol, detail string) { check(t, name, symbol, detail) })
}

func TestTryIsOneDistribution(t *testing.T) {
	b := &box{}
	record := token.Record{
		Mint: mint, Name: "Tidal <b>", Symbol: "@TIDE", Settings: terms.Settings{TelegramGroupID: "@group"},
	}
	for _, id := range []string{"1", "2"} {
		if err := teller(b).Try(t.Context(), record, id); err != nil || !b.bounded {
			t.Errorf("bounded %v, %v", b.bounded, err)
		}
	}
	const want = "This is a test: what becomes of the distributions of <code>Tidal &lt;b&gt;</code> <code>@TIDE</code> is told here."
	if n := b.notices[0]; n.Text != want || n.Group != "@group" || n.Kind != notice.Test || !n.At.Equal(noon) || n.ID != "test/"+mint.String()+"/1" {
		t.Errorf("%+v", n)
	}
	if b.notices[0].ID == b.notices[1].ID {
		t.Error("two tries are one event")
	}
	b.err = errors.New("away")
	if err := teller(b).Try(t.Context(), record, "3"); err == nil {
		t.Error("it is said to be queued")
	}
}
