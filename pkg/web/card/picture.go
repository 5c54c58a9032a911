package card

import (
	"bytes"
	"image"
	"image/jpeg"

	"golang.org/x/image/draw"
)

// side is that of the square in which the token's picture is: as long as the service
// stores it, so that it is only copied.
const side = 512

// maxSide is the longest side of a picture that is decoded at all. The service stores
// shorter ones only; whatever else is there would take more time and memory than it is
// worth.
const maxSide = 2 * side

// place puts the picture into its square. It says false when it cannot.
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
