package card

import (
	"fmt"
	"image"
	"image/color"
	"strings"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// The two font styles.
var (
	regular = sync.OnceValues(func() (*opentype.Font, error) { return opentype.Parse(goregular.TTF) })
	bold    = sync.OnceValues(func() (*opentype.Font, error) { return opentype.Parse(gobold.TTF) })
)

type style = func() (*opentype.Font, error)

// drawable reports whether both styles have all characters of a text, and the text is not blank.
func drawable(s string) bool {
	if strings.TrimSpace(s) == "" {
		return false
	}
	for _, style := range []style{regular, bold} {
		parsed, err := style()
		if err != nil {
			return false
		}
		var buffer sfnt.Buffer
		for _, c := range s {
			if glyph, err := parsed.GlyphIndex(&buffer, c); err != nil || glyph == 0 {
				return false
			}
		}
	}
	return true
}

// text writes on a canvas. The last error is in err.
type text struct {
	canvas *image.RGBA
	err    error
}

// with calls use with a pen of the style, size and colour.
func (t *text) with(s style, size float64, c color.RGBA, use func(pen *font.Drawer)) {
	parsed, err := s()
	if err != nil {
		t.err = fmt.Errorf("read a font: %w", err)
		return
	}
	// At 72 DPI a point is a pixel.
	face, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingNone})
	if err != nil {
		t.err = fmt.Errorf("open a font: %w", err)
		return
	}
	use(&font.Drawer{Dst: t.canvas, Src: image.NewUniform(c), Face: face})
	_ = face.Close() // a face has no open resources
}

// line writes a line from x on, with y as the baseline.
func (t *text) line(s style, size float64, c color.RGBA, x, y int, words string) {
	t.with(s, size, c, func(pen *font.Drawer) {
		pen.Dot = fixed.P(x, y)
		pen.DrawString(shortened(pen, words, Width-x-margin))
	})
}

// centred writes a word into the middle of an area.
func (t *text) centred(s style, size float64, c color.RGBA, area image.Rectangle, word string) {
	t.with(s, size, c, func(pen *font.Drawer) {
		height := pen.Face.Metrics().CapHeight
		pen.Dot = fixed.Point26_6{
			X: fixed.I(area.Min.X) + (fixed.I(area.Dx())-pen.MeasureString(word))/2,
			Y: fixed.I(area.Min.Y) + (fixed.I(area.Dy())+height)/2,
		}
		pen.DrawString(word)
	})
}

// paragraph writes a text into the right column. lines is the maximum number of lines, and y the
// first baseline. It returns the last baseline.
func (t *text) paragraph(s style, size float64, c color.RGBA, y, lines int, words string) (last int) {
	last = y
	t.with(s, size, c, func(pen *font.Drawer) {
		for i, line := range wrapped(pen, words, textWidth, lines) {
			last = y + i*int(size*1.2)
			pen.Dot = fixed.P(textLeft, last)
			pen.DrawString(line)
		}
	})
	return last
}

// wrapped breaks a text between words into lines that fit. The last line is shortened.
func wrapped(pen *font.Drawer, words string, width, lines int) []string {
	var out []string
	rest := strings.Fields(words)
	for len(rest) > 0 {
		n := 1
		for n < len(rest) && pen.MeasureString(strings.Join(rest[:n+1], " ")) <= fixed.I(width) {
			n++
		}
		if len(out) == lines-1 {
			n = len(rest)
		}
		out = append(out, shortened(pen, strings.Join(rest[:n], " "), width))
		rest = rest[n:]
	}
	return out
}

// shortened truncates a text that does not fit, and appends an ellipsis.
func shortened(pen *font.Drawer, words string, width int) string {
	if pen.MeasureString(words) <= fixed.I(width) {
		return words
	}
	letters := []rune(words)
	for n := len(letters) - 1; n > 0; n-- {
		if short := strings.TrimSpace(string(letters[:n])) + "…"; pen.MeasureString(short) <= fixed.I(width) {
			return short
		}
	}
	return "…"
}
