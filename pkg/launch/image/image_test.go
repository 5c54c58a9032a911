package image_test

import (
	"bytes"
	stdimage "image"
	"image/color"
	"image/jpeg"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"tokenlaunch.example/service/pkg/launch/image"
	"tokenlaunch.example/service/pkg/platform/apperr"
)

var (
	red    = color.RGBA{255, 0, 0, 255}
	green  = color.RGBA{0, 128, 0, 255}
	blue   = color.RGBA{0, 0, 255, 255}
	yellow = color.RGBA{255, 255, 0, 255}
	white  = color.RGBA{255, 255, 255, 255}
	black  = color.RGBA{0, 0, 0, 255}
)

// quarters are the colours of the four quarters of a stored picture.
type quarters struct{ topLeft, topRight, bottomLeft, bottomRight color.RGBA }

var (
	coloured = quarters{red, green, blue, yellow}
	cutOut   = quarters{red, green, blue, white} // yellow was transparent
	grays    = quarters{gray(76), gray(75), gray(29), gray(226)}
	bilevel  = quarters{black, black, black, white}
)

func gray(v uint8) color.RGBA { return color.RGBA{v, v, v, 255} }

func TestEveryKindOfFileShowsTheSame(t *testing.T) {
	want := map[string]quarters{
		"baseline-420.jpg": coloured, "baseline-444.jpg": coloured, "restart-422.jpg": coloured,
		"progressive.jpg": coloured, "rgb.jpg": coloured,
		"gray.jpg": grays, "gray-progressive.jpg": grays,
		"orientation-1.jpg": coloured, "orientation-2.jpg": coloured, "orientation-3.jpg": coloured,
		"orientation-4.jpg": coloured, "orientation-5.jpg": coloured, "orientation-6.jpg": coloured,
		"orientation-7.jpg": coloured, "orientation-8.jpg": coloured, "orientation-6.png": coloured,
		"rgb.png": coloured, "rgb-interlaced.png": coloured,
		"rgb16.png": coloured, "rgb16-interlaced.png": coloured,
		"gray.png": grays, "gray16.png": grays, "bilevel.png": bilevel,
		"palette4.png": coloured, "palette4-interlaced.png": coloured,
		"transparent-colour.png": cutOut, "transparent-palette.png": cutOut,
		"transparent-alpha.png": cutOut, "transparent-alpha16.png": cutOut,
	}
	refused := map[string]bool{
		"apng.png": true, "cmyk.jpg": true, "cmyk-progressive.jpg": true, "ycck.jpg": true, "generate.py": true, "other.bmp": true, "other.gif": true, "other.tiff": true, "other.webp": true,
	}
	for name, file := range corpus(t) {
		t.Run(name, func(t *testing.T) {
			quarters, ok := want[name]
			got, err := image.Process(file)
			if !ok {
				if !refused[name] {
					t.Fatalf("the table lacks the result of %s", name)
				}
				wantCode(t, err, "invalid_file_type")
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			shows(t, got, quarters)
		})
		delete(want, name)
	}
	for name := range want {
		t.Errorf("%s is missing", name)
	}
}

func TestSameBytesSameResult(t *testing.T) {
	file := corpus(t)["progressive.jpg"]
	first := process(t, file)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			again, err := image.Process(bytes.Clone(file))
			if err != nil || !bytes.Equal(first.JPEG, again.JPEG) {
				t.Errorf("the second result differs from the first (%v)", err)
			}
		})
	}
	wg.Wait()
}

func TestMetadataIsDropped(t *testing.T) {
	for name, file := range map[string][]byte{
		"exif":     corpus(t)["orientation-1.jpg"],
		"exif png": corpus(t)["orientation-6.png"],
		"polyglot": append(bytes.Clone(corpus(t)["rgb.png"]), "PK\x03\x04 and more"...),
	} {
		got := process(t, file).JPEG
		for _, marker := range jpegMarkers(t, got) {
			// Quantisation, frame, Huffman tables, scan: no APPn, no comment.
			if !bytes.Contains([]byte{0xdb, 0xc0, 0xc4, 0xda}, []byte{marker}) {
				t.Errorf("%s: the result has a segment ff%x", name, marker)
			}
		}
		if bytes.Contains(got, []byte("PK\x03\x04")) {
			t.Errorf("%s: data after the image is in the result", name)
		}
	}
}

