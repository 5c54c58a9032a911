package solanarpc

import (
	"encoding/binary"
	"encoding/json"
	"math/bits"
	"strconv"
)

// state says how far a text was understood.
type state int

const (
	whole   state = iota
	short         // more of it is needed to tell
	unusual       // for the library
)

// cursor reads a text in JSON from the left. Once its state is not whole, it stays.
type cursor struct {
	text []byte
	at   int
	state
}

// hold makes the text unusual unless the condition holds.
func (t *cursor) hold(ok bool) {
	if !ok && t.state == whole {
		t.state = unusual
	}
}

// peek skips spaces and gives the byte that follows, without taking it; 0 when it is
// not there yet.
func (t *cursor) peek() byte {
	if t.state == whole && t.at < len(t.text) && t.text[t.at] > ' ' {
		return t.text[t.at]
	}
	return t.peekBeyond()
}

func (t *cursor) peekBeyond() byte {
	for t.state == whole {
		if t.at == len(t.text) {
			t.state = short
			break
		}
		switch c := t.text[t.at]; c {
		case ' ', '\t', '\r', '\n':
			t.at++
		default:
			return c
		}
	}
	return 0
}

// take takes a delimiter.
func (t *cursor) take(c byte) {
	if got := t.peek(); t.state == whole {
		t.hold(got == c)
		t.at++
	}
}

// fields reads an object, whose values field reads.
func (t *cursor) fields(field func(name []byte)) {
	t.take('{')
	for t.state == whole {
		name := t.plain()
		t.take(':')
		if t.state != whole {
			return
		}
		field(name)
		if t.peek() == '}' {
			t.at++
			return
		}
		t.take(',')
	}
}

// plain reads a text of printable ASCII without escapes.
func (t *cursor) plain() []byte {
	t.take('"')
	if t.state != whole {
		return nil
	}
	rest := t.text[t.at:]
	n := plainLength(rest)
	if n == len(rest) {
		t.state = short
		return nil
	}
	t.hold(rest[n] == '"')
	t.at += n + 1
	return rest[:n]
}

// plainLength counts the bytes in front that are printable ASCII and neither a quote nor a
// backslash, eight at a time.
func plainLength(text []byte) (n int) {
	const each, highest = 0x0101010101010101, 0x8080808080808080 // a bit of each byte
	for ; len(text)-n >= 8; n += 8 {
		word := binary.LittleEndian.Uint64(text[n:])
		quotes, escapes := word^each*'"', word^each*'\\'
		// A byte that is below what is subtracted borrows, which shows in its highest bit;
		// that a borrow goes on to the bytes after it does not matter, for the first counts.
		others := (quotes-each)&^quotes | (escapes-each)&^escapes | (word-each*' ')&^word | (word + each) | word
		if others &= highest; others != 0 {
			return n + bits.TrailingZeros64(others)/8
		}
	}
	for n < len(text) && text[n] >= ' ' && text[n] <= '~' && text[n] != '"' && text[n] != '\\' {
		n++
	}
	return n
}

// scalar skips a text, a whole number or a word.
func (t *cursor) scalar() {
	switch c := t.peek(); {
	case t.state != whole:
	case c == '"':
		t.plain()
	case '0' <= c && c <= '9':
		begins := t.at
		for t.at < len(t.text) && '0' <= t.text[t.at] && t.text[t.at] <= '9' {
			t.at++
		}
		t.hold(c != '0' || t.at == begins+1)
	default:
		for _, word := range []string{"false", "true", "null"} {
			if rest := t.text[t.at:]; len(rest) >= len(word) && string(rest[:len(word)]) == word {
				t.at += len(word)
				return
			}
		}
		t.state = short
		if len(t.text)-t.at >= len("false") {
			t.state = unusual
		}
	}
}

// number reads a whole number.
func (t *cursor) number() uint64 {
	c := t.peek()
	t.hold('0' <= c && c <= '9')
	begins := t.at
	t.scalar()
	if t.state != whole {
		return 0
	}
	n, err := strconv.ParseUint(string(t.text[begins:t.at]), 10, 64)
	t.hold(err == nil)
	return n
}

// value skips a value.
func (t *cursor) value(nested int) {
	const deepest = 16
	t.hold(nested < deepest)
	switch t.peek() {
	case '{':
		t.fields(func([]byte) { t.value(nested + 1) })
	case '[':
		for next := byte('['); t.state == whole; next = ',' {
			t.take(next)
			t.value(nested + 1)
			if t.peek() == ']' {
				t.at++
				return
			}
		}
	default:
		t.scalar()
	}
}

// valid is json.Valid, which takes several times as long of what is as usual.
func valid(text []byte) bool {
	t := cursor{text: text}
	t.value(0)
	return t.state == whole && t.at == len(text) || json.Valid(text)
}
