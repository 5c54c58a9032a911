package localnet

import (
	"context"
	"encoding/base64"
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/lighthouse"
	"tokenlaunch.example/service/pkg/testkit/localnet/localchain"
)

// DeployGuards puts a program at the address of Lighthouse, which no local chain has: SPL Memo,
// which fails unless each of its accounts signs. So an assertion about the payer holds, and one
// about an account that does not sign fails. A validator cannot do that: localchain.ErrPower.
func DeployGuards(ctx context.Context, chain *localchain.Chain) error {
	var memo struct {
		Value struct {
			Lamports uint64
			Owner    string
			Data     [2]string // in base64, and the name of that
		}
	}
	err := chain.Call(ctx, &memo, "getAccountInfo", solana.MemoProgramID.String(), map[string]string{"encoding": "base64"})
	if err != nil {
		return err
	}
	program, err := base64.StdEncoding.DecodeString(memo.Value.Data[0])
	if err != nil {
		return fmt.Errorf("read the memo program: %w", err)
	}
	return chain.SetAccount(ctx, lighthouse.Program.String(), localchain.Account{
		Lamports: memo.Value.Lamports, Owner: memo.Value.Owner, Data: program, Executable: true,
	})
}
