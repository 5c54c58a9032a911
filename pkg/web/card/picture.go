package card

import (
	"bytes"
	"image"
	"image/jpeg"

	"golang.org/x/image/draw"
)

// side is the side of the square for the token's picture. The stored picture has the same size, so
// the picture is copied without scaling.
const side = 512

// maxSide is the maximum side of a picture that is decoded. The service stores only smaller
// pictures. A larger picture would cost more time and memory than the preview is worth.
const maxSide = 2 * side

// place draws the picture into its square, and reports whether the picture could be read.
func place(canvas *image.RGBA, picture []byte) bool {
	shape, err := jpeg.DecodeConfig(bytes.NewReader(picture))
	if err != nil || shape.Width > maxSide || shape.Height > maxSide || shape.Width < 1 || shape.Height < 1 {
		return false
	}
	decoded, err := jpeg.Decode(bytes.NewReader(picture))
	if err != nil {
		return false
	}
	square := image.Rect(margin, margin, margin+side, margin+side)
	if decoded.Bounds().Size() == square.Size() {
		draw.Draw(canvas, square, decoded, decoded.Bounds().Min, draw.Src)
	} else {
		draw.ApproxBiLinear.Scale(canvas, square, decoded, decoded.Bounds(), draw.Src, nil)
	}
	return true
}
