package notice

import (
	"html"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/decimal"
	"tokenlaunch.example/service/pkg/token/terms"
)

// The maximum lengths of texts from third parties, in characters: names, addresses and settings,
// and sentences. A message has at most 4,096 (Telegram Bot API, sendMessage).
const (
	maxName     = 64
	maxSentence = 400
)

// Message is a text in Telegram's HTML, as lines.
type Message []string

// Line appends a line of HTML.
func (m *Message) Line(parts ...string) { *m = append(*m, strings.Join(parts, "")) }

// Text returns the whole message.
func (m *Message) Text() string { return strings.TrimSpace(strings.Join(*m, "\n")) }

// Bold formats a text of the service as bold HTML.
func Bold(ours string) string { return "<b>" + html.EscapeString(ours) + "</b>" }

// Foreign formats a text from third parties as code, in which Telegram finds no links or mentions.
// It removes line breaks and invisible characters, which could reverse the text, and truncates the
// text.
func Foreign(text string) string { return code(text, maxName) }

// sentence is Foreign for a longer text.
func sentence(text string) string { return code(text, maxSentence) }

func code(text string, limit int) string {
	kept := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case r == utf8.RuneError, !unicode.IsGraphic(r):
			return -1
		}
		return r
	}, text)
	if runes := []rune(kept); len(runes) > limit {
		kept = string(runes[:limit]) + "…"
	}
	if kept = strings.TrimSpace(kept); kept == "" {
		kept = "?"
	}
	return "<code>" + html.EscapeString(kept) + "</code>"
}

// Link formats an address of the service. It returns an empty text if the address is not a web
// address.
func Link(words, address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || (u.Scheme != "https" && u.Scheme != "http") {
		return ""
	}
	return `<a href="` + html.EscapeString(u.String()) + `">` + html.EscapeString(words) + "</a>"
}

// Coin is the name of an asset in a message, with the decimals.
type Coin struct {
	Name     string // HTML
	Decimals int
}

// Amount returns an amount in base units in words.
func (c Coin) Amount(units uint64) string { return decimal.Text(units, c.Decimals) + " " + c.Name }

const lamportDecimals = 9

// CurrencyOf returns the name of an asset in messages about a token with the mint own.
func CurrencyOf(asset terms.Asset, decimals uint8, own solana.PublicKey, symbol string) Coin {
	switch {
	case asset.IsSOL():
		return Coin{terms.RewardSOL, lamportDecimals}
	case asset.Mint() == own:
		return Coin{Foreign(symbol), int(decimals)}
	case terms.Stablecoin(asset.String()) != "":
		return Coin{terms.Stablecoin(asset.String()), int(decimals)}
	}
	return Coin{Foreign(asset.String()), int(decimals)}
}
