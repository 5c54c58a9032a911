package solanarpc_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/provider/solanarpc"
)

// unusualAccount is accountOne with a field that no node writes: from it on the library reads the
// response.
var unusualAccount = strings.Replace(accountOne, `{"pubkey"`, `{"unusual":{},"pubkey"`, 1)

// TestUsualAccountsAreReadAsTheLibraryReadsThem changes responses byte by byte: the fast path and
// the library return the same accounts, or both an error.
func TestUsualAccountsAreReadAsTheLibraryReadsThem(t *testing.T) {
	client, err := solanarpc.New("http://node/")
	if err != nil {
		t.Fatal(err)
	}
	same := func(rest string) {
		t.Helper()
		quick, span, err := scan(t.Context(), client.WithTransport(canned(`{"result":{"context":{"slot":18},"value":[`+accountOne+rest)), solana.Token2022ProgramID)
		slow, slowSpan, slowErr := scan(t.Context(), client.WithTransport(canned(`{"result":{"context":{"slot":18},"value":[`+unusualAccount+rest)), solana.Token2022ProgramID)
		if (err == nil) != (slowErr == nil) || span != slowSpan || !slices.Equal(quick, slow) {
			t.Errorf("%s:\n%+v, %v\n%+v, %v", rest, quick, err, slow, slowErr)
		}
	}
	accounts := []string{
		accountTwo,
		`{"account":{"data":["","base64"],"executable":false,"lamports":0,"owner":"","rentEpoch":0,"space":0},"pubkey":"11111111111111111111111111111111"}`,
	}
	others := []string{`"`, `\`, `,`, `]`, `}`, `{`, `0`, ` `, "\n", "\x01", `é`, `\u0031`, `A`}
	for _, account := range accounts {
		rest := "," + account + "," + accountTwo + `]}}`
		for i := range len(account) + 3 {
			same(rest[:i] + rest[i+1:])
			other := others[i%len(others)]
			same(rest[:i] + other + rest[i+1:])
			same(rest[:i] + other + rest[i:])
		}
	}
	// Very many, so that accounts end anywhere in what is read at once.
	same(strings.Repeat(","+accountTwo+" ", 5000) + `]}}`)
	same(strings.Repeat(","+accountTwo, 1000) + "," + unusualAccount + strings.Repeat(","+accountTwo, 1000) + `]}}`)
}
