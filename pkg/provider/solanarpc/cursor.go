package solanarpc

import (
	"encoding/binary"
	"encoding/json"
	"math/bits"
	"strconv"
)

// state is the result of reading a text.
type state int

const (
	whole   state = iota
	short         // the text ends too early to decide
	unusual       // encoding/json must decode the text
)

// cursor reads a JSON text from the left. A state other than whole is permanent.
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

// peek skips spaces and returns the next byte without consuming the byte; 0 if the text ends.
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

// take consumes a delimiter.
func (t *cursor) take(c byte) {
	if got := t.peek(); t.state == whole {
		t.hold(got == c)
		t.at++
	}
}

// fields reads an object. field reads the values.
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

// plain reads a string of printable ASCII without escapes.
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

// plainLength returns the length of the prefix of printable ASCII without quotes and backslashes.
// It checks eight bytes at a time.
func plainLength(text []byte) (n int) {
	const each, highest = 0x0101010101010101, 0x8080808080808080 // a bit of each byte
	for ; len(text)-n >= 8; n += 8 {
		word := binary.LittleEndian.Uint64(text[n:])
		quotes, escapes := word^each*'"', word^each*'\\'
		// A byte below the subtrahend borrows, which sets the byte's highest bit. A borrow may also
		// affect later bytes, which does not matter because only the first byte counts.
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

// scalar skips a string, a whole number or a word.
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

// valid is json.Valid. It is several times faster for texts in the usual layout.
func valid(text []byte) bool {
	t := cursor{text: text}
	t.value(0)
	return t.state == whole && t.at == len(text) || json.Valid(text)
}
