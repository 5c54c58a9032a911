package images

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	taken := make([][]outcome, len(sideNames))
	for side := range sideNames {
		for round := range 3 {
			took := sample{CPU: float64(1000 * (side + 1 + round)), Wall: 2000, Bytes: 5000}
			taken[side] = append(taken[side], outcome{Samples: []sample{took, took, took}, PeakKiB: 1_000_000})
		}
	}
	got := table([]string{"photo-rgb.png", "logo-rgb.png", "logo-gray.jpg"}, taken, [][]float64{{0.99, 0.9}, {0.97, 0.92}, {0.98, 0.91}})
	for _, row := range []string{
		"| PNG rgb      | 2.0 ms    | 3.0 ms     | 2.0 ms     | 2.0 ms      | 0.9800     | 0.9100      | 5 KB         | 5 KB          | 0.67                 |",
		"| **all**      | 2.0 ms    | 3.0 ms     | 2.0 ms     | 2.0 ms      | 0.9800     | 0.9100      | 5 KB         | 5 KB          | 0.67                 |",
		"Peak memory: ours 1024 MB, sharp 1024 MB.",
	} {
		if !strings.Contains(got, row) {
			t.Errorf("no %q in\n%s", row, got)
		}
	}
}

// Our side answers as the peer's does, and leaves a file of each result.
func TestAnswer(t *testing.T) {
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "ours"), 0o700); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile("../../../pkg/launch/image/testdata/baseline-420.jpg")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "a.jpg"), file, 0o600); err != nil {
		t.Fatal(err)
	}
	in, err := json.Marshal(work{folder, "ours", []string{"a.jpg", "a.jpg"}, 1})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := Answer(t.Context(), strings.NewReader(string(in)), &out); err != nil {
		t.Fatal(err)
	}
	var got outcome
	if err := json.Unmarshal([]byte(out.String()), &got); err != nil {
		t.Fatal(err)
	}
	result, err := os.Stat(filepath.Join(folder, "ours", "a.jpg.jpg"))
	if err != nil || len(got.Samples) != 2 || got.Samples[1].Bytes != int(result.Size()) || got.Samples[1].CPU <= 0 || got.PeakKiB <= 0 {
		t.Errorf("%s, %v", &out, err)
	}
}
