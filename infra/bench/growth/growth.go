// Package growth shows how figures grow with the work: measured at once, ten times and a
// hundred times as much, as a table and as a line chart.
package growth

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"

	"tokenlaunch.example/service/infra/bench/report"
	"tokenlaunch.example/service/infra/document"
)

// Chart is a figure that grows with the work.
type Chart struct {
	// Name is the chart's, of letters and hyphens; its picture is docs/growth/NAME.svg.
	Name string
	// Title is a short sentence about the figure; Work is what there is more of
	// ("holders"), Unit that of the values ("ms").
	Title, Work, Unit string
	Lines             []Line
}

// Line is one of those that are compared.
type Line struct {
	Name   string
	Points []Point // of growing work; work and values are above zero
}

// Point is a value that was measured at an amount of work.
type Point struct{ Work, Value float64 }

// Exponent is the slope of the line where both axes are logarithmic, by least squares: the
// power of the work that the value grows with. It is 1 where twice the work takes twice as
// much, and less where it takes less.
func (l Line) Exponent() float64 {
	var works, values []float64
	for _, p := range l.Points {
		works, values = append(works, math.Log(p.Work)), append(values, math.Log(p.Value))
	}
	_, slope := stat.LinearRegression(works, values, nil, false)
	return slope
}

// worse is the exponent from which growth is worse than linear, with some room for what
// else the machine did.
const worse = 1.1

// Section writes the pictures into the folder docs/growth under root and gives the text
// that shows them: each chart's picture and table.
func Section(root string, charts ...Chart) (string, error) {
	text := ""
	for _, c := range charts {
		if err := c.write(root); err != nil {
			return "", fmt.Errorf("draw chart %s: %w", c.Name, err)
		}
		text += fmt.Sprintf("![%s](growth/%s.svg)\n\n%s\n\n", c.Title, c.Name, c.table())
	}
	return text[:max(0, len(text)-1)], nil
}

func (c Chart) table() string {
	header := []string{c.Title}
	for _, p := range c.Lines[0].Points {
		header = append(header, report.Number(p.Work)+" "+c.Work)
	}
	rows := [][]string{append(header, "grows with the power")}
	for _, l := range c.Lines {
		row := []string{l.Name}
		for _, p := range l.Points {
			row = append(row, report.Number(p.Value)+" "+c.Unit)
		}
		for len(row) < len(header) { // one that was not measured so far
			row = append(row, "")
		}
		power := fmt.Sprintf("%.2f", l.Exponent())
		if l.Exponent() > worse {
			power += ", worse than linear"
		}
		rows = append(rows, append(row, power))
	}
	return document.Markdown(rows)
}
