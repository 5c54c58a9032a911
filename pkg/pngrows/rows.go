package pngrows

import (
	"errors"
	"fmt"
	"image"
	"io"

	"tokenlaunch.example/service/pkg/inflate"
)

// pass is one of the pictures that an interlaced one is stored as: the pixels from x and y
// on, so far apart across and down.
type pass struct{ x, y, across, down int }

var (
	whole  = pass{0, 0, 1, 1}
	passes = []pass{{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}}
)

// ceil divides and rounds up; a is above -b.
func ceil(a, b int) int { return (a + b - 1) / b }

// size is how many bytes a row of a pass has, behind its filter, and how many rows there are;
// both are zero of an empty one.
func (r *Reader) size(p pass) (row, rows int) {
	width, height := ceil(r.Width-p.x, p.across), ceil(r.Height-p.y, p.down)
	if width == 0 || height == 0 {
		return 0, 0
	}
	return ceil(width*r.bits(), 8), height
}

// Rows gives the rows of an area of the picture from the top. A row is only good until each
// returns. Where there is an error, the rows before it are worth nothing.
func (r *Reader) Rows(area image.Rectangle, each func(row []byte)) error {
	if area.Empty() || !area.In(image.Rect(0, 0, r.Width, r.Height)) {
		return fmt.Errorf("%v is not within the picture", area)
	}
	if !r.canBeThere() {
		return errCut
	}
	from, err := inflate.NewReader(r.data...)
	if err != nil {
		return err
	}
	if !r.interlaced {
		if err := r.read(from, whole, area, func(_ int, row []byte) { each(row) }); err != nil {
			return err
		}
		return end(from)
	}
	canvas, err := r.weave(from, area)
	if err != nil {
		return err
	}
	width := area.Dx() * r.Channels
	for ; len(canvas) > 0; canvas = canvas[width:] {
		each(canvas[:width])
	}
	return nil
}

// canBeThere says whether so much can have been packed into the file, before memory is set
// aside for it.
func (r *Reader) canBeThere() bool {
	const most = 1032 // bytes that one can stand for: matches of 258 bytes in two bits each
	packed, unpacked := 0, 0
	for _, piece := range r.data {
		packed += len(piece)
	}
	all := []pass{whole}
	if r.interlaced {
		all = passes
	}
	for _, p := range all {
		row, rows := r.size(p)
		unpacked += (1 + row) * rows
	}
	return unpacked/most <= packed
}

// weave puts the passes of an interlaced picture together.
func (r *Reader) weave(from *inflate.Reader, area image.Rectangle) ([]byte, error) {
	channels := r.Channels
	width := area.Dx() * channels
	canvas := make([]byte, area.Dy()*width)
	for _, p := range passes {
		first := p.x + ceil(area.Min.X-p.x, p.across)*p.across - area.Min.X
		err := r.read(from, p, area, func(y int, row []byte) {
			line := canvas[y*width:][:width]
			for x := first * channels; len(row) > 0; x, row = x+p.across*channels, row[channels:] {
				copy(line[x:], row[:channels])
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return canvas, end(from)
}

// read gives the rows of a pass that are within the area, and where in it they are.
func (r *Reader) read(from io.Reader, p pass, area image.Rectangle, each func(y int, row []byte)) error {
	size, rows := r.size(p)
	left, right := ceil(area.Min.X-p.x, p.across), ceil(area.Max.X-p.x, p.across)
	row, above := make([]byte, 1+size), make([]byte, 1+size)
	const spare = 1 // byte, as pixels are written four bytes at once
	out, samples := make([]byte, (right-left)*r.Channels+spare), make([]byte, right-left)
	for y := range rows {
		if _, err := io.ReadFull(from, row); err != nil {
			return err
		}
		if err := unfilter(row[0], row[1:], above[1:], max(1, r.bits()/8)); err != nil {
			return err
		}
		if at := p.y + y*p.down; at >= area.Min.Y && at < area.Max.Y && left < right {
			raw := samples
			if r.depth < 8 {
				unpack(raw, row[1:], r.depth, left)
			} else {
				raw = row[1+left*r.bits()/8 : 1+right*r.bits()/8]
			}
			if r.lay == nil {
				each(at-area.Min.Y, raw)
			} else {
				r.lay(out, raw)
				each(at-area.Min.Y, out[:len(out)-spare])
			}
		}
		row, above = above, row
	}
	return nil
}

// end makes sure that there is neither more nor less than the picture.
func end(from *inflate.Reader) error {
	if n, err := from.Read(make([]byte, 1)); n != 0 || !errors.Is(err, io.EOF) {
		return errors.Join(errors.New("more than the picture"), err)
	}
	if from.Left() != 0 {
		return errors.New("something behind the picture")
	}
	return nil
}
