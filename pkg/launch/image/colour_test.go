package image_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	stdimage "image"
	"image/color"
	"maps"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"tokenlaunch.example/service/pkg/launch/image"
	"tokenlaunch.example/service/pkg/testkit/figures"
	"tokenlaunch.example/service/pkg/testkit/icctest"
	"tokenlaunch.example/service/pkg/testkit/peertest"
)

func same(c icctest.Curve) [3]icctest.Curve { return [3]icctest.Curve{c, c, c} }

// profiles are of each kind that is read, with each kind of curve.
var profiles = map[string][]byte{
	"sRGB, v4":               icctest.RGB(4, "mntr", icctest.BT709, icctest.D65, same(icctest.Parametric(3, icctest.SRGB...))),
	"sRGB, v2, 1024 samples": icctest.RGB(2, "mntr", icctest.BT709, icctest.D65, same(icctest.Sampled(1024, srgbLight))),
	"Display P3, v4":         icctest.RGB(4, "mntr", icctest.P3, icctest.D65, same(icctest.Parametric(3, icctest.SRGB...))),
	"Display P3, v2":         icctest.RGB(2, "mntr", icctest.P3, icctest.D65, same(icctest.Sampled(1024, srgbLight))),
	"Adobe RGB, v2":          icctest.RGB(2, "mntr", icctest.AdobeRGB, icctest.D65, same(icctest.Gamma(2.19921875))),
	"Adobe RGB, v4":          icctest.RGB(4, "mntr", icctest.AdobeRGB, icctest.D65, same(icctest.Parametric(0, 2.19921875))),
	"ProPhoto, v2":           icctest.RGB(2, "mntr", icctest.ProPhoto, icctest.D50, same(icctest.Gamma(1.8))),
	"ProPhoto, v4":           icctest.RGB(4, "spac", icctest.ProPhoto, icctest.D50, same(icctest.Parametric(3, 1.8, 1, 0, 1./16, 1./32))),
	"BT.2020, v4":            icctest.RGB(4, "mntr", icctest.BT2020, icctest.D65, same(icctest.Parametric(4, 1/0.45, 1/1.099, 0.099/1.099, 1/4.5, 0.081, 0, 0))),
	"linear, v2":             icctest.RGB(2, "mntr", icctest.BT709, icctest.D65, same(icctest.Linear())),
	"scanner, v2": icctest.RGB(2, "scnr", [3]icctest.Chromaticity{{0.62, 0.34}, {0.29, 0.63}, {0.14, 0.07}}, icctest.D50, [3]icctest.Curve{
		icctest.Sampled(256, func(x float64) float64 { return math.Pow(x, 1.9) }),
		icctest.Sampled(33, func(x float64) float64 { return x*x*0.7 + x*0.3 }),
		icctest.Sampled(4096, func(x float64) float64 { return math.Pow(x, 2.3) }),
	}),
	"scanner, v2, functions": icctest.RGB(2, "scnr", [3]icctest.Chromaticity{{0.62, 0.34}, {0.29, 0.63}, {0.14, 0.07}}, icctest.D50, [3]icctest.Curve{
		icctest.Parametric(1, 2, 1.1, -0.1), icctest.Parametric(2, 2.2, 1.05, -0.05, 0), icctest.Parametric(4, 2.4, 0.93, 0.05, 0.1, 0.05, 0.02, 0.0003),
	}),
	"gray, v2":            icctest.Gray(2, icctest.Gamma(1.8)),
	"gray, v4":            icctest.Gray(4, icctest.Parametric(3, icctest.SRGB...)),
	"gray, 20 % dot gain": icctest.Gray(2, icctest.Sampled(256, func(x float64) float64 { return math.Pow(x, 1.75) })),
}

func srgbLight(x float64) float64 {
	if x <= 0.04045 {
		return x / 12.92
	}
	return math.Pow((x+0.055)/1.055, 2.4)
}

