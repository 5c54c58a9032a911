package image

import (
	"bytes"
	"compress/zlib"
	stdimage "image"
	"image/color"
	"image/jpeg"
	"io"

	"tokenlaunch.example/service/pkg/launch/image/icc"
)

// coloursOf returns the conversion to sRGB that a file's profile defines. It returns nil, and the
// picture counts as sRGB, if the profile is missing, damaged, unsupported, or for pictures of
// another kind. Such a picture is accepted: many programs ignore profiles, so the sender probably
// knows the unconverted colours.
func coloursOf(profile []byte, space icc.Space) *icc.Transform {
	transform, err := icc.Parse(profile, space)
	if err != nil {
		return nil
	}
	return transform
}

// profileOfPNG unpacks the iCCP chunk (PNG, third edition, 11.3.2.3), at most to the maximum length
// of an upload. Other colour chunks are ignored, like in sharp. cICP is for pictures brighter than
// a JPEG can show, and encoders also write a profile. sRGB is the assumption anyway. gAMA and cHRM
// are wrong in many old files.
func profileOfPNG(file []byte) ([]byte, icc.Space) {
	const method = 2 // bytes behind the name: the terminator, and the only compression method
	space := icc.RGB
	for kind, data := range chunks(file) {
		switch kind {
		case "IHDR":
			// In the colour type the bit with value two means colour.
			if len(data) > 9 && data[9]&2 == 0 {
				space = icc.Gray
			}
		case "iCCP":
			end := bytes.IndexByte(data, 0)
			if end < 0 || len(data) < end+method {
				return nil, space
			}
			unpack, err := zlib.NewReader(bytes.NewReader(data[end+method:]))
			if err != nil {
				return nil, space
			}
			profile, err := io.ReadAll(io.LimitReader(unpack, MaxFileBytes))
			if err != nil {
				return nil, space
			}
			return profile, space
		case "IDAT":
			return nil, space
		}
	}
	return nil, space
}

// profileOfJPEG joins the parts of the profile (ICC.1:2022, B.4), in any order. It returns no
// profile if a part is missing or repeated, or if the parts contain different counts.
func profileOfJPEG(file []byte) ([]byte, icc.Space) {
	const app2, header = 0xe2, "ICC_PROFILE\x00"
	space := icc.RGB
	if config, err := jpeg.DecodeConfig(bytes.NewReader(file)); err == nil && config.ColorModel == color.GrayModel {
		space = icc.Gray
	}
	var parts [256][]byte // by their numbers, which start at 1
	var count byte
	found := 0
	for marker, data := range segments(file) {
		if marker != app2 || !bytes.HasPrefix(data, []byte(header)) || len(data) < len(header)+2 {
			continue
		}
		number, of := data[len(header)], data[len(header)+1]
		if found == 0 {
			count = of
		}
		if number == 0 || number > of || of != count || parts[number] != nil {
			return nil, space
		}
		parts[number] = data[len(header)+2:]
		found++
	}
	if found != int(count) {
		return nil, space
	}
	return bytes.Join(parts[:], nil), space
}

// finish converts a scaled picture to sRGB if necessary, and then blends the picture with white.
func finish(picture *stdimage.RGBA, colours *icc.Transform) {
	for pix := picture.Pix; len(pix) >= 4; pix = pix[4:] {
		alpha := int(pix[3])
		if alpha == 0 {
			copy(pix, "\xff\xff\xff\xff")
			continue
		}
		if colours != nil {
			// The samples are multiplied by alpha, and therefore at most alpha.
			plain := func(sample uint8) uint8 { return uint8((int(sample)*0xff + alpha/2) / alpha) } // #nosec G115
			r, g, b := colours.Convert(plain(pix[0]), plain(pix[1]), plain(pix[2]))
			for i, sample := range [...]uint8{r, g, b} {
				pix[i] = uint8((int(sample)*alpha + 0x7f) / 0xff) // #nosec G115 -- at most alpha
			}
		}
		for i := range pix[:3] {
			pix[i] += 0xff - pix[3]
		}
		pix[3] = 0xff
	}
}
