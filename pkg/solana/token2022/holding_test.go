package token2022_test

import (
	"errors"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/token2022"
)

// part returns the bytes that a scan reads of an account.
func part(data []byte) []byte {
	data = data[min(token2022.HoldingOffset, len(data)):]
	return data[:min(token2022.HoldingLength, len(data))]
}

func TestDecodeHolding(t *testing.T) {
	long := make([]byte, 4096)
	for name, c := range map[string]struct {
		program  solana.PublicKey
		data     []byte
		ok       bool
		withheld uint64
		frozen   bool
	}{
		"as wallets have it":               {solana.Token2022ProgramID, extended(baseAccount(1), 2, tlv(7, nil), tlv(2, u64(42))), true, 42, false},
		"without immutable owner":          {solana.Token2022ProgramID, extended(baseAccount(1), 2, tlv(2, u64(42))), true, 42, false},
		"behind others":                    {solana.Token2022ProgramID, extended(baseAccount(1), 2, tlv(5, make([]byte, 295)), tlv(8, []byte{1}), tlv(2, u64(42))), true, 42, false},
		"frozen":                           {solana.Token2022ProgramID, extended(baseAccount(2), 2, tlv(7, nil), tlv(2, u64(1))), true, 1, true},
		"with room behind it":              {solana.Token2022ProgramID, extended(baseAccount(1), 2, tlv(2, u64(42)), long), true, 42, false},
		"without extensions":               {solana.Token2022ProgramID, baseAccount(1), true, 0, false},
		"of the older program":             {solana.TokenProgramID, baseAccount(1), true, 0, false},
		"of the older program, too long":   {solana.TokenProgramID, extended(baseAccount(1), 2, tlv(2, u64(42))), false, 0, false},
		"of another program":               {solana.SystemProgramID, baseAccount(1), false, 0, false},
		"not initialized":                  {solana.Token2022ProgramID, baseAccount(0), false, 0, false},
		"a mint":                           {solana.Token2022ProgramID, extended(baseMint(), 1, feeConfig()), false, 0, false},
		"a multisig":                       {solana.Token2022ProgramID, extended(baseAccount(1), 2, make([]byte, multisigLength-166)), false, 0, false},
		"withheld amount cut off":          {solana.Token2022ProgramID, extended(baseAccount(1), 2, tlv(2, u64(42)[:7])), false, 0, false},
		"extension cut off":                {solana.Token2022ProgramID, extended(baseAccount(1), 2, tlv(2, u64(42))[:11]), false, 0, false},
		"one extension as long as a slice": {solana.Token2022ProgramID, extended(baseAccount(1), 2, tlv(999, long), tlv(2, u64(42))), false, 0, false},
		"nothing":                          {solana.Token2022ProgramID, nil, false, 0, false},
	} {
		got, err := token2022.DecodeHolding(c.program, part(c.data))
		if !c.ok {
			if !errors.Is(err, token2022.ErrNotTokenAccount) {
				t.Errorf("DecodeHolding(), %s = %+v, %v; want ErrNotTokenAccount", name, got, err)
			}
			continue
		}
		full, fullErr := token2022.DecodeAccount(c.program, c.data)
		if err != nil || fullErr != nil || got.Withheld != c.withheld || got.Frozen != c.frozen || got.Owner != full.Owner || got.Amount != full.Amount {
			t.Errorf("%s: %+v, %v; whole %+v, %v", name, got, err, full, fullErr)
		}
	}
}

func TestDecodeHoldingAllocatesNothing(t *testing.T) {
	data := part(extended(baseAccount(1), 2, tlv(7, nil), tlv(2, u64(42))))
	if n := testing.AllocsPerRun(100, func() { _, _ = token2022.DecodeHolding(solana.Token2022ProgramID, data) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// FuzzTLVsOfTokenAccounts tests that the part that a scan reads yields the same as the whole
// account, and that other accounts yield an error.
func FuzzTLVsOfTokenAccounts(f *testing.F) {
	f.Add(extended(baseAccount(1), 2, tlv(7, nil), tlv(2, u64(42))))
	f.Add(extended(baseAccount(2), 2, tlv(2, u64(1)), tlv(8, []byte{1}), make([]byte, 9)))
	f.Add(extended(baseAccount(1), 2, tlv(2, u64(1)), tlv(2, u64(2))))
	f.Add(extended(baseAccount(1), 2, make([]byte, multisigLength-166)))
	f.Add(baseAccount(1))
	f.Add(baseAccount(1)[:40])
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, program := range []solana.PublicKey{solana.Token2022ProgramID, solana.TokenProgramID} {
			whole, wholeErr := token2022.DecodeAccount(program, data)
			got, err := token2022.DecodeHolding(program, part(data))
			if err != nil && !errors.Is(err, token2022.ErrNotTokenAccount) {
				t.Errorf("%v is not ErrNotTokenAccount", err)
			}
			if len(data) > token2022.HoldingOffset+token2022.HoldingLength {
				if err == nil && (len(part(data)) < 133 || wholeErr == nil && got.Amount != whole.Amount) {
					t.Errorf("%+v of the part, %+v of the whole", got, whole)
				}
				continue
			}
			if (err == nil) != (wholeErr == nil) {
				t.Fatalf("the part: %v; the whole: %v", err, wholeErr)
			}
			if want := (token2022.Holding{Owner: whole.Owner, Amount: whole.Amount, Withheld: whole.Withheld, Frozen: whole.Frozen}); got != want {
				t.Errorf("%+v of the part, %+v of the whole", got, want)
			}
		}
	})
}
