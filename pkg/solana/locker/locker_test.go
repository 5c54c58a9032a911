package locker_test

import (
	"crypto/sha256"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/locker"
	"tokenlaunch.example/service/pkg/solana/token2022"
)

func TestEventAuthorityFollowsFromProgram(t *testing.T) {
	address, _, err := solana.FindProgramAddress([][]byte{[]byte("__event_authority")}, locker.Program)
	if err != nil || address != locker.EventAuthority {
		t.Errorf("event authority = %s, %v; want %s", address, err, locker.EventAuthority)
	}
}

// The parts add up to the whole, none is empty where there is enough, and the first is the
// largest by less than their number.
func TestPartsAddUp(t *testing.T) {
	first := time.Unix(1_800_000_000, 0)
	for range 20_000 {
		parts := 1 + rand.IntN(1_000)
		whole := uint64(parts) + rand.Uint64()>>rand.IntN(64)
		if whole < uint64(parts) {
			whole = math.MaxUint64
		}
		s := locker.Divide(whole, first, parts, 1+rand.IntN(1_000_000))
		if s.First+s.Each*s.Times != whole || s.Times != uint64(parts-1) || s.Start != 1_800_000_000 || s.Period == 0 ||
			parts > 1 && (s.Each == 0 || s.First < s.Each || s.First-s.Each >= uint64(parts)) {
			t.Fatalf("%d in %d parts: %+v", whole, parts, s)
		}
	}
}

// For every tax, no more leaves than the given amount, the whole arriving amount is locked, and
// hardly more could be.
func TestFit(t *testing.T) {
	for range 200_000 {
		fee := token2022.TransferFee{BasisPoints: uint16(rand.IntN(10_001)), MaximumFee: math.MaxUint64}
		if rand.IntN(2) == 0 {
			fee.MaximumFee = rand.Uint64() >> rand.IntN(64)
		}
		tokens := rand.Uint64() >> rand.IntN(64)
		locked, sent := locker.Fit(fee, tokens)
		if locked == 0 {
			continue
		}
		if sent > tokens || sent-fee.On(sent) != locked {
			t.Fatalf("%+v of %d: %d leave and %d arrive, announced were %d", fee, tokens, sent, sent-fee.On(sent), locked)
		}
		if lost := tokens - fee.On(tokens) - locked; lost > 2 {
			t.Fatalf("%+v of %d: %d are locked, %d fewer than could be", fee, tokens, locked, lost)
		}
	}
	for _, c := range []struct {
		fee          token2022.TransferFee
		tokens       uint64
		locked, sent uint64
	}{
		{token2022.TransferFee{}, math.MaxUint64, math.MaxUint64, math.MaxUint64},
		{token2022.TransferFee{BasisPoints: 500, MaximumFee: math.MaxUint64}, 1_000_000_000_000_000, 949_999_999_999_999, 999_999_999_999_999},
		{token2022.TransferFee{BasisPoints: 10_000, MaximumFee: 5}, 100, 0, 0},
		{token2022.TransferFee{BasisPoints: 500, MaximumFee: math.MaxUint64}, 1, 0, 0},
	} {
		if locked, sent := locker.Fit(c.fee, c.tokens); locked != c.locked || sent != c.sent {
			t.Errorf("%+v of %d: %d, %d", c.fee, c.tokens, locked, sent)
		}
	}
}

func FuzzDecodeEscrow(f *testing.F) {
	tag := sha256.Sum256([]byte("account:VestingEscrow"))
	f.Add(append(tag[:8:8], make([]byte, locker.EscrowSize-8)...))
	f.Add(tag[:8])
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := locker.DecodeEscrow(locker.Program, data)
		if err == nil != (len(data) >= locker.EscrowSize && string(data[:8]) == string(tag[:8])) || err != nil && !errors.Is(err, locker.ErrNotEscrow) {
			t.Errorf("%d bytes: %v", len(data), err)
		}
		if err == nil && (string(e.Recipient[:]) != string(data[8:40]) || string(e.Base[:]) != string(data[104:136])) {
			t.Errorf("DecodeEscrow() = %+v, want the recipient and the base of the data", e)
		}
		if _, err := locker.DecodeEscrow(solana.SystemProgramID, data); err == nil {
			t.Error("an account of another program is an escrow")
		}
	})
}
