package jpegplane_test

import (
	"bytes"
	"errors"
	"image"
	"image/jpeg"
	"math"
	"os"
	"path/filepath"
	"testing"

	"tokenlaunch.example/service/pkg/jpegplane"
)

const all = 1 << 16 // more than any picture has across

// files are those that pkg/launch/image is tested with, written by another library, two of Go's,
// with more in them, and two progressive ones of a landscape, cut out of that of
// infra/bench/images, which sharp 0.35.5 wrote with quality 90.
func files(t testing.TB) map[string][]byte {
	t.Helper()
	simple, err := filepath.Glob("../image/testdata/*.jpg")
	if err != nil || len(simple) == 0 {
		t.Fatalf("no pictures: %v", err)
	}
	progressive, err := filepath.Glob("testdata/*.jpg")
	if err != nil || len(progressive) == 0 {
		t.Fatalf("no pictures: %v", err)
	}
	paths := append(simple, progressive...)
	out := map[string][]byte{"rough": encode(t, waves(203, 117, 90)), "smooth": encode(t, waves(400, 240, 9))}
	for _, path := range paths {
		if out[filepath.Base(path)], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// waves is a picture without symmetry, of so many waves across.
func waves(width, height int, many float64) *image.YCbCr {
	out := image.NewYCbCr(image.Rect(0, 0, width, height), image.YCbCrSubsampleRatio420)
	paint := func(pix []byte, stride int, phase float64) {
		for i := range pix {
			x, y := float64(i%stride)/float64(stride), float64(i/stride)/float64(stride)
			pix[i] = byte(128 + 60*math.Sin(many*x+3*y+phase) + 50*math.Sin(5*x*y*many+many*y))
		}
	}
	paint(out.Y, out.YStride, 0)
	paint(out.Cb, out.CStride, 1)
	paint(out.Cr, out.CStride, 2)
	return out
}

func encode(t testing.TB, picture image.Image) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := jpeg.Encode(&out, picture, &jpeg.Options{Quality: 95}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// standard gives the planes as image/jpeg decodes them: pixels, width and height.
func standard(t testing.TB, file []byte) []jpegplane.Plane {
	t.Helper()
	picture, err := jpeg.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	switch p := picture.(type) {
	case *image.Gray:
		return []jpegplane.Plane{{Pix: p.Pix, Stride: p.Stride, Width: p.Rect.Dx(), Height: p.Rect.Dy()}}
	case *image.YCbCr:
		last := p.COffset(p.Rect.Max.X-1, p.Rect.Max.Y-1)
		colour := jpegplane.Plane{Stride: p.CStride, Width: last%p.CStride + 1, Height: last/p.CStride + 1}
		blue, red := colour, colour
		blue.Pix, red.Pix = p.Cb, p.Cr
		return []jpegplane.Plane{{Pix: p.Y, Stride: p.YStride, Width: p.Rect.Dx(), Height: p.Rect.Dy()}, blue, red}
	}
	return nil
}

func sizeOf(t testing.TB, file []byte) image.Rectangle {
	t.Helper()
	config, err := jpeg.DecodeConfig(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	return image.Rect(0, 0, config.Width, config.Height)
}

func apart(a, b byte) int { return max(int(a)-int(b), int(b)-int(a)) }

// At full size the pixels are image/jpeg's, but for the rounding of one half.
func TestFullSize(t *testing.T) {
	compared := 0
	for name, file := range files(t) {
		got, err := jpegplane.Decode(file, jpegplane.Need{Area: sizeOf(t, file), Bright: all, Colour: all})
		want := standard(t, file)
		if want == nil { // RGB or four colours
			if !errors.Is(err, jpegplane.ErrUnsupported) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil || len(got) != len(want) {
			t.Errorf("%s: %d planes, %v", name, len(got), err)
			continue
		}
		compared++
		for i, w := range want {
			for y := range w.Height {
				for x := range w.Width {
					if a, b := w.Pix[y*w.Stride+x], got[i].Pix[y*got[i].Stride+x]; apart(a, b) > 1 {
						t.Fatalf("%s: plane %d has %d at %d, %d, not %d", name, i, b, x, y, a)
					}
				}
			}
		}
	}
	if compared < 10 {
		t.Errorf("only %d files", compared)
	}
}

// A smaller plane has what the mean of the pixels has that become one: at an eighth
// exactly that, above it with the edges a little sharper.
func TestSmallerSizes(t *testing.T) {
	file := encode(t, waves(400, 240, 9))
	large := standard(t, file)[0]
	for side, most := range map[int]struct {
		one  int
		mean float64
	}{4: {3, 0.4}, 2: {6, 1.2}, 1: {1, 0.5}} {
		got, err := jpegplane.Decode(file, jpegplane.Need{Area: image.Rect(0, 0, 400, 240), Bright: 240 * side / 8, Colour: 1})
		if err != nil {
			t.Fatal(err)
		}
		small := got[0]
		if small.Width != 400*side/8 || small.Height != 240*side/8 {
			t.Fatalf("%d x %d pixels of %d to a block", small.Width, small.Height, side)
		}
		total := 0
		for y := range small.Height {
			for x := range small.Width {
				each, sum := 8/side, 0
				for i := range each * each {
					sum += int(large.Pix[(y*each+i/each)*large.Stride+x*each+i%each])
				}
				off := apart(byte((sum+each*each/2)/(each*each)), small.Pix[y*small.Stride+x])
				total += off
				if off > most.one {
					t.Fatalf("%d to a block: %d off the mean at %d, %d", side, off, x, y)
				}
			}
		}
		if mean := float64(total) / float64(small.Width*small.Height); mean > most.mean {
			t.Errorf("%d to a block: %.2f off the mean", side, mean)
		}
	}
}

// An area is what the whole picture has there, at every size.
func TestAreas(t *testing.T) {
	written := files(t)
	for name, file := range map[string][]byte{
		"baseline":    encode(t, waves(203, 117, 40)),
		"progressive": written["progressive-420.jpg"], "without halved colour": written["progressive-444.jpg"],
	} {
		t.Run(name, func(t *testing.T) { areas(t, file) })
	}
}

func areas(t *testing.T, file []byte) {
	t.Helper()
	compared := 0
	for _, least := range []int{1, 14, 28, 56, all} {
		want, err := jpegplane.Decode(file, jpegplane.Need{Area: image.Rect(0, 0, 203, 117), Bright: least, Colour: least})
		if err != nil {
			t.Fatal(err)
		}
		for _, area := range []image.Rectangle{image.Rect(43, 0, 160, 117), image.Rect(17, 5, 18, 6), image.Rect(90, 3, 203, 117)} {
			// The same number to a block, though the area has fewer pixels.
			part := max(1, min(all, least*min(area.Dx(), area.Dy())/117))
			got, err := jpegplane.Decode(file, jpegplane.Need{Area: area, Bright: part, Colour: part})
			if err != nil {
				t.Fatal(err)
			}
			for i, p := range got {
				if p.Left < 0 || p.Top < 0 || p.Left+p.Across > float64(p.Width) || p.Top+p.Down > float64(p.Height) {
					t.Fatalf("%v: not within its plane: %+v", area, p)
				}
				scale := want[i].Across / 203
				if math.Abs(p.Across-float64(area.Dx())*scale) > 1e-9 {
					continue // another number to a block
				}
				left, top := int(float64(area.Min.X)*scale)-int(p.Left), int(float64(area.Min.Y)*scale)-int(p.Top)
				compared++
				for y := range p.Height {
					for x := range p.Width {
						if p.Pix[y*p.Stride+x] != want[i].Pix[(top+y)*want[i].Stride+left+x] {
							t.Fatalf("%v, plane %d: another pixel at %d, %d", area, i, x, y)
						}
					}
				}
			}
		}
	}
	if compared < 20 {
		t.Errorf("only %d planes were compared", compared)
	}
}

// A block with a value at its last frequency has no end but that: what is behind it is of
// the next block, also where nothing of the block is kept.
func TestBlocksUpToTheirLastFrequency(t *testing.T) {
	picture := noise(160)
	var file bytes.Buffer
	if err := jpeg.Encode(&file, picture, &jpeg.Options{Quality: 100}); err != nil {
		t.Fatal(err)
	}
	for _, least := range []int{1, 40, 80, all} {
		for _, area := range []image.Rectangle{picture.Rect, image.Rect(70, 70, 71, 71)} {
			if _, err := jpegplane.Decode(file.Bytes(), jpegplane.Need{Area: area, Bright: least, Colour: least}); err != nil {
				t.Errorf("%d pixels of %v: %v", least, area, err)
			}
		}
	}
}

// Whatever is cut off a file, the rest is not taken for a picture.
func TestTruncatedFiles(t *testing.T) {
	for name, file := range files(t) {
		for length := 0; length < len(file); length += 1 + len(file)/4000*50 {
			if _, err := jpegplane.Decode(file[:length], jpegplane.Need{Area: sizeOf(t, file), Bright: 1, Colour: 1}); err == nil {
				t.Fatalf("%s: the first %d of %d bytes pass", name, length, len(file))
			}
		}
	}
}

// A scan has just the data of its blocks: neither less nor more.
func TestScansOfAnotherLength(t *testing.T) {
	const end = "\xff\xd9"
	for name, file := range files(t) {
		if standard(t, file) == nil {
			continue // not read here at all
		}
		whole := bytes.TrimSuffix(file, []byte(end))
		for change, data := range map[string][]byte{
			"shorter": whole[:len(whole)-3], "longer": append(bytes.Clone(whole), 0x55, 0x55, 0x55),
		} {
			data = append(bytes.Clone(data), end...)
			if _, err := jpegplane.Decode(data, jpegplane.Need{Area: sizeOf(t, file), Bright: 1, Colour: 1}); err == nil {
				t.Errorf("%s: a %s scan passes", name, change)
			}
		}
	}
}

// What is read here, image/jpeg reads too, and shows the same.
func FuzzDecode(f *testing.F) {
	for _, file := range files(f) {
		f.Add(file)
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		config, err := jpeg.DecodeConfig(bytes.NewReader(file))
		if err != nil || len(file) > 1<<14 || config.Width*config.Height > 1<<18 || config.Width*config.Height == 0 {
			return // large is not stranger
		}
		area := image.Rect(config.Width/3, config.Height/4, config.Width, config.Height)
		for _, least := range []int{1, 20, all} {
			if _, err = jpegplane.Decode(file, jpegplane.Need{Area: area, Bright: least, Colour: least}); err != nil {
				return
			}
		}
		if _, err := jpeg.Decode(bytes.NewReader(file)); err != nil {
			t.Fatalf("image/jpeg says %v", err)
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	file := encode(b, waves(2000, 1600, 4000))
	for name, decode := range map[string]func() error{
		"image-jpeg": func() error { _, err := jpeg.Decode(bytes.NewReader(file)); return err },
		"whole": func() error {
			_, err := jpegplane.Decode(file, jpegplane.Need{Area: image.Rect(0, 0, 2000, 1600), Bright: all, Colour: all})
			return err
		},
		"square of 512": func() error {
			_, err := jpegplane.Decode(file, jpegplane.Need{Area: image.Rect(200, 0, 1800, 1600), Bright: 512, Colour: 256})
			return err
		},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(file)))
			for b.Loop() {
				if err := decode(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
