package inflate

import "encoding/binary"

// inflate unpacks a block until it ends or the buffer is full. A round begins with 56 bits
// or more: enough for three codes that are looked up at once, or for two and the length of
// a match, whose distance gets bits of its own.
func (r *Reader) inflate() error {
	in, at, bits, have := r.in, r.at, r.bits, r.have
	out, to := r.buffer, r.to
	lits, dists := &r.lits, &r.dists
	var err error
	for to < window+ahead {
		if at+16 > len(in) {
			err = ErrCut
			break
		}
		bits |= binary.LittleEndian.Uint64(in[at:]) << (have & 63)
		at += int(63-have&63) >> 3
		have |= 56
		e := lits[bits&(1<<literalBits-1)]
		if e&literal != 0 {
			bits >>= e.taken()
			have -= e.taken()
			out[to] = e.byte()
			to++
			e = lits[bits&(1<<literalBits-1)]
			if e&literal != 0 {
				bits >>= e.taken()
				have -= e.taken()
				out[to] = e.byte()
				to++
				e = lits[bits&(1<<literalBits-1)]
			}
		}
		if e&special != 0 {
			if e&onward != 0 {
				e = lits[e.second()+bits>>literalBits&r.litsSecond]
			}
			if e&special != 0 {
				if e&ending == 0 {
					err = ErrCorrupt
					break
				}
				bits >>= e.taken()
				have -= e.taken()
				r.endBlock()
				break
			}
		}
		taken := bits
		bits >>= e.taken()
		have -= e.taken()
		if e&literal != 0 {
			out[to] = e.byte()
			to++
			continue
		}
		length := e.with(taken)

		bits |= binary.LittleEndian.Uint64(in[at:]) << (have & 63)
		at += int(63-have&63) >> 3
		have |= 56
		e = dists[bits&(1<<distanceBits-1)]
		if e&special != 0 {
			if e&onward != 0 {
				e = dists[e.second()+bits>>distanceBits&r.distsSecond]
			}
			if e&special != 0 {
				err = ErrCorrupt
				break
			}
		}
		taken = bits
		bits >>= e.taken()
		have -= e.taken()
		distance := e.with(taken)
		if distance > to {
			err = ErrCorrupt
			break
		}
		end := to + length
		if distance < 8 {
			repeat(out, to, distance, end)
			to = end
			continue
		}
		for from := to - distance; to < end; to, from = to+8, from+8 {
			binary.LittleEndian.PutUint64(out[to:to+8:to+8], binary.LittleEndian.Uint64(out[from:from+8:from+8]))
		}
		to = end
	}
	r.at, r.bits, r.have, r.to = at, bits, have, to
	return err
}

// repeat copies what is so little back that it is a part of what it writes: words of as many
// periods as there is room for. It may write up to seven bytes more.
func repeat(out []byte, to, distance, end int) {
	for i := to; i < to+8; i++ {
		out[i] = out[i-distance]
	}
	word, step := binary.LittleEndian.Uint64(out[to:]), 8/distance*distance
	for to += step; to < end; to += step {
		binary.LittleEndian.PutUint64(out[to:], word)
	}
}
