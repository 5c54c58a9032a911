package launchpad

import (
	"math/big"

	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/token2022"
)

// Share is the balance of a wallet's associated account, with the token's supply.
type Share struct{ Tokens, Supply uint64 }

// Bps returns the share in ten-thousandths, rounded up, so that a small share is not zero.
func (s Share) Bps() int64 {
	if s.Supply == 0 {
		return 0
	}
	n := new(big.Int).SetUint64(s.Tokens)
	n.Mul(n, big.NewInt(FullBps)).Add(n, new(big.Int).SetUint64(s.Supply-1))
	return min(n.Quo(n, new(big.Int).SetUint64(s.Supply)).Int64(), FullBps)
}

// shareOf computes a share from a mint and a wallet's account. It returns nil if the mint or the
// account is not readable.
func shareOf(mint, account *onchain.Account) *Share {
	if mint == nil {
		return nil
	}
	m, err := token2022.DecodeMint(mint.Owner, mint.Data)
	if err != nil {
		return nil
	}
	share := &Share{Supply: m.Supply}
	if taken(account) {
		held, err := token2022.DecodeAccount(account.Owner, account.Data)
		if err != nil {
			return nil
		}
		share.Tokens = held.Amount
	}
	return share
}
