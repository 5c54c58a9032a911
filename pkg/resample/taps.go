package resample

import "math"

// lobes is how far Lanczos' filter reaches, in pixels of the smaller picture.
const lobes = 3

// taps are what each pixel of a scaled row is made of: so many pixels of the row, from one
// on, each times its weight.
type taps struct {
	first, end int // of the pixels that are used at all
	count      int // for each one
	starts     []int
	weights    []uint64 // count for each; negative ones as their complement
}

// newTaps gives those of an area of a row of so many pixels, scaled to side. What would be
// beside the area is what is at its edge. Machines may differ in the last bits of a sine,
// which matters only to a weight that is that close to the middle of two whole numbers; the
// places of pixels are exact where the side is a power of two.
func newTaps(left, across float64, pixels, side int) taps {
	ratio := across / float64(side)
	spread := max(1, ratio)
	t := taps{first: int(left), end: min(pixels, int(math.Ceil(left+across)))}
	// So many pixels can be within the filter; where the area has fewer, all of them.
	t.count = min(t.end-t.first, int(math.Ceil(2*lobes*spread))+1)
	t.starts, t.weights = make([]int, 0, side+2), make([]uint64, 0, (side+2)*t.count) // pad adds two at most
	mirrored := left-float64(t.first) == float64(t.end)-(left+across)
	exact := make([]float64, t.count)
	for i := range side {
		if j := side - 1 - i; mirrored && j < i {
			t.starts = append(t.starts, t.first+t.end-t.count-t.starts[j])
			for k := range t.count {
				t.weights = append(t.weights, t.weights[j*t.count+t.count-1-k])
			}
			continue
		}
		centre := left + (float64(i)+0.5)*ratio - 0.5 // in pixels, whose middles are whole numbers
		start := max(t.first, min(t.end-t.count, int(math.Ceil(centre-lobes*spread))))
		clear(exact)
		total := 0.0
		for p := int(math.Ceil(centre - lobes*spread)); float64(p) <= centre+lobes*spread; p++ {
			w := lanczos((float64(p) - centre) / spread)
			exact[max(0, min(t.count-1, max(t.first, min(t.end-1, p))-start))] += w
			total += w
		}
		t.starts = append(t.starts, start)
		t.weights = appendRounded(t.weights, exact, total)
	}
	return t
}

// appendRounded appends weights as whole numbers whose total is 2^weightBits.
func appendRounded(out []uint64, exact []float64, total float64) []uint64 {
	left, largest := int64(1<<weightBits), 0
	for k, w := range exact {
		whole := int64(math.Round(w / total * (1 << weightBits)))
		out = append(out, uint64(whole)) //nolint:gosec // G115: the complement of a negative one is meant
		left -= whole
		if w > exact[largest] {
			largest = k
		}
	}
	out[len(out)-len(exact)+largest] += uint64(left)
	return out
}

func lanczos(x float64) float64 {
	if x == 0 {
		return 1
	}
	if math.Abs(x) >= lobes {
		return 0
	}
	a := math.Pi * x
	return lobes * math.Sin(a) * math.Sin(a/lobes) / (a * a)
}

// pad repeats the last pixel's taps until there are so many.
func (t *taps) pad(n int) {
	for len(t.starts) < n {
		start, weights := t.of(len(t.starts) - 1)
		t.starts, t.weights = append(t.starts, start), append(t.weights, weights...)
	}
}

func (t *taps) of(i int) (start int, weights []uint64) {
	return t.starts[i], t.weights[i*t.count:][:t.count]
}

// sum is that of the words that a pixel is made of, the first of which is pixel first.
func (t *taps) sum(words []uint64, i int) uint64 {
	sum := uint64(bases)
	weights := t.weights[i*t.count:][:t.count]
	from := words[t.starts[i]-t.first:][:t.count]
	k := 0
	for ; k+4 <= len(weights) && k+4 <= len(from); k += 4 {
		w, f := weights[k:k+4:k+4], from[k:k+4:k+4]
		sum += w[0]*f[0] + w[1]*f[1] + w[2]*f[2] + w[3]*f[3]
	}
	for ; k < len(weights); k++ {
		sum += weights[k] * from[k]
	}
	return sum
}
