// Package jpegplane decodes the part of a JPEG that is needed, as small as it is needed,
// into planes of brightness and colour. A block of 8x8 samples becomes 8, 4, 2 or 1 pixels
// wide straight from its frequencies, so that a large picture that is shown small is never
// there in full.
//
// It reads what cameras, phones and browsers write: baseline and progressive, gray or
// YCbCr, 8 bits. Whatever else there is, and whatever is damaged, is an error, and for
// image/jpeg to judge.
//
// It also writes planes as a baseline JPEG.
package jpegplane

import (
	"encoding/binary"
	"errors"
	"fmt"
	"image"
)

// ErrUnsupported says that a file may be sound, but is of a kind that is not read here.
var ErrUnsupported = errors.New("a kind of JPEG that is not read here")

var errCut = errors.New("the file is cut off")

// Need says what of a picture is needed.
type Need struct {
	// Area is the part, in pixels of the picture and within it. Not empty.
	Area image.Rectangle
	// Bright and Colour are how many pixels each plane needs at least across the shorter
	// side of the area. A plane has fewer only where the file has.
	Bright, Colour int
}

// Plane is one component of the part that is needed, and what else is in its blocks.
type Plane struct {
	Pix           []byte
	Stride        int
	Width, Height int // of the pixels that are there
	// Left, Top, Across and Down are where the area lies within the plane, in its pixels.
	Left, Top, Across, Down float64
}

// Decode gives one plane, of brightness, or three: brightness, blue and red.
func Decode(file []byte, need Need) ([]Plane, error) {
	d := decoder{file: file, need: need}
	if err := d.segments(); err != nil {
		return nil, err
	}
	for i := range d.components {
		if c := &d.components[i]; !c.seen {
			return nil, fmt.Errorf("component %d has no scan", i)
		}
	}
	if d.progressive {
		d.reconstruct()
	}
	planes := make([]Plane, len(d.components))
	for i := range d.components {
		planes[i] = d.components[i].plane
	}
	return planes, nil
}

// Markers of segments, in a file behind 0xff (ITU-T T.81, table B.1).
const (
	sof0 = 0xc0 // baseline
	sof1 = 0xc1 // extended sequential
	sof2 = 0xc2 // progressive
	dht  = 0xc4
	rst0 = 0xd0
	rst7 = 0xd7
	soi  = 0xd8
	eoi  = 0xd9
	sos  = 0xda
	dqt  = 0xdb
	dri  = 0xdd
	app0 = 0xe0
	adbe = 0xee // APP14, which Adobe uses
	appF = 0xef
	com  = 0xfe
)

type decoder struct {
	file          []byte
	at            int
	need          Need
	width, height int
	progressive   bool
	components    []component
	lumaH, lumaV  int
	quantisers    [4][64]int32 // in the order of the file
	haveQuantiser [4]bool
	direct        [4]table // of the mean values (DC)
	changing      [4]table // of the others (AC)
	interval      int      // of restarts, in units of a scan; 0 for none
	endOfBand     int      // blocks left whose band is zero, in a progressive scan
}

// segments reads the file up to the end of the picture.
func (d *decoder) segments() error {
	if len(d.file) < 4 || d.file[0] != 0xff || d.file[1] != soi {
		return ErrUnsupported
	}
	d.at = 2
	for {
		marker, err := d.marker()
		if err != nil {
			return err
		}
		if marker == eoi {
			return nil
		}
		data, err := d.segment()
		if err != nil {
			return err
		}
		switch {
		case marker == sof0 || marker == sof1 || marker == sof2:
			d.progressive = marker == sof2
			err = d.frame(data)
		case marker == dht:
			err = d.huffman(data)
		case marker == dqt:
			err = d.quantiser(data)
		case marker == dri && len(data) == 2:
			d.interval = int(binary.BigEndian.Uint16(data))
		case marker == sos:
			err = d.scan(data)
		case marker == adbe && len(data) >= 12 && string(data[:5]) == "Adobe" && data[11] != 1:
			err = ErrUnsupported // RGB, or four colours
		case marker >= app0 && marker <= appF || marker == com:
		default:
			err = ErrUnsupported
		}
		if err != nil {
			return err
		}
	}
}

// marker reads the next marker, in front of which there may be fill bytes.
func (d *decoder) marker() (byte, error) {
	if d.at >= len(d.file) {
		return 0, errCut
	}
	if d.file[d.at] != 0xff {
		return 0, errors.New("no marker where one has to be")
	}
	for d.at < len(d.file) && d.file[d.at] == 0xff {
		d.at++
	}
	if d.at >= len(d.file) {
		return 0, errCut
	}
	d.at++
	return d.file[d.at-1], nil
}

func (d *decoder) segment() ([]byte, error) {
	rest := d.file[d.at:]
	if len(rest) < 2 {
		return nil, errCut
	}
	length := int(binary.BigEndian.Uint16(rest)) // counts itself
	if length < 2 || length > len(rest) {
		return nil, errCut
	}
	d.at += length
	return rest[2:length], nil
}

func (d *decoder) quantiser(data []byte) error {
	for len(data) > 0 {
		precision, to := data[0]>>4, data[0]&15
		size := 64 << precision
		if precision > 1 || to > 3 || len(data) < 1+size {
			return errors.New("a table of quantisers that is none")
		}
		for i := range 64 {
			if precision == 0 {
				d.quantisers[to][i] = int32(data[1+i])
			} else {
				d.quantisers[to][i] = int32(binary.BigEndian.Uint16(data[1+2*i:]))
			}
		}
		d.haveQuantiser[to] = true
		data = data[1+size:]
	}
	return nil
}

func (d *decoder) huffman(data []byte) error {
	for len(data) > 0 {
		if len(data) < 17 {
			return errCut
		}
		class, to := data[0]>>4, data[0]&15
		if class > 1 || to > 3 {
			return errors.New("a Huffman table that is none")
		}
		tables := &d.direct
		if class == 1 {
			tables = &d.changing
		}
		used, err := tables[to].build(data[1:], class == 1)
		if err != nil {
			return err
		}
		data = data[1+used:]
	}
	return nil
}
