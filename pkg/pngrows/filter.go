package pngrows

import (
	"encoding/binary"
	"errors"
)

// Filters of rows (PNG, third edition, 9.2).
const (
	none = iota
	sub
	up
	average
	paeth
)

// unfilter makes the bytes of a row of what was stored of it, with the row above and so many
// bytes to a pixel.
func unfilter(filter byte, row, above []byte, pixel int) error {
	switch filter {
	case none:
	case sub:
		for i := pixel; i < len(row); i++ {
			row[i] += row[i-pixel]
		}
	case up:
		addUp(row, above)
	case average:
		above = above[:len(row)]
		for i := range min(pixel, len(row)) {
			row[i] += above[i] / 2
		}
		for i := pixel; i < len(row); i++ {
			row[i] += byte((int(row[i-pixel]) + int(above[i])) / 2) //nolint:gosec // G115: a mean of bytes
		}
	case paeth:
		addPaeth(row, above, pixel)
	default:
		return errors.New("a filter that there is not")
	}
	return nil
}

// addUp adds eight bytes at once: their highest bits apart, which have nowhere to carry to.
func addUp(row, above []byte) {
	const highest = 0x8080808080808080
	for ; len(row) >= 8 && len(above) >= 8; row, above = row[8:], above[8:] {
		a, b := binary.LittleEndian.Uint64(row), binary.LittleEndian.Uint64(above)
		binary.LittleEndian.PutUint64(row, (a&^highest+b&^highest)^(a^b)&highest)
	}
	for i, b := range above {
		row[i] += b
	}
}

// addPaeth takes three or four channels at once, where there are so many, for each has to
// wait for its pixel on the left.
func addPaeth(row, above []byte, pixel int) {
	switch pixel {
	case 3, 6:
		for at := 0; at < pixel; at += 3 {
			paethThree(row[at:], above[at:], pixel)
		}
	case 4, 8:
		for at := 0; at < pixel; at += 4 {
			paethThree(row[at:], above[at:], pixel)
			paethOne(row[at+3:], above[at+3:], pixel)
		}
	default:
		for at := range min(pixel, len(row)) {
			paethOne(row[at:], above[at:], pixel)
		}
	}
}

func paethOne(row, above []byte, pixel int) {
	var left, corner int32
	for i := 0; i < len(row) && i < len(above); i += pixel {
		up := int32(above[i])
		row[i] += nearest(left, up, corner)
		left, corner = int32(row[i]), up
	}
}

// paethThree is paethOne for three channels.
func paethThree(row, above []byte, pixel int) {
	var left0, left1, left2, corner0, corner1, corner2 int32
	for len(row) >= 3 && len(above) >= 3 {
		up0, up1, up2 := int32(above[0]), int32(above[1]), int32(above[2])
		row[0] += nearest(left0, up0, corner0)
		row[1] += nearest(left1, up1, corner1)
		row[2] += nearest(left2, up2, corner2)
		left0, left1, left2 = int32(row[0]), int32(row[1]), int32(row[2])
		corner0, corner1, corner2 = up0, up1, up2
		row, above = row[min(pixel, len(row)):], above[min(pixel, len(above)):]
	}
}

// nearest is that of the three that is nearest to left + up - corner.
func nearest(left, up, corner int32) byte {
	toLeft, toUp := up-corner, left-corner
	toCorner := distance(toLeft + toUp)
	toLeft, toUp = distance(toLeft), distance(toUp)
	if toUp < toLeft {
		left, toLeft = up, toUp
	}
	if toCorner < toLeft {
		left = corner
	}
	return byte(left) //nolint:gosec // G115: it is one
}

// distance is abs without a branch.
func distance(v int32) int32 { return (v ^ v>>31) - v>>31 }