// ramps has all levels of gray, or of red and green with some of blue, and no edges, at which
// readers of JPEGs differ by more than profiles.
func ramps(gray bool) stdimage.Image {
	area := stdimage.Rect(0, 0, image.Side, image.Side)
	if gray {
		out := stdimage.NewGray(area)
		for i := range out.Pix {
			out.Pix[i] = byte(i % image.Side / 2)
		}
		return out
	}
	// fold goes up from 0 to 255 and down again.
	fold := func(at int) byte { return byte(min(at%510, 510-at%510)) }
	out := stdimage.NewNRGBA(area)
	for i := range len(out.Pix) / 4 {
		x, y := i%image.Side, i/image.Side
		copy(out.Pix[4*i:], []byte{fold(2 * x), fold(2 * y), fold((3*x + 2*y) / 4), 255})
	}
	return out
}

// The colours of pictures with profiles are those that sharp makes of the same files: before
// the picture is encoded, and as it is stored.
func TestColorsAgreeWithSharp(t *testing.T) {
	var names []string
	var pictures []peertest.Picture
	add := func(name string, p peertest.Picture) { names, pictures = append(names, name), append(pictures, p) }
	for _, name := range slices.Sorted(maps.Keys(profiles)) {
		gray := strings.HasPrefix(name, "gray")
		add(name+", PNG", peertest.Picture{File: withICCP(encodePNG(t, ramps(gray)), profiles[name])})
		if !strings.Contains(name, "v4") {
			jpeg := encodeJPEG(t, ramps(gray), 95)
			add(name+", JPEG", peertest.Picture{File: withAPP2(jpeg, parts(profiles[name], 60_000)...)})
		}
	}
	add("no profile, PNG", peertest.Picture{File: encodePNG(t, ramps(false))})
	add("16 bits, ProPhoto, PNG", peertest.Picture{File: withICCP(encodePNG(t, deep(ramps(false))), profiles["ProPhoto, v4"])})
	add("transparent, ProPhoto, PNG", peertest.Picture{File: withICCP(encodePNG(t, veiled(ramps(false))), profiles["ProPhoto, v4"])})
	for _, format := range []string{"png", "jpeg"} {
		for _, profile := range []string{"p3", "srgb"} {
			add("by sharp: "+profile+", "+strings.ToUpper(format), peertest.Picture{Format: format, Profile: profile})
		}
	}
	t.Logf("%-34s %20s %20s", "ΔE (CIEDE2000) to sharp", "mean, max", "as stored: mean, max")
	var worst float64
	for i, want := range peertest.Colours(t, pictures) {
		picture, err := image.Shown(want.File)
		if err != nil {
			t.Fatalf("Shown(%s) = %v", names[i], err)
		}
		mean, largest := apartFrom(want.RGB, picture)
		storedMean, storedMax := apartFrom(want.RGB, decode(t, process(t, want.File).JPEG))
		t.Logf("%-34s %12.3f %7.2f %12.3f %7.2f", names[i], mean, largest, storedMean, storedMax)
		if mean > 0.5 || storedMean > 2 {
			t.Errorf("%s: ΔE is %.3f at the mean, %.3f as stored", names[i], mean, storedMean)
		}
		worst = max(worst, storedMean)
	}
	figures.Show(t, "images: %d pictures with profiles, ΔE (CIEDE2000) to sharp's colours at the mean at most %.2f", len(names), worst)
}

// The table of the test above means something: without its profile each picture differs.
func TestProfilesMatter(t *testing.T) {
	for name, profile := range profiles {
		plain := encodePNG(t, ramps(strings.HasPrefix(name, "gray")))
		mean, largest := apartFrom(rgb(shown(t, plain)), shown(t, withICCP(plain, profile)))
		t.Logf("%-24s mean %6.2f, max %6.2f", name, mean, largest)
		if isSRGB := strings.HasPrefix(name, "sRGB") || name == "gray, v4"; isSRGB != (mean == 0) {
			t.Errorf("%s changes colours by %.3f at the mean", name, mean)
		}
	}
}

