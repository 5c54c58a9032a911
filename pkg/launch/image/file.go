package image

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image/color"
	"image/jpeg"
	"math"
)

// sizeOfPNG reads the header itself, because the decoder's own reader reports sizes that do not fit
// into memory as damage.
func sizeOfPNG(file []byte) (width, height int32, err error) {
	for kind, data := range chunks(file) {
		if kind != "IHDR" || len(data) < 8 {
			break
		}
		width, height := binary.BigEndian.Uint32(data), binary.BigEndian.Uint32(data[4:])
		if width == 0 || height == 0 || width > math.MaxInt32 || height > math.MaxInt32 {
			return 0, 0, fmt.Errorf("%d x %d pixels", width, height)
		}
		return int32(width), int32(height), nil
	}
	return 0, 0, errors.New("no header")
}

// sizeOfJPEG relies on the format's limit: sizes are below 2^16.
func sizeOfJPEG(file []byte) (width, height int32, err error) {
	config, err := jpeg.DecodeConfig(bytes.NewReader(file))
	if err != nil {
		return 0, 0, err
	}
	if config.Width <= 0 || config.Height <= 0 || config.Width > math.MaxUint16 || config.Height > math.MaxUint16 {
		return 0, 0, fmt.Errorf("%d x %d pixels", config.Width, config.Height)
	}
	return int32(config.Width), int32(config.Height), nil
}

// checkPNG rejects animations: a PNG with an acTL chunk before its first IDAT (PNG, third edition,
// 11.3.6.1). The decoder would show only the first frame. checkPNG also rejects files that are too
// short for their pixels, because the decoder would allocate memory for all pixels.
func checkPNG(file []byte, pixels int64) error {
	const maxPacked = 1032 // maximum number of bytes that deflate packs into one byte: 258 in two bits each
	var bits, packed int64
	inData := false
	for kind, data := range chunks(file) {
		switch kind {
		case "IHDR":
			bits = bitsOfPixel(data)
		case "acTL":
			if !inData {
				return invalidFileType("The image is animated; a still one is needed.", nil)
			}
		case "IDAT":
			inData = true
			packed += int64(len(data))
		}
	}
	if pixels*bits/8/maxPacked > packed {
		return damaged(fmt.Errorf("%d bytes for %d pixels", packed, pixels))
	}
	return nil
}

// bitsOfPixel reads the depth and the colour type of a PNG's header. It returns zero for an unknown
// type, which the decoder rejects.
func bitsOfPixel(header []byte) int64 {
	if len(header) < 10 {
		return 0
	}
	samples := map[byte]int64{0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
	return samples[header[9]] * int64(header[8])
}

// checkJPEG rejects CMYK, inverted or not, and YCCK. The look of four inks depends on the press and
// the paper. Without a profile the conversion would be a guess. With a profile the conversion would
// need a second, larger parser, of tables with four dimensions, for pictures that are made for
// paper.
//
// checkJPEG also rejects small files that are expensive to decode. Within compressed data 0xff is
// followed by zero or a restart marker, so counting the marker's bytes counts every scan, and a few
// bytes in metadata.
func checkJPEG(file []byte, pixels int64) error {
	if config, err := jpeg.DecodeConfig(bytes.NewReader(file)); err == nil && config.ColorModel == color.CMYKModel {
		return invalidFileType("The JPEG is in CMYK, which is for printing; convert it to RGB (sRGB) and upload it again.", nil)
	}
	scans := bytes.Count(file, []byte{0xff, 0xda})
	if scans > maxScans || int64(scans)*pixels > maxScannedPixels {
		return damaged(fmt.Errorf("%d scans of %d pixels", scans, pixels))
	}
	return nil
}

func orientationOfPNG(file []byte) orientation {
	for kind, data := range chunks(file) {
		if kind == "eXIf" {
			return orientationOfEXIF(data)
		}
	}
	return upright
}

func orientationOfJPEG(file []byte) orientation {
	const app1, header = 0xe1, "Exif\x00\x00"
	for marker, data := range segments(file) {
		if marker == app1 && bytes.HasPrefix(data, []byte(header)) {
			return orientationOfEXIF(data[len(header):])
		}
	}
	return upright
}

// chunks iterates over the types and data of a PNG's chunks, until IEND or until the file is cut
// off. The decoder checks the checksums.
func chunks(file []byte) func(yield func(string, []byte) bool) {
	const signature, frame = 8, 12 // bytes; a frame is length, type and checksum
	return func(yield func(string, []byte) bool) {
		for at := signature; len(file)-at >= frame; {
			rest := file[at:]
			length := binary.BigEndian.Uint32(rest)
			if int64(length) > int64(len(rest)-frame) {
				return
			}
			kind, data := string(rest[4:8]), rest[8:8+length]
			if !yield(kind, data) || kind == "IEND" {
				return
			}
			at += frame + len(data)
		}
	}
}

// segments iterates over the markers and data of a JPEG's segments before its first scan. segments
// stops where the file is cut off or malformed.
func segments(file []byte) func(yield func(byte, []byte) bool) {
	const startOfScan, endOfImage = 0xda, 0xd9
	return func(yield func(byte, []byte) bool) {
		for rest := file[2:]; len(rest) >= 4 && rest[0] == 0xff; {
			marker := rest[1]
			if marker == 0xff { // a fill byte
				rest = rest[1:]
				continue
			}
			if marker == startOfScan || marker == endOfImage {
				return
			}
			length := int(binary.BigEndian.Uint16(rest[2:])) // counts itself
			if length < 2 || length > len(rest)-2 {
				return
			}
			if !yield(marker, rest[4:2+length]) {
				return
			}
			rest = rest[2+length:]
		}
	}
}

// orientationOfEXIF reads tag 0x0112 of the first directory of a TIFF structure (Exif 2.32, 4.6.4).
// Any other value than the eight orientations counts as upright, because cameras write many values
// here, and the picture itself is intact.
func orientationOfEXIF(tiff []byte) orientation {
	const (
		tag           = 0x0112
		short, long   = 3, 4
		header, entry = 8, 12 // bytes
	)
	if len(tiff) < header {
		return upright
	}
	var order binary.ByteOrder
	switch string(tiff[:4]) {
	case "II*\x00":
		order = binary.LittleEndian
	case "MM\x00*":
		order = binary.BigEndian
	default:
		return upright
	}
	at := uint64(order.Uint32(tiff[4:]))
	if at+2 > uint64(len(tiff)) {
		return upright
	}
	count := int(order.Uint16(tiff[at:]))
	for rest := tiff[at+2:]; count > 0 && len(rest) >= entry; count, rest = count-1, rest[entry:] {
		if order.Uint16(rest) != tag {
			continue
		}
		var value uint32
		switch order.Uint16(rest[2:]) {
		case short:
			value = uint32(order.Uint16(rest[8:]))
		case long:
			value = order.Uint32(rest[8:])
		}
		if value < uint32(upright) || value > uint32(turnedLeft) {
			return upright
		}
		return orientation(value)
	}
	return upright
}
