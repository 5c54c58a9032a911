package icc_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"

	"tokenlaunch.example/service/pkg/launch/image/icc"
	"tokenlaunch.example/service/pkg/testkit/icctest"
)

func same(c icctest.Curve) [3]icctest.Curve { return [3]icctest.Curve{c, c, c} }

func square(x float64) float64 { return x * x }

// curves are of each form, with the values that they should compute.
var curves = map[string]struct {
	curve icctest.Curve
	light func(float64) float64
}{
	"straight":        {icctest.Linear(), func(x float64) float64 { return x }},
	"gamma 2.2":       {icctest.Gamma(563. / 256), func(x float64) float64 { return math.Pow(x, 563./256) }},
	"two samples":     {icctest.Sampled(2, func(x float64) float64 { return x }), func(x float64) float64 { return x }},
	"falling samples": {icctest.Sampled(2, func(x float64) float64 { return 1 - x }), func(x float64) float64 { return 1 - x }},
	"256 samples":     {icctest.Sampled(256, square), square},
	"4096 samples":    {icctest.Sampled(4096, square), square},
	"type 0":          {icctest.Parametric(0, 1.8), func(x float64) float64 { return math.Pow(x, 1.8) }},
	"type 0, below 1": {icctest.Parametric(0, 0.25), func(x float64) float64 { return math.Pow(x, 0.25) }},
	"type 1":          {icctest.Parametric(1, 2, 1.25, -0.25), func(x float64) float64 { return square(max(0, 1.25*x-0.25)) }},
	"type 2":          {icctest.Parametric(2, 2, 1.25, -0.5, 0.125), func(x float64) float64 { return square(max(0, 1.25*x-0.5)) + 0.125 }},
	"type 3": {icctest.Parametric(3, icctest.SRGB...), func(x float64) float64 {
		if x < 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}},
	"type 4": {icctest.Parametric(4, 2, 0.75, 0.125, 0.25, 0.25, 0.0625, 0.03125), func(x float64) float64 {
		if x < 0.25 {
			return 0.25*x + 0.03125
		}
		return square(0.75*x+0.125) + 0.0625
	}},
	"a base above one": {icctest.Parametric(4, 2, 4, 0, 0, 0, -1, 0), func(x float64) float64 { return 16*x*x - 1 }},
}

// encode is sRGB's curve, in floating point.
func encode(light float64) float64 {
	light = min(max(light, 0), 1)
	if light <= 0.0031308 {
		return 255 * 12.92 * light
	}
	return 255 * (1.055*math.Pow(light, 1/2.4) - 0.055)
}

func near(t *testing.T, what string, got uint8, want float64) {
	t.Helper()
	// The half is of rounding; in the dark a level of sRGB is 20 parts of 65,535 apart.
	if math.Abs(float64(got)-want) > 0.5+0.06 {
		t.Errorf("%s: %d, want %.3f", what, got, want)
	}
}

// Curves agree with floating point.
func TestCurves(t *testing.T) {
	for name, c := range curves {
		transform, err := icc.Parse(icctest.Gray(4, c.curve), icc.Gray)
		if err != nil {
			t.Errorf("Parse(), %s: %v", name, err)
			continue
		}
		for level := range 256 {
			v := uint8(level)
			r, g, b := transform.Convert(v, v, v)
			if r != g || g != b {
				t.Fatalf("%s: gray becomes %d, %d, %d", name, r, g, b)
			}
			near(t, fmt.Sprintf("%s at %d", name, level), r, encode(c.light(float64(level)/255)))
		}
	}
}

// fromP3 is the product of the inverse of sRGB's matrix and that of Display P3, as CSS Color 4
// has them, both to D65.
var fromP3 = [3][3]float64{
	{1.2249401762805598, -0.2249401762805598, 0},
	{-0.042056954709688163, 1.0420569547096881, 0},
	{-0.019637554590334432, -0.07863604555063188, 1.0982736001409663},
}

// Colours of Display P3 become those that CSS says they are.
func TestColours(t *testing.T) {
	transform, err := icc.Parse(icctest.RGB(4, "mntr", icctest.P3, icctest.D65, same(curves["type 3"].curve)), icc.RGB)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		in := [3]uint8{uint8(random.Uint32()), uint8(random.Uint32()), uint8(random.Uint32())}
		r, g, b := transform.Convert(in[0], in[1], in[2])
		for i, got := range []uint8{r, g, b} {
			light := 0.0
			for from, level := range in {
				light += fromP3[i][from] * curves["type 3"].light(float64(level)/255)
			}
			// Profiles round the matrix to five digits, which shows in the dark.
			if want := encode(light); math.Abs(float64(got)-want) >= 1 {
				t.Errorf("%v, channel %d: %d, want %.3f", in, i, got, want)
			}
		}
	}
}