// A profile is found however it is stored, and one that is not all there counts as none.
func TestProfilesAreFound(t *testing.T) {
	profile := profiles["ProPhoto, v2"]
	inJPEG, inPNG := encodeJPEG(t, ramps(false), 95), encodePNG(t, ramps(false))
	whole := parts(profile, len(profile))
	three := parts(profile, len(profile)/3+1)
	numbered := func(number, of byte) []byte {
		return append([]byte("ICC_PROFILE\x00"+string([]byte{number, of})), profile...)
	}
	packed := iccp(profile)
	grayProfile := profiles["gray, v2"]
	for name, c := range map[string]struct {
		file      []byte
		converted bool
	}{
		"JPEG, one part":             {withAPP2(inJPEG, whole...), true},
		"JPEG, three parts":          {withAPP2(inJPEG, three...), true},
		"JPEG, out of order":         {withAPP2(inJPEG, three[2], three[0], three[1]), true},
		"JPEG, among other segments": {withAPP2(inJPEG, []byte("MPF\x00 another"), three[1], []byte("ICC_PROFILE"), three[0], three[2]), true},
		"JPEG, a part is missing":    {withAPP2(inJPEG, three[0], three[2]), false},
		"JPEG, a part is double":     {withAPP2(inJPEG, three[0], three[1], three[1], three[2]), false},
		"JPEG, the profile is twice": {withAPP2(inJPEG, whole[0], whole[0]), false},
		"JPEG, part zero":            {withAPP2(inJPEG, numbered(0, 1)), false},
		"JPEG, part two of one":      {withAPP2(inJPEG, numbered(2, 1)), false},
		"JPEG, parts of none":        {withAPP2(inJPEG, numbered(1, 0)), false},
		"JPEG, parts disagree":       {withAPP2(inJPEG, parts(profile, len(profile)/2+1)[0], numbered(2, 3)), false},
		"JPEG, for gray":             {withAPP2(inJPEG, parts(grayProfile, 60_000)...), false},
		"PNG":                        {addChunk(inPNG, "iCCP", packed), true},
		"PNG, no name":               {addChunk(inPNG, "iCCP", packed[bytes.IndexByte(packed, 0):]), true},
		"PNG, behind the pixels":     {addChunkBefore(inPNG, "IEND", "iCCP", packed), false},
		"PNG, for gray":              {withICCP(inPNG, grayProfile), false},
		"PNG, empty":                 {addChunk(inPNG, "iCCP", nil), false},
		"PNG, a name alone":          {addChunk(inPNG, "iCCP", []byte("name\x00")), false},
		"PNG, not packed":            {addChunk(inPNG, "iCCP", append([]byte("name\x00\x00"), profile...)), false},
		"PNG, packed and cut off":    {addChunk(inPNG, "iCCP", packed[:len(packed)/2]), false},
		"PNG, other chunks":          {addChunk(addChunk(inPNG, "gAMA", []byte{0, 1, 0x86, 0xa0}), "cICP", []byte{9, 16, 0, 1}), false},
	} {
		plain := inPNG
		if strings.HasPrefix(name, "JPEG") {
			plain = inJPEG
		}
		if converted := !bytes.Equal(shown(t, c.file).Pix, shown(t, plain).Pix); converted != c.converted {
			t.Errorf("%s: converted %t, want %t", name, converted, c.converted)
		}
	}
	gray := encodePNG(t, ramps(true))
	if !bytes.Equal(shown(t, withICCP(gray, profile)).Pix, shown(t, gray).Pix) {
		t.Error("a gray picture is converted by a profile for colours")
	}
}

// A profile that unpacks to much more than a file may have takes no more memory than a file.
func TestUnpackingIsBounded(t *testing.T) {
	plain := encodePNG(t, pattern(stdimage.Pt(8, 8)))
	bomb := withICCP(plain, make([]byte, 64*image.MaxFileBytes))
	if len(bomb) > image.MaxFileBytes {
		t.Fatalf("the file has %d bytes", len(bomb))
	}
	take := func(file []byte) uint64 {
		before := allocated()
		shown(t, file)
		return allocated() - before
	}
	usual := take(plain)
	if extra := int64(take(bomb)) - int64(usual); extra > 8*image.MaxFileBytes {
		t.Errorf("%d bytes more were allocated", extra)
	}
}

