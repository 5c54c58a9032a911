package jpegplane

// The pixels of a block of frequencies, at 8, 4, 2 or 1 across. A smaller block is made of
// its low frequencies alone, which is the block without what it cannot show. All integers:
// the same on every machine.

// centre is what is added to all values.
const centre = 128

func pixel(v int32) byte {
	if uint32(v) > 255 { //nolint:gosec // G115: a negative one is large
		if v < 0 {
			return 0
		}
		return 255
	}
	return byte(v) //nolint:gosec // G115: from 0 to 255
}

func flat(out []byte, stride, side int, mean int32) {
	p := pixel((mean+4)>>3 + centre)
	for y := range side {
		row := out[y*stride:][:side]
		for x := range row {
			row[x] = p
		}
	}
}

func two(out []byte, stride int, f *[64]int32) {
	top, bottom := f[0]+f[8]+4, f[0]-f[8]+4
	topStep, bottomStep := f[1]+f[9], f[1]-f[9]
	upper, lower := out[:2], out[stride:][:2]
	upper[0], upper[1] = pixel((top+topStep)>>3+centre), pixel((top-topStep)>>3+centre)
	lower[0], lower[1] = pixel((bottom+bottomStep)>>3+centre), pixel((bottom-bottomStep)>>3+centre)
}

// Cosines times the square root of two, of 2^12.
const (
	scaleBits = 12
	one       = 1 << scaleBits
	fourNear  = 5352 // cos(pi/8)
	fourFar   = 2217 // cos(3 pi/8)
)

func four(out []byte, stride int, f *[64]int32) {
	var columns [16]int32
	for x := range 4 {
		even, odd := f[x]+f[16+x], f[x]-f[16+x]
		near := f[8+x]*fourNear + f[24+x]*fourFar
		far := f[8+x]*fourFar - f[24+x]*fourNear
		const keep = scaleBits - 4 // four more bits than the pixels have
		const half = 1 << (keep - 1)
		columns[x] = (even<<scaleBits + near + half) >> keep
		columns[4+x] = (odd<<scaleBits + far + half) >> keep
		columns[8+x] = (odd<<scaleBits - far + half) >> keep
		columns[12+x] = (even<<scaleBits - near + half) >> keep
	}
	for y := range 4 {
		c := columns[4*y:][:4]
		even, odd := (c[0]+c[2])<<scaleBits, (c[0]-c[2])<<scaleBits
		near := c[1]*fourNear + c[3]*fourFar
		far := c[1]*fourFar - c[3]*fourNear
		const down = scaleBits + 4 + 3
		const round = 1<<(down-1) + centre<<down
		row := out[y*stride:][:4]
		row[0] = pixel((even + near + round) >> down)
		row[1] = pixel((odd + far + round) >> down)
		row[2] = pixel((odd - far + round) >> down)
		row[3] = pixel((even - near + round) >> down)
	}
}

// Cosines of k pi/16 times the square root of two, of 2^12.
const (
	cos1 = 5681
	cos2 = 5352
	cos3 = 4816
	cos5 = 3218
	cos6 = 2217
	cos7 = 1130
)

// half gives the even half of eight values and the odd one, which is added to it and taken
// from it: values y and 7-y are even[y] + odd[y] and even[y] - odd[y].
func half(f0, f1, f2, f3, f4, f5, f6, f7 int32) (e0, e1, e2, e3, o0, o1, o2, o3 int32) {
	sum, difference := (f0+f4)<<scaleBits, (f0-f4)<<scaleBits
	wide, narrow := f2*cos2+f6*cos6, f2*cos6-f6*cos2
	return sum + wide, difference + narrow, difference - narrow, sum - wide,
		f1*cos1 + f3*cos3 + f5*cos5 + f7*cos7,
		f1*cos3 - f3*cos7 - f5*cos1 - f7*cos5,
		f1*cos5 - f3*cos1 + f5*cos7 + f7*cos3,
		f1*cos7 - f3*cos5 + f5*cos3 - f7*cos1
}

func eight(out []byte, stride int, f *[64]int32) {
	const keep = scaleBits - 3 // three more bits than the pixels have
	const round = 1 << (keep - 1)
	for x := range 8 {
		if f[8+x]|f[16+x]|f[24+x]|f[32+x]|f[40+x]|f[48+x]|f[56+x] == 0 {
			v := f[x] << 3
			f[x], f[8+x], f[16+x], f[24+x], f[32+x], f[40+x], f[48+x], f[56+x] = v, v, v, v, v, v, v, v
			continue
		}
		e0, e1, e2, e3, o0, o1, o2, o3 := half(f[x], f[8+x], f[16+x], f[24+x], f[32+x], f[40+x], f[48+x], f[56+x])
		f[x], f[56+x] = (e0+o0+round)>>keep, (e0-o0+round)>>keep
		f[8+x], f[48+x] = (e1+o1+round)>>keep, (e1-o1+round)>>keep
		f[16+x], f[40+x] = (e2+o2+round)>>keep, (e2-o2+round)>>keep
		f[24+x], f[32+x] = (e3+o3+round)>>keep, (e3-o3+round)>>keep
	}
	for y := range 8 {
		const down = scaleBits + 3 + 3
		const level = 1<<(down-1) + centre<<down
		r := f[8*y:][:8]
		e0, e1, e2, e3, o0, o1, o2, o3 := half(r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7])
		row := out[y*stride:][:8]
		row[0], row[7] = pixel((e0+o0+level)>>down), pixel((e0-o0+level)>>down)
		row[1], row[6] = pixel((e1+o1+level)>>down), pixel((e1-o1+level)>>down)
		row[2], row[5] = pixel((e2+o2+level)>>down), pixel((e2-o2+level)>>down)
		row[3], row[4] = pixel((e3+o3+level)>>down), pixel((e3-o3+level)>>down)
	}
}
