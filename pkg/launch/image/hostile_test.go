package image_test

import (
	"bytes"
	"encoding/binary"
	stdimage "image"
	"math"
	"runtime"
	"strings"
	"testing"

	"tokenlaunch.example/service/pkg/launch/image"
)

func TestRefusals(t *testing.T) {
	files := corpus(t)
	intact := files["rgb.png"]
	late := addChunkBefore(intact, "IEND", "acTL", make([]byte, 8))
	for name, c := range map[string]struct {
		file []byte
		code string // "" means accepted
	}{
		"empty":                        {nil, "invalid_file_type"},
		"text":                         {[]byte("<svg xmlns='http://www.w3.org/2000/svg'/>"), "invalid_file_type"},
		"signature only":               {intact[:8], "invalid_file_type"},
		"JPEG signature only":          {[]byte{0xff, 0xd8, 0xff}, "invalid_file_type"},
		"just the limit":               {padded(intact, image.MaxFileBytes), ""},
		"one byte over":                {padded(intact, image.MaxFileBytes+1), "file_too_large"},
		"too long and no image":        {make([]byte, image.MaxFileBytes+1), "file_too_large"},
		"animated":                     {addChunk(intact, "acTL", make([]byte, 8)), "invalid_file_type"},
		"acTL where it has no meaning": {late, ""},
		"wrong checksum":               {flip(intact, len(intact)-20), "invalid_file_type"},
		"chunk past the end":           {addLength(intact, 33), "invalid_file_type"},
		"largest PNG header":           {pngHeader(math.MaxInt32, math.MaxInt32), "image_too_large"},
		"product over 2^32":            {pngHeader(1<<16, 1<<16), "image_too_large"},
		"an extra row":                 {pngHeader(6324, 6326), "image_too_large"},
		"one pixel over":               {pngHeader(image.MaxPixels+1, 1), "image_too_large"},
		"one pixel over, tall":         {pngHeader(1, image.MaxPixels+1), "image_too_large"},
		"the limit, and no data":       {pngHeader(image.MaxPixels, 1), "invalid_file_type"},
		"no width":                     {pngHeader(0, 7), "invalid_file_type"},
		"width over 2^31":              {pngHeader(math.MaxUint32, 1), "invalid_file_type"},
		"largest JPEG header":          {jpegSize(files["gray.jpg"], 65535, 65535), "image_too_large"},
		"no height in a JPEG":          {jpegSize(files["gray.jpg"], 96, 0), "invalid_file_type"},
		"a thin strip":                 {encodePNG(t, pattern(stdimage.Pt(1, 10000))), ""},
		"just the limit of pixels":     {encodePNG(t, stdimage.NewPaletted(stdimage.Rect(0, 0, image.MaxPixels, 1), blackAndWhite)), ""},
		"scans in plenty":              {scanBomb(8, 65), "invalid_file_type"},
		"many scans":                   {scanBomb(8, 64), ""},
		"scans as a weapon":            {scanBomb(6320, 9000), "invalid_file_type"},
		"scans of a large picture":     {scanBomb(6320, 25), "invalid_file_type"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := image.Process(c.file)
			if c.code != "" {
				wantCode(t, err, c.code)
			} else if err != nil {
				t.Fatal(err)
			}
		})
	}
}

func TestDamagedPNGs(t *testing.T) {
	const indexed = 3
	sound := rawPNG(10, indexed, 8, 12, nil, make([]byte, 10*11))
	process(t, sound)
	const header = 8 + 25
	end := len(sound) - 12
	insert := func(at int, what []byte) []byte { return bytes.Join([][]byte{sound[:at], what, sound[at:]}, nil) }
	filter := make([]byte, 10*11)
	filter[11] = 5
	for name, file := range map[string][]byte{
		"no header":               append(bytes.Clone(sound[:8]), sound[header:]...),
		"two headers":             insert(header, sound[8:header]),
		"header's checksum":       flip(sound, header-1),
		"packed pixels":           flip(sound, end-8),
		"a byte too few":          rawPNG(10, indexed, 8, 12, nil, make([]byte, 10*11-1)),
		"a byte too many":         rawPNG(10, indexed, 8, 12, nil, make([]byte, 10*11+1)),
		"a filter":                rawPNG(10, indexed, 8, 12, nil, filter),
		"no palette":              rawPNG(10, indexed, 8, 0, nil, make([]byte, 10*11)),
		"too large a palette":     rawPNG(10, indexed, 1, 9, nil, make([]byte, 10*3)),
		"a depth":                 rawPNG(10, indexed, 16, 12, nil, make([]byte, 10*21)),
		"a colour type":           rawPNG(10, 5, 8, 0, nil, make([]byte, 10*11)),
		"too much transparency":   rawPNG(10, indexed, 8, 12, make([]byte, 257), make([]byte, 10*11)),
		"transparent alpha":       rawPNG(10, 6, 8, 0, []byte{1}, make([]byte, 10*41)),
		"a palette of grays":      rawPNG(10, 0, 8, 12, nil, make([]byte, 10*11)),
		"a palette behind pixels": insert(end, chunk("PLTE", make([]byte, 12))),
		"a length at the end":     append(bytes.Clone(sound[:end]), chunk("IEND", []byte{0})...),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := image.Process(file)
			wantCode(t, err, "invalid_file_type")
		})
	}
}

