package resample_test

import (
	"math"
	"testing"

	"tokenlaunch.example/service/pkg/resample"
)

// plane is rough, and no two of its edges are alike.
func plane(width, height int) []byte {
	pix := make([]byte, width*height)
	for i := range pix {
		x, y := i%width, i/width
		pix[i] = byte(128 + 90*math.Sin(float64(x)/3+float64(y*y)/900) + 30*math.Sin(float64(x*y)/50))
	}
	return pix
}

// exact is the same filter in floating point, weight by weight.
func exact(from resample.Plane, side, x, y int) float64 {
	lanczos := func(v float64) float64 {
		switch v = math.Abs(v); {
		case v == 0:
			return 1
		case v >= 3:
			return 0
		}
		return 3 * math.Sin(math.Pi*v) * math.Sin(math.Pi*v/3) / (math.Pi * math.Pi * v * v)
	}
	sum, total := 0.0, 0.0
	ratioX, ratioY := from.Across/float64(side), from.Down/float64(side)
	spreadX, spreadY := max(1, ratioX), max(1, ratioY)
	cx, cy := from.Left+(float64(x)+0.5)*ratioX-0.5, from.Top+(float64(y)+0.5)*ratioY-0.5
	within := func(p int, from, length float64, pixels int) int {
		return max(int(from), min(p, pixels-1, int(math.Ceil(from+length))-1))
	}
	for py := int(math.Ceil(cy - 3*spreadY)); float64(py) <= cy+3*spreadY; py++ {
		for px := int(math.Ceil(cx - 3*spreadX)); float64(px) <= cx+3*spreadX; px++ {
			w := lanczos((float64(px)-cx)/spreadX) * lanczos((float64(py)-cy)/spreadY)
			total += w
			sum += w * float64(from.Pix[within(py, from.Top, from.Down, from.Height)*from.Stride+within(px, from.Left, from.Across, from.Width)])
		}
	}
	return sum / total
}

func TestSquareIsLanczos(t *testing.T) {
	const side = 64
	for name, from := range map[string]resample.Plane{
		"smaller":      resample.Whole(plane(150, 150), 150, 150),
		"the same":     resample.Whole(plane(64, 64), 64, 64),
		"larger":       resample.Whole(plane(17, 17), 17, 17),
		"one pixel":    resample.Whole(plane(1, 1), 1, 1),
		"a strip":      resample.Whole(plane(700, 2), 700, 2),
		"not a square": resample.Whole(plane(90, 200), 90, 200),
		"an area":      {Pix: plane(210, 190), Stride: 210, Width: 203, Height: 190, Left: 12.25, Top: 7.5, Across: 170.5, Down: 170.5},
		"at the end":   {Pix: plane(210, 190), Stride: 210, Width: 203, Height: 190, Left: 102.5, Top: 89.75, Across: 100.25, Down: 100.25},
	} {
		got := resample.Square(from, side)
		for i, v := range got {
			want := max(0, min(255, exact(from, side, i%side, i/side)))
			if math.Abs(float64(v)-want) > 1.6 {
				t.Fatalf("%s: %d at %d, %d, not %.2f", name, v, i%side, i/side, want)
			}
		}
	}
}

// Sides that are no multiple of three, and the largest contrast there is.
func TestSquareOfEdges(t *testing.T) {
	for _, side := range []int{2, 3, 4, 5, 256, 512} {
		for _, length := range []int{3, 100, 300} {
			pix := make([]byte, length*length)
			for i := range pix {
				if i%length/7%2 == i/length/5%2 {
					pix[i] = 255
				}
			}
			from := resample.Whole(pix, length, length)
			got := resample.Square(from, side)
			for _, i := range []int{0, side - 1, side * side / 2, side*side - side, side*side - 1} {
				// Between the passes results are bytes, so what overshoots there is lost.
				if want := max(0, min(255, exact(from, side, i%side, i/side))); math.Abs(float64(got[i])-want) > 24 {
					t.Errorf("%d to %d: %d at %d, not %.1f", length, side, got[i], i, want)
				}
			}
		}
	}
}

func TestMirroredPlaneGivesMirroredSquare(t *testing.T) {
	for _, length := range []int{31, 100, 200, 401} { // of 200, two weights are the largest
		pix := plane(length, length)
		mirrored, flipped := make([]byte, len(pix)), make([]byte, len(pix))
		for i, v := range pix {
			x, y := i%length, i/length
			mirrored[y*length+length-1-x] = v
			flipped[(length-1-y)*length+x] = v
		}
		const side = 100
		want := resample.Square(resample.Whole(pix, length, length), side)
		fromLeft := resample.Square(resample.Whole(mirrored, length, length), side)
		fromTop := resample.Square(resample.Whole(flipped, length, length), side)
		for i, v := range want {
			x, y := i%side, i/side
			if fromLeft[y*side+side-1-x] != v || fromTop[(side-1-y)*side+x] != v {
				t.Fatalf("%d: not mirrored at %d, %d", length, x, y)
			}
		}
	}
}

func TestEvenPlanesStayAsTheyAre(t *testing.T) {
	for _, v := range []byte{0, 1, 127, 254, 255} {
		for _, length := range []int{1, 5, 64, 1000} {
			pix := make([]byte, length*length)
			for i := range pix {
				pix[i] = v
			}
			for i, got := range resample.Square(resample.Whole(pix, length, length), 65) {
				if got != v {
					t.Fatalf("%d of %d pixels became %d at %d", v, length, got, i)
				}
			}
		}
	}
}

func BenchmarkSquare(b *testing.B) {
	from := resample.Whole(plane(900, 900), 900, 900)
	b.ReportAllocs()
	for b.Loop() {
		resample.Square(from, 512)
	}
}
