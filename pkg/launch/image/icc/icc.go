// Package icc converts colours from a picture's embedded ICC profile to sRGB.
//
// Package icc reads the profiles that phones, cameras, scanners and editors embed (ICC.1:2022 and
// versions 2 of the format): RGB with three colorants and three curves ("matrix/TRC"), and gray
// with one curve. The conversion is relative colorimetric, the only conversion that these profiles
// define: white stays white, and colours outside sRGB are clipped per channel. Tables that map
// colours point by point (A2B0) are ignored. If a profile has both a table and a matrix, the matrix
// is used.
//
// A profile is untrusted input. Parsing takes time and memory proportional to the profile's length,
// and any defect is ErrUnsupported. All arithmetic uses integers, so every processor computes the
// same bytes.
package icc

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// ErrUnsupported is returned for a profile that is damaged or of an unsupported kind.
var ErrUnsupported = errors.New("unsupported ICC profile")

// Space is the colour space of the picture's samples. The profile must be for the same space.
type Space string

// The supported spaces, named as in ICC.1:2022, table 19.
const (
	RGB  Space = "RGB "
	Gray Space = "GRAY"
)

// Transform converts colours from a profile to sRGB.
type Transform struct {
	linear [3]*[256]uint16 // by channel and level: the light, in parts of 65,535
	matrix [3][3]int64     // from the profile's light to sRGB's, in parts of 2^matrixBits
}

const (
	headerBytes = 128
	tagBytes    = 12 // an entry of the table of tags: signature, offset, length
	// maxColorant bounds the colorants, in parts of 65,536. Real colorants are below one; larger
	// colorants could overflow the products.
	maxColorant = 2 << 16
)

// Parse reads a profile for a picture of this space.
func Parse(profile []byte, space Space) (*Transform, error) {
	if len(profile) < headerBytes+4 || string(profile[36:40]) != "acsp" {
		return nil, unsupported("no header")
	}
	if got := Space(profile[16:20]); got != space {
		return nil, unsupported("it is for %q, the picture is %q", got, space)
	}
	if pcs := string(profile[20:24]); pcs != "XYZ " {
		return nil, unsupported("it converts to %q", pcs)
	}
	var t Transform
	if space == Gray {
		curve, err := linearOf(profile, "kTRC")
		if err != nil {
			return nil, err
		}
		// Both spaces have the same white, so gray is an equal share of sRGB's colours.
		const one = 1 << matrixBits
		return &Transform{[3]*[256]uint16{curve, curve, curve}, [3][3]int64{{one, 0, 0}, {0, one, 0}, {0, 0, one}}}, nil
	}
	var colorants [3][3]int64 // by X, Y, Z and channel
	for channel, name := range []string{"r", "g", "b"} {
		var err error
		if t.linear[channel], err = linearOf(profile, name+"TRC"); err != nil {
			return nil, err
		}
		data, err := tag(profile, name+"XYZ", "XYZ ", 20)
		if err != nil {
			return nil, err
		}
		for axis := range colorants {
			value := s15Fixed16(data[8+4*axis:])
			if value < -maxColorant || value > maxColorant {
				return nil, unsupported("a colorant %sXYZ of %d / 65536", name, value)
			}
			colorants[axis][channel] = value
		}
	}
	t.matrix = toSRGB(colorants)
	return &t, nil
}

// linearOf reads a curve and returns a table.
func linearOf(profile []byte, name string) (*[256]uint16, error) {
	data, err := tag(profile, name, "", 12)
	if err != nil {
		return nil, err
	}
	at, err := curveOf(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var table [256]uint16
	for level := range table {
		table[level] = toUint16(at(int64(level) * one / 255))
	}
	return &table, nil
}

// tag returns an element of the profile. It checks the element's type, unless kind is empty, and
// the minimum number of bytes.
func tag(profile []byte, name, kind string, minimum uint64) ([]byte, error) {
	count := binary.BigEndian.Uint32(profile[headerBytes:])
	for rest := profile[headerBytes+4:]; count > 0 && len(rest) >= tagBytes; count, rest = count-1, rest[tagBytes:] {
		if string(rest[:4]) != name {
			continue
		}
		offset, length := uint64(binary.BigEndian.Uint32(rest[4:])), uint64(binary.BigEndian.Uint32(rest[8:]))
		if offset+length > uint64(len(profile)) || length < minimum {
			return nil, unsupported("%s has %d bytes at %d of %d", name, length, offset, len(profile))
		}
		data := profile[offset : offset+length]
		if kind != "" && string(data[:4]) != kind {
			return nil, unsupported("%s is %q", name, data[:4])
		}
		return data, nil
	}
	return nil, unsupported("no %s", name)
}

func s15Fixed16(data []byte) int64 { return int64(int32(binary.BigEndian.Uint32(data))) } // #nosec G115 -- two's complement

func unsupported(format string, arguments ...any) error {
	return fmt.Errorf("%w: %s", ErrUnsupported, fmt.Sprintf(format, arguments...))
}
