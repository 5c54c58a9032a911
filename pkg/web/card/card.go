// Package card draws the picture in previews of a token's links: the token's picture, its name, and
// up to three facts in short sentences.
//
// A name may have any characters, but the font has few characters. A name that the font cannot draw
// is replaced by the symbol. A symbol that the font cannot draw is replaced by the token's address,
// the only certain name of the token.
package card

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math/big"

	"tokenlaunch.example/service/pkg/platform/decimal"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/visible"
	"tokenlaunch.example/service/pkg/web/page"
)

// Width and Height are the size of the picture in pixels, as readers of the Open Graph protocol
// require.
const (
	Width  = 1200
	Height = 630
)

// edition is the version of the drawing, so that no cache keeps an older card.
const edition = 3

// Card is the content of a picture.
type Card struct {
	Name    string
	Symbol  string
	Address string
	Facts   []string
}

// New returns the card of a token.
func New(r token.Record) Card {
	r.Name, r.Symbol = visible.Legible(r.Name), visible.Legible(r.Symbol)
	if !drawable(r.Symbol) {
		r.Symbol = page.ShortAddress(r.Mint.String())
	}
	if !drawable(r.Name) {
		r.Name = r.Symbol
	}
	return Card{Name: r.Name, Symbol: r.Symbol, Address: r.Mint.String(), Facts: page.Facts(r)}
}

// lamportsOfShown is the number of lamports of the last shown decimal of SOL, of shownPlaces.
const (
	lamportsOfShown = 100_000
	shownPlaces     = 4
)

// WithPaid returns the card with the payments to holders in place of the first fact: the number of
// runs that paid, and the SOL that they paid. Without a run, the card stays the same.
func (c Card) WithPaid(runs uint64, lamports *big.Int) Card {
	if runs == 0 || len(c.Facts) == 0 {
		return c
	}
	payouts := decimal.Grouped(runs, 0) + " proven payouts"
	if runs == 1 {
		payouts = "1 proven payout"
	}
	paid := "Paid its holders in " + payouts + "."
	if lamports != nil {
		if shown := new(big.Int).Quo(lamports, big.NewInt(lamportsOfShown)); shown.Sign() > 0 && shown.IsUint64() {
			paid = "Paid its holders " + decimal.Grouped(shown.Uint64(), shownPlaces) + " SOL in " + payouts + "."
		}
	}
	c.Facts = append([]string{paid}, c.Facts[1:]...)
	return c
}

// Tag returns an identifier of this card with the picture of this content ID.
func (c Card) Tag(imageCID string) (string, error) {
	said, err := json.Marshal([]any{edition, c, imageCID})
	if err != nil {
		return "", fmt.Errorf("name a card: %w", err)
	}
	sum := sha256.Sum256(said)
	return base64.RawURLEncoding.EncodeToString(sum[:15]), nil
}

// Positions in pixels, and the colours of the page's light theme.
const (
	margin    = 59
	textLeft  = margin + side + 50
	textWidth = Width - textLeft - margin
	nameLeft  = Width - margin - 125 // of the product's name
)

var (
	paper  = color.RGBA{0xfb, 0xf8, 0xf1, 0xff}
	ink    = color.RGBA{0x17, 0x21, 0x1c, 0xff}
	faint  = color.RGBA{0x56, 0x61, 0x5a, 0xff}
	accent = color.RGBA{0x0a, 0x66, 0x48, 0xff}
	gold   = color.RGBA{0xd0, 0x90, 0x1d, 0xff}
	tinted = color.RGBA{0xe0, 0xec, 0xe2, 0xff}
)

// PNG draws the card. The token's picture is a JPEG. If the picture is missing or cannot be read,
// PNG draws the symbol's first letter instead.
func (c Card) PNG(picture []byte) ([]byte, error) {
	canvas := image.NewRGBA(image.Rect(0, 0, Width, Height))
	fill(canvas, canvas.Rect, paper)
	fill(canvas, image.Rect(0, 0, Width, 14), accent)
	t := text{canvas: canvas}
	if !place(canvas, picture) {
		square := image.Rect(margin, margin, margin+side, margin+side)
		fill(canvas, square, tinted)
		t.centred(bold, 260, accent, square, string([]rune(c.Symbol)[:1]))
	}
	y := t.paragraph(bold, 62, ink, margin+62, 2, c.Name)
	if c.Symbol != c.Name {
		y = t.paragraph(bold, 38, accent, y+56, 1, c.Symbol)
	}
	y += 70
	for _, fact := range c.Facts {
		y = t.paragraph(regular, 30, ink, y, 2, fact) + 54
	}
	t.line(regular, 24, faint, margin, Height-26, c.Address)
	mark(canvas, image.Pt(nameLeft-44, Height-50), 36)
	t.line(bold, 26, ink, nameLeft, Height-26, page.Name)
	return t.encoded()
}

// Site draws the preview picture of a page without a token: the product's mark, a title and a
// sentence.
func Site(title, sentence string) ([]byte, error) {
	canvas := image.NewRGBA(image.Rect(0, 0, Width, Height))
	fill(canvas, canvas.Rect, paper)
	fill(canvas, image.Rect(0, 0, Width, 14), accent)
	t := text{canvas: canvas}
	square := image.Rect(margin, margin, margin+side, margin+side)
	fill(canvas, square, tinted)
	const inset = 96 // of the mark in its square
	mark(canvas, square.Min.Add(image.Pt(inset, inset)), side-2*inset)
	y := t.paragraph(bold, 62, ink, margin+62, 3, title)
	t.paragraph(regular, 30, ink, y+70, 6, sentence)
	t.line(bold, 26, ink, nameLeft, Height-26, page.Name)
	return t.encoded()
}

// encoded returns the canvas as a PNG, or the error of the texts.
func (t *text) encoded() ([]byte, error) {
	if t.err != nil {
		return nil, t.err
	}
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := encoder.Encode(&out, t.canvas); err != nil {
		return nil, fmt.Errorf("write the card: %w", err)
	}
	return out.Bytes(), nil
}

func fill(canvas *image.RGBA, area image.Rectangle, c color.RGBA) {
	draw.Draw(canvas, area, image.NewUniform(c), image.Point{}, draw.Src)
}
