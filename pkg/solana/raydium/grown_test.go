package raydium_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/raydium"
)

// An account to which an upgrade adds fields is read as before. One of another layout is
// said to be unreadable, which no account of another program is.
func TestGrownAccountsAreRead(t *testing.T) {
	n, more := raydium.Mainnet, bytes.Repeat([]byte{0xa5}, 300)
	config, err := n.DecodeConfig(n.Program, configData(t))
	grown, grownErr := n.DecodeConfig(n.Program, append(configData(t), more...))
	if err != nil || grownErr != nil || grown != config {
		t.Errorf("a configuration that grew: %+v %v, want %+v %v", grown, grownErr, config, err)
	}
	pool, err := n.DecodePool(n.Program, poolData())
	larger, grownErr := n.DecodePool(n.Program, append(poolData(), more...))
	if err != nil || grownErr != nil || larger != pool {
		t.Errorf("a pool that grew: %+v %v, want %+v %v", larger, grownErr, pool, err)
	}
	for name, change := range map[string]func([]byte) []byte{
		"a new kind": func(b []byte) []byte { b[0]++; return b },
		"cut off":    func(b []byte) []byte { return b[:100] },
	} {
		_, poolErr := n.DecodePool(n.Program, change(poolData()))
		_, configErr := n.DecodeConfig(n.Program, change(configData(t)))
		for _, err := range []error{poolErr, configErr} {
			if !errors.Is(err, onchain.ErrUnreadable) || apperr.KindOf(err) != apperr.Unavailable {
				t.Errorf("%s: %v, want ErrUnreadable of kind Unavailable", name, err)
			}
		}
	}
	if _, err := n.DecodePool(solana.TokenProgramID, poolData()); errors.Is(err, onchain.ErrUnreadable) {
		t.Errorf("another program's: %v", err)
	}
}
