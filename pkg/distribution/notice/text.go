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

// How much of a text that others have written is shown, in characters: of names,
// addresses and settings, and of sentences. A message has 4,096 (Telegram Bot API,
// sendMessage).
const (
	maxName     = 64
	maxSentence = 400
)

// message is a text in Telegram's HTML.
type message []string // lines

func (m *message) line(parts ...string) { *m = append(*m, strings.Join(parts, "")) }

func (m *message) text() string { return strings.TrimSpace(strings.Join(*m, "\n")) }

func bold(ours string) string { return "<b>" + html.EscapeString(ours) + "</b>" }

// foreign shows what others have written: as code, for in that Telegram sees no
// links and no mentions, without line breaks and invisible characters, which
// could turn the text around, and cut off.
func foreign(text string) string { return code(text, maxName) }

// sentence is foreign for a text that may be longer.
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

// link shows an address of ours. One that is none of the web is left out.
func link(words, address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || (u.Scheme != "https" && u.Scheme != "http") {
		return ""
	}
	return `<a href="` + html.EscapeString(u.String()) + `">` + html.EscapeString(words) + "</a>"
}

// coin is an asset as a message names it.
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
