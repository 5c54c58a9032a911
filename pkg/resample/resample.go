// Package resample scales planes of bytes to squares, by Lanczos' filter of three lobes. Its
// weights are whole numbers, so that the same plane gives the same square on every machine,
// and a mirrored plane a mirrored square.
package resample

// Plane is an area of a plane of bytes.
type Plane struct {
	Pix           []byte
	Stride        int
	Width, Height int // of the plane's pixels
	// Where the area lies, in pixels, whose edges are whole numbers. It is within the plane
	// and not empty.
	Left, Top, Across, Down float64
}

// Whole is the area that is a whole plane of rows without gaps.
func Whole(pix []byte, width, height int) Plane {
	return Plane{Pix: pix, Stride: width, Width: width, Height: height, Across: float64(width), Down: float64(height)}
}

// Three numbers are computed at once, in thirds of a word. A third holds a sum of bytes
// times weights, whose total is 2^weightBits, plus base, which keeps it above zero.
const (
	third      = 21
	weightBits = 11
	valueBits  = 10
	below      = 256 // how far below zero a result can be
	base       = below<<weightBits + 1<<(weightBits-1)
	bases      = base | base<<third | base<<(2*third)
)

// clamped is the byte of a result, which is too high by below.
var clamped = func() (table [1 << valueBits]uint64) {
	for i := range table {
		table[i] = uint64(max(0, min(255, i-below)))
	}
	return table
}()

// results takes the three bytes out of a word of sums.
func results(sums uint64) (low, middle, high uint64) {
	const mask = 1<<valueBits - 1
	return clamped[sums>>weightBits&mask], clamped[sums>>(third+weightBits)&mask], clamped[sums>>(2*third+weightBits)&mask]
}

// Square scales the area to side x side pixels.
func Square(from Plane, side int) []byte {
	columns := newTaps(from.Left, from.Across, from.Width, side)
	rows := newTaps(from.Top, from.Down, from.Height, side)
	across := (side + 2) / 3
	columns.pad(3 * across)
	first, end := rows.first, rows.end
	scaled := make([]uint64, (end-first+2)/3*3*across) // rows of the plane, three columns in a word
	words := make([]uint64, columns.end-columns.first)
	for y := first; y < end; y += 3 {
		pack(words, from, columns.first, y, end)
		threeRows(scaled[(y-first)*across:], words, columns, across)
	}
	out := make([]byte, side*side)
	sums := make([]uint64, across)
	for y := range side {
		at, weights := rows.of(y)
		addRows(sums, scaled[(at-first)*across:], weights)
		row := out[y*side:][:side]
		for x, sum := range sums {
			low, middle, high := results(sum)
			if 3*x+3 > side {
				for i, v := range []uint64{low, middle, high}[:side-3*x] {
					row[3*x+i] = byte(v) //nolint:gosec // G115: bytes, as results gives them
				}
				break
			}
			row[3*x], row[3*x+1], row[3*x+2] = byte(low), byte(middle), byte(high) //nolint:gosec // G115: the same
		}
	}
	return out
}

// pack puts three rows from y on into words, a column in each. Behind the last row there
// is that one again.
func pack(words []uint64, from Plane, x, y, end int) {
	row := func(y int) []byte { return from.Pix[min(y, end-1)*from.Stride+x:][:len(words)] }
	upper, middle, lower := row(y), row(y+1), row(y+2)
	for i := range words {
		words[i] = uint64(upper[i]) | uint64(middle[i])<<third | uint64(lower[i])<<(2*third)
	}
}

// threeRows scales three rows of words at once, and turns them: in out three rows follow
// each other, with three columns in a word.
func threeRows(out, words []uint64, columns taps, across int) {
	upper, middle, lower := out[:across], out[across:][:across], out[2*across:][:across]
	for x := range across {
		u0, m0, l0 := results(columns.sum(words, 3*x))
		u1, m1, l1 := results(columns.sum(words, 3*x+1))
		u2, m2, l2 := results(columns.sum(words, 3*x+2))
		upper[x] = u0 | u1<<third | u2<<(2*third)
		middle[x] = m0 | m1<<third | m2<<(2*third)
		lower[x] = l0 | l1<<third | l2<<(2*third)
	}
}

// addRows writes the sums of rows of words, each times its weight. There are as many
// words in a row as there are sums.
func addRows(sums, rows, weights []uint64) {
	n := len(sums)
	for x := range sums {
		sums[x] = bases
	}
	for ; len(weights) >= 4; weights, rows = weights[4:], rows[min(4*n, len(rows)):] {
		w0, w1, w2, w3 := weights[0], weights[1], weights[2], weights[3]
		r0, r1, r2, r3 := rows[:n], rows[n:][:n], rows[2*n:][:n], rows[3*n:][:n]
		for x := range sums {
			sums[x] += w0*r0[x] + w1*r1[x] + w2*r2[x] + w3*r3[x]
		}
	}
	for ; len(weights) > 0; weights, rows = weights[1:], rows[min(n, len(rows)):] {
		w, row := weights[0], rows[:n]
		for x := range sums {
			sums[x] += w * row[x]
		}
	}
}
