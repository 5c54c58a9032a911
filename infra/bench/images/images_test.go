package images

import (
	"fmt"
	"hash/crc32"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tokenlaunch.example/service/infra/bench/growth"
)

// A motif is drawn the same each time, whatever random numbers are in it.
func TestAMotifIsDrawnTheSameTwice(t *testing.T) {
	if testing.Short() {
		t.Skip("draws pictures of seven megapixels")
	}
	picture, err := text()
	if err != nil {
		t.Fatal(err)
	}
	again, err := text()
	if err != nil {
		t.Fatal(err)
	}
	if crc32.ChecksumIEEE(picture.Pix) != crc32.ChecksumIEEE(again.Pix) || picture.Rect != image.Rect(0, 0, motifWidth, motifHeight) {
		t.Error("two pages of print differ")
	}
}

func TestTables(t *testing.T) {
	taken := taken{names: []string{"text-rgb.png", "logo-rgb.png", "text-gray.jpg"}, like: map[string]map[string]float64{
		ours:  {"text-rgb.png": 0.99, "logo-rgb.png": 0.97, "text-gray.jpg": 0.95},
		peers: {"text-rgb.png": 0.9, "logo-rgb.png": 0.9, "text-gray.jpg": 0.9},
	}}
	for i := range sides {
		took := map[string][]sample{}
		for _, name := range taken.names {
			for round := range 3 {
				took[name] = append(took[name], sample{CPU: float64(1000 * (i + 1 + round)), Wall: 2000, Peak: 1_000_000, Bytes: 5000})
			}
		}
		taken.samples = append(taken.samples, took)
	}
	if got := taken.whole(); !strings.Contains(got, "| ours, one thread  | 2.0 ms             | 1.0 ms to 3.0 ms     | 2.0 ms              | 1024 MB     | 5 KB    | 0.9700 | 0.9500     |") {
		t.Errorf("\n%s", got)
	}
	if got := taken.kinds(); !strings.Contains(got, "| PNG rgb      | 2.0 ms    | 3.0 ms     | 1.50            | 0.9800     | 0.9000      | 5 KB         | 5 KB          |") {
		t.Errorf("\n%s", got)
	}
}

func TestChart(t *testing.T) {
	var samples []map[string][]sample
	for range sides {
		took := map[string][]sample{}
		for _, percent := range []int{1, 10, 100} {
			for extension := range formats {
				took[fmt.Sprintf("growth-%d.%s", percent, extension)] = []sample{{CPU: float64(percent * 1000)}}
			}
		}
		samples = append(samples, took)
	}
	c := chart(samples)
	if len(c.Lines) != 4 || c.Lines[0].Points[2] != (growth.Point{Work: 7.2, Value: 100}) || c.Lines[0].Exponent() < 0.99 {
		t.Errorf("%+v", c)
	}
}

// Our side answers as the peer's does: a line for a line, and a file of the result.
func TestAnswer(t *testing.T) {
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, ours), 0o700); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile("../../../pkg/launch/image/testdata/baseline-420.jpg")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "a.jpg"), file, 0o600); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := Answer(folder, strings.NewReader("a.jpg\na.jpg\n"), &out); err != nil {
		t.Fatal(err)
	}
	result, err := os.Stat(resultOf(folder, ours, "a.jpg"))
	if err != nil || result.Size() == 0 || strings.Count(out.String(), "\n") != 2 || !strings.Contains(out.String(), `"peak":`) {
		t.Errorf("%q, %v", out.String(), err)
	}
	if cpuTime(usage()) <= 0 || time.Duration(peakOf(usage())) <= 0 {
		t.Error("no processor time, or no memory")
	}
}
