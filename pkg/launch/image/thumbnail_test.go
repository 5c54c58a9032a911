package image

import (
	"bytes"
	stdimage "image"
	"image/color"
	"image/png"
	"math"
	"testing"
)

// The planes are those of color.RGBToYCbCr, of all colours there are in steps of 15.
func TestPlanes(t *testing.T) {
	for red := 0; red < 256; red += 15 {
		s := newSquare(stdimage.Pt(18, 18), upright, 3)
		var rows []byte
		for y := range 18 {
			for x := range 18 {
				rows = append(rows, byte(red), byte(x*15), byte(y*15))
			}
			s.add(rows[3*18*y:])
		}
		for i := range 18 * 18 {
			p := rows[3*i:]
			if y, cb, cr := color.RGBToYCbCr(p[0], p[1], p[2]); s.bright[i] != y || s.blue[i] != cb || s.red[i] != cr {
				t.Fatalf("%v: %d %d %d, not %d %d %d", p[:3], s.bright[i], s.blue[i], s.red[i], y, cb, cr)
			}
		}
	}
}

// Halved colour is that of the mean of four pixels, to the rounding.
func TestHalvedColour(t *testing.T) {
	const pairs = 300
	upper, lower := make([]byte, 6*pairs+2), make([]byte, 6*pairs+2)
	for i := range upper {
		upper[i], lower[i] = byte(i*i>>2), byte(i*211>>1)
		if i < 12 {
			upper[i], lower[i] = byte(i/6*255), byte(i/6*255) // black and white
		}
		if i >= 12 && i < 30 && (i-12)/6 == i%3 {
			upper[i], lower[i] = 255, 255 // red, green and blue
		}
	}
	blue, red := make([]byte, pairs), make([]byte, pairs)
	halvedColour(blue, red, upper, lower)
	for x := range pairs {
		var mean [3]float64
		for c := range mean {
			at := 6*x + c
			mean[c] = (float64(upper[at]) + float64(upper[at+3]) + float64(lower[at]) + float64(lower[at+3])) / 4
		}
		wantBlue := 128 - 0.168736*mean[0] - 0.331264*mean[1] + 0.5*mean[2]
		wantRed := 128 + 0.5*mean[0] - 0.418688*mean[1] - 0.081312*mean[2]
		if math.Abs(float64(blue[x])-wantBlue) > 0.51 || math.Abs(float64(red[x])-wantRed) > 0.51 {
			t.Errorf("pair %d: %d %d, not %.1f %.1f", x, blue[x], red[x], wantBlue, wantRed)
		}
	}
}

// painted is a coloured picture without symmetry.
func painted(width, height int) *stdimage.NRGBA {
	out := stdimage.NewNRGBA(stdimage.Rect(0, 0, width, height))
	for i := range out.Pix {
		x, y := i/4%width, i/4/width
		out.Pix[i] = byte(x*(i%4+1)/3 + y*y/90 + i%4*x*y/500)
	}
	return out
}

// A file gives the same whether its rows are read or the picture is drawn.
func TestRowsShowWhatThumbnailDraws(t *testing.T) {
	for _, size := range []stdimage.Point{{3, 5}, {300, 200}, {513, 640}, {2060, 2101}} {
		picture := painted(size.X, size.Y)
		var file bytes.Buffer
		if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&file, picture); err != nil {
			t.Fatal(err)
		}
		for _, o := range []orientation{upright, transposedFlipped} {
			got, err := shrinkPNG(file.Bytes(), size, o)
			if err != nil {
				t.Fatal(err)
			}
			want := thumbnail(picture, o)
			if !bytes.Equal(got.Y, want.Y) || !bytes.Equal(got.Cb, want.Cb) || !bytes.Equal(got.Cr, want.Cr) {
				t.Errorf("%v, orientation %d: another picture", size, o)
			}
		}
	}
}

// All orientations of a coloured picture give the same planes, also where the last pixels of
// halved colour are pairs with themselves.
func TestColourOfOddSidesIsTurned(t *testing.T) {
	const width, height = 557, 523
	shown := painted(width, height)
	want := thumbnail(shown, upright)
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
		got := thumbnail(stored, o)
		if !bytes.Equal(got.Y, want.Y) || !bytes.Equal(got.Cb, want.Cb) || !bytes.Equal(got.Cr, want.Cr) {
			t.Errorf("orientation %d: another picture", o)
		}
	}
}
