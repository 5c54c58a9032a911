package peertest

import "testing"

// Picture is a picture that sharp reads, or that sharp creates. The format is "jpeg" or "png", the
// profile "srgb", "p3" or "cmyk".
type Picture struct {
	File    []byte `json:"file,omitempty"`
	Format  string `json:"format,omitempty"`
	Profile string `json:"profile,omitempty"`
	Gray    bool   `json:"gray,omitempty"`
}

// Shown is a picture's file and sharp's result: 512 x 512 pixels in sRGB, three bytes each.
type Shown struct {
	File []byte `json:"file"`
	RGB  []byte `json:"rgb"`
}

// Colours lets sharp convert pictures to sRGB. Colours skips and fails the test like Encode.
func Colours(t testing.TB, pictures []Picture) (shown []Shown) {
	t.Helper()
	run(t, "colour.mjs", pictures, &shown)
	if len(shown) != len(pictures) {
		t.Fatalf("sharp gave %d results for %d pictures", len(shown), len(pictures))
	}
	return shown
}
