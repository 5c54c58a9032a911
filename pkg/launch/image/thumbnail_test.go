package image

import (
	"bytes"
	stdimage "image"
	"testing"
)

// painted is a coloured picture without symmetry.
func painted(width, height int) *stdimage.NRGBA {
	out := stdimage.NewNRGBA(stdimage.Rect(0, 0, width, height))
	for i := range out.Pix {
		x, y := i/4%width, i/4/width
		out.Pix[i] = byte(x*(i%4+1)/3 + y*y/90 + i%4*x*y/500)
	}
	return out
}

// All orientations of a coloured picture of odd sides give the same pixels.
func TestColourOfOddSidesIsTurned(t *testing.T) {
	const width, height = 557, 523
	shown := painted(width, height)
	want := thumbnail(shown, upright, nil)
	for o := mirrored; o <= turnedLeft; o++ {
		stored := stdimage.NewNRGBA(shown.Rect)
		if o.swapsAxes() {
			stored = stdimage.NewNRGBA(stdimage.Rect(0, 0, height, width))
		}
		for y := range height {
			for x := range width {
				at := stdimage.Pt(x, y)
				if o.swapsAxes() {
					at = stdimage.Pt(y, x)
				}
				if o.farFromLeft() {
					at.X = stored.Rect.Dx() - 1 - at.X
				}
				if o.farFromTop() {
					at.Y = stored.Rect.Dy() - 1 - at.Y
				}
				stored.SetNRGBA(at.X, at.Y, shown.NRGBAAt(x, y))
			}
		}
		got := thumbnail(stored, o, nil)
		if !bytes.Equal(got.Pix, want.Pix) {
			t.Errorf("orientation %d: another picture", o)
		}
	}
}
