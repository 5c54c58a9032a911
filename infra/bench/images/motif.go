package images

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// The size of a motif. Inputs are cut out of it, so large that a file is near a megabyte.
const (
	motifWidth  = 3000
	motifHeight = 2400
)

// motif is what pictures show. The same one is drawn the same on every machine.
type motif struct {
	name string
	draw func() (*image.RGBA, error)
}

var motifs = []motif{
	{"landscape", landscape},
	{"portrait", portrait},
	{"text", text},
	{"logo", logo},
}

// noise gives a number from 0 to 1 for a point of a lattice.
func noise(x, y, seed uint32) float64 {
	h := x*0x9e3779b1 ^ y*0x85ebca77 ^ seed*0xc2b2ae3d
	h ^= h >> 15
	h *= 0x2c1b3c6d
	h ^= h >> 12
	h *= 0x297a2d39
	h ^= h >> 15
	return float64(h) / math.MaxUint32
}

// smooth is noise between the points of the lattice.
func smooth(x, y float64, seed uint32) float64 {
	x0, y0 := math.Floor(x), math.Floor(y)
	fx, fy := x-x0, y-y0
	fx, fy = fx*fx*(3-2*fx), fy*fy*(3-2*fy)
	ix, iy := uint32(x0), uint32(y0)
	top := noise(ix, iy, seed)*(1-fx) + noise(ix+1, iy, seed)*fx
	bottom := noise(ix, iy+1, seed)*(1-fx) + noise(ix+1, iy+1, seed)*fx
	return top*(1-fy) + bottom*fy
}

// fractal adds noise of halving sizes and strengths, as natural surfaces have it.
func fractal(x, y, size float64, octaves int, seed uint32) float64 {
	sum, strength, total := 0.0, 1.0, 0.0
	for o := range octaves {
		sum += strength * smooth(x/size, y/size, seed+uint32(o))
		total += strength
		size, strength = size/2, strength*0.55
	}
	return sum / total
}

func each(paint func(x, y float64) (red, green, blue float64)) *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, motifWidth, motifHeight))
	for y := range motifHeight {
		for x := range motifWidth {
			red, green, blue := paint(float64(x), float64(y))
			out.SetRGBA(x, y, color.RGBA{level(red), level(green), level(blue), 0xff})
		}
	}
	return out
}

func level(f float64) uint8 { return uint8(max(0, min(1, f)) * 255) }

// landscape is a sky above hills that are rough down to the single pixel.
func landscape() (*image.RGBA, error) {
	return each(func(x, y float64) (red, green, blue float64) {
		if ridge := motifHeight * (0.25 + 0.3*fractal(x, 0, 900, 6, 1)); y < ridge {
			haze := 0.3 * fractal(x, y*2, 700, 4, 2)
			return 0.35 + haze + y/motifHeight/2, 0.55 + haze + y/motifHeight/3, 0.85 + haze/2
		}
		rough, earth := fractal(x, y, 300, 8, 3)+0.12*(noise(uint32(x), uint32(y), 9)-0.5), fractal(x, y, 500, 3, 4)
		return rough * (0.5 + earth), rough * (1.3 - 0.4*earth), rough * 0.6
	}), nil
}

// portrait has soft shapes, a soft ground, and the grain of a sensor.
func portrait() (*image.RGBA, error) {
	return each(func(x, y float64) (red, green, blue float64) {
		shade := fractal(x, y, 1100, 3, 10)
		grain := 0.07 * (noise(uint32(x), uint32(y), 11) - 0.5)
		for i := range 14 {
			seed := uint32(20 + 3*i)
			dx, dy := x-motifWidth*noise(1, 1, seed), y-motifHeight*noise(2, 2, seed)
			if r := 150 + 350*noise(3, 3, seed); math.Hypot(dx, dy) < r {
				light := 0.35 + 0.5*(r-math.Hypot(dx+r/4, dy+r/4))/r
				return light*(0.6+noise(4, 4, seed)/2) + grain, light*(0.5+noise(5, 5, seed)/2) + grain, light*(0.4+noise(6, 6, seed)/2) + grain
			}
		}
		return 0.2 + shade/2 + grain, 0.25 + shade/2 + grain, 0.35 + shade/3 + grain
	}), nil
}

// text is a page of print on paper.
func text() (*image.RGBA, error) {
	paper := each(func(x, y float64) (red, green, blue float64) {
		fibre := 0.96 - 0.05*noise(uint32(x)/2, uint32(y)/2, 50)
		return fibre, fibre, fibre - 0.04
	})
	parsed, err := opentype.Parse(goregular.TTF)
	if err != nil {
		return nil, err
	}
	const words = "The quick brown fox jumps over the lazy dog, 0123456789 times; "
	inks := []color.RGBA{{20, 20, 25, 255}, {150, 20, 30, 255}, {20, 60, 150, 255}}
	for y, line := 40, 0; y < motifHeight; line++ {
		size := []float64{24, 36, 56, 90}[line%4]
		face, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: size, DPI: 72})
		if err != nil {
			return nil, err
		}
		pen := font.Drawer{Dst: paper, Src: image.NewUniform(inks[line%3]), Face: face, Dot: fixed.P(-7*line, y)}
		for pen.Dot.X < fixed.I(motifWidth) {
			pen.DrawString(words)
		}
		y += int(size * 1.4)
	}
	return paper, nil
}

// logo is of flat colours with sharp edges, and a little dither.
func logo() (*image.RGBA, error) {
	colours := []color.RGBA{{11, 87, 208, 255}, {232, 240, 254, 255}, {255, 204, 0, 255}, {20, 160, 90, 255}, {220, 40, 60, 255}}
	out := image.NewRGBA(image.Rect(0, 0, motifWidth, motifHeight))
	draw.Draw(out, out.Rect, image.NewUniform(colours[1]), image.Point{}, draw.Src)
	for y := range motifHeight {
		for x := range motifWidth {
			ring := int(math.Hypot(float64(x%700-350), float64(y%600-300)) / 45)
			turn := int((math.Atan2(float64(y%600-300), float64(x%700-350)) + math.Pi) * 2)
			c := colours[(ring+turn*(ring%3))%len(colours)]
			if dither := uint8(6 * noise(uint32(x), uint32(y), 70)); x/350%2 == 0 {
				c.R, c.G, c.B = c.R-min(c.R, dither), c.G-min(c.G, dither), c.B-min(c.B, dither)
			}
			out.SetRGBA(x, y, c)
		}
	}
	return out, nil
}
