package token2022_test

import (
	"encoding/binary"
	"errors"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"
	"pgregory.net/rapid"

	"tokenlaunch.example/service/pkg/solana/token2022"
)

// tlv is an extension as it is stored.
func tlv(kind uint16, value []byte) []byte {
	b := binary.LittleEndian.AppendUint16(nil, kind)
	b = binary.LittleEndian.AppendUint16(b, uint16(len(value)))
	return append(b, value...)
}

func u64(n uint64) []byte { return binary.LittleEndian.AppendUint64(nil, n) }
func u16(n uint16) []byte { return binary.LittleEndian.AppendUint16(nil, n) }

func text(s string) []byte {
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(s))), s...)
}

func bytesOf(b byte) []byte { k := key(b); return k[:] }

// baseMint has supply 1000, 9 decimals, mint authority 1 and no freeze
// authority.
func baseMint() []byte {
	return slices.Concat([]byte{1, 0, 0, 0}, bytesOf(1), u64(1000), []byte{9, 1}, make([]byte, 36))
}

// extended puts extensions behind a base account.
func extended(base []byte, kind byte, extensions ...[]byte) []byte {
	padded := append(slices.Clone(base), make([]byte, 165-len(base))...)
	return slices.Concat(append([][]byte{padded, {kind}}, extensions...)...)
}

func feeConfig() []byte {
	return tlv(1, slices.Concat(bytesOf(2), bytesOf(3), u64(77),
		u64(5), u64(50), u16(100), u64(7), u64(math.MaxUint64), u16(10_000)))
}

func metadata(additional ...string) []byte {
	b := slices.Concat(bytesOf(4), bytesOf(5), text("Name 🚀"), text("SYM"), text("ipfs://x"))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(additional)/2))
	for _, s := range additional {
		b = append(b, text(s)...)
	}
	return tlv(19, b)
}

