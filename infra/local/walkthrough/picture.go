package walkthrough

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
)

// pictureSide is the width and height of the picture, in pixels. The service stores another size,
// so the picture must be scaled.
const pictureSide = 640

// Picture returns a PNG for an upload: a light disc on a gradient.
func Picture() ([]byte, error) {
	const centre, radius = pictureSide / 2, pictureSide / 3
	img := image.NewNRGBA(image.Rect(0, 0, pictureSide, pictureSide))
	for y := range pictureSide {
		for x := range pictureSide {
			c := color.NRGBA{R: scale(x), G: 64, B: scale(y), A: 255}
			if dx, dy := x-centre, y-centre; dx*dx+dy*dy < radius*radius {
				c = color.NRGBA{R: 250, G: 240, B: 220, A: 255}
			}
			img.SetNRGBA(x, y, c)
		}
	}
	var out bytes.Buffer
	if err := png.Encode(&out, img); err != nil {
		return nil, fmt.Errorf("draw the picture: %w", err)
	}
	return out.Bytes(), nil
}

// scale converts a pixel's position to a brightness.
func scale(place int) uint8 { return uint8(place * 255 / pictureSide) } // #nosec G115 -- below 255
