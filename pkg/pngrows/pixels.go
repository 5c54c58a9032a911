package pngrows

import "encoding/binary"

const white = 0xff

// onWhite is what image/draw makes of a byte with this opacity on white.
func onWhite(v, opacity byte) byte {
	a := uint32(opacity) * 0x101
	return byte((0xffff - a + uint32(v)*a/0xff) >> 8) //nolint:gosec // G115: at most 2^16 before
}

// deepOnWhite is the same of 16 bits.
func deepOnWhite(v, opacity uint32) byte {
	return byte((0xffff - opacity + v*opacity/0xffff) >> 8) //nolint:gosec // G115: at most 2^16 before
}

func deep(raw []byte) uint32 { return uint32(raw[0])<<8 | uint32(raw[1]) }

// choose finds how raw pixels become what is shown.
func (r *Reader) choose() {
	r.Channels = 1
	switch {
	case r.kind == palette:
		r.choosePalette()
	case r.kind == gray && r.depth == 16:
		r.lay = r.layDeepGray
	case r.kind == gray && (r.depth < 8 || r.hasClear):
		most := 1<<r.depth - 1
		var shades [256]byte
		for i := range most + 1 {
			shades[i] = byte(i * 255 / most) //nolint:gosec // G115: at most 255
		}
		if r.hasClear {
			shades[r.clear[0]&0xff] = white
		}
		r.lay = layShades(&shades)
	case r.kind == grayAlpha:
		r.lay = layGrayAlpha
		if r.depth == 16 {
			r.lay = layDeepGrayAlpha
		}
	case r.kind == colour:
		r.Channels = 3
		switch {
		case r.depth == 16:
			r.lay = r.layDeepColour
		case r.hasClear:
			r.lay = r.layClearColour
		}
	case r.kind == alpha:
		r.Channels, r.lay = 3, layAlpha
		if r.depth == 16 {
			r.lay = layDeepAlpha
		}
	}
}

// choosePalette lays the colours on white, once for all.
func (r *Reader) choosePalette() {
	var shades [256]byte
	var colours [256]uint32
	isGray := true
	for i, c := range r.table {
		for k, v := range c {
			c[k] = onWhite(v, r.opacity[i])
		}
		shades[i], colours[i] = c[0], rgb(c[0], c[1], c[2])
		isGray = isGray && c[0] == c[1] && c[1] == c[2]
	}
	if isGray {
		r.lay = layShades(&shades)
		return
	}
	r.Channels, r.lay = 3, layPalette(&colours)
}

// What lays pixels of three channels writes four bytes at once, the last of which is the next
// pixel's, or behind the row.

func layShades(shades *[256]byte) func(out, raw []byte) {
	return func(out, raw []byte) {
		out = out[:len(raw)]
		for i, v := range raw {
			out[i] = shades[v]
		}
	}
}

func layPalette(colours *[256]uint32) func(out, raw []byte) {
	return func(out, raw []byte) {
		for i, v := range raw {
			binary.LittleEndian.PutUint32(out[3*i:], colours[v])
		}
	}
}

func (r *Reader) layDeepGray(out, raw []byte) {
	for i := range len(raw) / 2 {
		out[i] = raw[2*i]
		if r.hasClear && deep(raw[2*i:]) == uint32(r.clear[0]) {
			out[i] = white
		}
	}
}

func layGrayAlpha(out, raw []byte) {
	for i := range len(raw) / 2 {
		out[i] = onWhite(raw[2*i], raw[2*i+1])
	}
}

func layDeepGrayAlpha(out, raw []byte) {
	for i := range len(raw) / 4 {
		out[i] = deepOnWhite(deep(raw[4*i:]), deep(raw[4*i+2:]))
	}
}

func (r *Reader) layClearColour(out, raw []byte) {
	clear := [3]byte{byte(r.clear[0]), byte(r.clear[1]), byte(r.clear[2])} //nolint:gosec // G115: as readClear left them
	copy(out, raw)
	for i := 0; i+3 <= len(raw); i += 3 {
		if [3]byte(raw[i:]) == clear {
			out[i], out[i+1], out[i+2] = white, white, white
		}
	}
}

func (r *Reader) layDeepColour(out, raw []byte) {
	for i, at := 0, 0; at+6 <= len(raw); i, at = i+3, at+6 {
		p, to := raw[at:at+6:at+6], out[i:i+3:i+3]
		to[0], to[1], to[2] = p[0], p[2], p[4]
		if r.hasClear && deep(p) == uint32(r.clear[0]) && deep(p[2:]) == uint32(r.clear[1]) && deep(p[4:]) == uint32(r.clear[2]) {
			to[0], to[1], to[2] = white, white, white
		}
	}
}

func layAlpha(out, raw []byte) {
	for i, at := 0, 0; at+4 <= len(raw); i, at = i+3, at+4 {
		pixel := binary.LittleEndian.Uint32(raw[at : at+4 : at+4])
		switch opacity := pixel >> 24; opacity {
		case 0xff:
		case 0:
			pixel = 0xffffff
		default:
			p, o := raw[at:at+4:at+4], raw[at+3]
			pixel = rgb(onWhite(p[0], o), onWhite(p[1], o), onWhite(p[2], o))
		}
		binary.LittleEndian.PutUint32(out[i:i+4:i+4], pixel)
	}
}

func layDeepAlpha(out, raw []byte) {
	for i, at := 0, 0; at+8 <= len(raw); i, at = i+3, at+8 {
		p := raw[at : at+8 : at+8]
		opacity := deep(p[6:])
		pixel := rgb(deepOnWhite(deep(p), opacity), deepOnWhite(deep(p[2:]), opacity), deepOnWhite(deep(p[4:]), opacity))
		binary.LittleEndian.PutUint32(out[i:], pixel)
	}
}

// rgb is a pixel as it is written.
func rgb(red, green, blue byte) uint32 { return uint32(red) | uint32(green)<<8 | uint32(blue)<<16 }

// unpack gives samples of less than a byte as bytes, from a pixel on.
func unpack(out, row []byte, depth, from int) {
	for i := range out {
		at := (from + i) * depth
		out[i] = row[at/8] >> (8 - depth - at%8) & (1<<depth - 1)
	}
}
