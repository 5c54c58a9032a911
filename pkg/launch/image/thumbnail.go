package image

import (
	stdimage "image"

	"golang.org/x/image/draw"

	"tokenlaunch.example/service/pkg/launch/image/icc"
)

// orientation is the orientation of the stored pixels, numbered as in EXIF.
type orientation uint8

// The eight orientations, named by the operation that makes the picture upright.
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

// farFromLeft reports whether the stored left edge is shown right or at the bottom.
func (o orientation) farFromLeft() bool {
	return o == mirrored || o == upsideDown || o == transposedFlipped || o == turnedLeft
}

// farFromTop reports whether the stored top edge is shown right or at the bottom.
func (o orientation) farFromTop() bool {
	return o == upsideDown || o == flipped || o == turnedRight || o == transposedFlipped
}

// swapsAxes reports whether stored rows are shown as columns.
func (o orientation) swapsAxes() bool { return o >= transposed }

// thumbnail crops the middle square of a picture, turns the square upright, scales it to Side x
// Side, converts its colours to sRGB and blends the result with white. If the margin is odd, the
// extra pixel is cropped from the right or the bottom of the upright picture, whatever the
// orientation. Turning comes before scaling, so all orientations result in the same bytes. Colours
// are converted after scaling, when few pixels are left, and before blending, because the white is
// sRGB's.
func thumbnail(picture stdimage.Image, o orientation, colours *icc.Transform) *stdimage.RGBA {
	bounds := picture.Bounds()
	side := min(bounds.Dx(), bounds.Dy())
	corner := bounds.Min.Add(stdimage.Pt(lead(bounds.Dx()-side, o.farFromLeft()), lead(bounds.Dy()-side, o.farFromTop())))
	square := stdimage.NewRGBA(stdimage.Rect(0, 0, side, side))
	draw.Draw(square, square.Rect, picture, corner, draw.Src)
	square = turn(square, o)
	out := stdimage.NewRGBA(stdimage.Rect(0, 0, Side, Side))
	draw.CatmullRom.Scale(out, out.Rect, square, square.Rect, draw.Src, nil)
	finish(out, colours)
	return out
}

// lead returns the part of a remainder that is cropped before the square.
func lead(remainder int, far bool) int {
	if far {
		return remainder - remainder/2
	}
	return remainder / 2
}

// turn turns a square picture upright.
func turn(square *stdimage.RGBA, o orientation) *stdimage.RGBA {
	if o == upright {
		return square
	}
	out := stdimage.NewRGBA(square.Rect)
	side := square.Rect.Dx()
	for y := range side {
		for x := range side {
			fromX, fromY := o.from(x, y, side)
			copy(out.Pix[out.PixOffset(x, y):][:4], square.Pix[square.PixOffset(fromX, fromY):])
		}
	}
	return out
}

// from returns the stored position, in a square of this side, of the pixel that is shown at x and
// y.
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
