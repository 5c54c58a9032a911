package pngrows_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// kind is what a picture is stored as.
type kind struct {
	name       string
	colourType byte
	samples    int
	depth      int
	palette    int // colours
	clear      []byte
	interlaced bool
}

// kinds are all there are: colour types, depths, transparency, interlaced or not.
func kinds() (out []kind) {
	for _, interlaced := range []bool{false, true} {
		for colourType, k := range map[byte]kind{
			0: {name: "gray", samples: 1}, 2: {name: "colour", samples: 3}, 3: {name: "palette", samples: 1},
			4: {name: "gray and alpha", samples: 2}, 6: {name: "alpha", samples: 4},
		} {
			for _, depth := range []int{1, 2, 4, 8, 16} {
				if depth < 8 && colourType != 0 && colourType != 3 || depth == 16 && colourType == 3 {
					continue
				}
				k.colourType, k.depth, k.interlaced, k.clear = colourType, depth, interlaced, nil
				if colourType == 3 {
					k.palette = min(1<<depth, 200) // a picture may have more than its palette
				}
				out = append(out, k)
				switch colourType {
				case 0:
					k.clear = []byte{0, 1}
				case 2:
					k.clear = []byte{0, 1, 0, 1, 0, 1}
				case 3:
					k.clear = []byte{0, 200}
				}
				if k.clear != nil {
					out = append(out, k)
				}
			}
		}
	}
	return out
}

func (k kind) String() string {
	return fmt.Sprintf("%s of %d bits, clear %v, interlaced %t", k.name, k.depth, k.clear, k.interlaced)
}

func chunk(name string, data []byte) []byte {
	out := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	out = append(append(out, name...), data...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[4:]))
}

func (k kind) size(width, height int) []byte {
	out := binary.BigEndian.AppendUint32(nil, uint32(width))
	out = append(binary.BigEndian.AppendUint32(out, uint32(height)), byte(k.depth), k.colourType, 0, 0, 0)
	if k.interlaced {
		out[12] = 1
	}
	return out
}

// pixels are rows of random bytes below most, each behind one of all filters in turn.
func (k kind) pixels(random *rand.Rand, width, height, most int) (out []byte) {
	passes := [][4]int{{0, 0, 1, 1}}
	if k.interlaced {
		passes = [][4]int{{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}}
	}
	for _, p := range passes {
		across, down := (width-p[0]+p[2]-1)/p[2], (height-p[1]+p[3]-1)/p[3]
		for y := range down {
			if across == 0 {
				break
			}
			out = append(out, byte(y%5))
			for range (across*k.samples*k.depth + 7) / 8 {
				out = append(out, byte(random.IntN(most)))
			}
		}
	}
	return out
}

// file writes a picture, its pixels in two chunks.
func (k kind) file(t testing.TB, width, height int, pixels []byte) []byte {
	t.Helper()
	var packed bytes.Buffer
	w := zlib.NewWriter(&packed)
	if _, err := w.Write(pixels); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	out := append([]byte("\x89PNG\r\n\x1a\n"), chunk("IHDR", k.size(width, height))...)
	out = append(out, chunk("tEXt", []byte("of no matter"))...)
	if k.palette > 0 {
		colours := make([]byte, 3*k.palette)
		for i := range colours {
			colours[i] = byte(i*89 + i*i)
		}
		out = append(out, chunk("PLTE", colours)...)
	}
	if k.clear != nil {
		out = append(out, chunk("tRNS", k.clear)...)
	}
	data := packed.Bytes()
	out = append(out, chunk("IDAT", data[:len(data)/2])...)
	out = append(out, chunk("IDAT", data[len(data)/2:])...)
	return append(out, chunk("IEND", nil)...)
}

// stored are the files that pkg/launch/image is tested with, written by another library.
func stored(t testing.TB) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob("../image/testdata/*.png")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no pictures: %v", err)
	}
	out := map[string][]byte{}
	for _, path := range paths {
		if out[filepath.Base(path)], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	return out
}
