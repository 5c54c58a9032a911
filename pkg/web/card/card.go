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
const edition = 2

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
