package image

import (
	stdimage "image"
	"image/color"
	"image/draw"
	"testing"
)

// The quick ways of laying a picture on white give what draw.Draw gives.
func TestDrawOnWhite(t *testing.T) {
	area := stdimage.Rect(0, 0, 40, 30)
	paletted := stdimage.NewPaletted(area, color.Palette{
		color.NRGBA{10, 20, 30, 255}, color.NRGBA{200, 100, 50, 128}, color.NRGBA{7, 7, 7, 0}, color.NRGBA64{1, 65535, 999, 40000},
	})
	deep := stdimage.NewRGBA64(area)
	for i := range deep.Pix {
		deep.Pix[i] = byte(i * i >> 3)
		if i%8 >= 6 {
			deep.Pix[i] = 0xff // opaque
		}
	}
	for i := range paletted.Pix {
		paletted.Pix[i] = byte(i * 7 % 4)
	}
	for name, picture := range map[string]stdimage.Image{"paletted": paletted, "16 bits": deep} {
		got, want := stdimage.NewRGBA(stdimage.Rect(0, 0, 20, 20)), stdimage.NewRGBA(stdimage.Rect(0, 0, 20, 20))
		draw.Draw(want, want.Rect, stdimage.White, stdimage.Point{}, draw.Src)
		draw.Draw(want, want.Rect, picture, stdimage.Pt(11, 5), draw.Over)
		drawOnWhite(got, picture, stdimage.Pt(11, 5))
		for i, v := range want.Pix {
			if got.Pix[i] != v {
				t.Fatalf("%s: %d at byte %d, not %d", name, got.Pix[i], i, v)
			}
		}
	}
}

// The planes are those of color.RGBToYCbCr, of all colours there are in steps of 15.
func TestPlanes(t *testing.T) {
	square := stdimage.NewRGBA(stdimage.Rect(0, 0, 18, 18))
	for red := 0; red < 256; red += 15 {
		for i := range 18 * 18 {
			copy(square.Pix[4*i:], []byte{byte(red), byte(i % 18 * 15), byte(i / 18 * 15), 255})
		}
		y, cb, cr := planes(square)
		for i := range 18 * 18 {
			p := square.Pix[4*i:]
			if wantY, wantCb, wantCr := color.RGBToYCbCr(p[0], p[1], p[2]); y[i] != wantY || cb[i] != wantCb || cr[i] != wantCr {
				t.Fatalf("%v: %d %d %d, not %d %d %d", p[:3], y[i], cb[i], cr[i], wantY, wantCb, wantCr)
			}
		}
	}
}
