package image_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	stdimage "image"
	"image/color"
	"image/png"
	"testing"

	"tokenlaunch.example/service/pkg/platform/apperr"
)

var blackAndWhite = color.Palette{color.Black, color.White}

func isCode(err error, code string) bool {
	return apperr.KindOf(err) == apperr.Invalid && apperr.CodeOf(err) == code
}

// pattern is a picture without any symmetry that packs well.
func pattern(size stdimage.Point) *stdimage.Gray {
	picture := stdimage.NewGray(stdimage.Rectangle{Max: size})
	for y := range size.Y {
		for x := range size.X {
			picture.Pix[y*picture.Stride+x] = byte(x/3*13 + y/5*29 + x*y/977)
		}
	}
	return picture
}

// storeAs lays a picture out as a file with this EXIF orientation stores it.
// For each shown pixel: the row and column of Exif 2.32, table "Orientation".
func storeAs(shown *stdimage.Gray, orientation uint16) *stdimage.Gray {
	w, h := shown.Rect.Dx(), shown.Rect.Dy()
	size := stdimage.Rect(0, 0, w, h)
	if orientation >= 5 {
		size = stdimage.Rect(0, 0, h, w)
	}
	stored := stdimage.NewGray(size)
	for y := range h {
		for x := range w {
			var at stdimage.Point
			switch orientation {
			case 1:
				at = stdimage.Pt(x, y)
			case 2:
				at = stdimage.Pt(w-1-x, y)
			case 3:
				at = stdimage.Pt(w-1-x, h-1-y)
			case 4:
				at = stdimage.Pt(x, h-1-y)
			case 5:
				at = stdimage.Pt(y, x)
			case 6:
				at = stdimage.Pt(y, w-1-x)
			case 7:
				at = stdimage.Pt(h-1-y, w-1-x)
			case 8:
				at = stdimage.Pt(h-1-y, x)
			}
			stored.Pix[at.Y*stored.Stride+at.X] = shown.Pix[y*shown.Stride+x]
		}
	}
	return stored
}

func encodePNG(t testing.TB, picture stdimage.Image) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, picture); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func chunk(kind string, data []byte) []byte {
	out := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	out = append(append(out, kind...), data...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[4:]))
}

// addChunk puts a chunk behind a PNG's header.
func addChunk(file []byte, kind string, data []byte) []byte {
	const header = 8 + 25
	return append(append(bytes.Clone(file[:header]), chunk(kind, data)...), file[header:]...)
}

func addChunkBefore(file []byte, before, kind string, data []byte) []byte {
	at := bytes.LastIndex(file, []byte(before)) - 4
	return append(append(bytes.Clone(file[:at]), chunk(kind, data)...), file[at:]...)
}

// pngHeader is a PNG that ends after its header.
func pngHeader(width, height uint32) []byte {
	data := binary.BigEndian.AppendUint32(nil, width)
	data = binary.BigEndian.AppendUint32(data, height)
	return append([]byte("\x89PNG\r\n\x1a\n"), chunk("IHDR", append(data, 8, 2, 0, 0, 0))...)
}

// rawPNG is a square PNG with these bytes as its filtered rows. It has a palette
// and transparency where their lengths are not zero.
func rawPNG(side uint32, colourType, depth byte, palette int, clear, rows []byte) []byte {
	data := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, side), side)
	out := append([]byte("\x89PNG\r\n\x1a\n"), chunk("IHDR", append(data, depth, colourType, 0, 0, 0))...)
	if palette > 0 {
		out = append(out, chunk("PLTE", make([]byte, palette))...)
	}
	if len(clear) > 0 {
		out = append(out, chunk("tRNS", clear)...)
	}
	var packed bytes.Buffer
	w := zlib.NewWriter(&packed)
	_, _ = w.Write(rows) // A buffer takes everything.
	_ = w.Close()
	return append(append(out, chunk("IDAT", packed.Bytes())...), chunk("IEND", nil)...)
}