// All eight orientations of an image result in the bytes of the upright one, even if a remainder of
// the crop is odd or pixels are averaged before scaling.
func TestOrientationIsExact(t *testing.T) {
	for _, size := range []stdimage.Point{{37, 20}, {20, 37}, {2101, 2060}} {
		shown := pattern(size)
		want := process(t, encodePNG(t, shown)).JPEG
		for o, exif := range map[uint16][]byte{
			1: exifBig(1), 2: exifBig(2), 3: exifLittle(3), 4: exifLittle(4),
			5: exifBig(5), 6: exifLittle(6), 7: exifBig(7), 8: exifLittle(8),
		} {
			if size.X > 2000 && o != 7 {
				continue // all edges change places in this one, and large pictures are slow
			}
			got := process(t, addChunk(encodePNG(t, storeAs(shown, o)), "eXIf", exif)).JPEG
			if !bytes.Equal(got, want) {
				t.Errorf("%v, orientation %d: another picture", size, o)
			}
		}
	}
}

// The scaled picture lies where the large one was: neither shifted nor bent.
func TestScalingKeepsPlaces(t *testing.T) {
	for _, side := range []int{8, 511, 512, 513, 1200, 2049} {
		ramp := stdimage.NewGray(stdimage.Rect(0, 0, side, side))
		for y := range side {
			for x := range side {
				ramp.Pix[y*ramp.Stride+x] = byte((2*x + 1) * 255 / (2 * side))
			}
		}
		got := decode(t, process(t, encodePNG(t, ramp)).JPEG)
		for _, at := range []int{64, 256, 447} {
			want := float64(2*at+1) / 1024 * 255
			have := float64(color.GrayModel.Convert(got.At(at, 300)).(color.Gray).Y)
			// A ramp of few steps is round in between.
			if tolerance := 3 + 128/float64(side); have < want-tolerance || have > want+tolerance {
				t.Errorf("side %d: %v at column %d, want %v", side, have, at, want)
			}
		}
	}
}

// Noise of the eight purest colours compresses worst as JPEG: at the first
// quality it takes over 270,000 bytes.
func TestResultFitsOneBlock(t *testing.T) {
	var pure color.Palette
	for i := range uint8(8) {
		pure = append(pure, color.RGBA{i & 1 * 255, i >> 1 & 1 * 255, i >> 2 * 255, 255})
	}
	noise := stdimage.NewPaletted(stdimage.Rect(0, 0, image.Side, image.Side), pure)
	random := uint32(1)
	for i := range noise.Pix {
		random = random*1664525 + 1013904223
		noise.Pix[i] = byte(random >> 29)
	}
	got := process(t, encodePNG(t, noise))
	t.Logf("noise takes %d bytes", len(got.JPEG))
	if len(got.JPEG) > image.MaxStoredBytes || len(got.JPEG) < image.MaxStoredBytes/2 {
		t.Errorf("%d bytes", len(got.JPEG))
	}
	decode(t, got.JPEG)
}

func process(t testing.TB, file []byte) image.Processed {
	t.Helper()
	got, err := image.Process(file)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func wantCode(t testing.TB, err error, code string) {
	t.Helper()
	if apperr.KindOf(err) != apperr.Invalid || apperr.CodeOf(err) != code {
		t.Fatalf("got %v, want %s", err, code)
	}
}

func shows(t *testing.T, got image.Processed, want quarters) {
	t.Helper()
	if got.Width != 512 || got.Height != 512 || len(got.JPEG) > image.MaxStoredBytes {
		t.Fatalf("%d x %d, %d bytes", got.Width, got.Height, len(got.JPEG))
	}
	picture := decode(t, got.JPEG)
	for at, colour := range map[stdimage.Point]color.RGBA{
		{20, 20}: want.topLeft, {490, 20}: want.topRight, {20, 490}: want.bottomLeft, {490, 490}: want.bottomRight,
		{200, 200}: want.topLeft, {311, 200}: want.topRight, {200, 311}: want.bottomLeft, {311, 311}: want.bottomRight,
	} {
		have := color.RGBAModel.Convert(picture.At(at.X, at.Y)).(color.RGBA)
		if apart(have.R, colour.R) > 6 || apart(have.G, colour.G) > 6 || apart(have.B, colour.B) > 6 {
			t.Errorf("at %v: %v, want %v", at, have, colour)
		}
	}
}

func apart(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }

func decode(t testing.TB, file []byte) stdimage.Image {
	t.Helper()
	picture, err := jpeg.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	if picture.Bounds() != stdimage.Rect(0, 0, 512, 512) {
		t.Fatalf("the result is %v", picture.Bounds())
	}
	return picture
}

// corpus reads the pictures of testdata.
func corpus(t testing.TB) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.*")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no pictures: %v", err)
	}
	files := make(map[string][]byte, len(paths))
	for _, path := range paths {
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(path)] = file
	}
	return files
}
