package jpegplane_test

import (
	"bytes"
	"errors"
	"image"
	"image/jpeg"
	"testing"

	"tokenlaunch.example/service/pkg/jpegplane"
)

// off is how far on average the squares of a decoded picture's differences are.
func off(t *testing.T, file []byte, want *image.YCbCr) (mean float64) {
	t.Helper()
	picture, err := jpeg.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	got, ok := picture.(*image.YCbCr)
	if !ok || got.Rect != want.Rect || got.SubsampleRatio != want.SubsampleRatio {
		t.Fatalf("%T of %v", picture, picture.Bounds())
	}
	sum, n := 0, 0
	add := func(a, b byte) { sum, n = sum+apart(a, b)*apart(a, b), n+1 }
	for y := range want.Rect.Dy() {
		for x := range want.Rect.Dx() {
			add(got.Y[got.YOffset(x, y)], want.Y[want.YOffset(x, y)])
			add(got.Cb[got.COffset(x, y)], want.Cb[want.COffset(x, y)])
			add(got.Cr[got.COffset(x, y)], want.Cr[want.COffset(x, y)])
		}
	}
	return float64(sum) / float64(n)
}

// What is written is as near to the picture as what image/jpeg writes, and shorter.
func TestEncode(t *testing.T) {
	for name, picture := range map[string]*image.YCbCr{
		"smooth": waves(256, 128, 9), "rough": waves(128, 256, 300), "noise": noise(64), "flat": waves(32, 16, 0), "edges": edges(96),
	} {
		for _, quality := range []int{1, 30, 50, 88, 100} {
			got, err := jpegplane.Encode(picture, quality)
			if err != nil {
				t.Fatal(err)
			}
			var want bytes.Buffer
			if err := jpeg.Encode(&want, picture, &jpeg.Options{Quality: quality}); err != nil {
				t.Fatal(err)
			}
			if have, most := off(t, got, picture), off(t, want.Bytes(), picture); have > 1.05*most+0.01 {
				t.Errorf("%s at %d: %.3f off, image/jpeg's %.3f", name, quality, have, most)
			}
			if len(got) > want.Len() {
				t.Errorf("%s at %d: %d bytes, image/jpeg's %d", name, quality, len(got), want.Len())
			}
		}
	}
}

// noise has all the frequencies that there are, in codes of all lengths.
func noise(side int) *image.YCbCr {
	out := image.NewYCbCr(image.Rect(0, 0, side, side), image.YCbCrSubsampleRatio420)
	random := uint32(1)
	for _, plane := range [][]byte{out.Y, out.Cb, out.Cr} {
		for i := range plane {
			random = random*1664525 + 1013904223
			plane[i] = byte(random >> 24)
		}
	}
	return out
}

// edges has the largest values that there are.
func edges(side int) *image.YCbCr {
	out := image.NewYCbCr(image.Rect(0, 0, side, side), image.YCbCrSubsampleRatio420)
	for _, plane := range [][]byte{out.Y, out.Cb, out.Cr} {
		for i := range plane {
			if i*i%7 > 2 {
				plane[i] = 255
			}
		}
	}
	return out
}

func TestEncodeTakesWholeUnitsOnly(t *testing.T) {
	for name, picture := range map[string]*image.YCbCr{
		"empty":       image.NewYCbCr(image.Rect(0, 0, 0, 0), image.YCbCrSubsampleRatio420),
		"wide":        image.NewYCbCr(image.Rect(0, 0, 17, 16), image.YCbCrSubsampleRatio420),
		"high":        image.NewYCbCr(image.Rect(0, 0, 16, 24), image.YCbCrSubsampleRatio420),
		"full colour": image.NewYCbCr(image.Rect(0, 0, 16, 16), image.YCbCrSubsampleRatio444),
		"a part":      image.NewYCbCr(image.Rect(16, 0, 32, 16), image.YCbCrSubsampleRatio420),
	} {
		if _, err := jpegplane.Encode(picture, 88); !errors.Is(err, jpegplane.ErrUnsupported) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	picture := waves(512, 512, 400)
	for name, encode := range map[string]func() error{
		"image-jpeg": func() error {
			var out bytes.Buffer
			return jpeg.Encode(&out, picture, &jpeg.Options{Quality: 88})
		},
		"ours": func() error { _, err := jpegplane.Encode(picture, 88); return err },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := encode(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
