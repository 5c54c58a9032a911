// Package icctest writes ICC profiles for tests, from the published primaries and curves of
// colour spaces.
package icctest

import (
	"encoding/binary"
	"math"
	"slices"
)

// Curve is a tone reproduction curve in the encoding of a profile.
type Curve []byte

// Gamma returns a curve with an exponent, rounded to 1/256.
func Gamma(exponent float64) Curve {
	return binary.BigEndian.AppendUint16(element("curv", 1), uint16(math.Round(exponent*256)))
}

// Sampled returns a curve with count samples of a function from 0..1 to 0..1.
func Sampled(count int, of func(float64) float64) Curve {
	out := element("curv", count)
	for i := range count {
		out = binary.BigEndian.AppendUint16(out, uint16(math.Round(65535*min(max(of(float64(i)/float64(count-1)), 0), 1))))
	}
	return out
}

// Linear returns the curve without samples.
func Linear() Curve { return element("curv", 0) }

// Parametric returns a function curve of version 4. The number of parameters must match the type.
func Parametric(kind uint16, parameters ...float64) Curve {
	out := element("para", int(kind)<<16)
	for _, p := range parameters {
		out = s15Fixed16(out, p)
	}
	return out
}

// SRGB is the function of sRGB as parameters of a curve of type 3.
var SRGB = []float64{2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045}

// Chromaticity is the x and y of a colour (CIE 1931).
type Chromaticity [2]float64

// White points, and the primaries of Display P3, Adobe RGB (1998), ProPhoto RGB (ROMM, ISO
// 22028-2), BT.2020 and sRGB.
var (
	D65      = Chromaticity{0.3127, 0.3290}
	D50      = Chromaticity{0.3457, 0.3585}
	P3       = [3]Chromaticity{{0.680, 0.320}, {0.265, 0.690}, {0.150, 0.060}}
	AdobeRGB = [3]Chromaticity{{0.6400, 0.3300}, {0.2100, 0.7100}, {0.1500, 0.0600}}
	ProPhoto = [3]Chromaticity{{0.734699, 0.265301}, {0.159597, 0.840403}, {0.036598, 0.000105}}
	BT2020   = [3]Chromaticity{{0.708, 0.292}, {0.170, 0.797}, {0.131, 0.046}}
	BT709    = [3]Chromaticity{{0.64, 0.33}, {0.30, 0.60}, {0.15, 0.06}}
)

// Tag is an element of a profile.
type Tag struct {
	Name string
	Data []byte
}

// RGB returns a profile with three primaries and a curve for each primary.
func RGB(version uint8, class string, primaries [3]Chromaticity, white Chromaticity, curves [3]Curve) []byte {
	var tags []Tag
	for i, colorant := range colorants(primaries, white) {
		name := "rgb"[i : i+1]
		data := element("XYZ ")
		for _, value := range colorant {
			data = s15Fixed16(data, value)
		}
		tags = append(tags, Tag{name + "XYZ", data}, Tag{name + "TRC", curves[i]})
	}
	return Profile(version, class, "RGB ", "XYZ ", tags...)
}

// Gray returns a profile with a single curve.
func Gray(version uint8, curve Curve) []byte {
	return Profile(version, "mntr", "GRAY", "XYZ ", Tag{"kTRC", curve})
}

// Profile returns the elements behind a header and the white of D50.
func Profile(version uint8, class, space, connection string, tags ...Tag) []byte {
	white := func(to []byte) []byte {
		for _, value := range d50 {
			to = s15Fixed16(to, value)
		}
		return to
	}
	tags = append([]Tag{{"wtpt", white(element("XYZ "))}}, tags...)
	const header, entry = 128, 12
	table := number(nil, len(tags))
	var body []byte
	for _, tag := range tags {
		table = append(table, tag.Name...)
		table = number(table, header+4+entry*len(tags)+len(body))
		table = number(table, len(tag.Data))
		body = append(body, tag.Data...)
		body = append(body, make([]byte, -len(body)&3)...)
	}
	out := number(nil, header+len(table)+len(body))
	out = append(append(out, 0, 0, 0, 0, version, 0, 0, 0), class+space+connection...)
	out = append(append(out, make([]byte, 12)...), "acsp"...)
	out = white(append(out, make([]byte, 68-len(out))...))
	return slices.Concat(out, make([]byte, header-len(out)), table, body)
}

var d50 = [3]float64{0.9642, 1, 0.8249}

// colorants returns the primaries' XYZ, scaled to add up to white, and adapted to D50 by Bradford's
// matrix.
func colorants(primaries [3]Chromaticity, white Chromaticity) (out [3][3]float64) {
	xyz := func(c Chromaticity) [3]float64 { return [3]float64{c[0] / c[1], 1, (1 - c[0] - c[1]) / c[1]} }
	bradford := [3][3]float64{{0.8951, 0.2664, -0.1614}, {-0.7502, 1.7135, 0.0367}, {0.0389, -0.0685, 1.0296}}
	var columns [3][3]float64
	for axis := range 3 {
		for i, p := range primaries {
			columns[axis][i] = xyz(p)[axis]
		}
	}
	scale := solve(columns, xyz(white))
	from, to := times(bradford, xyz(white)), times(bradford, d50)
	for i := range out {
		cone := times(bradford, xyz(primaries[i]))
		for axis := range cone {
			cone[axis] *= scale[i] * to[axis] / from[axis]
		}
		out[i] = solve(bradford, cone)
	}
	return out
}

func times(m [3][3]float64, v [3]float64) (out [3]float64) {
	for i := range m {
		out[i] = m[i][0]*v[0] + m[i][1]*v[1] + m[i][2]*v[2]
	}
	return out
}

// solve returns the x of m x = v, by Cramer's rule.
func solve(m [3][3]float64, v [3]float64) (out [3]float64) {
	determinant := func(m [3][3]float64) float64 {
		return m[0][0]*(m[1][1]*m[2][2]-m[1][2]*m[2][1]) - m[0][1]*(m[1][0]*m[2][2]-m[1][2]*m[2][0]) + m[0][2]*(m[1][0]*m[2][1]-m[1][1]*m[2][0])
	}
	for i := range out {
		replaced := m
		for row := range replaced {
			replaced[row][i] = v[row]
		}
		out[i] = determinant(replaced) / determinant(m)
	}
	return out
}

// element returns the start of an element: its type, four reserved bytes, and numbers.
func element(kind string, numbers ...int) []byte {
	out := append([]byte(kind), 0, 0, 0, 0)
	for _, n := range numbers {
		out = number(out, n)
	}
	return out
}

func s15Fixed16(to []byte, value float64) []byte { return number(to, int(math.Round(value*65536))) }

func number(to []byte, n int) []byte {
	return binary.BigEndian.AppendUint32(to, uint32(n)) // #nosec G115 -- negative numbers are two's complement
}