// Each channel has its own curve.
func TestCurvesOfChannels(t *testing.T) {
	transform, err := icc.Parse(icctest.RGB(2, "scnr", icctest.BT709, icctest.D65, [3]icctest.Curve{
		curves["straight"].curve, curves["256 samples"].curve, curves["type 0"].curve,
	}), icc.RGB)
	if err != nil {
		t.Fatal(err)
	}
	r, g, b := transform.Convert(100, 150, 200)
	near(t, "red", r, encode(100./255))
	near(t, "green", g, encode(square(150./255)))
	near(t, "blue", b, encode(math.Pow(200./255, 1.8)))
}

// The bytes are the same on every machine, for the content ID of a picture depends on them.
func TestSameOnEveryMachine(t *testing.T) {
	hash := fnv.New64a()
	for _, profile := range [][]byte{
		icctest.RGB(4, "mntr", icctest.P3, icctest.D65, same(curves["type 3"].curve)),
		icctest.RGB(2, "mntr", icctest.AdobeRGB, icctest.D65, same(curves["gamma 2.2"].curve)),
		icctest.RGB(4, "mntr", icctest.ProPhoto, icctest.D50, same(curves["type 0"].curve)),
		icctest.RGB(2, "mntr", icctest.BT2020, icctest.D65, same(curves["4096 samples"].curve)),
	} {
		transform, err := icc.Parse(profile, icc.RGB)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 1 << 15 {
			r, g, b := transform.Convert(uint8(i), uint8(i>>5*3), uint8(i>>8*5))
			_, _ = hash.Write([]byte{r, g, b})
		}
	}
	if got := fmt.Sprintf("%x", hash.Sum(nil)); got != "ad0c0acef3160cbe" {
		t.Errorf("the colours are %s", got)
	}
}

func sound() []byte {
	return icctest.RGB(4, "mntr", icctest.P3, icctest.D65, same(curves["type 3"].curve))
}

func TestUnsupported(t *testing.T) {
	at := func(what string) int { return bytes.Index(sound(), []byte(what)) }
	put := func(at int, value uint32) []byte {
		profile := sound()
		binary.BigEndian.PutUint32(profile[at:], value)
		return profile
	}
	entry, curve, colorant := at("gTRC"), at("para"), bytes.LastIndex(sound(), []byte("XYZ "))
	with := func(c icctest.Curve) []byte {
		return icctest.RGB(4, "mntr", icctest.P3, icctest.D65, [3]icctest.Curve{c, curves["straight"].curve, curves["straight"].curve})
	}
	endless := icctest.Linear()
	binary.BigEndian.PutUint32(endless[8:], math.MaxUint32)
	short := icctest.Parametric(3, 2.4, 1, 0)
	for name, profile := range map[string][]byte{
		"nothing":                     nil,
		"text":                        bytes.Repeat([]byte("profile "), 100),
		"no signature":                put(36, 0),
		"another space":               icctest.Profile(2, "prtr", "CMYK", "XYZ "),
		"gray":                        icctest.Gray(4, curves["type 0"].curve),
		"a table alone":               icctest.Profile(2, "prtr", "RGB ", "Lab ", icctest.Tag{Name: "A2B0", Data: make([]byte, 100)}),
		"a table alone, of XYZ":       icctest.Profile(2, "scnr", "RGB ", "XYZ ", icctest.Tag{Name: "A2B0", Data: make([]byte, 100)}),
		"no tags":                     put(128, 0),
		"a tag at the end":            put(entry+4, uint32(len(sound())-11)),
		"a tag past the end":          put(entry+4, math.MaxUint32),
		"a tag longer than the file":  put(entry+8, math.MaxUint32),
		"a tag too short":             put(entry+8, 11),
		"a curve of another type":     put(curve, 0),
		"a function of type 5":        put(curve+8, 5<<16),
		"an exponent of zero":         put(curve+12, 0),
		"an exponent below zero":      put(curve+12, 1<<31),
		"an exponent of 256":          put(curve+12, 256<<16),
		"a colorant of another type":  put(colorant, 0),
		"a colorant above two":        put(colorant+8, 2<<16+1),
		"a colorant below -2":         put(colorant+12, 1<<31),
		"samples without end":         with(endless),
		"a gamma of zero":             with(icctest.Gamma(0)),
		"a function without its rest": with(short),
	} {
		if _, err := icc.Parse(profile, icc.RGB); !errors.Is(err, icc.ErrUnsupported) {
			t.Errorf("Parse(), %s: %v, want ErrUnsupported", name, err)
		}
	}
	// However many tags it claims, those that are there count.
	if _, err := icc.Parse(put(128, math.MaxUint32), icc.RGB); err != nil {
		t.Errorf("more tags than bytes: %v", err)
	}
}

func FuzzParse(f *testing.F) {
	for _, c := range curves {
		f.Add(icctest.Gray(2, c.curve))
	}
	f.Add(sound())
	f.Fuzz(func(t *testing.T, profile []byte) {
		for _, space := range []icc.Space{icc.RGB, icc.Gray} {
			transform, err := icc.Parse(profile, space)
			if err != nil {
				if !errors.Is(err, icc.ErrUnsupported) {
					t.Fatal(err)
				}
				continue
			}
			for level := range 256 {
				transform.Convert(uint8(level), uint8(255-level), uint8(level*7))
			}
		}
	})
}
