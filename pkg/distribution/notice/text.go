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

// message is a text in Telegram's HTML.
type message []string // lines

func (m *message) line(parts ...string) { *m = append(*m, strings.Join(parts, "")) }

func (m *message) text() string { return strings.TrimSpace(strings.Join(*m, "\n")) }

func bold(ours string) string { return "<b>" + html.EscapeString(ours) + "</b>" }

// foreign formats a text from third parties as code, in which Telegram finds no links or mentions.
// It removes line breaks and invisible characters, which could reverse the text, and truncates the
// text.
func foreign(text string) string { return code(text, maxName) }

// sentence is foreign for a longer text.
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

// link formats an address of the service. It returns an empty text if the address is not a web
// address.
func link(words, address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || (u.Scheme != "https" && u.Scheme != "http") {
		return ""
	}
	return `<a href="` + html.EscapeString(u.String()) + `">` + html.EscapeString(words) + "</a>"
}

// coin is the name of an asset in a message, with the decimals.
type coin struct {
	name     string // HTML
	decimals int
}

func (c coin) amount(units uint64) string { return decimal.Text(units, c.decimals) + " " + c.name }

const lamportDecimals = 9

func coinOf(asset terms.Asset, decimals uint8, own solana.PublicKey, symbol string) coin {
	switch {
	case asset.IsSOL():
		return coin{terms.RewardSOL, lamportDecimals}
	case asset.Mint() == own:
		return coin{foreign(symbol), int(decimals)}
	case terms.Stablecoin(asset.String()) != "":
		return coin{terms.Stablecoin(asset.String()), int(decimals)}
	}
	return coin{foreign(asset.String()), int(decimals)}
}
