package main

import (
	"cmp"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// colours are how many a PNG file with one byte for a pixel has.
const colours = 256

// shrink writes a PNG file again with the colours that it has most of, which makes a
// picture of a page a third as long.
func shrink(from, to string) error {
	file, err := os.Open(filepath.Clean(from))
	if err != nil {
		return fmt.Errorf("open the picture of the page: %w", err)
	}
	defer func() { _ = file.Close() }() // it was only read
	picture, err := png.Decode(file)
	if err != nil {
		return fmt.Errorf("read the picture of the page: %w", err)
	}
	few := image.NewPaletted(picture.Bounds(), palette(picture))
	draw.Draw(few, few.Rect, picture, few.Rect.Min, draw.Src)
	out, err := os.Create(filepath.Clean(to))
	if err != nil {
		return fmt.Errorf("create the picture of the page: %w", err)
	}
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(out, few); err != nil {
		_ = out.Close() // the first error counts
		return fmt.Errorf("write the picture of the page: %w", err)
	}
	return out.Close()
}

// palette returns the colours that a picture has most of. Those that differ in their last
// three bits alone count as one, the first of them.
func palette(picture image.Image) color.Palette {
	type kind struct {
		colour color.RGBA
		count  int
		first  int // where it was seen, so that equal counts have an order
	}
	kinds := map[color.RGBA]*kind{}
	b := picture.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			c, _ := color.RGBAModel.Convert(picture.At(x, y)).(color.RGBA)
			key := color.RGBA{c.R &^ 7, c.G &^ 7, c.B &^ 7, c.A}
			if kinds[key] == nil {
				kinds[key] = &kind{colour: c, first: len(kinds)}
			}
			kinds[key].count++
		}
	}
	most := slices.SortedFunc(maps.Values(kinds), func(a, b *kind) int {
		return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.first, b.first))
	})
	var out color.Palette
	for _, k := range most[:min(colours, len(most))] {
		out = append(out, k.colour)
	}
	return out
}
