// Package pngrows reads PNGs row by row, laid on white, so that a picture of which a part is
// needed, or that is shown small, is never there in full. Its pixels are those of image/png
// drawn on white by image/draw.
//
// It reads every kind of PNG. Whatever is damaged, or in an order that image/png may or may
// not take, is an error, and for image/png to judge.
package pngrows

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
)

// ErrUnsupported says that a file may be sound, but is not read here.
var ErrUnsupported = errors.New("a kind of PNG that is not read here")

var errCut = errors.New("the file is cut off")

const signature = "\x89PNG\r\n\x1a\n"

// Reader reads one file.
type Reader struct {
	Width, Height int
	// Channels of a pixel: 1, its brightness, or 3: red, green and blue.
	Channels int

	header
	data [][]byte
	lay  func(out, raw []byte) // nil where raw pixels are what is shown
}

// Open checks all of a file but the packed pixels.
func Open(file []byte) (*Reader, error) {
	if len(file) < len(signature) || string(file[:len(signature)]) != signature {
		return nil, ErrUnsupported
	}
	r := &Reader{}
	before := ""
	for rest := file[len(signature):]; ; {
		const frame = 12 // bytes: length, type and checksum
		if len(rest) < frame {
			return nil, errCut
		}
		length := int64(binary.BigEndian.Uint32(rest))
		if length > int64(len(rest)-frame) {
			return nil, errCut
		}
		data, behind := rest[8:8+length], rest[8+length:]
		if binary.BigEndian.Uint32(behind) != crc32.ChecksumIEEE(rest[4:8+length]) {
			return nil, errors.New("a checksum that is wrong")
		}
		name := string(rest[4:8])
		if name == "IEND" {
			if length != 0 || len(r.data) == 0 {
				return nil, ErrUnsupported
			}
			r.choose()
			return r, nil
		}
		if err := r.chunk(name, before, data); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		before, rest = name, behind[4:]
	}
}

// chunk reads one, which has to be where it may be. What it does not know is passed over.
func (r *Reader) chunk(name, before string, data []byte) error {
	if (name == "IHDR") != (before == "") {
		return ErrUnsupported
	}
	switch name {
	case "IHDR":
		return r.readSize(data)
	case "PLTE", "tRNS":
		if len(r.data) > 0 || r.hasClear || name == "PLTE" && r.colours > 0 {
			return ErrUnsupported
		}
		if name == "PLTE" {
			return r.readPalette(data)
		}
		return r.readClear(data)
	case "IDAT":
		if len(r.data) > 0 && before != "IDAT" || r.kind == palette && r.colours == 0 {
			return ErrUnsupported
		}
		r.data = append(r.data, data)
	}
	return nil
}
