package solanarpc

import (
	"encoding/base64"
	"errors"
	"io"
	"slices"

	"github.com/gagliardetto/solana-go/base58"

	"tokenlaunch.example/service/pkg/solana/token2022"
)

// usualReader reads the accounts of a response of getProgramAccounts in the usual layout of nodes:
// known fields, each once, in any order, without escapes. It needs a tenth of the time of a general
// JSON decoder. usualReader accepts an account only if encoding/json would decode the same account,
// and stops before any other input.
type usualReader struct {
	from io.Reader
	// buffer holds the bytes that were read and not consumed, from index at on.
	buffer []byte
	at     int
	ended  bool

	read int // the number of accounts
	part []byte
}

// readAhead is the number of bytes in one read. An account takes about 430 bytes.
const readAhead = 64 << 10

// next returns the next account, which is valid until the following call; ok is false at the end of
// the list and before anything but a usual account.
func (u *usualReader) next() (one scanned, ok bool, err error) {
	for {
		one, end, state := u.account(u.buffer[u.at:])
		switch {
		case state == whole:
			u.at += end
			u.read++
			return one, true, nil
		case state == unusual || u.ended || len(u.buffer)-u.at > readAhead/2:
			return scanned{}, false, nil
		}
		if err := u.more(); err != nil {
			return scanned{}, false, err
		}
	}
}

// more reads more bytes into the buffer.
func (u *usualReader) more() error {
	u.buffer = slices.Grow(u.buffer[:copy(u.buffer, u.buffer[u.at:])], readAhead)
	u.at = 0
	n, err := u.from.Read(u.buffer[len(u.buffer):cap(u.buffer)])
	u.buffer = u.buffer[:len(u.buffer)+n]
	if errors.Is(err, io.EOF) {
		u.ended, err = true, nil
	}
	return err
}

// rest returns the bytes that were read and not consumed.
func (u *usualReader) rest() []byte { return u.buffer[u.at:] }

// account reads an account, including the comma in front of every account except the first. end is
// the index after the account.
func (u *usualReader) account(text []byte) (one scanned, end int, _ state) {
	t := cursor{text: text}
	if u.read > 0 {
		t.take(',')
	}
	var address, data bool
	t.fields(func(name []byte) {
		switch {
		case string(name) == "pubkey" && !address:
			t.hold(base58.Decode32(string(t.plain()), (*[32]byte)(&one.address)) == nil)
			address = true
		case string(name) == "account" && !data:
			t.fields(func(name []byte) {
				switch string(name) {
				case "data":
					t.hold(!data)
					u.data(&t)
					data = true
				case "lamports", "owner", "executable", "rentEpoch", "space":
					t.scalar()
				default:
					t.hold(false)
				}
			})
			t.hold(data)
		default:
			t.hold(false)
		}
	})
	t.hold(address && data)
	one.part = u.part
	return one, t.at, t.state
}

// data reads the pair of a base64 string and the word "base64".
func (u *usualReader) data(t *cursor) {
	t.take('[')
	text := t.plain()
	t.take(',')
	t.hold(string(t.plain()) == "base64")
	t.take(']')
	if t.state != whole {
		return
	}
	if len(text) > base64.StdEncoding.EncodedLen(token2022.HoldingLength) {
		t.state = unusual
		return
	}
	decoded, err := base64.StdEncoding.AppendDecode(u.part[:0], text)
	t.hold(err == nil && checkPart(decoded) == nil)
	u.part = decoded
}
