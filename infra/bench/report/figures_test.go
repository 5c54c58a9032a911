package report

import "testing"

func TestMedian(t *testing.T) {
	if Median([]int{5, 1, 3}) != 3 || Median([]int{4, 1, 3, 2}) != 2 {
		t.Error("wrong")
	}
}

func TestNumber(t *testing.T) {
	for f, want := range map[float64]string{
		0.012345: "0.0123", 4.56: "4.56", 4: "4", 78.94: "78.9", 999.6: "1,000", 1234567: "1,230,000", 100: "100", 12: "12",
	} {
		if got := Number(f); got != want {
			t.Errorf("%v: %q, want %q", f, got, want)
		}
	}
}
