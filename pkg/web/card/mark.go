package card

import (
	"image"
	"image/color"

	"golang.org/x/image/vector"
)

// The mark is a coin in two shifted halves: half circles of this radius in a square of 32 units, as
// in the page's favicon.
const (
	markUnits  = 32
	markRadius = 11.5
)

// mark draws the product's mark into a square of a canvas.
func mark(canvas *image.RGBA, at image.Point, size int) {
	half(canvas, at, size, 15, 13.5, -markRadius, accent)
	half(canvas, at, size, 17, 18.5, markRadius, gold)
}

// half draws half of a circle around (x, y), to the left if bulge is negative.
func half(canvas *image.RGBA, at image.Point, size int, x, y, bulge float32, c color.RGBA) {
	const quarter = 0.5523 // of the radius: the position of the control points of a cubic curve that approximates a quarter of a circle
	scale := float32(size) / markUnits
	r := vector.NewRasterizer(size, size)
	to := func(dx, dy float32) (float32, float32) { return (x + dx*bulge) * scale, (y + dy*markRadius) * scale }
	curve := func(x1, y1, x2, y2, x3, y3 float32) {
		ax, ay := to(x1, y1)
		bx, by := to(x2, y2)
		cx, cy := to(x3, y3)
		r.CubeTo(ax, ay, bx, by, cx, cy)
	}
	r.MoveTo(to(0, -1))
	curve(quarter, -1, 1, -quarter, 1, 0)
	curve(1, quarter, quarter, 1, 0, 1)
	r.ClosePath()
	r.Draw(canvas, image.Rectangle{Min: at, Max: at.Add(image.Pt(size, size))}, image.NewUniform(c), image.Point{})
}
