package format

import (
	"slices"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Account is a token account of the wallet.
type Account struct {
	Asset   terms.Asset
	Address solana.PublicKey
}

// Accounts returns the wallet's accounts of the token and of the paid assets, in the order of the
// statements.
func (m Manifest) Accounts() ([]Account, error) {
	list := []Account{{terms.Asset(m.Mint), m.TokenAccount.PublicKey()}}
	for _, l := range m.Legs {
		asset, err := terms.ParseAsset(l.Asset)
		if err != nil {
			return nil, err
		}
		if asset.IsSOL() || asset == terms.Asset(m.Mint) {
			continue
		}
		program, err := ParseKey(l.Program)
		if err != nil {
			return nil, err
		}
		address, err := token2022.AssociatedAddress(m.Wallet.PublicKey(), asset.Mint(), program)
		if err != nil {
			return nil, err
		}
		list = append(list, Account{asset, address})
	}
	return list, nil
}

// AnchorAccounts returns the additional accounts of the anchor's transaction. The mint and the
// wallet's token accounts put the anchor into the histories of these accounts. The token programs are
// needed because mainnet reports token balances only for transactions that name a token program.
func (m Manifest) AnchorAccounts() ([]solana.PublicKey, error) {
	accounts, err := m.Accounts()
	if err != nil {
		return nil, err
	}
	list := []solana.PublicKey{m.Mint.PublicKey()}
	for _, a := range accounts {
		list = append(list, a.Address)
	}
	return append(list, solana.TokenProgramID, solana.Token2022ProgramID), nil
}

// Statement returns the statement of an asset. ok is false if the manifest has no such statement.
func (m Manifest) Statement(asset terms.Asset) (s Statement, ok bool) {
	i := slices.IndexFunc(m.Statements, func(s Statement) bool { return s.Asset == asset.String() })
	if i < 0 {
		return Statement{}, false
	}
	return m.Statements[i], true
}
