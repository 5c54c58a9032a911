package solanarpc

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"
)

// TestProgramsAreReadAsTheLibraryReadsThem changes results byte by byte: the fast path and the
// library return the same owners, or both an error.
func TestProgramsAreReadAsTheLibraryReadsThem(t *testing.T) {
	account := `{"data":["","base64"],"executable":false,"lamports":2039280,"owner":"` +
		solana.Token2022ProgramID.String() + `","rentEpoch":18446744073709551615,"space":182}`
	slow := strings.Replace(account, `{"data"`, `{"unusual":{},"data"`, 1) // left to the library
	read := func(first, rest string) (p programs, err error) {
		return p, decode(&p, `{"context":{"apiVersion":"3.0.0","slot":18},"value":[`+first+rest)
	}
	known := 0
	same := func(rest string) {
		t.Helper()
		got, err := read(account, rest)
		want, wantErr := read(slow, rest)
		if (err == nil) != (wantErr == nil) || err == nil && (got.slot != want.slot || !slices.Equal(got.owners, want.owners)) {
			t.Errorf("%s:\n%+v, %v\n%+v, %v", rest, got, err, want, wantErr)
		}
		if err == nil {
			known++
		}
	}
	rest := ",null," + account + "]}"
	others := []string{`"`, `\`, `,`, `]`, `}`, `{`, `0`, ` `, "\n", `null`, `é`, `1`, `A`, ""}
	same(rest)
	for i := range rest {
		for _, other := range others {
			same(rest[:i] + other + rest[i+1:])
			same(rest[:i] + other + rest[i:])
		}
	}
	if known < len(others) {
		t.Errorf("%d results were read", known)
	}
}

// decode reads a result as call does, which sees before that it is JSON.
func decode(p *programs, text string) error {
	if !valid([]byte(text)) {
		return errors.New("no JSON")
	}
	return decodeResult([]byte(text), p)
}
