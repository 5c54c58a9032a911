package inflate

// order is that of the lengths of the codes for lengths (RFC 1951, 3.2.7).
var order = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// lengthBits is how long the codes for lengths are at most.
const lengthBits = 7

var lengthSymbols = func() (out [len(order)]entry) {
	for i := range out {
		out[i] = entry(i) << valueAt
	}
	return out
}()

// fixed makes the tables of a block that brings none.
func (r *Reader) fixed() error {
	var lengths [288]uint8
	for i := range lengths {
		switch {
		case i < 144:
			lengths[i] = 8
		case i < 256:
			lengths[i] = 9
		case i < 280:
			lengths[i] = 7
		default:
			lengths[i] = 8
		}
	}
	var distances [32]uint8
	for i := range distances {
		distances[i] = 5
	}
	return r.tables(lengths[:], distances[:])
}

// dynamic reads the tables of a block.
func (r *Reader) dynamic() error {
	head, err := r.take(14)
	if err != nil {
		return err
	}
	literals, distances, codes := int(head&31)+257, int(head>>5&31)+1, int(head>>10)+4
	if literals > mostLiterals || distances > mostDistances {
		return ErrCorrupt
	}
	var lengths [len(order)]uint8
	for _, i := range order[:codes] {
		length, err := r.take(3)
		if err != nil {
			return err
		}
		lengths[i] = uint8(length) //nolint:gosec // G115: three bits
	}
	var table [1 << lengthBits]entry
	if _, ok := build(table[:], lengthBits, lengths[:], lengthSymbols[:]); !ok {
		return ErrCorrupt
	}
	all := r.lengths[:literals+distances]
	if err := r.readLengths(all, &table); err != nil {
		return err
	}
	if all[endOfBlock] == 0 {
		return ErrCorrupt // it would never end
	}
	return r.tables(all[:literals], all[literals:])
}

// readLengths reads the lengths of codes, which may say how often one comes.
func (r *Reader) readLengths(lengths []uint8, table *[1 << lengthBits]entry) error {
	for i := 0; i < len(lengths); {
		if err := r.fill(lengthBits); err != nil {
			return err
		}
		e := table[r.bits&(1<<lengthBits-1)]
		if e&special != 0 {
			return ErrCorrupt
		}
		r.drop(e.taken())
		length, least, extra := e.byte(), 1, uint64(0)
		switch length {
		case 16:
			if i == 0 {
				return ErrCorrupt
			}
			length, least, extra = lengths[i-1], 3, 2
		case 17:
			length, least, extra = 0, 3, 3
		case 18:
			length, least, extra = 0, 11, 7
		}
		more, err := r.take(extra)
		if err != nil {
			return err
		}
		times := least + int(more) //nolint:gosec // G115: seven bits
		if times > len(lengths)-i {
			return ErrCorrupt
		}
		for range times {
			lengths[i] = length
			i++
		}
	}
	return nil
}

// tables makes those of a block that begins.
func (r *Reader) tables(literals, distances []uint8) error {
	lits, ok := build(r.lits[:], literalBits, literals, literalSymbols[:])
	if !ok {
		return ErrCorrupt
	}
	dists, ok := build(r.dists[:], distanceBits, distances, distanceSymbols[:])
	if !ok {
		return ErrCorrupt
	}
	r.next, r.litsSecond, r.distsSecond = packed, lits, dists
	return nil
}