// jpegSize writes another size into a JPEG's frame header, baseline or progressive.
func jpegSize(file []byte, width, height uint16) []byte {
	file = bytes.Clone(file)
	frame := max(bytes.Index(file, []byte{0xff, 0xc0}), bytes.Index(file, []byte{0xff, 0xc2}))
	binary.BigEndian.PutUint16(file[frame+5:], height)
	binary.BigEndian.PutUint16(file[frame+7:], width)
	return file
}

func padded(file []byte, length int) []byte {
	return append(bytes.Clone(file), make([]byte, length-len(file))...)
}

func flip(file []byte, at int) []byte {
	file = bytes.Clone(file)
	file[at] ^= 0xff
	return file
}

// addLength makes the chunk at this offset claim more than the file has.
func addLength(file []byte, at int) []byte {
	file = bytes.Clone(file)
	file[at] |= 0x7f
	return file
}

func exifBig(orientation uint16) []byte {
	out := append([]byte("MM\x00*"), 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1)
	return append(binary.BigEndian.AppendUint16(out, orientation), 0, 0, 0, 0, 0, 0)
}

func exifLittle(orientation uint16) []byte {
	out := append([]byte("II*\x00"), 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0)
	return append(binary.LittleEndian.AppendUint16(out, orientation), 0, 0, 0, 0, 0, 0)
}

// exifLong has the orientation as 32 bits, as some programs write it.
func exifLong(orientation uint32) []byte {
	out := append([]byte("MM\x00*"), 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 4, 0, 0, 0, 1)
	return append(binary.BigEndian.AppendUint32(out, orientation), 0, 0, 0, 0)
}

// jpegMarkers lists the segments of a JPEG up to its first scan, that included.
func jpegMarkers(t *testing.T, file []byte) []byte {
	t.Helper()
	var markers []byte
	for at := 2; at+4 <= len(file); {
		marker := file[at+1]
		markers = append(markers, marker)
		if marker == 0xda {
			return markers
		}
		at += 2 + int(binary.BigEndian.Uint16(file[at+2:]))
	}
	t.Fatal("no scan")
	return nil
}

// scanBomb is a gray progressive JPEG of side x side pixels with the given number of scans. Each
// scan after the first states in a few bytes that none of its coefficients changes, and makes the
// decoder walk over the whole image.
func scanBomb(side uint16, scans int) []byte {
	out := []byte{0xff, 0xd8, 0xff, 0xdb, 0, 67, 0}
	out = append(out, bytes.Repeat([]byte{1}, 64)...)
	out = append(out, 0xff, 0xc2, 0, 11, 8)
	out = binary.BigEndian.AppendUint16(out, side)
	out = binary.BigEndian.AppendUint16(out, side)
	out = append(out, 1, 1, 0x11, 0)
	// Each Huffman table has one code of one bit: no difference, or a run of up to 32,767 blocks
	// (0xe0: 2^14 and 14 more bits).
	table := func(class, symbol byte) []byte {
		return append([]byte{0xff, 0xc4, 0, 20, class, 1}, append(make([]byte, 15), symbol)...)
	}
	out = append(append(out, table(0x00, 0)...), table(0x10, 0xe0)...)
	scan := func(first, last, high, low byte) []byte {
		return []byte{0xff, 0xda, 0, 8, 1, 1, 0, first, last, high<<4 | low}
	}
	blocks := (int(side) + 7) / 8 * ((int(side) + 7) / 8)
	out = append(append(out, scan(0, 0, 0, 0)...), make([]byte, (blocks+7)/8)...)
	var runs []byte // zero bits: runs of 2^14 blocks each, 15 bits
	runs = append(runs, make([]byte, (blocks/(1<<14)+1)*15/8+1)...)
	for s := 1; s < scans; s++ {
		if s == 1 {
			out = append(out, scan(1, 63, 0, 1)...)
		} else {
			out = append(out, scan(1, 63, 1, 0)...)
		}
		out = append(out, runs...)
	}
	return append(out, 0xff, 0xd9)
}