// A file that is too short for its pixels is rejected before memory is set aside.
func TestProcessBoundsPixelMemory(t *testing.T) {
	const transparent, depth = 6, 16
	file := rawPNG(worstSide, transparent, depth, 0, nil, make([]byte, 100))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := image.Process(file)
	runtime.ReadMemStats(&after)
	wantCode(t, err, "invalid_file_type")
	if taken := after.TotalAlloc - before.TotalAlloc; taken > 1<<20 {
		t.Errorf("%d bytes were allocated", taken)
	}
}

// A truncated file is not accepted as an image.
func TestTruncatedFilesAreRejected(t *testing.T) {
	for name, file := range corpus(t) {
		if name == "generate.py" || strings.HasPrefix(name, "orientation") {
			continue // the latter are like baseline-444.jpg
		}
		for length := range len(file) {
			if _, err := image.Process(file[:length]); err == nil {
				t.Errorf("%s: the first %d of %d bytes pass", name, length, len(file))
			}
		}
	}
}

// An orientation that makes no sense leaves the picture as it is.
func TestOddOrientations(t *testing.T) {
	stored := encodePNG(t, pattern(stdimage.Pt(30, 20)))
	want := process(t, stored).JPEG
	turned := process(t, addChunk(stored, "eXIf", exifBig(6))).JPEG
	if bytes.Equal(turned, want) {
		t.Fatal("a valid orientation changes nothing")
	}
	good := exifBig(6)
	for name, c := range map[string]struct{ exif, want []byte }{
		"zero":                     {exifBig(0), want},
		"nine":                     {exifBig(9), want},
		"empty":                    {nil, want},
		"header only":              {good[:8], want},
		"cut off in the entry":     {good[:len(good)-6], want},
		"directory past the end":   {put32(good, 4, math.MaxUint32), want},
		"directory at the end":     {put32(good, 4, uint32(len(good))), want},
		"another magic number":     {flip(good, 3), want},
		"text instead of a number": {flip(good, 13), want},
		"more entries than bytes":  {flip(flip(good, 8), 9), turned},
		"a long instead":           {exifLong(6), turned},
		"an oversized long":        {exifLong(math.MaxUint32), want},
	} {
		if got := process(t, addChunk(stored, "eXIf", c.exif)).JPEG; !bytes.Equal(got, c.want) {
			t.Errorf("%s: another picture", name)
		}
	}
}

func FuzzProcess(f *testing.F) {
	files := corpus(f)
	// One seed for each path of the decoders, because every seed runs with the tests, too.
	for _, name := range []string{
		"restart-422.jpg", "progressive.jpg", "ycck.jpg", "gray.jpg", "orientation-6.jpg",
		"rgb16-interlaced.png", "palette4-interlaced.png", "transparent-palette.png", "transparent-colour.png", "gray16.png", "apng.png",
	} {
		f.Add(files[name])
	}
	f.Add(pngHeader(1<<16, 1<<16))
	f.Add(scanBomb(16, 3))
	f.Add(withICCP(files["transparent-alpha.png"], profiles["scanner, v2, functions"]))
	f.Add(withAPP2(files["baseline-420.jpg"], parts(profiles["Adobe RGB, v2"], 200)...))
	f.Add(withAPP2(files["gray.jpg"], parts(profiles["gray, v2"], 200)...))
	f.Fuzz(func(t *testing.T, file []byte) {
		// The decoders are slow on large pictures, and larger is not stranger.
		if len(file) > 1<<14 {
			return
		}
		got, err := image.Process(file)
		if err != nil {
			for _, code := range []string{"invalid_file_type", "image_too_large"} {
				if isCode(err, code) {
					return
				}
			}
			t.Fatalf("an internal error: %v", err)
		}
		if len(got.JPEG) > image.MaxStoredBytes {
			t.Fatalf("%d bytes", len(got.JPEG))
		}
		decode(t, got.JPEG)
	})
}

func FuzzOrientation(f *testing.F) {
	for _, file := range corpus(f) {
		f.Add(file)
	}
	tiny := encodePNG(f, pattern(stdimage.Pt(2, 1)))
	f.Add(addChunk(tiny, "eXIf", exifBig(6)))
	f.Add(addChunk(tiny, "eXIf", exifLittle(3)))
	f.Add(addChunk(tiny, "eXIf", exifLong(8)))
	f.Fuzz(func(t *testing.T, file []byte) {
		if got := image.Orientation(file); got < 1 || got > 8 {
			t.Fatalf("orientation %d", got)
		}
	})
}

func put32(data []byte, at int, value uint32) []byte {
	data = bytes.Clone(data)
	binary.BigEndian.PutUint32(data[at:], value)
	return data
}
