package solanarpc

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// results are as nodes write them, and not.
var results = []string{
	`{"context":{"apiVersion":"3.0.0","slot":9},"value":[{"data":["","base64"],"executable":false,"lamports":2039280,"owner":"11111111111111111111111111111111","rentEpoch":18446744073709551615,"space":0},null]}`,
	`{"context" : {"slot":0} , "value":[true, false ,[0,10],{"a":{"b":"c d~!"}}]}`,
	` ["A1",1] `, `"text"`, `7`, `null`, `{}`, `[]`, `-1.5e3`, `[{},[]]`, `"\u00e9é"`, `[01]`, `[1.]`, `tru`, ``,
}

// TestValidAgreesWithLibrary changes results byte by byte.
func TestValidAgreesWithLibrary(t *testing.T) {
	same := func(text string) {
		t.Helper()
		if got, want := valid([]byte(text)), json.Valid([]byte(text)); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
	for _, text := range results {
		same(text)
		for i := range text {
			for _, other := range []string{``, `"`, `\`, `,`, `]`, `[`, `}`, `{`, `:`, `0`, `-`, `.`, ` `, "\n", "\x00", "\x1f", "\x7f", "\xff", `é`, `e`, `null`} {
				same(text[:i] + other + text[i+1:])
				same(text[:i] + other + text[i:])
			}
		}
	}
	for _, deep := range []int{10, 15, 16, 17, 100, 9999, 10001} {
		same(strings.Repeat(`[`, deep) + strings.Repeat(`]`, deep))
		same(strings.Repeat(`{"a":`, deep) + `1` + strings.Repeat(`}`, deep))
	}
}

// FuzzValid does the same for arbitrary text.
func FuzzValid(f *testing.F) {
	for _, text := range results {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if valid(text) != json.Valid(text) {
			t.Errorf("valid(%q) = %t, want that of encoding/json", text, valid(text))
		}
	})
}

// TestPlainLength tries any byte at any place, before any other bytes.
func TestPlainLength(t *testing.T) {
	for length := range 20 {
		for at := range length {
			for c := range 256 {
				for _, behind := range []byte{'a', 0, '"', 0xff} {
					text := append(bytes.Repeat([]byte{'a'}, at), byte(c))
					text = append(text, bytes.Repeat([]byte{behind}, length-at-1)...)
					want := bytes.IndexFunc(text, func(r rune) bool { return r < ' ' || r > '~' || r == '"' || r == '\\' })
					if want < 0 {
						want = length
					}
					if got := plainLength(text); got != want {
						t.Fatalf("%q: %d, want %d", text, got, want)
					}
				}
			}
		}
	}
}

// TestCallEncodedAsLibrary compares the assembled bytes with the library's encoding.
func TestCallEncodedAsLibrary(t *testing.T) {
	params := []any{keyList(nil), json.RawMessage(`["a","b"]`), object{"commitment": Finalized, "limit": 1}, "text", uint64(1 << 63)}
	for n := range params {
		want, err := json.Marshal(object{"jsonrpc": "2.0", "id": 1, "method": "getIt", "params": params[:n]})
		if n == 0 { // A call without parameters has an empty list.
			want, err = json.Marshal(object{"jsonrpc": "2.0", "id": 1, "method": "getIt", "params": []any{}})
		}
		got, gotErr := encodeCall("getIt", params[:n]...)
		if err != nil || gotErr != nil || !bytes.Equal(got, want) {
			t.Errorf("%s, %v, want %s, %v", got, gotErr, want, err)
		}
	}
	if _, err := encodeCall("getIt", func() {}); err == nil {
		t.Error("a value without JSON is encoded")
	}
}
