package growth

import (
	"bytes"
	"image/color"
	"math"
	"os"
	"path/filepath"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Sizes of a chart.
const (
	width, height = 16 * vg.Centimeter, 9 * vg.Centimeter
	thin, wide    = vg.Length(1), vg.Length(2)
	dot           = vg.Length(3)
	margin        = vg.Length(8)
)

// colors of the lines, in their order: those of Okabe and Ito, which differ for everybody.
var colors = []color.Color{
	color.RGBA{R: 0, G: 114, B: 178, A: 255},
	color.RGBA{R: 213, G: 94, B: 0, A: 255},
	color.RGBA{R: 0, G: 158, B: 115, A: 255},
	color.RGBA{R: 204, G: 121, B: 167, A: 255},
	color.RGBA{R: 230, G: 159, B: 0, A: 255},
	color.RGBA{R: 86, G: 180, B: 233, A: 255},
	color.RGBA{A: 255},
}

func (c Chart) write(root string) error {
	picture, err := c.SVG()
	if err != nil {
		return err
	}
	folder := filepath.Join(root, "docs", "growth")
	if err := os.MkdirAll(folder, 0o755); err != nil { // #nosec G301 -- documents
		return err
	}
	return os.WriteFile(filepath.Join(folder, c.Name+".svg"), picture, 0o644) // #nosec G306 -- a document
}

// SVG draws the lines on logarithmic axes, and a dashed one from the first point of the
// first line that grows as the work does.
func (c Chart) SVG() ([]byte, error) {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = c.Title, c.Work, c.Unit
	p.BackgroundColor = color.White
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = plot.LogTicks{Prec: -1}, plot.LogTicks{Prec: -1}
	p.Legend.Top, p.Legend.Left, p.Legend.Padding = true, true, vg.Length(1)
	p.Add(plotter.NewGrid())
	low, high := math.Inf(1), 0.0
	for n, l := range c.Lines {
		points := make(plotter.XYs, len(l.Points))
		for i, point := range l.Points {
			points[i] = plotter.XY{X: point.Work, Y: point.Value}
			low, high = min(low, point.Value), max(high, point.Value)
		}
		line, dots, err := plotter.NewLinePoints(points)
		if err != nil {
			return nil, err
		}
		line.Color, line.Width = colors[n%len(colors)], wide
		dots.Color, dots.Shape, dots.Radius = line.Color, draw.CircleGlyph{}, dot
		p.Add(line, dots)
		p.Legend.Add(l.Name, line, dots)
	}
	first := c.Lines[0].Points
	last := first[len(first)-1].Work
	linear, err := plotter.NewLine(plotter.XYs{
		{X: first[0].Work, Y: first[0].Value}, {X: last, Y: first[0].Value * last / first[0].Work},
	})
	if err != nil {
		return nil, err
	}
	linear.Color, linear.Width, linear.Dashes = color.Gray{Y: 128}, thin, []vg.Length{vg.Length(4), vg.Length(4)}
	p.Add(linear)
	p.Legend.Add("as the work", linear)
	high = max(high, first[0].Value*last/first[0].Work)
	// Whole powers of ten, for the axis has labels there only.
	p.Y.Min, p.Y.Max = math.Pow10(int(math.Floor(math.Log10(low)))), math.Pow10(int(math.Ceil(math.Log10(high))))
	canvas := vgsvg.New(width, height)
	p.Draw(draw.Crop(draw.New(canvas), margin, -margin, margin, -margin))
	var out bytes.Buffer
	_, err = canvas.WriteTo(&out)
	return out.Bytes(), err
}
