package pngrows_test

import (
	"bytes"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"math/rand/v2"
	"testing"

	"tokenlaunch.example/service/pkg/pngrows"
)

// standard lays an area on white by image/png and image/draw.
func standard(file []byte, area image.Rectangle) (*image.RGBA, error) {
	picture, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	out := image.NewRGBA(image.Rectangle{Max: area.Size()})
	draw.Draw(out, out.Rect, image.White, image.Point{}, draw.Src)
	draw.Draw(out, out.Rect, picture, area.Min, draw.Over)
	return out, nil
}

// rows reads an area: three bytes a pixel, gray ones too.
func rows(file []byte, area image.Rectangle) (out []byte, err error) {
	r, err := pngrows.Open(file)
	if err != nil {
		return nil, err
	}
	err = r.Rows(area, func(row []byte) {
		for ; len(row) > 0; row = row[r.Channels:] {
			out = append(out, row[0], row[r.Channels/2], row[r.Channels-1])
		}
	})
	return out, err
}

// differs says where an area that was read is not the standard library's.
func differs(got []byte, want *image.RGBA) error {
	if len(got) != 3*len(want.Pix)/4 {
		return fmt.Errorf("%d bytes of %v", len(got), want.Rect)
	}
	for i := 0; i < len(got)/3; i++ {
		if a, b := [3]byte(got[3*i:]), [3]byte(want.Pix[4*i:]); a != b {
			return fmt.Errorf("pixel %d is %v, not %v", i, a, b)
		}
	}
	return nil
}

func TestEveryKindIsWhatImagePNGShows(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, k := range kinds() {
		for _, size := range []image.Point{{1, 1}, {2, 3}, {5, 1}, {1, 9}, {33, 21}} {
			for _, most := range []int{2, 256} { // often the clear colour, or any
				file := k.file(t, size.X, size.Y, k.pixels(random, size.X, size.Y, most))
				all := image.Rectangle{Max: size}
				inner := image.Rect(size.X/3, size.Y/4, size.X-size.X/4, size.Y-size.Y/5)
				for _, area := range []image.Rectangle{all, inner} {
					want, err := standard(file, area)
					if err != nil {
						t.Fatalf("%v: %v", k, err)
					}
					got, err := rows(file, area)
					if err == nil {
						err = differs(got, want)
					}
					if err != nil {
						t.Fatalf("%v, %v of %v: %v", k, area, size, err)
					}
				}
			}
		}
	}
}

func TestFilesOfAnotherLibrary(t *testing.T) {
	for name, file := range stored(t) {
		config, err := png.DecodeConfig(bytes.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		area := image.Rect(0, 0, config.Width, config.Height)
		want, err := standard(file, area)
		if err != nil {
			t.Fatal(err)
		}
		got, err := rows(file, area)
		if err == nil {
			err = differs(got, want)
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for length := range len(file) {
			if _, err := rows(file[:length], area); err == nil {
				t.Fatalf("%s: the first %d of %d bytes pass", name, length, len(file))
			}
		}
	}
}

// What is not as it should be is refused: the one thing that image/png takes of these, it
// takes without looking at it.
func TestDamagedFiles(t *testing.T) {
	k := kinds()[0]
	k.colourType, k.samples, k.depth, k.palette, k.clear, k.interlaced = 3, 1, 8, 4, nil, false
	pixels := make([]byte, 10*11)
	sound := k.file(t, 10, 10, pixels)
	const header = 8 + 25
	end := len(sound) - 12
	insert := func(at int, what ...byte) []byte {
		return bytes.Join([][]byte{sound[:at], what, sound[at:]}, nil)
	}
	behind := k.file(t, 10, 10, pixels)
	if _, err := rows(sound, image.Rect(0, 0, 10, 10)); err != nil {
		t.Fatal(err)
	}
	other := func(change func(k *kind)) []byte {
		k := k
		change(&k)
		return k.file(t, 10, 10, pixels)
	}
	wrong := bytes.Clone(pixels)
	wrong[11] = 5
	for name, file := range map[string][]byte{
		"nothing":                 nil,
		"no header":               append(bytes.Clone(sound[:8]), sound[header:]...),
		"two headers":             insert(header, sound[8:header]...),
		"a checksum":              append(append(bytes.Clone(behind[:header-1]), behind[header-1]^1), behind[header:]...),
		"a row too few":           k.file(t, 10, 10, pixels[:99]),
		"a byte too many":         k.file(t, 10, 10, make([]byte, 111)),
		"a filter":                k.file(t, 10, 10, wrong),
		"no palette":              other(func(k *kind) { k.palette = 0 }),
		"too large a palette":     other(func(k *kind) { k.depth, k.palette = 1, 3 }),
		"a depth":                 other(func(k *kind) { k.depth = 16 }),
		"a colour type":           other(func(k *kind) { k.colourType = 5 }),
		"too much transparency":   other(func(k *kind) { k.clear = make([]byte, 257) }),
		"transparent alpha":       other(func(k *kind) { k.colourType, k.samples, k.clear = 6, 4, []byte{1} }),
		"a palette of grays":      other(func(k *kind) { k.colourType = 0 }),
		"a palette behind pixels": insert(end, chunk("PLTE", make([]byte, 3))...),
		"pixels apart":            insert(end, append(chunk("tEXt", nil), chunk("IDAT", nil)...)...),
		"something behind":        insert(end, chunk("IDAT", []byte{0})...),
		"a length at the end":     append(bytes.Clone(sound[:end]), chunk("IEND", []byte{0})...),
		"far too little":          append(append(bytes.Clone(sound[:8]), chunk("IHDR", k.size(1<<20, 1<<20))...), sound[header:]...),
	} {
		if _, err := rows(file, image.Rect(0, 0, 10, 10)); err == nil {
			t.Errorf("%s passes", name)
		}
	}
}

// What is read here, image/png reads too, and shows the same.
func FuzzRows(f *testing.F) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, k := range kinds() {
		f.Add(k.file(f, 9, 7, k.pixels(random, 9, 7, 256)))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		r, err := pngrows.Open(file)
		if err != nil || len(file) > 1<<14 || r.Width > 1<<12 || r.Height > 1<<12 || r.Width*r.Height > 1<<16 {
			return // large is not stranger
		}
		area := image.Rect(r.Width/3, r.Height/4, r.Width, r.Height)
		got, err := rows(file, area)
		if err != nil {
			return
		}
		want, err := standard(file, area)
		if err == nil {
			err = differs(got, want)
		}
		if err != nil {
			t.Fatalf("image/png: %v", err)
		}
	})
}