// CMYK is rejected, whether inverted as Adobe writes it or not, as YCCK, with a profile or without,
// and the error names the remedy.
func TestCMYKIsRejected(t *testing.T) {
	refused := func(name string, file []byte) {
		_, err := image.Process(file)
		wantCode(t, err, "invalid_file_type")
		if !strings.Contains(err.Error(), "CMYK") || !strings.Contains(err.Error(), "RGB") {
			t.Errorf("Process(), %s: %v, want an error that names CMYK and RGB", name, err)
		}
	}
	files := corpus(t)
	for _, name := range []string{"cmyk.jpg", "cmyk-progressive.jpg", "ycck.jpg"} {
		refused(name, files[name])
		adobe := bytes.Index(files[name], []byte("Adobe"))
		refused(name+" without Adobe's marker", append(bytes.Clone(files[name][:adobe-4]), files[name][adobe+12:]...))
	}
	refused("by sharp", peertest.Colours(t, []peertest.Picture{{Format: "jpeg", Profile: "cmyk"}})[0].File)
}

// allocated returns the bytes allocated since the start.
func allocated() uint64 {
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	return memory.TotalAlloc
}

func FuzzProfile(f *testing.F) {
	files := corpus(f)
	f.Add(withICCP(files["rgb.png"], profiles["Display P3, v4"]))
	f.Add(withICCP(files["gray.png"], profiles["gray, v4"]))
	f.Add(withAPP2(files["rgb.jpg"], parts(profiles["Adobe RGB, v2"], 200)...))
	f.Fuzz(func(t *testing.T, file []byte) {
		if image.Converted(file) && len(file) < 128 {
			t.Fatal("a profile in fewer bytes than its header has")
		}
	})
}

