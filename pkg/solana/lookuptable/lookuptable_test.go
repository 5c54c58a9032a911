package lookuptable_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/lookuptable"
)

func key(n byte) solana.PublicKey { return solana.PublicKey{0: 1, 31: n} }

// tableBytes is a table of three addresses, of which the last came in slot 50.
func tableBytes(deactivated uint64) []byte {
	data := binary.LittleEndian.AppendUint32(nil, 1)
	data = binary.LittleEndian.AppendUint64(data, deactivated)
	data = binary.LittleEndian.AppendUint64(data, 50)
	authority, first, second, third := key(1), key(2), key(3), key(4)
	data = append(data, 2, 1)
	return slices.Concat(data, authority[:], []byte{0, 0}, first[:], second[:], third[:])
}

func TestDecode(t *testing.T) {
	s, err := lookuptable.Decode(lookuptable.ProgramID, tableBytes(math.MaxUint64))
	if err != nil || !s.Active || s.Authority != key(1) || s.Extended != 50 || !slices.Equal(s.Addresses, []solana.PublicKey{key(2), key(3), key(4)}) {
		t.Errorf("%+v, %v", s, err)
	}
	if len(tableBytes(0)) != int(lookuptable.Size(3)) {
		t.Errorf("three addresses take %d bytes, not %d", len(tableBytes(0)), lookuptable.Size(3))
	}
}

func TestUsable(t *testing.T) {
	active, _ := lookuptable.Decode(lookuptable.ProgramID, tableBytes(math.MaxUint64))
	ended, _ := lookuptable.Decode(lookuptable.ProgramID, tableBytes(60))
	for name, c := range map[string]struct {
		state lookuptable.State
		slot  uint64
		want  int
	}{
		"in the slot of the extension": {active, 50, 2},
		"before":                       {active, 49, 2},
		"after":                        {active, 51, 3},
		"deactivated":                  {ended, 61, 0},
	} {
		if got := len(c.state.Usable(c.slot)); got != c.want {
			t.Errorf("%s: %d addresses, want %d", name, got, c.want)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	good := tableBytes(math.MaxUint64)
	set := func(at int, b byte) []byte {
		c := bytes.Clone(good)
		c[at] = b
		return c
	}
	for name, data := range map[string][]byte{
		"nothing": nil, "half an address": good[:len(good)-1], "no meta": good[:55], "not initialized": set(0, 0),
		"an unreadable authority": set(21, 2), "257 addresses": append(bytes.Clone(good), make([]byte, 254*32)...),
	} {
		if _, err := lookuptable.Decode(lookuptable.ProgramID, data); !errors.Is(err, lookuptable.ErrNotTable) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := lookuptable.Decode(solana.SystemProgramID, good); !errors.Is(err, lookuptable.ErrNotTable) {
		t.Errorf("of another owner: %v", err)
	}
}

// FuzzDecode: nothing panics, and what is accepted has as many addresses as its length says.
func FuzzDecode(f *testing.F) {
	f.Add(tableBytes(math.MaxUint64))
	f.Add(tableBytes(7)[:60])
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := lookuptable.Decode(lookuptable.ProgramID, data)
		if err == nil && lookuptable.Size(len(s.Addresses)) != uint64(len(data)) {
			t.Errorf("%d addresses of %d bytes", len(s.Addresses), len(data))
		}
		_ = s.Usable(1)
	})
}
