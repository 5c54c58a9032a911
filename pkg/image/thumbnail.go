package image

import (
	stdimage "image"
	"image/color"
	"image/draw"

	"tokenlaunch.example/service/pkg/resample"
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

// enoughSide is the side, in pixels, above which averaging whole blocks of
// pixels comes before the fine scaling: twice the result's, so that the fine
// filter still sees all that the result can show.
const enoughSide = 2 * Side

// thumbnail cuts the middle square out of a picture, lays it on white, turns it
// upright and scales it to Side x Side.
func thumbnail(picture stdimage.Image, o orientation) *stdimage.YCbCr {
	square := turn(middle(picture, o), o)
	side := square.Rect.Dx()
	bright, blue, red := planes(square)
	out := blank()
	out.Y = resample.Square(resample.Whole(bright, side, side), Side)
	out.Cb = resample.Square(resample.Whole(blue, side, side), colourSide)
	out.Cr = resample.Square(resample.Whole(red, side, side), colourSide)
	return out
}

// planes takes a picture apart into brightness and the two colours of a JPEG.
func planes(picture *stdimage.RGBA) (bright, blue, red []byte) {
	pixels := len(picture.Pix) / 4
	bright, blue, red = make([]byte, pixels), make([]byte, pixels), make([]byte, pixels)
	for i := range pixels {
		p := picture.Pix[4*i:][:4]
		bright[i], blue[i], red[i] = color.RGBToYCbCr(p[0], p[1], p[2])
	}
	return bright, blue, red
}

// middle cuts the middle square out of a picture as it is stored and lays it on
// white. Of a large picture, each pixel of the answer is the mean of a block;
// the square then loses what would be part of a block, less than one pixel of
// the answer. Of an odd remainder the smaller half goes left and above as the
// picture is shown, whatever the orientation.
func middle(picture stdimage.Image, o orientation) *stdimage.RGBA {
	bounds := picture.Bounds()
	block := max(1, min(bounds.Dx(), bounds.Dy())/enoughSide)
	side := min(bounds.Dx(), bounds.Dy()) / block
	from := bounds.Min.Add(stdimage.Pt(
		lead(bounds.Dx()-side*block, o.farFromLeft()),
		lead(bounds.Dy()-side*block, o.farFromTop()),
	))
	out := stdimage.NewRGBA(stdimage.Rect(0, 0, side, side))
	if block == 1 {
		drawOnWhite(out, picture, from)
		return out
	}
	strip := stdimage.NewRGBA(stdimage.Rect(0, 0, side*block, block))
	for y := range side {
		drawOnWhite(strip, picture, from.Add(stdimage.Pt(0, y*block)))
		average(out.Pix[y*out.Stride:][:4*side], strip, block)
	}
	return out
}

// lead is how much of a remainder is left out before the square.
func lead(remainder int, far bool) int {
	if far {
		return remainder - remainder/2
	}
	return remainder / 2
}

// drawOnWhite fills out with the part of the picture that begins at from.
func drawOnWhite(out *stdimage.RGBA, picture stdimage.Image, from stdimage.Point) {
	for i := range out.Pix {
		out.Pix[i] = 0xff
	}
	draw.Draw(out, out.Rect, picture, from, draw.Over)
}

// average writes into row, of RGBA pixels, the mean of each block of the strip,
// which is one block high.
func average(row []byte, strip *stdimage.RGBA, block int) {
	area := uint32(block * block) //nolint:gosec // G115: a block is at most MaxPixels/enoughSide² pixels
	for x := 0; x < len(row); x += 4 {
		var red, green, blue uint32
		for y := range block {
			pixels := strip.Pix[y*strip.Stride+x*block:][:4*block]
			for ; len(pixels) >= 4; pixels = pixels[4:] {
				red += uint32(pixels[0])
				green += uint32(pixels[1])
				blue += uint32(pixels[2])
			}
		}
		row[x] = byte((red + area/2) / area)     //nolint:gosec // G115: a mean of bytes
		row[x+1] = byte((green + area/2) / area) //nolint:gosec // G115: a mean of bytes
		row[x+2] = byte((blue + area/2) / area)  //nolint:gosec // G115: a mean of bytes
		row[x+3] = 0xff
	}
}

// turn makes a square picture upright.
func turn(square *stdimage.RGBA, o orientation) *stdimage.RGBA {
	if o == upright {
		return square
	}
	out := stdimage.NewRGBA(square.Rect)
	side := square.Rect.Dx()
	for y := range side {
		for x := range side {
			copy(out.Pix[4*(y*side+x):][:4], square.Pix[4*o.from(x, y, side):][:4])
		}
	}
	return out
}

// turnPlane makes a square plane of bytes upright.
func turnPlane(square []byte, side int, o orientation) []byte {
	if o == upright {
		return square
	}
	out := make([]byte, len(square))
	for y := range side {
		for x := range side {
			out[y*side+x] = square[o.from(x, y, side)]
		}
	}
	return out
}

// from is where in a square of this side the pixel is stored that is shown at x and y.
func (o orientation) from(x, y, side int) int {
	if o.swapsAxes() {
		x, y = y, x
	}
	if o.farFromLeft() {
		x = side - 1 - x
	}
	if o.farFromTop() {
		y = side - 1 - y
	}
	return y*side + x
}