func shown(t testing.TB, file []byte) *stdimage.RGBA {
	t.Helper()
	picture, err := image.Shown(file)
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

// rgb leaves alpha out.
func rgb(picture *stdimage.RGBA) (out []byte) {
	for i := 0; i < len(picture.Pix); i += 4 {
		out = append(out, picture.Pix[i:i+3]...)
	}
	return out
}

func iccp(profile []byte) []byte {
	var packed bytes.Buffer
	w := zlib.NewWriter(&packed)
	_, _ = w.Write(profile) // A buffer takes everything.
	_ = w.Close()
	return append([]byte("a profile\x00\x00"), packed.Bytes()...)
}

func withICCP(file, profile []byte) []byte { return addChunk(file, "iCCP", iccp(profile)) }

// parts are those of a profile that is too long for a segment, or for this size.
func parts(profile []byte, size int) (out [][]byte) {
	count := (len(profile) + size - 1) / size
	for i := range count {
		part := append([]byte("ICC_PROFILE\x00"), byte(i+1), byte(count))
		out = append(out, append(part, profile[i*size:min((i+1)*size, len(profile))]...))
	}
	return out
}

// withAPP2 puts segments behind a JPEG's start.
func withAPP2(file []byte, segments ...[]byte) []byte {
	out := bytes.Clone(file[:2])
	for _, data := range segments {
		out = binary.BigEndian.AppendUint16(append(out, 0xff, 0xe2), uint16(len(data)+2))
		out = append(out, data...)
	}
	return append(out, file[2:]...)
}

// deep is a picture with 16 bits a sample.
func deep(picture stdimage.Image) stdimage.Image {
	out := stdimage.NewNRGBA64(picture.Bounds())
	for y := range out.Rect.Dy() {
		for x := range out.Rect.Dx() {
			out.Set(x, y, picture.At(x, y))
		}
	}
	return out
}

// veiled is a picture that is less and less transparent from left to right.
func veiled(picture stdimage.Image) stdimage.Image {
	out := stdimage.NewNRGBA(picture.Bounds())
	for y := range out.Rect.Dy() {
		for x := range out.Rect.Dx() {
			c := color.NRGBAModel.Convert(picture.At(x, y)).(color.NRGBA)
			c.A = byte(x / 2)
			out.SetNRGBA(x, y, c)
		}
	}
	return out
}

// apartFrom returns the mean and the largest difference of colours, of some pixels in all parts
// of the pictures.
func apartFrom(want []byte, got stdimage.Image) (mean, largest float64) {
	const step = 11
	count := 0.0
	for i := 0; i < len(want)/3; i += step {
		c := color.RGBAModel.Convert(got.At(i%image.Side, i/image.Side)).(color.RGBA)
		e := ciede2000(lab([3]byte(want[3*i:])), lab([3]byte{c.R, c.G, c.B}))
		count, mean, largest = count+1, mean+e, max(largest, e)
	}
	return mean / count, largest
}

// lab is a colour of sRGB in CIE L*a*b*, with its own white.
func lab(rgb [3]byte) [3]float64 {
	var light [3]float64
	for i, v := range rgb {
		light[i] = srgbLight(float64(v) / 255)
	}
	f := func(x, y, z, white float64) float64 {
		t := (x*light[0] + y*light[1] + z*light[2]) / white
		if t > 216./24389 {
			return math.Cbrt(t)
		}
		return (24389./27*t + 16) / 116
	}
	x, y, z := f(0.4124564, 0.3575761, 0.1804375, 0.95047), f(0.2126729, 0.7151522, 0.0721750, 1), f(0.0193339, 0.1191920, 0.9503041, 1.08883)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

// ciede2000 is the difference of two colours (ISO/CIE 11664-6).
func ciede2000(one, two [3]float64) float64 {
	const degree = math.Pi / 180
	pow7 := func(c float64) float64 { return math.Sqrt(math.Pow(c, 7) / (math.Pow(c, 7) + math.Pow(25, 7))) }
	g := (1 - pow7((math.Hypot(one[1], one[2])+math.Hypot(two[1], two[2]))/2)) / 2
	polar := func(c [3]float64) (chroma, hue float64) {
		a := c[1] * (1 + g)
		return math.Hypot(a, c[2]), math.Mod(math.Atan2(c[2], a)+2*math.Pi, 2*math.Pi)
	}
	c1, h1 := polar(one)
	c2, h2 := polar(two)
	apart, hue := h2-h1, h1+h2
	switch {
	case c1*c2 == 0:
		apart = 0
	case math.Abs(apart) <= math.Pi:
		hue /= 2
	case hue < 2*math.Pi:
		apart, hue = apart-math.Copysign(2*math.Pi, apart), hue/2+math.Pi
	default:
		apart, hue = apart-math.Copysign(2*math.Pi, apart), hue/2-math.Pi
	}
	l, c := (one[0]+two[0])/2, (c1+c2)/2
	t := 1 - 0.17*math.Cos(hue-30*degree) + 0.24*math.Cos(2*hue) + 0.32*math.Cos(3*hue+6*degree) - 0.20*math.Cos(4*hue-63*degree)
	dl := (two[0] - one[0]) / (1 + 0.015*(l-50)*(l-50)/math.Sqrt(20+(l-50)*(l-50)))
	dc := (c2 - c1) / (1 + 0.045*c)
	dh := 2 * math.Sqrt(c1*c2) * math.Sin(apart/2) / (1 + 0.015*c*t)
	turn := (hue/degree - 275) / 25
	rotation := -2 * pow7(c) * math.Sin(60*degree*math.Exp(-turn*turn))
	return math.Sqrt(dl*dl + dc*dc + dh*dh + rotation*dc*dh)
}

// Pairs of the test data of Sharma, Wu and Dalal (2005), which the formula's traps are in.
func TestCIEDE2000(t *testing.T) {
	for _, c := range []struct {
		one, two [3]float64
		want     string
	}{
		{[3]float64{50, 2.6772, -79.7751}, [3]float64{50, 0, -82.7485}, "2.0425"},
		{[3]float64{50, -1, 2}, [3]float64{50, 0, 0}, "2.3669"},
		{[3]float64{50, 2.49, -0.001}, [3]float64{50, -2.49, 0.0009}, "7.1792"},
		{[3]float64{50, 2.49, -0.001}, [3]float64{50, -2.49, 0.0011}, "7.2195"},
		{[3]float64{60.2574, -34.0099, 36.2677}, [3]float64{60.4626, -34.1751, 39.4387}, "1.2644"},
		{[3]float64{22.7233, 20.0904, -46.6940}, [3]float64{23.0331, 14.9730, -42.5619}, "2.0373"},
		{[3]float64{2.0776, 0.0795, -1.1350}, [3]float64{0.9033, -0.0636, -0.5514}, "0.9082"},
	} {
		if got := fmt.Sprintf("%.4f", ciede2000(c.one, c.two)); got != c.want {
			t.Errorf("%v and %v: %s, want %s", c.one, c.two, got, c.want)
		}
	}
}
