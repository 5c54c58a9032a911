package icc

import (
	"math"
	"sync"
)

const matrixBits = 24

// The colorants of sRGB as in sRGB's own profiles, which are adapted from D65 to the profiles'
// white, D50, by Bradford's matrix. The inverse of the colorants converts light at D50 to sRGB's
// light.
const (
	rX, gX, bX = 0.436065674, 0.385147095, 0.143066406
	rY, gY, bY = 0.222488403, 0.716873169, 0.060607910
	rZ, gZ, bZ = 0.013916016, 0.097076416, 0.714096069

	// The compiler computes these constants exactly.
	determinant = rX*(gY*bZ-bY*gZ) - gX*(rY*bZ-bY*rZ) + bX*(rY*gZ-gY*rZ)
	part        = (1 << matrixBits) / determinant
)

// fromXYZ is the inverse of the colorants, in parts of 2^matrixBits.
var fromXYZ = [3][3]int64{
	{rounded((gY*bZ - bY*gZ) * part), rounded((bX*gZ - gX*bZ) * part), rounded((gX*bY - bX*gY) * part)},
	{rounded((bY*rZ - rY*bZ) * part), rounded((rX*bZ - bX*rZ) * part), rounded((bX*rY - rX*bY) * part)},
	{rounded((rY*gZ - gY*rZ) * part), rounded((gX*rZ - rX*gZ) * part), rounded((rX*gY - gX*rY) * part)},
}

// rounded returns the integer nearest to a constant.
func rounded(constant float64) int64 { return int64(math.Round(constant)) }

// toSRGB multiplies with colorants in parts of 65,536.
func toSRGB(colorants [3][3]int64) (matrix [3][3]int64) {
	for to := range matrix {
		for from := range matrix[to] {
			for axis := range colorants {
				matrix[to][from] += fromXYZ[to][axis] * colorants[axis][from]
			}
			matrix[to][from] >>= 16
		}
	}
	return matrix
}

// encoded maps each light, in parts of 65,535, to the nearest level of sRGB.
var encoded = sync.OnceValue(func() *[1 << 16]uint8 {
	var table [1 << 16]uint8
	light := 0
	for level := range 256 {
		end := len(table)
		if level < 255 { // half-way to the next level
			end = int(toUint16(srgb.at((2*int64(level) + 1) * one / 510)))
		}
		for ; light < end; light++ {
			table[light] = uint8(level)
		}
	}
	return &table
})

// Convert returns the sRGB colour of a colour in the profile's space. For gray, the three arguments
// are equal.
func (t *Transform) Convert(red, green, blue uint8) (uint8, uint8, uint8) {
	r, g, b := int64(t.linear[0][red]), int64(t.linear[1][green]), int64(t.linear[2][blue])
	var out [3]uint8
	table := encoded()
	for i, row := range t.matrix {
		light := (row[0]*r + row[1]*g + row[2]*b + 1<<(matrixBits-1)) >> matrixBits
		out[i] = table[min(max(light, 0), 0xffff)]
	}
	return out[0], out[1], out[2]
}
