package image

import (
	"bytes"
	stdimage "image"
	"image/jpeg"
	"image/png"
	"slices"

	"tokenlaunch.example/service/pkg/jpegplane"
	"tokenlaunch.example/service/pkg/pngrows"
	"tokenlaunch.example/service/pkg/resample"
)

// colourSide is the width and the height of the stored picture's planes of colour.
const colourSide = Side / 2

// neutral is the colour of gray.
const neutral = 128

func neutralPlane() []byte { return slices.Repeat([]byte{neutral}, colourSide*colourSide) }

// blank is a stored picture whose planes are missing.
func blank() *stdimage.YCbCr {
	return &stdimage.YCbCr{
		YStride: Side, CStride: colourSide, Rect: stdimage.Rect(0, 0, Side, Side),
		SubsampleRatio: stdimage.YCbCrSubsampleRatio420,
	}
}

// shrinkJPEG makes the stored picture straight from the planes of the file. What jpegplane
// does not read is for image/jpeg, which knows more kinds, and says what is damaged.
func shrinkJPEG(file []byte, size stdimage.Point, o orientation) (*stdimage.YCbCr, error) {
	side := min(size.X, size.Y)
	corner := stdimage.Pt(lead(size.X-side, o.farFromLeft()), lead(size.Y-side, o.farFromTop()))
	parts, err := jpegplane.Decode(file, jpegplane.Need{
		Area: stdimage.Rectangle{Min: corner, Max: corner.Add(stdimage.Pt(side, side))}, Bright: Side, Colour: colourSide,
	})
	if err != nil {
		picture, err := jpeg.Decode(bytes.NewReader(file))
		if err != nil {
			return nil, err
		}
		return thumbnail(picture, o), nil
	}
	out := blank()
	out.Y = turnPlane(resample.Square(resample.Plane(parts[0]), Side), Side, o)
	if len(parts) == 1 {
		out.Cb, out.Cr = neutralPlane(), neutralPlane()
		return out, nil
	}
	out.Cb = turnPlane(resample.Square(resample.Plane(parts[1]), colourSide), colourSide, o)
	out.Cr = turnPlane(resample.Square(resample.Plane(parts[2]), colourSide), colourSide, o)
	return out, nil
}

// shrinkPNG makes the stored picture from the rows of the file. What pngrows does not read is
// for image/png to read, or to say what is damaged.
func shrinkPNG(file []byte, size stdimage.Point, o orientation) (*stdimage.YCbCr, error) {
	if r, err := pngrows.Open(file); err == nil {
		s := newSquare(size, o, r.Channels)
		if err := r.Rows(s.crop, s.add); err == nil {
			return s.shrunk(), nil
		}
	}
	picture, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	return thumbnail(picture, o), nil
}
