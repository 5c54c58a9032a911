// Package card draws the picture that previews of a link show of a token: its own picture,
// its name, and what can be said of it in three short sentences.
//
// A name may have any characters, and a font has few. What the font lacks is not drawn as
// boxes: in the place of such a name stands the symbol, and in that of such a symbol the
// token's address, which is its only certain name anyway.
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

	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/visible"
	"tokenlaunch.example/service/pkg/web/page"
)

// Width and Height of the picture in pixels, as the Open Graph protocol's readers want it.
const (
	Width  = 1200
	Height = 630
)

// edition changes with how a card is drawn, so that no cache keeps an older one.
const edition = 2

// Card is what a picture says.
type Card struct {
	Name    string
	Symbol  string
	Address string
	Facts   []string
}

// New gives what the card of a token says.
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

// Tag tells this card, with a picture of this content id, from every other one.
func (c Card) Tag(imageCID string) (string, error) {
	said, err := json.Marshal([]any{edition, c, imageCID})
	if err != nil {
		return "", fmt.Errorf("name a card: %w", err)
	}
	sum := sha256.Sum256(said)
	return base64.RawURLEncoding.EncodeToString(sum[:15]), nil
}

// Where things are, in pixels, and their colours, which are those of the page in the light.
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

// PNG draws the card. The token's picture is a JPEG; when there is none, or it cannot be
// read, its first letter stands in its place.
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
	if t.err != nil {
		return nil, t.err
	}
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := encoder.Encode(&out, canvas); err != nil {
		return nil, fmt.Errorf("write the card: %w", err)
	}
	return out.Bytes(), nil
}

func fill(canvas *image.RGBA, area image.Rectangle, c color.RGBA) {
	draw.Draw(canvas, area, image.NewUniform(c), image.Point{}, draw.Src)
}
