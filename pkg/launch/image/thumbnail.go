package image

import (
	stdimage "image"
	"image/draw"
)

// orientation is how the stored pixels lie, as EXIF numbers it.
type orientation uint8

// The eight orientations, by what has to be done to see the picture upright.
const (
	upright           orientation = 1
	mirrored          orientation = 2 // left and right change places
	upsideDown        orientation = 3
	flipped           orientation = 4 // top and bottom change places
	transposed        orientation = 5 // rows become columns
	turnedRight       orientation = 6 // a quarter turn clockwise
	transposedFlipped orientation = 7 // rows become columns, from the far end
	turnedLeft        orientation = 8 // a quarter turn anticlockwise
)

// farFromLeft says whether the stored left edge is shown right or at the bottom.
func (o orientation) farFromLeft() bool {
	return o == mirrored || o == upsideDown || o == transposedFlipped || o == turnedLeft
}

// farFromTop says whether the stored top edge is shown right or at the bottom.
func (o orientation) farFromTop() bool {
	return o == upsideDown || o == flipped || o == turnedRight || o == transposedFlipped
}

// swapsAxes says whether stored rows are shown as columns.
func (o orientation) swapsAxes() bool { return o >= transposed }

// thumbnail cuts the middle square out of a picture, lays it on white, turns it upright and
// scales it to Side x Side. It is for kinds of pictures that are rare.
func thumbnail(picture stdimage.Image, o orientation) *stdimage.YCbCr {
	bounds := picture.Bounds()
	s := newSquare(bounds.Size(), o, 3)
	width := s.crop.Dx()
	strip := stdimage.NewRGBA(stdimage.Rect(0, 0, width, 1))
	row := make([]byte, 3*width)
	for y := s.crop.Min.Y; y < s.crop.Max.Y; y++ {
		for i := range strip.Pix {
			strip.Pix[i] = 0xff
		}
		draw.Draw(strip, strip.Rect, picture, bounds.Min.Add(stdimage.Pt(s.crop.Min.X, y)), draw.Over)
		for x := range width {
			copy(row[3*x:][:3], strip.Pix[4*x:])
		}
		s.add(row)
	}
	return s.shrunk()
}

// turnPlane makes a square plane of bytes upright.
func turnPlane(square []byte, side int, o orientation) []byte {
	if o == upright {
		return square
	}
	out := make([]byte, len(square))
	for y := range side {
		for x := range side {
			fromX, fromY := o.from(x, y, side)
			out[y*side+x] = square[fromY*side+fromX]
		}
	}
	return out
}

// from is where in a square of this side the pixel is stored that is shown at x and y.
func (o orientation) from(x, y, side int) (fromX, fromY int) {
	if o.swapsAxes() {
		x, y = y, x
	}
	if o.farFromLeft() {
		x = side - 1 - x
	}
	if o.farFromTop() {
		y = side - 1 - y
	}
	return x, y
}
