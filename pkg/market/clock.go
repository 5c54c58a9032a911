package market

import (
	"encoding/binary"
	"errors"
	"time"
)

// Clock is the chain's clock. Fees decay by its time, and taxes change with its epoch.
type Clock struct {
	Slot, Epoch uint64
	Unix        uint64 // seconds
}

// Time returns the clock's time, with a resolution of seconds.
func (c Clock) Time() time.Time {
	return time.Unix(int64(c.Unix), 0).UTC() //nolint:gosec // the chain stores an i64
}

// The size of the clock's account, and the offsets of its fields: slot, the epoch's first
// timestamp, epoch, the epoch of the leaders, timestamp (solana-clock, Clock).
const (
	clockSize        = 40
	clockEpochOffset = 16
	clockUnixOffset  = 32
)

// ErrNotClock is returned if the account of the clock is missing or too short.
var ErrNotClock = errors.New("the clock's account is missing or too short")

// DecodeClock reads the data of the clock's account; nil for a missing account.
func DecodeClock(data []byte) (Clock, error) {
	if len(data) < clockSize {
		return Clock{}, ErrNotClock
	}
	return Clock{
		Slot:  binary.LittleEndian.Uint64(data),
		Epoch: binary.LittleEndian.Uint64(data[clockEpochOffset:]),
		Unix:  binary.LittleEndian.Uint64(data[clockUnixOffset:]),
	}, nil
}