func TestDecodeMint(t *testing.T) {
	pointer := tlv(18, slices.Concat(bytesOf(0), bytesOf(6)))
	hook := tlv(14, make([]byte, 64))
	unknown := tlv(999, []byte{1, 2, 3})
	data := extended(baseMint(), 1, feeConfig(), pointer, hook, unknown, metadata("k", "v", "k2", ""), make([]byte, 9))
	got, err := token2022.DecodeMint(solana.Token2022ProgramID, data)
	if err != nil {
		t.Fatal(err)
	}
	want := token2022.Mint{
		Program: solana.Token2022ProgramID, Supply: 1000, Decimals: 9, MintAuthority: key(1),
		Extensions: []token2022.ExtensionType{1, 18, 14, 999, 19},
		TransferFee: &token2022.TransferFeeConfig{
			ConfigAuthority: key(2), WithdrawWithheldAuthority: key(3), Withheld: 77,
			Older: token2022.TransferFee{Epoch: 5, MaximumFee: 50, BasisPoints: 100},
			Newer: token2022.TransferFee{Epoch: 7, MaximumFee: math.MaxUint64, BasisPoints: 10_000},
		},
		MetadataPointer: &token2022.MetadataPointer{Address: key(6)},
		Metadata: &token2022.Metadata{
			UpdateAuthority: key(4), Mint: key(5), Name: "Name 🚀", Symbol: "SYM", URI: "ipfs://x",
			Additional: []token2022.MetadataEntry{{Key: "k", Value: "v"}, {Key: "k2"}},
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if s := token2022.ExtensionType(999).String(); s != "extension 999" {
		t.Errorf("ExtensionType(999) = %q, want extension 999", s)
	}
	if fee := got.TransferFee.At(6); fee.BasisPoints != 100 {
		t.Errorf("fee in epoch 6: %+v", fee)
	}
	if fee := got.TransferFee.At(7); fee.BasisPoints != 10_000 {
		t.Errorf("fee in epoch 7: %+v", fee)
	}
}

func TestDecodePlainMints(t *testing.T) {
	for _, program := range []solana.PublicKey{solana.TokenProgramID, solana.Token2022ProgramID} {
		got, err := token2022.DecodeMint(program, baseMint())
		if err != nil || got.Supply != 1000 || got.Program != program || got.Extensions != nil {
			t.Errorf("DecodeMint() of program %s = %+v, %v; want a supply of 1000", program, got, err)
		}
	}
	frozen := baseMint()
	copy(frozen[46:], append([]byte{1, 0, 0, 0}, bytesOf(8)...))
	if got, err := token2022.DecodeMint(solana.TokenProgramID, frozen); err != nil || got.FreezeAuthority != key(8) {
		t.Errorf("DecodeMint() = %+v, %v; want freeze authority %s", got, err, key(8))
	}
}

func TestDecodeMintRefuses(t *testing.T) {
	changed := func(at int, value byte) []byte {
		b := baseMint()
		b[at] = value
		return b
	}
	t22 := solana.Token2022ProgramID
	for name, c := range map[string]struct {
		owner solana.PublicKey
		data  []byte
		want  string
	}{
		"another program":           {solana.SystemProgramID, baseMint(), "not a token program"},
		"nothing":                   {t22, nil, "length"},
		"a missing byte":            {t22, baseMint()[:81], "length"},
		"older, with extensions":    {solana.TokenProgramID, extended(baseMint(), 1, feeConfig()), "length"},
		"not initialized":           {t22, changed(45, 0), "not initialized"},
		"malformed authority":       {t22, changed(0, 2), "authority is malformed"},
		"malformed freeze":          {t22, changed(46, 2), "authority is malformed"},
		"a token account":           {t22, extended(baseMint(), 2), "another kind"},
		"a token account, no types": {t22, make([]byte, 165), "length"},
		"a multisig":                {t22, extended(baseMint(), 1, make([]byte, 355-166)), "length"},
		"a header cut off":          {t22, extended(baseMint(), 1, []byte{1, 0, 4}), "cut off"},
		"a value cut off":           {t22, extended(baseMint(), 1, feeConfig()[:100]), "cut off"},
		"a fee too short":           {t22, extended(baseMint(), 1, tlv(1, make([]byte, 107))), "transfer fee is cut off"},
		"a pointer too short":       {t22, extended(baseMint(), 1, tlv(18, make([]byte, 63))), "metadata pointer is cut off"},
		"a name of 4 GiB":           {t22, extended(baseMint(), 1, tlv(19, slices.Concat(make([]byte, 64), []byte{255, 255, 255, 255}))), "metadata is cut off"},
		"a name not UTF-8":          {t22, extended(baseMint(), 1, tlv(19, slices.Concat(make([]byte, 64), text("\xff"), text(""), text(""), make([]byte, 4)))), "metadata is cut off"},
		"4 billion further fields":  {t22, extended(baseMint(), 1, tlv(19, slices.Concat(make([]byte, 64), text(""), text(""), text(""), []byte{255, 255, 255, 255}))), "metadata is cut off"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := token2022.DecodeMint(c.owner, c.data)
			if !errors.Is(err, token2022.ErrNotMint) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want one with %q", err, c.want)
			}
		})
	}
}

// baseAccount is a token account of mint 1 and owner 2 with 500 tokens.
func baseAccount(state byte) []byte {
	b := slices.Concat(bytesOf(1), bytesOf(2), u64(500), make([]byte, 165-72))
	b[108] = state
	return b
}

func TestDecodeAccount(t *testing.T) {
	withheld := extended(baseAccount(2), 2, tlv(7, nil), tlv(2, u64(42)))
	got, err := token2022.DecodeAccount(solana.Token2022ProgramID, withheld)
	want := token2022.Account{
		Program: solana.Token2022ProgramID, Mint: key(1), Owner: key(2), Amount: 500, Frozen: true, Withheld: 42,
		Extensions: []token2022.ExtensionType{token2022.ExtensionImmutableOwner, token2022.ExtensionTransferFeeAmount},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v\nwant %+v", got, err, want)
	}
	if got, err := token2022.DecodeAccount(solana.TokenProgramID, baseAccount(1)); err != nil || got.Frozen || got.Amount != 500 {
		t.Errorf("DecodeAccount() = %+v, %v; want 500, not frozen", got, err)
	}
	confidential := make([]byte, 295) // allow_non_confidential_credits is at 262
	for on, want := range map[byte]bool{0: true, 1: false} {
		confidential[262] = on
		got, err := token2022.DecodeAccount(solana.Token2022ProgramID, extended(baseAccount(1), 2, tlv(5, confidential), tlv(8, []byte{on})))
		if err != nil || got.ConfidentialOnly != want || got.MemoRequired == want {
			t.Errorf("with the switches %d: %+v, %v", on, got, err)
		}
	}
	for name, data := range map[string][]byte{
		"not initialized": baseAccount(0),
		"unknown state":   baseAccount(3),
		"a mint":          extended(baseMint(), 1, feeConfig()),
		"fee cut off":     extended(baseAccount(1), 2, tlv(2, make([]byte, 7))),
	} {
		if _, err := token2022.DecodeAccount(solana.Token2022ProgramID, data); !errors.Is(err, token2022.ErrNotTokenAccount) {
			t.Errorf("DecodeAccount(), %s: %v, want ErrNotTokenAccount", name, err)
		}
	}
}

func TestFeeIsRoundedUpAndBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		fee := token2022.TransferFee{
			BasisPoints: rapid.Uint16Range(0, 10_000).Draw(t, "basis points"),
			MaximumFee:  rapid.Uint64().Draw(t, "maximum"),
		}
		amount := rapid.Uint64().Draw(t, "amount")
		want := new(big.Int).Mul(new(big.Int).SetUint64(amount), big.NewInt(int64(fee.BasisPoints)))
		want.Add(want, big.NewInt(9_999)).Div(want, big.NewInt(10_000))
		if limit := new(big.Int).SetUint64(fee.MaximumFee); want.Cmp(limit) > 0 {
			want = limit
		}
		if got := fee.On(amount); got != want.Uint64() {
			t.Errorf("%d, want %s", got, want)
		}
	})
	if got := (token2022.TransferFee{BasisPoints: math.MaxUint16, MaximumFee: 3}).On(math.MaxUint64); got != 3 {
		t.Errorf("a fee over the whole amount: %d", got)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(extended(baseMint(), 1, feeConfig(), metadata("k", "v")))
	f.Add(extended(baseAccount(1), 2, tlv(7, nil), tlv(2, u64(42))))
	f.Add(baseMint())
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, program := range []solana.PublicKey{solana.TokenProgramID, solana.Token2022ProgramID} {
			_, mintErr := token2022.DecodeMint(program, data)
			_, accountErr := token2022.DecodeAccount(program, data)
			if mintErr == nil && accountErr == nil {
				t.Error("the same bytes are a mint and a token account")
			}
		}
	})
}

func TestDecodeMultisig(t *testing.T) {
	good := make([]byte, token2022.MultisigSize)
	good[0], good[1], good[2] = 2, 3, 1
	for n := range 3 {
		copy(good[3+32*n:], hexKey(byte(n+1)))
	}
	got, err := token2022.DecodeMultisig(solana.Token2022ProgramID, good)
	if err != nil || got.Required != 2 || !slices.Equal(got.Members, []solana.PublicKey{key(1), key(2), key(3)}) {
		t.Errorf("DecodeMultisig() = %+v, %v; want 2 of 3 members", got, err)
	}
	for name, change := range map[string]func(data []byte) (solana.PublicKey, []byte){
		"of the Token program": func(d []byte) (solana.PublicKey, []byte) { return solana.TokenProgramID, d },
		"too short":            func(d []byte) (solana.PublicKey, []byte) { return solana.Token2022ProgramID, d[:354] },
		"empty":                func([]byte) (solana.PublicKey, []byte) { return solana.Token2022ProgramID, nil },
		"not initialized":      func(d []byte) (solana.PublicKey, []byte) { d[2] = 0; return solana.Token2022ProgramID, d },
		"of no member":         func(d []byte) (solana.PublicKey, []byte) { d[0], d[1] = 0, 0; return solana.Token2022ProgramID, d },
		"of more than all":     func(d []byte) (solana.PublicKey, []byte) { d[0] = 4; return solana.Token2022ProgramID, d },
		"of twelve":            func(d []byte) (solana.PublicKey, []byte) { d[1] = 12; return solana.Token2022ProgramID, d },
	} {
		if got, err := token2022.DecodeMultisig(change(slices.Clone(good))); !errors.Is(err, token2022.ErrNotMultisig) {
			t.Errorf("DecodeMultisig(), %s = %+v, %v; want ErrNotMultisig", name, got, err)
		}
	}
}

func hexKey(b byte) []byte { k := key(b); return k[:] }
