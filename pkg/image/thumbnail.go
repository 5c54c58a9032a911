package image

import (
	stdimage "image"
	"image/draw"
	"math"

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
	if isGray(picture) {
		out.Cb, out.Cr = neutralPlane(), neutralPlane()
		return out
	}
	out.Cb = resample.Square(resample.Whole(blue, side, side), colourSide)
	out.Cr = resample.Square(resample.Whole(red, side, side), colourSide)
	return out
}

func isGray(picture stdimage.Image) bool {
	switch picture.(type) {
	case *stdimage.Gray, *stdimage.Gray16:
		return true
	default:
		return false
	}
}

// planes takes a square picture apart into brightness and the two colours of a JPEG, by
// the weights of color.RGBToYCbCr and with the same results.
func planes(square *stdimage.RGBA) (bright, blue, red []byte) {
	const half = 1 << 15
	const centre = neutral<<16 + half
	side := square.Rect.Dx()
	bright, blue, red = make([]byte, side*side), make([]byte, side*side), make([]byte, side*side)
	for y := range side {
		pixels := square.Pix[y*square.Stride:][:4*side]
		bright, blue, red := bright[y*side:][:side], blue[y*side:][:side], red[y*side:][:side]
		for x := range bright {
			p := pixels[4*x:][:4]
			r, g, b := int32(p[0]), int32(p[1]), int32(p[2])
			bright[x] = byte((19595*r + 38470*g + 7471*b + half) >> 16)               //nolint:gosec // G115: at most 255
			blue[x] = byte(min((-11056*r-21712*g+32768*b+centre)>>16, math.MaxUint8)) //nolint:gosec // G115: above zero
			red[x] = byte(min((32768*r-27440*g-5328*b+centre)>>16, math.MaxUint8))    //nolint:gosec // G115: above zero
		}
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
	if opaque, ok := picture.(*stdimage.RGBA); ok && block == 1 && opaque.Opaque() {
		part, _ := opaque.SubImage(stdimage.Rectangle{Min: from, Max: from.Add(stdimage.Pt(side, side))}).(*stdimage.RGBA)
		return part
	}
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
	switch p := picture.(type) {
	case *stdimage.Paletted:
		drawPaletted(out, p, from)
		return
	case *stdimage.RGBA64: // of 16 bits and without transparency, as image/png gives it
		if p.Opaque() {
			drawDeep(out, p, from)
			return
		}
	}
	for i := range out.Pix {
		out.Pix[i] = 0xff
	}
	draw.Draw(out, out.Rect, picture, from, draw.Over)
}

// drawPaletted does what draw.Draw does pixel by pixel, for each colour once.
func drawPaletted(out *stdimage.RGBA, picture *stdimage.Paletted, from stdimage.Point) {
	colours := stdimage.NewRGBA(stdimage.Rect(0, 0, 256, 1))
	for i := range colours.Pix {
		colours.Pix[i] = 0xff
	}
	for i, c := range picture.Palette {
		draw.Draw(colours, stdimage.Rect(i, 0, i+1, 1), stdimage.NewUniform(c), stdimage.Point{}, draw.Over)
	}
	for y := range out.Rect.Dy() {
		row := out.Pix[y*out.Stride:][:4*out.Rect.Dx()]
		for x, index := range picture.Pix[picture.PixOffset(from.X, from.Y+y):][:out.Rect.Dx()] {
			copy(row[4*x:][:4], colours.Pix[4*int(index):][:4])
		}
	}
}

// drawDeep leaves the lower halves of values of 16 bits out, as draw.Draw does.
func drawDeep(out *stdimage.RGBA, picture *stdimage.RGBA64, from stdimage.Point) {
	for y := range out.Rect.Dy() {
		row := out.Pix[y*out.Stride:][:4*out.Rect.Dx()]
		pixels := picture.Pix[picture.PixOffset(from.X, from.Y+y):][:2*len(row)]
		for i := range row {
			row[i] = pixels[2*i]
		}
	}
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
	side := square.Rect.Dx()
	out := stdimage.NewRGBA(stdimage.Rect(0, 0, side, side))
	for y := range side {
		for x := range side {
			fromX, fromY := o.from(x, y, side)
			copy(out.Pix[4*(y*side+x):][:4], square.Pix[fromY*square.Stride+4*fromX:][:4])
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
